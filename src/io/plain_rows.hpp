// Parallel reading of rows of plain numbers.
//
// The text is cut at line ends into pieces. Threads read pieces and pass the edges on while they
// are in cache. A line that is not a plain row (a comment, a blank line, a name, an error) ends the
// parallel reading before it; the format's careful reader then reads that line in order, so that
// the first error does not depend on the number of threads. Pieces are passed on, in any order,
// when all earlier ones are plain.
//
// Usual rows "u v" or "u v w" have one separator between fields, ids of 1 to 8 digits, a weight of
// 1 to 8 digits and up to 8 decimals. One comparison of 32 characters gives a bit mask of the
// characters that are not digits, hence the ends of all fields, in about 20 cycles per row instead
// of 17 per field.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "graph/arc_buckets.hpp"
#include "io/text_cursor.hpp"
#include "io/text_table.hpp"

namespace apsp::io {

/// Readable characters required from the beginning of a row: the mask's and a run of digits.
inline constexpr std::ptrdiff_t kRowMargin = 32 + kDigitRun;

/// Bit i is set if at[i] is not a digit. Reads 32 characters.
inline std::uint32_t marks_of_others(const char* at) {
#ifdef __SSE2__
  const auto digits = [](const char* from) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
    const __m128i values = _mm_sub_epi8(text, _mm_set1_epi8('0'));
    const __m128i digit = _mm_cmpeq_epi8(_mm_min_epu8(values, _mm_set1_epi8(9)), values);
    return static_cast<std::uint32_t>(_mm_movemask_epi8(digit));
  };
  return ~(digits(at) | digits(at + 16) << 16);
#else
  std::uint32_t marks = 0;
  for (int i = 0; i < 32; ++i) marks |= (is_digit(at[i]) ? 0u : 1u) << i;
  return marks;
#endif
}

struct NumberRow {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  double weight = 1;
};

/// Always inline, because marks that are passed in memory stall on store forwarding.
class RowMarks {
 public:
  /// Requires: `kRowMargin` characters at `at`.
  explicit RowMarks(const char* at) : row_(at), marks_(marks_of_others(at)) {}

  /// Reads the next 1 to 8 digits. Returns false for other lengths.
  [[gnu::always_inline]] bool take(std::uint64_t& value) {
    if (marks_ == 0) return false;
    const int end = std::countr_zero(marks_);
    marks_ &= marks_ - 1;
    length_ = end - next_;
    if (length_ < 1 || length_ > kDigitRun) return false;
    value = joined_digits(row_ + next_, length_);
    next_ = end + 1;
    return true;
  }
  /// The same without leading zeros, followed by a separator or, after the `last` field, a line
  /// end.
  template <Separator kSeparator>
  [[gnu::always_inline]] bool take_id(bool last, std::uint64_t& id) {
    const char* const first = behind();
    if (!take(id) || (*first == '0' && length_ > 1)) return false;
    if (last) return at_line_end();
    if constexpr (kSeparator == Separator::blank) return mark() == ' ' || mark() == '\t';
    return mark() == static_cast<char>(kSeparator);
  }
  bool at_line_end() {
    if (mark() == '\r') ++next_;
    return mark() == '\n';
  }
  int length() const { return length_; }
  char mark() const { return row_[next_ - 1]; }        ///< the character after the last field
  const char* behind() const { return row_ + next_; }  ///< the text after that character

 private:
  const char* row_;
  std::uint32_t marks_;
  int next_ = 0;
  int length_ = 0;
};

/// Reads a short weight and the line end and moves `at` after them. Leaves numbers of 16 digits,
/// which may exceed 2^53.
[[gnu::always_inline]] inline bool take_short_weight(RowMarks marks, const char*& at,
                                                     double& weight) {
  std::uint64_t digits = 0, fraction = 0;
  if (!marks.take(digits)) return false;
  int decimals = 0;
  if (marks.mark() == '.') {
    if (!marks.take(fraction)) return false;
    decimals = marks.length();
    digits = digits * kWholePowersOfTen[decimals] + fraction;
  }
  constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;
  if (!marks.at_line_end() || digits > kMostExact) return false;
  weight = static_cast<double>(digits);
  if (decimals > 0) weight /= kPowersOfTen[decimals];
  at = marks.behind();
  return true;
}

/// Reads a usual row and its line end. Returns false without moving `at` for any other row.
template <Separator kSeparator>
[[gnu::always_inline]] inline bool take_usual_row(const char*& at, const char* end, bool weighted,
                                                  NumberRow& row) {
  if (end - at < kRowMargin) return false;
  RowMarks marks(at);
  if (!marks.take_id<kSeparator>(false, row.from) ||
      !marks.take_id<kSeparator>(!weighted, row.to)) {
    return false;
  }
  const char* behind = marks.behind();
  if (weighted && !take_short_weight(marks, behind, row.weight) &&
      (read_number(behind, end, row.weight) != NumberFault::none || !take_line_end(behind, end))) {
    return false;
  }
  at = behind;
  return true;
}

/// An end of an edge whose name has no number yet.
struct NewName {
  std::size_t end;  ///< twice the index of the edge in its piece, + 1 for `to`
  std::uint64_t hash;
  std::string_view text;
};

