// Distances of integer weights are exact or refused, at every door: random graphs whose weights lie
// near 2^53 and 2^62, against sums in 128 bits. APSP_EXACT_SOLVES says how many.
#include <apsp/apsp.hpp>

#include "api/solve.hpp"
#include "base/random.hpp"
#include "graph/whole_weights.hpp"
#include "support/graph_of.hpp"
#include "support/invented_devices.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"
#include "support/zigzag.hpp"

namespace apsp::exact_integers_test {
namespace {

__extension__ using Wide = __int128;
constexpr Wide kNone = Wide{1} << 100;

int trials() {
  constexpr int kFew = 300;
  const char* const given = std::getenv("APSP_EXACT_SOLVES");
  return given == nullptr ? kFew : std::atoi(given);
}

/// A double that is an integer around a power of two.
double drawn_weight(base::SplitMix64& random) {
  const double few = static_cast<double>(random.below(4));
  switch (random.below(6)) {
    case 0:
      return few;
    case 1:
      return 0x1p53 - 1 - few;
    case 2:
      return 0x1p53 + 2 * few;
    case 3:
      return 0x1p62 + 2048 * few;
    case 4:
      return std::floor(0x1p53 / static_cast<double>(2 + random.below(4))) + few;
    default:
      return std::floor(0x1p53 / 9) - few;
  }
}

struct Case {
  Graph graph;
  std::vector<Wide> truth;  // [n, n]

  Wide at(Vertex s, Vertex t) const {
    return truth[static_cast<std::size_t>(s * graph.vertex_count() + t)];
  }
};

std::vector<Wide> true_distances(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<Wide> d(n * n, kNone);
  for (std::size_t v = 0; v < n; ++v) d[v * n + v] = 0;
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    d[u * n + v] = std::min(d[u * n + v], static_cast<Wide>(weight));
  });
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
      }
    }
  }
  return d;
}

/// Weights of one magnitude, or of all.
Case drawn_case(std::uint64_t seed) {
  base::SplitMix64 random(seed);
  const auto n = static_cast<Vertex>(2 + random.below(8));
  const bool scaled = random.below(3) != 0;
  const double scale = scaled ? drawn_weight(random) : 0;
  std::vector<Edge> edges;
  for (std::uint64_t i = 0; i < std::uint64_t{2} * n; ++i) {
    const double weight = scaled ? std::floor(scale / static_cast<double>(1 + random.below(8)))
                                 : drawn_weight(random);
    edges.push_back(
        {static_cast<Vertex>(random.below(n)), static_cast<Vertex>(random.below(n)), weight});
  }
  Graph graph = graph_of(n, edges, random.below(2) == 0);
  std::vector<Wide> truth = true_distances(graph);
  return {graph, std::move(truth)};
}

void expect_exact(const Case& of, Vertex s, Vertex t, double found) {
  const Wide exact = of.at(s, t);
  if (exact >= kNone) {
    EXPECT_TRUE(std::isinf(found)) << s << " to " << t;
    return;
  }
  EXPECT_LE(found, 0x1p53) << s << " to " << t;
  EXPECT_TRUE(static_cast<Wide>(found) == exact) << s << " to " << t << " is " << found;
}

void expect_all_exact(const Case& of, const Result& result) {
  const auto n = static_cast<Vertex>(of.graph.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    for (Vertex t = 0; t < n; ++t) expect_exact(of, s, t, result.distance(s, t));
  }
}

/// Whether `ask` answered, and did not refuse.
template <class Ask>
bool answers(const Ask& ask) {
  try {
    ask();
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit) << error.what();
    return false;
  }
}

TEST(ExactIntegers, DistancesAreExactOrRefused) {
  int solved = 0, refused = 0;
  for (int seed = 1; seed <= trials(); ++seed) {
    SCOPED_TRACE(seed);
    const Case of = drawn_case(static_cast<std::uint64_t>(seed));
    const double bound = of.graph.weight_facts().longest_path;
    for (const Keep keep : {Keep::matrix, Keep::factor}) {
      const bool answered = answers([&] {
        const Result result = solve(of.graph, {.storage = {.keep = keep}});
        expect_all_exact(of, result);
        EXPECT_TRUE(result.verify().passed);
      });
      if (of.graph.weight_facts().integral && bound <= graph::kMostExact) {
        EXPECT_TRUE(answered);
      }
      (answered ? solved : refused) += 1;
    }
  }
  EXPECT_GT(solved, trials() / 4);
  EXPECT_GT(refused, trials() / 4);
}

