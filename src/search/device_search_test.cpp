// Searches on a device, which here is the strict one, against the textbook.
#include "search/device_search.hpp"

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::search::device_search_test {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20;

std::vector<Vertex> all_of(const Graph& graph) {
  std::vector<Vertex> all(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

/// How a graph is searched.
struct Searched {
  SearchBatches how{.batch = 7, .searches = 3, .piece = 2};
  double step = 10;
  std::int64_t near_bytes = kNearBytes;  // beyond which vertices are numbered anew
  std::vector<Vertex> targets{};         // empty: all
  std::int64_t memory = kMemory;
  int devices = 1;
};

/// [n, n] doubles, rows of `sources` and columns of the targets alone; others hold -1.
std::vector<double> searched_rows(const Graph& graph, Semiring semiring, ValueType type,
                                  std::span<const Vertex> sources, const Searched& as) {
  const std::int64_t n = graph.vertex_count();
  std::vector<double> all(static_cast<std::size_t>(n * n), -1);
  const store::VertexList targets(as.targets);
  const auto take = [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
    EXPECT_EQ(stride, targets.size(n));
    semiring::dispatch(semiring, type, [&]<class S>() {
      using T = typename S::Value;
      for (std::size_t i = 0; i < some.size(); ++i) {
        for (std::int64_t j = 0; j < stride; ++j) {
          const T value = static_cast<const T*>(rows)[static_cast<std::int64_t>(i) * stride + j];
          all[static_cast<std::size_t>(some[i] * n + targets.at(j))] =
              value == S::zero() ? no_path(semiring, ValueType::f64) : static_cast<double>(value);
        }
      }
    });
  };
  const WeightFacts& facts = graph.weight_facts();
  const bool longest = semiring == Semiring::max_plus;
  std::optional<Potentials> found;
  if (longest ? facts.greatest > 0 : semiring == Semiring::min_plus && facts.least < 0) {
    found = potentials(graph, longest ? -1 : 1);
  }
  SearchedGraph searched = searched_graph(graph, semiring, type, Direction::kept,
                                          found ? &*found : nullptr, as.near_bytes);
  searched.step = as.step;
  const Control control;
  SourceBlocks blocks(sources, as.how.batch, control);
  for (int i = 0; i < as.devices; ++i) {  // the first finds all
    const auto device = kernels::strict::make_device(semiring, type, as.memory);
    rows_by_searches(searched, *device, targets, as.how, blocks, take);
  }
  return all;
}

flow::CountedDistances counted(const Graph& graph, ValueType type, std::span<const Vertex> targets,
                               kernels::ComputeDevice& device, const SearchBatches& how,
                               std::int64_t limit, std::int64_t near_bytes = kNearBytes) {
  const SearchedGraph searched = searched_graph(
      graph, Semiring::min_plus, type, graph.symmetric() ? Direction::kept : Direction::reversed,
      nullptr, near_bytes);
  const Control control;
  SourceBlocks blocks(targets, how.batch, control);
  return count_by_searches(searched, device, how, blocks, limit);
}

TEST(DeviceSearch, FindsTheRowsOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 100;
  for (const Semiring semiring :
       {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : types_of(semiring)) {
      for (const bool directed : {false, true}) {
        for (const std::int64_t n : {1, 2, 17, 40}) {
          if (longest && !directed) continue;
          const Graph graph = random_graph(
              n, n * 3,
              longest                          ? -30.0
              : semiring == Semiring::min_plus ? 0.0
                                               : 1.0,
              longest ? 0.0 : 30.0, {.directed = directed, .acyclic = longest, .seed = ++seed});
          EXPECT_EQ(searched_rows(graph, semiring, type, all_of(graph), {}),
                    expected_rows(graph, semiring, type))
              << name(semiring) << " " << name(type) << " n " << n;
        }
      }
    }
  }
}

TEST(DeviceSearch, GivesRowsOnTheDeviceWhichLaterBatchesLeaveAlone) {
  const Graph graph = random_graph({.n = 50, .arcs = 200, .least = 1, .greatest = 30, .seed = 5});
  const std::vector<double> expected = expected_rows(graph, Semiring::min_plus, ValueType::f64);
  const SearchedGraph searched = searched_graph(graph, Semiring::min_plus, ValueType::f64,
                                                Direction::kept, nullptr, kNearBytes);
  const std::vector<Vertex> sources = all_of(graph);
  for (const std::int64_t piece : {1, 2, 7}) {
    for (const bool also_here : {false, true}) {
      const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::f64, kMemory);
      const Control control;
      SourceBlocks blocks(sources, 7, control);
      std::vector<Vertex> taken, here;
      TakeRows take;
      if (also_here) {
        take = [&](std::span<const Vertex> some, const void*, std::int64_t) {
          here.insert(here.end(), some.begin(), some.end());
        };
      }
      rows_by_searches(searched, *device, {}, {.batch = 7, .searches = 3, .piece = piece}, blocks,
                       take, [&](std::span<const Vertex> some, kernels::View rows) {
                         for (kernels::QueueId queue = 0; queue < 2; ++queue) {
                           device->synchronize(queue);  // all that is queued ahead
                         }
                         const auto* row = static_cast<const double*>(rows.data);
                         for (const Vertex source : some) {
                           taken.push_back(source);
                           for (std::size_t v = 0; v < 50; ++v) {
                             ASSERT_EQ(row[v], expected[source * 50 + v]);
                           }
                           row += rows.stride;
                         }
                       });
      EXPECT_EQ(taken, sources);
      EXPECT_EQ(here, also_here ? sources : std::vector<Vertex>());
      EXPECT_EQ(kernels::strict::copied_out(*device), also_here ? 50 * 50 * 8 : 0);
    }
  }
}

TEST(DeviceSearch, TakesSomeSourcesInAnyOrderAndBatchesOfAnySize) {
  const Graph graph = random_graph({.n = 50, .arcs = 200, .least = 1, .greatest = 30, .seed = 5});
  std::vector<double> expected = expected_rows(graph, Semiring::min_plus, ValueType::i32);
  std::vector<Vertex> sources;
  for (Vertex v = 0; v < 20; ++v) sources.push_back(v * 7 % 50);
  for (Vertex v = 0; v < 50; ++v) {
    if (std::find(sources.begin(), sources.end(), v) != sources.end()) continue;
    std::fill_n(expected.begin() + v * 50, 50, -1.0);
  }
  for (const Searched& as :
       {Searched{.how = {1, 1, 1}, .step = 1}, Searched{.how = {20, 2, 20}, .step = 5},
        Searched{.how = {64, 64, 3}, .step = 0, .devices = 2}}) {
    EXPECT_EQ(searched_rows(graph, Semiring::min_plus, ValueType::i32, sources, as), expected);
  }
}

/// Most arcs lead to five hubs.
Graph hubs(std::int64_t n, std::uint64_t seed) {
  GraphBuilder builder(n);
  base::SplitMix64 random(seed);
  const auto vertex = [&](std::int64_t below) {
    return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(below)));
  };
  for (std::int64_t i = 0; i < 6 * n; ++i) {
    const Vertex hub = 3 + vertex(5) * static_cast<Vertex>(n / 6);
    const Vertex from = vertex(n), to = i % 5 == 0 ? vertex(n) : hub;
    builder.add_edge(from, to, 1 + static_cast<double>(random.below(30)));
  }
  return std::move(builder).build();
}

