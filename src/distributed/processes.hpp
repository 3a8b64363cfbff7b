// What the processes of one job do together besides the grid: bytes from one to all, from all to
// one, and errors with which all of them end.
//
// Between two calls here processes are in step: each has exchanged the same messages. If one left
// alone, the others would wait for it for ever. So work that may fail runs in `collective`, after
// which all processes throw the error of the first that failed; it exchanges no messages. Work that
// exchanges messages runs in `apart`. Processes cannot agree on an error there, nor where a message
// itself fails: `in_step` is false afterwards, and the program has to end the whole job.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "base/byte_stream.hpp"
#include "distributed/communicator.hpp"

namespace apsp::distributed {

class Processes {
 public:
  explicit Processes(Communicator& communicator) : communicator_(communicator) {}

  Communicator& communicator() { return communicator_; }
  int rank() const { return communicator_.rank(places::Along::all); }
  int size() const { return communicator_.size(places::Along::all); }
  bool first() const { return rank() == 0; }
  bool in_step() const { return in_step_; }

  /// Every process runs `work`, which exchanges no messages. Throws, in all of them, an `Error` of
  /// the kind and with the words of the process with the smallest number that failed.
  void collective(const std::function<void()>& work);
  /// The same of work that process 0 alone has; the others wait.
  void in_first(const std::function<void()>& work);
  /// The same of work that process 0 does before the others begin.
  void first_then_others(const std::function<void()>& work);
  /// Every process runs `work`, in which messages are exchanged. Throws what it throws.
  void apart(const std::function<void()>& work);

  /// The bytes of process 0 become those of all.
  base::ByteVector share(base::ByteVector bytes);
  std::string share_text(const std::string& text);
  /// What process 0 says of a value that bytes hold.
  template <class T>
  T of_first(T mine) {
    base::read_fields(share(base::bytes_of(std::tie(mine))), std::tie(mine));
    return mine;
  }
  /// The bytes of every process, [count], in process 0; elsewhere nothing.
  std::vector<base::ByteVector> gather(base::ByteVector bytes);
  /// The same of values, [count].
  template <class T>
  std::vector<T> gather_values(const T& mine) {
    std::vector<T> all;
    for (const base::ByteVector& theirs : gather(base::bytes_of(std::tie(mine)))) {
      base::read_fields(theirs, std::tie(all.emplace_back()));
    }
    return all;
  }
  /// The texts of all processes, in process 0; elsewhere nothing.
  std::vector<std::string> gather_texts(const std::vector<std::string>& mine);
  /// Throws, in all of them, `Error` (usage) that names the first process whose text is another
  /// than that of process 0. `what`: "the words of its command line".
  void require_same(const std::string& what, const std::string& text);
  std::int64_t least(std::int64_t mine);

  /// Sends, or receives, any number of bytes in pieces that the communicator takes. `turn`: tells
  /// messages between the same two apart that are under way at once.
  void send(int to, int turn, std::span<const std::byte> bytes);
  void receive(int from, int turn, std::span<std::byte> bytes);
  /// Returns when all that was sent and received has gone and come.
  void finish();
  /// Bytes whose number only the sender knows; returns when they have gone, or come.
  void send_whole(int to, std::span<const std::byte> bytes);
  base::ByteVector receive_whole(int from);

 private:
  /// exchange(), which calls the communicator. Throws what it throws: they are no longer in step.
  template <class Exchange>
  void messages(const Exchange& exchange);
  template <class Bytes, class Begin>
  void in_pieces(Bytes bytes, int turn, const Begin& begin);
  void share_bytes(std::span<std::byte> bytes);

  Communicator& communicator_;
  std::vector<Communicator::Request> under_way_;
  bool long_under_way_ = false;  // since the last `finish`
  bool in_step_ = true;
};

}  // namespace apsp::distributed
