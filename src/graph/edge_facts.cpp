#include "graph/edge_facts.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/machine.hpp"
#include "base/pages.hpp"
#include "base/team.hpp"
#include "graph/matrix_scan.hpp"

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

EdgeFacts facts_of(const Part& all) {
  EdgeFacts facts;
  facts.weights = {.least = all.least,
                   .greatest = all.greatest,
                   .integral = all.fractions == 0,
                   .unit = all.others == 0};
  facts.loops = all.loops;
  return facts;
}

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
  return facts_of(all);
}

namespace {

/// Arcs [first, last), which leave `from`. Returns the largest |w| among them.
double take_row(const ArcArrays& arcs, std::size_t first, std::size_t last, Vertex from,
                std::size_t n, Part& part) {
  double largest = 0;
  for (std::size_t a = first; a < last; ++a) {
    const Edge edge{from, arcs.targets[a], arcs.weights[a]};
    part.take(edge, n);
    largest = std::max(largest, std::abs(edge.weight));
    if (!is_usable(edge, n)) fail(edge, n);
    if (a == first || arcs.targets[a - 1] < edge.to) continue;
    if (arcs.targets[a - 1] == edge.to && arcs.weights[a - 1] <= edge.weight) continue;
    throw Error(ErrorKind::usage, fmt::format("the arcs of vertex {} are out of order", from));
  }
  return largest;
}

}  // namespace

EdgeFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs) {
  const std::size_t n = offsets.size() - 1;
  const std::int64_t count = offsets.back();
  std::vector<double> largest(n, 0.0);
  if (count == 0) return {};
  const double some = arcs.weights[0];
  const int threads = count < kWorthThreads ? 1 : base::thread_count(0);
  std::vector<Part> parts(static_cast<std::size_t>(threads), Part{some, some});
  const auto rows = static_cast<std::int64_t>(n);
  // About 4 MiB of arcs at a time, where rows are of one length.
  const std::int64_t block = std::max<std::int64_t>(1, rows * (std::int64_t{1} << 18) / count);
  base::share_items((rows + block - 1) / block, threads, [&](std::int64_t item, int member) {
    Part own{some, some};
    const std::int64_t end = std::min(rows, (item + 1) * block);
    for (std::int64_t v = item * block; v < end; ++v) {
      const auto row = static_cast<std::size_t>(v);
      largest[row] =
          take_row(arcs, static_cast<std::size_t>(offsets[row]),
                   static_cast<std::size_t>(offsets[row + 1]), static_cast<Vertex>(v), n, own);
    }
    parts[static_cast<std::size_t>(member)].add(own);
    if (member == 0) release_arcs(arcs, offsets[static_cast<std::size_t>(end)]);
  });
  Part all{some, some};
  for (const Part& part : parts) all.add(part);
  EdgeFacts facts = facts_of(all);
  facts.weights.longest_path = longest_path(largest);
  return facts;
}

void release_arcs(const ArcArrays& arcs, std::int64_t count) {
  if (!arcs.mapped || count == 0) return;
  base::release_mapped(arcs.targets.get(), 0, count * std::int64_t{sizeof(Vertex)});
  base::release_mapped(arcs.weights.get(), 0, count * std::int64_t{sizeof(double)});
}

}  // namespace apsp::graph
