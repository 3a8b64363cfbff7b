// The parts of the reader of edge lists: the comments above the rows, what the columns mean, the
// rows, and matrices of text.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/arc_buckets.hpp"
#include "io/annotations.hpp"
#include "io/text_table.hpp"
#include "io/vertex_numbers.hpp"

namespace apsp::io {

/// Annotations and facts in comments, including headers of SNAP and KONECT.
struct EdgeListComments {
  enum class Konect { none, asym, sym, bip };

  Annotations annotations;
  std::optional<bool> directed;        ///< the first statement in prose
  std::optional<std::uint64_t> nodes;  ///< "Nodes: N"
  Konect konect = Konect::none;
  std::vector<std::uint64_t> sizes;  ///< "% 9 5 4" of KONECT: edges and numbers of vertices
  std::string unclear;               ///< a comment with the word "directed" but no clear statement
  std::string_view last;
  std::vector<std::string_view> dense;  ///< lines of comments without a blank behind the mark

  /// Skips blank lines and reads comments. Returns whether a row follows, which then begins at the
  /// cursor.
  bool find_row(TextCursor& cursor);

 private:
  void take_comment(TextCursor& cursor);

  bool first_ = true;
};

struct EdgeListLayout : TableColumns {
  Separator separator = Separator::blank;
  bool counted = false;  ///< column 0 counts the rows: 0, 1, 2, …
  bool has_rest = false;
  bool matrix = false;
  Vertex right = 0;  ///< added to the `to` of every row if both ends have separate numbers
  bool says_both_ways = false;  ///< a yes in the column `oneway` means both ways
  bool number_ids = false;      ///< names are integers in any notation
  int width = 2;
  std::array<std::string, 2> end_titles;  ///< of a row of titles

  /// Whether a row may be two arcs or a reversed arc.
  bool has_directions() const { return oneway >= 0 || reverse_cost >= 0; }
};

/// Reads comments and titles up to the first row of data, and moves the cursor there. Empty if
/// there is none. Throws `Error`: input (ambiguous columns), usage (impossible columns requested).
std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments);

/// Arcs between integers of the file, read in one pass; null if a row is not two integers below
/// 2^32 − 1 and a weight. `mirrored`: every row is two arcs.
std::shared_ptr<graph::ArcBuckets> read_numbered_rows(TextCursor& cursor,
                                                      const EdgeListLayout& layout, bool mirrored,
                                                      EdgeListComments& comments);

/// Arcs between names, numbered by first appearance.
struct NamedRows {
  std::shared_ptr<graph::ArcBuckets> arcs;
  VertexNames names;
};

/// Reads rows with names and quotation marks, and reports errors of all rows.
NamedRows read_named_rows(TextCursor& cursor, const EdgeListLayout& layout, bool mirrored,
                          EdgeListComments& comments);

/// Whether a table, whose first row is at the cursor, is a matrix: its first title is empty and the
/// others are the names of the rows in any order; or it has as many rows as columns, at least four,
/// of numbers. Throws `Error` (input) if it could be a matrix or edges: two or three rows of
/// numbers with a diagonal of zeros, or four rows whose first numbers count from 0.
bool holds_matrix(const TextCursor& cursor, Separator separator);

Graph read_matrix(const Source& source);

}  // namespace apsp::io
