// Parallel reading of rows of plain numbers.
//
// The text is cut at line ends into pieces. Threads read pieces and pass the edges on while they
// are in cache. A line that is not a plain row (a comment, a blank line, a name, an error) ends the
// parallel reading before it; the format's careful reader then reads that line in order, so that
// the first error does not depend on the number of threads. Pieces are passed on, in any order,
// when all earlier ones are plain.
#pragma once

#include <algorithm>
#include <apsp/graph.hpp>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/arc_buckets.hpp"
#include "io/number_row.hpp"
#include "io/text_cursor.hpp"
#include "system/machine.hpp"

namespace apsp::io {

/// An end of an edge whose name has no number yet.
struct NewName {
  std::size_t end;  ///< twice the index of the edge in its piece, + 1 for `to`
  std::uint64_t hash;
  std::string_view text;
};

/// Consecutive lines of a text and their edges.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;  ///< after a line end, or the end of the text
  std::size_t first_row = 0;  ///< number of plain rows before the piece
  std::size_t most_edges = 0;
  std::vector<Edge> edges = {};  ///< edges of the rows up to `reached`
  std::size_t rows = 0;
  Vertex greatest = 0;
  const char* reached = nullptr;  ///< the first line that is not a plain row, or `end`
  std::vector<NewName> new_names = {};
};

/// Reads rows of one edge up to the first that is not plain. `read_row(at, row, edge)` moves `at`
/// after the line end, or returns false.
template <class ReadRow>
void read_piece(Piece& piece, const ReadRow& read_row) {
  const char* at = piece.begin;
  Vertex greatest = 0;
  while (at != piece.end && piece.edges.size() < piece.most_edges) {
    const char* next = at;
    // Constructed in place: copying a freshly written edge would stall on store forwarding.
    Edge& edge = piece.edges.emplace_back();
    if (!read_row(next, piece.first_row + piece.edges.size() - 1, edge)) {
      piece.edges.pop_back();
      break;
    }
    greatest = std::max(greatest, std::max(edge.from, edge.to));
    at = next;
  }
  piece.rows = piece.edges.size();
  piece.greatest = greatest;
  piece.reached = at;
}

/// Reads a vertex 1 to n after blanks, before a blank or line end; the result counts from 0.
inline bool read_plain_vertex(const char*& at, const char* end, std::int64_t n, Vertex& vertex) {
  skip_blanks(at, end);
  std::uint64_t id = 0;
  if (!read_unsigned(at, end, id) || id - 1 >= static_cast<std::uint64_t>(n)) return false;
  vertex = static_cast<Vertex>(id - 1);
  return at == end || is_blank(*at) || *at == '\n';
}

/// Reads "u v" or "u v w" of vertices 1 to n and moves `at` after the line end. Returns false for
/// other rows.
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

class PlainRows {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  /// A piece takes about 1 ms, and its edges half of a second-level cache.
  static constexpr std::ptrdiff_t kPieceBytes = std::ptrdiff_t{1} << 19;

  using ReadPiece = std::function<void(Piece&)>;
  using TakeEdges = std::function<void(const Piece&, int member)>;
  using SettlePiece = std::function<void(Piece&)>;

  /// Several threads call both. `read` calls `read_piece`; `take` gets every accepted piece, in any
  /// order, concurrently for different values of `member`. `threads`: 0 for all. `numbered`: pieces
  /// need `first_row`.
  PlainRows(ReadPiece read, TakeEdges take, int threads, bool numbered = false,
            std::ptrdiff_t piece_bytes = kPieceBytes);

  /// Called for each accepted piece in file order, before `take`.
  void set_settle(SettlePiece settle) { settle_ = std::move(settle); }

  /// Takes all plain rows from the cursor's line on, up to `most_edges`, and moves the cursor to
  /// the first line not taken.
  void append(TextCursor& cursor, std::size_t most_edges = kUnlimited);
  void add_row(std::size_t edges = 1) {
    ++rows_;
    edges_ += edges;
  }

  std::size_t edges() const { return edges_; }
  std::size_t rows() const { return rows_; }

 private:
  void cut(const TextCursor& cursor, std::size_t count);
  void number_rows();
  std::size_t plain_pieces(std::size_t most_edges) const;
  template <class Work>
  void for_each_piece(std::size_t count, const Work& work);

  ReadPiece read_;
  TakeEdges take_;
  SettlePiece settle_;
  int threads_;
  bool numbered_;
  std::ptrdiff_t piece_bytes_;
  std::vector<Piece> pieces_;
  std::size_t used_ = 0;
  std::size_t edges_ = 0;
  std::size_t rows_ = 0;
};

/// Collects the arcs of plain rows in parallel and of other rows one by one.
class RowArcs {
 public:
  /// `mirrored`: every edge is two arcs. `vertices`: 0: unknown. `read_piece`: see `PlainRows`.
  RowArcs(const Source& source, bool mirrored, std::int64_t vertices,
          PlainRows::ReadPiece read_piece, bool numbered = false)
      : arcs_(std::make_shared<graph::ArcBuckets>(
            mirrored, vertices, system::thread_count(threads(source)), source.options.keep_order)),
        plain_(
            std::move(read_piece),
            [arcs = arcs_.get()](const Piece& piece, int member) {
              arcs->add(piece.edges, piece.greatest, member);
            },
            threads(source), numbered) {}

  void set_settle(PlainRows::SettlePiece settle) { plain_.set_settle(std::move(settle)); }

  /// Takes plain rows up to `most_edges` in total. Returns false if there was none at the cursor.
  bool append(TextCursor& cursor, std::size_t most_edges = PlainRows::kUnlimited) {
    const char* const before = cursor.at();
    plain_.append(cursor, most_edges);
    return cursor.at() != before;
  }
  void add(const Edge& edge) { add_row({&edge, 1}); }
  void add_row(std::span<const Edge> edges) {
    Vertex greatest = 0;
    for (const Edge& edge : edges) greatest = std::max({greatest, edge.from, edge.to});
    if (!edges.empty()) arcs_->add(edges, greatest);
    plain_.add_row(edges.size());
  }

  std::size_t edges() const { return plain_.edges(); }
  std::size_t rows() const { return plain_.rows(); }
  std::shared_ptr<graph::ArcBuckets> arcs() const { return arcs_; }

 private:
  /// One thread keeps the order of the file if that matters.
  static int threads(const Source& source) {
    return source.options.keep_order ? 1 : source.options.threads;
  }

  std::shared_ptr<graph::ArcBuckets> arcs_;
  PlainRows plain_;
};

}  // namespace apsp::io
