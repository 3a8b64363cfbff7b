#include <apsp/apsp.hpp>

#include <iterator>

#include "api/floyd_warshall.hpp"
#include "api/solve.hpp"

#include "base/random.hpp"
#include "rates/measured_rates.hpp"
#include "rates/timed_solves.hpp"
#include "semiring/semirings.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/recorded_progress.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::solve_test {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

Graph generated(std::int64_t n, bool negative = false, bool real = false) {
  return generate({.vertices = n, .probability = 0.1, .real_weights = real, .negative = negative});
}

TEST(Solve, TenLineExample) {
  const Graph graph = graph_of(4, {{0, 1, 3}, {1, 2, 4}, {0, 2, 9}, {2, 0, 1}});
  const Result result = solve(graph);
  EXPECT_EQ(result.distance(0, 2), 7);
  EXPECT_EQ(result.distance(3, 0), kInf);
  EXPECT_FALSE(result.reachable(3, 0));
  EXPECT_THAT(result.path(0, 2), ElementsAre(0, 1, 2));
  EXPECT_THAT(result.path(3, 3), ElementsAre(3));
  EXPECT_THAT(result.path(0, 3), IsEmpty());
  EXPECT_THAT(result.predecessors(0), ElementsAre(-1, 0, 1, -1));
  EXPECT_EQ(result.value_type(), ValueType::u16);
  EXPECT_EQ(*result.statistics().diameter, 7);
  EXPECT_TRUE(result.verify().passed);
}

TEST(Solve, NoVerticesAndOne) {
  EXPECT_EQ(solve(Graph()).vertex_count(), 0);
  EXPECT_TRUE(solve(Graph()).verify().passed);
  const Result one = solve(graph_of(1, {{0, 0, 5}}));
  EXPECT_EQ(one.distance(0, 0), 0);
}

TEST(Solve, RealWeightsStayWithinTheirBound) {
  const Graph graph = generated(150, true, true);
  const std::vector<double> expected = verifier::floyd_warshall(graph, Semiring::min_plus);
  const Result result = solve(graph);
  EXPECT_EQ(result.value_type(), ValueType::f32);
  EXPECT_GT(result.report().unit_roundoff, 0);
  for (Vertex s = 0; s < 150; ++s) {
    const std::vector<double> row = result.distances_from(s);
    for (Vertex t = 0; t < 150; ++t) {
      const double truth = expected[s * 150 + t];
      if (truth == kInf) {
        EXPECT_EQ(row[t], kInf);
      } else {
        EXPECT_NEAR(row[t], truth, 150 * 100 * 0x1p-24);
      }
    }
  }
  EXPECT_TRUE(result.verify().passed);
}

TEST(Solve, ANegativeCycleIsShown) {
  const Graph graph = graph_of(4, {{0, 1, 1}, {1, 2, -5}, {2, 1, 3}, {2, 3, 1}});
  const Error error = error_of([&] { solve(graph); });
  EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
  EXPECT_EQ(error.cycle().weight, -2);
  EXPECT_THAT(error.cycle().vertices, UnorderedElementsAre(1, 2));
}

TEST(Solve, ANegativeLoopAndANegativeUndirectedEdgeAreCycles) {
  EXPECT_ERROR(negative_cycle, solve(graph_of(2, {{1, 1, -1}})));
  EXPECT_ERROR(negative_cycle, solve(graph_of(2, {{0, 1, -1}}, false)));
}

TEST(Solve, LongestPathsNeedAnAcyclicGraph) {
  SolveOptions options{.question = {.semiring = Semiring::max_plus}};
  const Graph acyclic = graph_of(4, {{0, 1, 3}, {1, 2, 4}, {0, 2, 5}});
  EXPECT_EQ(solve(acyclic, options).distance(0, 2), 7);
  EXPECT_EQ(solve(acyclic, options).distance(2, 0), -kInf);
  EXPECT_ERROR(negative_cycle, solve(graph_of(2, {{0, 1, 1}, {1, 0, 1}}), options));
}

