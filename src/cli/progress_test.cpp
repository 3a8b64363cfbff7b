#include "cli/progress.hpp"

#include "cli/table.hpp"
#include "support/test.hpp"

namespace apsp::cli::progress_test {
namespace {

TerminalStyle terminal() {
  TerminalStyle look{.unicode = true, .animated = true};
  return look;
}

TEST(RateText, CarriesItsUnit) {
  EXPECT_EQ(rate_text(6.4e9, 2, "relaxation"), "3.2 G relaxations/s");
  EXPECT_EQ(rate_text(100, 2, "row"), "50 rows/s");
  EXPECT_EQ(rate_text(100, 2, "vertex"), "50 vertices/s");
  EXPECT_EQ(rate_text(3 * 1024.0 * 1024, 2, "byte"), "1.5 MiB/s");
}

TEST(ProgressLine, TellsPercentageRateAndTimeLeft) {
  const ProgressState state{"solving", "relaxation", 4e9, 1e9, 2};
  EXPECT_EQ(progress_line(state, terminal()),
            "solving ▕██████                  ▏   25 %  500 M relaxations/s  6 s left");
}

TEST(ProgressLine, StaysOnOneLine) {
  TerminalStyle narrow = terminal();
  narrow.width = 30;
  const ProgressState state{"solving", "relaxation", 4e9, 1e9, 2};
  EXPECT_LE(display_width(progress_line(state, narrow)), 29u);
}

TEST(ProgressLine, ShrinksItsBarBeforeItsFigures) {
  const ProgressState state{"Floyd-Warshall", "relaxation", 4e9, 1e9, 2};
  const std::string line = progress_line(state, terminal());
  EXPECT_LE(display_width(line), 79u);
  EXPECT_THAT(line, AllOf(HasSubstr("▕"), HasSubstr("6 s left")));
  TerminalStyle narrow = terminal();
  narrow.width = 60;
  EXPECT_THAT(progress_line(state, narrow), AllOf(Not(HasSubstr("▕")), HasSubstr("6 s left")));
}

TEST(ProgressLine, KnowsNeitherTotalNorBeginning) {
  EXPECT_EQ(progress_line({"reading", "byte", 0, 2048, 2}, terminal()), "reading  1.0 KiB/s");
  EXPECT_THAT(progress_line({"reading", "byte", 100, 0, 2}, terminal()),
              AllOf(HasSubstr("0 %"), Not(HasSubstr("left"))));
}

TEST(ProgressLine, NeverLeavesZeroToAHundred) {
  EXPECT_THAT(progress_line({"x", "row", 10, 20, 2}, terminal()), HasSubstr("100 %"));
  EXPECT_THAT(progress_line({"x", "row", 1000, 999, 2}, terminal()), HasSubstr(" 99 %"));
}

TEST(ProgressSentence, HasNoBar) {
  EXPECT_EQ(progress_sentence({"solving", "relaxation", 4e9, 1e9, 2}),
            "solving: 25 %, 500 M relaxations/s, 6 s left");
  EXPECT_EQ(progress_sentence({"solving", "relaxation", 4e9, 1e9, 200}),
            "solving: 25 %, 5 M relaxations/s, 10 min 00 s left");
  EXPECT_EQ(progress_sentence({"solving", "row", 0, 0, 0}), "solving");
}

TEST(ProgressBar, SaysNothingOfShortTasks) {
  std::FILE* const file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  {
    ProgressBar bar(file, terminal());
    bar.begin("solving", 100, "row");
    for (int i = 0; i <= 100; ++i) bar.update(i);
    bar.end();
    bar.begin("storing", 100, "byte");
  }
  EXPECT_EQ(std::ftell(file), 0);
  std::fclose(file);
}

}  // namespace
}  // namespace apsp::cli::progress_test
