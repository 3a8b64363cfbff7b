#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::StartsWith;

const std::string kRelations = "# words\n174|9|-1\n9|30|0\r\n\n174|1000|-1|bgp\n";

TEST(AsRel, LabelsAreSortedAsNumbers) {
  const Graph graph = parse(kRelations, "as.txt");
  EXPECT_EQ(names(graph), "9 30 174 1000");
  EXPECT_EQ(describe(graph), "undirected 0-1:1 0-2:1 2-3:1");
}

TEST(AsRel, PolicyTurnsRelationsIntoArcs) {
  const auto with = [](AsRelPolicy policy, std::optional<bool> directed = {}) {
    return describe(parse(kRelations, "as.txt", {.directed = directed, .as_rel = policy}));
  };
  EXPECT_EQ(with(AsRelPolicy::down), "directed 0-1:1 1-0:1 2-0:1 2-3:1");
  EXPECT_EQ(with(AsRelPolicy::up), "directed 0-1:1 0-2:1 1-0:1 3-2:1");
  EXPECT_EQ(with(AsRelPolicy::both, true), "directed 0-1:1 0-2:1 1-0:1 2-0:1 2-3:1 3-2:1");
  EXPECT_EQ(error_of([&] { with(AsRelPolicy::up, false); }).kind(), ErrorKind::usage);
}

TEST(AsRel, RefusesWhatIsNoRelation) {
  const ReadOptions options = {.format = GraphFormat::as_rel};
  const auto fails = [&](const std::string& text) { return failure(text, "as.txt", options); };
  EXPECT_THAT(fails("# nothing\n"), StartsWith("as.txt:1:10: the file has no relations"));
  EXPECT_THAT(fails("1|2|-1\n1|2|1\n"), StartsWith("as.txt:2:5: expected the relation -1"));
  EXPECT_THAT(fails("1|2\n"), StartsWith("as.txt:1:4: expected '|'"));
  EXPECT_THAT(fails("1|x|0\n"), StartsWith("as.txt:1:3: expected an autonomous system's number"));
  EXPECT_THAT(fails("1|4294967296|0\n"), StartsWith("as.txt:1:3: autonomous systems have"));
  EXPECT_THAT(fails("1|2|0 x\n"), StartsWith("as.txt:1:7: expected the end of the line"));
}

}  // namespace
}  // namespace apsp::io
