#include "cli/path_output.hpp"

#include "base/json.hpp"
#include "support/test.hpp"

namespace apsp::cli::path_output_test {
namespace {

Graph labelled() {
  GraphBuilder builder(3, true);
  builder.set_labels({"a", "b,\"c\"", "#d"});
  builder.add_edge(0, 1, 1);
  return std::move(builder).build();
}

TEST(Distances, AreTextThatReadsBack) {
  EXPECT_EQ(distance_text(ValueType::f32, static_cast<double>(0.1f)), "0.1");
  EXPECT_EQ(distance_text(ValueType::f32, 16777216), "16777216");
}

TEST(Distances, KnowsWhatIsReachable) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(is_reachable(Semiring::min_plus, {0, 1}, 5));
  EXPECT_FALSE(is_reachable(Semiring::min_plus, {0, 1}, inf));
  EXPECT_TRUE(is_reachable(Semiring::max_min, {1, 1}, inf));
  EXPECT_FALSE(is_reachable(Semiring::max_min, {0, 1}, -inf));
  EXPECT_FALSE(is_reachable(Semiring::or_and, {0, 1}, 0));
  const nlohmann::json list =
      distances_json([](Vertex v) { return labelled().name(v); }, Semiring::or_and,
                     std::vector<VertexPair>{{0, 1}}, std::vector{1.0});
  EXPECT_EQ(list[0]["reachable"], true);
  EXPECT_TRUE(list[0]["distance"].is_null());
}

}  // namespace
}  // namespace apsp::cli::path_output_test
