#include "cli/progress_bar.hpp"

#include "cli/text_width.hpp"

namespace apsp::cli {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr seconds kSilence{1};              // shorter tasks show nothing
constexpr milliseconds kRedraw{100};        // on a terminal
constexpr seconds kSentence{10};            // in a log
constexpr const char* kClear = "\r\x1b[K";  // to the beginning of the line, erase it

}  // namespace

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
