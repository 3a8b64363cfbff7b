// Written graphs read back as the same graph, in every format that can hold them.
#include <gmock/gmock.h>

#include <algorithm>
#include <vector>

#include "base/random.hpp"
#include "support/graph_text.hpp"

namespace apsp::io {
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

TEST(Writers, RefuseWhatNobodyWouldRead) {
  const TemporaryFolder folder;
  EXPECT_THROW(write_graph(build(2, true, {}), folder / "g"), Error);
  EXPECT_THROW(write_graph(build(2, true, {}), folder / "g", GraphFormat::as_rel), Error);
  EXPECT_THROW(write_graph(build(2, true, {}, 5), folder / "g.mtx"), Error);
  EXPECT_THROW(write_graph(build(1 << 21, true, {}), folder / "g.txt"), Error);
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace apsp::io
