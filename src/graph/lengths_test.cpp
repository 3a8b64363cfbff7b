// Strengths as lengths: values, ranges, and the edge that an error names.
#include "graph/lengths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <apsp/error.hpp>
#include <cmath>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(Lengths, AreFunctionsOfStrengths) {
  const Graph graph = graph_of(3, {{0, 1, 1}, {1, 2, 0.25}});
  const auto weights = [&](EdgeLengths lengths) {
    std::vector<double> found;
    with_lengths(graph, lengths).visit_all([&](Vertex, Vertex, double w) { found.push_back(w); });
    return found;
  };
  EXPECT_THAT(weights(EdgeLengths::inverse), ElementsAre(1, 4));
  EXPECT_THAT(weights(EdgeLengths::log), ElementsAre(0, -std::log(0.25)));
  EXPECT_THAT(weights(EdgeLengths::one_minus), ElementsAre(0, 0.75));
}

TEST(Lengths, KeepParallelEdgesNamesAndRemarks) {
  GraphBuilder builder(2, false);
  for (const double strength : {4.0, 1.0, 2.0}) builder.add_edge(1, 0, strength);
  builder.set_labels({"a", "b"});
  const Graph graph = std::move(builder).build().with_remark("first");
  const Graph changed = with_lengths(graph, EdgeLengths::inverse);
  std::vector<double> found;
  changed.for_each_arc_between(0, 1, [&](double w) { found.push_back(w); });
  EXPECT_THAT(found, ElementsAre(0.25, 0.5, 1));
  EXPECT_EQ(changed.name(1), "b");
  EXPECT_THAT(changed.remarks(), ElementsAre("first", HasSubstr("1 / strength")));
}

TEST(Lengths, OfOtherStrengthsAreRefusedWithTheEdge) {
  for (const EdgeLengths lengths : all_lengths()) {
    EXPECT_EQ(parse_lengths(name(lengths)), lengths);
    for (const double strength : {0.0, -1.0, 2.0}) {
      const Graph graph = graph_of(3, {{0, 1, 1}, {2, 1, strength}});
      if (lengths == EdgeLengths::inverse && strength == 2) {
        EXPECT_FALSE(graph::first_without_length(graph, lengths));
        continue;
      }
      const Error error = error_of([&] { with_lengths(graph, lengths); });
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      EXPECT_THAT(error.what(), HasSubstr("2 → 1"));
    }
  }
  EXPECT_EQ(with_lengths(graph_of(2, {}), EdgeLengths::log).arc_count(), 0);
}

}  // namespace
}  // namespace apsp
