#include "dense/peer_transport.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <utility>

#include "base/rounded_up.hpp"
#include "dense/device_buffer.hpp"
#include "dense/grid.hpp"

namespace apsp::dense {

using kernels::ComputeDevice;
using kernels::EventId;
using kernels::QueueId;
using kernels::Range;

std::vector<ComputeDevice*> met(std::vector<ComputeDevice*> devices) {
  for (ComputeDevice* const device : devices) {
    for (ComputeDevice* const peer : devices) {
      if (peer != device) kernels::required(device->peers()).meet(*peer);
    }
  }
  return devices;
}

PeerExchange::PeerExchange(std::vector<ComputeDevice*> devices, int cols)
    : devices_(std::move(devices)), cols_(cols) {}

void PeerExchange::fail() {
  {
    const std::lock_guard lock(mutex_);
    failed_ = true;
  }
  changes_.notify();
}

template <class Ready>
void PeerExchange::await(const Ready& ready) {
  bool failed = false;
  changes_.await([&] {
    const std::lock_guard lock(mutex_);
    failed = failed_;
    return failed || ready();
  });
  if (failed) throw Error(ErrorKind::device, "another GPU of this solve has failed");
}

PeerTransport::PeerTransport(PeerExchange& exchange, int member, std::int64_t piece_bytes)
    : exchange_(exchange),
      member_(member),
      device_(*exchange.devices_[static_cast<std::size_t>(member)]),
      piece_bytes_(piece_bytes) {}

int PeerTransport::size(Along along) const {
  const auto all = static_cast<int>(exchange_.devices_.size());
  return along == Along::row ? exchange_.cols_ : all / exchange_.cols_;
}

int PeerTransport::rank(Along along) const {
  return along == Along::row ? member_ % exchange_.cols_ : member_ / exchange_.cols_;
}

ComputeDevice& PeerTransport::device_of(Along along, int member) const {
  const int index = along == Along::row ? line(along) * exchange_.cols_ + member
                                        : member * exchange_.cols_ + line(along);
  return *exchange_.devices_[static_cast<std::size_t>(index)];
}

std::vector<EventId> PeerTransport::take(const PeerExchange::Address& message, int parent,
                                         QueueId queue, std::byte* memory, std::int64_t bytes,
                                         bool passed_on) {
  PeerExchange::Offer offer;
  exchange_.await([&] {
    const auto found = exchange_.offers_.find({message, parent});
    if (found == exchange_.offers_.end()) return false;
    offer = found->second;
    return true;
  });
  if (offer.bytes != bytes) {
    throw Error(ErrorKind::defect, "a panel has another length than its peers expect");
  }
  const Along along = std::get<0>(message);
  ComputeDevice& peer = device_of(along, parent);
  // A message that arrives whole and is not passed on is one piece.
  const std::int64_t length = passed_on || offer.ready.size() > 1 ? piece_bytes_ : bytes;
  std::vector<EventId> copied;
  for (std::int64_t begin = 0; begin < bytes; begin += length) {
    const auto piece = static_cast<std::size_t>(begin / length);
    if (piece < offer.ready.size()) peers_->wait_for(queue, peer, offer.ready[piece]);
    peers_->copy_from(queue, memory + begin, peer, offer.memory + begin,
                      std::min(length, bytes - begin));
    copied.push_back(device_.record(queue));
  }
  {
    const std::lock_guard lock(exchange_.mutex_);
    exchange_.offers_.at({message, parent}).taken[static_cast<std::size_t>(rank(along))] =
        copied.back();
  }
  exchange_.changes_.notify();
  return copied;
}

void PeerTransport::broadcast(Payload, Along along, int root, QueueId queue, std::byte* memory,
                              std::int64_t bytes) {
  const int count = size(along);
  if (count == 1 || bytes == 0) return;
  const PeerExchange::Address message{along, line(along), sequence_[along == Along::row ? 0 : 1]++};
  dense::Route mine = dense::route(dense::Broadcast::ring, count, root, rank(along));
  std::vector<EventId> ready;
  if (mine.parent < 0) {
    ready = {device_.record(queue)};
  } else {
    ready = take(message, mine.parent, queue, memory, bytes, !mine.children.empty());
  }
  if (mine.children.empty()) return;
  {
    const std::lock_guard lock(exchange_.mutex_);
    exchange_.offers_[{message, rank(along)}] = {
        memory, bytes, std::move(ready), std::vector<EventId>(static_cast<std::size_t>(count), -1)};
  }
  exchange_.changes_.notify();
  sent_.push_back({message, memory, std::move(mine.children)});
}

void PeerTransport::settle(QueueId queue, const std::byte* memory) {
  for (const Sent& sent : sent_) {
    if (sent.memory != memory) continue;
    const Along along = std::get<0>(sent.message);
    const std::pair offer{sent.message, rank(along)};
    for (const int child : sent.children) {
      EventId taken = -1;
      exchange_.await([&] {
        taken = exchange_.offers_.at(offer).taken[static_cast<std::size_t>(child)];
        return taken >= 0;
      });
      peers_->wait_for(queue, device_of(along, child), taken);
    }
    const std::lock_guard lock(exchange_.mutex_);
    exchange_.offers_.erase(offer);
  }
  std::erase_if(sent_, [&](const Sent& sent) { return sent.memory == memory; });
}

template <class Say>
void PeerTransport::say(PeerExchange::Rounds& rounds, std::int64_t number, Say&& say) {
  {
    const std::lock_guard lock(exchange_.mutex_);
    PeerExchange::Round& round = rounds[number];
    say(round);
    ++round.said;
  }
  exchange_.changes_.notify();
}

PeerExchange::Round PeerTransport::hear(PeerExchange::Rounds& rounds, std::int64_t number) {
  const auto all = static_cast<int>(exchange_.devices_.size());
  PeerExchange::Round heard;
  exchange_.await([&] {
    PeerExchange::Round& round = rounds.at(number);
    if (round.said < all) return false;
    heard = round;
    if (++round.read == all) rounds.erase(number);
    return true;
  });
  return heard;
}

void PeerTransport::follow_all(QueueId queue, EventId mine) {
  const std::int64_t number = met_++;
  say(exchange_.meetings_, number, [&](PeerExchange::Round& round) {
    round.events.resize(exchange_.devices_.size(), -1);
    round.events[static_cast<std::size_t>(member_)] = mine;
  });
  const std::vector<EventId> events = hear(exchange_.meetings_, number).events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    ComputeDevice& peer = *exchange_.devices_[i];
    &peer == &device_ ? device_.wait(queue, events[i]) : peers_->wait_for(queue, peer, events[i]);
  }
}

void PeerTransport::vote(std::int64_t mine) {
  say(exchange_.votes_, said_++,
      [&](PeerExchange::Round& round) { round.least = std::min(round.least, mine); });
}

bool PeerTransport::stopped(bool mine) {
  vote(mine ? 0 : 1);
  return said_ - answered_ > kVotesUnderWay && answer() == 0;
}

std::int64_t PeerTransport::least(std::int64_t mine) {
  while (answered_ < said_) answer();
  vote(mine);
  return answer();
}

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
    share_.transport->broadcast(Payload::panel, Along::column, owner, queue_, packed, bytes);
  }
  share_.transport->finish_broadcasts();
  return device_.record(queue_);
}

}  // namespace apsp::dense
