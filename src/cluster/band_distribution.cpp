#include "cluster/band_distribution.hpp"

#include <algorithm>

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
  const std::int64_t end = std::min((band + 1) * plan.chunk, plan.sources());
  std::vector<Vertex> rows;
  for (std::int64_t row = band * plan.chunk; row < end; ++row) {
    rows.push_back(plan.selection.sources.at(row));
  }
  return rows;
}

std::vector<Vertex> BandDistribution::rows_of(int process) const {
  std::vector<Vertex> all;
  for (const std::int64_t band : of(process)) {
    const std::vector<Vertex> some = rows(band);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace apsp::cluster