TEST(ExactIntegers, OfPairsPlacesAndLimitsAreExactOrRefused) {
  for (int seed = 1; seed <= trials(); ++seed) {
    SCOPED_TRACE(seed);
    const Case of = drawn_case(static_cast<std::uint64_t>(seed));
    const auto last = static_cast<Vertex>(of.graph.vertex_count() - 1);
    const std::vector<VertexPair> pairs = {{0, last}, {last, 0}};
    answers([&] {
      const std::vector<double> found = distances(of.graph, pairs);
      expect_exact(of, 0, last, found[0]);
      expect_exact(of, last, 0, found[1]);
    });
    answers([&] {
      const NearestPlaces found = nearest(of.graph, std::vector<Vertex>{last});
      for (Vertex v = 0; v <= last; ++v) expect_exact(of, v, last, found.distances[v]);
    });
    for (const double limit : {0x1p53 - 1, 0x1p52, std::floor(0x1p53 / 3)}) {
      for (const Algorithm engine : {Algorithm::johnson, Algorithm::nested_dissection}) {
        const SparseDistances found = within(of.graph, limit, {.algorithm = engine});
        std::size_t at = 0;
        for (Vertex s = 0; s <= last; ++s) {
          for (Vertex t = 0; t <= last; ++t) {
            if (s == t || of.at(s, t) > static_cast<Wide>(limit)) continue;
            ASSERT_LT(at, found.targets.size());
            EXPECT_EQ(found.targets[at], t);
            expect_exact(of, s, t, found.distances[at++]);
          }
        }
        EXPECT_EQ(at, found.targets.size());
      }
    }
    answers([&] { within(of.graph, 0x1p60); });
  }
}

TEST(ExactIntegers, OfUpdatesAreExactOrRefused) {
  int updated = 0;
  for (int seed = 1; seed <= trials(); ++seed) {
    SCOPED_TRACE(seed);
    base::SplitMix64 random(static_cast<std::uint64_t>(seed));
    const Case of = drawn_case(static_cast<std::uint64_t>(seed));
    std::vector<double> weights(static_cast<std::size_t>(of.graph.edge_count()));
    for (double& weight : weights) {
      weight = std::floor(0x1p53 / static_cast<double>(1 + random.below(12)));
    }
    Case now{with_weights(of.graph, weights), {}};
    now.truth = true_distances(now.graph);
    for (const Keep keep : {Keep::matrix, Keep::factor}) {
      std::optional<Result> before;
      if (!answers([&] { before = solve(of.graph, {.storage = {.keep = keep}}); })) continue;
      updated += answers([&] {
        const Result after = before->update(now.graph);
        expect_all_exact(now, after);
      });
    }
  }
  EXPECT_GT(updated, 0);
}

Graph chain(double first) { return graph_of(5, {{0, 1, first}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}}); }

TEST(ExactIntegers, RoundedSumsAreOnlyGivenWhereF64IsNamed) {
  const Graph graph = chain(0x1p53);
  const Error refusal = error_of([&] { solve(graph); });
  EXPECT_EQ(refusal.kind(), ErrorKind::does_not_fit);
  EXPECT_NE(std::string(refusal.what()).find("`value_type=f64`"), std::string::npos);
  const Result named = solve(graph, {.method = {.value_type = ValueType::f64}});
  EXPECT_EQ(named.report().unit_roundoff, 0x1p-53);
  EXPECT_TRUE(named.verify().passed);
  EXPECT_GT(named.verify().tolerance, 0);
  EXPECT_ERROR(does_not_fit, solve(graph, {.method = {.value_type = ValueType::i32}}));
  EXPECT_ERROR(does_not_fit, betweenness(graph));
  const Result exact = solve(chain(0x1p53 - 4));
  EXPECT_EQ(exact.report().unit_roundoff, 0);
  EXPECT_EQ(exact.distance(0, 4), 0x1p53 - 1);
  EXPECT_ERROR(does_not_fit, solve(chain(0x1p53 - 3)));
}

