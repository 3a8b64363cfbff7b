// The comments above the rows of an edge list, and what its columns mean.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/annotations.hpp"
#include "io/text_table.hpp"

namespace apsp::io {

/// Annotations and facts in comments, including headers of SNAP and KONECT.
struct EdgeListComments {
  enum class Konect { none, asym, sym, bip };

  Annotations annotations;
  std::optional<bool> directed;        ///< the first statement in prose
  std::optional<std::uint64_t> nodes;  ///< "Nodes: N"
  std::optional<std::uint64_t> edges;  ///< "Edges: N"
  Konect konect = Konect::none;
  std::vector<std::uint64_t> sizes;  ///< "% 9 5 4" of KONECT: edges and numbers of vertices
  std::string unclear;               ///< a comment with the word "directed" but no clear statement
  std::string_view last;
  std::vector<std::string_view> dense;  ///< lines of comments without a blank behind the mark

  /// Skips lines without a field and reads comments. Returns whether a row follows, which then
  /// begins at the cursor. `separator`: empty: not known yet.
  bool find_row(TextCursor& cursor, std::optional<Separator> separator = {});

 private:
  void take_comment(TextCursor& cursor);

  bool first_ = true;
};

struct EdgeListLayout : TableColumns {
  Separator separator = Separator::blank;
  bool counted = false;  ///< column 0 counts the rows: 0, 1, 2, …
  bool has_rest = false;
  bool matrix = false;
  Vertex bipartite_offset =
      0;  ///< added to the `to` of every row if both ends have separate numbers
  bool says_both_ways = false;  ///< a yes in the column `oneway` means both ways
  bool number_ids = false;      ///< names are integers in any notation
  int width = 2;
  std::array<std::string, 2> end_titles;  ///< empty if the first row is no row of titles
  std::array<std::string, 2>
      first_ends;  ///< integers of a first row that may be no edge; else empty

  /// Whether a row may be two arcs or a reversed arc.
  bool has_directions() const { return oneway >= 0 || reverse_cost >= 0; }
};

/// Reads comments and titles up to the first row of data, and moves the cursor there. Empty if
/// there is none. Throws `Error`: input (ambiguous columns), usage (impossible columns requested).
std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments);

}  // namespace apsp::io
