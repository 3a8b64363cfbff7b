#include "cli/arguments.hpp"

#include <gmock/gmock.h>

namespace apsp::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const std::vector<std::string> kVerbs = {"solve", "path", "stats", "verify", "closure", "convert"};

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(edit_distance("", ""), 0);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("abc", ""), 3);
  EXPECT_EQ(edit_distance("solve", "solve"), 0);
  EXPECT_EQ(edit_distance("slove", "solve"), 1);
  EXPECT_EQ(edit_distance("solv", "solve"), 1);
  EXPECT_EQ(edit_distance("sXlve", "solve"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(EditDistance, IgnoresCase) { EXPECT_EQ(edit_distance("Boston", "bOSTON"), 0); }

TEST(Nearest, GivesTheNearestFirst) {
  EXPECT_THAT(nearest("slove", kVerbs), ElementsAre("solve"));
  EXPECT_THAT(nearest("stat", kVerbs), ElementsAre("stats"));
  EXPECT_THAT(nearest("conver", kVerbs), ElementsAre("convert"));
}

TEST(Nearest, GivesNothingFarAway) {
  EXPECT_THAT(nearest("frobnicate", kVerbs), IsEmpty());
  EXPECT_THAT(nearest("", kVerbs), IsEmpty());
}

TEST(Nearest, StopsAtTheCount) {
  const std::vector<std::string> many = {"a1", "a2", "a3", "a4"};
  EXPECT_THAT(nearest("a0", many, 2), ElementsAre("a1", "a2"));
}

TEST(DidYouMean, IsHalfASentenceOrNothing) {
  EXPECT_EQ(did_you_mean("slove", kVerbs), "; did you mean 'solve'?");
  EXPECT_EQ(did_you_mean("frobnicate", kVerbs), "");
}

TEST(Alternatives, ReadAsEnglish) {
  EXPECT_EQ(alternatives({}), "");
  EXPECT_EQ(alternatives(std::vector<std::string>{"a"}), "a");
  EXPECT_EQ(alternatives(std::vector<std::string>{"a", "b"}), "a or b");
  EXPECT_EQ(alternatives(std::vector<std::string>{"a", "b", "c"}), "a, b or c");
}

}  // namespace
}  // namespace apsp::cli
