// A solve gives the textbook's distances by every algorithm, in every semiring and type, of all
// vertices or of some, on the host and on GPUs that are none, through every door: in memory, to
// statistics, in files, to a caller's functions and into a caller's memory.
#include <apsp/apsp.hpp>

#include "api/solve.hpp"
#include "api/stored_result.hpp"
#include "paths/paths.hpp"
#include "store/selection.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/same_statistics.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/types_of.hpp"

namespace apsp::solve_suite_test {
namespace {

using Vertices = std::vector<Vertex>;

constexpr std::int64_t kVertices = 90;

struct Choice {
  Vertices sources{}, targets{};  // empty: all
  bool all() const { return sources.empty() && targets.empty(); }
};
const Vertices kSources = {70, 3, 88, 4, 5, 0, 41}, kTargets = {2, 89, 3, 50};
const std::vector<Choice> kChoices = {
    {}, {kSources, {}}, {{}, kTargets}, {kSources, kTargets}, {{17}, {}}, {{17}, {17}}};

struct Machine {
  const char* name;
  Device device;
  planner::FindDevices find;
  std::vector<int> ordinals{};
};
void PrintTo(const Machine& machine, std::ostream* out) { *out << machine.name; }

/// An algorithm, and a graph that it takes.
struct Case {
  Algorithm algorithm;
  Graph graph;
  Semiring semiring = Semiring::min_plus;
  std::optional<ValueType> type{};
  std::vector<double> textbook = verifier::floyd_warshall(graph, semiring);

