#include "cli/table.hpp"

#include <gmock/gmock.h>

namespace apsp::cli {
namespace {

TerminalStyle unicode() {
  TerminalStyle look{.unicode = true};
  return look;
}

TEST(Table, AlignsColumnsWhateverTheAlphabet) {
  Table table({Align::left, Align::right});
  table.row({"Köln", "1"});
  table.row({"東京", "23"});
  table.row({"Bonn am Rhein", "456"});
  EXPECT_EQ(table.text(unicode()),
            "  Köln             1\n"
            "  東京            23\n"
            "  Bonn am Rhein  456\n");
}

TEST(Table, RulesOffItsHeader) {
  Table table({Align::right, Align::left});
  table.header({"hop", "vertex"});
  table.row({"1", "a"});
  EXPECT_EQ(table.text(unicode()), "  hop  vertex\n  ───────────\n    1  a\n");
  EXPECT_EQ(table.text(TerminalStyle()), "  hop  vertex\n  -----------\n    1  a\n");
}

TEST(Table, LeavesNoTrailingSpaces) {
  Table table({Align::left, Align::left, Align::left});
  table.row({"a", "long cell", "c"});
  table.row({"b"});
  table.row({"c", "", ""});
  EXPECT_EQ(table.text(TerminalStyle()), "  a  long cell  c\n  b\n  c\n");
}

TEST(Table, ShortensWhatIsTooWide) {
  Table table({Align::left});
  table.row({std::string(100, 'x')});
  EXPECT_EQ(table.text(unicode()), "  " + std::string(39, 'x') + "…\n");
}

TEST(Table, DropsCellsBeyondItsColumns) {
  Table table({Align::left});
  table.row({"a", "b"});
  EXPECT_EQ(table.text(TerminalStyle()), "  a\n");
  EXPECT_TRUE(Table({Align::left}).empty());
  EXPECT_EQ(Table({Align::left}).text(TerminalStyle()), "");
}

TEST(Heading, StandsOverARule) {
  EXPECT_EQ(heading(TerminalStyle(), "Title", "remark"),
            "Title  remark\n" + std::string(64, '-') + "\n");
  EXPECT_THAT(heading(unicode(), "Title"), testing::StartsWith("Title\n──"));
}

TEST(TerminalStyle, PaintsOnlyWithColour) {
  TerminalStyle look;
  EXPECT_EQ(look.bold("x"), "x");
  look.colour = true;
  EXPECT_EQ(look.bold("x"), "\x1b[1mx\x1b[0m");
}

TEST(TerminalStyle, SpellsSignsInAsciiWhereItMust) {
  EXPECT_EQ(TerminalStyle().spelled("a → b … 3 × 2 µs"), "a -> b ... 3 x 2 us");
  EXPECT_EQ(unicode().spelled("a → b"), "a → b");
}

}  // namespace
}  // namespace apsp::cli