TEST(DeviceSearch, NumbersTheVerticesAnewWhereFewHaveMostArcs) {
  const Graph graph = hubs(60, 7);
  const SearchedGraph searched =
      searched_graph(graph, Semiring::min_plus, ValueType::i32, Direction::kept, nullptr, 0);
  ASSERT_EQ(searched.numbers.size(), 60);
  EXPECT_LT(searched.numbers[3], 5) << "a hub";
  std::vector<Vertex> sorted = searched.numbers;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, all_of(graph)) << "each number once";
  for (const ValueType type : types_of(Semiring::min_plus)) {
    EXPECT_EQ(searched_rows(graph, Semiring::min_plus, type, all_of(graph), {.near_bytes = 0}),
              expected_rows(graph, Semiring::min_plus, type));
  }
  const Graph even = random_graph({.n = 60, .arcs = 300, .least = 1, .greatest = 30, .seed = 5});
  EXPECT_TRUE(searched_graph(even, Semiring::min_plus, ValueType::i32, Direction::kept, nullptr, 0)
                  .numbers.empty());
  EXPECT_TRUE(searched_graph(hubs(60, 7), Semiring::min_plus, ValueType::i32, Direction::kept)
                  .numbers.empty())
      << "distances fit a multiprocessor";
}

TEST(DeviceSearch, FindsTheColumnsOfSomeTargets) {
  for (const std::int64_t near_bytes : {std::int64_t{0}, kNearBytes}) {
    const Graph graph = hubs(60, 8);
    std::vector<double> expected = expected_rows(graph, Semiring::min_plus, ValueType::i32);
    const std::vector<Vertex> targets = {59, 0, 13, 14, 33};
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::find(targets.begin(), targets.end(), i % 60) == targets.end()) expected[i] = -1;
    }
    EXPECT_EQ(searched_rows(graph, Semiring::min_plus, ValueType::i32, all_of(graph),
                            {.near_bytes = near_bytes, .targets = targets}),
              expected);
  }
}

