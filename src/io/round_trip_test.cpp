// Written graphs read back as the same graph, in every format that can hold them.

#include "base/random.hpp"
#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::round_trip_test {
namespace {

struct Case {
  std::string name;
  Graph graph;
};

Graph build(std::int64_t n, bool directed, const std::vector<Edge>& edges, Vertex first_id = 0,
            std::vector<std::string> labels = {}) {
  GraphBuilder builder(n, directed);
  for (const Edge& edge : edges) builder.add_edge(edge.from, edge.to, edge.weight);
  builder.set_first_id(first_id);
  if (!labels.empty()) builder.set_labels(std::move(labels));
  return std::move(builder).build();
}

std::vector<Edge> random_edges(std::int64_t n, int count, bool real) {
  base::SplitMix64 random(static_cast<std::uint64_t>(n) + 17);
  const auto vertex = [&] {
    return static_cast<Vertex>(random.below(static_cast<std::uint64_t>(n)));
  };
  std::vector<Edge> edges;
  for (int i = 0; i < count; ++i) {
    const double weight = real ? random.uniform() * 1e6 - 5e5 : double(random.below(9)) - 3;
    edges.push_back({vertex(), vertex(), weight});
  }
  return edges;
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const bool directed : {true, false}) {
    const std::string kind = directed ? "directed " : "undirected ";
    const auto add = [&](const std::string& name, Graph graph) {
      all.push_back({kind + name, std::move(graph)});
    };
    const std::vector<Edge> some = {{0, 1, 5}, {1, 2, -2.5}, {2, 2, 3}, {0, 1, 5}, {0, 1, 4}};
    add("empty", build(0, directed, {}));
    add("empty, from 1", build(0, directed, {}, 1));
    add("one vertex", build(1, directed, {}));
    add("isolated only, from 1", build(7, directed, {}, 1));
    add("one loop", build(1, directed, {{0, 0, -1}}));
    add("parallel edges and loops", build(3, directed, some));
    add("from 1", build(3, directed, some, 1));
    add("last vertex isolated", build(4, directed, some, 1));
    add("first vertex isolated", build(3, directed, {{1, 2, 1}}));
    add("first vertex isolated, from 1", build(3, directed, {{1, 2, 1}}, 1));
    add("unit", build(3, directed, {{0, 1, 1}, {1, 2, 1}}));
    add("unit, from 1", build(3, directed, {{0, 1, 1}, {1, 2, 1}}, 1));
    add("names that tables have for other things",
        build(4, directed, {{0, 1, 5}, {1, 2, 6}, {2, 3, 7}}, 0, {"NA", "from", "a\tb", "null"}));
    add("names that are one number",
        build(3, directed, {{0, 1, 5}, {1, 2, 6}}, 0, {"7", "007", "x"}));
    add("names that are numbers in other forms",
        build(3, directed, {{0, 1, 5}, {1, 2, 6}}, 0, {"2.0", "3", "1e5"}));
    add("titles as names", build(2, directed, {{0, 1, 1}}, 0, {"source", "target"}));
    add("numbers with blanks as names", build(2, directed, {{0, 1, 3}}, 0, {"1 2", "3"}));
    add("zero weights", build(3, directed, {{0, 1, 0}, {1, 2, -0.0}}));
    add("large weights", build(3, directed, {{0, 1, 0x1p53}, {1, 2, 0x1p53 + 2}, {0, 2, 1e300}}));
    add("tiny weights", build(3, directed, {{0, 1, 5e-324}, {1, 2, 0.1}, {0, 2, 1.0 / 3}}));
    add("random integers", build(211, directed, random_edges(211, 2000, false)));
    add("random reals", build(97, directed, random_edges(97, 500, true), 1));
    add("labels in order", build(3, directed, some, 0, {"Rome", "Oslo", "Bern"}));
    add("labels out of order", build(3, directed, {{2, 1, 1}, {1, 0, 1}}, 0, {"a", "b", "c"}));
    add("labels, from 1", build(3, directed, some, 1, {"Rome", "Oslo", "Bern"}));
    add("labels, one isolated", build(4, directed, some, 0, {"a", "b", "c", "d"}));
    add("integer labels", build(3, directed, some, 0, {"9", "10", "4294967296"}));
    add("integer labels out of order", build(3, directed, some, 0, {"10", "9", "11"}));
    add("integer labels 0 to 2", build(3, directed, some, 0, {"0", "1", "2"}));
    add("integer labels 1 to 3", build(3, directed, some, 0, {"1", "2", "3"}));
    add("odd labels", build(3, directed, some, 0, {"New York", "a,b \"c\"", ""}));
    add("labels with separators", build(3, directed, some, 0, {"a;b", "c,d", "e\tf;g"}));
    add("unit, labels with semicolons",
        build(3, directed, {{0, 1, 1}, {1, 2, 1}}, 0, {"a;b", "c", "d;"}));
    add("labels like comments", build(3, directed, some, 0, {"#1", "%2", "apsp:vertices 7"}));
    add("labels of several lines", build(3, directed, some, 0, {"a\nb", "a\r", "\\n"}));
    add("labels with invisible ends", build(3, directed, some, 0, {"a", "a ", "a\u00A0"}));
    add("labels like a header", build(3, directed, some, 0, {"source", "target", "weight"}));
    add("labels like numbers", build(3, directed, some, 0, {"007", "7", "+7"}));
  }
  return all;
}

