#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kBanner = "%%MatrixMarket matrix coordinate pattern general\n";
const std::string kSize = "2 2 1\n1 2\n";

std::string fails(const std::string& comments) {
  return failure(kBanner + comments + kSize, "m.mtx");
}

TEST(Annotations, InEveryTextFormat) {
  EXPECT_EQ(names(parse(kBanner + "% apsp:first-id 0\n" + kSize, "m.mtx")), "0 1");
  EXPECT_EQ(names(parse(kBanner + "%  apsp:label 2 b\n%apsp:label 1 a\r\n" + kSize, "m.mtx")),
            "a b");
  EXPECT_FALSE(parse(kBanner + "% apsp:undirected\n" + kSize, "m.mtx").directed());
  EXPECT_EQ(names(parse("c apsp:label 1 x y\np sp 1 0\n", "g.gr")), "x y");
  EXPECT_EQ(names(parse("% apsp:first-id 0\n2 1\n2\n1\n", "g.graph")), "0 1");
  EXPECT_TRUE(parse("# apsp:directed\n0 1\n", "e.txt").directed());
  EXPECT_FALSE(parse("# apsp:directed\n0 1\n", "e.txt", {.directed = false}).directed());
}

TEST(Annotations, MistakesAreErrors) {
  EXPECT_THAT(fails("% apsp:colour red\n"), StartsWith("m.mtx:2:3: unknown annotation 'apsp:col"));
  EXPECT_THAT(fails("% apsp:first-id 2\n"), StartsWith("m.mtx:2:17: the first id is 0 or 1"));
  EXPECT_THAT(fails("% apsp:vertices x\n"), StartsWith("m.mtx:2:17: expected the number of"));
  EXPECT_THAT(fails("% apsp:vertices 3\n"), StartsWith("m.mtx:2:17: 3 vertices, but the header"));
  EXPECT_THAT(fails("% apsp:vertices 99999999999\n"), StartsWith("m.mtx:2:17: "));
  EXPECT_THAT(fails("% apsp:directed yes\n"), StartsWith("m.mtx:2:17: expected the end"));
  EXPECT_THAT(fails("% apsp:label 3 x\n"), StartsWith("m.mtx:2:14: a label for vertex 3, but"));
  EXPECT_THAT(fails("% apsp:label 0 x\n"), StartsWith("m.mtx:2:14: a label for vertex 0, but"));
  EXPECT_THAT(fails("% apsp:label 1 x\n"), HasSubstr("vertex 2 has none"));
  EXPECT_THAT(fails("% apsp:label 1 x\n% apsp:label 1 y\n"), StartsWith("m.mtx:3:14: a second"));
  EXPECT_THAT(fails("% apsp:label 2 x\n% apsp:label 1 x\n"),
              StartsWith("m.mtx:3:14: vertex 2 already has the label 'x'"));
  EXPECT_THAT(fails("% apsp:label 1 a\\tb\n"), StartsWith("m.mtx:2:17: a backslash in a label"));
  EXPECT_THAT(fails("% apsp:label 1\n"), StartsWith("m.mtx:2:15: expected a blank and the label"));
}

}  // namespace
}  // namespace apsp::io
