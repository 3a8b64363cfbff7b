// A closed matrix for other weights of some arcs, without solving again (incremental
// Floyd-Warshall; named as future work in Sao 2021, §7).
//
// Worse arcs (larger weights, removed ones) touch the sources i with d(i, u) ⊗ w_old = d(i, v) of
// such an arc u → v: all other rows keep their best paths. The touched rows R are solved by the
// others U. A path from R stays in R for some arcs, then enters U, from where its rest is known:
//
//   D[R, :] ← A[R, R]* ⊗ (A[R, :] ⊕ A[R, U] ⊗ D[U, :])     A: the arcs, those that are worse now
//
// Better arcs (smaller weights, new ones) have a cover Q: vertices so that each arc ends at one of
// them. With w the new weights, q in Q:
//
//   out(q, j) = d(q, j) ⊕ w(q, v) ⊗ d(v, j)                 [Q, n]
//   in(i, q)  = d(i, q) ⊕ d(i, u) ⊗ w(u, q)                 [n, Q]
//   E(q, q')  = out(q, q') ⊕ out(q, u) ⊗ w(u, q')           one step from Q to Q
//   D         ← D ⊕ in ⊗ (E* ⊗ out)                         |Q| n² relaxations instead of n³
//
// That is all: cut a better path wherever it uses a better arc at a vertex of Q. The first piece is
// in `in`, those between are in E, and the last is in `out`. A new vertex covers all its arcs.
// Rows i and columns j matter only where d(i, u) ⊗ w is better than d(i, v), and w ⊗ d(v, j) than
// d(u, j), of some better arc. Where there is none, every better arc on a path from i gives way to
// a path without it, from the first one on. Tiles without such a row, or column, are left alone.
//
// Several processes have a range of rows each (engine/row_shares.hpp). D[U, :] is then multiplied
// where it is, and the products are added up. Rows of both ends of better arcs come to every
// process, which finds `out` and E* for itself and multiplies for its own rows.
//
// With rounded sums a touched row is recognised within a tolerance; too many of them cost time, and
// no distance.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <cstdint>
#include <functional>
#include <vector>

#include "engine/matrix_operations.hpp"
#include "engine/row_shares.hpp"
#include "kernels/contract.hpp"

namespace apsp::engine {

/// Best weights of an arc before and now; no path of the semiring where there is none.
struct ArcChange {
  Vertex from = 0, to = 0;
  double before = 0, now = 0;
};

struct MatrixChange {
  Semiring semiring{};
  ValueType type{};
  double roundoff = 0;  ///< relative, of one ⊗; 0: sums are exact
  std::vector<ArcChange> arcs{};
  /// values [n] ← a row of the new adjacency matrix. Called by several threads.
  std::function<void(std::int64_t row, void* values)> fill_row{};
  int threads = 1;
  std::int64_t memory = 0;  ///< most bytes to take besides the matrix; 0: any. In all the same
  Control control{};
};

struct MatrixUpdated {
  /// false: it would take as long as solving again, or more memory; nothing was written
  bool done = true;
  std::int64_t touched = 0;  ///< rows that worse arcs touched and that were solved again
  std::int64_t through = 0;  ///< vertices that cover the better arcs
};

/// matrix [rows, n]: those that this process holds; closed for the arcs before, and then for those
/// of now, which have no cycle better than the empty path. `operations`: of its semiring and type,
/// and of the sign of the new weights and of the matrix. Throws what these and `shares` throw; the
/// matrix is then of neither.
MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations, RowShares& shares);
/// The same of a matrix that one process holds whole.
MatrixUpdated update_matrix(kernels::View matrix, const MatrixChange& change,
                            MatrixOperations& operations);

/// Bytes that it takes besides the matrix, at most.
std::int64_t update_bytes(std::int64_t n, ValueType type);

}  // namespace apsp::engine
