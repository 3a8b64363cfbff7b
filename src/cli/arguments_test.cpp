#include "cli/arguments.hpp"

#include "support/test.hpp"

namespace apsp::cli::arguments_test {
namespace {

struct Example {
  Arguments arguments{"walk", "Walk: goes somewhere.", {"apsp walk a b", "apsp walk - b"}};
  std::string from, to, colour, tile;
  bool slow = false;

  Example() {
    arguments.positional("FROM", from, "where to begin");
    arguments.positional("TO", to, "where to end", false);
    arguments.text("-c,--colour", "NAME", colour, "the colour of the shoes");
    arguments.flag("--slow", slow, "take time");
    arguments.text("--tile", "N", tile, "the size of the stones");
  }
  std::string failure(const std::vector<std::string>& words) {
    const Error error = error_of([&] { arguments.parse(words); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
};

TEST(Arguments, ParsesInAnyOrder) {
  Example example;
  ASSERT_TRUE(example.arguments.parse({"--slow", "here", "-c", "red", "there", "--tile", "3"}));
  EXPECT_EQ(example.from, "here");
  EXPECT_EQ(example.to, "there");
  EXPECT_EQ(example.colour, "red");
  EXPECT_EQ(example.tile, "3");
  EXPECT_TRUE(example.slow);
}

TEST(Arguments, TakesADashForStandardInputAndValuesThatBeginWithOne) {
  Example example;
  ASSERT_TRUE(example.arguments.parse({"-", "--colour=blue", "--", "-there"}));
  EXPECT_EQ(example.from, "-");
  EXPECT_EQ(example.to, "-there");
  EXPECT_EQ(example.colour, "blue");
  ASSERT_TRUE(example.arguments.parse({"here", "--colour", "-5:10"}));
  EXPECT_EQ(example.colour, "-5:10");
}

TEST(Arguments, LetsTheLastOfARepeatedOptionCount) {
  Example example;
  ASSERT_TRUE(example.arguments.parse({"here", "-c", "red", "-c", "blue"}));
  EXPECT_EQ(example.colour, "blue");
}

TEST(Arguments, JoinsTheValuesOfARepeatedList) {
  Example example;
  std::string stones;
  example.arguments.list(
      "--stones", "LIST", [&](const std::string& text) { stones = text; }, "which stones");
  ASSERT_TRUE(example.arguments.parse({"here", "--stones", "a,b", "--stones", "c"}));
  EXPECT_EQ(stones, "a,b,c");
}

TEST(Arguments, NamesTheOptionsOfATopicAndExplainsThemOnRequest) {
  Example example;
  example.arguments.rare();
  bool barefoot = false;
  example.arguments.flag("--barefoot", barefoot, "without shoes");
  EXPECT_THAT(example.arguments.help(),
              AllOf(HasSubstr("(apsp help rare)\n  --barefoot\n"), Not(HasSubstr("without"))));
  EXPECT_THAT(example.arguments.help(true), HasSubstr("without shoes"));
  EXPECT_THAT(example.arguments.topic("rare"), HasSubstr("without shoes"));
  EXPECT_EQ(example.arguments.topic("shoes"), "");
}

TEST(Arguments, ExplainsWhatIsWrong) {
  EXPECT_EQ(Example().failure({"here", "--color", "red"}),
            "unknown option '--color'; did you mean '--colour'?");
  EXPECT_EQ(Example().failure({"here", "--sow=1"}),
            "unknown option '--sow'; did you mean '--slow'?");
  EXPECT_EQ(Example().failure({"here", "there", "elsewhere"}), "unexpected argument 'elsewhere'");
  EXPECT_EQ(Example().failure({}), "FROM is missing: where to begin");
  EXPECT_THAT(Example().failure({"here", "--colour"}), HasSubstr("--colour"));
}

TEST(Arguments, RefusesEmptyValues) {
  EXPECT_EQ(Example().failure({"here", "-c", ""}), "--colour takes NAME, not an empty value");
  EXPECT_THAT(Example().failure({"here", "--tile="}), StartsWith("--tile needs a value"));
  EXPECT_EQ(Example().failure({""}), "FROM is empty: where to begin");
  EXPECT_EQ(Example().failure({"here", ""}), "TO is empty: where to end");
}

TEST(Arguments, TellsWhichOptionsWereGiven) {
  std::vector<Arguments::Given> given;
  ASSERT_TRUE(Example().arguments.parse({"here", "--slow", "-c", "red"}, &given));
  EXPECT_THAT(
      given, UnorderedElementsAre(Arguments::Given{"--slow"}, Arguments::Given{"--colour", "red"}));
}

TEST(Arguments, PutsExamplesFirstIntoTheHelp) {
  Example example;
  EXPECT_FALSE(example.arguments.parse({"--help"}));
  EXPECT_THAT(example.arguments.help(),
              AllOf(StartsWith("Examples\n  apsp walk a b\n"), HasSubstr("Walk: goes somewhere."),
                    HasSubstr("apsp walk FROM [TO] [options]"), HasSubstr("-c, --colour NAME"),
                    HasSubstr("the colour of the shoes")));
}

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

}  // namespace apsp::cli::arguments_test
