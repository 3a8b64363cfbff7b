// A transport that broadcasts from device to device (device_broadcasts.hpp): hosts order the
// broadcasts, and panels never pass through host memory.
//
// All broadcasts of a device go through one queue. A broadcast waits for an event of the queue that
// it belongs to, and that queue waits for an event behind the broadcast: the thread that gives the
// orders waits for neither. Votes go by communicator.
//
// A broadcast ends when all members of its line have begun it, so the order in which each device
// begins its broadcasts could lead to a deadlock. It does not, on any grid. Number the broadcasts
// of the page by (step; closed tile along rows, closed tile along columns, panels along columns,
// panels along rows, ...). Two of the same number belong to different lines of one direction, which
// have no process in common; and every process gives those that it takes part in by rising numbers,
// to one queue, which runs them in that order. What the queue waits for besides are events of work
// that was given before, which waits for broadcasts given before it alone. So if all with lower
// numbers end, all members come to those of the next number, and these end. With a queue a line the
// argument fails: a device that has room for one of two that wait may begin the one that its peer
// has not.
#pragma once

#include <functional>
#include <vector>

#include "places/device_broadcasts.hpp"
#include "places/votes.hpp"

namespace apsp::places {

class DirectTransport final : public VotingTransport {
 public:
  /// All outlive it. `broadcasts` are ready, and those of this device.
  DirectTransport(kernels::ComputeDevice& device, Communicator& communicator,
                  DeviceBroadcasts& broadcasts);

  void broadcast(Along along, int root, kernels::QueueId queue, std::byte* memory,
                 std::int64_t bytes) override;
  void finish_broadcasts() override;
  void settle(kernels::QueueId queue, const std::byte* memory) override;
  void await(kernels::EventId event) override;
  void fail() noexcept override { broadcasts_.abandon(); }

 private:
  /// Throws where a broadcast has failed; lets votes go on.
  void look_until(const std::function<bool()>& ready);

  struct Sent {
    const std::byte* memory;
    kernels::EventId gone;
  };
  struct Coming {
    kernels::QueueId queue;  // that it belongs to
    kernels::EventId here;
  };

  kernels::ComputeDevice& device_;
  Communicator& communicator_;
  DeviceBroadcasts& broadcasts_;
  kernels::QueueId travelling_;
  std::vector<Sent> sent_;
  std::vector<Coming> coming_;
};

}  // namespace apsp::places