  std::int64_t n() const { return graph.vertex_count(); }
  /// Sweeps of real sums round in another order for some uses of rows.
  bool rounds() const {
    return algorithm != Algorithm::floyd_warshall && !graph.weight_facts().integral;
  }
  double right(Vertex s, Vertex t) const { return textbook[s * static_cast<std::size_t>(n()) + t]; }
  /// No GPU searches or sweeps for reachability, or real weights of both signs.
  bool taken_by(const Machine& machine) const {
    const WeightFacts& facts = graph.weight_facts();
    const bool signs = !facts.integral && facts.least < 0;
    return machine.device == Device::cpu || algorithm == Algorithm::floyd_warshall ||
           (semiring != Semiring::or_and && !signs);
  }
};

std::vector<Case> cases() {
  const auto graph = [](RandomGraph of) {
    of.n = kVertices;
    of.arcs = 2 * kVertices;
    return random_graph(of);
  };
  const Graph hops = graph({.least = 1, .greatest = 1});
  const Graph weighted = graph({.least = 1, .greatest = 9});
  const Graph roads = graph({.least = 1, .greatest = 100, .directed = false});
  const Graph negative = graph({.potential = 40});
  const Graph signs = graph({.greatest = 3, .real = true, .potential = 2});
  const Graph longest = graph({.least = -1, .greatest = 3, .real = true, .acyclic = true});
  const Graph acyclic = graph({.least = -9, .greatest = 50, .acyclic = true});
  std::vector<Case> all;
  for (const Algorithm algorithm : {Algorithm::floyd_warshall, Algorithm::nested_dissection,
                                    Algorithm::boundary, Algorithm::johnson}) {
    for (const Graph& of : {roads, negative}) all.push_back({algorithm, of});
    for (const ValueType type : types_of(Semiring::min_plus)) {
      all.push_back({algorithm, weighted, Semiring::min_plus, type});
    }
    for (const Semiring semiring : {Semiring::max_min, Semiring::min_max}) {
      all.push_back({algorithm, weighted, semiring});
    }
    all.push_back({algorithm, acyclic, Semiring::max_plus});
    for (const ValueType type : {ValueType::f32, ValueType::f64}) {
      all.push_back({algorithm, signs, Semiring::min_plus, type});
      all.push_back({algorithm, longest, Semiring::max_plus, type});
    }
    if (algorithm != Algorithm::johnson) all.push_back({algorithm, hops, Semiring::or_and});
    for (const std::int64_t n : {0, 1, 2}) {
      all.push_back({algorithm, random_graph({.n = n, .arcs = 2 * n, .least = 1})});
    }
  }
  for (const Graph& of : {hops, graph({.least = 1, .greatest = 1, .directed = false})}) {
    all.push_back({Algorithm::breadth_first, of});
    all.push_back({Algorithm::breadth_first, of, Semiring::or_and});
  }
  return all;
}

Vertices or_all(const Case& of, const Vertices& chosen) {
  return store::VertexList(chosen).of(of.n());
}

void expect_near(double found, double right) {
  if (std::isinf(right)) {
    ASSERT_EQ(found, right);
  } else {
    ASSERT_NEAR(found, right, 1e-4);
  }
}

/// visit(row, column, source, target, right distance).
template <class Visit>
void for_each_pair(const Case& of, const Choice& choice, const Visit& visit) {
  const Vertices sources = or_all(of, choice.sources), targets = or_all(of, choice.targets);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    for (std::size_t j = 0; j < targets.size(); ++j) {
      visit(i, j, sources[i], targets[j], of.right(sources[i], targets[j]));
    }
  }
}

void expect_textbook(const Result& result, const Case& of, const Choice& choice) {
  EXPECT_TRUE(std::ranges::equal(result.sources(), choice.sources));
  EXPECT_TRUE(std::ranges::equal(result.targets(), choice.targets));
  std::vector<VertexPair> pairs;
  std::vector<double> right;
  for_each_pair(of, choice, [&](auto, auto, Vertex s, Vertex t, double distance) {
    expect_near(result.distance(s, t), distance);
    pairs.push_back({s, t});
    right.push_back(distance);
  });
  const std::vector<double> found = result.distances(pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i) expect_near(found[i], right[i]);
}

/// The statistics of shortest paths between some vertices, counted one pair after another.
void expect_counted(const Statistics& found, const Case& of, const Choice& choice) {
  std::int64_t pairs = 0, reachable = 0;
  double sum = 0;
  std::map<Vertex, double> farthest;
  for_each_pair(of, choice, [&](auto, auto, Vertex s, Vertex t, double distance) {
    if (s == t) return;
    ++pairs;
    if (std::isinf(distance)) return;
    ++reachable;
    sum += distance;
    const auto [at, fresh] = farthest.try_emplace(s, distance);
    if (!fresh) at->second = std::max(at->second, distance);
  });
  EXPECT_EQ(found.vertices, of.n());
  EXPECT_EQ(found.sources, std::ssize(or_all(of, choice.sources)));
  EXPECT_EQ(found.targets, std::ssize(or_all(of, choice.targets)));
  EXPECT_FALSE(found.of_all());
  EXPECT_EQ(found.pairs, pairs);
  EXPECT_EQ(found.reachable_pairs, reachable);
  EXPECT_EQ(found.connected, reachable == pairs);
  EXPECT_FALSE(found.diameter || found.radius);
  if (reachable == 0) return;
  EXPECT_DOUBLE_EQ(*found.mean, sum / static_cast<double>(reachable));
  EXPECT_EQ(found.diameter_at_least, found.greatest);
  EXPECT_EQ(found.eccentricity.empty(), !choice.targets.empty());
  // Empty too where no source is in the largest component.
  EXPECT_TRUE(!found.radius_at_most || choice.targets.empty());
  const std::set<Vertex> sources(choice.sources.begin(), choice.sources.end());
  for (Vertex v = 0; v < found.eccentricity.size(); ++v) {
    EXPECT_EQ(std::isnan(found.eccentricity[v]), !sources.contains(v));
    if (farthest.contains(v)) {
      EXPECT_EQ(found.eccentricity[v], farthest[v]);
    }
  }
  const bool central = choice.sources.empty() && *found.least >= 0;
  EXPECT_EQ(found.closeness.empty(), !central);
  const std::set<Vertex> targets(choice.targets.begin(), choice.targets.end());
  const Statistics all = solve(of.graph).statistics();
  for (Vertex v = 0; v < found.closeness.size(); ++v) {
    EXPECT_EQ(std::isnan(found.closeness[v]), !targets.contains(v));
    if (!targets.contains(v) || all.closeness.empty()) continue;
    EXPECT_EQ(found.closeness[v], all.closeness[v]);
    EXPECT_EQ(found.harmonic[v], all.harmonic[v]);
  }
}

class SolveSuite : public testing::TestWithParam<Machine> {
 protected:
  Result solved(const Case& of, const SolveOptions& options) const {
    return api::solve_among(GetParam().find, of.graph, options);
  }

