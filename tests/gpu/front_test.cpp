// Fronts that a GPU eliminates: the bytes of the host's, where values are integers.
#include "kernels/cuda/cuda_device.hpp"
#include "sparse/eliminate.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/mesh.hpp"
#include "support/on_gpu.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::front_test {
namespace {

constexpr std::int64_t kTile = 512;

class CudaFronts : public OnGpu {
 protected:
  /// The factor with all fronts on the GPU, of which only one thread gives orders.
  static Factor there(const Graph& graph, const std::shared_ptr<const Tree>& tree,
                      EliminationOptions options) {
    const auto device = kernels::cuda::make_device(kernels::cuda::devices().front().ordinal,
                                                   options.semiring, options.type, options.sign, 0);
    std::vector<SupernodeId> all(static_cast<std::size_t>(tree->supernodes()));
    std::iota(all.begin(), all.end(), 0);
    options.share = {device.get(), all, 0, kTile};
    return eliminate(graph, tree, options);
  }
};

TEST_F(CudaFronts, LeaveTheBytesOfTheHostInEverySemiring) {
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : {ValueType::u16, ValueType::i32}) {
      if (!supported(semiring, type)) continue;
      for (const bool directed : {false, true}) {
        if (semiring == Semiring::max_plus && !directed) continue;
        const Graph graph = random_graph(
            700, directed ? 2600 : 1600, 1, 50,
            {.directed = directed, .acyclic = semiring == Semiring::max_plus, .seed = 5});
        const auto tree = dissected(graph);
        const EliminationOptions options{.semiring = semiring, .type = type};
        SCOPED_TRACE(testing::Message() << name(semiring) << " " << name(type) << " " << directed);
        expect_same_bytes(eliminate(graph, tree, options), there(graph, tree, options));
      }
    }
  }
}

TEST_F(CudaFronts, LeaveTheBytesOfTheHostOnMeshes) {
  for (const bool directed : {false, true}) {
    const Graph graph = mesh(18, directed);
    const auto tree = dissected(graph);
    for (const ValueType type : {ValueType::u16, ValueType::i32}) {
      const EliminationOptions options{.type = type, .sign = kernels::Sign::non_negative};
      expect_same_bytes(eliminate(graph, tree, options), there(graph, tree, options));
    }
  }
}

TEST_F(CudaFronts, AreAtMostRoundingApartWhereWeightsAreReal) {
  const Graph graph = random_graph(900, 3600, 0.1, 9, {.real = true, .directed = false, .seed = 4});
  const auto tree = dissected(graph);
  const EliminationOptions options{.type = ValueType::f64};
  const Factor one = eliminate(graph, tree, options), other = there(graph, tree, options);
  const auto* const a = reinterpret_cast<const double*>(one.all_up());
  const auto* const b = reinterpret_cast<const double*>(other.all_up());
  for (std::int64_t i = 0; i < tree->upper_entries(); ++i) {
    ASSERT_TRUE(a[i] == b[i] || std::abs(a[i] - b[i]) <= 1e-12 * a[i]) << a[i] << " " << b[i];
  }
}

/// A supernode that no launch closes at once, below some vertices that are no whole tiles.
TEST_F(CudaFronts, CloseWideSupernodesInTiles) {
  constexpr std::int64_t kWidth = 2700, kUpper = 301;
  for (const bool directed : {false, true}) {
    const Graph graph =
        random_graph(kWidth + kUpper, 60000, 1, 500, {.directed = directed, .seed = 9});
    const auto tree = std::make_shared<const Tree>(
        pattern_of(graph), natural_order(kWidth + kUpper), std::vector<Position>{0, kWidth});
    const EliminationOptions options{.type = ValueType::u16, .sign = kernels::Sign::non_negative};
    expect_same_bytes(eliminate(graph, tree, options), there(graph, tree, options));
  }
}

TEST_F(CudaFronts, TellOfANegativeCycle) {
  std::vector<Edge> edges;
  for (Vertex i = 0; i < 200; ++i) {
    for (Vertex j = 0; j < 200; ++j) {
      if (i != j) edges.push_back({i, j, i == 20 && j == 40 ? -40.0 : 10.0});
    }
  }
  const Graph graph = graph_of(200, edges);
  const auto tree = std::make_shared<const Tree>(pattern_of(graph), natural_order(200),
                                                 std::vector<Position>{0, 90});
  const EliminationOptions options{.type = ValueType::i32};
  EXPECT_EQ(error_of([&] { there(graph, tree, options); }).kind(), ErrorKind::negative_cycle);
}

}  // namespace
}  // namespace apsp::sparse::front_test
