// Trimmed graphs: what is left, and rows of distances against the textbook.
#include "sparse/trimmed_rows.hpp"

#include "base/random.hpp"
#include "semiring/dispatch.hpp"
#include "sparse/block_potentials.hpp"
#include "sparse/device_rows.hpp"
#include "sparse/device_sweep.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/order.hpp"
#include "sparse/sweep_parts.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/factor_of.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::sparse::trimmed_rows_test {
namespace {

struct How {
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::i32;
};

TrimmedRows rows_of(const Graph& graph, const How& how) {
  const Trim cut = trim(graph);
  const Pattern pattern = pattern_of(cut.core_graph);
  auto tree = std::make_shared<const Tree>(pattern, nested_dissection(pattern));
  Factor factor =
      eliminate(cut.core_graph, std::move(tree),
                {how.semiring, how.type, kernels::Sign::any, kernels::Cycles::possible, 1, {}});
  return TrimmedRows(cut, std::move(factor), kernels::Sign::any);
}

std::vector<double> expected_rows(const Graph& graph, const How& how) {
  return apsp::expected_rows(graph, how.semiring, how.type);
}

template <class S>
double as_double(typename S::Value value) {
  const double no_path = S::kKind == Semiring::or_and ? 0 : apsp::no_path(S::kKind, ValueType::f64);
  return value == S::zero() ? no_path : static_cast<double>(value);
}

/// Blocks of sources as `order()` has them, from place `first` on.
template <class F>
void for_each_block(const TrimmedRows& rows, std::int64_t width, F&& visit) {
  for (std::int64_t first = 0; first < rows.vertices(); first += width) {
    visit(rows.order().subspan(static_cast<std::size_t>(first),
                               static_cast<std::size_t>(std::min(width, rows.vertices() - first))));
  }
}

void expect_right(const Graph& graph, const How& how, std::int64_t width) {
  const TrimmedRows rows = rows_of(graph, how);
  const std::int64_t n = rows.vertices(), stride = n + 5;
  std::vector<double> found(static_cast<std::size_t>(n * n), -77);
  semiring::dispatch(how.semiring, how.type, [&]<class S>() {
    using T = typename S::Value;
    std::vector<T> block(static_cast<std::size_t>(width * stride), T{1});
    const auto worker = rows.worker();
    for_each_block(rows, width, [&](std::span<const Vertex> sources) {
      worker->compute(sources, block.data(), stride);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::int64_t v = 0; v < n; ++v) {
          found[static_cast<std::size_t>(sources[i] * n + v)] = as_double<S>(
              block[i * static_cast<std::size_t>(stride) + static_cast<std::size_t>(v)]);
        }
      }
    });
  });
  EXPECT_EQ(found, expected_rows(graph, how)) << name(how.semiring) << " " << name(how.type);
}

TEST(Trim, LeavesVerticesWithArcsInAndOut) {
  // 0 → 1 → {2 ⇄ 3} → 4 → 5, 0 → 5, 6 alone, 7 with a loop.
  const Graph graph = graph_of(
      8, {{0, 1, 3}, {1, 2, 1}, {2, 3, 1}, {3, 2, 2}, {3, 4, 1}, {4, 5, 1}, {0, 5, 9}, {7, 7, 1}});
  const Trim found = trim(graph);
  EXPECT_EQ(found.starts, (std::vector<Vertex>{0, 1}));
  EXPECT_EQ(found.core, (std::vector<Vertex>{2, 3, 7}));
  EXPECT_EQ(std::set<Vertex>(found.ends.begin(), found.ends.end()), (std::set<Vertex>{4, 5, 6}));
  EXPECT_LT(std::find(found.ends.begin(), found.ends.end(), Vertex{4}),
            std::find(found.ends.begin(), found.ends.end(), Vertex{5}));
  EXPECT_EQ(found.core_graph.arc_count(), 3);
  EXPECT_EQ(found.starts_from_starts.weight, std::vector<double>{3});
  EXPECT_EQ(std::ssize(found.ends_from_starts.from), 1);
}

