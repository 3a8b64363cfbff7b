// Searches on a device, which here is the strict one, against the textbook.
#include "search/device_search.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "semiring/dispatch.hpp"
#include "support/error_of.hpp"
#include "support/expected_rows.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/types_of.hpp"

namespace apsp::search {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20;

std::vector<Vertex> all_of(const Graph& graph) {
  std::vector<Vertex> all(static_cast<std::size_t>(graph.vertex_count()));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

/// [n, n] doubles, rows of `sources` alone; others hold -1.
std::vector<double> searched_rows(const Graph& graph, Semiring semiring, ValueType type,
                                  std::span<const Vertex> sources, const SearchBatches& how,
                                  std::int64_t memory = kMemory) {
  const std::int64_t n = graph.vertex_count();
  std::vector<double> all(static_cast<std::size_t>(n * n), -1);
  const auto device = kernels::strict::make_device(semiring, type, memory);
  const auto take = [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
    semiring::dispatch(semiring, type, [&]<class S>() {
      using T = typename S::Value;
      for (std::size_t i = 0; i < some.size(); ++i) {
        for (std::int64_t v = 0; v < n; ++v) {
          const T value = static_cast<const T*>(rows)[static_cast<std::int64_t>(i) * stride + v];
          all[static_cast<std::size_t>(some[i] * n + v)] =
              value == S::zero() ? no_path(semiring, ValueType::f64) : static_cast<double>(value);
        }
      }
    });
  };
  rows_by_searches(graph, semiring, type, *device, sources, how, take, {});
  return all;
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
          const Graph graph = random_graph({.n = n,
                                            .arcs = n * 3,
                                            .least = longest                          ? -30.0
                                                     : semiring == Semiring::min_plus ? 0.0
                                                                                      : 1.0,
                                            .greatest = longest ? 0.0 : 30.0,
                                            .directed = directed,
                                            .acyclic = longest,
                                            .seed = ++seed});
          EXPECT_EQ(searched_rows(graph, semiring, type, all_of(graph),
                                  {.batch = 7, .searches = 3, .piece = 2, .step = 10}),
                    expected_rows(graph, semiring, type))
              << name(semiring) << " " << name(type) << " n " << n;
        }
      }
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
  for (const SearchBatches& how :
       {SearchBatches{1, 1, 1, 1}, SearchBatches{20, 2, 20, 5}, SearchBatches{64, 64, 3, 0}}) {
    EXPECT_EQ(searched_rows(graph, Semiring::min_plus, ValueType::i32, sources, how), expected);
  }
}

TEST(DeviceSearch, TakesTheMemoryThatItSaysAndNoMore) {
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 1, .greatest = 30, .seed = 6});
  const SearchBatches how{.batch = 8, .searches = 4, .piece = 3, .step = 10};
  const std::int64_t bytes = how.bytes_of_rows(60, graph.arc_count(), 60, ValueType::f64);
  EXPECT_EQ(searched_rows(graph, Semiring::min_plus, ValueType::f64, all_of(graph), how, bytes),
            expected_rows(graph, Semiring::min_plus, ValueType::f64));
  // Loops are planned and not copied: 16 bytes each.
  EXPECT_EQ(error_of([&] {
              searched_rows(graph, Semiring::min_plus, ValueType::f64, all_of(graph), how,
                            bytes * 9 / 10);
            }).kind(),
            ErrorKind::does_not_fit);
}

