// Agreement between the processes of a grid, by the votes of their communicator (transport.hpp:
// `stopped`, `least`). The result of a vote is read some calls later, so that no process waits for
// it.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>

#include "cluster/communicator.hpp"
#include "dense/transport.hpp"

namespace apsp::cluster {

class VotingTransport : public dense::Transport {
 public:
  void want_cut() override { wants_cut_ = true; }
  bool cut_agreed() const override { return cut_agreed_; }

  bool stopped(bool mine) override {
    constexpr std::int64_t kEnd = 0, kCut = 1, kGoOn = 2;
    under_way_.push_back(communicator_.least(mine ? kEnd : wants_cut_ ? kCut : kGoOn));
    cut_agreed_ = false;
    if (std::ssize(under_way_) <= dense::kVotesUnderWay) return false;
    const std::int64_t said = answer();
    cut_agreed_ = said == kCut;
    return said == kEnd;
  }

  std::int64_t least(std::int64_t mine) override {
    while (!under_way_.empty()) answer();
    wants_cut_ = cut_agreed_ = false;
    under_way_.push_back(communicator_.least(mine));
    return answer();
  }

 protected:
  explicit VotingTransport(Communicator& communicator) : communicator_(communicator) {}

  /// Advances votes, which progress only inside calls of the communicator.
  void advance_votes() {
    if (!under_way_.empty()) communicator_.done(under_way_.front());
  }

  Communicator& communicator_;

 private:
  /// Returns when `ready()`; does other work meanwhile.
  virtual void work_until(const std::function<bool()>& ready) = 0;
  std::int64_t answer() {
    const Communicator::Request vote = under_way_.front();
    work_until([&] { return communicator_.done(vote); });
    under_way_.pop_front();
    return communicator_.result(vote);
  }

  std::deque<Communicator::Request> under_way_;
  bool wants_cut_ = false, cut_agreed_ = false;
};

}  // namespace apsp::cluster
