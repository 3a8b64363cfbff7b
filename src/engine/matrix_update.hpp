// Updates a closed matrix for new weights of some arcs (future work in Sao 2021, §7).
//
// Worse arcs u → v (larger weights, removed arcs) touch the rows R of sources i with d(i, u) ⊗
// w_old = d(i, v). A path from R stays in R for some arcs, then enters the other rows U:
//
//   D[R, :] ← A[R, R]* ⊗ (A[R, :] ⊕ A[R, U] ⊗ D[U, :])     A: the arcs, only worse ones changed
//
// Better arcs (smaller weights, new arcs) have a vertex cover Q. Let w be the new weights, q in Q:
//
//   out(q, j) = d(q, j) ⊕ w(q, v) ⊗ d(v, j)                 [Q, n]
//   in(i, q)  = d(i, q) ⊕ d(i, u) ⊗ w(u, q)                 [n, Q]
//   E(q, q')  = out(q, q') ⊕ out(q, u) ⊗ w(u, q')           one step from Q to Q
//   D         ← D ⊕ in ⊗ (E* ⊗ out)                         |Q| n² relaxations instead of n³
//
// A better path is cut at its better arcs: the first piece is in `in`, the last in `out`, the
// others in E. Tiles are skipped unless some better arcs u → v improve rows d(i, v) and columns
// d(u, j).
//
// Each of several processes multiplies its rows of D[U, :] (`RowShares`), and the
// products are added up. All receive the rows of both ends of better arcs and compute `out` and E*.
//
// A tolerance covers rounded sums; rows that it touches in excess cost only time.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "engine/matrix_operations.hpp"
#include "kernels/contract.hpp"

namespace apsp::engine {

/// Best weights of an arc; the semiring's no path if there is no arc.
struct ArcChange {
  Vertex from = 0, to = 0;
  double before = 0, now = 0;
};

struct MatrixChange {
  Semiring semiring{};
  ValueType type{};
  double roundoff = 0;  ///< relative error of one ⊗; 0: sums are exact
  std::vector<ArcChange> arcs{};
  /// values [n] ← a row of the new adjacency matrix. Thread-safe.
  std::function<void(std::int64_t row, void* values)> fill_row{};
  int threads = 1;
  std::int64_t memory = 0;  ///< extra bytes, at most; 0: any; equal in all processes
  Control control{};
};

/// The view that one process has of a matrix distributed by rows. All make the same calls in order.
/// This class is a process that has all rows.
class RowShares {
 public:
  virtual ~RowShares() = default;
  virtual bool shared() const { return false; }
  /// The first row of this process. The rows of the next process follow.
  virtual std::int64_t first() const { return 0; }
  /// Concatenates the numbers of all processes in their order.
  virtual std::vector<std::int64_t> joined(std::vector<std::int64_t> mine) { return mine; }
  /// Completes rows of these vertices, [count, row_bytes]; those of this process are present.
  virtual void complete(std::span<const Vertex>, std::byte*, std::int64_t) {}
  /// values ← values ⊕ those of all other processes. `plus`: ⊕ of two ranges of bytes.
  using Plus = std::function<void(std::span<std::byte> into, std::span<const std::byte> other)>;
  virtual void add_up(std::span<std::byte>, int /*value_size*/, const Plus&) {}
};

struct MatrixUpdated {
  /// False: solving is as fast, or `memory` too small; nothing was written.
  bool done = true;
  std::int64_t touched = 0;  ///< rows solved again, because worse arcs touched them
  std::int64_t through = 0;  ///< size of the cover of better arcs
};

/// matrix [rows, n]: the rows of this process, closed for the old arcs before and the new arcs
/// after. Requires: no cycle of new arcs is better than the empty path; `operations` fit semiring,
/// type and sign. Throws what `operations` and `shares` throw; then the matrix is invalid.
MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations, RowShares& shares);
/// The same for a matrix in one process.
MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations);

}  // namespace apsp::engine
