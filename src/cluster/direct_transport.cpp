#include "cluster/direct_transport.hpp"

#include <thread>

namespace apsp::cluster {

using kernels::EventId;
using kernels::QueueId;

DirectTransport::DirectTransport(kernels::ComputeDevice& device, Communicator& communicator,
                                 DeviceBroadcasts& broadcasts)
    : VotingTransport(communicator),
      device_(device),
      broadcasts_(broadcasts),
      travelling_(device.make_queue(kernels::Priority::high)) {}

void DirectTransport::work_until(const std::function<bool()>& ready) {
  while (!ready()) {
    broadcasts_.check();
    advance_votes();
    std::this_thread::yield();
  }
}

void DirectTransport::broadcast(dense::Payload, dense::Along along, int root, QueueId queue,
                                std::byte* memory, std::int64_t bytes) {
  if (communicator_.size(along) == 1 || bytes == 0) return;
  device_.wait(travelling_, device_.record(queue));
  broadcasts_.broadcast(along, root, travelling_, memory, bytes);
  const EventId done = device_.record(travelling_);
  if (communicator_.rank(along) == root) {
    sent_.push_back({memory, done});
  } else {
    coming_.push_back({queue, done});
  }
}

void DirectTransport::finish_broadcasts() {
  for (const Coming& coming : coming_) device_.wait(coming.queue, coming.here);
  coming_.clear();
}

void DirectTransport::settle(QueueId queue, const std::byte* memory) {
  for (const Sent& sent : sent_) {
    if (sent.memory == memory) device_.wait(queue, sent.gone);
  }
  std::erase_if(sent_, [&](const Sent& sent) { return sent.memory == memory; });
}

void DirectTransport::await(EventId event) {
  work_until([&] { return device_.reached(event); });
}

}  // namespace apsp::cluster
