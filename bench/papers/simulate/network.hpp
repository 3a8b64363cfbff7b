// Links of a simulated cluster, and what is on its way over them.
//
//   GPU ── link ── node ── card ── switch ── other switches, at a share of a card's rate
//
// Each way of a link has its rate to itself. A message is cut into packets, which flow on to the
// next link while they still come from the last (cut-through); so a message alone takes the
// latencies of its links and its bytes at the slowest one. Where several meet at a link, those of
// each pair of processes stand in a line of their own, and the lines take turns: each gets its
// share, and what one leaves is the others'.
#pragma once

#include <deque>
#include <vector>

#include "cluster/cluster_plan.hpp"
#include "papers/simulate/world.hpp"

namespace apsp::simulation {

/// A GPU of a node, both counted from 0.
struct Seat {
  int node = 0, gpu = 0;
};

class Network final : EventHandler {
 public:
  /// `from_host`: messages leave from and arrive in host memory, where they take the node's memory
  /// instead of the GPUs' links. `packet_bytes`: at most, of a packet.
  Network(World& world, const cluster::Cluster& cluster, int nodes, bool from_host,
          double packet_bytes);

  /// Calls done.handle(what) when the last byte has arrived.
  void send(Seat from, Seat to, double bytes, EventHandler& done, std::int64_t what);
  /// From one GPU to one of another node, a message without bytes, seconds.
  double latency() const;

 private:
  struct Packet {
    std::int32_t transfer;
    std::int32_t hop;
    double bytes;
  };
  struct Transfer {
    std::int32_t links[4];
    std::int32_t hops = 0;
    std::int32_t packets = 0;  // that have not arrived
    std::int64_t pair = 0;     // whose line it stands in
    EventHandler* done = nullptr;
    std::int64_t what = 0;
    double card_share = 1;  // of a card's rate
  };
  struct PacketLine {
    std::int64_t pair;
    std::deque<std::int32_t> packets;
  };
  struct Link {
    double rate, seconds;
    bool busy = false;
    std::size_t turn = 0;
    std::vector<PacketLine> lines{};
  };

  void handle(std::int64_t what) override;
  void arrive(std::int32_t packet);
  void deliver(std::int32_t packet);
  void begin(std::int32_t link, std::int32_t packet);
  void next(std::int32_t link);
  int gpu(Seat seat) const { return seat.node * cluster_.gpus_per_node + seat.gpu; }
  int card(Seat seat) const {
    return seat.node * cluster_.cards + seat.gpu * cluster_.cards / cluster_.gpus_per_node;
  }

  World& world_;
  cluster::Cluster cluster_;
  bool from_host_;
  double packet_bytes_;
  std::vector<Link> links_;
  std::int32_t out_ = 0, in_ = 0, card_out_ = 0, card_in_ = 0, memory_ = 0;  // the first of each
  std::vector<Packet> packets_;
  std::vector<Transfer> transfers_;
  std::vector<std::int32_t> free_packets_, free_transfers_;
};

}  // namespace apsp::simulation
