// Solves by rows on a GPU that is none: of every engine, semiring, value type and kind of weights,
// a strict device leaves what the CPU leaves, to the last bit.
#include <apsp/apsp.hpp>

#include "api/solve.hpp"
#include "base/random.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/solved_on_device.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/types_of.hpp"

namespace apsp::device_engines_solve_test {
namespace {

constexpr auto kSweeps = Algorithm::nested_dissection;
constexpr auto kSearches = Algorithm::johnson;
constexpr auto kHops = Algorithm::breadth_first;

enum class Weights { ones, small, from_zero, both_signs, whole, large, real };

struct EngineCase {
  Algorithm algorithm = kSweeps;
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::i32;
  bool directed = true;
  Weights weights = Weights::small;
  std::int64_t n = 130;

  /// Sweeps of a device add real weights in another order than those of the CPU.
  bool exact() const { return weights != Weights::real || algorithm == kSearches; }

  std::string shown() const {
    return std::string(name(algorithm)) + ", " + std::string(name(semiring)) + ", " +
           std::string(name(type)) + (directed ? ", directed, " : ", ") + "weights " +
           std::to_string(static_cast<int>(weights)) + ", n = " + std::to_string(n);
  }

  SolveOptions options() const {
    SolveOptions options = statistics_by(algorithm, Device::cuda);
    options.question.semiring = semiring;
    options.method.value_type = type;
    return options;
  }
};

/// Real weights of many sizes, some of them 0.
Graph real_graph(std::int64_t n, bool directed) {
  GraphBuilder builder(n, directed);
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  const auto vertex = [&] {
    return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
  };
  for (std::int64_t e = 0; e < 2 * n; ++e) {
    const Vertex from = vertex(), to = vertex();
    const bool nothing = random.below(9) == 0;
    builder.add_edge(from, to,
                     nothing ? 0 : std::ldexp(1 + random.uniform(), -int(random.below(12))));
  }
  return std::move(builder).build();
}

Graph graph_for(const EngineCase& of) {
  const bool longest = of.semiring == Semiring::max_plus;
  RandomGraph shape{.n = of.n,
                    .arcs = of.n * 2,
                    .least = longest ? -50.0 : 1.0,
                    .greatest = 100,
                    .directed = of.directed,
                    .acyclic = longest,
                    .seed = 31};
  switch (of.weights) {
    case Weights::real:
      return real_graph(of.n, of.directed);
    case Weights::ones:
      shape.least = shape.greatest = 1;
      shape.arcs = of.n * 5 / 4;
      break;
    case Weights::from_zero:
      shape.least = 0;
      break;
    case Weights::both_signs:
      shape.least = longest ? -20 : 0;
      shape.potential = longest ? 0 : 100;
      break;
    case Weights::whole:
      shape.least = 0;
      shape.greatest = 90000;
      break;
    case Weights::large:  // a path may have 2^30 and more, and less than 2^31
      shape.least = 12'000'000;
      shape.greatest = 14'000'000;
      break;
    case Weights::small:
      break;
  }
  return random_graph(shape);
}

std::vector<EngineCase> all_cases() {
  std::vector<EngineCase> all;
  for (const bool directed : {false, true}) {
    const auto add = [&](Algorithm algorithm, Semiring semiring, ValueType type, Weights weights,
                         std::int64_t n = 130) {
      if (semiring == Semiring::max_plus && !directed) return;
      all.push_back({algorithm, semiring, type, directed, weights, n});
    };
    for (const ValueType type : types_of(Semiring::min_plus)) {
      for (const std::int64_t n : {1, 130, 270}) {
        add(kHops, Semiring::min_plus, type, Weights::ones, n);
      }
    }
    for (const Algorithm algorithm : {kSweeps, kSearches}) {
      for (const Semiring semiring :
           {Semiring::min_plus, Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
        for (const ValueType type : types_of(semiring)) {
          add(algorithm, semiring, type, Weights::small);
        }
      }
      for (const ValueType type : {ValueType::f32, ValueType::f64}) {
        add(algorithm, Semiring::min_plus, type, Weights::whole);
        for (const std::int64_t n : {1, 2, 40, 300}) {
          add(algorithm, Semiring::min_plus, type, Weights::real, n);
        }
      }
      for (const ValueType type : {ValueType::i32, ValueType::f64}) {
        add(algorithm, Semiring::min_plus, type, Weights::large);
        add(algorithm, Semiring::min_plus, type, Weights::from_zero, 40);
      }
    }
    for (const std::int64_t n : {0, 1, 2}) {
      add(kSweeps, Semiring::min_plus, ValueType::u16, Weights::from_zero, n);
    }
    add(Algorithm::boundary, Semiring::min_plus, ValueType::u16, Weights::small);
    add(Algorithm::boundary, Semiring::max_min, ValueType::f32, Weights::small);
  }
  for (const ValueType type : {ValueType::i32, ValueType::f32, ValueType::f64}) {
    all.push_back({kSearches, Semiring::min_plus, type, true, Weights::both_signs});
    all.push_back({kSearches, Semiring::max_plus, type, true, Weights::both_signs});
    all.push_back({kSweeps, Semiring::min_plus, type, true, Weights::both_signs});
  }
  return all;
}

/// One case an engine, and signed weights for searches.
std::vector<EngineCase> some_cases(std::int64_t n) {
  return {{kSweeps, Semiring::min_plus, ValueType::i32, true, Weights::small, n},
          {Algorithm::boundary, Semiring::max_min, ValueType::i32, true, Weights::small, n},
          {kSearches, Semiring::min_plus, ValueType::u16, false, Weights::small, n},
          {kSearches, Semiring::min_plus, ValueType::i32, true, Weights::both_signs, n},
          {kHops, Semiring::min_plus, ValueType::u16, true, Weights::ones, n}};
}

void expect_near(const Result& there, const Result& here) {
  const double most = here.value_type() == ValueType::f32 ? 1e-5 : 1e-14;  // of the distance
  for (Vertex s = 0; s < static_cast<Vertex>(here.vertex_count()); ++s) {
    for (Vertex t = 0; t < static_cast<Vertex>(here.vertex_count()); ++t) {
      ASSERT_EQ(there.reachable(s, t), here.reachable(s, t));
      if (!here.reachable(s, t)) continue;
      ASSERT_NEAR(there.distance(s, t), here.distance(s, t), most * here.distance(s, t));
    }
  }
}

TEST(DeviceEngines, HaveTheStatisticsAndTheMatrixOfTheCpu) {
  for (const EngineCase& of : all_cases()) {
    SCOPED_TRACE(of.shown());
    const Graph graph = graph_for(of);
    SolveOptions options = of.options();
    const Result counted = solve_on_device(graph, options);
    EXPECT_EQ(counted.report().algorithm, of.algorithm);
    EXPECT_EQ(counted.report().device, Device::cuda);
    ASSERT_TRUE(counted.report().on_device);
    if (of.exact()) {
      statistics::expect_same(counted.statistics(), solve_on_cpu(graph, options).statistics());
    }
    options.storage.keep = Keep::matrix;
    const Result there = solve_on_device(graph, options), here = solve_on_cpu(graph, options);
    statistics::expect_same(counted.statistics(), there.statistics());
    EXPECT_TRUE(there.verify().passed);
    if (of.exact()) {
      expect_same_distances(there, here);
    } else {
      expect_near(there, here);
    }
  }
}

TEST(DeviceEngines, TakeFewerSourcesAtATimeWhereMemoryIsShort) {
  std::vector<EngineCase> cases = some_cases(400);
  for (const Semiring semiring : {Semiring::max_plus, Semiring::max_min, Semiring::min_max}) {
    for (const ValueType type : types_of(semiring)) {
      cases.push_back({kSweeps, semiring, type, true, Weights::small, 300});
    }
  }
  for (const EngineCase& of : cases) {
    SCOPED_TRACE(of.shown());
    const Graph graph = graph_for(of);
    SolveOptions options = of.options();
    const Result whole = solve_on_device(graph, options);
    for (const std::int64_t parts : {2, 6}) {  // of sweeps, also a factor that streams
      if (parts == 6 && of.n != 300) continue;
      options.machine.device_memory = whole.report().on_device->bytes / parts;
      const Result less = solve_on_device(graph, options);
      EXPECT_LE(less.report().on_device->bytes, options.machine.device_memory);
      statistics::expect_same(less.statistics(), whole.statistics());
    }
    options.machine.device_memory = 2000;
    EXPECT_ERROR(does_not_fit, solve_on_device(graph, options));
  }
}

/// About the least device memory that takes the graph, bytes.
std::int64_t least_memory(const Graph& graph, SolveOptions options) {
  std::int64_t too_little = 1, enough = std::int64_t{4} << 20;
  while (enough - too_little > 4096) {
    options.machine.device_memory = (too_little + enough) / 2;
    bool fits = true;
    try {
      planner::find_plan(graph, options, planner::one_device);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::does_not_fit) throw;
      fits = false;
    }
    (fits ? enough : too_little) = options.machine.device_memory;
  }
  return enough;
}

TEST(DeviceEngines, StreamAFactorThatIsLargerThanTheMemory) {
  for (const bool directed : {false, true}) {
    const Graph graph = generate({.kind = GraphKind::grid, .vertices = 900, .directed = directed});
    for (const Keep keep : {Keep::statistics, Keep::matrix}) {
      SolveOptions options = statistics_by(kSweeps, Device::cuda);
      options.storage.keep = keep;
      const std::int64_t least = least_memory(graph, options);
      const Result whole = solve_on_device(graph, options);
      EXPECT_FALSE(whole.report().on_device->streamed);
      for (const std::int64_t memory : {least, least + least / 16}) {
        options.machine.device_memory = memory;
        const Result there = solve_on_device(graph, options);
        EXPECT_TRUE(there.report().on_device->streamed) << memory << " of " << least;
        EXPECT_LE(there.report().on_device->bytes, memory);
        statistics::expect_same(there.statistics(), whole.statistics());
        if (keep == Keep::matrix) expect_same_distances(there, whole);
      }
    }
  }
}

TEST(DeviceEngines, KeepAndStoreTheFactorOfTheCpu) {
  const TemporaryFolder folder;
  for (const bool directed : {false, true}) {
    const Graph graph = graph_for(EngineCase{.directed = directed});
    for (const bool statistics : {false, true}) {
      SolveOptions options = statistics_by(kSweeps, Device::cuda);
      options.storage.keep = options.storage.stored = Keep::factor;
      options.question.statistics = statistics;
      options.storage.output = folder / "there.zarr";
      options.storage.overwrite = true;
      const Result there = solve_on_device(graph, options);
      options.storage.output = folder / "here.zarr";
      const Result here = solve_on_cpu(graph, options);
      EXPECT_EQ(there.kept(), Keep::factor);
      ASSERT_TRUE(there.report().on_device);
      expect_same_distances(there, here);
      if (statistics) statistics::expect_same(there.statistics(), here.statistics());
      const Result stored = open_result(folder / "there.zarr");
      EXPECT_EQ(stored.kept(), Keep::factor);
      expect_same_distances(stored, here);
      EXPECT_TRUE(stored.verify().passed);
    }
  }
}

TEST(DeviceEngines, TakeNoMemoryForSweepsWhereOnlyTheFactorIsKept) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .greatest = 40, .seed = 33});
  SolveOptions options = statistics_by(kSweeps, Device::cuda, 20000);
  EXPECT_ERROR(does_not_fit, solve_on_device(graph, options));
  options.storage.keep = Keep::factor;
  options.question.statistics = false;
  EXPECT_LE(solve_on_device(graph, options).report().on_device->bytes, 20000);
}

