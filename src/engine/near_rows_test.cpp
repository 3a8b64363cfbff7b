#include "engine/near_rows.hpp"

#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"

namespace apsp::engine::near_rows_test {
namespace {

/// Memory is planned by this bound, and a sample of uneven searches is often below their mean.
TEST(NearRows, TheBoundOfWhatIsReachedHoldsForUnevenSearches) {
  constexpr Vertex kVertices = 1000;
  for (const Vertex island : {50, 100, 200, 300, 400}) {  // vertices that reach each other
    std::vector<Edge> edges;
    for (Vertex v = 0; v + 1 < island; ++v) edges.push_back({v, v + 1, 1});
    const NearRows near(planner::no_device, graph_of(kVertices, edges, false), kVertices,
                        {.threads = 1});
    const double mean = (static_cast<double>(island) * island + (kVertices - island)) / kVertices;
    EXPECT_GE(near.reached(), mean) << island;
    EXPECT_LE(near.reached(), kVertices);
  }
}

}  // namespace
}  // namespace apsp::engine::near_rows_test