/// No distance exceeds 2^53, although the largest weights of all vertices add up to more.
TEST(ExactIntegers, SearchesProveThatDistancesAreExact) {
  std::vector<Edge> spokes;
  for (Vertex v = 1; v < 40; ++v) spokes.push_back({0, v, 0x1p51 + v});
  const Graph star = graph_of(40, spokes, false);
  const Result result = solve(star);
  EXPECT_EQ(result.value_type(), ValueType::f64);
  EXPECT_EQ(result.report().unit_roundoff, 0);
  EXPECT_EQ(result.distance(38, 39), 0x1p52 + 77);
  EXPECT_EQ(result.verify().meaning, "proof");
}

/// Who took rounded sums by name may update them. Exact ones do not become rounded unnoticed.
TEST(ExactIntegers, AnUpdateKeepsExactSumsExact) {
  const Graph after = chain(0x1p53);
  for (const Keep keep : {Keep::matrix, Keep::factor}) {
    const Result exact = solve(chain(0x1p52), {.storage = {.keep = keep}});
    EXPECT_ERROR(does_not_fit, exact.update(after));
    const Result rounded =
        solve(chain(0x1p54), {.method = {.value_type = ValueType::f64}, .storage = {.keep = keep}});
    EXPECT_GT(rounded.update(after).report().unit_roundoff, 0);
  }
}

TEST(ExactIntegers, BottlenecksOfAnyMagnitudeAreExact) {
  const Graph graph = graph_of(3, {{0, 1, 0x1p62 + 2048}, {1, 2, 0x1p62 + 4096}});
  for (const Semiring semiring : {Semiring::max_min, Semiring::min_max}) {
    const Result result = solve(graph, {.question = {.semiring = semiring}});
    EXPECT_EQ(result.report().unit_roundoff, 0);
    EXPECT_EQ(result.distance(0, 2), 0x1p62 + (semiring == Semiring::max_min ? 2048 : 4096));
  }
}

// Solves in a type that holds every distance, but not every sum met on the way nor every weight.

constexpr std::int64_t kMost16 = 32766;
constexpr std::int64_t kMost32 = (1 << 30) - 2;

/// Arcs of every weight that might wrap, and that no shortest path takes.
std::vector<Edge> baits(std::int64_t n) {
  std::vector<Edge> edges;
  double weight = 32767;
  for (std::int64_t u = 0; u + 1 < n; u += 3) {
    for (const std::int64_t v : {u, u + 1, n - 1 - u}) {
      edges.push_back({static_cast<Vertex>(u), static_cast<Vertex>(v), weight});
      weight = weight == 32767 ? 32768 : weight == 32768 ? 65535 : weight + 1;
    }
  }
  return edges;
}

/// Rings of directed arcs, each joined to the next one by an arc, and a vertex apart.
Graph rings(std::int64_t count, std::int64_t length, double weight) {
  std::vector<Edge> edges;
  for (std::int64_t ring = 0; ring < count; ++ring) {
    const std::int64_t first = ring * length;
    for (std::int64_t i = 0; i < length; ++i) {
      edges.push_back(
          {static_cast<Vertex>(first + i), static_cast<Vertex>(first + (i + 1) % length), weight});
    }
    if (ring + 1 == count) continue;
    edges.push_back(
        {static_cast<Vertex>(first), static_cast<Vertex>(first + length + 1), weight + 1});
    edges.push_back({static_cast<Vertex>(first), static_cast<Vertex>(first + length), 65536});
  }
  return graph_of(count * length + 1, edges);
}

void expect_right(const Result& result, const Graph& graph, ValueType type) {
  ASSERT_EQ(result.value_type(), type);
  for (Vertex s = 0; s < graph.vertex_count(); ++s) {
    ASSERT_EQ(result.distances_from(s), verifier::dijkstra(graph, s)) << "from " << s;
  }
  EXPECT_TRUE(result.verify().passed);
}

