// Threads of one process as a process grid.
//
// A message is copied by the receiver, out of the sender's memory, when both have named it: whoever
// writes memory that is still on its way, or reads what has not come, gets other values.
#pragma once

#include <apsp/error.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "cluster/communicator.hpp"

namespace apsp {

/// What the members of one grid share.
class ThreadPost {
 public:
  ThreadPost(int rows, int cols) : rows_(rows), cols_(cols) {}
  int rows() const { return rows_; }
  int cols() const { return cols_; }
  /// A member leaves early: the others must not wait for it. They fail with its reason; the first
  /// reason stays.
  void fail(const std::string& why) {
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = why;
  }

 private:
  friend class ThreadCommunicator;
  using Address = std::tuple<dense::Along, int, int, int, int>;  // line, from, to, tag
  struct Letter {
    const std::byte* from = nullptr;
    std::int64_t bytes = 0;
    bool taken = false;
  };
  struct Round {
    std::int64_t least = INT64_MAX;
    int said = 0;
  };
  int rows_, cols_;
  std::mutex mutex_;
  std::map<Address, Letter> letters_;
  std::map<std::int64_t, Round> rounds_;
  std::string failure_;  // empty: none
};

class ThreadCommunicator final : public cluster::Communicator {
 public:
  ThreadCommunicator(ThreadPost& post, int row, int col, std::int64_t most_bytes = INT64_MAX)
      : post_(post), row_(row), col_(col), most_bytes_(most_bytes) {}

  int size(dense::Along along) const override {
    if (along == dense::Along::all) return post_.rows_ * post_.cols_;
    return along == dense::Along::row ? post_.cols_ : post_.rows_;
  }
  int rank(dense::Along along) const override {
    if (along == dense::Along::all) return row_ * post_.cols_ + col_;
    return along == dense::Along::row ? col_ : row_;
  }
  std::int64_t most_bytes() const override { return most_bytes_; }

  Request send(dense::Along along, int to, int tag, const std::byte* memory,
               std::int64_t bytes) override {
    const std::lock_guard lock(post_.mutex_);
    const ThreadPost::Address address{along, line(along), rank(along), to, tag};
    if (!post_.letters_.try_emplace(address, ThreadPost::Letter{memory, bytes}).second) {
      post_.failure_ = "two messages under way have one address";
      throw Error(ErrorKind::defect, post_.failure_);
    }
    return request([this, address] {
      const auto letter = post_.letters_.find(address);
      if (!letter->second.taken) return false;
      post_.letters_.erase(letter);
      return true;
    });
  }
  Request receive(dense::Along along, int from, int tag, std::byte* memory,
                  std::int64_t bytes) override {
    const std::lock_guard lock(post_.mutex_);
    const ThreadPost::Address address{along, line(along), from, rank(along), tag};
    return request([this, address, memory, bytes] {
      const auto letter = post_.letters_.find(address);
      if (letter == post_.letters_.end() || letter->second.taken) return false;
      if (letter->second.bytes != bytes) {
        post_.failure_ = "a message has another length than was asked for";
        throw Error(ErrorKind::defect, post_.failure_);
      }
      std::memcpy(memory, letter->second.from, static_cast<std::size_t>(bytes));
      return letter->second.taken = true;
    });
  }
  Request broadcast(dense::Along, int, std::byte*, std::int64_t) override {
    throw Error(ErrorKind::usage, "threads have no library");
  }
  Request least(std::int64_t mine) override {
    const std::lock_guard lock(post_.mutex_);
    const std::int64_t turn = turn_++;
    ThreadPost::Round& round = post_.rounds_[turn];
    round.least = std::min(round.least, mine);
    ++round.said;
    const Request made =
        request([this, turn] { return post_.rounds_[turn].said == post_.rows_ * post_.cols_; });
    turn_of_[made] = turn;
    return made;
  }
  std::int64_t result(Request request) override {
    const std::lock_guard lock(post_.mutex_);
    const std::int64_t least = post_.rounds_[turn_of_.at(request)].least;
    turn_of_.erase(request);
    return least;
  }
  /// Votes whose outcome nobody has asked for.
  std::int64_t unread() const { return static_cast<std::int64_t>(turn_of_.size()); }
  bool done(Request request) override {
    const std::lock_guard lock(post_.mutex_);
    if (!post_.failure_.empty()) {
      throw Error(ErrorKind::device, "a member of the grid has failed: " + post_.failure_);
    }
    return waiting_[static_cast<std::size_t>(request)]();
  }

 private:
  int line(dense::Along along) const {
    if (along == dense::Along::all) return 0;
    return along == dense::Along::row ? row_ : col_;
  }
  Request request(std::function<bool()> look) {
    waiting_.push_back(std::move(look));
    return static_cast<Request>(waiting_.size()) - 1;
  }

  ThreadPost& post_;
  int row_, col_;
  std::int64_t most_bytes_;
  std::vector<std::function<bool()>> waiting_;
  std::map<Request, std::int64_t> turn_of_;
  std::int64_t turn_ = 0;
};

/// member(row, column) on a thread for each; `fails` is told what one throws.
inline void run_grid(ThreadPost& post, const std::function<void(int row, int col)>& member,
                     const std::function<void(const std::string&)>& fails) {
  std::vector<std::thread> threads;
  for (int row = 0; row < post.rows(); ++row) {
    for (int col = 0; col < post.cols(); ++col) {
      threads.emplace_back([&, row, col] {
        try {
          member(row, col);
        } catch (const std::exception& error) {
          post.fail(error.what());
          fails(error.what());
        }
      });
    }
  }
  for (std::thread& thread : threads) thread.join();
}

/// solve(row, column) on a thread for each; returns the pivot that it gives in all of them, −1 for
/// none. Throws `std::runtime_error` with what one threw, or where pivots differ.
inline std::int64_t pivot_on_grid(ThreadPost& post,
                                  const std::function<std::int64_t(int row, int col)>& solve) {
  std::mutex mutex;
  std::vector<std::int64_t> pivots;
  std::string failure;
  run_grid(
      post,
      [&](int row, int col) {
        const std::int64_t pivot = solve(row, col);
        const std::lock_guard lock(mutex);
        pivots.push_back(pivot);
      },
      [&](const std::string& what) {
        const std::lock_guard lock(mutex);
        if (failure.empty()) failure = what;
      });
  if (!failure.empty()) throw std::runtime_error(failure);
  for (const std::int64_t pivot : pivots) {
    if (pivot != pivots.front()) throw std::runtime_error("processes were told different pivots");
  }
  return pivots.front();
}

}  // namespace apsp
