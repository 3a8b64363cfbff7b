#include "planner/elimination_model.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "elimination/factor_rows.hpp"

namespace apsp::planner {
namespace {

double times_wider(ValueType type) {
  constexpr double kReferenceBytes = 2;
  return size_of(type) / kReferenceBytes;
}

/// Relaxations of a sweep down from every source and of a sweep up from each to its root. A
/// supernode is closed from those of its rows alone that lie between the first and the last one
/// which the sources of a block have reached.
double sweep_relaxations(const elimination::Tree& tree, double block) {
  std::vector<double> subtree(static_cast<std::size_t>(tree.supernodes()));
  std::vector<double> reached(subtree.size());  // rows, of all sources below
  double up = 0;
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    const double width = tree.width(s);
    subtree[i] += width;
    up += width * (reached[i] + width * std::min(width, block) +
                   subtree[i] * static_cast<double>(tree.upper_count(s)));
    const elimination::SupernodeId parent = tree.parent(s);
    if (parent < 0) continue;
    const auto upper = tree.upper(s);
    const auto beyond = std::lower_bound(upper.begin(), upper.end(), tree.first(parent + 1));
    const double rows = *std::prev(beyond) - upper.front() + 1;
    subtree[static_cast<std::size_t>(parent)] += subtree[i];
    reached[static_cast<std::size_t>(parent)] += subtree[i] * rows;
  }
  return up + static_cast<double>(tree.vertices()) * static_cast<double>(tree.upper_entries());
}

}  // namespace

EliminationCounts counts_of(const elimination::Tree& tree, std::int64_t block) {
  return {.vertices = static_cast<double>(tree.vertices()),
          .supernodes = static_cast<double>(tree.supernodes()),
          .height = static_cast<double>(tree.height()),
          .eliminated = tree.elimination_relaxations(),
          .swept = sweep_relaxations(tree, static_cast<double>(block))};
}

double eliminating_seconds(const EliminationCounts& counts, ValueType type,
                           const EliminationRates& rates) {
  return counts.eliminated / rates.eliminated * times_wider(type);
}

double sweeping_seconds(const EliminationCounts& counts, ValueType type, std::int64_t block,
                        const EliminationRates& rates) {
  const double blocks = std::ceil(counts.vertices / static_cast<double>(block));
  const double path_bytes = counts.height * elimination::kBlockBytes;
  const double slower = 1 + path_bytes / rates.cache;
  return blocks * (counts.supernodes * rates.supernode + counts.vertices * rates.vertex) +
         counts.swept / rates.swept * times_wider(type) * slower;
}

double turning_seconds(const EliminationCounts& counts, const EliminationRates& rates) {
  return counts.vertices * counts.vertices / rates.turned;
}

}  // namespace apsp::planner