TEST(Solve, StoresReadBackWithEverything) {
  const TemporaryFolder folder;
  const Graph graph = generated(70);
  SolveOptions options{.question = {.predecessors = true},
                       .method = {.tile = 32},
                       .storage = {.output = folder / "a.zarr"}};
  const Result solved = solve(graph, options);
  const Result opened = open_result(options.storage.output);
  EXPECT_EQ(opened.graph().digest(), graph.digest());
  EXPECT_EQ(opened.report().plan, solved.report().plan);
  EXPECT_EQ(opened.statistics().diameter, solved.statistics().diameter);
  EXPECT_EQ(opened.statistics().closeness, solved.statistics().closeness);
  for (Vertex s = 0; s < 70; s += 7) {
    EXPECT_EQ(opened.distances_from(s), solved.distances_from(s));
    EXPECT_EQ(opened.path(s, 3), solved.path(s, 3));
  }
  EXPECT_TRUE(opened.verify().passed);

  opened.save(folder / "a.npy");
  EXPECT_ERROR(usage, open_result(folder / "a.npy"));
  const Result matrix = open_result(folder / "a.npy", graph);
  EXPECT_EQ(matrix.distances_from(5), solved.distances_from(5));
  EXPECT_ERROR(usage, open_result(folder / "a.zarr", generated(71)));
}

/// Zarr's texts are UTF-8: other programs would not open others.
TEST(Solve, NamesThatAreNotUtf8AreNoPartOfAZarr) {
  GraphBuilder builder(3, false);
  builder.add_edge(0, 1, 5);
  builder.add_edge(1, 2, 7);
  builder.set_labels({"M\xfcnchen", "Berlin", "K\xf6ln"});
  const Graph graph = std::move(builder).build();
  const TemporaryFolder folder;
  SolveOptions options{.storage = {.output = folder / "names.npy"}};
  EXPECT_EQ(solve(graph, options).distance(0, 2), 12);
  options.storage.output = folder / "names.zarr";
  EXPECT_ERROR(usage, solve(graph, options));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(Solve, WithoutTheMatrixStatisticsRemain) {
  SolveOptions options{.storage = {.keep = Keep::statistics}};
  const Result result = solve(generated(40), options);
  EXPECT_TRUE(result.statistics().mean.has_value());
  EXPECT_ERROR(usage, result.distance(0, 1));
}

TEST(Solve, RefusesWhatCannotBe) {
  SolveOptions options{.storage = {.output = "result.txt"}};
  EXPECT_ERROR(usage, solve(Graph(), options));
  const Result result = solve(generated(5));
  EXPECT_ERROR(usage, result.distance(5, 0));
  EXPECT_ERROR(usage, result.path(0, 5));
}

TEST(Solve, StopsWhenAskedTo) {
  Cancellation cancellation;
  SolveOptions options{.machine = {.device = Device::cpu}};
  options.control.cancellation = &cancellation;
  std::thread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    cancellation.request();
  });
  const Graph graph = generated(6000);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_ERROR(interrupted, solve(graph, options));
  later.join();
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST(Solve, ThreadsDoNotChangeTheAnswer) {
  const Graph graph = generated(200, true, true);
  SolveOptions one, three;
  one.machine.threads = 1;
  three.machine.threads = 3;
  one.method.tile = three.method.tile = 48;
  const Result a = solve(graph, one), b = solve(graph, three);
  for (Vertex s = 0; s < 200; ++s) EXPECT_EQ(a.distances_from(s), b.distances_from(s));
  EXPECT_EQ(a.statistics().mean, b.statistics().mean);
}

TEST(FloydWarshall, WorksInPlaceOnACallersMatrix) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  std::vector<float> matrix = {5, 3, inf, -1, inf, 5, 4, -1, 1, inf, 5, -1};
  floyd_warshall<MinPlus>(MatrixView<float>{matrix.data(), 3, 3, 4});
  EXPECT_THAT(matrix, ElementsAre(0, 3, 7, -1, 5, 0, 4, -1, 1, 4, 0, -1));
}

