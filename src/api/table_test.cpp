// Tables hold the distances of the result, in the order that was asked for, in every semiring, from
// graphs and from results.
#include <apsp/table.hpp>

#include <iterator>
#include <sstream>

#include "base/random.hpp"
#include "support/graph_of.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::table_test {
namespace {

constexpr std::int64_t kVertices = 150;

/// Distinct vertices, in no order.
std::vector<Vertex> drawn(std::size_t count, std::uint64_t seed) {
  std::vector<Vertex> all(kVertices);
  for (Vertex v = 0; v < kVertices; ++v) all[v] = v;
  base::SplitMix64 random(seed);
  for (std::size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
  all.resize(count);
  return all;
}

struct Line {
  Vertex from, to;
  double distance, second;
};

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The rows of a long table.
std::vector<Line> lines_of(const std::string& path) {
  std::istringstream text(text_of(path));
  std::string line, field;
  std::getline(text, line);
  std::vector<Line> lines;
  while (std::getline(text, line)) {
    std::istringstream fields(line);
    std::vector<double> values;
    while (std::getline(fields, field, ',')) values.push_back(std::stod(field));
    lines.push_back({static_cast<Vertex>(values[0]), static_cast<Vertex>(values[1]), values[2],
                     values.size() > 3 ? values[3] : 0});
  }
  return lines;
}

void expect_table(const std::string& path, const Result& whole, const TableOptions& options) {
  const std::vector<Line> lines = lines_of(path);
  ASSERT_EQ(lines.size(), options.sources.size() * options.targets.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Vertex from = options.sources[i / options.targets.size()];
    const Vertex to = options.targets[i % options.targets.size()];
    ASSERT_EQ(lines[i].from, from);
    ASSERT_EQ(lines[i].to, to);
    ASSERT_EQ(lines[i].distance, whole.distance(from, to)) << from << " to " << to;
  }
}

TEST(Table, HoldsTheDistancesOfTheResultInEverySemiring) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.csv";
  const TableOptions options{.sources = drawn(40, 1), .targets = drawn(30, 2)};
  for (const Semiring semiring : all_semirings()) {
    const Graph graph =
        random_graph(kVertices, 3 * kVertices, 0, 9, {.acyclic = semiring == Semiring::max_plus});
    const Result whole = solve(graph, {.question = {.semiring = semiring}});
    for (const Algorithm algorithm :
         {Algorithm::automatic, Algorithm::nested_dissection, Algorithm::floyd_warshall}) {
      write_table(graph, path, options,
                  {.question = {.semiring = semiring}, .method = {.algorithm = algorithm}});
      expect_table(path, whole, options);
    }
    write_table(whole, path, options);
    expect_table(path, whole, options);
    const Result factor =
        solve(graph, {.question = {.semiring = semiring}, .storage = {.keep = Keep::factor}});
    write_table(factor, path, options);
    expect_table(path, whole, options);
  }
}

TEST(Table, IsTheSameInPartsOfAnySize) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kVertices, .arcs = 400, .greatest = 99});
  const TableOptions options{.sources = drawn(150, 3), .targets = drawn(149, 4)};
  write_table(graph, folder / "whole.csv", options);
  const Result factor = solve(graph, {.storage = {.keep = Keep::factor}});
  for (const std::int64_t memory : {std::int64_t{4}, std::int64_t{1} << 16, std::int64_t{0}}) {
    write_table(factor, folder / "part.csv", options, {.memory = memory, .threads = 2});
    EXPECT_EQ(text_of(folder / "part.csv"), text_of(folder / "whole.csv"));
  }
}

TEST(Table, IsWideWhereThatIsAskedFor) {
  const TemporaryFolder folder;
  GraphBuilder builder(3, false);
  builder.set_labels({"a", "b,c", "d"});
  builder.add_edge(0, 1, 2.5);
  const Graph graph = std::move(builder).build();
  TableOptions options{.targets = {1, 0}, .layout = TableOptions::Layout::wide};
  write_table(graph, folder / "wide.csv", options);
  EXPECT_EQ(text_of(folder / "wide.csv"), "from,\"b,c\",a\na,2.5,0\n\"b,c\",0,2.5\nd,inf,inf\n");
  options.layout = TableOptions::Layout::automatic;
  write_table(graph, folder / "long.csv", options);
  EXPECT_TRUE(text_of(folder / "long.csv").starts_with("from,to,distance\na,\"b,c\",2.5\na,a,0\n"));
}

