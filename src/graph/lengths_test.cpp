// Strengths as lengths: values, ranges, and the edge that an error names.
#include "graph/lengths.hpp"

#include "support/graph_of.hpp"
#include "support/test.hpp"

namespace apsp::lengths_test {
namespace {

TEST(Lengths, AreFunctionsOfStrengths) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 0.25}});
  const auto weights = [&](std::string_view formula) {
    std::vector<double> found;
    with_lengths(graph, formula).visit_all([&](Vertex, Vertex, double w) { found.push_back(w); });
    return found;
  };
  EXPECT_THAT(weights("inverse"), ElementsAre(1, 4));
  EXPECT_THAT(weights("log"), ElementsAre(0, -std::log(0.25)));
  EXPECT_THAT(weights("one-minus"), ElementsAre(0, 0.75));
  EXPECT_THAT(weights(" sqrt( 2 * (1 - w) ) "), ElementsAre(0, std::sqrt(1.5)));
  EXPECT_FALSE(std::signbit(weights("log")[0]));
}

TEST(Lengths, FormulasFollowTheRulesOfArithmetic) {
  const auto value = [](std::string_view text) { return graph::LengthFormula(text)(3); };
  EXPECT_EQ(value("2+w*4"), 14);
  EXPECT_EQ(value("10-w-2"), 5);
  EXPECT_EQ(value("12/w/2"), 2);
  EXPECT_EQ(value("-w^2"), -9);
  EXPECT_EQ(value("2^w^2"), 512);
  EXPECT_EQ(value("2^-w"), 0.125);
  EXPECT_EQ(value("1e1--w"), 13);
  EXPECT_EQ(value("abs(-w)/(w - 1)"), 1.5);
  EXPECT_DOUBLE_EQ(value("exp(log(w))"), 3);
}

TEST(Lengths, MalformedFormulasAreRefused) {
  const std::string deep = std::string(100, '(') + "w" + std::string(100, ')');
  std::string wide = "w";
  for (int i = 0; i < 100; ++i) wide += "+w";
  for (const std::string_view text :
       {std::string_view(""), std::string_view("square"), std::string_view("2w"),
        std::string_view("w+"), std::string_view("(w"), std::string_view("w)"),
        std::string_view("inf"), std::string_view("1e999"), std::string_view("x"),
        std::string_view("sqrt w"), std::string_view(deep), std::string_view(wide)}) {
    EXPECT_EQ(error_of([&] { graph::LengthFormula{text}; }).kind(), ErrorKind::usage) << text;
  }
}

TEST(Lengths, KeepParallelEdgesNamesAndRemarks) {
  GraphBuilder builder(2, false);
  for (const double strength : {4.0, 1.0, 2.0}) builder.add_edge(1, 0, strength);
  builder.set_labels({"a", "b"});
  const Graph graph = std::move(builder).build().with_remark("first");
  const Graph changed = with_lengths(graph, "inverse");
  std::vector<double> found;
  changed.for_each_arc_between(0, 1, [&](double w) { found.push_back(w); });
  EXPECT_THAT(found, ElementsAre(0.25, 0.5, 1));
  EXPECT_EQ(changed.name(1), "b");
  EXPECT_THAT(changed.remarks(), ElementsAre("first", HasSubstr("1/w")));
}

TEST(Lengths, ThatAreNoneAreRefusedWithTheEdge) {
  const std::pair<const char*, double> wrong[] = {
      {"inverse", 0},   {"inverse", -1},   {"log", 0},       {"log", -1},        {"log", 2},
      {"one-minus", 0}, {"one-minus", -1}, {"one-minus", 2}, {"sqrt(1-w)", 1.5}, {"exp(w)", 1000}};
  for (const auto& [formula, strength] : wrong) {
    const Graph graph = graph_of(3, {{0, 1, 1}, {2, 1, strength}});
    const Error error = error_of([&] { with_lengths(graph, formula); });
    EXPECT_EQ(error.kind(), ErrorKind::usage) << formula;
    EXPECT_THAT(error.what(), HasSubstr("2 → 1"));
  }
  EXPECT_EQ(with_lengths(graph_of(2, {{0, 1, -1}}), "1-w").weight_facts().greatest, 2);
  EXPECT_EQ(with_lengths(graph_of(2, {}), "log").arc_count(), 0);
}

}  // namespace
}  // namespace apsp::lengths_test
