#include "cluster/band_distribution.hpp"

#include <algorithm>

#include "engine/solve_graph.hpp"

namespace apsp::cluster {

std::vector<std::int64_t> BandDistribution::of(int process) const {
  std::vector<std::int64_t> bands;
  std::int64_t seen[] = {0, 0};
  for (std::int64_t band = 0; band < count(); ++band) {
    const bool there = std::binary_search(held.begin(), held.end(), band);
    if (seen[there ? 1 : 0]++ % processes == process) bands.push_back(band);
  }
  return bands;
}

std::vector<Vertex> BandDistribution::rows(std::int64_t band) const {
  return engine::rows_of_bands(plan, {&band, 1});
}

std::vector<Vertex> BandDistribution::rows_of(int process) const {
  return engine::rows_of_bands(plan, of(process));
}

}  // namespace apsp::cluster
