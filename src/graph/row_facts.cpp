#include "graph/row_facts.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/pages.hpp"
#include "base/team.hpp"
#include "graph/edge_tally.hpp"
#include "graph/matrix_scan.hpp"
#include "graph/rows.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kArcsWorthThreads = 1 << 16;  // arcs; fewer take less than waking a thread

struct alignas(64) Part {
  EdgeTally tally;
};

/// Arcs [first, last), which leave `from`. Returns the largest |w| among them.
double take_row(const ArcArrays& arcs, std::size_t first, std::size_t last, Vertex from,
                std::size_t n, EdgeTally& tally) {
  double largest = 0;
  for (std::size_t a = first; a < last; ++a) {
    const Edge edge{from, arcs.targets[a], arcs.weights[a]};
    if (!is_usable(edge, n)) fail_unusable(edge, n);
    tally.take(edge);
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
  if (count < kArcsWorthThreads) threads = 1;
  std::vector<Part> parts(static_cast<std::size_t>(threads));
  const auto rows = static_cast<std::int64_t>(n);
  // About 4 MiB of arcs at a time, where rows are of one length.
  const std::int64_t block = std::max<std::int64_t>(1, rows * (std::int64_t{1} << 18) / count);
  base::share_items((rows + block - 1) / block, threads, [&](std::int64_t item, int member) {
    EdgeTally own;
    const std::int64_t end = std::min(rows, (item + 1) * block);
    for (std::int64_t v = item * block; v < end; ++v) {
      const auto row = static_cast<std::size_t>(v);
      largest[row] =
          take_row(arcs, static_cast<std::size_t>(offsets[row]),
                   static_cast<std::size_t>(offsets[row + 1]), static_cast<Vertex>(v), n, own);
    }
    parts[static_cast<std::size_t>(member)].tally.add(own);
    if (member == 0) release_arcs(arcs, offsets[static_cast<std::size_t>(end)]);
  });
  EdgeTally all;
  for (const Part& part : parts) all.add(part.tally);
  RowFacts facts{all.weight_facts(), all.loops};
  facts.weights.longest_path = longest_path(largest);
  return facts;
}

void release_arcs(const ArcArrays& arcs, std::int64_t count) {
  if (!arcs.mapped || count == 0) return;
  base::release_mapped(arcs.targets.get(), 0, count * std::int64_t{sizeof(Vertex)});
  base::release_mapped(arcs.weights.get(), 0, count * std::int64_t{sizeof(double)});
}

}  // namespace apsp::graph
