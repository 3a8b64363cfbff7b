// The titles of tables: which words are usual for which column, and the columns of a table of edges
// (`choose_columns` in apsp/io.hpp).
#pragma once

#include <apsp/io.hpp>

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace apsp::io {

/// The first title that is, in any case, one of `words`, which are in lower case.
std::optional<std::size_t> find_title(std::span<const std::string> titles,
                                      std::initializer_list<std::string_view> words);

/// The two columns whose titles are usual for ends of edges. Empty: there are no two, or `tail` and
/// `head`, which people use in both directions. Throws `Error` (input) for two such pairs.
std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles);

/// Whether `find_end_titles` finds two columns or throws.
bool has_end_titles(std::span<const std::string> titles);

/// The column whose title is usual for vertices where rows name one: vertex or node, else id, else
/// name.
std::optional<std::size_t> find_vertex_title(std::span<const std::string> titles);

/// Whether a word is a usual title of a column of vertices: "from", "Target", "node".
bool is_vertex_title(std::string_view text);

/// "'a', 'b' and 'c'" for a message; the first 12.
std::string listed(std::span<const std::string> words);

}  // namespace apsp::io
