#include "differential/workers.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace apsp::campaign {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// One line: seed, kind, text.
std::string line_of(Told told) {
  std::replace(told.text.begin(), told.text.end(), '\n', ' ');
  return fmt::format("{} {} {}\n", told.seed, told.kind, told.text);
}

Told told_by(const std::string& line) {
  const std::size_t first = line.find(' '), second = line.find(' ', first + 1);
  return {std::stoull(line.substr(0, first)), line.substr(first + 1, second - first - 1),
          line.substr(second + 1)};
}

class Worker {
 public:
  /// Seeds next, next + jobs, …
  Worker(const Work& work, std::uint64_t next, Clock::time_point begin)
      : work_(work), begin_(begin), next_(next) {
    start();
  }

  bool done() const { return done_; }
  int descriptor() const { return out_; }

  /// There is something to read.
  void read_lines() {
    char bytes[4096];
    const ssize_t got = read(out_, bytes, sizeof(bytes));
    if (got <= 0) return end();
    text_.append(bytes, static_cast<std::size_t>(got));
    for (std::size_t at = 0; (at = text_.find('\n')) != text_.npos; text_.erase(0, at + 1)) {
      take(told_by(text_.substr(0, at)));
    }
  }
  void lose_patience() {
    if (!done_ && since(heard_) > work_.patience) kill(process_, SIGKILL);
  }

 private:
  void start() {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe");
    process_ = fork();
    if (process_ == 0) {
      close(ends[0]);
      answer(ends[1]);
      _exit(0);
    }
    close(ends[1]);
    out_ = ends[0];
    heard_ = Clock::now();
  }

  bool over() const {
    return next_ >= work_.first + work_.problems || since(begin_) > work_.seconds;
  }

  void answer(int out) {
    for (; !over(); next_ += static_cast<std::uint64_t>(work_.jobs)) {
      const std::string line = line_of(work_.ask(next_));
      if (write(out, line.data(), line.size()) != static_cast<ssize_t>(line.size())) return;
    }
  }

  void take(const Told& told) {
    heard_ = Clock::now();
    next_ = told.seed + static_cast<std::uint64_t>(work_.jobs);
    work_.take(told);
  }

  void end() {
    close(out_);
    int status = 0;
    waitpid(process_, &status, 0);
    if (!WIFSIGNALED(status)) {
      done_ = true;
      return;
    }
    const bool killed = WTERMSIG(status) == SIGKILL;
    take({next_, "wrong",
          killed ? fmt::format("no answer in {} s", work_.patience)
                 : fmt::format("the process ended: {}", strsignal(WTERMSIG(status)))});
    text_.clear();
    done_ = over();
    if (!done_) start();
  }

  const Work& work_;
  Clock::time_point begin_, heard_;
  std::uint64_t next_;  // seed
  pid_t process_ = 0;
  int out_ = -1;
  std::string text_;
  bool done_ = false;
};

}  // namespace

void run(const Work& work) {
  const Clock::time_point begin = Clock::now();
  std::vector<Worker> workers;
  workers.reserve(static_cast<std::size_t>(work.jobs));
  for (int i = 0; i < work.jobs; ++i) {
    workers.emplace_back(work, work.first + static_cast<std::uint64_t>(i), begin);
  }
  for (;;) {
    std::vector<pollfd> waiting;
    std::vector<Worker*> of;
    for (Worker& worker : workers) {
      if (worker.done()) continue;
      waiting.push_back({worker.descriptor(), POLLIN, 0});
      of.push_back(&worker);
    }
    if (of.empty()) return;
    poll(waiting.data(), waiting.size(), 1000);
    for (std::size_t i = 0; i < of.size(); ++i) {
      if (waiting[i].revents != 0) {
        of[i]->read_lines();
      } else {
        of[i]->lose_patience();
      }
    }
  }
}

}  // namespace apsp::campaign
