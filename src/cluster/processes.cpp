#include "cluster/processes.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "dense/grid.hpp"

namespace apsp::cluster {
namespace {

using dense::Along;

/// Tags distinguish pieces of a message and concurrent turns: 32,768 in all.
constexpr int kPieces = 128, kTurns = 256;
constexpr std::int64_t kNobody = INT64_MAX;

/// Shorter messages are sent whole, in few calls of the communicator.
constexpr std::size_t kShortMessage = 16384;

/// A process that waits for long yields its core to the others, which may be measuring. It must not
/// while a long message is under way, whose pieces move only inside calls of the communicator: Open
/// MPI without single copies (a container) then moved 0.44 GB/s instead of 4.9.
class Waiting {
 public:
  void again() {
    constexpr std::chrono::microseconds kShort(1000), kNap(100);
    const bool is_short = std::chrono::steady_clock::now() - start_ < kShort;
    is_short ? std::this_thread::yield() : std::this_thread::sleep_for(kNap);
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

template <class Exchange>
void Processes::messages(const Exchange& exchange) {
  try {
    exchange();
  } catch (...) {
    in_step_ = false;
    throw;
  }
}

void Processes::finish() {
  messages([&] {
    for (Waiting waiting; !under_way_.empty();) {
      const std::size_t before = under_way_.size();
      std::erase_if(under_way_,
                    [&](Communicator::Request request) { return communicator_.done(request); });
      if (under_way_.size() < before) continue;
      long_under_way_ ? std::this_thread::yield() : waiting.again();
    }
  });
  long_under_way_ = false;
}

template <class Bytes, class Begin>
void Processes::in_pieces(Bytes bytes, int turn, const Begin& begin) {
  const auto most = static_cast<std::size_t>(communicator_.most_bytes());
  for (int piece = 0; !bytes.empty(); ++piece) {
    const std::size_t length = std::min(bytes.size(), most);
    long_under_way_ = long_under_way_ || length > kShortMessage;
    messages([&] {
      under_way_.push_back(begin(turn % kTurns * kPieces + piece % kPieces, bytes.data(),
                                 static_cast<std::int64_t>(length)));
    });
    bytes = bytes.subspan(length);
    if (piece % kPieces == kPieces - 1) finish();
  }
}

void Processes::send(int to, int turn, std::span<const std::byte> bytes) {
  in_pieces(bytes, turn, [&](int tag, const std::byte* memory, std::int64_t length) {
    return communicator_.send(Along::all, to, tag, memory, length);
  });
}

void Processes::receive(int from, int turn, std::span<std::byte> bytes) {
  in_pieces(bytes, turn, [&](int tag, std::byte* memory, std::int64_t length) {
    return communicator_.receive(Along::all, from, tag, memory, length);
  });
}

void Processes::send_whole(int to, std::span<const std::byte> bytes) {
  const std::size_t length = bytes.size();
  send(to, 0, std::as_bytes(std::span(&length, 1)));
  send(to, 1, bytes);
  finish();
}

base::ByteVector Processes::receive_whole(int from) {
  std::size_t length = 0;
  receive(from, 0, std::as_writable_bytes(std::span(&length, 1)));
  finish();
  base::ByteVector bytes(length);
  receive(from, 1, bytes);
  finish();
  return bytes;
}

std::int64_t Processes::least(std::int64_t mine) {
  std::int64_t found = 0;
  messages([&] {
    const Communicator::Request vote = communicator_.least(mine);
    for (Waiting waiting; !communicator_.done(vote);) waiting.again();
    found = communicator_.result(vote);
  });
  return found;
}

void Processes::broadcast(int root, std::span<std::byte> bytes) {
  const dense::Route way = dense::route(dense::Broadcast::binomial, size(), root, rank());
  if (way.parent >= 0) receive(way.parent, 0, bytes);
  finish();
  for (const int child : way.children) send(child, 0, bytes);
  finish();
}

std::vector<base::ByteVector> Processes::gather(base::ByteVector bytes) {
  if (!first()) {
    send_whole(0, bytes);
    return {};
  }
  std::vector<base::ByteVector> all;
  all.push_back(std::move(bytes));
  for (int from = 1; from < size(); ++from) all.push_back(receive_whole(from));
  return all;
}

void Processes::run_local(const std::function<void()>& work) {
  std::exception_ptr mine;
  std::optional<Error> error;
  try {
    work();
  } catch (const Error& thrown) {
    mine = std::current_exception();
    error = thrown;
  } catch (const std::exception& thrown) {
    mine = std::current_exception();
    error = Error(ErrorKind::defect, thrown.what());
  }
  const std::int64_t failed = least(error ? rank() : kNobody);
  if (failed == kNobody) return;
  // The error of the first that failed goes to all, through process 0.
  ErrorKind kind = error ? error->kind() : ErrorKind::defect;
  std::string words = error ? error->what() : "";
  Cycle cycle = error ? error->cycle() : Cycle{};
  const auto said_by_error = std::tie(kind, words, cycle.vertices, cycle.weight);
  const auto all = gather(base::bytes_of(said_by_error));
  const base::ByteVector said =
      share(first() ? all[static_cast<std::size_t>(failed)] : base::ByteVector{});
  if (mine && rank() == failed) std::rethrow_exception(mine);
  base::read_fields(said, said_by_error);
  words = fmt::format("process {}: {}", failed, words);
  if (kind == ErrorKind::negative_cycle) throw Error::negative_cycle(std::move(cycle), words);
  throw Error(kind, words);
}

void Processes::communicate(const std::function<void()>& work) {
  in_step_ = false;
  work();
  in_step_ = true;
}

void Processes::require_same(const std::string& what, const std::string& text) {
  const std::string of_first = share_text(text);
  const std::int64_t other = least(text == of_first ? kNobody : rank());
  if (other == kNobody) return;
  throw Error(ErrorKind::usage,
              fmt::format("process {} of {} differs from process 0 in {}: start all of them alike",
                          other, size(), what));
}

}  // namespace apsp::cluster
