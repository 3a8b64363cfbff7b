// Computes rows independently of each other, as a search or a sweep over a factor does.
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

/// Abilities that a source may have.
struct RowAbilities {
  bool columns = false;  ///< distances by column (`RowWorker::compute_columns`)
  bool views = false;    ///< rows written to a view (`RowWorker::compute_into`)
  /// Sources per call of `compute_columns` at which it is fastest; 0: `block_rows()`.
  std::int64_t column_sources = 0;
};

/// Returns the sources per call of `compute_columns`: `most`, or `least` if a thread would get
/// fewer than 8 calls.
inline std::int64_t shared_column_sources(std::int64_t most, std::int64_t least,
                                          std::int64_t sources, int threads) {
  constexpr std::int64_t kCallsOfAThread = 8;
  return most > 0 && sources >= kCallsOfAThread * threads * most ? most : least;
}

/// Computes rows of a source, on one thread.
class RowWorker {
 public:
  virtual ~RowWorker() = default;
  /// Row i of `rows` ← the distances from sources[i]; without a path `no_path(semiring, type)`.
  /// `rows`: `columns()` values each, `stride` values apart, aligned for the type. Requires: at
  /// most `block_rows()` distinct sources.
  virtual void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) = 0;
  /// The same distances by column, from at most `column_sources` distinct sources. Requires:
  /// `gives_columns`; with `pairs_once` (see `ColumnSink`) the sources are consecutive in
  /// `order()`.
  virtual void compute_columns(std::span<const Vertex>, ColumnSink::Writer&, bool /*pairs_once*/) {
    throw Error(ErrorKind::defect, "this source gives no columns");
  }
  /// All distances up to `limit` by column, possibly longer ones too, in one or more blocks with
  /// each vertex at most once. Requires: min-plus with weights ≥ 0; not every source supports it.
  virtual void compute_within(std::span<const Vertex>, double /*limit*/, ColumnSink::Writer&) {
    throw Error(ErrorKind::defect, "this source has no bounded rows");
  }
  /// Like `compute`, and also pushes every distance into `part`. Requires: `gives_columns`.
  virtual void compute_both(std::span<const Vertex> sources, void* rows, std::int64_t stride,
                            ColumnSink::Writer& part);
  /// Like `compute`, but writes to `view`. `part`: null, or as above. Requires: `writes_views`.
  virtual void compute_into(std::span<const Vertex>, const store::RowView& /*view*/,
                            ColumnSink::Writer* /*part*/) {
    throw Error(ErrorKind::defect, "this source fills no views");
  }
};

class RowSource {
 public:
  virtual ~RowSource() = default;
  using Worker = RowWorker;

  virtual std::int64_t vertices() const = 0;
  virtual std::int64_t columns() const { return vertices(); }
  virtual Semiring semiring() const = 0;
  virtual ValueType type() const = 0;
  /// [n] all vertices; neighbours are cheapest in one block.
  virtual std::span<const Vertex> order() const = 0;
  /// The most sources in a call, which is also most efficient.
  virtual std::int64_t block_rows() const = 0;
  /// The same for distances by column, if so many threads share `sources`.
  std::int64_t column_sources(std::int64_t sources, int threads) const {
    return shared_column_sources(abilities().column_sources, block_rows(), sources, threads);
  }
  virtual std::int64_t worker_bytes() const = 0;
  virtual RowAbilities abilities() const { return {}; }
  bool gives_columns() const { return abilities().columns; }
  bool writes_views() const { return abilities().views; }
  /// Workers may compute concurrently. The source must outlive them.
  virtual std::unique_ptr<Worker> worker() const = 0;
  /// Computes one distance if that is much cheaper than a row; else returns false. Thread-safe.
  virtual bool pair(Vertex, Vertex, void*) const { return false; }
  /// Computes a row by several threads if that pays; else returns false. Thread-safe.
  virtual bool row_by(int /*threads*/, Vertex, void* /*row*/) const { return false; }
};

/// Cuts `vertices` into consecutive bands of `band` (0: one band) and sorts each as in `order`.
std::vector<Vertex> in_bands(std::span<const Vertex> order, std::span<const Vertex> vertices,
                             std::int64_t band);

/// The columns of some targets, gathered from whole rows: a search that stops early would save
/// little. Sweeps over a factor do better (sparse/target_selection.hpp).
class TargetRows final : public RowSource {
 public:
  TargetRows(std::unique_ptr<RowSource> all, std::vector<Vertex> targets);

  std::int64_t vertices() const override { return all_->vertices(); }
  std::int64_t columns() const override { return std::ssize(targets_); }
  Semiring semiring() const override { return all_->semiring(); }
  ValueType type() const override { return all_->type(); }
  std::span<const Vertex> order() const override { return all_->order(); }
  std::int64_t block_rows() const override { return all_->block_rows(); }
  std::int64_t worker_bytes() const override;
  RowAbilities abilities() const override { return {.columns = all_->gives_columns()}; }
  std::unique_ptr<Worker> worker() const override;

 private:
  std::unique_ptr<RowSource> all_;
  std::vector<Vertex> targets_;
  std::vector<bool> is_target_;
};

}  // namespace apsp::flow