/// On the CPU by every algorithm, with and without intermediate vertices, and on a device.
void expect_solved(const Graph& graph, ValueType type) {
  SolveOptions options{.method = {.value_type = type, .tile = 16}, .machine = {.threads = 2}};
  for (const Algorithm algorithm :
       {Algorithm::floyd_warshall, Algorithm::nested_dissection, Algorithm::johnson}) {
    options.method.algorithm = algorithm;
    expect_right(solve(graph, options), graph, type);
  }
  options.method.algorithm = Algorithm::floyd_warshall;
  for (const bool via : {false, true}) {
    options.question.via = via;
    options.machine.device = Device::cpu;
    expect_right(solve(graph, options), graph, type);
    options.machine.device = Device::cuda;
    expect_right(api::solve_among(planner::one_device, graph, options), graph, type);
  }
}

TEST(NarrowSolve, TheLongestDistanceIsTheLargestValue) {
  expect_solved(zigzag(70, kMost16), ValueType::u16);
  expect_solved(zigzag(70, kMost16, baits(70)), ValueType::u16);
  const Result result = solve(zigzag(600, kMost16, baits(600)));
  EXPECT_EQ(result.value_type(), ValueType::u16);
  EXPECT_EQ(result.distance(0, 599), kMost16);
  EXPECT_EQ(*result.statistics().diameter, kMost16);
}

TEST(NarrowSolve, OneMoreTakesTheNextType) {
  const Result result = solve(zigzag(600, kMost16 + 1, baits(600)));
  EXPECT_EQ(result.value_type(), ValueType::i32);
  EXPECT_EQ(result.distance(0, 599), kMost16 + 1);
  EXPECT_ERROR(does_not_fit,
               solve(zigzag(70, kMost16 + 1), {.method = {.value_type = ValueType::u16}}));
}

TEST(NarrowSolve, WordsAtTheirLimit) {
  expect_solved(zigzag(70, kMost32, {{0, 69, 0x1p31}, {1, 2, 0x1p32 + 1}, {5, 40, 0x1p30 - 1}}),
                ValueType::i32);
}

TEST(NarrowSolve, RandomGraphsWithHeavyArcs) {
  for (const bool directed : {false, true}) {
    for (const std::int64_t arcs : {50, 90, 400}) {
      const Graph light =
          random_graph({.n = 65, .arcs = arcs, .least = 1, .greatest = 200, .directed = directed});
      GraphBuilder builder(65, directed);
      light.visit_all([&](Vertex from, Vertex to, double weight) {
        if (!directed && from > to) return;
        builder.add_edge(from, to, weight);
        builder.add_edge(from, to, weight + 65535);  // parallel: would wrap to one less
      });
      expect_solved(std::move(builder).build(), ValueType::u16);
    }
  }
}

TEST(NarrowSolve, ACondensation) { expect_solved(rings(6, 11, 250), ValueType::u16); }

TEST(NarrowSolve, PathsAreOfTheGraph) {
  const Graph graph = zigzag(70, kMost16, baits(70));
  const Result result = solve(graph, {.method = {.value_type = ValueType::u16}});
  EXPECT_EQ(result.path(0, 69).size(), 70U);
}

// A vertex that the graph does not have is refused by every public call that takes one.

struct Call {
  const char* name;
  std::function<void(Vertex)> with;
};

/// Vertices that a graph of five does not have; the last ones wrap where 1 is added.
constexpr Vertex kOutside[] = {5, 6, 1000, std::numeric_limits<Vertex>::max() - 1,
                               std::numeric_limits<Vertex>::max()};

void expect_refused(const std::vector<Call>& calls) {
  for (const Call& call : calls) {
    for (const Vertex v : kOutside) {
      SCOPED_TRACE(call.name);
      EXPECT_ERROR(usage, call.with(v));
    }
  }
}

GraphBuilder path_of_five() {
  GraphBuilder builder(5, false);
  for (Vertex v = 0; v < 4; ++v) builder.add_edge(v, v + 1, 2);
  return builder;
}