TEST(DeviceEngines, KeepLongWholeDistancesInThirtyTwoBits) {
  const auto plan_of = [](const Graph& graph, Device device) {
    SolveOptions options = statistics_by(kSweeps, device);
    options.method.value_type = ValueType::f64;
    return api::solve_among(planner::one_device, graph, options).report().plan;
  };
  const auto is_in_half = HasSubstr("f64 as u32");
  const Graph large = graph_for(EngineCase{.weights = Weights::large});
  EXPECT_THAT(plan_of(large, Device::cuda), is_in_half);
  EXPECT_THAT(plan_of(large, Device::cpu), Not(is_in_half));
  const Graph too_large =
      random_graph({.n = 130, .arcs = 260, .least = 1, .greatest = 60e6, .seed = 26});
  EXPECT_THAT(plan_of(too_large, Device::cuda), Not(is_in_half));
  EXPECT_THAT(plan_of(real_graph(40, true), Device::cuda), Not(is_in_half));
}

TEST(DeviceEngines, LeaveDistancesOfAllSizesToTheHost) {
  GraphBuilder builder(60);
  for (Vertex v = 0; v + 1 < 60; ++v) builder.add_edge(v, v + 1, std::ldexp(1.5, v % 2 ? 60 : -60));
  const Graph graph = std::move(builder).build();
  SolveOptions options = EngineCase{.type = ValueType::f64}.options();
  const Result counted = solve_on_device(graph, options);
  options.storage.keep = Keep::matrix;
  statistics::expect_same(counted.statistics(), solve_on_device(graph, options).statistics());
}

