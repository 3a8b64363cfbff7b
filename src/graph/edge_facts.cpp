#include "graph/edge_facts.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/machine.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kWorthThreads = 1 << 16;  // edges; fewer take less than waking a thread
constexpr double kMostExactInteger = 0x1p53;

bool is_exact_integer(double weight) {
  return std::abs(weight) <= kMostExactInteger &&
         static_cast<double>(static_cast<std::int64_t>(weight)) == weight;
}

bool is_usable(const Edge& edge, std::size_t n) {
  return edge.from < n && edge.to < n && std::isfinite(edge.weight);
}

[[noreturn]] void fail(const Edge& edge, std::size_t n) {
  if (edge.from >= n || edge.to >= n) {
    throw Error(ErrorKind::usage,
                fmt::format("edge {} → {} in a graph of {} vertices", edge.from, edge.to, n));
  }
  throw Error(ErrorKind::usage,
              fmt::format("edge {} → {} has the weight {}", edge.from, edge.to, edge.weight));
}

}  // namespace

EdgeFacts edge_facts(std::span<const Edge> edges, std::size_t n) {
  const auto count = static_cast<std::int64_t>(edges.size());
  if (count == 0) return {};
  double least = edges.front().weight, greatest = least;
  std::int64_t loops = 0, unusable = 0, fractions = 0, others = 0;
  const int threads = count < kWorthThreads ? 1 : base::thread_count(0);
#pragma omp parallel for num_threads(threads) reduction(min : least) reduction(max : greatest) \
    reduction(+ : loops, unusable, fractions, others)
  for (std::int64_t i = 0; i < count; ++i) {
    const Edge& edge = edges[static_cast<std::size_t>(i)];
    least = std::min(least, edge.weight);
    greatest = std::max(greatest, edge.weight);
    loops += edge.from == edge.to ? 1 : 0;
    others += edge.weight == 1 ? 0 : 1;
    fractions += is_exact_integer(edge.weight) ? 0 : 1;
    unusable += is_usable(edge, n) ? 0 : 1;
  }
  if (unusable > 0) {
    fail(*std::find_if_not(edges.begin(), edges.end(),
                           [n](const Edge& edge) { return is_usable(edge, n); }),
         n);
  }
  EdgeFacts facts;
  facts.weights = {
      .least = least, .greatest = greatest, .integral = fractions == 0, .unit = others == 0};
  facts.loops = loops;
  return facts;
}

}  // namespace apsp::graph
