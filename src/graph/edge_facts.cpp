#include "graph/edge_facts.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/machine.hpp"
#include "base/team.hpp"

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

struct alignas(64) Part {
  double least, greatest;
  std::int64_t loops = 0, unusable = 0, fractions = 0, others = 0;

  void take(const Edge& edge, std::size_t n) {
    least = std::min(least, edge.weight);
    greatest = std::max(greatest, edge.weight);
    loops += edge.from == edge.to ? 1 : 0;
    others += edge.weight == 1 ? 0 : 1;
    fractions += is_exact_integer(edge.weight) ? 0 : 1;
    unusable += is_usable(edge, n) ? 0 : 1;
  }
  void add(const Part& part) {
    least = std::min(least, part.least);
    greatest = std::max(greatest, part.greatest);
    loops += part.loops;
    others += part.others;
    fractions += part.fractions;
    unusable += part.unusable;
  }
};

/// All edges, claimed by threads `kBlock` at a time.
Part look_at(std::span<const Edge> edges, std::size_t n, int threads) {
  constexpr std::int64_t kBlock = 1 << 14;
  const auto count = static_cast<std::int64_t>(edges.size());
  const double some = edges.front().weight;
  std::vector<Part> parts(static_cast<std::size_t>(threads), Part{some, some});
  base::share_items((count + kBlock - 1) / kBlock, threads, [&](std::int64_t block, int member) {
    Part own{some, some};
    for (std::int64_t i = block * kBlock; i < std::min(count, (block + 1) * kBlock); ++i) {
      own.take(edges[static_cast<std::size_t>(i)], n);
    }
    parts[static_cast<std::size_t>(member)].add(own);
  });
  Part all{some, some};
  for (const Part& part : parts) all.add(part);
  return all;
}

}  // namespace

EdgeFacts edge_facts(std::span<const Edge> edges, std::size_t n) {
  const auto count = static_cast<std::int64_t>(edges.size());
  if (count == 0) return {};
  const Part all = look_at(edges, n, count < kWorthThreads ? 1 : base::thread_count(0));
  if (all.unusable > 0) {
    fail(*std::find_if_not(edges.begin(), edges.end(),
                           [n](const Edge& edge) { return is_usable(edge, n); }),
         n);
  }
  EdgeFacts facts;
  facts.weights = {.least = all.least,
                   .greatest = all.greatest,
                   .integral = all.fractions == 0,
                   .unit = all.others == 0};
  facts.loops = all.loops;
  return facts;
}

}  // namespace apsp::graph