TEST(DeviceEngines, RefuseWhatTheyDoNotTake) {
  const Graph graph = random_graph({.n = 40, .arcs = 80, .least = 1, .greatest = 50});
  const auto kind = [](const Graph& of, Algorithm algorithm, Semiring semiring) {
    SolveOptions options = statistics_by(algorithm, Device::cuda);
    options.question.semiring = semiring;
    return error_of([&] { solve_on_device(of, options); }).kind();
  };
  EXPECT_EQ(kind(graph, kSweeps, Semiring::or_and), ErrorKind::usage);
  EXPECT_EQ(kind(graph, Algorithm::boundary, Semiring::or_and), ErrorKind::usage);
  GraphBuilder path(40), cycle(4);
  for (Vertex v = 0; v + 1 < 40; ++v) path.add_edge(v, v + 1, v % 2 == 0 ? 1.5 : -1.25);
  EXPECT_EQ(kind(std::move(path).build(), kSearches, Semiring::min_plus), ErrorKind::usage);
  cycle.add_edge(0, 1, 3);
  cycle.add_edge(1, 2, -5);
  cycle.add_edge(2, 1, 4);
  cycle.add_edge(2, 3, 1);
  EXPECT_EQ(kind(std::move(cycle).build(), kSearches, Semiring::min_plus),
            ErrorKind::negative_cycle);
}

TEST(DeviceEngines, BlameAGpuForItsOwnMemoryAlone) {
  const Graph graph = random_graph({.n = 130, .arcs = 300, .greatest = 40, .seed = 15});
  SolveOptions options = statistics_by(kSearches, Device::cuda);
  const auto full = [] {  // others took half of the memory that was free
    planner::Devices devices = planner::one_device();
    devices.open = [](int, Semiring semiring, ValueType type, kernels::Sign, std::int64_t) {
      return kernels::strict::make_device(semiring, type, 4096);
    };
    return devices;
  };
  EXPECT_ERROR(does_not_fit, api::solve_among(full, graph, options));

  options.consumer.on_rows = [](const RowBlock&) {
    throw Error(ErrorKind::does_not_fit, "no memory of the host");
  };
  EXPECT_STREQ(error_of([&] { solve_on_device(graph, options); }).what(), "no memory of the host");
}

}  // namespace
}  // namespace apsp::device_engines_solve_test
