#include "graph/mirrored.hpp"

#include "support/test.hpp"

#include <fmt/format.h>

namespace apsp::mirrored_test {
namespace {

std::string unmirrored(const std::vector<Edge>& arcs) {
  GraphBuilder builder(4);
  for (const Edge& arc : arcs) builder.add_edge(arc.from, arc.to, arc.weight);
  const auto lone = find_unmirrored(std::move(builder).build());
  return lone ? fmt::format("{}-{}:{}", lone->from, lone->to, lone->weight) : "none";
}

TEST(Mirrored, FindsTheArcWithoutCounterpart) {
  EXPECT_EQ(unmirrored({}), "none");
  EXPECT_EQ(unmirrored({{2, 2, 1}}), "none");
  EXPECT_EQ(unmirrored({{0, 1, 5}, {1, 0, 5}, {1, 3, 2}, {3, 1, 2}, {1, 1, 9}}), "none");
  EXPECT_EQ(unmirrored({{0, 1, 5}}), "0-1:5");
  EXPECT_EQ(unmirrored({{3, 1, 5}}), "3-1:5");
  EXPECT_EQ(unmirrored({{0, 1, 5}, {1, 0, 6}}), "0-1:5");
  EXPECT_EQ(unmirrored({{0, 1, 6}, {1, 0, 5}}), "1-0:5");
  EXPECT_EQ(unmirrored({{0, 1, 5}, {1, 0, 5}, {0, 1, 5}}), "0-1:5");
  EXPECT_EQ(unmirrored({{0, 1, 5}, {1, 0, 5}, {1, 0, 5}}), "1-0:5");
  EXPECT_EQ(unmirrored({{0, 2, 1}, {2, 0, 1}, {2, 1, 1}}), "2-1:1");
  EXPECT_EQ(unmirrored({{1, 2, 1}, {2, 1, 1}, {2, 0, 1}}), "2-0:1");
  EXPECT_EQ(unmirrored({{0, 3, 1}, {3, 3, 1}}), "0-3:1");
}

}  // namespace
}  // namespace apsp::mirrored_test