  /// run(case, choice, options) for all that the machine takes.
  template <class Run>
  void for_each_solve(Keep keep, const Run& run) const {
    const Machine& machine = GetParam();
    const bool on_cpu = machine.device == Device::cpu;
    for (const Case& of : cases()) {
      if (!of.taken_by(machine)) continue;
      for (const Choice& choice : kChoices) {
        if (of.n() < kVertices && !choice.all()) continue;
        const bool one_end =
            choice.sources.empty() != choice.targets.empty() || choice.sources.size() == 1;
        if (one_end &&
            (of.type || of.semiring != Semiring::min_plus || machine.ordinals.size() == 1))
          continue;
        SCOPED_TRACE(testing::Message()
                     << name(of.algorithm) << " " << name(of.semiring) << " n " << of.n() << " "
                     << choice.sources.size() << " to " << choice.targets.size());
        SolveOptions options{
            .question = {.semiring = of.semiring,
                         .sources = choice.sources,
                         .targets = choice.targets},
            .method = {.algorithm = of.algorithm, .value_type = of.type, .tile = on_cpu ? 3 : 16},
            .machine = {.device = machine.device,
                        .device_ordinals = machine.ordinals,
                        .threads = 3},
            .storage = {.keep = keep}};  // several bands, of the sources too
        run(of, choice, options);
      }
    }
  }
};

TEST_P(SolveSuite, InMemoryAndToStatistics) {
  for_each_solve(Keep::matrix, [&](const Case& of, const Choice& choice, SolveOptions options) {
    options.question.predecessors = choice.targets.empty() && of.n() > 0;
    const Result result = solved(of, options);
    EXPECT_EQ(result.report().algorithm, of.algorithm);
    EXPECT_EQ(result.report().device, GetParam().device);
    EXPECT_EQ(result.report().sources, std::ssize(or_all(of, choice.sources)));
    EXPECT_EQ(result.report().targets, std::ssize(or_all(of, choice.targets)));
    EXPECT_EQ(result.kept(), Keep::matrix);
    expect_textbook(result, of, choice);
    if (choice.targets.empty()) {
      EXPECT_TRUE(result.verify().passed);
    }
    options.storage.keep = Keep::statistics;
    options.question.predecessors = false;
    if (!of.rounds()) {
      statistics::expect_same(solved(of, options).statistics(), result.statistics());
    }
    if (of.semiring != Semiring::min_plus || !of.graph.weight_facts().integral) return;
    if (!choice.all()) return expect_counted(result.statistics(), of, choice);
    const Result dense = solve(of.graph, {.method = {.algorithm = Algorithm::floyd_warshall,
                                                     .value_type = result.value_type()},
                                          .machine = {.device = Device::cpu}});
    statistics::expect_same(result.statistics(), dense.statistics());
  });
}

TEST_P(SolveSuite, InFilesOfThatShape) {
  const TemporaryFolder folder;
  const std::string zarr = folder / "x.zarr", npy = folder / "x.npy", copy = folder / "y.npy";
  for_each_solve(Keep::statistics, [&](const Case& of, const Choice& choice, SolveOptions options) {
    if (of.n() == 0 || (of.type && of.type != ValueType::f32)) return;
    options.method.tile = 32;  // few files, and yet several bands
    options.storage.output = zarr;
    const Result counted = solved(of, options);
    const Result opened = open_result(zarr);
    expect_textbook(opened, of, choice);
    statistics::expect_same(opened.statistics(), counted.statistics());
    opened.save(copy);
    options.storage.output = npy;
    solved(of, options);
    const store::Layout about{.n = of.n(), .selection = {choice.sources, choice.targets}};
    for (const std::string& path : {npy, copy}) {
      const auto matrix = store::open_store(path, of.semiring, nullptr, &about);
      EXPECT_EQ(matrix->layout().rows(), std::ssize(or_all(of, choice.sources)));
      EXPECT_EQ(matrix->layout().cols(), std::ssize(or_all(of, choice.targets)));
      if (choice.all()) {
        expect_textbook(open_result(path, of.graph, of.semiring), of, choice);
        continue;
      }
      // Of one pair, a matrix of one vertex that is not the graph's.
      const bool one = choice.sources.size() == 1 && choice.targets.size() == 1;
      EXPECT_EQ(error_of([&] { open_result(path, of.graph, of.semiring); }).kind(),
                one ? ErrorKind::usage : ErrorKind::input);
    }
    if (!choice.targets.empty()) return;
    EXPECT_TRUE(opened.verify().passed);
    EXPECT_TRUE(
        api::verify_stored(npy, of.graph, of.semiring, {}, nullptr, {choice.sources, {}}).passed);
    EXPECT_EQ(opened.verify().sources, std::ssize(or_all(of, choice.sources)));
  });
}

/// Rows that came to a caller, as doubles.
class RowsOfCaller {
 public:
  RowsOfCaller(const Case& of, const Choice& choice)
      : of_(of), targets_(or_all(of, choice.targets)) {}

