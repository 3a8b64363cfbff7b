// Rows of plain numbers, read by all threads at once.
//
// The text is cut at line ends into pieces. Threads claim them, and hand the edges on while they
// are in cache. A comment, a blank line, another number of columns, a name or an error ends the
// reading in front of it. The format's careful reader then takes that one line, alone and in order,
// so that the first error is the same for every number of threads. Pieces are passed on when all
// before them are plain, in any order.
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

#include "base/machine.hpp"
#include "graph/arc_buckets.hpp"
#include "io/number_row.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {

/// An end of an edge whose name has no number yet.
struct NewName {
  std::size_t end;  ///< twice the edge's place in its piece, + 1 for `to`
  std::uint64_t hash;
  std::string_view text;  ///< in the input
};

/// Whole lines of a text, and what was read of them.
struct Piece {
  const char* begin = nullptr;
  const char* end = nullptr;      ///< behind a line end, or the end of the text
  std::size_t first_row = 0;      ///< plain rows before it, if all before it are plain
  std::size_t most_edges = 0;     ///< that may be taken
  std::vector<Edge> edges = {};   ///< those of the rows up to `reached`
  std::size_t rows = 0;           ///< up to `reached`
  Vertex greatest = 0;            ///< among the ends of these edges
  const char* reached = nullptr;  ///< the first line that is no plain row, or `end`
  std::vector<NewName> new_names = {};
};

/// Takes rows of one edge up to the first that is not plain.
/// `read_row(at, row, edge)` moves `at` behind the row's line end, or returns false.
template <class ReadRow>
void read_piece(Piece& piece, const ReadRow& read_row) {
  const char* at = piece.begin;
  Vertex greatest = 0;
  while (at != piece.end && piece.edges.size() < piece.most_edges) {
    const char* next = at;
    // In place: the copy of an edge that was put together elsewhere waits for its parts.
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

class PlainRows {
 public:
  static constexpr std::size_t kUnlimited = std::numeric_limits<std::size_t>::max();
  /// A piece takes some 1 ms, and its edges half of a second-level cache.
  static constexpr std::ptrdiff_t kPieceBytes = std::ptrdiff_t{1} << 19;

  using ReadPiece = std::function<void(Piece&)>;
  using TakeEdges = std::function<void(const Piece&, int member)>;
  using SettlePiece = std::function<void(Piece&)>;

  /// Both are called by several threads. `read` calls `read_piece`; `take` gets every piece that
  /// counts, in any order, and may be called by each `member` at the same time. `threads`: 0 for
  /// all. `numbered`: pieces need to know their `first_row`.
  PlainRows(ReadPiece read, TakeEdges take, int threads, bool numbered = false,
            std::ptrdiff_t piece_bytes = kPieceBytes);

  /// Called for every piece that counts, in the order of the file, before it is passed on.
  void set_settle(SettlePiece settle) { settle_ = std::move(settle); }

  /// Takes all plain rows from the cursor's line on, until there are `most_edges`. The cursor moves
  /// to the first line that was not taken.
  void append(TextCursor& cursor, std::size_t most_edges = kUnlimited);
  /// Counts a row of that many edges that the careful reader took.
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
  std::size_t used_ = 0;  // of the pieces
  std::size_t edges_ = 0;
  std::size_t rows_ = 0;
};

/// The arcs of a text's rows: plain ones by all threads, the others one by one, into the same
/// buckets.
class RowArcs {
 public:
  /// `mirrored`: every edge is two arcs. `vertices`: 0 if their number is not known yet.
  /// `read_piece`: see `PlainRows`.
  RowArcs(const Source& source, bool mirrored, std::int64_t vertices,
          PlainRows::ReadPiece read_piece, bool numbered = false)
      : arcs_(std::make_shared<graph::ArcBuckets>(
            mirrored, vertices, base::thread_count(threads(source)), source.options.keep_order)),
        plain_(
            std::move(read_piece),
            [arcs = arcs_.get()](const Piece& piece, int member) {
              arcs->add(piece.edges, piece.greatest, member);
            },
            threads(source), numbered) {}

  /// See `PlainRows`.
  void set_settle(PlainRows::SettlePiece settle) { plain_.set_settle(std::move(settle)); }

  /// Takes plain rows up to `most_edges` in all; false if there was none at the cursor.
  bool append(TextCursor& cursor, std::size_t most_edges = PlainRows::kUnlimited) {
    const char* const before = cursor.at();
    plain_.append(cursor, most_edges);
    return cursor.at() != before;
  }
  /// A row that the careful reader took.
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
  /// Several threads pass pieces on in any order.
  static int threads(const Source& source) {
    return source.options.keep_order ? 1 : source.options.threads;
  }

  std::shared_ptr<graph::ArcBuckets> arcs_;
  PlainRows plain_;
};

}  // namespace apsp::io
