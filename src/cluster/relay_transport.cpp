#include "cluster/relay_transport.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <thread>

#include "system/aligned_memory.hpp"

namespace apsp::cluster {

using kernels::EventId;
using kernels::QueueId;
using kernels::View;

namespace {

constexpr std::int64_t kMostPieces = 64;
/// Tags repeat after so many messages along a line, of which two or three are concurrent.
constexpr std::int64_t kSequences = 512;

bool begun(Communicator::Request request) { return request >= 0; }

View line(std::byte* memory, std::int64_t bytes) { return {memory, 1, bytes, bytes}; }

}  // namespace

struct RelayTransport::Stage {
  Stage(kernels::ComputeDevice& device, std::int64_t bytes)
      : memory(bytes), pinned(device, line(memory.data(), bytes), 1) {}
  system::AlignedMemory memory;
  dense::PinnedMemory pinned;
  EventId copied = -1;  // a copy to the device that reads it
  bool taken = false;
};

struct RelayTransport::Message {
  dense::Along along;
  int tag;
  dense::Route route;
  int root;
  bool by_library;
  QueueId queue;
  std::byte* memory;
  std::int64_t bytes, piece_bytes;
  Stage* stage;   // null: messages are in the device's memory
  EventId ready;  // root: the data are complete; others: the memory may be written
  bool started = false;
  std::size_t missing = 0;  // pieces that have not arrived
  std::size_t copied = 0;   // from the stage to the device, or on the way
  std::vector<Communicator::Request> arriving{}, leaving{};

