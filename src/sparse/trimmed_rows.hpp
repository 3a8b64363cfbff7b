// Rows of distances of a graph without its acyclic fringe (trim.hpp): sweeps over a factor of the
// core, and a relaxation for each arc of the fringe.
//
// A block of sources is relaxed through the starts, enters the core, is swept over its factor, and
// is relaxed through the ends. Rows of all core vertices are kept meanwhile, as neighbours of an
// end may be anywhere in the tree.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "flow/row_source.hpp"
#include "kernels/contract.hpp"
#include "sparse/factor.hpp"
#include "sparse/trim.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

class TrimmedRows final : public flow::RowSource {
 public:
  /// `core`: the factor of the core's graph. `sign`: of the weights.
  TrimmedRows(const Trim& trim, Factor core, kernels::Sign sign);

  /// Bytes in addition to the factor.
  static std::int64_t bytes(const Trim& trim, ValueType type);
  static std::int64_t worker_bytes(const Trim& trim, const Tree& tree, ValueType type);

  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return core_.semiring(); }
  ValueType type() const override { return core_.type(); }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override;
  std::int64_t worker_bytes() const override { return worker_bytes_; }
  flow::RowAbilities abilities() const override { return {.columns = true}; }
  std::unique_ptr<Worker> worker() const override;

 private:
  friend class TrimmedWorker;

  /// Arcs into some vertices, as operands of products: the rows of their tails, and weights.
  struct Products {
    std::vector<std::int64_t> offsets = {0};  // [vertices + 1]
    std::vector<std::int32_t> rows;           // [arcs]
    system::AlignedMemory weights;            // [arcs]
    std::vector<double> exact_weights;

    void append(const ArcsInto& arcs, std::size_t vertex,
                const std::vector<std::int32_t>& row_of_place);
    void end_vertex() { offsets.push_back(std::ssize(rows)); }
    void convert(Semiring semiring, ValueType type);
  };

  Factor core_;
  kernels::Sign sign_;
  std::int64_t worker_bytes_ = 0;
  std::int64_t core_count_ = 0, start_count_ = 0;
  std::vector<Vertex> order_;             // [n] the core by position, starts, ends
  std::vector<std::int32_t> place_of_;    // [n] by vertex: its index in `order_`
  std::vector<std::int32_t> row_of_end_;  // [ends]; ends without outgoing arcs share one
  std::vector<Position> entered_;         // core positions that starts lead to
  Products into_starts_, into_entered_;
  Products into_ends_, ends_to_ends_;
  std::int64_t rows_ = 0;  // of a worker: starts, the core, ends
};

}  // namespace apsp::sparse