  template <class Block>
  void take(const Block& block) {
    EXPECT_EQ(inside_.fetch_add(1), 0) << "two calls at a time";
    EXPECT_GE(block.stride, std::ssize(targets_));
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const Vertex source = block.sources[i];
      EXPECT_FALSE(rows.contains(source)) << "twice";
      std::vector<double>& row = rows[source];
      for (std::size_t j = 0; j < targets_.size(); ++j) {
        const std::int64_t at = static_cast<std::int64_t>(i) * block.stride + std::int64_t(j);
        row.push_back(
            paths::as_double(of_.semiring, block.type,
                             static_cast<const std::byte*>(block.values) + at * size_of(block.type),
                             source == targets_[j]));
      }
    }
    inside_.fetch_sub(1);
  }
  void expect(const Choice& choice) const {
    EXPECT_EQ(rows.size(), or_all(of_, choice.sources).size());
    for_each_pair(of_, choice, [&](auto, std::size_t j, Vertex s, Vertex, double distance) {
      ASSERT_TRUE(rows.contains(s));
      expect_near(rows.at(s)[j], distance);
    });
  }

  std::map<Vertex, std::vector<double>> rows;

 private:
  const Case& of_;
  Vertices targets_;
  std::atomic<int> inside_{0};
};

TEST_P(SolveSuite, ToACallerBesideAFileAndStatistics) {
  constexpr double kUnwritten = -7;
  const TemporaryFolder folder;
  for_each_solve(Keep::statistics, [&](const Case& of, const Choice& choice, SolveOptions options) {
    if (choice.sources.size() == 1) return;
    const std::size_t rows = or_all(of, choice.sources).size();
    const std::size_t columns = or_all(of, choice.targets).size(), stride = columns + 3;
    std::vector<double> values(rows * stride, kUnwritten);
    RowsOfCaller here(of, choice), there(of, choice);
    options.consumer.into = {values.data(), static_cast<std::int64_t>(stride)};
    options.consumer.on_rows = [&](const RowBlock& block) { here.take(block); };
    const bool stay = options.machine.device == Device::cuda &&
                      of.algorithm != Algorithm::floyd_warshall && of.n() > 0;
    if (stay)
      options.consumer.on_device_rows = [&](const DeviceRowBlock& block) { there.take(block); };
    options.storage.output = folder / "x.npy";
    const Result result = solved(of, options);
    EXPECT_EQ(result.kept(), Keep::statistics);
    here.expect(choice);
    if (stay) there.expect(choice);
    for_each_pair(of, choice, [&](std::size_t i, std::size_t j, auto, auto, double distance) {
      expect_near(values[i * stride + j], distance);
    });
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = columns; j < stride; ++j) ASSERT_EQ(values[i * stride + j], kUnwritten);
    }
    EXPECT_EQ(folder.entries(), 1);
    if (!choice.all()) return;
    SolveOptions counted = options;
    counted.storage.output.clear();
    counted.consumer.on_rows = {};
    counted.consumer.on_device_rows = {};
    counted.consumer.into = {};
    if (of.rounds()) return;
    statistics::expect_same(result.statistics(), solved(of, counted).statistics());
  });
}

INSTANTIATE_TEST_SUITE_P(
    On, SolveSuite,
    testing::Values(Machine{"TheHost", Device::cpu, planner::no_device},
                    Machine{"AGpu", Device::cuda, planner::one_device},
                    Machine{"ThreeGpus", Device::cuda, planner::several_devices<3>, {kAllGpus}}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace apsp::solve_suite_test