TEST(Trim, OrdersStartsAndEndsByTheirArcs) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Graph graph = random_graph({.n = 60, .arcs = 80, .seed = seed});
    const Trim found = trim(graph);
    EXPECT_EQ(found.vertices(), 60);
    std::vector<std::int64_t> place(60, -1);
    std::int64_t next = 0;
    for (const auto* list : {&found.starts, &found.core, &found.ends}) {
      for (const Vertex v : *list) place[v] = next++;
    }
    EXPECT_EQ(*std::min_element(place.begin(), place.end()), 0);
    const auto starts = std::ssize(found.starts), ends = starts + std::ssize(found.core);
    graph.visit_all([&](Vertex u, Vertex v, double) {
      const bool within = place[u] >= starts && place[u] < ends;
      if (!within || place[v] < starts || place[v] >= ends) {
        EXPECT_LT(place[u], place[v]);
      }
    });
  }
}

TEST(TrimmedRows, AreThoseOfTheTextbookInEverySemiringAndType) {
  std::uint64_t seed = 0;
  for (const auto& [semiring, type] : all_kinds()) {
    for (const std::int64_t n : {0, 1, 2, 30, 150}) {
      for (const std::int64_t arcs : {n / 2, n * 3 / 2, n * 4}) {
        const bool acyclic = semiring == Semiring::max_plus || seed % 3 == 0;
        expect_right(random_graph(n, arcs, 1, 30, {.acyclic = acyclic, .seed = ++seed}),
                     {semiring, type}, 32);
      }
    }
  }
}

TEST(TrimmedRows, OfBlocksOfAnyVertices) {
  for (const std::int64_t width : {1, 3, 17, 64, 128}) {
    expect_right(random_graph({.n = 400, .arcs = 600, .least = 1, .greatest = 30, .seed = 3}), {},
                 width);
  }
}

TEST(TrimmedRows, TakeNegativeWeights) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    expect_right(random_graph({.n = 90, .arcs = 150, .potential = 40, .seed = seed}), {}, 50);
  }
}

/// What is passed on, by vertex; what is not stays "no path".
class Collector final : public flow::ColumnSink::Writer {
 public:
  explicit Collector(std::int64_t n)
      : n_(n),
        found_(static_cast<std::size_t>(n * n), apsp::no_path(Semiring::min_plus, ValueType::f64)) {
  }
  void begin(std::span<const Vertex> sources) override { sources_ = sources; }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    using S = semiring::MinPlus<std::int32_t>;
    const auto* row = static_cast<const std::int32_t*>(values);
    for (const Vertex v : vertices) {
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        found_[static_cast<std::size_t>(sources_[i] * n_ + v)] = as_double<S>(row[i]);
      }
      row += lanes;
    }
  }
  void end() override {}
  const std::vector<double>& found() const { return found_; }

 private:
  std::int64_t n_;
  std::vector<double> found_;
  std::span<const Vertex> sources_;
};

TEST(TrimmedRows, GiveColumnsOfWhatIsReachedAloneOrBesideRows) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph graph =
        random_graph({.n = 300, .arcs = 500, .least = 1, .greatest = 30, .seed = seed});
    const TrimmedRows rows = rows_of(graph, {});
    Collector collector(rows.vertices());
    const auto worker = rows.worker();
    for_each_block(rows, 100, [&](std::span<const Vertex> sources) {
      worker->compute_columns(sources, collector, false);
    });
    const std::vector<double> expected = expected_rows(graph, {});
    EXPECT_EQ(collector.found(), expected);

    Collector beside(rows.vertices());
    std::vector<std::int32_t> block(100 * 300);
    for_each_block(rows, 100, [&](std::span<const Vertex> sources) {
      worker->compute_both(sources, block.data(), 300, beside);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        for (std::size_t v = 0; v < 300; ++v) {
          const double value = as_double<semiring::MinPlus<std::int32_t>>(block[i * 300 + v]);
          ASSERT_EQ(value, expected[sources[i] * 300 + v]);
        }
      }
    });
    EXPECT_EQ(beside.found(), expected);
  }
}

// Distances of i32 that a device keeps in 16 bits, against the textbook; the device is the strict
// one.

constexpr std::int64_t kMemory = std::int64_t{64} << 20, kLanes = 32;
constexpr kernels::ListedForm kReduced = kernels::ListedForm::reduced;