TEST(DeviceSearch, TakesWeightsOfBothSignsByPotentials) {
  std::uint64_t seed = 40;
  for (const Semiring semiring : {Semiring::min_plus, Semiring::max_plus}) {
    const bool longest = semiring == Semiring::max_plus;
    for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
      for (const std::int64_t n : {2, 17, 60}) {
        for (const std::int64_t near_bytes : {std::int64_t{0}, kNearBytes}) {
          const Graph graph =
              random_graph(n, n * 4, longest ? -20.0 : 0.0, longest ? 25.0 : 30.0,
                           {.acyclic = longest, .potential = longest ? 0.0 : 50.0, .seed = ++seed});
          EXPECT_EQ(searched_rows(graph, semiring, type, all_of(graph), {.near_bytes = near_bytes}),
                    expected_rows(graph, semiring, type))
              << name(semiring) << " " << name(type) << " n " << n;
        }
      }
    }
  }
}

TEST(DeviceSearch, HoldsTheLongestDistancesOfBothSigns) {
  // From −(2^30 − 2) to 2^30 − 2 by arcs of 2^29 − 1, and an arc that is on no path that counts.
  constexpr double kHalf = (1 << 29) - 1;
  const Graph graph = graph_of(5, {{0, 1, -kHalf},
                                   {1, 2, -kHalf},
                                   {2, 3, kHalf},
                                   {3, 0, kHalf},
                                   {2, 4, 2 * kHalf},
                                   {0, 4, 2 * kHalf}});
  EXPECT_EQ(searched_rows(graph, Semiring::min_plus, ValueType::i32, all_of(graph), {}),
            expected_rows(graph, Semiring::min_plus, ValueType::i32));
}

TEST(DeviceSearch, RefusesPotentialsOfAnotherGraph) {
  const Graph graph = random_graph({.n = 9, .arcs = 30, .potential = 20, .seed = 3});
  Potentials wrong;
  wrong.h.resize(9);
  EXPECT_ERROR(defect,
               searched_graph(graph, Semiring::min_plus, ValueType::i32, Direction::kept, &wrong));
  wrong.h[2].high = -0.5;
  EXPECT_ERROR(defect,
               searched_graph(graph, Semiring::min_plus, ValueType::i32, Direction::kept, &wrong));
}

TEST(DeviceSearch, NamesTheMostVerticesAndArcs) {
  constexpr std::int64_t kMost = kernels::kSearchedNumbers;
  EXPECT_EQ(why_too_large(kMost, kMost), "");
  EXPECT_EQ(why_too_large(5, kMost + 1),
            "runs on a GPU for at most 4,294,963,200 arcs, and there are 4,294,963,201");
  EXPECT_EQ(why_too_large(kMost + 1, 5),
            "runs on a GPU for at most 4,294,963,200 vertices, and there are 4,294,963,201");
}