/// A format refuses graphs that it cannot hold, and leaves no file.
bool written(const Graph& graph, const std::string& path, GraphFormat format) {
  try {
    write_graph(graph, path, format);
    return true;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage) << error.what();
    return false;
  }
}

class RoundTrip : public testing::TestWithParam<GraphFormat> {
 protected:
  static bool can_hold(const Graph& graph) {
    const WeightFacts& facts = graph.weight_facts();
    const bool positive = graph.arc_count() == 0 || (facts.integral && facts.least >= 1);
    return GetParam() != GraphFormat::metis ||
           (!graph.directed() && graph.loop_count() == 0 && positive);
  }
  TemporaryFolder folder_;
};

TEST_P(RoundTrip, GivesAnEqualGraph) {
  for (const Case& example : cases()) {
    SCOPED_TRACE(example.name);
    for (const char* suffix : {"", ".gz", ".zst", ".csv", ".tsv.gz"}) {
      const std::string path = folder_ / (std::string("g") + suffix);
      ASSERT_EQ(written(example.graph, path, GetParam()), can_hold(example.graph));
      if (!can_hold(example.graph)) continue;
      const Graph again = read_graph(path, {.format = GetParam()});
      EXPECT_EQ(again.digest(), example.graph.digest()) << read_bytes(path).substr(0, 500);
      EXPECT_EQ(names(again), names(example.graph));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, RoundTrip,
                         testing::Values(GraphFormat::matrix_market, GraphFormat::dimacs,
                                         GraphFormat::edge_list, GraphFormat::metis),
                         [](const auto& format) {
                           std::string text(name(format.param));
                           std::replace(text.begin(), text.end(), '-', '_');
                           return text;
                         });

TEST(Writers, PutLabelsIntoRowsWhereTheyCan) {
  const TemporaryFolder folder;
  write_graph(build(2, false, {{0, 1, 5}}, 0, {"Rome", "New York"}), folder / "g.txt");
  EXPECT_EQ(read_bytes(folder / "g.txt"), "# apsp:undirected\nRome \"New York\" 5\n");
  write_graph(build(2, false, {{0, 1, 1}}), folder / "g.txt");
  EXPECT_EQ(read_bytes(folder / "g.txt"), "0 1\n");
}

TEST(Writers, SeparateByWhatTheSuffixSays) {
  const TemporaryFolder folder;
  const Graph graph = build(2, false, {{0, 1, 5}}, 0, {"Rome", "Bern, \"BE\""});
  write_graph(graph, folder / "g.csv");
  EXPECT_EQ(read_bytes(folder / "g.csv"), "# apsp:undirected\nRome,\"Bern, \"\"BE\"\"\",5\n");
  write_graph(graph, folder / "g.TSV");
  EXPECT_EQ(read_bytes(folder / "g.TSV"), "# apsp:undirected\nRome\t\"Bern, \"\"BE\"\"\"\t5\n");
  write_graph(graph, folder / "g.el");
  EXPECT_EQ(read_bytes(folder / "g.el"), "# apsp:undirected\nRome \"Bern, \"\"BE\"\"\" 5\n");
  write_graph(build(2, false, {{0, 1, 0.5}}), folder / "g.csv.gz");
  EXPECT_EQ(describe(read_graph(folder / "g.csv.gz")), "undirected 0-1:0.5");
}

/// All undirected lists of two or three edges, also parallel ones, of up to six vertices.
TEST(Writers, NoSmallListIsTakenForTitlesOrCounts) {
  const TemporaryFolder folder;
  std::vector<Edge> pairs;
  for (Vertex u = 0; u < 6; ++u)
    for (Vertex v = u + 1; v < 6; ++v) pairs.push_back({u, v, 1});
  const auto expect_same = [&](const std::vector<Edge>& edges, Vertex first_id) {
    Vertex last = 0;
    for (const Edge& edge : edges) last = std::max(last, edge.to);
    const Graph graph = build(last + 1, false, edges, first_id);
    for (const char* const suffix : {".csv", ".tsv", ".txt"}) {
      const std::string path = folder / (std::string("g") + suffix);
      write_graph(graph, path);
      EXPECT_EQ(read_graph(path).digest(), graph.digest()) << read_bytes(path);
    }
  };
  for (const Edge& a : pairs) {
    for (const Edge& b : pairs) {
      for (const double weight : {1, 2}) {
        expect_same({{a.from, a.to, weight}, b}, 0);
        expect_same({{a.from, a.to, weight}, b, {2, 3, 1}}, 0);
        expect_same({{a.from, a.to, weight}, b, {3, 4, weight}}, 1);
      }
    }
  }
}

TEST(Writers, RefuseWhatNobodyWouldRead) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_graph(build(2, true, {}), folder / "g"), Error);
  EXPECT_THROW(write_graph(build(2, true, {}), folder / "g", GraphFormat::as_rel), Error);
  EXPECT_THROW(write_graph(build(2, true, {}, 5), folder / "g.mtx"), Error);
  EXPECT_THROW(write_graph(build(1 << 21, true, {}), folder / "g.txt"), Error);
  EXPECT_EQ(folder.entries(), 0);
}

