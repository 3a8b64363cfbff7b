#include "engine/dealt_bands.hpp"

#include <algorithm>

namespace apsp::engine {

std::vector<std::int64_t> DealtBands::of(int process) const {
  std::vector<std::int64_t> bands;
  for (std::int64_t band = process; band < count(); band += processes) bands.push_back(band);
  return bands;
}

std::vector<Vertex> DealtBands::rows(std::int64_t band) const {
  const std::vector<Vertex>& some = plan.selection.sources;
  const std::int64_t end = std::min((band + 1) * plan.chunk, plan.sources());
  std::vector<Vertex> rows;
  for (std::int64_t row = band * plan.chunk; row < end; ++row) {
    rows.push_back(some.empty() ? static_cast<Vertex>(row) : some[static_cast<std::size_t>(row)]);
  }
  return rows;
}

std::vector<Vertex> DealtBands::rows_of(int process) const {
  std::vector<Vertex> all;
  for (const std::int64_t band : of(process)) {
    const std::vector<Vertex> some = rows(band);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

}  // namespace apsp::engine
