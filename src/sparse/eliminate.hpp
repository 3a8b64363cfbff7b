// Numeric elimination, front by front, children before parents. Threads eliminate disjoint
// subtrees, then work together on the supernodes above them.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/contract.hpp"
#include "sparse/factor.hpp"
#include "sparse/front.hpp"
#include "sparse/tree.hpp"
#include "sparse/tree_share.hpp"

namespace apsp::sparse {

struct Subtree {
  SupernodeId first, last;
  double relaxations;
  double cost;  // relaxations, and the overhead of fronts
};

struct Subtrees {
  std::vector<Subtree> apart;  // disjoint, the largest first
  std::vector<SupernodeId> above;
};

/// `share`: its top is above all subtrees.
Subtrees subtrees_of(const Tree& tree, int threads, const TreeShare* share = nullptr);

struct EliminationOptions {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  kernels::Cycles cycles = kernels::Cycles::possible;
  int threads = 1;
  Control control{};
  DeviceShare share{};  ///< part of the elimination that a device takes
};

/// Eliminates the graph. The factor is symmetric if the graph is. Requires: `tree` is of the
/// graph's pattern; sums of the graph's weights fit the type. Throws `Error`: negative_cycle (a
/// vertex on one), interrupted, does_not_fit, device.
Factor eliminate(const Graph& graph, std::shared_ptr<const Tree> tree,
                 const EliminationOptions& options);

/// Returns the factor of `graph`, which differs from the graph of `before` only in the weights of
/// the arcs `changed`. Eliminates only supernodes that hold such an arc, and their ancestors;
/// updates of other supernodes are computed from `before`. If the graph became symmetric, all are
/// eliminated. The factor equals that of `eliminate` to the last bit if weights are integers or the
/// symmetry is unchanged. Requires: as `eliminate`; semiring and type are those of `before`. Throws
/// as `eliminate`.
Factor customize(const Factor& before, const Graph& graph, std::span<const VertexPair> changed,
                 const EliminationOptions& options);

/// An elimination by several processes: each eliminates the subtrees of its share, then all
/// exchange the updates of these subtrees, and each eliminates the top.
class SharedElimination {
 public:
  /// Eliminates the subtrees. `share` must outlive this. Requires and throws as `eliminate`.
  SharedElimination(const Graph& graph, const TreeShare& share, const EliminationOptions& options);
  ~SharedElimination();
  /// The update of a subtree: distances between the vertices of its row structure. If the subtree
  /// is of another process, memory for its update, to be filled before `top`.
  std::span<std::byte> update(SupernodeId root);
  /// Eliminates the top, and returns the factor of the share. Called once. Throws as `eliminate`.
  Factor top();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Upper bound of the bytes that `eliminate` takes in addition to the factor, whatever order
/// threads take subtrees in. `share`: the tree is its tree.
std::int64_t elimination_bytes(const Graph& graph, const Tree& tree, ValueType type, int threads,
                               const TreeShare* share = nullptr);

}  // namespace apsp::sparse
