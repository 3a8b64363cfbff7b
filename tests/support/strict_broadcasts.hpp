// Broadcasts between devices that have met, for tests. Each ends when all of its line have come to
// it, and so does its call: in an order in which broadcasts could wait for each other, they do.
#pragma once

#include <apsp/error.hpp>

#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "cluster/direct_transport.hpp"
#include "system/event_count.hpp"

namespace apsp {

/// What the members of one grid share.
class BroadcastExchange {
 public:
  /// `devices`: [rows × cols] row by row; they have met, and outlive this.
  BroadcastExchange(std::vector<kernels::ComputeDevice*> devices, int cols)
      : devices_(std::move(devices)), cols_(cols) {}
  kernels::ComputeDevice& device(int row, int col) const {
    return *devices_[static_cast<std::size_t>(row * cols_ + col)];
  }
  /// A member ends early: whoever waits for it throws.
  void fail() {
    {
      const std::lock_guard lock(mutex_);
      failed_ = true;
    }
    changes_.notify();
  }
  bool failed() {
    const std::lock_guard lock(mutex_);
    return failed_;
  }

 private:
  friend class StrictBroadcasts;
  using Address = std::tuple<dense::Along, int, std::int64_t>;  // line, its number, of broadcasts
  struct Round {
    int root = -1;
    const std::byte* memory = nullptr;
    std::int64_t bytes = -1;
    kernels::EventId ready = -1;
    std::map<int, kernels::EventId> taken{};  // by member
  };

  /// Calls `ready(round)` under the lock until it is true.
  template <class Ready>
  void await(const Address& address, const Ready& ready) {
    changes_.await([&] {
      const std::lock_guard lock(mutex_);
      if (failed_) throw Error(ErrorKind::device, "another device of this grid has failed");
      return ready(rounds_[address]);
    });
  }
  template <class Change>
  void tell(const Address& address, const Change& change) {
    {
      const std::lock_guard lock(mutex_);
      change(rounds_[address]);
    }
    changes_.notify();
  }

  std::vector<kernels::ComputeDevice*> devices_;
  int cols_;
  std::mutex mutex_;
  system::EventCount changes_;
  bool failed_ = false;
  std::map<Address, Round> rounds_;
};

class StrictBroadcasts final : public cluster::DeviceBroadcasts {
 public:
  /// Of the member that `communicator` is of.
  StrictBroadcasts(BroadcastExchange& exchange, cluster::Communicator& communicator)
      : exchange_(exchange), communicator_(communicator) {}

  void await_ready() override {}
  void check() override {
    if (exchange_.failed()) throw Error(ErrorKind::device, "another device has failed");
  }
  void abandon() noexcept override { exchange_.fail(); }

  void broadcast(dense::Along along, int root, kernels::QueueId queue, std::byte* memory,
                 std::int64_t bytes) override {
    const BroadcastExchange::Address address{along, line(along),
                                             sequence_[along == dense::Along::row ? 0 : 1]++};
    const int rank = communicator_.rank(along), others = communicator_.size(along) - 1;
    kernels::ComputeDevice& device = device_of(along, rank);
    BroadcastExchange::Round round;
    if (rank == root) {
      const kernels::EventId ready = device.record(queue);
      exchange_.tell(address, [&](auto& mine) {
        mine.root = root;
        mine.memory = memory;
        mine.bytes = bytes;
        mine.ready = ready;
      });
    } else {
      exchange_.await(address, [&](const auto& offered) {
        round = offered;
        return offered.ready >= 0;
      });
      if (round.root != root || round.bytes != bytes) {
        throw Error(ErrorKind::defect, "members of a line call for different broadcasts");
      }
      kernels::ComputeDevice& peer = device_of(along, root);
      device.peers()->wait_for(queue, peer, round.ready);
      device.peers()->copy_from(queue, memory, peer, round.memory, bytes);
      const kernels::EventId taken = device.record(queue);
      exchange_.tell(address, [&](auto& all) { all.taken[rank] = taken; });
    }
    exchange_.await(address, [&](const auto& all) {
      round = all;
      return static_cast<int>(all.taken.size()) == others;
    });
    if (rank != root) return;
    for (const auto& [member, taken] : round.taken) {
      device.peers()->wait_for(queue, device_of(along, member), taken);
    }
  }

 private:
  int line(dense::Along along) const {
    return communicator_.rank(along == dense::Along::row ? dense::Along::column
                                                         : dense::Along::row);
  }
  kernels::ComputeDevice& device_of(dense::Along along, int member) const {
    return along == dense::Along::row ? exchange_.device(line(along), member)
                                      : exchange_.device(member, line(along));
  }

  BroadcastExchange& exchange_;
  cluster::Communicator& communicator_;
  std::int64_t sequence_[2] = {0, 0};
};

}  // namespace apsp
