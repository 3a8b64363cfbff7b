// What is near, by every engine, against the textbook's distances.
#include <apsp/apsp.hpp>
#include <ctime>
#include <random>

#include "api/near.hpp"

#include "store/store.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/named_graphs.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::near_test {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr Algorithm kEngines[] = {Algorithm::automatic, Algorithm::johnson,
                                  Algorithm::nested_dissection};

struct Case {
  std::string name;
  Graph graph;
  std::vector<double> limits;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const NamedGraph& of : named_graphs(9))
    all.push_back({of.name, of.graph, {0, 4, 12.5, 1e9}});
  const RandomGraph real{.n = 200, .arcs = 500, .greatest = 2, .real = true};
  all.push_back({"RealDirected", random_graph(real), {0, 0.7, 2.3, kInfinity}});
  RandomGraph undirected = real;
  undirected.directed = false;
  all.push_back({"RealUndirected", random_graph(undirected), {0.4, 1.9}});
  all.push_back({"WeightsOfZero", random_graph({.n = 150, .arcs = 400, .greatest = 1}), {0, 1}});
  all.push_back(
      {"LargeWeights", random_graph({.n = 100, .arcs = 300, .least = 1, .greatest = 1e7}), {2e7}});
  all.push_back(
      {"Grid", generate({.kind = GraphKind::grid, .vertices = 900, .directed = false}), {30, 200}});
  return all;
}

/// Real sums are rounded, so limits lie between distances.
double between(const std::vector<double>& distances, double limit) {
  double below = 0, above = kInfinity;
  for (const double d : distances) {
    if (d <= limit) below = std::max(below, d);
    if (d > limit) above = std::min(above, d);
  }
  return above - below < 1e-9 ? below + 1e-9 : std::min(limit, (below + above) / 2);
}

std::vector<Vertex> some_sources(std::int64_t n) {
  std::vector<Vertex> sources;
  for (std::int64_t v = n - 1; v >= 0; v -= 3) sources.push_back(static_cast<Vertex>(v));
  return sources;
}

void expect_pairs(const Graph& graph, const std::vector<double>& all, double limit,
                  const NearOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const SparseDistances found = within(graph, limit, options);
  std::vector<Vertex> sources = options.sources;
  if (sources.empty()) {
    sources.resize(static_cast<std::size_t>(n));
    std::iota(sources.begin(), sources.end(), Vertex{0});
  }
  ASSERT_EQ(found.row_begin.size(), sources.size() + 1);
  EXPECT_EQ(found.vertices, n);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::vector<Vertex> expected;
    for (Vertex t = 0; t < n; ++t) {
      const double d = all[sources[i] * n + t];
      if (t != sources[i] && d <= limit && std::isfinite(d)) expected.push_back(t);
    }
    const auto begin = static_cast<std::size_t>(found.row_begin[i]);
    const auto end = static_cast<std::size_t>(found.row_begin[i + 1]);
    ASSERT_EQ(std::vector(found.targets.begin() + begin, found.targets.begin() + end), expected)
        << "source " << sources[i] << ", limit " << limit;
    for (std::size_t j = begin; j < end; ++j) {
      const double exact = all[sources[i] * n + found.targets[j]];
      ASSERT_NEAR(found.distances[j], exact, 1e-12 * exact);
    }
  }
}

TEST(Within, FindsTheTextbooksPairs) {
  for (const Case& of : cases()) {
    SCOPED_TRACE(of.name);
    const std::vector<double> all = verifier::floyd_warshall(of.graph, Semiring::min_plus);
    const bool real = !of.graph.weight_facts().integral;
    for (const double limit : of.limits) {
      const double asked = real && std::isfinite(limit) ? between(all, limit) : limit;
      for (const Algorithm engine : kEngines) {
        expect_pairs(of.graph, all, asked, {.algorithm = engine, .threads = 3});
        expect_pairs(of.graph, all, asked,
                     {.sources = some_sources(of.graph.vertex_count()), .algorithm = engine});
      }
    }
  }
}

TEST(Within, OfADeviceIsThatOfTheCpu) {
  for (const Case& of : cases()) {
    SCOPED_TRACE(of.name);
    for (const double limit : of.limits) {
      for (const bool all : {true, false}) {
        NearOptions options{.algorithm = Algorithm::johnson, .device = Device::cpu};
        if (!all) options.sources = some_sources(of.graph.vertex_count());
        const SparseDistances here = within(of.graph, limit, options);
        options.device = Device::cuda;
        const SparseDistances there =
            api::within_among(planner::one_device, of.graph, limit, options);
        EXPECT_TRUE(there.on_device);
        EXPECT_EQ(there.row_begin, here.row_begin);
        EXPECT_EQ(there.targets, here.targets);
        EXPECT_EQ(there.distances, here.distances);
      }
    }
  }
}

