#include <apsp/error.hpp>
#include <apsp/near.hpp>
#include <apsp/report.hpp>
#include <apsp/solve.hpp>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/choices.hpp"
#include "fuzz/report.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::fuzz {
namespace {

/// At which sums round, overflow, vanish or leave a value type.
double weight_of(Choices& choices) {
  static constexpr double kTelling[] = {0,          1,          2,      7,       0.1,   1.0 / 3,
                                        65535,      65536,      1e6,    1e38,    1e300, 5e-324,
                                        2147483647, 4294967296, 0x1p53, 1.7e308, -1,    -0.1};
  const std::size_t at = choices.below(std::size(kTelling) + 2);
  return at < std::size(kTelling) ? kTelling[at] : choices.take<std::int16_t>() / 8.0;
}

Graph graph_of(Choices& choices) {
  const std::size_t n = choices.below(10);
  const bool directed = choices.below(2) == 0;
  GraphBuilder builder(static_cast<std::int64_t>(n), directed);
  if (n == 0) return std::move(builder).build();
  for (std::size_t arcs = choices.below(40); arcs > 0; --arcs) {
    const auto from = static_cast<Vertex>(choices.below(n));
    const auto to = static_cast<Vertex>(choices.below(n));
    builder.add_edge(from, to, weight_of(choices));
  }
  return std::move(builder).build();
}

SolveOptions options_of(Choices& choices) {
  static constexpr Algorithm kAlgorithms[] = {
      Algorithm::automatic,         Algorithm::floyd_warshall, Algorithm::johnson,
      Algorithm::nested_dissection, Algorithm::breadth_first,  Algorithm::boundary};
  static constexpr Semiring kSemirings[] = {Semiring::min_plus, Semiring::max_min,
                                            Semiring::min_max, Semiring::max_plus,
                                            Semiring::or_and};
  SolveOptions options;
  options.machine.device = Device::cpu;
  options.machine.threads = 1;
  options.method.algorithm = kAlgorithms[choices.below(std::size(kAlgorithms))];
  // Sums of weights are half of all.
  const std::size_t semiring = choices.below(2 * std::size(kSemirings));
  options.question.semiring = kSemirings[semiring < std::size(kSemirings) ? semiring : 0];
  const std::size_t type = choices.below(8);
  if (type < 4) options.method.value_type = static_cast<ValueType>(type);
  options.storage.keep = static_cast<Keep>(choices.below(4));
  const std::size_t planes = choices.below(8);
  options.question.predecessors = planes == 1;
  options.question.via = planes == 2;
  options.question.hops = planes == 3;
  options.method.tile = choices.below(4) == 0 ? 4 : 0;
  return options;
}

/// A path wherever there is a distance, and nowhere else.
void check_paths(const Result& result) {
  const auto n = static_cast<Vertex>(result.vertex_count());
  for (Vertex s = 0; s < n; ++s) {
    for (Vertex t = 0; t < n; ++t) {
      if (result.path(s, t).empty() != result.reachable(s, t)) continue;
      report("a path without a distance, or a distance without a path");
    }
  }
}

void look_at(const Result& result, std::size_t look) {
  for (const VerifyCheck& check : result.verify().checks) {
    if (check.failed > 0) report("verification fails: " + check.name + ": " + check.first_failure);
  }
  if (look < 2) check_paths(result);
  if (look == 4) result.statistics();
  if (look == 5) report_page(result);
}

/// The same weights, some of them others, or no edge: infinity.
Graph changed(const Graph& graph, Choices& choices) {
  std::vector<double> weights;
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    if (!graph.directed() && v < u) return;
    const std::size_t how = choices.below(8);
    if (how == 0) weight = std::numeric_limits<double>::infinity();
    weights.push_back(how == 1 ? weight_of(choices) : weight);
  });
  return with_weights(graph, weights);
}

/// Distances for other weights pass their verification too.
void ask_update(const Result& result, Choices& choices) {
  UpdateOptions options{.threads = 1};
  look_at(result.update(changed(result.graph(), choices), options), 0);
}

