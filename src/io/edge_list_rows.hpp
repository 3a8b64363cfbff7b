// The rows of an edge list before anything is known of its vertices: comments, header line,
// separators, quotes, and which columns hold what.
#pragma once

#include <deque>
#include <optional>
#include <string_view>
#include <vector>

#include "io/annotations.hpp"
#include "io/separator.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {

/// What the comments of an edge list say: annotations, and the two facts of SNAP's headers.
struct EdgeListComments {
  Annotations annotations;
  std::optional<bool> directed;        ///< the first "directed" or "undirected" among the words
  std::optional<std::uint64_t> nodes;  ///< "Nodes: N"

  /// Takes one line. Requires: the cursor is at '#' or '%'.
  void read(TextCursor& cursor);
};

inline bool begins_comment(char c) { return c == '#' || c == '%'; }

/// Skips blank lines and comments; whether a row follows, which then begins at the cursor.
inline bool find_row(TextCursor& cursor) {
  for (; !cursor.at_end(); cursor.skip_line()) {
    const char first = cursor.peek();
    if (!cursor.at_end() && first != '\n' && !begins_comment(first)) return true;
  }
  return false;
}

/// Columns count from 0; −1 means "none".
struct EdgeListLayout {
  Separator separator = Separator::blank;
  bool counted = false;  ///< column 0 counts the rows: 0, 1, 2, …
  int width = 2;
  int from = 0;
  int to = 1;
  int weight = -1;
  std::string_view titles = {};  ///< a first row that was skipped as a row of titles
};

/// Reads comments and a header line up to the first row of data, where the cursor then stands.
/// Empty if there is none. Throws `Error`: input (columns whose meaning is open), usage (impossible
/// columns asked for).
std::optional<EdgeListLayout> find_layout(TextCursor& cursor, EdgeListComments& comments);

/// Whether a word is a usual title of a column of vertices: "from", "Target".
bool is_column_title(std::string_view text);

struct EdgeListField {
  const char* at;  ///< where it stands in the text
  std::string_view text;
  bool quoted;
};

class RowSplitter {
 public:
  explicit RowSplitter(Separator separator) : separator_(separator) {}

  /// The fields of the cursor's line, valid until the next call; the cursor moves to the next line.
  const std::vector<EdgeListField>& split(TextCursor& cursor);

 private:
  EdgeListField take_field(TextCursor& cursor);
  EdgeListField take_quoted(TextCursor& cursor);

  Separator separator_;
  std::vector<EdgeListField> fields_;
  std::deque<std::string> unescaped_;  // texts of fields with doubled quotation marks
};

}  // namespace apsp::io