/// A grid whose streets are up to 2,000 long, so that distances reach some 60,000, with a vertex
/// that only leads in and one that only leads out if it is directed.
Graph streets(bool directed, std::int64_t side = 24) {
  const std::int64_t n = side * side + 2;
  GraphBuilder builder(n, directed);
  base::SplitMix64 random(side);
  const auto street = [&](std::int64_t from, std::int64_t to) {
    builder.add_edge(static_cast<Vertex>(from), static_cast<Vertex>(to),
                     static_cast<double>(500 + random.below(1'500)));
  };
  for (std::int64_t v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) street(v, v + 1);
    if (v + side < side * side) street(v, v + side);
    if (directed && v % side + 1 < side) street(v + 1, v);
    if (directed && v + side < side * side) street(v + side, v);
  }
  street(n - 2, 5);
  street(7, n - 1);
  return std::move(builder).build();
}

flow::CountedDistances counted(const Factor& factor, bool symmetric,
                               std::span<const Vertex> sources, kernels::ListedForm form,
                               std::int64_t limit) {
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  device->gathered_rows()->keep_listed(form);
  const Control control;
  SourceBlocks blocks(sources, kLanes, control);
  BlockPotentials potentials(factor, symmetric);
  DeviceSweep sweep(factor, *device, sources, kLanes, 1, {},
                    form == kReduced ? &potentials : nullptr);
  return count_on_device(factor.tree().order(), *device, sweep, blocks, limit);
}

TEST(ReducedRows, AreCountedAsTheDistancesAre) {
  for (const bool directed : {false, true}) {
    const Graph graph = streets(directed);
    const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
    const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::i32);
    const ReducedSources sources =
        reduced_sources(factor, !directed, factor.tree().order().vertex_at, kLanes, 2);
    EXPECT_GT(sources.fitting.size(), sources.others.size());
    EXPECT_FALSE(sources.others.empty()) << "every source is near the others of its block";
    constexpr std::int64_t kLimit = 100'000;
    flow::CountedDistances all = counted(factor, !directed, sources.fitting, kReduced, kLimit);
    EXPECT_GT(std::max_element(all.from.begin(), all.from.end(),
                               [](const auto& a, const auto& b) { return a.distance < b.distance; })
                  ->distance,
              kernels::kMostReduced);
    all.add(counted(factor, !directed, sources.others, kernels::ListedForm::values, kLimit));
    expect_counts(all, expected, static_cast<std::size_t>(graph.vertex_count()));
  }
}

TEST(ReducedRows, FitWhereSourcesAreNearEachOther) {
  const Graph graph = streets(true);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  BlockPotentials potentials(factor, false);
  EXPECT_TRUE(potentials.fit(std::vector<Vertex>{0, 1, 2}));
  EXPECT_FALSE(potentials.fit(std::vector<Vertex>{0, 1, 24 * 24 - 1}));  // too far
  EXPECT_FALSE(potentials.fit(std::vector<Vertex>{0, 1, 24 * 24}));      // no way back
}

TEST(ReducedRows, TakeTheMemoryThatIsPlanned) {
  const Graph graph = streets(false);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const auto& sources = factor.tree().order().vertex_at;
  const UpwardSize largest = UpSweepLists::largest(factor.tree(), sources, kLanes);
  const std::int64_t bytes =
      DeviceSweep::device_bytes(factor.tree(), ValueType::u16, kLanes, largest) +
      DeviceSweep::reducing_bytes(factor.tree(), kLanes);
  BlockPotentials potentials(factor, true);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, bytes);
  device->gathered_rows()->keep_listed(kReduced);
  DeviceSweep(factor, *device, sources, kLanes, 1, {}, &potentials);
}

TEST(ReducedRows, AreOfShortestPathsInI32Alone) {
  for (const ValueType type : {ValueType::u16, ValueType::f32, ValueType::f64}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
    EXPECT_ERROR(device, device->gathered_rows()->keep_listed(kReduced));
  }
}

// Whole distances that a device keeps in 32 bits, against the textbook; the device is the strict
// one.

constexpr std::int64_t kManyLanes = 48;
constexpr kernels::ListedForm kWhole = kernels::ListedForm::whole;
constexpr std::int64_t kLongest = static_cast<std::int64_t>(kernels::kMostWhole);

std::unique_ptr<kernels::ComputeDevice> device_of(std::int64_t memory = kMemory) {
  auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::f64, memory);
  device->gathered_rows()->keep_listed(kWhole);
  return device;
}

