// The picture holds a line a size and a dot a tile, where their rates are.
#include "program/block_sizes_picture.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apsp::report {
namespace {

using testing::HasSubstr;

bench::BlockSizeReport sample() {
  bench::BlockSizeReport report;
  report.where = "2 threads & more";
  report.rows = {{1000, 64, false, {{0.02, 0.04}}, true},
                 {1000, 128, true, {{0.05, 0.1}, {0.01, 0.02}}, true},
                 {2000, 64, false, {{0.8, 1.6}}, true},
                 {2000, 256, true, {{0.1, 0.2}}, true}};
  return report;
}

std::size_t times_in(const std::string& text, const std::string& word) {
  std::size_t found = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++found;
  return found;
}

TEST(BlockSizesPicture, HoldsALineASizeAndADotATile) {
  const std::string picture = block_sizes_picture(sample());
  EXPECT_EQ(times_in(picture, "class=\"line\""), 2u);
  EXPECT_EQ(times_in(picture, "<circle"), 4u);
  EXPECT_EQ(times_in(picture, "r=\"5\""), 2u) << "what the planner takes";
  EXPECT_THAT(picture, HasSubstr("2 threads &amp; more"));
  EXPECT_THAT(picture, HasSubstr("1,000 vertices, tiles of 128: 100.0 G/s")) << "the best sample";
  // 100 G/s is the most: the top of the frame; 64 is the least side: its left.
  EXPECT_THAT(picture, HasSubstr("<circle cx=\"380.0\" cy=\"50.0\""));
  EXPECT_THAT(picture, HasSubstr("<circle cx=\"70.0\" cy=\"329.0\""));
}

TEST(BlockSizesPicture, OfOneTileStandsInTheMiddle) {
  bench::BlockSizeReport report = sample();
  report.rows.resize(1);
  EXPECT_THAT(block_sizes_picture(report), HasSubstr("<circle cx=\"380.0\" cy=\"50.0\""));
}

}  // namespace
}  // namespace apsp::report
