// The head of an edge list: its comments, and the layout of its rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/annotations.hpp"
#include "io/table_rows.hpp"

namespace apsp::io {

/// What the comments of an edge list say: annotations, and the facts in the headers of SNAP and
/// KONECT.
struct EdgeListComments {
  /// The first word of a KONECT file: asymmetric, symmetric or bipartite.
  enum class Konect { none, asym, sym, bip };

  Annotations annotations;
  std::optional<bool> directed;        ///< the first statement among the words
  std::optional<std::uint64_t> nodes;  ///< "Nodes: N"
  Konect konect = Konect::none;
  std::vector<std::uint64_t> sizes;  ///< "% 9 5 4" of KONECT: edges, and vertices of both ends
  std::string unclear;               ///< a comment that has the word "directed" and states nothing
  std::string_view last;             ///< the text of the last comment

  /// Skips blank lines and takes comments; whether a row follows, which then begins at the cursor.
  bool find_row(TextCursor& cursor);

 private:
  void take_comment(TextCursor& cursor);

  bool first_ = true;
};

struct EdgeListLayout : TableColumns {
  Separator separator = Separator::blank;
  bool counted = false;   ///< column 0 counts the rows: 0, 1, 2, …
  bool has_rest = false;  ///< rows may have more columns than `width`
  bool matrix = false;    ///< the table is no list of edges but a matrix
  Vertex right = 0;  ///< added to the `to` of every row, where both ends have numbers of their own
  bool number_ids = false;  ///< names are integers, however they are written
  int width = 2;

  /// Whether a row may be two arcs, or an arc that goes back.
  bool has_directions() const { return oneway >= 0 || reverse_cost >= 0; }
};

/// Reads comments and a header line up to the first row of data, where the cursor then stands.
/// Empty if there is none. Throws `Error`: input (columns whose meaning is open), usage (impossible
/// columns asked for).
std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments);

}  // namespace apsp::io
