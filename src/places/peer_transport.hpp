// A transport between devices of one process that read each other's memory (kernels/device.hpp).
//
// Each device takes its orders from a thread of its own, which runs the driver's page on its part
// as a process of a grid would: the page stays as it is, and no thread gives orders for all. Who
// has something to send offers it, with the event after which it is there; who needs it queues a
// copy behind that event, and says by another one when it was taken. Threads wait for each other's
// orders, never for a device: the order of copies and kernels is that of events. A panel flows
// along a line in pieces, each passed on when it has come (Sao 2021, §3.3).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "base/event_count.hpp"
#include "places/transport.hpp"

namespace apsp::places {

/// What the threads of one grid share.
class PeerExchange {
 public:
  /// `devices`: [rows × cols] row by row; all have met, and outlive this.
  PeerExchange(std::vector<kernels::ComputeDevice*> devices, int cols);

  /// A member leaves early: whoever waits for it throws `Error` (device).
  void fail();

 private:
  friend class PeerTransport;
  /// A line of the grid (along, its number) and a broadcast's number on it.
  using Address = std::tuple<Along, int, std::int64_t>;
  /// What a member sends of a message, and what has come of that.
  struct Offer {
    const std::byte* memory = nullptr;
    std::int64_t bytes = 0;
    std::vector<kernels::EventId> ready{};  // of each piece; one: of all
    std::vector<kernels::EventId> taken{};  // by member; −1: not yet
  };
  struct Round {
    std::int64_t least = INT64_MAX;
    int said = 0, read = 0;
  };
  struct Meeting {
    std::vector<kernels::EventId> events{};  // by member; −1: not yet
    int said = 0, read = 0;
  };

  /// Returns when `ready()`, under the lock.
  template <class Ready>
  void await(const Ready& ready);

  std::vector<kernels::ComputeDevice*> devices_;
  int cols_;
  std::mutex mutex_;
  base::EventCount changes_;
  bool failed_ = false;
  std::map<std::pair<Address, int>, Offer> offers_;  // by message and who offers it
  std::map<std::int64_t, Round> rounds_;
  std::map<std::int64_t, Meeting> meetings_;
};

/// The devices, each of which has met each.
std::vector<kernels::ComputeDevice*> met(std::vector<kernels::ComputeDevice*> devices);

class PeerTransport final : public Transport {
 public:
  /// `member`: of the exchange's devices. Pieces of a message that is passed on; tests take short
  /// ones.
  PeerTransport(PeerExchange& exchange, int member,
                std::int64_t piece_bytes = std::int64_t{4} << 20);

  void broadcast(Along along, int root, kernels::QueueId queue, std::byte* memory,
                 std::int64_t bytes) override;
  void finish_broadcasts() override {}  // copies are in their queues already
  void settle(kernels::QueueId queue, const std::byte* memory) override;
  void await(kernels::EventId event) override { device_.await(event); }
  bool stopped(bool mine) override;
  std::int64_t least(std::int64_t mine) override;

  /// What `queue` is given from here on comes behind an event of each member. All call it as often
  /// as the others.
  void follow_all(kernels::QueueId queue, kernels::EventId mine);

 private:
  struct Sent {
    PeerExchange::Address message;
    const std::byte* memory;
    std::vector<int> children;  // members of the line
  };

  int size(Along along) const;
  int rank(Along along) const;
  int line(Along along) const { return rank(along == Along::row ? Along::column : Along::row); }
  kernels::ComputeDevice& device_of(Along along, int member) const;
  /// Queues copies of what the parent offers; returns their events, piece by piece.
  std::vector<kernels::EventId> take(const PeerExchange::Address& message, int parent,
                                     kernels::QueueId queue, std::byte* memory, std::int64_t bytes,
                                     bool passed_on);
  void say(std::int64_t mine);
  std::int64_t answer();

  PeerExchange& exchange_;
  int member_;
  kernels::ComputeDevice& device_;
  std::int64_t piece_bytes_;
  std::int64_t sequence_[2] = {0, 0};  // broadcasts so far, along each
  std::vector<Sent> sent_;
  std::int64_t said_ = 0, answered_ = 0;  // rounds of votes
  std::int64_t met_ = 0;                  // meetings
};

}  // namespace apsp::places