TEST(DeviceSearch, TakesTheMemoryThatItSaysAndNoMore) {
  for (const bool reduced : {false, true}) {
    const Graph graph =
        random_graph(60, 200, 1, 30, {.potential = reduced ? 40.0 : 0.0, .seed = 6});
    const SearchBatches how{.batch = 8, .searches = 4, .piece = 3};
    const SearchKeys keys{ValueType::f64, reduced};
    const std::int64_t bytes = how.bytes_of_rows(60, graph.arc_count(), 60, 60, keys);
    EXPECT_EQ(searched_rows(graph, Semiring::min_plus, ValueType::f64, all_of(graph),
                            {.how = how, .memory = bytes}),
              expected_rows(graph, Semiring::min_plus, ValueType::f64));
    // Loops are planned and not copied: 16 bytes each.
    EXPECT_ERROR(does_not_fit,
                 searched_rows(graph, Semiring::min_plus, ValueType::f64, all_of(graph),
                               {.how = how, .memory = bytes * 9 / 10}));
  }
}

TEST(DeviceSearch, ACountGivesAllMemoryBackWhereSomeIsMissing) {
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 1, .greatest = 30, .seed = 6});
  const SearchBatches how{.batch = 8, .searches = 4, .piece = 3};
  constexpr std::int64_t kLimit = 2000, kNotClaimed = 1024;  // loops, and the padding of rows
  const std::int64_t bytes =
      how.bytes_of_counts(60, graph.arc_count(), {ValueType::i32, false}, kLimit);
  for (std::int64_t memory = 512; memory < bytes - kNotClaimed; memory += 512) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
    const auto count = [&] { counted(graph, ValueType::i32, all_of(graph), *device, how, kLimit); };
    EXPECT_EQ(error_of(count).kind(), ErrorKind::does_not_fit) << memory << " of " << bytes;
    EXPECT_EQ(device->memory_free(), memory) << "memory of a queued copy is not given back";
  }
}

TEST(DeviceSearch, CountsWhatTheTextbookHas) {
  for (const bool directed : {false, true}) {
    for (const ValueType type : {ValueType::u16, ValueType::i32}) {
      const Graph graph = random_graph(
          {.n = 70, .arcs = 150, .least = 0, .greatest = 30, .directed = directed, .seed = 9});
      const std::vector<double> expected = expected_rows(graph, Semiring::min_plus, type);
      constexpr std::int64_t kLimit = 2000, kVertices = 70;
      const SearchBatches how{.batch = 32, .searches = 3, .piece = 1};
      const auto device = kernels::strict::make_device(
          Semiring::min_plus, type,
          how.bytes_of_counts(70, graph.arc_count(), {type, false}, kLimit));
      const flow::CountedDistances found =
          counted(graph, type, all_of(graph), *device, how, kLimit);
      expect_counts(found, expected, kVertices);
    }
  }
}

TEST(DeviceSearch, CountsOfSharesAddUp) {
  const Graph graph = random_graph({.n = 70, .arcs = 150, .least = 0, .greatest = 30, .seed = 9});
  constexpr std::int64_t kLimit = 2000;
  const SearchBatches how{.batch = 16, .searches = 3, .piece = 1};
  const auto count = [&](const std::vector<Vertex>& targets) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
    return counted(graph, ValueType::i32, targets, *device, how, kLimit);
  };
  const flow::CountedDistances all = count(all_of(graph));
  std::vector<std::vector<Vertex>> shares(3);
  for (const Vertex v : all_of(graph)) shares[v % 3].push_back(v);
  std::vector<std::int64_t> counts(kLimit);
  std::vector<kernels::Farthest> farthest(70);
  for (const std::vector<Vertex>& share : shares) {
    const flow::CountedDistances some = count(share);
    for (const Vertex v : share) EXPECT_EQ(some.to[v].sum, all.to[v].sum);
    for (std::size_t d = 0; d < counts.size(); ++d) counts[d] += some.counts[d];
    for (std::size_t v = 0; v < farthest.size(); ++v) farthest[v].add(some.from[v]);
  }
  EXPECT_EQ(counts, all.counts);
  for (std::size_t v = 0; v < farthest.size(); ++v) {
    EXPECT_EQ(farthest[v].distance, all.from[v].distance);
    EXPECT_EQ(farthest[v].label, all.from[v].label);
  }
}

TEST(DeviceSearch, ADistanceAtTheLimitIsADefect) {
  const Graph graph = graph_of(2, {{0, 1, 5}}, false);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  EXPECT_ERROR(defect, counted(graph, ValueType::i32, all_of(graph), *device, {}, 5));
}

}  // namespace
}  // namespace apsp::search::device_search_test
