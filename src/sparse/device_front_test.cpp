// Fronts on a strict device against those of the host: the same bytes where values are integers.
#include "sparse/device_front.hpp"

#include "sparse/eliminate.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::device_front_test {
namespace {

constexpr std::int64_t kTile = 8, kPlenty = 1 << 24;

std::vector<SupernodeId> all_fronts(const Tree& tree) {
  std::vector<SupernodeId> all(static_cast<std::size_t>(tree.supernodes()));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

FrontBuffers buffers_of(const Tree& tree, const kernels::DeviceSizes& sizes, ValueType type) {
  FrontBuffers buffers(sizes, size_of(type), kTile);
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    buffers.add(tree.width(s), tree.structure_size(s));
  }
  return buffers;
}

/// A supernode of `width` vertices below one of `upper`, which all are neighbours.
struct OneFront {
  Graph graph;
  std::shared_ptr<const Tree> tree;

  OneFront(std::int64_t width, std::int64_t upper, bool directed) : graph(clique(width, upper)) {
    if (!directed) graph = clique(width, upper, false);
    std::vector<Position> first = {0};
    if (upper > 0) first.push_back(static_cast<Position>(width));
    tree = std::make_shared<const Tree>(pattern_of(graph), natural_order(width + upper), first);
  }
  static Graph clique(std::int64_t width, std::int64_t upper, bool directed = true) {
    std::vector<Edge> edges;
    for (Vertex i = 0; i < width + upper; ++i) {
      for (Vertex j = 0; j < width + upper; ++j) {
        if (i == j || (!directed && i > j)) continue;
        edges.push_back({i, j, static_cast<double>((i * 37 + j * (directed ? 91 : 37)) % 53 + 1)});
      }
    }
    return graph_of(width + upper, edges, directed);
  }
};

TEST(DeviceFronts, LeaveTheBytesOfTheHostInEverySemiringOfDevices) {
  for (const auto& [semiring, type] : all_kinds()) {
    if (type == ValueType::boolean) continue;  // devices have bits instead
    for (const bool directed : {false, true}) {
      if (semiring == Semiring::max_plus && !directed) continue;
      const Graph graph = random_graph(
          150, directed ? 600 : 400, 1, 50,
          {.directed = directed, .acyclic = semiring == Semiring::max_plus, .seed = 21});
      const std::shared_ptr<const Tree> tree = dissected(graph);
      const std::vector<SupernodeId> all = all_fronts(*tree);
      const auto device = kernels::strict::make_device(semiring, type, kPlenty);
      for (const int threads : {1, 2}) {
        EliminationOptions options{.semiring = semiring, .type = type, .threads = threads};
        const Factor here = eliminate(graph, tree, options);
        options.share = {device.get(), all, 0, kTile};
        expect_same_bytes(here, eliminate(graph, tree, options));
      }
    }
  }
}

TEST(DeviceFronts, TakeFrontsOfEveryShape) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t width : {1, 3, 7, 8, 9, 17, 40}) {
      for (const std::int64_t upper : {0, 1, 4, 5, 8, 30}) {
        const OneFront one(width, upper, directed);
        const std::vector<SupernodeId> all = all_fronts(*one.tree);
        const auto device =
            kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kPlenty);
        EliminationOptions options{.type = ValueType::u16};
        const Factor here = eliminate(one.graph, one.tree, options);
        options.share = {device.get(), all, 0, kTile};
        SCOPED_TRACE(testing::Message() << width << " below " << upper);
        expect_same_bytes(here, eliminate(one.graph, one.tree, options));
      }
    }
  }
}

TEST(DeviceFronts, AreAtMostRoundingApartWhereWeightsAreReal) {
  for (const bool directed : {false, true}) {
    const Graph graph =
        random_graph(200, 900, 0.1, 9, {.real = true, .directed = directed, .seed = 4});
    const std::shared_ptr<const Tree> tree = dissected(graph);
    const std::vector<SupernodeId> all = all_fronts(*tree);
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::f64, kPlenty);
    EliminationOptions options{.type = ValueType::f64};
    const Factor here = eliminate(graph, tree, options);
    options.share = {device.get(), all, 0, kTile};
    const Factor there = eliminate(graph, tree, options);
    const auto expect_near = [](const std::byte* a, const std::byte* b, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) {
        const double of_a = reinterpret_cast<const double*>(a)[i];
        const double of_b = reinterpret_cast<const double*>(b)[i];
        ASSERT_TRUE(of_a == of_b || std::abs(of_a - of_b) <= 1e-13 * of_a) << of_a << " " << of_b;
      }
    };
    expect_near(here.all_closed(), there.all_closed(), tree->diagonal_entries());
    expect_near(here.all_up(), there.all_up(), tree->upper_entries());
    if (directed) expect_near(here.all_down(), there.all_down(), tree->upper_entries());
  }
}

TEST(DeviceFronts, TakeTheMemoryThatTheySayAndNoMore) {
  const Graph graph = random_graph({.n = 120, .arcs = 700, .least = 1, .greatest = 50, .seed = 2});
  const std::shared_ptr<const Tree> tree = dissected(graph);
  const std::vector<SupernodeId> all = all_fronts(*tree);
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::u16);
  const std::int64_t bytes = buffers_of(*tree, *sizes, ValueType::u16).device_bytes();
  EliminationOptions options{.type = ValueType::u16};
  const auto enough = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, bytes);
  options.share = {enough.get(), all, 0, kTile};
  EXPECT_NO_THROW(eliminate(graph, tree, options));
  EXPECT_EQ(enough->memory_free(), bytes) << "it is given back before sweeps begin";
  const auto little = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, bytes - 1);
  options.share.device = little.get();
  EXPECT_ERROR(does_not_fit, eliminate(graph, tree, options));
}

