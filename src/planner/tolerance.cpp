#include "planner/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "graph/path_edges.hpp"
#include "planner/value_type.hpp"

namespace apsp::planner {
namespace {

/// The edges of the longest path that may be rounded so often.
std::int64_t allowed_edges(double tolerance) {
  constexpr double kRounding = 0x1p-24, kAny = 0x1p62;
  return static_cast<std::int64_t>(std::min(kAny, std::floor(tolerance / kRounding)));
}

/// A bottleneck is one weight, which is rounded once.
std::int64_t edges_found(const Graph& graph, Semiring semiring, const SignedWeights* weights,
                         std::int64_t enough, const Control& control) {
  if (!is_sum(semiring)) return 1;
  BestPaths paths{.sign = semiring == Semiring::max_plus ? -1.0 : 1.0};
  if (weights != nullptr) paths.potentials = weights->potentials.h;
  return path_edges(graph, paths, enough, control);
}

}  // namespace

std::string why_f32_is_too_coarse(const Graph& graph, Semiring semiring,
                                  const SignedWeights* weights, double tolerance,
                                  const Control& control) {
  const std::int64_t allowed = allowed_edges(tolerance);
  if (edges_found(graph, semiring, weights, allowed, control) <= allowed) return {};
  return fmt::format("paths may have more than {} {}, over which f32 may err by more than {:g}",
                     allowed, allowed == 1 ? "edge" : "edges", tolerance);
}

}  // namespace apsp::planner
