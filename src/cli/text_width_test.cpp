#include "cli/table.hpp"

#include <gtest/gtest.h>

namespace apsp::cli {
namespace {

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
  EXPECT_EQ(printable("a\x1b[31mb\n\tc\x7f"), "a?[31mb??c?");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "?31m");  // the one-character CSI of Latin-1 terminals
}

}  // namespace
}  // namespace apsp::cli