TEST(DeviceFronts, TellOfANegativeCycle) {
  for (const std::int64_t width : {5, 30}) {  // at once, and in tiles
    std::vector<Edge> edges;
    for (Vertex i = 0; i < 40; ++i) {
      for (Vertex j = 0; j < 40; ++j) {
        if (i != j) edges.push_back({i, j, i == 2 && j == 4 ? -40.0 : 10.0});
      }
    }
    const Graph graph = graph_of(40, edges);
    const auto tree =
        std::make_shared<const Tree>(pattern_of(graph), natural_order(40),
                                     std::vector<Position>{0, static_cast<Position>(width)});
    const std::vector<SupernodeId> all = all_fronts(*tree);
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kPlenty);
    EliminationOptions options{.type = ValueType::i32};
    const Error here = error_of([&] { eliminate(graph, tree, options); });
    options.share = {device.get(), all, 0, kTile};
    const Error there = error_of([&] { eliminate(graph, tree, options); });
    EXPECT_EQ(there.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(there.cycle().vertices, here.cycle().vertices);
  }
}

/// Asks for an end once the device has been at work for some steps.
class Impatient final : public Progress {
 public:
  explicit Impatient(Cancellation& cancellation) : cancellation_(cancellation) {}
  void begin(std::string_view, double, std::string_view) override {}
  void update(double) override { cancellation_.request(); }
  void end() override {}

 private:
  Cancellation& cancellation_;
};

TEST(DeviceFronts, EndWhereTheyAreInterrupted) {
  const OneFront one(60, 20, true);
  const std::vector<SupernodeId> all = all_fronts(*one.tree);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kPlenty);
  Cancellation cancellation;
  Impatient progress(cancellation);
  EliminationOptions options{.type = ValueType::u16, .control = {&progress, &cancellation}};
  options.share = {device.get(), all, 0, kTile};
  EXPECT_ERROR(interrupted, eliminate(one.graph, one.tree, options));
  EXPECT_EQ(device->memory_free(), kPlenty);
}

TEST(DeviceShare, ClosesSupernodesWhoseFrontsStayOnTheHost) {
  for (const bool directed : {false, true}) {
    for (const ValueType type : {ValueType::u16, ValueType::i32}) {
      const Graph graph =
          random_graph(300, directed ? 1200 : 800, 1, 50, {.directed = directed, .seed = 21});
      const std::shared_ptr<const Tree> tree = dissected(graph);
      const auto device = kernels::strict::make_device(Semiring::min_plus, type, kPlenty);
      for (const int threads : {1, 2}) {
        EliminationOptions options{Semiring::min_plus,        type,    kernels::Sign::non_negative,
                                   kernels::Cycles::possible, threads, {}};
        const Factor here = eliminate(graph, tree, options);
        options.share = {.device = device.get(), .closed_from = 10, .tile = 8};
        std::int64_t wide = 0;
        for (SupernodeId s = 0; s < tree->supernodes(); ++s) {
          wide += options.share.closes(tree->width(s), 0) ? 1 : 0;
        }
        EXPECT_GT(wide, 0);
        expect_same_bytes(here, eliminate(graph, tree, options));
        const std::vector<SupernodeId> last = {tree->supernodes() - 1};
        options.share.fronts = last;
        expect_same_bytes(here, eliminate(graph, tree, options));
      }
    }
  }
}

TEST(DeviceShare, TakesTheMemoryThatItSaysAndNoMore) {
  const Graph graph = random_graph({.n = 120, .arcs = 1500, .least = 1, .greatest = 50, .seed = 2});
  const std::shared_ptr<const Tree> tree = dissected(graph);
  const std::int64_t width = tree->width(tree->supernodes() - 1);
  const auto sizes = kernels::strict::sizes(Semiring::min_plus, ValueType::u16);
  const std::int64_t bytes = DeviceShare::closing_bytes(*sizes, width, 16, ValueType::u16);
  EliminationOptions options{.type = ValueType::u16};
  const auto enough = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, bytes);
  options.share = {enough.get(), {}, width, 16};
  EXPECT_NO_THROW(eliminate(graph, tree, options));
  const auto little = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, bytes - 1);
  options.share.device = little.get();
  EXPECT_ERROR(does_not_fit, eliminate(graph, tree, options));
}

TEST(DeviceShare, TellsOfANegativeCycle) {
  std::vector<Edge> edges;
  for (Vertex i = 0; i < 30; ++i) {
    for (Vertex j = 0; j < 30; ++j) {
      if (i != j) edges.push_back({i, j, i == 7 && j == 9 ? -40.0 : 10.0});
    }
  }
  const Graph graph = graph_of(30, edges);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kPlenty);
  EliminationOptions options{.type = ValueType::i32};
  options.share = {device.get(), {}, 10, 8};
  EXPECT_ERROR(negative_cycle, eliminate(graph, dissected(graph), options));
}

}  // namespace
}  // namespace apsp::sparse::device_front_test
