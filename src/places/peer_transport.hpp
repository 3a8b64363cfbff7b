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

/// State that the threads of one grid share.
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
  /// A message that a member sends, and who has taken it.
  struct Offer {
    const std::byte* memory = nullptr;
    std::int64_t bytes = 0;
    std::vector<kernels::EventId> ready{};  // of each piece; one: of all
    std::vector<kernels::EventId> taken{};  // by member; −1: not yet
  };
  /// Something that all members say once, and each hears when all have.
  struct Round {
    std::int64_t least = INT64_MAX;
    std::vector<kernels::EventId> events{};  // by member
    int said = 0, read = 0;
  };
  using Rounds = std::map<std::int64_t, Round>;

  /// Returns when `ready()`, under the lock.
  template <class Ready>
  void await(const Ready& ready);

  std::vector<kernels::ComputeDevice*> devices_;
  int cols_;
  std::mutex mutex_;
  base::EventCount changes_;
  bool failed_ = false;
  std::map<std::pair<Address, int>, Offer> offers_;  // by message and who offers it
  Rounds votes_, meetings_;
};

/// The devices, each of which has met each.
std::vector<kernels::ComputeDevice*> met(std::vector<kernels::ComputeDevice*> devices);

class PeerTransport final : public Transport {
 public:
  /// `member`: of the exchange's devices. Pieces of a message that is passed on; tests take short
  /// ones.
  PeerTransport(PeerExchange& exchange, int member,
                std::int64_t piece_bytes = std::int64_t{4} << 20);

  void broadcast(Payload, Along along, int root, kernels::QueueId queue, std::byte* memory,
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
  template <class Say>
  void say(PeerExchange::Rounds& rounds, std::int64_t number, Say&& say);
  PeerExchange::Round hear(PeerExchange::Rounds& rounds, std::int64_t number);
  void vote(std::int64_t mine);
  std::int64_t answer() { return hear(exchange_.votes_, answered_++).least; }

  PeerExchange& exchange_;
  int member_;
  kernels::ComputeDevice& device_;
  std::int64_t piece_bytes_;
  std::int64_t sequence_[2] = {0, 0};  // broadcasts so far, along each
  std::vector<Sent> sent_;
  std::int64_t said_ = 0, answered_ = 0;  // votes
  std::int64_t met_ = 0;                  // meetings
};

/// Who of how many a device is; no transport: the only one.
struct StreamedShare {
  int size = 1;
  int rank = 0;
  PeerTransport* transport = nullptr;
};

/// Packed panels that several devices of one process make together: each makes some pieces, and all
/// have all of them in the end.
///
/// Pieces are distributed block-cyclically, there and back, so that of rows that grow longer each
/// device has as much as the others. They are passed on by a queue of their own, each as soon as it
/// is made. One device has nothing to pass on.
class SharedPanels {
 public:
  /// Lines of a panel, and which member makes them.
  struct PanelShare {
    kernels::Range lines;
    int owner = 0;
  };

  /// Pieces begin at multiples of `granule`, and of `tile` where they are as long as one.
  SharedPanels(kernels::ComputeDevice& device, const StreamedShare& share, std::int64_t granule,
               std::int64_t tile);
  ~SharedPanels();
  SharedPanels(const SharedPanels&) = delete;
  SharedPanels& operator=(const SharedPanels&) = delete;

  bool alone() const { return share_.transport == nullptr; }
  PeerTransport* transport() { return share_.transport; }  ///< null: alone
  int owner(std::int64_t number) const {
    const int all = share_.size, place = static_cast<int>(number / all % 2 * all + number % all);
    return place < all ? place : 2 * all - 1 - place;
  }
  bool is_rank(int member) const { return member == share_.rank; }
  bool mine(std::int64_t number) const { return is_rank(owner(number)); }

  /// Pieces of at most `most` lines each, as many for every member.
  std::vector<PanelShare> pieces(kernels::Range lines, std::int64_t most) const;

  /// New panels replace those before: what `making` is given from here on may write to them, as it
  /// comes behind all that read them here.
  void begin(kernels::QueueId making);
  /// `packed` is that of a piece of `owner`, who has made it when `made` is reached.
  void share(std::byte* packed, std::int64_t bytes, int owner, kernels::EventId made);
  /// Gives all that was to be passed on since `begin` its way; returns the event after which it is
  /// here. What comes from others waits for the pieces of mine that were named before: a ragged
  /// panel lies closer than the one before, and its pieces may reach into those of lines before.
  kernels::EventId finish();
  /// What `queue` is given from here on may write to what was passed on.
  void settle(kernels::QueueId queue);

 private:
  struct Message {
    std::byte* packed;
    std::int64_t bytes;
    int owner;
    kernels::EventId made;
  };

  kernels::ComputeDevice& device_;
  StreamedShare share_;
  std::int64_t granule_, tile_;
  kernels::QueueId queue_ = -1;
  std::vector<Message> messages_;
};

}  // namespace apsp::places