TEST(FloydWarshall, StopsAtANegativeCycleAndRefusesOverflow) {
  std::vector<std::int32_t> cycle = {0, -3, 2, 0};
  EXPECT_ERROR(negative_cycle,
               floyd_warshall<MinPlus>(MatrixView<std::int32_t>{cycle.data(), 2, 2}));
  std::vector<std::uint16_t> large = {0, 30000, 30000, 0};
  EXPECT_ERROR(does_not_fit,
               floyd_warshall<MinPlus>(MatrixView<std::uint16_t>{large.data(), 2, 2}));
  for (const std::int64_t stride : {-2, 0, 4}) {
    EXPECT_ERROR(usage, floyd_warshall<MinPlus>(MatrixView<float>{nullptr, -2, -2, stride}))
        << "a negative size, stride " << stride;
  }
  EXPECT_ERROR(usage, floyd_warshall<MinPlus>(MatrixView<float>{nullptr, 2, 2}));
  EXPECT_NO_THROW(floyd_warshall<MinPlus>(MatrixView<float>{nullptr, 0, 0}));
  std::vector<float> wide(6);
  EXPECT_ERROR(usage, floyd_warshall<MinPlus>(MatrixView<float>{wide.data(), 2, 3}));
  for (const std::int64_t tile : {std::int64_t{-1}, std::int64_t{32769}, INT64_MAX}) {
    EXPECT_ERROR(usage,
                 floyd_warshall<MinPlus>(MatrixView<float>{wide.data(), 2, 2}, {.tile = tile}));
  }
}

/// What a caller's function throws on any thread is the caller's to catch.
TEST(Solve, EndsWithWhatTheProgressThrows) {
  const Graph graph = generated(200);
  for (const int threads : {1, 2, 3, 5, 8}) {
    RecordedProgress thrower;
    thrower.cancel_when = []() -> bool { throw std::runtime_error("progress"); };
    SolveOptions options{.machine = {.threads = threads}};
    const SolveOptions calm = options;
    options.control.progress = &thrower;
    EXPECT_THROW(solve(graph, options), std::runtime_error);
    EXPECT_EQ(solve(graph, calm).distance(0, 0), 0);
  }
}

}  // namespace
}  // namespace apsp::solve_test

namespace apsp::api::solve_test {
namespace {

TEST(PredictedSolve, SaysThatItWasPredictedByMeasurements) {
  constexpr double kShort = 0.03;  // s
  rates::MeasuredRates measured({.folder = {},
                                 .measuring = rates::Measuring::always,
                                 .most_on_host = kShort,
                                 .most_on_device = kShort,
                                 .sizes = {16, 32}},
                                planner::no_device);
  const auto graph = rates::measuring_graph(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, dense::Shape::full, 300);
  SolveOptions options{.method = {.value_type = ValueType::f32}, .machine = {.threads = 1}};
  PlanReport plan;
  options.on_plan = [&](const PlanReport& made) { plan = made; };
  const SolveReport report =
      solve_among(measured.find(), *graph, options, measured.source()).report();
  EXPECT_FALSE(report.prediction_rough);
  EXPECT_EQ(report.seconds_predicted, plan.predicted.seconds);
  EXPECT_GT(plan.predicted.solve, 0);
  EXPECT_GT(plan.predicted.statistics, 0);
  EXPECT_FALSE(plan.predicted.rough);
  const SolveReport rough =
      solve_among(planner::no_device, *graph, {.machine = {.threads = 1}}).report();
  EXPECT_TRUE(rough.prediction_rough);
  EXPECT_GT(rough.seconds_predicted, 0);
}

/// Statistics run while rows are stored: what they hide is not said of the disk.
TEST(PredictedSolve, NotesWhatTheOutputTookUnlessStatisticsTookMostOfIt) {
  const TemporaryFolder folder;
  const auto graph = rates::measuring_graph(
      {Semiring::min_plus, ValueType::f32, kernels::Sign::non_negative}, dense::Shape::full, 60);
  SolveOptions options{
      .method = {.algorithm = Algorithm::floyd_warshall, .value_type = ValueType::f32}};
  options.storage.output = folder / "x.npy";
  for (const bool slow : {false, true}) {
    std::vector<double> noted;
    planner::RateSource rates;
    rates.host = [&](const planner::RateQuery&) {
      return planner::HostRates{.solve = planner::RateCurve({{60, 1e-3}}),
                                .statistics = slow ? 1 : 1e12};  // pairs a second
    };
    rates.stored = [&](const planner::RateQuery&, double, double seconds) {
      noted.push_back(seconds);
    };
    solve_among(planner::no_device, *graph, options, rates);
    EXPECT_EQ(noted.size(), slow ? 0u : 1u);
    for (const double seconds : noted) EXPECT_GT(seconds, 0);
  }
}

}  // namespace
}  // namespace apsp::api::solve_test

