// Titles of columns: which are usual for ends of edges, weights, vertices and places. The public
// `choose_columns` decides by them.
#pragma once

#include <apsp/io.hpp>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace apsp::io {

/// "'a', 'b' and 'c'" for a message; at most 12.
std::string listed(std::span<const std::string> words);

/// The first title that is `begin` and one of `words`, in lower case; ignores the case of titles.
std::optional<std::size_t> find_title(std::span<const std::string> titles,
                                      std::initializer_list<std::string_view> words,
                                      std::string_view begin = "");

/// The two columns with usual titles for ends of edges. Empty if there are none, or for `tail` and
/// `head`, whose meaning varies. Throws `Error` (input) if there are two such pairs.
std::optional<std::pair<std::size_t, std::size_t>> find_end_titles(
    std::span<const std::string> titles);

bool has_end_titles(std::span<const std::string> titles);

struct PlaceColumns {
  std::size_t x, y;
  bool degrees;
};

/// The columns of longitude and latitude, or of x and y, whose titles begin with `end`: "from",
/// "to" or "".
std::optional<PlaceColumns> find_place_titles(std::span<const std::string> titles,
                                              std::string_view end = "");

/// Whether a column of directions says yes for both ways, as GTFS's `is_bidirectional`.
bool says_both_ways(std::string_view title);

/// A remark that column `number`, counted from 1, is not used, if it has no title, numbers the rows
/// (id, index), or holds geometries. Empty for a column of quantities.
std::string remark_if_unused(std::string_view title, std::size_t number);

/// The column with a usual title for vertices in lists: vertex or node, else id, else name.
std::optional<std::size_t> find_vertex_title(std::span<const std::string> titles);

/// Whether a word is a usual title for vertices: "from", "Target", "node".
bool is_vertex_title(std::string_view text);

}  // namespace apsp::io
