// A producer that can compute the distances from some vertices without those from the others, as a
// search or a sweep over a factor can. What takes the rows is a sink: flow/row_sink.hpp.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "flow/column_sink.hpp"
#include "store/store.hpp"

namespace apsp::flow {

class RowSource {
 public:
  virtual ~RowSource() = default;

  /// What one thread needs to compute rows: its memory is taken once, and no row takes more.
  class Worker {
   public:
    virtual ~Worker() = default;
    /// Row i of `rows` ← the distances from sources[i] to all vertices of columns; no path is
    /// `no_path(semiring, type)`. `rows`: [sources.size(), columns] values of `type()`, row-major,
    /// aligned for it; `stride` values from one row to the next. At most `block_rows()` distinct
    /// sources.
    virtual void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) = 0;
    /// The same distances column by column, where the source `gives_columns`. `pairs_once`: as
    /// `ColumnSink` says; the sources then are neighbours in `order()`, in that order.
    virtual void compute_columns(std::span<const Vertex>, ColumnSink::Writer&,
                                 bool /*pairs_once*/) {
      throw Error(ErrorKind::defect, "this source gives no columns");
    }
    /// All distances up to `limit` column by column, possibly some longer ones; each vertex at most
    /// once in a block, which may be cut into smaller ones. Min-plus over weights ≥ 0; not every
    /// source can.
    virtual void compute_within(std::span<const Vertex>, double /*limit*/, ColumnSink::Writer&) {
      throw Error(ErrorKind::defect, "this source has no bounded rows");
    }
    /// As `compute`, and every distance goes to `part` as well, where the source `gives_columns`.
    virtual void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                              ColumnSink::Writer& part);
    /// As `compute`, but each row goes where the room says, where the source `fills_rooms`. `part`:
    /// null, or takes the distances as well, where the source `gives_columns`.
    virtual void compute_into(std::span<const Vertex>, const store::RowView& /*room*/,
                              ColumnSink::Writer* /*part*/) {
      throw Error(ErrorKind::defect, "this source fills no views");
    }
  };

  virtual std::int64_t vertices() const = 0;
  /// Values of a row.
  virtual std::int64_t columns() const { return vertices(); }
  virtual Semiring semiring() const = 0;
  virtual ValueType type() const = 0;
  /// [n] every vertex once, so that sources that stand together here cost least in one block.
  virtual std::span<const Vertex> order() const = 0;
  /// With how many sources a call is most efficient; it takes no more.
  virtual std::int64_t block_rows() const = 0;
  /// Memory that one `Worker` takes, in bytes.
  virtual std::int64_t worker_bytes() const = 0;
  virtual bool gives_columns() const { return false; }
  virtual bool fills_rooms() const { return false; }
  /// The source outlives its workers. Any number of them may compute at once.
  virtual std::unique_ptr<Worker> worker() const = 0;
  /// `value` ← the distance from s to t, and true, if one distance costs much less than a row;
  /// otherwise false. From any thread.
  virtual bool pair(Vertex, Vertex, void*) const { return false; }
  /// `row` ← all distances from a vertex by so many threads, and true, if it is worth the while;
  /// otherwise false. From any thread.
  virtual bool row_by(int /*threads*/, Vertex, void* /*row*/) const { return false; }
};

/// `vertices`, cut into bands of `band` that stand together (0: all are one band), and within each
/// band sorted as in `order`, which has all vertices of the graph.
std::vector<Vertex> in_bands(std::span<const Vertex> order, std::span<const Vertex> vertices,
                             std::int64_t band);

/// The rows of a source, of which only the columns of some vertices are passed on.
///
/// Rows are computed whole and their columns picked: a search that stops early would save at most
/// that, and most of what it looks at leads to some target. Sweeps over a factor do better
/// (elimination/target_selection.hpp).
class TargetRows final : public RowSource {
 public:
  /// `targets`: distinct, at least one.
  TargetRows(std::unique_ptr<RowSource> all, std::vector<Vertex> targets);

  std::int64_t vertices() const override { return all_->vertices(); }
  std::int64_t columns() const override { return std::ssize(targets_); }
  Semiring semiring() const override { return all_->semiring(); }
  ValueType type() const override { return all_->type(); }
  std::span<const Vertex> order() const override { return all_->order(); }
  std::int64_t block_rows() const override { return all_->block_rows(); }
  std::int64_t worker_bytes() const override;
  bool gives_columns() const override { return all_->gives_columns(); }
  std::unique_ptr<Worker> worker() const override;

 private:
  std::unique_ptr<RowSource> all_;
  std::vector<Vertex> targets_;
  std::vector<bool> is_target_;  // [n]
};

}  // namespace apsp::flow
