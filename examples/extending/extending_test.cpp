// What docs/extending.md says is little: a format, a row engine and a kind of rate, each in a file
// of its own, work with the library's readers, rows and tables.
#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include <cmath>
#include <string>

#include "bellman_ford_rows.hpp"
#include "io/formats.hpp"
#include "sampling_rates.hpp"
#include "support/computed_rows.hpp"
#include "support/error_of.hpp"
#include "support/random_graph.hpp"
#include "support/textbook.hpp"

namespace apsp {
namespace io {
extern const Format arrows_format;
}
namespace {

Graph read_arrows(const std::string& text) {
  const std::string name = "a.arrows";
  const ReadOptions options;
  const Control control;
  io::ReadProgress progress(control, text.size());
  return io::arrows_format.read({text, name, options, progress});
}

TEST(NewFormat, IsReadAndRecognised) {
  const std::string text = "# a comment\nAachen -> Bonn 30\nBonn -> Ems\n";
  EXPECT_TRUE(io::arrows_format.recognises(text));
  EXPECT_FALSE(io::arrows_format.recognises("1 2 3\n"));
  const Graph graph = read_arrows(text);
  EXPECT_EQ(graph.vertex_count(), 3);
  EXPECT_EQ(graph.name(2), "Ems");
  EXPECT_EQ(graph.weights(0)[0], 30);
  EXPECT_EQ(graph.weights(1)[0], 1);
}

TEST(NewFormat, ItsErrorsSayWhere) {
  const Error error = error_of([] { read_arrows("a -> b 1\na - c\n"); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.location().line, 2);
  EXPECT_EQ(error.location().column, 3);
}

TEST(NewRowEngine, GivesTheTextbooksRows) {
  const Graph graph = random_graph({.n = 61, .arcs = 200, .least = 1, .greatest = 20});
  const search::BellmanFordRows rows(graph, ValueType::f64);
  EXPECT_EQ(computed_rows<double>(rows, {.threads = 2}),
            verifier::floyd_warshall(graph, Semiring::min_plus));
}

TEST(NewRate, IsMeasuredAndKeptByItsTable) {
  using planner::SamplingRates;
  const auto measured = rates::work_of<SamplingRates>().measure({}, {});
  ASSERT_TRUE(measured);
  EXPECT_GT(measured->arc, 0);
  const nlohmann::json kept = rates::to_json(*measured);
  EXPECT_EQ(kept.size(), 1U) << "0 is left out";
  EXPECT_EQ(rates::rates_from_json<SamplingRates>(kept)->arc, measured->arc);
  EXPECT_EQ(rates::slowest(*measured, SamplingRates{.arc = 1}).arc, 1);
}

}  // namespace
}  // namespace apsp
