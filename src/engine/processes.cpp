#include "engine/processes.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include "places/route.hpp"

namespace apsp::engine {
namespace {

using places::Along;
using places::Communicator;

/// Pieces of a message, and turns under way at once, that tags tell apart: 32,768 in all.
constexpr int kPieces = 128, kTurns = 256;
constexpr std::int64_t kNobody = INT64_MAX;

/// Messages of at most so many bytes go as a whole, in few calls of the communicator.
constexpr std::size_t kShortMessage = 16384;

/// A process that waits for long leaves its core to the others, which may measure what the machine
/// does. It must not while a long message is under way, whose pieces move inside calls of the
/// communicator alone: Open MPI without single copies (a container) then moved 0.44 GB/s instead
/// of 4.9.
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

base::ByteVector bytes_of(const Error& error) {
  base::ByteWriter writer;
  writer.put(error.kind());
  writer.put_text(error.what());
  return writer.take();
}

}  // namespace

void Processes::finish() {
  for (Waiting waiting; !under_way_.empty();) {
    const std::size_t before = under_way_.size();
    std::erase_if(under_way_,
                  [&](Communicator::Request request) { return communicator_.done(request); });
    if (under_way_.size() < before) continue;
    long_under_way_ ? std::this_thread::yield() : waiting.again();
  }
  long_under_way_ = false;
}

void Processes::send(int to, int turn, std::span<const std::byte> bytes) {
  const auto most = static_cast<std::size_t>(communicator_.most_bytes());
  for (int piece = 0; !bytes.empty(); ++piece) {
    const std::size_t length = std::min(bytes.size(), most);
    long_under_way_ = long_under_way_ || length > kShortMessage;
    under_way_.push_back(communicator_.send(Along::all, to,
                                            turn % kTurns * kPieces + piece % kPieces, bytes.data(),
                                            static_cast<std::int64_t>(length)));
    bytes = bytes.subspan(length);
    if (piece % kPieces == kPieces - 1) finish();
  }
}

void Processes::receive(int from, int turn, std::span<std::byte> bytes) {
  const auto most = static_cast<std::size_t>(communicator_.most_bytes());
  for (int piece = 0; !bytes.empty(); ++piece) {
    const std::size_t length = std::min(bytes.size(), most);
    long_under_way_ = long_under_way_ || length > kShortMessage;
    under_way_.push_back(communicator_.receive(Along::all, from,
                                               turn % kTurns * kPieces + piece % kPieces,
                                               bytes.data(), static_cast<std::int64_t>(length)));
    bytes = bytes.subspan(length);
    if (piece % kPieces == kPieces - 1) finish();
  }
}

std::int64_t Processes::least(std::int64_t mine) {
  const Communicator::Request vote = communicator_.least(mine);
  for (Waiting waiting; !communicator_.done(vote);) waiting.again();
  return communicator_.result(vote);
}

void Processes::share_bytes(std::span<std::byte> bytes) {
  const places::Route way = places::route(places::Broadcast::binomial, size(), 0, rank());
  if (way.parent >= 0) receive(way.parent, 0, bytes);
  finish();
  for (const int child : way.children) send(child, 0, bytes);
  finish();
}

base::ByteVector Processes::share(base::ByteVector bytes) {
  auto length = static_cast<std::int64_t>(bytes.size());
  share_bytes(std::as_writable_bytes(std::span(&length, 1)));
  bytes.resize(static_cast<std::size_t>(length));
  share_bytes(bytes);
  return bytes;
}

std::string Processes::share_text(const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  const base::ByteVector shared = share({bytes.begin(), bytes.end()});
  return {reinterpret_cast<const char*>(shared.data()), shared.size()};
}

std::vector<base::ByteVector> Processes::gather(base::ByteVector bytes) {
  auto length = static_cast<std::int64_t>(bytes.size());
  if (!first()) {
    send(0, 0, std::as_bytes(std::span(&length, 1)));
    send(0, 1, bytes);
    finish();
    return {};
  }
  std::vector<base::ByteVector> all(static_cast<std::size_t>(size()));
  all[0] = std::move(bytes);
  for (int from = 1; from < size(); ++from) {
    receive(from, 0, std::as_writable_bytes(std::span(&length, 1)));
    finish();
    auto& theirs = all[static_cast<std::size_t>(from)];
    theirs.resize(static_cast<std::size_t>(length));
    receive(from, 1, theirs);
    finish();
  }
  return all;
}

std::vector<std::string> Processes::gather_texts(const std::vector<std::string>& mine) {
  base::ByteWriter writer;
  writer.put(mine.size());
  for (const std::string& text : mine) writer.put_text(text);
  std::vector<std::string> texts;
  for (const base::ByteVector& theirs : gather(writer.take())) {
    base::ByteReader reader(theirs);
    for (auto left = reader.get<std::size_t>(); left > 0; --left) {
      texts.push_back(reader.get_text());
    }
  }
  return texts;
}

void Processes::collective(const std::function<void()>& work) {
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
  // What the first of those that failed has to say goes to all, through process 0.
  const auto all = gather(error && rank() == failed ? bytes_of(*error) : base::ByteVector{});
  const base::ByteVector said =
      share(first() ? all[static_cast<std::size_t>(failed)] : base::ByteVector{});
  if (mine && rank() == failed) std::rethrow_exception(mine);
  base::ByteReader reader(said);
  const auto kind = reader.get<ErrorKind>();
  throw Error(kind, fmt::format("process {}: {}", failed, reader.get_text()));
}

void Processes::apart(const std::function<void()>& work) {
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

}  // namespace apsp::engine