namespace apsp::solve_test {
namespace {

// Symmetric matrices that nobody called so: recognised, solved as one triangle, and with the
// answers of the whole.
constexpr std::int64_t kTile = 16;

/// Undirected edges with loops and parallel ones; as a directed graph, both arcs of each.
Graph mirrored_graph(std::int64_t n, bool directed, bool with_a_lone_arc = false) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  const auto below = [&](std::int64_t end) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(end)));
  };
  GraphBuilder builder(n, directed);
  for (std::int64_t i = 0; i < 3 * n; ++i) {
    const auto u = static_cast<Vertex>(below(n)), v = static_cast<Vertex>(below(n));
    const auto weight = static_cast<double>(1 + below(100));
    builder.add_edge(u, v, weight);
    if (directed && u != v) builder.add_edge(v, u, weight);
  }
  if (with_a_lone_arc) builder.add_edge(0, static_cast<Vertex>(n - 1), 1);
  return std::move(builder).build();
}

double cube(std::int64_t n) {
  const auto side = static_cast<double>(n);
  return side * side * side;
}

/// The bytes of all files below `folder`, by their paths.
std::map<std::string, std::string> contents(const std::filesystem::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    std::ifstream in(entry.path(), std::ios::binary);
    files[std::filesystem::relative(entry.path(), folder)] = {std::istreambuf_iterator<char>(in),
                                                              {}};
  }
  return files;
}

TEST(Symmetry, IsAFactOfTheGraphAndNotItsDirection) {
  EXPECT_TRUE(mirrored_graph(50, false).symmetric());
  const Graph both_ways = mirrored_graph(50, true);
  EXPECT_TRUE(both_ways.symmetric());
  EXPECT_TRUE(both_ways.directed());
  EXPECT_EQ(both_ways.edge_count(), both_ways.arc_count());
  EXPECT_FALSE(mirrored_graph(50, true, true).symmetric());
  EXPECT_TRUE(Graph().symmetric());
}

TEST(Symmetry, HalfTheWorkAndTheSameAnswerInEverySemiring) {
  for (const std::int64_t n : {1, 2, 15, 16, 17, 61, 131}) {
    for (const Semiring semiring : {Semiring::min_plus, Semiring::max_min, Semiring::min_max}) {
      for (const bool lone : {false, true}) {
        const Graph graph = mirrored_graph(n, true, lone && n > 1);
        SolveOptions options{.question = {.semiring = semiring}, .method = {.tile = kTile}};
        const Result result = solve(graph, options);
        EXPECT_EQ(result.report().relaxations, cube(n) / (lone && n > 1 ? 1 : 2));
        const std::vector<double> expected = verifier::floyd_warshall(graph, semiring);
        for (Vertex s = 0; s < n; ++s) {
          const std::vector<double> row = result.distances_from(s);
          ASSERT_TRUE(std::equal(row.begin(), row.end(), expected.begin() + s * n))
              << name(semiring) << " " << n << " from " << s;
        }
        EXPECT_TRUE(result.verify().passed);
      }
    }
  }
}

