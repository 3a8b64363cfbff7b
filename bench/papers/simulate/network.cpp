#include "papers/simulate/network.hpp"

#include <algorithm>
#include <cmath>

namespace apsp::simulation {
namespace {

/// What an event tells the network, of a packet or of a link.
enum What : std::int64_t { packet_arrives, packet_is_there, link_is_free };
constexpr std::int64_t kWhats = 3;

template <class T>
std::int32_t take(std::vector<T>& all, std::vector<std::int32_t>& free) {
  if (free.empty()) {
    all.emplace_back();
    return static_cast<std::int32_t>(all.size()) - 1;
  }
  const std::int32_t found = free.back();
  free.pop_back();
  return found;
}

}  // namespace

Network::Network(World& world, const cluster::Cluster& cluster, int nodes, bool from_host,
                 double packet_bytes)
    : world_(world), cluster_(cluster), from_host_(from_host), packet_bytes_(packet_bytes) {
  const auto links = [&](int count, double rate, double seconds) {
    const auto first = static_cast<std::int32_t>(links_.size());
    for (int i = 0; i < count; ++i) links_.push_back({.rate = rate, .seconds = seconds});
    return first;
  };
  const int gpus = nodes * cluster.gpus_per_node;
  out_ = links(gpus, cluster.link_rate, cluster.link_seconds);
  in_ = links(gpus, cluster.link_rate, cluster.link_seconds);
  card_out_ = links(nodes * cluster.cards, cluster.card_rate, cluster.card_seconds);
  card_in_ = links(nodes * cluster.cards, cluster.card_rate, cluster.card_seconds);
  // A copy within host memory reads and writes.
  memory_ = links(nodes, cluster.host_memory_rate / 2, cluster.link_seconds);
}

double Network::latency() const {
  return 2 * cluster_.card_seconds + (from_host_ ? 0 : 2 * cluster_.link_seconds);
}

void Network::send(Seat from, Seat to, double bytes, EventHandler& done, std::int64_t what) {
  const std::int32_t number = take(transfers_, free_transfers_);
  Transfer& transfer = transfers_[static_cast<std::size_t>(number)];
  transfer = {
      .links = {},
      .pair = static_cast<std::int64_t>(gpu(from)) << 32 | gpu(to),
      .done = &done,
      .what = what,
      .card_share = from.node / cluster_.nodes_per_switch == to.node / cluster_.nodes_per_switch
                        ? 1
                        : cluster_.share_between_switches};
  const auto add = [&](std::int32_t link) { transfer.links[transfer.hops++] = link; };
  if (from.node == to.node && from_host_) {
    add(memory_ + from.node);
  } else {
    if (!from_host_) add(out_ + gpu(from));
    if (from.node != to.node) {
      add(card_out_ + card(from));
      add(card_in_ + card(to));
    }
    if (!from_host_) add(in_ + gpu(to));
  }
  transfer.packets = std::max(1, static_cast<int>(std::ceil(bytes / packet_bytes_)));
  const double each = bytes / transfer.packets;
  for (int count = transfer.packets; count > 0; --count) {
    const std::int32_t packet = take(packets_, free_packets_);
    packets_[static_cast<std::size_t>(packet)] = {.transfer = number, .hop = 0, .bytes = each};
    arrive(packet);
  }
}

void Network::handle(std::int64_t what) {
  const auto number = static_cast<std::int32_t>(what / kWhats);
  switch (what % kWhats) {
    case packet_arrives:
      return arrive(number);
    case packet_is_there:
      return deliver(number);
    default:
      return next(number);
  }
}

void Network::arrive(std::int32_t packet) {
  const Packet& arrived = packets_[static_cast<std::size_t>(packet)];
  const Transfer& transfer = transfers_[static_cast<std::size_t>(arrived.transfer)];
  const std::int32_t number = transfer.links[arrived.hop];
  Link& link = links_[static_cast<std::size_t>(number)];
  if (!link.busy) return begin(number, packet);
  const auto line = std::find_if(link.lines.begin(), link.lines.end(),
                                 [&](const PacketLine& l) { return l.pair == transfer.pair; });
  if (line != link.lines.end()) return line->packets.push_back(packet);
  link.lines.push_back({transfer.pair, {packet}});
}

void Network::begin(std::int32_t number, std::int32_t packet) {
  Link& link = links_[static_cast<std::size_t>(number)];
  Packet& moving = packets_[static_cast<std::size_t>(packet)];
  const Transfer& transfer = transfers_[static_cast<std::size_t>(moving.transfer)];
  link.busy = true;
  const auto seconds_on = [&](std::int32_t which) {
    const bool is_card = which >= card_out_ && which < memory_;
    return moving.bytes /
           (links_[static_cast<std::size_t>(which)].rate * (is_card ? transfer.card_share : 1));
  };
  const double seconds = seconds_on(number);
  world_.at(world_.now() + seconds, *this, number * kWhats + link_is_free);
  const bool last = ++moving.hop == transfer.hops;
  if (last) {
    world_.at(world_.now() + seconds + link.seconds, *this, packet * kWhats + packet_is_there);
    return;
  }
  // The next link begins when it will not have to wait for bytes of this one.
  const double ahead = std::max(0.0, seconds - seconds_on(transfer.links[moving.hop]));
  world_.at(world_.now() + link.seconds + ahead, *this, packet * kWhats + packet_arrives);
}

void Network::next(std::int32_t number) {
  Link& link = links_[static_cast<std::size_t>(number)];
  link.busy = false;
  if (link.lines.empty()) return;
  if (link.turn >= link.lines.size()) link.turn = 0;
  PacketLine& line = link.lines[link.turn];
  const std::int32_t packet = line.packets.front();
  line.packets.pop_front();
  if (line.packets.empty()) {
    link.lines.erase(link.lines.begin() + static_cast<std::ptrdiff_t>(link.turn));
  } else {
    ++link.turn;
  }
  begin(number, packet);
}

void Network::deliver(std::int32_t packet) {
  const std::int32_t number = packets_[static_cast<std::size_t>(packet)].transfer;
  free_packets_.push_back(packet);
  Transfer& transfer = transfers_[static_cast<std::size_t>(number)];
  if (--transfer.packets > 0) return;
  EventHandler* const done = transfer.done;
  const std::int64_t what = transfer.what;
  free_transfers_.push_back(number);
  done->handle(what);
}

}  // namespace apsp::simulation