TEST(DeviceSearch, ACountGivesAllMemoryBackWhereSomeIsMissing) {
  const Graph graph = random_graph({.n = 60, .arcs = 200, .least = 1, .greatest = 30, .seed = 6});
  const SearchBatches how{.batch = 8, .searches = 4, .piece = 3, .step = 10};
  constexpr std::int64_t kLimit = 2000, kNotClaimed = 1024;  // loops, and the padding of rows
  const std::int64_t bytes = how.bytes_of_counts(60, graph.arc_count(), ValueType::i32, kLimit);
  for (std::int64_t memory = 512; memory < bytes - kNotClaimed; memory += 512) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, memory);
    const auto count = [&] {
      count_by_searches(graph, ValueType::i32, *device, all_of(graph), how, kLimit, {});
    };
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
      const SearchBatches how{.batch = 32, .searches = 3, .piece = 1, .step = 10};
      const auto device = kernels::strict::make_device(
          Semiring::min_plus, type, how.bytes_of_counts(70, graph.arc_count(), type, kLimit));
      const store::CountedDistances found =
          count_by_searches(graph, type, *device, all_of(graph), how, kLimit, {});
      store::CountedDistances wanted;
      wanted.to.resize(kVertices);
      wanted.from.resize(kVertices);
      wanted.counts.resize(kLimit);
      for (std::size_t s = 0; s < kVertices; ++s) {
        for (std::size_t t = 0; t < kVertices; ++t) {
          const double distance = expected[s * kVertices + t];
          if (s == t || distance == no_path(Semiring::min_plus, ValueType::f64)) continue;
          const auto whole = static_cast<std::uint32_t>(distance);
          ++wanted.counts[whole];
          wanted.to[t].sum += whole;
          ++wanted.to[t].reached;
          auto& from = wanted.from[s];
          if (!from.reaches || from.greatest < whole) {
            from = {true, whole, static_cast<Vertex>(t)};
          }
        }
      }
      EXPECT_EQ(found.counts, wanted.counts);
      for (std::size_t v = 0; v < kVertices; ++v) {
        EXPECT_EQ(found.to[v].sum, wanted.to[v].sum);
        EXPECT_EQ(found.to[v].reached, wanted.to[v].reached);
        EXPECT_EQ(found.from[v].reaches, wanted.from[v].reaches);
        EXPECT_EQ(found.from[v].greatest, wanted.from[v].greatest);
        EXPECT_EQ(found.from[v].farthest, wanted.from[v].farthest);
      }
    }
  }
}

TEST(DeviceSearch, CountsOfSharesAddUp) {
  const Graph graph = random_graph({.n = 70, .arcs = 150, .least = 0, .greatest = 30, .seed = 9});
  constexpr std::int64_t kLimit = 2000;
  const SearchBatches how{.batch = 16, .searches = 3, .piece = 1, .step = 10};
  const auto count = [&](const std::vector<Vertex>& targets) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
    return count_by_searches(graph, ValueType::i32, *device, targets, how, kLimit, {});
  };
  const store::CountedDistances all = count(all_of(graph));
  std::vector<std::vector<Vertex>> shares(3);
  for (const Vertex v : all_of(graph)) shares[v % 3].push_back(v);
  std::vector<std::int64_t> counts(kLimit);
  std::vector<std::uint32_t> greatest(70);
  for (const std::vector<Vertex>& share : shares) {
    const store::CountedDistances some = count(share);
    for (const Vertex v : share) EXPECT_EQ(some.to[v].sum, all.to[v].sum);
    for (std::size_t d = 0; d < counts.size(); ++d) counts[d] += some.counts[d];
    for (std::size_t v = 0; v < greatest.size(); ++v) {
      greatest[v] = std::max(greatest[v], some.from[v].greatest);
    }
  }
  EXPECT_EQ(counts, all.counts);
  for (std::size_t v = 0; v < greatest.size(); ++v) EXPECT_EQ(greatest[v], all.from[v].greatest);
}

TEST(DeviceSearch, ADistanceAtTheLimitIsADefect) {
  GraphBuilder builder(2, false);
  builder.add_edge(0, 1, 5);
  const Graph graph = std::move(builder).build();
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  EXPECT_EQ(error_of([&] {
              count_by_searches(graph, ValueType::i32, *device, all_of(graph), {}, 5, {});
            }).kind(),
            ErrorKind::defect);
}

}  // namespace
}  // namespace apsp::search