TEST(Symmetry, TheStoreOfTheHalfIsTheStoreOfTheWhole) {
  // Five devices are no square grid, and solve the whole matrix: what they store besides the report
  // is what the half stored.
  const TemporaryFolder folder;
  const Graph graph = mirrored_graph(150, true);
  SolveOptions options{.question = {.predecessors = true},
                       .method = {.tile = kTile},
                       .storage = {.output = folder / "half.zarr"}};
  EXPECT_EQ(solve(graph, options).report().relaxations, cube(150) / 2);
  options.machine.device = Device::cuda;
  options.machine.device_ordinals = {0, 1, 2, 3, 4};
  options.storage.output = folder / "whole.zarr";
  constexpr auto five_devices = planner::several_devices<5>;
  EXPECT_EQ(api::solve_among(five_devices, graph, options).report().relaxations, cube(150));
  const auto half = contents(folder / "half.zarr"), whole = contents(folder / "whole.zarr");
  ASSERT_EQ(half.size(), whole.size());
  for (const auto& [file, bytes] : half) {
    if (file == "zarr.json") continue;  // holds the report
    EXPECT_TRUE(whole.contains(file) && whole.at(file) == bytes) << file;
  }
}

TEST(Symmetry, NegativeArcsBothWaysAreACycleAndNothingElse) {
  const Graph graph = graph_of(3, {{0, 1, -1}, {1, 0, -1}});
  EXPECT_TRUE(graph.symmetric());
  EXPECT_THROW(solve(graph), Error);
  SolveOptions widest{.question = {.semiring = Semiring::max_min}};
  EXPECT_EQ(solve(graph, widest).distance(0, 1), -1);
}

template <class T>
std::vector<T> symmetric_matrix(std::int64_t n, std::int64_t stride, T no_path) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n));
  std::vector<T> matrix(static_cast<std::size_t>(n * stride), no_path);
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      if (random.below(4) != 0) continue;
      const auto weight = static_cast<T>(1 + random.below(100));
      matrix[static_cast<std::size_t>(i * stride + j)] = weight;
      matrix[static_cast<std::size_t>(j * stride + i)] = weight;
    }
  }
  return matrix;
}

/// In place on `device`, against the triple loop; returns the relaxations announced.
template <class T>
double solve_in_place(std::vector<T> matrix, std::int64_t n, ValueType type, Device device) {
  const std::int64_t stride = n + 3;
  std::vector<T> expected = matrix;
  const auto at = [&](std::int64_t i, std::int64_t j) -> T& {
    return expected[static_cast<std::size_t>(i * stride + j)];
  };
  for (std::int64_t i = 0; i < n; ++i) at(i, i) = 0;
  close_by_the_textbook<semiring::MinPlus<T>>(n, at);
  RecordedProgress progress;
  FloydWarshallOptions options{.tile = kTile, .device = device};
  options.control.progress = &progress;
  api::floyd_warshall_among(planner::one_device, Semiring::min_plus, type,
                            {matrix.data(), n, n, stride}, options);
  EXPECT_EQ(matrix, expected) << name(type) << ", n = " << n;
  return progress.totals["Floyd-Warshall"];
}

template <class T>
void recognises_matrices(ValueType type) {
  const auto no_path = static_cast<T>(apsp::no_path(Semiring::min_plus, type));
  for (const Device device : {Device::cpu, Device::cuda}) {
    for (const std::int64_t n : {2, 15, 16, 17, 61, 97}) {
      std::vector<T> matrix = symmetric_matrix<T>(n, n + 3, no_path);
      const double whole = cube(n);
      EXPECT_EQ(solve_in_place(matrix, n, type, device), whole / 2);
      matrix[static_cast<std::size_t>((n - 1) * (n + 3) + n - 2)] = T{101};
      EXPECT_EQ(solve_in_place(matrix, n, type, device), whole);
    }
  }
}