/// The length of a path whose arcs are the lightest of `times` between their ends.
double length_by(const Graph& times, const Graph& weights, const std::vector<Vertex>& path) {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const std::vector<double> first = times.weights_as_given(path[i], path[i + 1]);
    const std::vector<double> second = weights.weights_as_given(path[i], path[i + 1]);
    const double lightest = *std::min_element(first.begin(), first.end());
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < first.size(); ++k) {
      if (first[k] == lightest) least = std::min(least, second[k]);
    }
    sum += least;
  }
  return path.empty() ? std::numeric_limits<double>::infinity() : sum;
}

TEST(Table, HasTheLengthOfEachPathByOtherWeights) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.csv";
  for (const bool real : {false, true}) {
    const Graph times = random_graph({.n = kVertices, .arcs = 500, .greatest = 5, .real = real});
    GraphBuilder builder(kVertices);
    Vertex number = 0;
    times.visit_all([&](Vertex u, Vertex v, double) { builder.add_edge(u, v, 1 + number++ % 17); });
    TableOptions options{.sources = drawn(50, 5), .targets = drawn(20, 6)};
    options.second = {std::move(builder).build()};
    const Result whole = solve(times, {.method = {.value_type = ValueType::f64}});
    const Result factor = solve(times, {.storage = {.keep = Keep::factor}});
    const auto expect_lengths = [&] {
      expect_table(path, whole, options);
      for (const Line& line : lines_of(path)) {
        EXPECT_EQ(line.second, length_by(times, options.second[0], whole.path(line.from, line.to)));
      }
    };
    write_table(whole, path, options);
    expect_lengths();
    if (real) continue;  // other engines round otherwise
    write_table(factor, path, options, {.threads = 2});
    expect_lengths();
    write_table(times, path, options, {.method = {.algorithm = Algorithm::johnson}});
    expect_lengths();
  }
}

/// Edges with two weights, many of them parallel.
struct TwoWeights {
  std::vector<Edge> times, lengths;

  TwoWeights(Vertex n, int edges, std::uint64_t seed) {
    base::SplitMix64 random(seed);
    for (int i = 0; i < edges; ++i) {
      const auto from = static_cast<Vertex>(random.below(n)),
                 to = static_cast<Vertex>(random.below(n));
      times.push_back({from, to, static_cast<double>(random.below(5))});
      lengths.push_back({from, to, static_cast<double>(random.below(900))});
    }
  }
  /// The length of the arc that a path takes: of the best ones between its ends, the least.
  double taken(Vertex from, Vertex to, bool directed, bool largest) const {
    double best = 0, least = std::numeric_limits<double>::infinity();
    bool found = false;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Edge& edge = times[i];
      const bool there = edge.from == from && edge.to == to;
      const bool back = !directed && edge.from == to && edge.to == from;
      if (!there && !back) continue;
      const double weight = largest ? -edge.weight : edge.weight;
      if (found && weight > best) continue;
      least = found && weight == best ? std::min(least, lengths[i].weight) : lengths[i].weight;
      best = weight;
      found = true;
    }
    return least;
  }
};

TEST(Table, MeasuresTheParallelArcThatAPathTakes) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.csv";
  constexpr Vertex kFew = 7;
  for (int seed = 1; seed <= 120; ++seed) {
    SCOPED_TRACE(seed);
    const TwoWeights edges(kFew, 30, static_cast<std::uint64_t>(seed));
    const bool directed = seed % 2 == 0;
    const Graph times = graph_of(kFew, edges.times, directed);
    const Semiring semiring = seed % 3 == 0 ? Semiring::max_min : Semiring::min_plus;
    const Result result = solve(times, {.question = {.semiring = semiring}});
    write_table(times, path, {.second = {graph_of(kFew, edges.lengths, directed)}},
                {.question = {.semiring = semiring}});
    const std::vector<Line> lines = lines_of(path);
    ASSERT_EQ(lines.size(), std::size_t{kFew} * kFew);
    for (const Line& line : lines) {
      const std::vector<Vertex> way = result.path(line.from, line.to);
      double length = way.empty() ? std::numeric_limits<double>::infinity() : 0;
      for (std::size_t i = 0; i + 1 < way.size(); ++i) {
        length += edges.taken(way[i], way[i + 1], directed, semiring == Semiring::max_min);
      }
      EXPECT_EQ(line.second, length) << line.from << " to " << line.to;
    }
  }
}

