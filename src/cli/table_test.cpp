#include "cli/table.hpp"

#include "support/test.hpp"

namespace apsp::cli::table_test {
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

TEST(Bar, CountsEighths) {
  EXPECT_EQ(bar(0, 4, true), "");
  EXPECT_EQ(bar(1, 4, true), "████");
  EXPECT_EQ(bar(0.5, 4, true), "██");
  EXPECT_EQ(bar(0.125, 4, true), "▌");
  EXPECT_EQ(bar(7.0 / 32, 4, true), "▉");
}

TEST(Bar, ShowsASliverOfWhateverIsNotNothing) {
  EXPECT_EQ(bar(1e-9, 4, true), "▏");
  EXPECT_EQ(bar(1e-9, 4, false), "#");
}

TEST(Bar, StaysWithinItsColumns) {
  for (double fraction = 0; fraction <= 1.5; fraction += 0.01) {
    EXPECT_LE(display_width(bar(fraction, 10, true)), 10u);
    EXPECT_LE(display_width(bar(fraction, 10, false)), 10u);
  }
  EXPECT_EQ(bar(0.5, 10, false), "#####");
  EXPECT_EQ(bar(-1, 10, true), "");
}

TEST(Heading, StandsOverARule) {
  EXPECT_EQ(heading(TerminalStyle(), "Title", "remark"),
            "Title  remark\n" + std::string(64, '-') + "\n");
  EXPECT_THAT(heading(unicode(), "Title"), StartsWith("Title\n──"));
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

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width(""), 0u);
  EXPECT_EQ(display_width("Bonn"), 4u);
  EXPECT_EQ(display_width("Köln"), 4u);
  EXPECT_EQ(display_width("東京"), 4u);
  EXPECT_EQ(display_width("🚆"), 2u);
  EXPECT_EQ(display_width("e\u0301"), 1u);
  EXPECT_EQ(display_width("█▏"), 2u);
}

TEST(DisplayWidth, TakesBytesThatAreNoUtf8AsOneColumnEach) {
  EXPECT_EQ(display_width("K\xf6ln"), 4u);   // Latin-1
  EXPECT_EQ(display_width("\xe6\x9d"), 2u);  // a character cut short
  EXPECT_EQ(display_width("\xc0\x80"), 2u);  // overlong
  EXPECT_EQ(display_width("\xff\xfe"), 2u);
}

TEST(Pad, FillsToTheWidth) {
  EXPECT_EQ(pad("Köln", 6), "Köln  ");
  EXPECT_EQ(pad("東京", 6, Align::right), "  東京");
  EXPECT_EQ(pad("too long", 3), "too long");
}

TEST(Shorten, CutsAtCharactersAndSaysSo) {
  EXPECT_EQ(shorten("Köln", 4, "…"), "Köln");
  EXPECT_EQ(shorten("Königswinter", 5, "…"), "Köni…");
  EXPECT_EQ(shorten("東京都", 4, "…"), "東…");
  EXPECT_EQ(shorten("abcdef", 5, "..."), "ab...");
  EXPECT_EQ(shorten("abcdef", 2, "..."), "");
}

TEST(Printable, LeavesNoControlCharacters) {
  EXPECT_EQ(printable("plain Köln 東京"), "plain Köln 東京");
  EXPECT_EQ(printable("a\x1b[31mb\n\tc\x7f"), "a?[31mb? c?");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "?31m");  // the one-character CSI of Latin-1 terminals
}

}  // namespace

}  // namespace apsp::cli::table_test
