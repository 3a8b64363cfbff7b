// What the processes of a grid agree on, by the votes of their communicator (transport.hpp:
// `stopped`, `least`). The answer to a vote is asked for some calls later, so that no process waits
// for votes that are still on their way.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <utility>

#include "places/communicator.hpp"
#include "places/transport.hpp"

namespace apsp::places {

class Votes {
 public:
  /// Returns when `ready()`; meanwhile it does what else is to be done.
  using Await = std::function<void(const std::function<bool()>& ready)>;

  Votes(Communicator& communicator, Await await)
      : communicator_(communicator), await_(std::move(await)) {}

  void want_cut() { wants_cut_ = true; }
  bool cut_agreed() const { return cut_agreed_; }

  bool stopped(bool mine) {
    constexpr std::int64_t kEnd = 0, kCut = 1, kGoOn = 2;
    under_way_.push_back(communicator_.least(mine ? kEnd : wants_cut_ ? kCut : kGoOn));
    cut_agreed_ = false;
    if (std::ssize(under_way_) <= kVotesUnderWay) return false;
    const std::int64_t said = answer();
    cut_agreed_ = said == kCut;
    return said == kEnd;
  }

  std::int64_t least(std::int64_t mine) {
    while (!under_way_.empty()) answer();
    wants_cut_ = cut_agreed_ = false;
    under_way_.push_back(communicator_.least(mine));
    return answer();
  }

  /// Lets votes go on, which the communicator does only while it is asked.
  void advance() {
    if (!under_way_.empty()) communicator_.done(under_way_.front());
  }

 private:
  /// The answer to the earliest vote that is under way.
  std::int64_t answer() {
    const Communicator::Request vote = under_way_.front();
    await_([&] { return communicator_.done(vote); });
    under_way_.pop_front();
    return communicator_.result(vote);
  }

  Communicator& communicator_;
  Await await_;
  std::deque<Communicator::Request> under_way_;
  bool wants_cut_ = false, cut_agreed_ = false;
};

/// A transport whose processes agree by the votes of a communicator.
class VotingTransport : public Transport {
 public:
  bool stopped(bool mine) override { return votes_.stopped(mine); }
  void want_cut() override { votes_.want_cut(); }
  bool cut_agreed() const override { return votes_.cut_agreed(); }
  std::int64_t least(std::int64_t mine) override { return votes_.least(mine); }

 protected:
  VotingTransport(Communicator& communicator, Votes::Await await)
      : votes_(communicator, std::move(await)) {}

  Votes votes_;
};

}  // namespace apsp::places