TEST(Table, DoesNotGuessTheLengthOfAParallelArc) {
  const TemporaryFolder folder;
  const std::string path = folder / "t.csv";
  const Graph times = graph_of(2, {{0, 1, 10}, {0, 1, 20}});
  const Graph lengths = graph_of(2, {{0, 1, 500}, {0, 1, 100}});
  write_table(times, path, {.second = {lengths}});
  EXPECT_EQ(lines_of(path).at(1).second, 500);
  std::filesystem::remove(path);
  solve(times, {.storage = {.output = folder / "t.zarr"}});
  const Graph stored = open_result(folder / "t.zarr").graph();
  EXPECT_FALSE(stored.knows_given_order());
  const std::tuple<Graph, Graph, const char*> refused[] = {
      {times, graph_of(2, {{0, 1, 500}}), "2 arcs from 0 to 1"},
      {graph_of(2, {{0, 1, 10}}), lengths, "1 arc from 0 to 1"},
      {stored, lengths, "the graph does not know"},
      {times, stored, "the second weights do not know"}};
  for (const auto& [of, second, words] : refused) {
    const Error error = error_of([&] { write_table(of, path, {.second = {second}}); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_THAT(error.what(), HasSubstr(words));
    EXPECT_FALSE(std::ifstream(path).good());
  }
  // Which of them is taken makes no difference.
  write_table(stored, path, {.second = {graph_of(2, {{0, 1, 7}, {0, 1, 7}})}});
  EXPECT_EQ(lines_of(path).at(1).second, 7);
}

TEST(Table, RefusesSecondLengthsThatWouldBeRounded) {
  const TemporaryFolder folder;
  const Graph times = graph_of(3, {{0, 1, 1}, {1, 2, 1}});
  const auto write = [&](double weight) {
    write_table(times, folder / "t.csv", {.second = {graph_of(3, {{0, 1, weight}, {1, 2, 3}})}});
    return lines_of(folder / "t.csv").at(2).second;
  };
  EXPECT_EQ(write(0x1p53 - 4), 0x1p53 - 1);
  EXPECT_ERROR(does_not_fit, write(0x1p53 - 2));
  EXPECT_EQ(write(0.5), 3.5);
}

TEST(Table, RefusesWhatItCannotWrite) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = 20, .arcs = 60, .greatest = 5});
  const Graph fewer = random_graph({.n = 19, .arcs = 60, .greatest = 5});
  using Layout = TableOptions::Layout;
  const std::tuple<const char*, TableOptions, const char*> refused[] = {
      {"t.txt", {}, "not a table"},
      {"t.npy", {.layout = Layout::tall}, "wide"},
      {"t.csv", {.sources = {1, 1}}, "twice"},
      {"t.csv", {.targets = {20}}, "outside"},
      {"t.csv", {.second = {fewer}}, "same vertices"},
      {"t.csv", {.second = {graph}, .layout = Layout::wide}, "long one"}};
  for (const auto& [name, options, words] : refused) {
    const Error error = error_of([&] { write_table(graph, folder / name, options); });
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    EXPECT_THAT(error.what(), HasSubstr(words));
    EXPECT_FALSE(std::ifstream(folder / name).good());
  }
  const Result statistics = solve(graph, {.storage = {.keep = Keep::statistics}});
  EXPECT_ERROR(usage, write_table(statistics, folder / "t.csv"));
  const Result some = solve(graph, {.question = {.sources = {1, 2}, .targets = {3}}});
  EXPECT_ERROR(usage, write_table(some, folder / "t.csv", {.sources = {1}}));
}

TEST(Table, EndsWhenItIsAskedTo) {
  const TemporaryFolder folder;
  const Graph graph = random_graph({.n = kVertices, .arcs = 400, .greatest = 9});
  const Result factor = solve(graph, {.storage = {.keep = Keep::factor}});
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted,
               write_table(factor, folder / "t.csv", {}, {.control = {nullptr, &cancellation}}));
  EXPECT_FALSE(std::ifstream(folder / "t.csv").good());
}

}  // namespace
}  // namespace apsp::table_test