Graph labelled() {
  GraphBuilder builder = path_of_five();
  builder.set_labels({"a", "b", "c", "d", "e"});
  return std::move(builder).build();
}

/// As compressed rows, with labels, and as a matrix.
std::vector<Graph> graphs() {
  GraphBuilder of_matrix(5);
  auto values = std::make_shared<std::vector<float>>(25, 1.0F);
  of_matrix.set_matrix({.type = ValueType::f32, .n = 5, .data = values->data(), .owner = values});
  return {path_of_five().build(), labelled(), std::move(of_matrix).build()};
}

TEST(Bounds, OfGraphs) {
  for (const Graph& graph : graphs()) {
    ASSERT_EQ(graph.vertex_count(), 5);
    const auto visit = [](auto&&...) {};
    std::int64_t place = 0;
    expect_refused({
        {"name", [&](Vertex v) { graph.name(v); }},
        {"out_degree", [&](Vertex v) { graph.out_degree(v); }},
        {"for_each_arc", [&](Vertex v) { graph.for_each_arc(v, visit); }},
        {"for_each_arc_between from", [&](Vertex v) { graph.for_each_arc_between(v, 0, visit); }},
        {"for_each_arc_between to", [&](Vertex v) { graph.for_each_arc_between(0, v, visit); }},
        {"next_arc", [&](Vertex v) { graph.next_arc(v, place); }},
    });
    place = -1;
    EXPECT_ERROR(usage, graph.next_arc(0, place));
    place = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(graph.next_arc(0, place), std::nullopt);
    EXPECT_EQ(graph.find("5"), std::nullopt);
    if (graph.matrix() != nullptr) continue;
    expect_refused({{"targets", [&](Vertex v) { graph.targets(v); }},
                    {"weights", [&](Vertex v) { graph.weights(v); }}});
  }
}

TEST(Bounds, OfAGraphWithoutVertices) {
  const Graph nothing;
  EXPECT_ERROR(usage, nothing.name(0));
  EXPECT_ERROR(usage, nothing.out_degree(0));
  EXPECT_ERROR(usage, nothing.targets(0));
}

TEST(Bounds, OfEdges) {
  expect_refused({
      {"from",
       [](Vertex v) {
         GraphBuilder builder(5);
         builder.add_edge(v, 0);
         std::move(builder).build();
       }},
      {"to",
       [](Vertex v) {
         GraphBuilder builder(5, false);
         builder.add_edge(0, v);
         std::move(builder).build();
       }},
      {"with_changes",
       [](Vertex v) {
         with_changes(labelled(), std::vector<Edge>{{v, 0, 1}});
       }},
      {"with_changes to",
       [](Vertex v) {
         with_changes(labelled(), std::vector<Edge>{{0, v, 1}});
       }},
  });
}

std::vector<Result> results(const TemporaryFolder& folder) {
  std::vector<Result> all;
  SolveOptions options{.question = {.via = true, .hops = true},
                       .method = {.algorithm = Algorithm::floyd_warshall}};
  all.push_back(solve(labelled(), options));
  all.push_back(solve(labelled(), {.method = {.algorithm = Algorithm::nested_dissection},
                                   .storage = {.keep = Keep::factor}}));
  for (const auto& [name, keep] :
       {std::pair{"a.zarr", Keep::matrix}, std::pair{"b.zarr", Keep::factor}}) {
    const std::string path = folder / name;
    SolveOptions stored{.method = {.algorithm = Algorithm::nested_dissection}};
    stored.storage.output = path;
    stored.storage.stored = keep;
    stored.question.statistics = keep == Keep::matrix;
    solve(path_of_five().build(), stored);
    all.push_back(open_result(path));
  }
  return all;
}