TEST(Within, IsSharedByDevices) {
  constexpr auto two = planner::several_devices<2>;
  const Graph roads = generate({.kind = GraphKind::grid, .vertices = 2500, .directed = false});
  NearOptions options{.device = Device::cpu};
  const SparseDistances here = within(roads, 300, options);
  options.device = Device::cuda;
  options.device_ordinals = {0, 1};
  const SparseDistances there = api::within_among(two, roads, 300, options);
  EXPECT_EQ(there.targets, here.targets);
  EXPECT_EQ(there.distances, here.distances);
}

TEST(Within, SaysWhyADeviceDoesNotSearch) {
  const Graph roads = generate({.kind = GraphKind::grid, .vertices = 100, .directed = false});
  NearOptions options{.algorithm = Algorithm::nested_dissection, .device = Device::cuda};
  EXPECT_ERROR(usage, within(roads, 5, options));
  options.algorithm = Algorithm::automatic;
  EXPECT_ERROR(device, api::within_among(planner::no_device, roads, 5, options));
  const auto small = [] {
    return planner::invented_devices({planner::invented_h200(0, std::int64_t{4} << 10)});
  };
  EXPECT_ERROR(does_not_fit, api::within_among(small, roads, 5, options));
  const std::vector<double> ones(100, 1), limits = {5};
  EXPECT_ERROR(usage, access(roads, ones, limits, {}, options));
}

TEST(Within, TakesEitherEngineByWhatIsNear) {
  const Graph roads = generate({.kind = GraphKind::grid, .vertices = 90000, .directed = false});
  EXPECT_EQ(within(roads, 50).algorithm, Algorithm::johnson);
  const NearOptions few{.sources = some_sources(90000)};
  NearOptions swept = few;
  swept.algorithm = Algorithm::nested_dissection;
  const std::vector<double> ones(90000, 1), far = {3000};
  EXPECT_EQ(access(roads, ones, far, {}, few), access(roads, ones, far, {}, swept));
}

TEST(Near, RefusesAnswersThatFitNoMemory) {
  const Graph roads = generate({.kind = GraphKind::grid, .vertices = 1000000, .directed = false});
  constexpr double kFar = std::numeric_limits<double>::infinity();
  EXPECT_ERROR(does_not_fit, within(roads, kFar, {.algorithm = Algorithm::johnson, .threads = 1}));

  const std::vector<Vertex> places = {1, 2};
  EXPECT_ERROR(does_not_fit, nearest(roads, places, std::int64_t{1} << 40));
}

TEST(Near, KeepsTheMemoryThatItIsGranted) {
  constexpr std::int64_t kLittle = 1 << 20, kMuch = std::int64_t{64} << 30;
  const Graph roads = generate({.kind = GraphKind::grid, .vertices = 10000, .directed = false});
  const std::vector<Vertex> places = {1, 2};
  const std::vector<double> ones(10000, 1), limits = {50};
  const auto refused = [](const auto& ask) {
    EXPECT_EQ(error_of(ask).kind(), ErrorKind::does_not_fit);
  };
  refused([&] { nearest(roads, places, 1, Towards::places, {}, kLittle); });
  refused([&] { within(roads, 50, {.memory = kLittle}); });
  refused([&] { access(roads, ones, limits, {}, {.memory = kLittle}); });
  EXPECT_EQ(nearest(roads, places, 1, Towards::places, {}, kMuch).distances,
            nearest(roads, places).distances);
  EXPECT_EQ(within(roads, 50, {.memory = kMuch}).targets, within(roads, 50).targets);
}

double share_of(double distance, double limit, const Decay& decay) {
  if (decay.kind == Decay::Kind::exponential) return std::exp(-distance / decay.scale);
  if (decay.kind == Decay::Kind::linear && distance > 0) return 1 - distance / limit;
  return 1;
}