// The real graphs of tests/data have the properties that their README lists.

const std::string kFolder = APSP_SOURCE_DIR "/tests/data/";

struct Expected {
  const char* file;
  std::int64_t vertices;
  std::int64_t edges;
  bool directed;
  bool symmetric;
  bool labelled;
  Vertex first_id;
  std::int64_t loops = 0;
};

/// "flights_by_the_clock.gr.gz", as a test's name wants it.
std::string word_of(const testing::TestParamInfo<Expected>& info) {
  std::string word = info.param.file;
  std::replace(word.begin(), word.end(), '.', '_');
  return word;
}

void PrintTo(const Expected& expected, std::ostream* out) { *out << expected.file; }

class RealGraph : public testing::TestWithParam<Expected> {};

TEST_P(RealGraph, HasTheCountsOfItsDescription) {
  const Graph graph = read_graph(kFolder + GetParam().file);
  EXPECT_EQ(graph.vertex_count(), GetParam().vertices);
  EXPECT_EQ(graph.edge_count(), GetParam().edges);
  EXPECT_EQ(graph.directed(), GetParam().directed);
  EXPECT_EQ(graph.symmetric(), GetParam().symmetric);
  EXPECT_EQ(!graph.labels().empty(), GetParam().labelled);
  EXPECT_EQ(graph.first_id(), GetParam().first_id);
  EXPECT_EQ(graph.loop_count(), GetParam().loops);
}

INSTANTIATE_TEST_SUITE_P(
    Files, RealGraph,
    testing::Values(Expected{"euro_rates.npy", 21, 420, true, false, false, 0},
                    Expected{"flights_by_the_clock.gr.gz", 312, 1860, true, false, false, 1},
                    Expected{"florentine_families.mtx", 16, 20, false, true, false, 1},
                    Expected{"karate.graph", 34, 78, false, true, false, 1},
                    Expected{"les_miserables.csv", 77, 254, false, true, true, 0},
                    Expected{"liechtenstein_roads.gr.gz", 2917, 6921, true, false, false, 1, 14},
                    Expected{"mesh.graph.gz", 7434, 43031, false, true, false, 1},
                    Expected{"places.mtx.gz", 312, 930, false, true, false, 1},
                    Expected{"power_2869_bus.csv.zst", 2869, 4582, false, true, true, 0},
                    Expected{"power_30_bus.mtx", 30, 41, false, true, false, 1},
                    Expected{"protein_contacts.tsv.gz", 786, 3708, false, true, true, 0},
                    Expected{"python_imports.txt.zst", 544, 2386, true, false, true, 0},
                    Expected{"rust_books.txt.gz", 814, 5345, true, false, true, 0, 84},
                    Expected{"sioux_falls.gr", 24, 76, true, true, false, 1},
                    Expected{"southern_women.csv", 32, 89, false, true, true, 0},
                    Expected{"two_weights.graph.gz", 766, 1314, false, true, false, 1},
                    Expected{"us_states.txt", 49, 107, false, true, true, 0}),
    word_of);

/// Weights by arc; the least of parallel arcs.
std::map<std::pair<Vertex, Vertex>, double> least_weights(const Graph& graph) {
  std::map<std::pair<Vertex, Vertex>, double> least;
  for_each_edge(graph, [&](Vertex u, Vertex v, double weight) {
    const auto [at, fresh] = least.try_emplace({u, v}, weight);
    if (!fresh) at->second = std::min(at->second, weight);
  });
  return least;
}

TEST(RealGraphs, NoRoadIsShorterThanTheStraightLine) {
  const std::string roads = kFolder + "liechtenstein_roads.gr.gz";
  const std::string coordinates = kFolder + "liechtenstein_roads_coord.mtx.zst";
  const auto metres = least_weights(read_graph(roads));
  const auto straight = least_weights(read_graph(roads, {.coordinates = coordinates}));
  ASSERT_EQ(metres.size(), straight.size());
  for (const auto& [arc, length] : straight) {
    EXPECT_GE(metres.at(arc), length) << arc.first + 1 << " -> " << arc.second + 1;
  }
}

}  // namespace
}  // namespace apsp::io::round_trip_test
