// Rows of plain numbers, read by all threads at once.
//
// Nearly every line of a graph's file is a row of two vertices and perhaps a weight. Those rows are
// taken here: the text is cut at line ends into pieces, threads claim the pieces, and the edges are
// put together in the order of the file. Whatever is not such a row ends the reading in front of
// it: comments, blank lines, other numbers of columns, names, and every error. The format's careful
// reader then takes that one line, alone and in order, so that it finds the same first error, at
// the same line and column, for every number of threads. One thread reads straight behind the edges
// that are there; the others' pieces are copied once, while they are in cache.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "io/number_row.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {

/// Whole lines of a text, and what was read of them.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;      ///< behind a line end, or the end of the text
  std::size_t most_edges = 0;     ///< in `edges`
  std::vector<Edge> edges = {};   ///< those of the rows up to `reached`, behind what was there
  Vertex greatest = 0;            ///< among the ends of these rows
  const char* reached = nullptr;  ///< the first line that is no plain row, or `end`
};

/// Takes rows up to the first that is not plain.
/// `read_row(at, row, edge)` moves `at` behind the row's line end, or returns false; `row` counts
/// the edges before it, which are all of the text's in its first piece only.
template <class ReadRow>
void read_piece(Piece& piece, const ReadRow& read_row) {
  const char* at = piece.begin;
  Vertex greatest = piece.greatest;
  while (at != piece.end && piece.edges.size() < piece.most_edges) {
    const char* next = at;
    // In place: an edge that is put together elsewhere is copied at once, which waits for its
    // parts.
    Edge& edge = piece.edges.emplace_back();
    if (!read_row(next, piece.edges.size() - 1, edge)) {
      piece.edges.pop_back();
      break;
    }
    greatest = std::max(greatest, std::max(edge.from, edge.to));
    at = next;
  }
  piece.greatest = greatest;
  piece.reached = at;
}

/// A vertex 1 to n behind blanks, counted from 0, with a blank or the row's end behind it.
inline bool read_plain_vertex(const char*& at, const char* end, std::int64_t n, Vertex& vertex) {
  skip_blanks(at, end);
  std::uint64_t id = 0;
  if (!read_unsigned(at, end, id) || id - 1 >= static_cast<std::uint64_t>(n)) return false;
  vertex = static_cast<Vertex>(id - 1);
  return at == end || is_blank(*at) || *at == '\n';
}

/// "u v" or "u v w" of vertices 1 to n; `at` moves behind the line end. False for anything else.
inline bool read_plain_edge(const char*& at, const char* end, std::int64_t n, bool weighted,
                            Edge& edge) {
  NumberRow row;
  if (take_usual_row<Separator::blank>(at, end, weighted, row)) {
    const auto count = static_cast<std::uint64_t>(n);
    edge.from = static_cast<Vertex>(row.from - 1);
    edge.to = static_cast<Vertex>(row.to - 1);
    edge.weight = row.weight;
    return row.from - 1 < count && row.to - 1 < count;
  }
  if (!read_plain_vertex(at, end, n, edge.from) || !read_plain_vertex(at, end, n, edge.to)) {
    return false;
  }
  skip_blanks(at, end);
  if (weighted && read_number(at, end, edge.weight) != NumberFault::none) return false;
  return take_line_end(at, end);
}

/// Room for as many edges as a header announces and the bytes of the file can hold.
void reserve_edges(std::vector<Edge>& edges, std::uint64_t announced, const Source& source);

class PlainRows {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  /// A piece takes some 1 ms, and its edges half of a second-level cache.
  static constexpr std::ptrdiff_t kPieceBytes = std::ptrdiff_t{1} << 19;

  /// `read` calls `read_piece`, from several threads. `threads`: 0 for all.
  PlainRows(std::function<void(Piece&)> read, int threads,
            std::ptrdiff_t piece_bytes = kPieceBytes);

  /// Appends the edges of all plain rows from the cursor's line on, until `edges` has `most_edges`.
  /// The cursor moves to the first line that was not taken.
  void append(TextCursor& cursor, std::vector<Edge>& edges, std::size_t most_edges = kUnlimited);

  /// The greatest end of all edges that were appended.
  Vertex greatest() const { return greatest_; }

 private:
  void cut(const TextCursor& cursor, std::size_t count);
  void read_pieces(std::vector<Edge>& edges, std::size_t most_edges);
  bool take_pieces(TextCursor& cursor, std::vector<Edge>& edges, std::size_t most_edges);

  std::function<void(Piece&)> read_;
  int threads_;
  std::ptrdiff_t piece_bytes_;
  std::vector<Piece> pieces_;
  Vertex greatest_ = 0;
};

}  // namespace apsp::io
