#include "papers/simulate/simulated_communicator.hpp"

#include <cmath>

namespace apsp::simulation {

using dense::Along;

namespace {

/// Lines and tags, and broadcasts beside them.
std::int64_t channel_of(Along along, std::int64_t tag, bool broadcast) {
  return (tag * 2 + (broadcast ? 1 : 0)) * 3 + static_cast<int>(along);
}

/// A round of votes is over: the whats of messages are positive.
std::int64_t what_of_round(std::int64_t round) { return -1 - round; }

}  // namespace

Post::Post(World& world, Network& network, int rows, int cols)
    : world_(world),
      network_(network),
      rows_(rows),
      cols_(cols),
      seats_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols)) {}

Post::~Post() = default;

SimulatedCommunicator& Post::make_communicator(int row, int col, int process, Seat seat) {
  seats_[static_cast<std::size_t>(row) * static_cast<std::size_t>(cols_) +
         static_cast<std::size_t>(col)] = seat;
  communicators_.push_back(std::make_unique<SimulatedCommunicator>(*this, row, col, process));
  return *communicators_.back();
}

void Post::meet(const Address& address, bool sends, Side side, std::int64_t bytes) {
  const auto [found, first] = waiting_.try_emplace(address);
  (sends ? found->second.sender : found->second.receiver) = side;
  if (first) return;
  if (free_.empty()) {
    free_.push_back(static_cast<std::int32_t>(moving_.size()));
    moving_.emplace_back();
  }
  const std::int32_t number = free_.back();
  free_.pop_back();
  moving_[static_cast<std::size_t>(number)] = found->second;
  waiting_.erase(found);
  network_.send(seats_[static_cast<std::size_t>(address.from)],
                seats_[static_cast<std::size_t>(address.to)], static_cast<double>(bytes), *this,
                number);
}

void Post::vote(std::int64_t round, std::int64_t value, Side side) {
  Round& votes = rounds_[round];
  votes.least = std::min(votes.least, value);
  votes.waiting.push_back(side);
  if (++votes.said < rows() * cols()) return;
  const double levels = std::ceil(std::log2(rows() * cols()));
  world_.at(world_.now() + 2 * levels * network_.latency(), *this, what_of_round(round));
}

void Post::handle(std::int64_t what) {
  if (what >= 0) {
    const Letter letter = moving_[static_cast<std::size_t>(what)];
    free_.push_back(static_cast<std::int32_t>(what));
    letter.sender.communicator->complete(letter.sender.request, false);
    letter.receiver.communicator->complete(letter.receiver.request, true);
    return;
  }
  const auto found = rounds_.find(what_of_round(what));
  for (const Side& side : found->second.waiting) {
    side.communicator->kept(side.request).result = found->second.least;
    side.communicator->complete(side.request, false);
  }
  rounds_.erase(found);
}

int SimulatedCommunicator::size(Along along) const {
  if (along == Along::all) return post_.rows() * post_.cols();
  return along == Along::row ? post_.cols() : post_.rows();
}

int SimulatedCommunicator::rank(Along along) const {
  if (along == Along::all) return world_rank();
  return along == Along::row ? col_ : row_;
}

int SimulatedCommunicator::rank_of(Along along, int member) const {
  if (along == Along::all) return member;
  return along == Along::row ? row_ * post_.cols() + member : member * post_.cols() + col_;
}

std::int32_t SimulatedCommunicator::new_request() {
  if (free_.empty()) {
    requests_.emplace_back();
    return static_cast<std::int32_t>(requests_.size()) - 1;
  }
  const std::int32_t request = free_.back();
  free_.pop_back();
  kept(request) = {};
  return request;
}

cluster::Communicator::Request SimulatedCommunicator::send(Along along, int to, int tag,
                                                           const std::byte*, std::int64_t bytes) {
  const std::int32_t request = new_request();
  post_.meet({world_rank(), rank_of(along, to), channel_of(along, tag, false)}, true,
             {this, request}, bytes);
  return request;
}

cluster::Communicator::Request SimulatedCommunicator::receive(Along along, int from, int tag,
                                                              std::byte*, std::int64_t bytes) {
  const std::int32_t request = new_request();
  post_.meet({rank_of(along, from), world_rank(), channel_of(along, tag, false)}, false,
             {this, request}, bytes);
  return request;
}

cluster::Communicator::Request SimulatedCommunicator::broadcast(Along along, int root, std::byte*,
                                                                std::int64_t bytes) {
  const dense::Route route =
      dense::route(dense::Broadcast::binomial, size(along), root, rank(along));
  const std::int32_t request = new_request();
  const std::int64_t channel = channel_of(along, broadcasts_[static_cast<int>(along)]++, true);
  kept(request).along = along;
  kept(request).channel = channel;
  kept(request).bytes = bytes;
  kept(request).children = route.children;
  if (route.parent < 0) {
    forward(request);
    return request;
  }
  kept(request).missing = 1;
  const std::int32_t part = new_request();
  kept(part).broadcast = request;
  post_.meet({rank_of(along, route.parent), world_rank(), channel}, false, {this, part}, bytes);
  return request;
}

/// All of it is here: on to the children, all at once.
void SimulatedCommunicator::forward(std::int32_t broadcast) {
  const std::vector<int> children = std::move(kept(broadcast).children);
  kept(broadcast).children.clear();
  kept(broadcast).missing = static_cast<int>(children.size());
  if (children.empty()) kept(broadcast).done = true;
  for (const int child : children) {
    const std::int32_t part = new_request();
    kept(part).broadcast = broadcast;
    const MessageState& all = kept(broadcast);
    post_.meet({world_rank(), rank_of(all.along, child), all.channel}, true, {this, part},
               all.bytes);
  }
}

void SimulatedCommunicator::complete(std::int32_t request, bool at_once) {
  if (const std::int32_t broadcast = kept(request).broadcast; broadcast >= 0) {
    free_.push_back(request);
    if (--kept(broadcast).missing > 0) return;
    kept(broadcast).children.empty() ? void(kept(broadcast).done = true) : forward(broadcast);
    if (kept(broadcast).done) post_.world_.wake(process_);
    return;
  }
  kept(request).done = true;
  at_once ? post_.world_.wake(process_) : post_.world_.nudge(process_);
}

cluster::Communicator::Request SimulatedCommunicator::least(std::int64_t mine) {
  const std::int32_t request = new_request();
  kept(request).votes = true;
  post_.vote(votes_++, mine, {this, request});
  return request;
}

std::int64_t SimulatedCommunicator::result(Request request) {
  const auto number = static_cast<std::int32_t>(request);
  free_.push_back(number);
  return kept(number).result;
}

bool SimulatedCommunicator::done(Request request) {
  const auto number = static_cast<std::int32_t>(request);
  if (!kept(number).done) return false;
  if (!kept(number).votes) free_.push_back(number);
  return true;
}

}  // namespace apsp::simulation
