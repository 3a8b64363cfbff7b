// The communicator of a simulated cluster: messages without bytes, which take their time on its
// links.
//
// A message starts when both sides have named it, as long ones do in MPI. The library's broadcast
// is a binomial tree that hands the whole message on, and goes on by itself; votes take two
// latencies for each level of a tree over all processes.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "cluster/communicator.hpp"
#include "dense/grid.hpp"
#include "papers/simulate/network.hpp"

namespace apsp::simulation {

class SimulatedCommunicator;

/// What the processes of one grid share.
class Post final : EventHandler {
 public:
  Post(World& world, Network& network, int rows, int cols);
  ~Post() override;
  Post(const Post&) = delete;
  Post& operator=(const Post&) = delete;

  /// Of the member in this row and column of the grid: which process of the world it is, and where
  /// that sits.
  SimulatedCommunicator& make_communicator(int row, int col, int process, Seat seat);
  int rows() const { return rows_; }
  int cols() const { return cols_; }

 private:
  friend class SimulatedCommunicator;
  /// One side of a message: whose it is, and his request.
  struct Side {
    SimulatedCommunicator* communicator = nullptr;
    std::int32_t request = -1;
  };
  struct Letter {
    Side sender{}, receiver{};
  };
  struct Address {
    std::int32_t from, to;
    std::int64_t channel;  // line and tag
    bool operator==(const Address&) const = default;
  };
  struct AddressHash {
    std::size_t operator()(const Address& a) const {
      const auto both = static_cast<std::uint64_t>(a.from) << 32 | static_cast<std::uint32_t>(a.to);
      constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
      return static_cast<std::size_t>((both ^ static_cast<std::uint64_t>(a.channel) * kMix) * kMix);
    }
  };
  struct Round {
    std::int64_t least = INT64_MAX;
    int said = 0;
    std::vector<Side> waiting{};
  };

  void handle(std::int64_t what) override;
  void meet(const Address& address, bool sends, Side side, std::int64_t bytes);
  void vote(std::int64_t round, std::int64_t value, Side side);

  World& world_;
  Network& network_;
  int rows_, cols_;
  std::vector<Seat> seats_;  // by rank: row by row of the grid
  std::vector<std::unique_ptr<SimulatedCommunicator>> communicators_;
  std::unordered_map<Address, Letter, AddressHash> waiting_;  // for the other side
  std::vector<Letter> moving_;
  std::vector<std::int32_t> free_;
  std::unordered_map<std::int64_t, Round> rounds_;
};

class SimulatedCommunicator final : public cluster::Communicator {
 public:
  SimulatedCommunicator(Post& post, int row, int col, int process)
      : post_(post), row_(row), col_(col), process_(process) {}

  int size(dense::Along along) const override;
  int rank(dense::Along along) const override;
  Request send(dense::Along along, int to, int tag, const std::byte* memory,
               std::int64_t bytes) override;
  Request receive(dense::Along along, int from, int tag, std::byte* memory,
                  std::int64_t bytes) override;
  Request broadcast(dense::Along along, int root, std::byte* memory, std::int64_t bytes) override;
  std::int64_t most_bytes() const override { return std::int64_t{1} << 40; }
  Request least(std::int64_t mine) override;
  std::int64_t result(Request request) override;
  bool done(Request request) override;

 private:
  friend class Post;
  struct MessageState {
    bool done = false, votes = false;
    std::int64_t result = 0;
    std::int32_t broadcast = -1;  // the request of a broadcast that this is a part of
    // Of a broadcast: what is still to be passed on.
    dense::Along along = dense::Along::all;
    std::int64_t channel = 0, bytes = 0;
    std::vector<int> children{};
    int missing = 0;
  };

  int world_rank() const { return row_ * post_.cols() + col_; }
  int rank_of(dense::Along along, int member) const;
  std::int32_t new_request();
  MessageState& kept(std::int32_t request) { return requests_[static_cast<std::size_t>(request)]; }
  /// `at_once`: the process is told now, and not in a while.
  void complete(std::int32_t request, bool at_once);
  void forward(std::int32_t broadcast);

  Post& post_;
  int row_, col_, process_;
  std::vector<MessageState> requests_;
  std::vector<std::int32_t> free_;
  std::int64_t broadcasts_[3] = {0, 0, 0}, votes_ = 0;  // so far
};

}  // namespace apsp::simulation