TEST(Symmetry, MatricesInPlaceAreRecognised) {
  recognises_matrices<float>(ValueType::f32);
  recognises_matrices<double>(ValueType::f64);
  recognises_matrices<std::int32_t>(ValueType::i32);
  recognises_matrices<std::uint16_t>(ValueType::u16);
}

template <class SemiringTag>
ErrorKind cycle_in(float weight) {
  constexpr std::int64_t kSide = 40;
  const float no_path = SemiringTag::kind == Semiring::max_plus
                            ? -std::numeric_limits<float>::infinity()
                            : std::numeric_limits<float>::infinity();
  std::vector<float> matrix(kSide * kSide, no_path);
  matrix[3 * kSide + 30] = matrix[30 * kSide + 3] = weight;
  FloydWarshallOptions options{.tile = kTile};
  return error_of([&] {
           floyd_warshall<SemiringTag>(MatrixView<float>{matrix.data(), kSide, kSide}, options);
         })
      .kind();
}

TEST(Symmetry, CyclesThatImproveAreFoundInSymmetricMatricesToo) {
  EXPECT_EQ(cycle_in<MinPlus>(-1), ErrorKind::negative_cycle);
  EXPECT_EQ(cycle_in<MaxPlus>(1), ErrorKind::negative_cycle);
}

// Weights of both signs by every engine of rows: random graphs against the textbook in doubles,
// within the error that the report states.
constexpr Algorithm kByRows[] = {Algorithm::johnson, Algorithm::nested_dissection,
                                 Algorithm::boundary};
constexpr std::int64_t kSize = 70;

/// The graph with weights of eighths, whose sums are exact in doubles.
Graph of_eighths(const Graph& graph) {
  GraphBuilder builder(graph.vertex_count());
  graph.visit_all([&](Vertex u, Vertex v, double weight) { builder.add_edge(u, v, weight / 8); });
  return std::move(builder).build();
}

/// Graphs of few and many arcs; all cycles of weight zero; without cycles; integers.
std::vector<Graph> graphs() {
  std::vector<Graph> all;
  std::uint64_t seed = 0;
  for (const std::int64_t arcs : {kSize / 2, 2 * kSize, 5 * kSize}) {
    for (const double potential : {3.0, 40.0, 1e4}) {
      all.push_back(random_graph(
          {.n = kSize, .arcs = arcs, .real = true, .potential = potential, .seed = ++seed}));
    }
    all.push_back(of_eighths(
        random_graph({.n = kSize, .arcs = arcs, .greatest = 0, .potential = 40, .seed = ++seed})));
    all.push_back(
        random_graph(kSize, arcs, -3, 4, {.real = true, .acyclic = true, .seed = ++seed}));
    all.push_back(
        random_graph({.n = kSize, .arcs = arcs, .greatest = 9, .potential = 40, .seed = ++seed}));
  }
  for (const Graph& graph : all) EXPECT_LT(graph.weight_facts().least, 0);
  return all;
}

/// The rounding of the textbook's sums is far below that of any solve.
void expect_close(double found, double right, double error) {
  if (std::isinf(right)) {
    ASSERT_EQ(found, right);
  } else {
    ASSERT_NEAR(found, right, error + 1e-9);
  }
}

TEST(SignedSolve, EveryEngineOfRowsKeepsTheStatedError) {
  for (const Graph& graph : graphs()) {
    const std::vector<double> right = verifier::floyd_warshall(graph, Semiring::min_plus);
    const bool integral = graph.weight_facts().integral;
    for (const Algorithm algorithm : kByRows) {
      for (const ValueType type : {integral ? ValueType::i32 : ValueType::f32, ValueType::f64}) {
        const Result result = solve(graph, {.method = {.algorithm = algorithm, .value_type = type},
                                            .machine = {.threads = 2}});
        EXPECT_EQ(result.report().algorithm, algorithm);
        EXPECT_EQ(result.report().absolute_error > 0, !integral);
        EXPECT_TRUE(result.verify().passed);
        for (Vertex s = 0; s < kSize; ++s) {
          for (Vertex t = 0; t < kSize; ++t) {
            expect_close(result.distance(s, t), right[s * kSize + t],
                         result.report().absolute_error);
          }
        }
      }
    }
  }
}

