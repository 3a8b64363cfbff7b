#include "cli/progress.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kProgressColumns = 24;
constexpr std::size_t kLeastBarColumns = 5;

double fraction_of(const ProgressState& state) {
  return state.total > 0 ? std::clamp(state.done / state.total, 0.0, 1.0) : 0;
}

std::string time_left(const ProgressState& state) {
  const double fraction = fraction_of(state);
  if (fraction <= 0) return {};
  const double seconds = state.seconds * (1 - fraction) / fraction;
  if (seconds < 1) return "<1 s left";
  if (seconds < 60) return fmt::format("{:.0f} s left", seconds);
  return base::format_seconds(seconds) + " left";
}

std::vector<std::string> parts_of(const ProgressState& state) {
  std::vector<std::string> parts;
  if (state.total > 0)
    parts.push_back(fmt::format("{:3.0f} %", std::floor(100 * fraction_of(state))));
  if (state.done > 0 && state.seconds > 0) {
    parts.push_back(rate_text(state.done, state.seconds, state.unit));
  }
  if (std::string left = time_left(state); !left.empty()) parts.push_back(std::move(left));
  return parts;
}

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kSilence{1};
constexpr milliseconds kRedraw{100};        // on a terminal
constexpr seconds kSentence{10};            // in a log
constexpr const char* kClear = "\r\x1b[K";  // goes to the beginning of the line and erases it

}  // namespace

std::string rate_text(double units, double seconds, const std::string& unit) {
  const double rate = units / seconds;
  if (unit == "byte") return base::format_bytes(static_cast<std::int64_t>(rate)) + "/s";
  const std::string units_of = unit == "vertex" ? "vertices" : unit + "s";
  return fmt::format("{} {}/s", base::format_si(rate), units_of);
}

std::string progress_line(const ProgressState& state, const TerminalStyle& look) {
  std::string figures;
  for (const std::string& part : parts_of(state)) figures += "  " + part;
  const std::size_t taken = display_width(state.task) + display_width(figures) + 4;
  const std::size_t columns =
      taken < look.width ? std::min(look.width - taken, kProgressColumns) : 0;
  std::string line = state.task;
  if (state.total > 0 && columns >= kLeastBarColumns) {
    const std::string filled = bar(fraction_of(state), columns, look.unicode);
    line += fmt::format(" {}{}{}", look.unicode ? "▕" : "[", pad(filled, columns),
                        look.unicode ? "▏" : "]");
  }
  return shorten(line + figures, look.width - 1, look.ellipsis());
}

std::string progress_sentence(const ProgressState& state) {
  std::string sentence = state.task;
  const std::vector<std::string> parts = parts_of(state);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::size_t text = parts[i].find_first_not_of(' ');
    sentence += (i == 0 ? ": " : ", ") + parts[i].substr(text);
  }
  return sentence;
}

void ProgressBar::begin(std::string_view task, double total, std::string_view unit) {
  end();
  began_ = Clock::now();
  next_ = began_ + (look_.animated ? seconds(kSilence) : kSentence);
  state_ = {printable(task), std::string(unit), total, 0, 0};
}

void ProgressBar::update(double done) {
  state_.done = done;
  const Clock::time_point now = Clock::now();
  if (now >= next_) show(now);
}

void ProgressBar::show(Clock::time_point now) {
  state_.seconds = std::chrono::duration<double>(now - began_).count();
  if (look_.animated) {
    std::fputs((kClear + progress_line(state_, look_)).c_str(), stream_);
    next_ = now + kRedraw;
    drawn_ = true;
  } else {
    std::fputs((progress_sentence(state_) + "\n").c_str(), stream_);
    next_ = now + kSentence;
  }
  std::fflush(stream_);
}

void ProgressBar::end() {
  if (!drawn_) return;
  std::fputs(kClear, stream_);
  std::fflush(stream_);
  drawn_ = false;
}

}  // namespace apsp::cli
