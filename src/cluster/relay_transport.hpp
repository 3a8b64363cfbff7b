// A transport that relays messages between hosts, in pieces, while the device computes.
//
// Messages are in the device's memory if the host sees it or the communicator reads it; otherwise
// they are copied through host memory on the queue that they belong to. A member forwards a piece
// when it has arrived. All of this happens inside calls of the thread that gives the device its
// orders: it calls the communicator while it waits, and runs pieces of the device's work if the
// device has no threads. One thread of a process calls MPI (MPI_THREAD_FUNNELED).
#pragma once

#include <list>
#include <memory>
#include <vector>

#include "cluster/device_turns.hpp"
#include "cluster/votes.hpp"
#include "dense/device_buffer.hpp"
#include "dense/grid.hpp"

namespace apsp::cluster {

class RelayTransport final : public VotingTransport {
 public:
  struct Options {
    dense::Broadcasts broadcasts{};
    /// Bytes of a piece, except for the library's broadcasts: enough for a link's full rate, and
    /// short compared with a panel. A message has at most 64 pieces.
    std::int64_t piece_bytes = std::int64_t{1} << 20;
    bool staged = false;      // through host memory of its own, even if the host sees the device's
    bool cuda_aware = false;  // the communicator reads and writes the device's memory
    DeviceTurns* turns = nullptr;  // of processes that share the device; null: not shared
  };
  RelayTransport(kernels::ComputeDevice& device, Communicator& communicator, Options options);
  ~RelayTransport() override;
  RelayTransport(const RelayTransport&) = delete;
  RelayTransport& operator=(const RelayTransport&) = delete;

  void broadcast(dense::Payload payload, dense::Along along, int root, kernels::QueueId queue,
                 std::byte* memory, std::int64_t bytes) override;
  void finish_broadcasts() override;
  bool arrived() override;
  void settle(kernels::QueueId queue, const std::byte* memory) override;
  void await(kernels::EventId event) override;
  void take_turn() override;
  void end_turn(kernels::EventId done) override;
  std::int64_t least(std::int64_t mine) override;

  /// The number of stages in use by messages; none when all have arrived.
  std::int64_t stages_taken() const;

 private:
  struct Stage;
  struct Message;

  bool all_arrived() const;
  void pass_turn();
  void advance();
  void advance(Message& message);
  void start(Message& message);
  void piece_arrived(Message& message, std::size_t piece);
  void copy_arrived(Message& message);
  void send_piece(Message& message, std::size_t piece);
  Stage& free_stage(std::int64_t bytes);
  /// Works and advances messages until `ready()`.
  void work_until(const std::function<bool()>& ready) override;

  kernels::ComputeDevice& device_;
  Options options_;
  kernels::EventId turn_end_ = -1;  // end of this process's turn; −1: not known, or not its turn
  std::int64_t sequence_[2] = {0, 0};  // broadcasts so far, along each
  std::list<Message> messages_;
  std::vector<std::unique_ptr<Stage>> stages_;
};

}  // namespace apsp::cluster