TEST(Access, AddsUpWhatIsReached) {
  constexpr std::int64_t kColumns = 3;
  for (const Case& of : cases()) {
    SCOPED_TRACE(of.name);
    const std::int64_t n = of.graph.vertex_count();
    const std::vector<double> all = verifier::floyd_warshall(of.graph, Semiring::min_plus);
    std::vector<double> limits = of.limits;
    for (double& limit : limits) {
      if (!of.graph.weight_facts().integral && std::isfinite(limit)) limit = between(all, limit);
    }
    std::vector<double> quantities;
    for (std::int64_t i = 0; i < kColumns * n; ++i) {
      quantities.push_back(static_cast<double>(i * 7919 % 101 - 20));
    }
    for (const Decay decay :
         {Decay{}, Decay{Decay::Kind::exponential, 3}, Decay{Decay::Kind::linear, 1}}) {
      for (const Algorithm engine : kEngines) {
        const NearOptions options{.sources = some_sources(n), .algorithm = engine, .threads = 2};
        const std::vector<double> found = access(of.graph, quantities, limits, decay, options);
        ASSERT_EQ(found.size(), options.sources.size() * limits.size() * kColumns);
        std::size_t at = 0;
        for (const Vertex s : options.sources) {
          for (const double limit : limits) {
            for (std::int64_t c = 0; c < kColumns; ++c, ++at) {
              double sum = 0;
              for (Vertex t = 0; t < n; ++t) {
                const double d = all[s * n + t];
                if (d > limit || std::isinf(d)) continue;
                sum += quantities[c * n + t] * share_of(d, limit, decay);
              }
              ASSERT_NEAR(found[at], sum, 1e-9 * (1 + std::abs(sum))) << s << " " << limit;
              if (decay.kind == Decay::Kind::none) {
                ASSERT_EQ(found[at], sum);
              }
            }
          }
        }
      }
    }
  }
}

TEST(Nearest, FindsTheTextbooksPlacesAndBreaksTiesByTheList) {
  for (const Case& of : cases()) {
    const std::int64_t n = of.graph.vertex_count();
    if (n == 0) continue;
    SCOPED_TRACE(of.name);
    const std::vector<double> all = verifier::floyd_warshall(of.graph, Semiring::min_plus);
    std::vector<Vertex> places = some_sources(n);
    places.push_back(places.front());  // twice
    for (const std::int64_t k : {1, 2, 5}) {
      for (const Towards towards : {Towards::places, Towards::vertices}) {
        const NearestPlaces found = nearest(of.graph, places, k, towards);
        for (Vertex v = 0; v < n; ++v) {
          std::vector<std::pair<double, std::int64_t>> expected;
          for (std::size_t p = 0; p < places.size(); ++p) {
            const double d =
                towards == Towards::places ? all[v * n + places[p]] : all[places[p] * n + v];
            if (std::isfinite(d)) expected.emplace_back(d, p);
          }
          std::sort(expected.begin(), expected.end());
          for (std::int64_t i = 0; i < k; ++i) {
            const std::size_t at = v * k + i;
            if (i >= std::ssize(expected)) {
              ASSERT_EQ(found.places[at], NearestPlaces::kNone);
              ASSERT_EQ(found.distances[at], kInfinity);
              continue;
            }
            ASSERT_NEAR(found.distances[at], expected[i].first, 1e-12 * expected[i].first);
            if (of.graph.weight_facts().integral) {
              ASSERT_EQ(found.places[at], expected[i].second) << v << " " << i;
            }
          }
        }
      }
    }
  }
}

TEST(Nearest, AreTheSameAcrossTheRegionsOfALargeGraph) {
  // Vertices of a geometric graph have some six neighbours: few are eliminated before the search.
  for (const auto& [kind, directed] :
       {std::pair(GraphKind::roads, true), std::pair(GraphKind::roads, false),
        std::pair(GraphKind::geometric, false)}) {
    const Graph graph = generate(
        {.kind = kind, .vertices = 20000, .greatest_weight = 20, .directed = directed, .seed = 5});
    for (const std::int64_t apart : {199, 3}) {  // everywhere, and in a corner
      std::vector<Vertex> places;
      for (std::int64_t i = 0; i < 100; ++i) places.push_back(static_cast<Vertex>(apart * i));
      const NearestPlaces found = nearest(graph, places, 3, Towards::vertices);
      std::vector<std::vector<double>> rows;
      for (const Vertex place : places) {
        rows.push_back(verifier::dijkstra(graph, place));
      }
      for (std::size_t v = 0; v < 20000; v += 7) {
        std::vector<std::pair<double, std::int64_t>> expected;
        for (std::size_t p = 0; p < places.size(); ++p) {
          expected.emplace_back(rows[p][v], static_cast<std::int64_t>(p));
        }
        std::sort(expected.begin(), expected.end());
        for (std::size_t i = 0; i < 3; ++i) {
          ASSERT_EQ(found.distances[3 * v + i], expected[i].first) << v;
          const bool any = std::isfinite(expected[i].first);
          ASSERT_EQ(found.places[3 * v + i], any ? expected[i].second : NearestPlaces::kNone) << v;
        }
      }
    }
  }
}

