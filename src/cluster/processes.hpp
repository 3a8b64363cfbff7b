// Collective operations of the processes of one job: bytes from one to all, from all to one, and
// errors with which all end.
//
// Processes are in step between two calls: each has exchanged the same messages. If one left, the
// others would wait forever. So work that may fail runs in `run_local`, which exchanges no
// messages and after which all processes throw the error of the first that failed. Work that
// exchanges messages runs in `communicate`. Processes cannot agree on an error there, nor if a
// message fails: then `in_step` is false, and the program has to end the whole job.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/byte_stream.hpp"
#include "cluster/communicator.hpp"
#include "engine/process_group.hpp"

namespace apsp::cluster {

class Processes final : public engine::ProcessGroup {
 public:
  explicit Processes(Communicator& communicator) : communicator_(communicator) {}

  Communicator& communicator() { return communicator_; }
  int rank() const override { return communicator_.rank(dense::Along::all); }
  int size() const override { return communicator_.size(dense::Along::all); }
  bool in_step() const { return in_step_; }

  void run_local(const std::function<void()>& work) override;
  void communicate(const std::function<void()>& work) override;
  void broadcast(int root, std::span<std::byte> bytes) override;
  std::vector<base::ByteVector> gather(base::ByteVector bytes) override;
  std::int64_t least(std::int64_t mine) override;
  /// Throws, in all processes, `Error` (usage) that names the first process whose text differs from
  /// that of process 0. `what`: "the words of its command line".
  void require_same(const std::string& what, const std::string& text);

  /// Begins to send or receive any number of bytes in pieces. `turn`: distinguishes concurrent
  /// messages between the same two processes.
  void send(int to, int turn, std::span<const std::byte> bytes);
  void receive(int from, int turn, std::span<std::byte> bytes);
  void finish();
  /// Sends bytes whose number only the sender knows; waits for them.
  void send_whole(int to, std::span<const std::byte> bytes);
  base::ByteVector receive_whole(int from);

 private:
  /// Calls exchange(), which uses the communicator. If it throws, processes are no longer in step.
  template <class Exchange>
  void messages(const Exchange& exchange);
  template <class Bytes, class Begin>
  void in_pieces(Bytes bytes, int turn, const Begin& begin);

  Communicator& communicator_;
  std::vector<Communicator::Request> under_way_;
  bool long_under_way_ = false;  // since the last `finish`
  bool in_step_ = true;
};

}  // namespace apsp::cluster
