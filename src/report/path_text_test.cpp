#include "report/drawing.hpp"

#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <sstream>

#include "base/random.hpp"

namespace apsp::report {
namespace {

using Ends = std::pair<Point, Point>;

/// The lines drawn by a path of m, l, h and v, with sorted ends.
std::multiset<Ends> lines_of(const std::string& text) {
  std::multiset<Ends> lines;
  std::istringstream in(text);
  Point at;
  for (char command = 0; in >> std::ws && in.peek() != EOF;) {
    if (std::isalpha(in.peek()) != 0) in >> command;
    const Point from = at;
    std::int32_t first = 0, second = 0;
    in >> first;
    if (command == 'h') at.x += first;
    if (command == 'v') at.y += first;
    if (command == 'l' || command == 'm') {
      in >> second;
      at = {at.x + first, at.y + second};
    }
    EXPECT_FALSE(in.fail()) << text;
    if (command != 'm') lines.insert(std::minmax(from, at));
    if (command == 'm') command = 'l';
  }
  return lines;
}

std::multiset<Ends> ends_of(const std::vector<Line>& lines) {
  std::multiset<Ends> ends;
  for (const Line& line : lines) ends.insert(std::minmax(line.from, line.to));
  return ends;
}

TEST(PathText, JoinsLinesThatMeet) {
  const std::vector<Line> lines = {{{1, 2}, {4, 2}}, {{4, 2}, {4, 9}}, {{5, 5}, {4, 9}}};
  EXPECT_EQ(path_text(lines), "m1 2h3v7l1-4");
  EXPECT_EQ(path_text({}), "");
}

TEST(PathText, WritesACommandThatIsTheSameOnce) {
  const std::vector<Line> lines = {
      {{0, 0}, {1, 1}}, {{1, 1}, {0, 3}}, {{0, 3}, {2, 4}}, {{9, 9}, {9, 8}}};
  EXPECT_EQ(path_text(lines), "m0 0l1 1-1 2 2 1m7 5v-1");
}

TEST(PathText, DrawsEveryLineOnce) {
  base::SplitMix64 random(5);
  const auto at = [&] { return static_cast<std::int32_t>(random.below(12)); };
  for (const std::size_t count : {1, 10, 200}) {
    std::vector<Line> lines;
    while (lines.size() < count) {
      const Line line{{at(), at()}, {at(), at()}};
      if (line.from != line.to) lines.push_back(line);
    }
    EXPECT_EQ(lines_of(path_text(lines)), ends_of(lines));
  }
}

}  // namespace
}  // namespace apsp::report