/// Distances that real weights round do not lie on a limit.
std::vector<double> kept_limits(const Case& of, const std::vector<double>& all) {
  std::vector<double> limits;
  for (const double limit : of.limits) {
    if (!std::isfinite(limit)) continue;
    limits.push_back(of.graph.weight_facts().integral ? limit : between(all, limit));
  }
  return limits;
}

TEST(Reach, AddsUpWhatTheTextbookReaches) {
  for (const Case& of : cases()) {
    SCOPED_TRACE(of.name);
    const std::int64_t n = of.graph.vertex_count();
    const std::vector<double> all = verifier::floyd_warshall(of.graph, Semiring::min_plus);
    const std::vector<double> limits = kept_limits(of, all);
    const double most = *std::ranges::max_element(limits);
    std::vector<double> quantities;
    for (std::int64_t i = 0; i < 2 * n; ++i) {
      quantities.push_back(static_cast<double>(i * 7919 % 101 - 20));
    }
    for (const Algorithm engine : kEngines) {
      for (const std::vector<Vertex>& sources : {std::vector<Vertex>(), some_sources(n)}) {
        const NearOptions options{.sources = sources, .algorithm = engine, .threads = 2};
        const Reach reach(of.graph, most, true, options);
        std::int64_t pairs = 0;
        std::vector<bool> listed(static_cast<std::size_t>(n), sources.empty());
        for (const Vertex s : sources) listed[s] = true;
        for (std::int64_t i = 0; i < n * n; ++i) {
          pairs += listed[i / n] && all[i] <= most && std::isfinite(all[i]) ? 1 : 0;
        }
        EXPECT_EQ(reach.pairs(), pairs);
        const std::vector<double> largest{most};
        EXPECT_EQ(reach.sums(quantities), access(of.graph, quantities, largest, {}, options));
        EXPECT_EQ(reach.sums(quantities, limits),
                  access(of.graph, quantities, limits, {}, options));
        const Reach sets(of.graph, most, false, options);
        EXPECT_EQ(sets.pairs(), pairs);
        EXPECT_EQ(sets.sums(quantities), reach.sums(quantities));
        for (const Decay decay : {Decay{Decay::Kind::exponential, 3}, Decay{Decay::Kind::linear}}) {
          const std::vector<double> found = reach.sums(quantities, limits, decay);
          const std::vector<double> expected = access(of.graph, quantities, limits, decay, options);
          ASSERT_EQ(found.size(), expected.size());
          for (std::size_t i = 0; i < found.size(); ++i) {
            ASSERT_NEAR(found[i], expected[i], 1e-9 * (1 + std::abs(expected[i])));
          }
        }
      }
    }
  }
}

TEST(Reach, KeepsShortDistancesOfLargeGraphsInTwoBytes) {
  std::vector<Edge> arcs;
  for (Vertex v = 0; v + 1 < 1000; ++v) arcs.push_back({v, v + 1, 1000});
  const Graph path = graph_of(1000, arcs, false);  // distances up to 999,000
  const std::vector<double> ones(1000, 1), limits{1500, 32500};
  for (const Algorithm engine : kEngines) {
    const Reach near(path, 32766, true, {.algorithm = engine});
    const Reach far(path, 32767, true, {.algorithm = engine});
    EXPECT_EQ(near.pairs(), far.pairs());
    EXPECT_EQ(far.bytes() - near.bytes(), 2 * far.pairs());
    EXPECT_EQ(near.sums(ones, limits), far.sums(ones, limits));
    EXPECT_EQ(near.sums(ones, limits)[2 * 500], 3);
    EXPECT_EQ(near.sums(ones, limits)[2 * 500 + 1], 65);
  }
}

