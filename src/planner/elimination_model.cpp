#include "planner/elimination_model.hpp"

#include <cmath>
#include <vector>

#include "elimination/factor_rows.hpp"

namespace apsp::planner {
namespace {

double times_wider(ValueType type) {
  constexpr double kReferenceBytes = 2;
  return size_of(type) / kReferenceBytes;
}

/// Relaxations of a sweep down from every source and of a sweep up from each to its root.
double sweep_relaxations(const elimination::Tree& tree) {
  std::vector<double> subtree(static_cast<std::size_t>(tree.supernodes()));
  double up = 0;
  for (elimination::SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto i = static_cast<std::size_t>(s);
    const double width = tree.width(s);
    subtree[i] += width;
    up += subtree[i] * width * (width + static_cast<double>(tree.upper_count(s)));
    if (tree.parent(s) >= 0) subtree[static_cast<std::size_t>(tree.parent(s))] += subtree[i];
  }
  return up + static_cast<double>(tree.vertices()) * static_cast<double>(tree.upper_entries());
}

}  // namespace

EliminationCounts counts_of(const elimination::Tree& tree) {
  return {.vertices = static_cast<double>(tree.vertices()),
          .supernodes = static_cast<double>(tree.supernodes()),
          .height = static_cast<double>(tree.height()),
          .eliminated = tree.elimination_relaxations(),
          .swept = sweep_relaxations(tree)};
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
