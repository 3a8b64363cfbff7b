// A transport between devices of one process that read each other's memory (kernels/device.hpp).
//
// A thread for each device runs the driver on its part, as a process of a grid does. A sender
// offers memory with the event after which it is complete. A receiver queues a copy after that
// event, and another event says when the copy was made. Threads wait for orders of each other,
// never for a device. A panel travels along a line in pieces, each passed on when it arrives (Sao
// 2021, §3.3).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

#include "dense/transport.hpp"
#include "system/event_count.hpp"

namespace apsp::dense {

/// State that the threads of one grid share.
class PeerExchange {
 public:
  /// `devices`: [rows × cols] row by row; all have met, and outlive this.
  PeerExchange(std::vector<kernels::ComputeDevice*> devices, int cols);

  /// Says that a member leaves early. Members that wait for it throw `Error` (device).
  void fail();

 private:
  friend class PeerTransport;
  /// A line of the grid (along, its number) and a broadcast's number on it.
  using Address = std::tuple<Along, int, std::int64_t>;
  /// A message that a member sends.
  struct Offer {
    const std::byte* memory = nullptr;
    std::int64_t bytes = 0;
    std::vector<kernels::EventId> ready{};  // of each piece; one: of all
    std::vector<kernels::EventId> taken{};  // by member; −1: not yet
  };
  /// A value that each member says once, and reads when all have.
  struct Round {
    std::int64_t least = INT64_MAX;
    std::vector<kernels::EventId> events{};  // by member
    int said = 0, read = 0;
  };
  using Rounds = std::map<std::int64_t, Round>;

  /// Waits until `ready()`, which is called under the lock.
  template <class Ready>
  void await(const Ready& ready);

  std::vector<kernels::ComputeDevice*> devices_;
  int cols_;
  std::mutex mutex_;
  system::EventCount changes_;
  bool failed_ = false;
  std::map<std::pair<Address, int>, Offer> offers_;  // by message and member
  Rounds votes_, meetings_;
};

/// Returns the devices after each has met each.
std::vector<kernels::ComputeDevice*> met(std::vector<kernels::ComputeDevice*> devices);

class PeerTransport final : public Transport {
 public:
  /// `member`: the number of the device in the exchange. `piece_bytes`: of messages that are passed
  /// on.
  PeerTransport(PeerExchange& exchange, int member,
                std::int64_t piece_bytes = std::int64_t{4} << 20);

  void broadcast(Payload, Along along, int root, kernels::QueueId queue, std::byte* memory,
                 std::int64_t bytes) override;
  void finish_broadcasts() override {}  // copies are in their queues already
  void settle(kernels::QueueId queue, const std::byte* memory) override;
  void await(kernels::EventId event) override { device_.await(event); }
  bool stopped(bool mine) override;
  std::int64_t least(std::int64_t mine) override;

  /// Work that `queue` gets after this call waits for an event of every member. All members call
  /// this equally often.
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
  /// Queues copies of the parent's offer. Returns an event for each piece.
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
  kernels::PeerCopies* peers_ = device_.peers();  // null: it works without others
  std::int64_t piece_bytes_;
  std::int64_t sequence_[2] = {0, 0};  // broadcasts so far, along each
  std::vector<Sent> sent_;
  std::int64_t said_ = 0, answered_ = 0;  // votes
  std::int64_t met_ = 0;                  // meetings
};

/// The rank of a device among several; no transport: the only one.
struct StreamedShare {
  int size = 1;
  int rank = 0;
  PeerTransport* transport = nullptr;
};

/// Packed panels of several devices of one process. Each device makes some pieces, and all devices
/// receive all of them.
///
/// Owners of pieces go forward and back (0 1 1 0 0 1 …), so that devices share rows of growing
/// length evenly. A queue of its own passes each piece on as soon as it is made.
class SharedPanels {
 public:
  /// Lines of a panel, and which member makes them.
  struct PanelShare {
    kernels::Range lines;
    int owner = 0;
  };

  /// Pieces begin at multiples of `granule`, and of `tile` if they are as long as a tile.
  SharedPanels(kernels::ComputeDevice& device, const StreamedShare& share, std::int64_t granule,
               std::int64_t tile);
  ~SharedPanels();
  SharedPanels(const SharedPanels&) = delete;
  SharedPanels& operator=(const SharedPanels&) = delete;

  bool alone() const { return share_.transport == nullptr; }
  PeerTransport* transport() { return share_.transport; }  ///< null: one device
  int owner(std::int64_t number) const {
    const int all = share_.size, place = static_cast<int>(number / all % 2 * all + number % all);
    return place < all ? place : 2 * all - 1 - place;
  }
  bool is_rank(int member) const { return member == share_.rank; }
  bool mine(std::int64_t number) const { return is_rank(owner(number)); }

  /// Returns pieces of at most `most` lines, equally many for every member.
  std::vector<PanelShare> pieces(kernels::Range lines, std::int64_t most) const;

  /// Begins new panels in the memory of the last ones. Work that `making` gets after this call
  /// waits for all that reads the last panels here.
  void begin(kernels::QueueId making);
  /// Shares a packed piece that `owner` has made when `made` is reached.
  void share(std::byte* packed, std::int64_t bytes, int owner, kernels::EventId made);
  /// Sends all pieces that were shared since `begin`. Returns the event that is reached when every
  /// piece is on this device. Pieces of others wait for this device's pieces that were shared
  /// before, because pieces of a ragged panel may overlap those of earlier lines of the last panel.
  kernels::EventId finish();
  /// Makes `queue` wait until no piece is sent any more, so that its later work may overwrite them.
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

}  // namespace apsp::dense
