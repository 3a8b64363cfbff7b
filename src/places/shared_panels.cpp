#include "places/shared_panels.hpp"

#include <algorithm>

#include "base/rounded_up.hpp"
#include "places/device_buffer.hpp"

namespace apsp::places {

using kernels::EventId;
using kernels::QueueId;
using kernels::Range;

SharedPanels::SharedPanels(kernels::ComputeDevice& device, const StreamedShare& share,
                           std::int64_t granule, std::int64_t tile)
    : device_(device), share_(share), granule_(granule), tile_(tile) {
  if (!alone()) queue_ = device.make_queue(kernels::Priority::high);
}

SharedPanels::~SharedPanels() {
  if (!alone()) drain(device_, queue_);
}

std::vector<SharedPanels::PanelShare> SharedPanels::pieces(Range lines, std::int64_t most) const {
  std::vector<PanelShare> distribution;
  if (length(lines) <= 0) return distribution;
  std::int64_t each = most;
  if (!alone()) {
    const std::int64_t round = share_.size * most,
                       parts = (length(lines) + round - 1) / round * share_.size,
                       part = (length(lines) + parts - 1) / parts;
    each = std::min(most, base::rounded_up(part, part < tile_ ? granule_ : tile_));
  }
  for (std::int64_t first = lines.begin; first < lines.end; first += each) {
    const auto number = static_cast<std::int64_t>(distribution.size());
    distribution.push_back({{first, std::min(first + each, lines.end)}, owner(number)});
  }
  return distribution;
}

void SharedPanels::settle(QueueId queue) {
  for (const Message& message : messages_) share_.transport->settle(queue, message.packed);
  messages_.clear();
}

void SharedPanels::begin(QueueId making) {
  if (alone()) return;
  settle(making);
  device_.wait(queue_, device_.record(making));
}

void SharedPanels::share(std::byte* packed, std::int64_t bytes, int owner, EventId made) {
  if (!alone()) messages_.push_back({packed, bytes, owner, made});
}

EventId SharedPanels::finish() {
  for (const auto& [packed, bytes, owner, made] : messages_) {
    if (is_rank(owner)) device_.wait(queue_, made);
    share_.transport->broadcast(Along::column, owner, queue_, packed, bytes);
  }
  share_.transport->finish_broadcasts();
  return device_.record(queue_);
}

}  // namespace apsp::places