TEST(Bounds, OfResults) {
  const TemporaryFolder folder;
  for (const Result& result : results(folder)) {
    expect_refused({
        {"name", [&](Vertex v) { result.name(v); }},
        {"distance from", [&](Vertex v) { result.distance(v, 0); }},
        {"distance to", [&](Vertex v) { result.distance(0, v); }},
        {"distances_from", [&](Vertex v) { result.distances_from(v); }},
        {"distances from",
         [&](Vertex v) {
           result.distances(std::vector<VertexPair>{{v, 0}});
         }},
        {"distances to",
         [&](Vertex v) {
           result.distances(std::vector<VertexPair>{{0, 1}, {0, v}});
         }},
        {"reachable from", [&](Vertex v) { result.reachable(v, 0); }},
        {"reachable to", [&](Vertex v) { result.reachable(0, v); }},
        {"path from", [&](Vertex v) { result.path(v, 0); }},
        {"path to", [&](Vertex v) { result.path(0, v); }},
        {"predecessors", [&](Vertex v) { result.predecessors(v); }},
        {"write_table from",
         [&](Vertex v) { write_table(result, folder / "t.csv", {.sources = {v}}); }},
        {"write_table to",
         [&](Vertex v) {
           write_table(result, folder / "t.csv", {.targets = {0, v}});
         }},
    });
    if (!result.has_via()) continue;
    expect_refused({{"via from", [&](Vertex v) { result.via(v, 0); }},
                    {"via to", [&](Vertex v) { result.via(0, v); }},
                    {"hops from", [&](Vertex v) { result.hops(v, 0); }},
                    {"hops to", [&](Vertex v) { result.hops(0, v); }},
                    {"path_by_via from", [&](Vertex v) { result.path_by_via(v, 0); }},
                    {"path_by_via to", [&](Vertex v) { result.path_by_via(0, v); }}});
  }
}

TEST(Bounds, OfSolvesAndWhatIsNear) {
  const TemporaryFolder folder;
  const Graph graph = labelled();
  const std::vector<double> people(5, 1), limits = {2};
  expect_refused({
      {"sources", [&](Vertex v) { solve(graph, {.question = {.sources = {v}}}); }},
      {"targets", [&](Vertex v) { solve(graph, {.question = {.targets = {v}}}); }},
      {"plan_solve",
       [&](Vertex v) {
         plan_solve(graph, {.question = {.sources = {0, v}}});
       }},
      {"distances",
       [&](Vertex v) {
         distances(graph, std::vector<VertexPair>{{0, v}});
       }},
      {"within", [&](Vertex v) { within(graph, 2, {.sources = {v}}); }},
      {"access", [&](Vertex v) { access(graph, people, limits, {}, {.sources = {v}}); }},
      {"nearest",
       [&](Vertex v) {
         nearest(graph, std::vector<Vertex>{0, v});
       }},
      {"betweenness", [&](Vertex v) { betweenness(graph, {.sources = {v}}); }},
      {"write_table", [&](Vertex v) { write_table(graph, folder / "t.csv", {.sources = {v}}); }},
      {"write_zarr",
       [&](Vertex v) {
         const std::vector<Vertex> sources = {v};
         write_zarr(within(graph, 2, {.sources = {0}}), graph, 2, sources, folder / "n.zarr");
       }},
  });
}

TEST(Bounds, OfListsOfVertices) {
  const std::vector<double> values = {1, std::numeric_limits<double>::quiet_NaN(), 3};
  EXPECT_EQ(top(values, 10), (std::vector<Vertex>{2, 0}));
  EXPECT_TRUE(top({}, 3).empty());
}

TEST(Bounds, OfMatrices) {
  std::vector<float> values(6, 1);
  const auto kind = [](const std::function<void()>& call) { return error_of(call).kind(); };
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(values.data(), 2, 3)); }),
            ErrorKind::usage);
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(values.data(), -1, -1)); }),
            ErrorKind::usage);
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(nullptr, 2, 2)); }),
            ErrorKind::usage);
  EXPECT_EQ(kind([&] { floyd_warshall<MinPlus>(MatrixView<float>(values.data(), 2, 2, 1)); }),
            ErrorKind::usage);
  const MatrixView<float> two(values.data(), 2, 2), odd(values.data(), 2, 3);
  EXPECT_EQ(kind([&] { multiply_add<MinPlus>(two, odd, odd); }), ErrorKind::usage);
}

}  // namespace
}  // namespace apsp::exact_integers_test