  bool is_root() const { return route.parent < 0; }
  std::byte* host() const { return stage != nullptr ? stage->memory.data() : memory; }
  std::size_t pieces() const {
    return static_cast<std::size_t>((bytes + piece_bytes - 1) / piece_bytes);
  }
  std::int64_t begin(std::size_t piece) const {
    return static_cast<std::int64_t>(piece) * piece_bytes;
  }
  std::int64_t length(std::size_t piece) const {
    return std::min(piece_bytes, bytes - begin(piece));
  }
  bool arrived() const { return started && missing == 0; }
  bool complete() const { return arrived() && leaving.empty(); }
};

RelayTransport::RelayTransport(kernels::ComputeDevice& device, Communicator& communicator,
                               Options options)
    : VotingTransport(communicator), device_(device), options_(options) {}

RelayTransport::~RelayTransport() = default;

void RelayTransport::broadcast(dense::Payload payload, dense::Along along, int root, QueueId queue,
                               std::byte* memory, std::int64_t bytes) {
  const int members = communicator_.size(along), rank = communicator_.rank(along);
  if (members == 1 || bytes == 0) return;
  const std::int64_t sequence = sequence_[along == dense::Along::row ? 0 : 1]++ % kSequences;
  const dense::Broadcast pattern = options_.broadcasts.of(payload);
  const bool sends = rank == root, by_library = pattern == dense::Broadcast::library;
  const std::int64_t wanted = by_library ? bytes : options_.piece_bytes;
  const std::int64_t piece = std::max(std::min(wanted, communicator_.most_bytes()),
                                      (bytes + kMostPieces - 1) / kMostPieces);
  if (piece > communicator_.most_bytes()) {
    throw Error(ErrorKind::does_not_fit,
                "a panel is too long for a message: use more processes or a smaller `tile`");
  }
  Message message{.along = along,
                  .tag = static_cast<int>(sequence * kMostPieces),
                  .route = by_library ? dense::Route{.parent = sends ? -1 : root}
                                      : dense::route(pattern, members, root, rank),
                  .root = root,
                  .by_library = by_library,
                  .queue = queue,
                  .memory = memory,
                  .bytes = bytes,
                  .piece_bytes = piece,
                  .stage = nullptr,
                  .ready = -1};
  const bool reached = device_.host_sees_memory() || options_.cuda_aware;
  if (options_.staged || !reached) message.stage = &free_stage(bytes);
  if (message.stage != nullptr && sends) {
    device_.copy_out(queue, line(message.host(), bytes), line(memory, bytes), 1);
  }
  if (message.stage == nullptr || sends) message.ready = device_.record(queue);
  messages_.push_back(std::move(message));
  advance();
}

RelayTransport::Stage& RelayTransport::free_stage(std::int64_t bytes) {
  for (const std::unique_ptr<Stage>& stage : stages_) {
    if (stage->taken || stage->memory.bytes() < bytes) continue;
    if (stage->copied >= 0) work_until([&] { return device_.reached(stage->copied); });
    stage->taken = true;
    stage->copied = -1;
    return *stage;
  }
  stages_.push_back(std::make_unique<Stage>(device_, bytes));
  stages_.back()->taken = true;
  return *stages_.back();
}

std::int64_t RelayTransport::stages_taken() const {
  return std::count_if(stages_.begin(), stages_.end(), [](const auto& s) { return s->taken; });
}

void RelayTransport::start(Message& message) {
  message.started = true;
  for (std::size_t piece = 0; piece < message.pieces(); ++piece) {
    std::byte* const memory = message.host() + message.begin(piece);
    const std::int64_t length = message.length(piece);
    if (message.by_library) {
      message.arriving.push_back(
          communicator_.broadcast(message.along, message.root, memory, length));
    } else if (message.is_root()) {
      send_piece(message, piece);
    } else {
      message.arriving.push_back(communicator_.receive(message.along, message.route.parent,
                                                       message.tag + static_cast<int>(piece),
                                                       memory, length));
    }
  }
  message.missing = message.arriving.size();
}

void RelayTransport::send_piece(Message& message, std::size_t piece) {
  for (const int child : message.route.children) {
    message.leaving.push_back(
        communicator_.send(message.along, child, message.tag + static_cast<int>(piece),
                           message.host() + message.begin(piece), message.length(piece)));
  }
}

void RelayTransport::piece_arrived(Message& message, std::size_t piece) {
  --message.missing;
  if (message.is_root()) return;
  send_piece(message, piece);
  if (message.stage != nullptr) copy_arrived(message);
}

/// Copies several pieces at a time: a link serves queues in turn, and copies of other queues are
/// long, so that every copy of one piece would wait for a long one.
void RelayTransport::copy_arrived(Message& message) {
  constexpr std::size_t kPiecesOfACopy = 8;
  std::size_t end = message.copied;
  while (end < message.pieces() && !begun(message.arriving[end])) ++end;
  if (message.missing > 0 && end - message.copied < kPiecesOfACopy) return;
  const std::int64_t begin = message.begin(message.copied),
                     length = std::min(message.begin(end), message.bytes) - begin;
  device_.copy_in(message.queue, line(message.memory + begin, length),
                  line(message.host() + begin, length), 1);
  message.copied = end;
  if (message.missing == 0) message.stage->copied = device_.record(message.queue);
}

void RelayTransport::advance(Message& message) {
  if (!message.started) {
    if (message.ready >= 0 && !device_.reached(message.ready)) return;
    start(message);
  }
  for (std::size_t piece = 0; piece < message.arriving.size(); ++piece) {
    Communicator::Request& request = message.arriving[piece];
    if (!begun(request) || !communicator_.done(request)) continue;
    request = -1;
    piece_arrived(message, piece);
  }
  std::erase_if(message.leaving,
                [&](Communicator::Request request) { return communicator_.done(request); });
}

void RelayTransport::take_turn() {
  if (options_.turns == nullptr) return;
  work_until([&] { return turn_end_ < 0; });
  options_.turns->ask();
  work_until([&] {
    advance_votes();  // which report a failed process
    return options_.turns->is_mine();
  });
}

void RelayTransport::end_turn(EventId done) {
  if (options_.turns != nullptr) turn_end_ = done;
}

void RelayTransport::pass_turn() {
  if (turn_end_ < 0 || !device_.reached(turn_end_)) return;
  options_.turns->pass();
  turn_end_ = -1;
}

void RelayTransport::advance() {
  pass_turn();
  bool earlier_unstarted[2] = {false, false};
  for (auto message = messages_.begin(); message != messages_.end();) {
    // Library broadcasts begin in the order of the calls, on every member.
    bool& held_up = earlier_unstarted[message->along == dense::Along::row ? 0 : 1];
    if (message->started || !held_up) advance(*message);
    held_up = held_up || !message->started;
    if (!message->complete()) {
      ++message;
      continue;
    }
    if (message->stage != nullptr) message->stage->taken = false;
    message = messages_.erase(message);
  }
}

void RelayTransport::work_until(const std::function<bool()>& ready) {
  for (;;) {
    advance();
    if (ready()) return;
    if (!device_.work()) std::this_thread::yield();
  }
}

void RelayTransport::finish_broadcasts() {
  work_until([&] { return all_arrived(); });
}

bool RelayTransport::arrived() {
  advance();
  return all_arrived();
}

bool RelayTransport::all_arrived() const {
  return std::all_of(messages_.begin(), messages_.end(),
                     [](const Message& message) { return message.arrived(); });
}

void RelayTransport::settle(QueueId /*queue*/, const std::byte* memory) {
  work_until([&] {
    return std::none_of(messages_.begin(), messages_.end(), [&](const Message& message) {
      return message.stage == nullptr && message.memory == memory;
    });
  });
}

void RelayTransport::await(EventId event) {
  work_until([&] { return device_.reached(event); });
}

std::int64_t RelayTransport::least(std::int64_t mine) {
  const std::int64_t least = VotingTransport::least(mine);
  work_until([&] { return messages_.empty(); });
  return least;
}

}  // namespace apsp::cluster