/// A chain as long as fits, and a ring with arcs across it, many of which are on no shortest path:
/// sums of those do not fit.
Graph long_ways(bool directed) {
  constexpr std::int64_t kChain = 60;
  GraphBuilder builder(150, directed);
  for (std::int64_t v = 0; v + 1 < kChain; ++v) {
    const std::int64_t arcs = kChain - 1;
    builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(v + 1),
                     static_cast<double>(kLongest / arcs + (v < kLongest % arcs ? 1 : 0)));
  }
  base::SplitMix64 random(9);
  const auto other = [&] { return static_cast<Vertex>(kChain + random.below(90)); };
  for (Vertex v = kChain; v + 1 < 150; ++v) {
    builder.add_edge(v, v + 1, static_cast<double>(1 + random.below(20'000'000)));
  }
  builder.add_edge(149, kChain, 1);  // so all of them reach each other in time
  for (int i = 0; i < 200; ++i) {
    builder.add_edge(other(), other(), static_cast<double>(random.below(2'100'000'000)));
  }
  return std::move(builder).build();
}

struct Leaving {
  std::vector<double> rows;
  flow::CountedDistances counted;
};

Leaving leaving(const Factor& factor, kernels::ComputeDevice& device,
                const statistics::CountMethod& way, const FactorPartition& partition) {
  const std::vector<Vertex>& sources = factor.tree().order().vertex_at;
  const auto n = sources.size();
  Leaving all;
  all.rows.assign(n * n, -1);
  const Control control;
  SourceBlocks blocks(sources, kManyLanes, control);
  DeviceSweep sweep(factor, device, sources, kManyLanes, 1, partition);
  all.counted = rows_from_device(
      factor.tree().order(), {}, ValueType::f64, device, sweep, blocks, {kManyLanes, 5}, way,
      [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
        for (std::size_t i = 0; i < some.size(); ++i) {
          const auto* const row =
              static_cast<const double*>(rows) + static_cast<std::int64_t>(i) * stride;
          std::copy_n(row, n, all.rows.begin() + static_cast<std::ptrdiff_t>(some[i] * n));
        }
      });
  return all;
}

TEST(WholeRows, AreThoseOfTheTextbookUpToTheLongestThatFits) {
  for (const bool directed : {false, true}) {
    const Graph graph = long_ways(directed);
    const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::f64);
    const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::f64);
    EXPECT_EQ(expected[59], static_cast<double>(kLongest));
    const DownSweepLists lists(factor.tree(), true);
    const std::int64_t part = SweepParts::least_part(lists, factor.tree(), ValueType::i32);
    for (const FactorPartition& partition : {FactorPartition{}, FactorPartition{part, part}}) {
      const auto device = device_of();
      EXPECT_EQ(leaving(factor, *device, {}, partition).rows, expected);
    }
  }
}

TEST(WholeRows, AreCountedAsTheyAre) {
  const Graph graph = long_ways(true);
  const auto n = graph.vertex_count();
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::f64);
  const auto expected = expected_rows(graph, Semiring::min_plus, ValueType::f64);
  const auto way =
      statistics::CountMethod::binned_between(ValueType::f64, n, true, 1, kernels::kMostWhole);
  ASSERT_TRUE(way);
  const auto device = device_of();
  const Leaving all = leaving(factor, *device, *way, {});
  ASSERT_TRUE(all.counted.binned);
  expect_counts(all.counted, expected, static_cast<std::size_t>(n));
  EXPECT_EQ(all.counted.from[0].distance, static_cast<double>(kLongest));
}

TEST(WholeRows, TakeHalfTheMemoryOfRowsOfF64) {
  const Graph graph = long_ways(false);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::f64);
  const auto& sources = factor.tree().order().vertex_at;
  const UpwardSize largest = UpSweepLists::largest(factor.tree(), sources, kManyLanes);
  const auto bytes_of = [&](ValueType type) {
    return DeviceSweep::device_bytes(factor.tree(), type, kManyLanes, largest);
  };
  const std::int64_t bytes = bytes_of(kernels::listed_type(kWhole, ValueType::f64));
  EXPECT_LT(bytes, bytes_of(ValueType::f64) * 2 / 3);
  const auto enough = device_of(bytes);
  DeviceSweep(factor, *enough, sources, kManyLanes);
  const auto little = device_of(bytes - 1);
  EXPECT_ERROR(does_not_fit, DeviceSweep(factor, *little, sources, kManyLanes));
}

TEST(WholeRows, AreOfShortestPathsInF64Alone) {
  for (const ValueType type : {ValueType::u16, ValueType::i32, ValueType::f32}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
    EXPECT_ERROR(device, device->gathered_rows()->keep_listed(kWhole));
  }
  const auto widest = kernels::strict::make_device(Semiring::max_min, ValueType::f64, kMemory);
  EXPECT_ERROR(device, widest->gathered_rows()->keep_listed(kWhole));
}

}  // namespace
}  // namespace apsp::sparse::trimmed_rows_test
