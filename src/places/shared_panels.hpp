// Packed panels that several devices of one process make together: each makes some pieces, and all
// have all of them in the end (peer_transport.hpp).
//
// Pieces are distributed block-cyclically, there and back, so that of rows that grow longer each
// device has as much as the others. They are passed on by a queue of their own, each as soon as it
// is made. One device has nothing to pass on.
#pragma once

#include <vector>

#include "places/peer_transport.hpp"

namespace apsp::places {

/// Who of how many a device is; no transport: the only one.
struct StreamedShare {
  int size = 1;
  int rank = 0;
  PeerTransport* transport = nullptr;
};

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

  /// Of at most `most` lines each, as many for every member.
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
