// Devices that broadcast to each other by communicator, for tests of what asks for such broadcasts:
// each is over when it was given.
#pragma once

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cluster/direct_transport.hpp"

namespace apsp {

class MessageBroadcasts final : public cluster::DeviceBroadcasts {
 public:
  MessageBroadcasts(kernels::ComputeDevice& device, cluster::Communicator& communicator)
      : device_(device), communicator_(communicator) {}

  void await_ready() override {}
  void check() override {}
  void abandon() noexcept override {}
  void broadcast(dense::Along along, int root, kernels::QueueId queue, std::byte* memory,
                 std::int64_t bytes) override {
    std::vector<std::byte> host(static_cast<std::size_t>(bytes));
    const kernels::View there{memory, 1, bytes, bytes}, here{host.data(), 1, bytes, bytes};
    const bool sends = communicator_.rank(along) == root;
    if (sends) device_.copy_out(queue, here, there, 1);
    device_.synchronize(queue);
    for (int other = 0; other < communicator_.size(along); ++other) {
      if (other == communicator_.rank(along)) continue;
      if (sends) await(communicator_.send(along, other, 0, host.data(), bytes));
      if (!sends && other == root) await(communicator_.receive(along, root, 0, host.data(), bytes));
    }
    if (!sends) device_.copy_in(queue, there, here, 1);
    device_.synchronize(queue);
  }

 private:
  void await(cluster::Communicator::Request request) {
    while (!communicator_.done(request)) std::this_thread::yield();
  }
  kernels::ComputeDevice& device_;
  cluster::Communicator& communicator_;
};

class MessageLinks final : public cluster::DeviceLinks {
 public:
  std::unique_ptr<cluster::DeviceBroadcasts> connect(kernels::ComputeDevice& device,
                                                     cluster::Communicator& communicator) override {
    return std::make_unique<MessageBroadcasts>(device, communicator);
  }
};

}  // namespace apsp
