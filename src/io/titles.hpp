// Usual titles of columns, and the columns of a table of edges (`choose_columns` in apsp/io.hpp).
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

/// The first title among `words`, which are in lower case; ignores the case of titles.
std::optional<std::size_t> find_title(std::span<const std::string> titles,
                                      std::initializer_list<std::string_view> words);

/// The two columns with usual titles for ends of edges. Empty if there are none, or for `tail` and
/// `head`, whose meaning varies. Throws `Error` (input) if there are two such pairs.
std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles);

bool has_end_titles(std::span<const std::string> titles);

/// The column with a usual title for vertices in lists: vertex or node, else id, else name.
std::optional<std::size_t> find_vertex_title(std::span<const std::string> titles);

/// Whether a word is a usual title for vertices: "from", "Target", "node".
bool is_vertex_title(std::string_view text);

/// "'a', 'b' and 'c'" for a message; at most 12.
std::string listed(std::span<const std::string> words);

}  // namespace apsp::io
