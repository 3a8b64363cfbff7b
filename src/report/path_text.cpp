#include "report/path_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace apsp::report {
namespace {

class PathCommands {
 public:
  void move(Point to) { step('m', to); }
  void draw(Point to) {
    if (to.y == at_.y) {
      along('h', to.x - at_.x);
    } else if (to.x == at_.x) {
      along('v', to.y - at_.y);
    } else {
      step('l', to);
    }
    at_ = to;
  }
  std::string take() { return std::move(text_); }

 private:
  void along(char command, std::int32_t length) {
    begin(command);
    put(length, last_ == command);
    last_ = command;
  }
  void step(char command, Point to) {
    begin(command);
    put(to.x - at_.x, last_ == command);
    put(to.y - at_.y, true);
    last_ = command;
    at_ = to;
  }
  /// A command that is the same again is not written; what follows a move would be a line.
  void begin(char command) {
    if (command == 'm') last_ = 0;
    if (command != last_) text_ += command;
  }
  /// A sign parts numbers too.
  void put(std::int32_t number, bool behind_another) {
    const std::string_view between = behind_another && number >= 0 ? " " : "";
    fmt::format_to(std::back_inserter(text_), "{}{}", between, number);
  }

  std::string text_;
  Point at_;
  char last_ = 0;
};

/// Lines by their ends, those that were taken left out.
class OpenLines {
 public:
  explicit OpenLines(std::span<const Line> lines) : lines_(lines), taken_(lines.size()) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
      ends_.emplace_back(lines[i].from, i);
      ends_.emplace_back(lines[i].to, i);
    }
    std::sort(ends_.begin(), ends_.end());
  }

  bool taken(std::size_t line) const { return taken_[line]; }
  /// Takes a line and returns the end that is not `from`.
  Point take(std::size_t line, Point from) {
    taken_[line] = true;
    return lines_[line].from == from ? lines_[line].to : lines_[line].from;
  }
  /// A line at this point that was not taken.
  std::optional<std::size_t> at(Point point) const {
    auto end = std::lower_bound(ends_.begin(), ends_.end(), std::pair(point, std::size_t{0}));
    for (; end != ends_.end() && end->first == point; ++end) {
      if (!taken_[end->second]) return end->second;
    }
    return std::nullopt;
  }

 private:
  std::span<const Line> lines_;
  std::vector<bool> taken_;
  std::vector<std::pair<Point, std::size_t>> ends_;
};

}  // namespace

std::string path_text(std::span<const Line> lines) {
  PathCommands commands;
  OpenLines open(lines);
  for (std::size_t first = 0; first < lines.size(); ++first) {
    if (open.taken(first)) continue;
    Point at = lines[first].from;
    commands.move(at);
    for (std::optional<std::size_t> next = first; next; next = open.at(at)) {
      at = open.take(*next, at);
      commands.draw(at);
    }
  }
  return commands.take();
}

}  // namespace apsp::report
