#include "elimination/metis_graph.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <limits>

#include "elimination/order.hpp"

namespace apsp::elimination {
namespace {

/// METIS may be built for 64 bits; positions and slots of edges here have 32.
void require_numbers(std::int64_t count, const char* what) {
  constexpr std::int64_t kMost = std::min<std::int64_t>(std::numeric_limits<idx_t>::max(),
                                                        std::numeric_limits<Position>::max());
  if (count <= kMost) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("METIS numbers at most {} {}, and there are {}; solve with --algorithm "
                          "johnson",
                          kMost, what, count));
}

}  // namespace

void require_numbered(const Pattern& pattern) {
  require_numbers(pattern.vertices(), "vertices");
  require_numbers(std::ssize(pattern.neighbours), "neighbours");
}

MetisGraph::MetisGraph(const Pattern& pattern) : vertices(0) {
  require_numbered(pattern);
  vertices = static_cast<idx_t>(pattern.vertices());
  offsets.assign(pattern.offsets.begin(), pattern.offsets.end());
  neighbours.assign(pattern.neighbours.begin(), pattern.neighbours.end());
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
}

void require_done(int status, const char* function) {
  if (status == METIS_OK) return;
  if (status == METIS_ERROR_MEMORY) {
    throw Error(ErrorKind::does_not_fit, fmt::format("{} has no memory", function));
  }
  throw Error(ErrorKind::defect, fmt::format("{} failed with status {}", function, status));
}

}  // namespace apsp::elimination