TEST(Reach, RefusesWhatItCannotAnswer) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 100});
  const std::vector<double> ones(100, 1), smaller{2}, larger{6}, many(100, 0x1p52);
  const Reach reach(graph, 5), sets(graph, 5, false);
  const auto refused = [](ErrorKind kind, auto&& act) { EXPECT_EQ(error_of(act).kind(), kind); };
  constexpr ErrorKind kUsage = ErrorKind::usage;
  refused(kUsage, [&] { Reach(graph, kInfinity); });
  refused(kUsage, [&] { Reach(graph, -1); });
  refused(kUsage, [&] { Reach(graph, std::nan("")); });
  refused(kUsage, [&] { Reach(graph_of(2, {{0, 1, -1}}), 1); });
  refused(kUsage, [&] { Reach(graph, 1, true, {.sources = {3, 3}}); });
  refused(kUsage, [&] { reach.sums(ones, larger); });
  refused(kUsage, [&] { reach.sums(std::vector<double>(99)); });
  refused(kUsage, [&] { reach.sums(many); });
  refused(kUsage, [&] { sets.sums(ones, smaller); });
  refused(kUsage, [&] { sets.sums(ones, {}, {Decay::Kind::linear}); });
  refused(ErrorKind::does_not_fit, [&] { Reach(graph, 5, true, {.memory = 1 << 20}); });
  Cancellation stop;
  stop.request();
  refused(ErrorKind::interrupted,
          [&] { Reach(graph, 5, true, {.control = {.cancellation = &stop}}); });
}

TEST(Access, DecaysAtAnyScale) {
  const Graph graph = graph_of(2, {{0, 1, 1}}, true);
  const std::vector<double> ones(2, 1), limits = {5};
  const auto sums = [&](double scale) {
    return access(graph, ones, limits, {Decay::Kind::exponential, scale}, {.threads = 1});
  };
  EXPECT_EQ(sums(std::numeric_limits<double>::denorm_min()), (std::vector<double>{1, 1}));
  EXPECT_EQ(sums(std::numeric_limits<double>::max()), (std::vector<double>{2, 1}));
}

TEST(Near, RefusesWhatItCannotAnswer) {
  const Graph graph = generate({.kind = GraphKind::grid, .vertices = 100});
  const Graph negative = graph_of(2, {{0, 1, -1}});
  const std::vector<double> ones(100, 1), limits{5};
  const auto message = [](auto&& act) { EXPECT_EQ(error_of(act).kind(), ErrorKind::usage); };
  message([&] { within(graph, -1); });
  message([&] { within(graph, std::nan("")); });
  message([&] { within(negative, 1); });
  message([&] { access(negative, std::vector<double>(2, 1), limits); });
  message([&] { within(graph, 1, {.algorithm = Algorithm::floyd_warshall}); });
  message([&] { within(graph, 1, {.sources = {3, 3}}); });
  message([&] { access(graph, std::vector<double>(99), limits); });
  message([&] { access(graph, std::vector<double>(100, kInfinity), limits); });
  message([&] { access(graph, ones, {}); });
  message([&] { access(graph, ones, std::vector<double>{-1}); });
  message([&] { access(graph, ones, limits, {Decay::Kind::exponential, 0}); });
  message([&] { nearest(graph, {}, 1); });
  message([&] { nearest(graph, std::vector<Vertex>{1}, 0); });
  const Vertex one = 1;  // too many are refused before any is looked at
  message([&] { nearest(graph, std::span(&one, std::size_t{1} << 31), 1); });
  message([&] { nearest(graph, std::vector<Vertex>{100}, 1); });
  message([&] { nearest(negative, std::vector<Vertex>{1}, 1); });
}

TEST(Access, AddsUpWholeNumbersExactlyOrNotAtAll) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 1}}, false);
  const std::vector<double> limits = {5};
  const double most = 0x1p53 - 1;
  EXPECT_EQ(access(graph, std::vector<double>{most - 3, 2, 1}, limits),
            (std::vector<double>{most, most, most}));
  const auto refused = [&](const std::vector<double>& quantities) {
    return error_of([&] { access(graph, quantities, limits); });
  };
  EXPECT_EQ(refused({most, 1, 0}).kind(), ErrorKind::usage);
  refused({1, 1, 1, most, -1, 1});
  refused({0x1p60, 0, 0});
  // Real numbers are rounded, and so is what decays.
  EXPECT_NO_THROW(access(graph, std::vector<double>{0x1p60, 0.5, 0}, limits));
  EXPECT_NO_THROW(access(graph, std::vector<double>{0x1p60, 1, 0}, limits, {Decay::Kind::linear}));
}

TEST(Near, RefusesSumsOfWholeWeightsThatDoublesRound) {
  const Graph graph = graph_of(3, {{0, 1, 0x1p53 - 1}, {1, 2, 5}});
  const std::vector<Vertex> end = {2};
  EXPECT_ERROR(does_not_fit, nearest(graph, end, 1));
  EXPECT_ERROR(does_not_fit, within(graph, 0x1p54));
  EXPECT_EQ(within(graph, 0x1p52).targets.size(), 1u);
}

