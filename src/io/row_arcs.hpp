// The arcs of a text's rows: plain ones by all threads, the others one by one, into the same
// buckets.
#pragma once

#include <memory>
#include <utility>

#include "base/machine.hpp"
#include "graph/arc_buckets.hpp"
#include "io/plain_rows.hpp"

namespace apsp::io {

class RowArcs {
 public:
  /// `mirrored`: every edge is two arcs. `vertices`: 0 if their number is not known yet.
  /// `read_piece`: see `PlainRows`.
  RowArcs(const Source& source, bool mirrored, std::int64_t vertices,
          PlainRows::ReadPiece read_piece, bool numbered = false)
      : arcs_(std::make_shared<graph::ArcBuckets>(mirrored, vertices,
                                                  base::thread_count(source.options.threads))),
        plain_(
            std::move(read_piece),
            [arcs = arcs_.get()](const Piece& piece, int member) {
              arcs->add(piece.edges, piece.greatest, member);
            },
            source.options.threads, numbered) {}

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
  std::shared_ptr<graph::ArcBuckets> arcs_;
  PlainRows plain_;
};

}  // namespace apsp::io
