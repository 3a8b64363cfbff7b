#include "planner/elimination_model.hpp"
#include "sparse/dissection.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace apsp::planner {

namespace {

/// Relaxations of upward sweeps from all sources. A supernode is closed only from its rows between
/// the first and the last one that sources of a block reached.
double upward(const sparse::Tree& tree, double block) {
  std::vector<double> subtree(static_cast<std::size_t>(tree.supernodes()));
  std::vector<double> reached(subtree.size());  // rows, of all sources below
  double up = 0;
  for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    const double width = tree.width(s);
    subtree[i] += width;
    up += width * (reached[i] + width * std::min(width, block) +
                   subtree[i] * static_cast<double>(tree.structure_size(s)));
    const sparse::SupernodeId parent = tree.parent(s);
    if (parent < 0) continue;
    const auto upper = tree.upper(s);
    const auto beyond = std::lower_bound(upper.begin(), upper.end(), tree.first(parent + 1));
    const double rows = *std::prev(beyond) - upper.front() + 1;
    subtree[static_cast<std::size_t>(parent)] += subtree[i];
    reached[static_cast<std::size_t>(parent)] += subtree[i] * rows;
  }
  return up;
}

}  // namespace

EliminationCounts counts_of(const sparse::Tree& tree, std::int64_t block,
                            std::span<const sparse::SupernodeId> visited) {
  EliminationCounts counts;
  counts.vertices = static_cast<double>(tree.vertices());
  counts.supernodes = static_cast<double>(tree.supernodes());
  counts.eliminated = tree.elimination_relaxations();
  counts.upward = upward(tree, static_cast<double>(block));
  const auto visit = [&](sparse::SupernodeId s) {
    const double width = tree.width(s);
    const double entries = width * static_cast<double>(tree.structure_size(s));
    const double reached = tree.first(s + 1);  // sources whose sweeps come this far
    ++counts.visited_supernodes;
    counts.visited_vertices += width;
    (width == 1 ? counts.all.alone : counts.all.together) += counts.vertices * entries;
    (width == 1 ? counts.once.alone : counts.once.together) += reached * entries;
  };
  for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const double rows = tree.width(s) + static_cast<double>(tree.structure_size(s));
    counts.front_entries += rows * rows;
    if (visited.empty()) visit(s);
  }
  for (const sparse::SupernodeId s : visited) visit(s);
  return counts;
}

EliminationRates assumed_elimination_rates(Semiring semiring, ValueType type) {
  constexpr double kWidth = 2;                                       // bytes
  constexpr double kIntegers = 1.2e9, kSingle = 9e8, kDouble = 6e8;  // distances a second
  EliminationRates rates;
  for (double* const rate :
       {&rates.eliminated, &rates.assembled, &rates.swept_alone, &rates.swept_wide}) {
    *rate /= size_of(type) / kWidth;
  }
  if (semiring == Semiring::min_plus && type != ValueType::boolean) {
    rates.counted_swept = type == ValueType::f32   ? kSingle
                          : type == ValueType::f64 ? kDouble
                                                   : kIntegers;
  }
  return rates;
}

double ordering_seconds(double vertices, double arcs) {
  constexpr double kVertex = 3e-6, kArc = 0.4e-6;  // s
  return kVertex * vertices + kArc * arcs;
}

double dissecting_share(double vertices, int processes) {
  constexpr double kLeaf = 120;         // vertices of parts that METIS does not divide
  constexpr double kSequential = 0.07;  // of all, by 4 to 16 processes (EPYC, 2026)
  const double levels = std::max(1.0, std::log2(vertices / kLeaf));
  double share = 0, shared = 0, working = 1;  // levels with fewer separators than processes
  for (double part = vertices; part >= sparse::kWhole && working < processes; part /= 2) {
    share += 1 / working;
    ++shared;
    working *= 2;
  }
  working = std::min<double>(working, processes);
  return (share + (levels - shared) / working) / levels + kSequential * (1 - 1 / working);
}

double unevenness(double items, int threads) {
  const double each = std::max(1.0, std::ceil(items)) / threads;
  return std::ceil(each) / each;
}

double relaxation_seconds(bool symmetric, int threads, const EliminationRates& rates) {
  return (symmetric ? 0.5 : 1) / rates.eliminated / threads;
}

double eliminating_seconds(const EliminationCounts& counts, bool symmetric, int threads,
                           const EliminationRates& rates) {
  const double assembly = counts.supernodes * rates.front + counts.front_entries / rates.assembled;
  return assembly / threads + counts.eliminated * relaxation_seconds(symmetric, threads, rates);
}

double sweeping_seconds(const EliminationCounts& counts, const SweepShape& shape,
                        const EliminationRates& rates) {
  const double sources = shape.sources > 0 ? shape.sources : counts.vertices;
  const double share = counts.vertices > 0 ? sources / counts.vertices : 1;
  const double blocks = std::ceil(sources / static_cast<double>(shape.block));
  const SweptCounts& down = shape.once ? counts.once : counts.all;
  const double visits = blocks * (shape.once ? 0.5 : 1);
  const double seconds =
      visits *
          (counts.visited_supernodes * rates.supernode + counts.visited_vertices * rates.vertex) +
      share * (down.alone / rates.swept_alone + (down.together + counts.upward) / rates.swept_wide);
  return seconds / shape.threads * unevenness(blocks, shape.threads);
}

}  // namespace apsp::planner