/// v(i) → hub of weight 3 i, v(i + 1) → v(i) of weight 1, and one edge of a huge weight: the hub's
/// distance falls at every vertex of the chain.
Graph star_with_a_huge_weight(std::int64_t n, std::uint64_t order, double huge) {
  std::vector<Vertex> chain(static_cast<std::size_t>(n));
  std::iota(chain.begin(), chain.end(), Vertex{1});
  if (order == 1) std::reverse(chain.begin(), chain.end());
  if (order == 2) std::shuffle(chain.begin(), chain.end(), std::mt19937_64(1));
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < chain.size(); ++i) {
    edges.push_back({chain[i], 0, 3.0 * static_cast<double>(i + 1)});
    if (i + 1 < chain.size()) edges.push_back({chain[i + 1], chain[i], 1});
  }
  edges.push_back({static_cast<Vertex>(n + 1), 0, huge});
  return graph_of(n + 2, edges);
}

TEST(Nearest, TakeTheTimeOfDijkstrasAlgorithmWhateverTheWeights) {
  constexpr std::int64_t kVertices = 60'000;  // n² steps took 4 s and more
  for (const std::uint64_t order : {0, 1, 2}) {
    for (const double huge : {1e9, 1e9 + 0.5}) {
      const Graph graph = star_with_a_huge_weight(kVertices, order, huge);
      for (const Towards towards : {Towards::places, Towards::vertices}) {
        const std::vector<Vertex> places = {0, static_cast<Vertex>(kVertices / 2)};
        const std::clock_t begin = std::clock();
        const NearestPlaces found = nearest(graph, places, 2, towards);
        EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 1.5);
        EXPECT_TRUE(verify(found, graph, places, towards).passed);
      }
    }
  }
}

}  // namespace
}  // namespace apsp::near_test

namespace apsp::api::near_test {
namespace {

template <class T>
std::vector<T> read(const store::Store& stored, std::size_t number) {
  const store::Array array = stored.arrays().at(number);
  std::vector<T> values(static_cast<std::size_t>(array.length));
  stored.read_array(array, values.data());
  return values;
}

class NearStore : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "near.zarr";
  const Graph graph_ = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 40}}, false);
};

TEST_F(NearStore, HoldsRowsAndTheGraph) {
  write_zarr(within(graph_, 5), graph_, 5, {}, path_);
  const auto stored = store::open_store(path_);
  EXPECT_THAT(read<std::int32_t>(*stored, 0), ElementsAre(0, 2, 4, 6, 6));
  EXPECT_THAT(read<std::int32_t>(*stored, 1), ElementsAre(1, 2, 0, 2, 0, 1));
  EXPECT_THAT(read<double>(*stored, 2), ElementsAre(2, 5, 2, 3, 5, 3));
  EXPECT_EQ(stored->graph()->digest(), graph_.digest());
}

TEST_F(NearStore, NamesTheSourcesOfItsRows) {
  const std::vector<Vertex> sources = {2, 0};
  write_zarr(within(graph_, 3, {.sources = sources}), graph_, 3, sources, path_);
  const auto stored = store::open_store(path_);
  EXPECT_THAT(read<std::int32_t>(*stored, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(read<std::int32_t>(*stored, 1), ElementsAre(1, 1));
  EXPECT_THAT(stored->layout().selection.sources.listed(), ElementsAre(2, 0));
}

TEST_F(NearStore, HoldsNoPairsToo) {
  const Graph empty = graph_of(0, {}, true), alone = graph_of(1, {}, true);
  for (const Graph& graph : {empty, alone}) {
    write_zarr(within(graph, 1), graph, 1, {}, path_);
    EXPECT_EQ(store::open_store(path_)->arrays().at(0).length, graph.vertex_count() + 1);
  }
}

TEST_F(NearStore, IsNoResultOfAllPairs) {
  write_zarr(within(graph_, 5), graph_, 5, {}, path_);
  EXPECT_ERROR(usage, open_result(path_));
  EXPECT_ERROR(usage, update_stored(path_, [](const Graph& graph) { return graph; }));
  EXPECT_ERROR(usage, write_zarr(within(graph_, 5), graph_, 5, {}, folder_ / "a.csv"));
}

}  // namespace
}  // namespace apsp::api::near_test
