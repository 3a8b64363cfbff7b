#include "cli/distance_view.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace apsp::cli {
namespace {

Result solved(Semiring semiring, ValueType type) {
  GraphBuilder builder(3, true);
  builder.set_labels({"a", "b,\"c\"", "#d"});
  builder.add_edge(0, 1, 1);
  SolveOptions options;
  options.semiring = semiring;
  if (semiring != Semiring::or_and) options.value_type = type;
  return solve(std::move(builder).build(), options);
}

TEST(DistanceView, WritesCsvThatReadsBack) {
  const Result result = solved(Semiring::min_plus, ValueType::f32);
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<PairDistance> pairs = {{{0, 1}, static_cast<double>(0.1f)}, {{2, 0}, inf}};
  EXPECT_EQ(distance_lines(result, pairs), "a,\"b,\"\"c\"\"\",0.1\n\"#d\",a,inf\n");
  EXPECT_EQ(distance_text(result, 16777216), "16777216");
}

TEST(DistanceView, KnowsWhatIsReachable) {
  const Result shortest = solved(Semiring::min_plus, ValueType::f32);
  EXPECT_TRUE(is_reachable(shortest, {{0, 1}, 5}));
  EXPECT_FALSE(is_reachable(shortest, {{0, 1}, std::numeric_limits<double>::infinity()}));
  const Result widest = solved(Semiring::max_min, ValueType::f32);
  EXPECT_TRUE(is_reachable(widest, {{1, 1}, std::numeric_limits<double>::infinity()}));
  EXPECT_FALSE(is_reachable(widest, {{0, 1}, -std::numeric_limits<double>::infinity()}));
  const Result reached = solved(Semiring::or_and, ValueType::boolean);
  EXPECT_FALSE(is_reachable(reached, {{0, 1}, 0}));
  const nlohmann::json list = distances_json(reached, std::vector<PairDistance>{{{0, 1}, 1}});
  EXPECT_EQ(list[0]["reachable"], true);
  EXPECT_TRUE(list[0]["distance"].is_null());
}

}  // namespace
}  // namespace apsp::cli
