#include "graph/row_facts.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/pages.hpp"
#include "base/team.hpp"
#include "graph/matrix_scan.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kWorthThreads = 1 << 16;  // arcs; fewer take less than waking a thread

bool is_exact_integer(double weight) {
  return std::abs(weight) <= 0x1p53 &&
         static_cast<double>(static_cast<std::int64_t>(weight)) == weight;
}

struct alignas(64) Part {
  double least, greatest;
  std::int64_t loops = 0, fractions = 0, others = 0;

  void take(const Edge& edge) {
    least = std::min(least, edge.weight);
    greatest = std::max(greatest, edge.weight);
    loops += edge.from == edge.to ? 1 : 0;
    others += edge.weight == 1 ? 0 : 1;
    fractions += is_exact_integer(edge.weight) ? 0 : 1;
  }
  void add(const Part& part) {
    least = std::min(least, part.least);
    greatest = std::max(greatest, part.greatest);
    loops += part.loops;
    others += part.others;
    fractions += part.fractions;
  }
};

void require_usable(const Edge& edge, std::size_t n) {
  if (edge.to >= n) {
    throw Error(ErrorKind::usage,
                fmt::format("edge {} → {} in a graph of {} vertices", edge.from, edge.to, n));
  }
  if (!std::isfinite(edge.weight)) {
    throw Error(ErrorKind::usage,
                fmt::format("edge {} → {} has the weight {}", edge.from, edge.to, edge.weight));
  }
}

/// Arcs [first, last), which leave `from`. Returns the largest |w| among them.
double take_row(const ArcArrays& arcs, std::size_t first, std::size_t last, Vertex from,
                std::size_t n, Part& part) {
  double largest = 0;
  for (std::size_t a = first; a < last; ++a) {
    const Edge edge{from, arcs.targets[a], arcs.weights[a]};
    require_usable(edge, n);
    part.take(edge);
    largest = std::max(largest, std::abs(edge.weight));
    if (a == first || arcs.targets[a - 1] < edge.to) continue;
    if (arcs.targets[a - 1] == edge.to && arcs.weights[a - 1] <= edge.weight) continue;
    throw Error(ErrorKind::usage, fmt::format("the arcs of vertex {} are out of order", from));
  }
  return largest;
}

}  // namespace

RowFacts row_facts(std::span<const std::int64_t> offsets, const ArcArrays& arcs, int threads) {
  const std::size_t n = offsets.size() - 1;
  const std::int64_t count = offsets.back();
  std::vector<double> largest(n, 0.0);
  if (count == 0) return {};
  const double some = arcs.weights[0];
  if (count < kWorthThreads) threads = 1;
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
  RowFacts facts;
  facts.weights = {.least = all.least,
                   .greatest = all.greatest,
                   .integral = all.fractions == 0,
                   .unit = all.others == 0,
                   .longest_path = longest_path(largest)};
  facts.loops = all.loops;
  return facts;
}

void release_arcs(const ArcArrays& arcs, std::int64_t count) {
  if (!arcs.mapped || count == 0) return;
  base::release_mapped(arcs.targets.get(), 0, count * std::int64_t{sizeof(Vertex)});
  base::release_mapped(arcs.weights.get(), 0, count * std::int64_t{sizeof(double)});
}

}  // namespace apsp::graph