/// The edges of rows. Ends and weights come in registers: copying a freshly written edge would
/// stall on store forwarding.
struct RowEdges {
  std::vector<Edge> edges = {};
  Vertex greatest = 0;  ///< no end exceeds it

  [[gnu::always_inline]] void add(Vertex from, Vertex to, double weight) {
    edges.push_back({from, to, weight});
    greatest = std::max({greatest, from, to});
  }
};

/// Consecutive lines of a text, and the edges of the rows up to `reached`.
struct Piece : RowEdges {
  const char* begin = nullptr;
  const char* end = nullptr;  ///< after a line end, or the end of the text
  std::size_t first_row = 0;  ///< number of plain rows before the piece
  std::size_t most_rows = 0;
  std::size_t rows = 0;
  const char* reached = nullptr;  ///< the first line that is not a plain row, or `end`
  std::vector<NewName> new_names = {};
};

/// Reads rows up to the first that is not plain. `read_row(cursor, row, edges)` adds the edges of
/// the row at the cursor and moves to the next line. It returns false, or fails through the cursor,
/// for a line that is not plain. `text`: any cursor in the text of the piece.
template <class ReadRow>
[[gnu::flatten]] void read_piece(Piece& piece, const TextCursor& text, const ReadRow& read_row) {
  TextCursor cursor = text.quiet_at(piece.begin);
  const char* reached = piece.begin;
  std::size_t rows = 0, edges = 0;
  try {
    while (reached != piece.end && rows < piece.most_rows &&
           read_row(cursor, piece.first_row + rows, piece)) {
      ++rows;
      reached = cursor.at();
      edges = piece.edges.size();
    }
  } catch (const TextCursor::Quiet&) {
  }
  piece.edges.resize(edges);
  piece.rows = rows;
  piece.reached = reached;
}

/// Reads "u v" or "u v w" of vertices 1 to n and the line end. Edges count vertices from 0.
inline Edge read_counted_edge(TextCursor& cursor, std::int64_t n, bool weighted) {
  NumberRow row;
  const auto count = static_cast<std::uint64_t>(n);
  const char* at = cursor.at();
  if (take_usual_row<Separator::blank>(at, cursor.end(), weighted, row) && row.from - 1 < count &&
      row.to - 1 < count) {
    cursor.move_to(at);
    return {static_cast<Vertex>(row.from - 1), static_cast<Vertex>(row.to - 1), row.weight};
  }
  Edge edge;
  edge.from = cursor.expect_vertex(n);
  edge.to = cursor.expect_vertex(n);
  if (weighted) edge.weight = cursor.expect_weight();
  cursor.expect_line_end();
  return edge;
}

struct RowSettings {
  bool mirrored = false;      ///< every edge is two arcs
  std::int64_t vertices = 0;  ///< 0: unknown
  bool numbered = false;      ///< pieces need `first_row`
  /// A piece takes about 1 ms, and its edges half of a second-level cache.
  std::ptrdiff_t piece_bytes = std::ptrdiff_t{1} << 19;
};

/// Collects the arcs of plain rows in parallel and of other rows one by one.
class RowArcs {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();

  using ReadPiece = std::function<void(Piece&)>;
  using ReadRow = std::function<bool(TextCursor&, std::size_t row, RowEdges&)>;

  /// `read_piece`: as the function of this name; several threads call it. `settle` is called for
  /// each accepted piece in file order, before its edges are added.
  RowArcs(const Source& source, const RowSettings& settings, ReadPiece read_piece,
          ReadPiece settle = {});

  /// `read_row` reads rows in parallel, as in `read_piece`, and one by one where that stops.
  template <class Read>
  RowArcs(const TextCursor& text, const RowSettings& settings, const Read& read_row)
      : RowArcs(text.source(), settings,
                [text, read_row](Piece& piece) { io::read_piece(piece, text, read_row); }) {
    read_row_ = read_row;
  }

  /// Takes all plain rows from the cursor's line on, until there are `most_rows`, and moves the
  /// cursor to the first line not taken. Returns false if there was none at the cursor.
  bool append(TextCursor& cursor, std::size_t most_rows = kUnlimited);
  /// The same, and reads the row at the cursor if it is not plain. Throws what `read_row` throws.
  void read(TextCursor& cursor, std::size_t most_rows = kUnlimited);
  void add_row(const RowEdges& row);

  std::size_t rows() const { return rows_; }
  std::shared_ptr<graph::ArcBuckets> arcs() const { return arcs_; }

 private:
  void cut(const TextCursor& cursor, std::size_t count);
  void number_rows();
  std::size_t plain_pieces(std::size_t most_rows) const;
  template <class Work>
  void for_each_piece(std::size_t count, const Work& work);

  RowSettings settings_;
  ReadPiece read_piece_, settle_;
  ReadRow read_row_;
  int threads_;
  std::shared_ptr<graph::ArcBuckets> arcs_;
  std::vector<Piece> pieces_;
  std::size_t used_ = 0;
  std::size_t rows_ = 0;
  RowEdges row_;
};

}  // namespace apsp::io