TEST(SignedSolve, SelectionsAndFactorsGiveTheSameDistances) {
  for (const Graph& graph : graphs()) {
    const std::vector<double> right = verifier::floyd_warshall(graph, Semiring::min_plus);
    const auto expect_right = [&](const Result& result, std::span<const Vertex> sources,
                                  std::span<const Vertex> targets) {
      std::vector<VertexPair> pairs;
      for (const Vertex s : sources) {
        for (const Vertex t : targets) pairs.push_back({s, t});
      }
      const std::vector<double> found = result.distances(pairs);
      for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double of_pair = right[pairs[i].from * kSize + pairs[i].to];
        expect_close(found[i], of_pair, result.report().absolute_error);
        expect_close(result.distance(pairs[i].from, pairs[i].to), of_pair,
                     result.report().absolute_error);
      }
    };
    std::vector<Vertex> all(kSize);
    for (Vertex v = 0; v < kSize; ++v) all[v] = v;
    SolveOptions options{.question = {.sources = {69, 3, 14, 15, 1}, .targets = {2, 60, 14}}};
    for (const Algorithm algorithm : kByRows) {
      options.method.algorithm = algorithm;
      expect_right(solve(graph, options), options.question.sources, options.question.targets);
    }
    const Result kept = solve(graph, {.storage = {.keep = Keep::factor}});
    EXPECT_EQ(kept.kept(), Keep::factor);
    expect_right(kept, all, all);  // by labels
    expect_right(kept, {&all[5], 1}, all);
    const std::vector<double> row = kept.distances_from(5);
    for (Vertex t = 0; t < kSize; ++t) {
      expect_close(row[t], right[5 * kSize + t], kept.report().absolute_error);
    }
    EXPECT_TRUE(kept.verify().passed);
  }
}

TEST(SignedSolve, PathsAndPredecessorsFollowRows) {
  const Graph graph = random_graph({.n = kSize, .arcs = 300, .real = true, .potential = 7});
  for (const Keep keep : {Keep::matrix, Keep::factor}) {
    const Result result = solve(graph, {.storage = {.keep = keep}});
    for (Vertex t = 0; t < kSize; ++t) {
      const std::vector<Vertex> path = result.path(3, t);
      double length = 0;
      for (std::size_t i = 1; i < path.size(); ++i) {
        double best = std::numeric_limits<double>::infinity();
        graph.for_each_arc_between(path[i - 1], path[i],
                                   [&](double weight) { best = std::min(best, weight); });
        length += best;
      }
      if (path.empty()) continue;
      expect_close(result.distance(3, t), length, result.report().absolute_error);
    }
  }
}

TEST(SignedSolve, RefusesNegativeCyclesAndWhatHoldsNoPotentials) {
  // No source reaches the cycle 3 → 4 → 3.
  const Graph cyclic = graph_of(5, {{0, 1, 1.5}, {1, 2, -0.5}, {3, 4, 0.25}, {4, 3, -0.75}});
  for (const Algorithm algorithm : kByRows) {
    SolveOptions options{.question = {.sources = {0}}, .method = {.algorithm = algorithm}};
    const Error error = error_of([&] { solve(cyclic, options); });
    EXPECT_EQ(error.kind(), ErrorKind::negative_cycle);
    EXPECT_EQ(error.cycle().weight, -0.5);
  }
  const Graph graph = random_graph({.n = kSize, .arcs = 300, .real = true, .potential = 7});
  const Result kept = solve(graph, {.storage = {.keep = Keep::factor}});
  EXPECT_ERROR(usage, kept.update(graph));
  SolveOptions stored{.storage = {.output = "unwritten.zarr", .stored = Keep::factor}};
  EXPECT_ERROR(usage, solve(graph, stored));
}

}  // namespace
}  // namespace apsp::solve_test
