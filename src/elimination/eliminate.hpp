// Numeric elimination: values into the factor, front by front, children before parents. Threads
// eliminate disjoint subtrees, then the supernodes above them together.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "elimination/factor.hpp"
#include "elimination/front.hpp"
#include "elimination/tree.hpp"
#include "kernels/contract.hpp"

namespace apsp::elimination {

/// Supernodes [first, last]: a subtree with its root last.
struct Subtree {
  SupernodeId first, last;
  double relaxations;
  double cost;  // relaxations, and what fronts cost besides
};

struct Subtrees {
  std::vector<Subtree> apart;      // disjoint, the largest first
  std::vector<SupernodeId> above;  // all others, children before parents
};

Subtrees subtrees_of(const Tree& tree, int threads);

struct EliminationOptions {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::f32;
  kernels::Sign sign = kernels::Sign::any;
  kernels::Cycles cycles = kernels::Cycles::possible;
  int threads = 1;
  Control control{};
  DeviceShare share{};  ///< of fronts that all threads would work on
};

/// Requires: `tree` is of the graph's pattern; sums of the graph's weights fit the type. The factor
/// is symmetric where the graph is. Throws `Error`: negative_cycle (a vertex on one), interrupted,
/// does_not_fit, device.
Factor eliminate(const Graph& graph, std::shared_ptr<const Tree> tree,
                 const EliminationOptions& options);

/// The factor of `graph`, which differs from that of `before` only by the weights of the arcs
/// `changed`: only supernodes that hold one, and those above them, are eliminated again; what the
/// others join is found again from their part of the factor. All are where the graph became
/// symmetric. The same to the last bit as `eliminate` on the same tree where weights are integers,
/// or the graph is as symmetric as before. Requires: as `eliminate`; semiring and type are those of
/// `before`. Throws as `eliminate`.
Factor customize(const Factor& before, const Graph& graph, std::span<const VertexPair> changed,
                 const EliminationOptions& options);

/// Most bytes that `eliminate` takes besides the factor. Threads share subtrees out, so what is
/// held at a time depends on how they come along; it never exceeds this.
std::int64_t elimination_bytes(const Graph& graph, const Tree& tree, ValueType type, int threads);

}  // namespace apsp::elimination