/// Pairs alone have the distances of a result. Real weights need not be rounded the same way.
void ask_pairs(const Graph& graph, SolveOptions options, Choices& choices) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  if (n == 0) return;
  std::vector<VertexPair> pairs;
  for (std::size_t count = choices.below(12); count > 0; --count) {
    pairs.push_back({static_cast<Vertex>(choices.below(n)), static_cast<Vertex>(choices.below(n))});
  }
  options.storage.keep = Keep::automatic;
  const std::vector<double> found = distances(graph, pairs, options);
  const Result result = solve(graph, options);
  const bool bits = options.question.semiring == Semiring::or_and;
  const double none =
      no_path(options.question.semiring, bits ? ValueType::boolean : ValueType::f64);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto& [from, to] = pairs[i];
    const double distance = result.distance(from, to);
    const bool near = found[i] == distance || !graph.weight_facts().integral;
    const bool both = (found[i] == none) != result.reachable(from, to);
    if (!near || !both) report("a distance of a pair is not that of the matrix");
  }
}

void ask_table(const Graph& graph, const SolveOptions& solving, const std::string& folder,
               Choices& choices) {
  static constexpr const char* kNames[] = {"t.csv", "t.csv.gz", "t.csv.zst", "t.parquet", "t.npy"};
  TableOptions options{.layout = static_cast<TableOptions::Layout>(choices.below(3))};
  const std::size_t name = choices.below(std::size(kNames) + 1);
  if (name == std::size(kNames)) {
    return write_npz(within(graph, weight_of(choices), {.threads = 1}), folder + "/t.npz");
  }
  if (choices.below(2) == 0) options.second = {changed(graph, choices)};
  write_table(graph, folder + "/" + kNames[name], options, solving);
}

/// Near pairs are near, and sums over them are no more than all of a quantity.
void ask_near(const Graph& graph, Choices& choices) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  NearOptions options{.device = Device::cpu, .threads = 1};
  if (choices.below(2) == 0) options.algorithm = Algorithm::nested_dissection;
  const double limit = weight_of(choices);
  const SparseDistances pairs = within(graph, limit, options);
  for (const double distance : pairs.distances) {
    if (!(distance >= 0 && distance <= limit)) report("a pair beyond the limit is near");
  }
  const std::vector<double> quantities(n, 1), limits = {limit, weight_of(choices)};
  const Decay decay = {static_cast<Decay::Kind>(choices.below(3)), weight_of(choices)};
  for (const double sum : access(graph, quantities, limits, decay, options)) {
    if (!(sum >= 0 && sum <= static_cast<double>(n) * (1 + 1e-9))) report("a sum beyond its terms");
  }
  if (n == 0) return;
  const std::vector<Vertex> places = {0, static_cast<Vertex>(choices.below(n))};
  nearest(graph, places, static_cast<std::int64_t>(choices.below(4)));
}

void ask_betweenness(const Graph& graph, Choices& choices) {
  BetweennessOptions options;
  options.device = Device::cpu;
  options.threads = 1;
  options.arcs = true;
  options.scale = static_cast<PairScale>(choices.below(3));
  const Betweenness found = betweenness(graph, options);
  for (const std::vector<double>* values : {&found.vertices, &found.of_arcs}) {
    for (const double value : *values) {
      if (!(std::isfinite(value) && value >= 0)) report("betweenness that is no sum of shares");
    }
  }
}

/// Runs `work`, which may refuse what it is asked for.
template <class Work>
void expect_a_refusal_at_most(Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::defect) report(error.what());
  } catch (const std::exception& other) {
    report(std::string("an exception that is no Error: ") + other.what());
  }
}

}  // namespace

void check_solve(const std::uint8_t* data, std::size_t size) {
  static const TemporaryFolder cache;
  ::setenv("APSP_MEASURE", "never", 1);
  ::setenv("APSP_CACHE_DIR", cache.path().c_str(), 1);
  Choices choices(data, size);
  SolveOptions options = options_of(choices);
  const std::size_t look = choices.below(10);
  options.question.statistics = look == 4 || look == 5;
  expect_a_refusal_at_most([&] {
    const Graph graph = graph_of(choices);
    if (look == 6) return ask_near(graph, choices);
    if (look == 7) return ask_betweenness(graph, choices);
    if (look == 8) return ask_pairs(graph, options, choices);
    if (look == 9) return ask_table(graph, options, cache.path(), choices);
    const Result result = solve(graph, options);
    expect_a_refusal_at_most([&] { look_at(result, look); });
    if (look == 2) ask_update(result, choices);
  });
}

}  // namespace apsp::fuzz
