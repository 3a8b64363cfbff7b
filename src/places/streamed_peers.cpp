#include "places/streamed_peers.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/control.hpp"
#include "base/on_threads.hpp"
#include "base/units.hpp"
#include "places/agreed_end.hpp"
#include "places/streamed_memory.hpp"
#include "places/tile_stream.hpp"

namespace apsp::places {

using kernels::ComputeDevice;
using kernels::EventId;
using kernels::QueueId;
using kernels::Range;
using kernels::View;

/// What one device does.
class StreamedPeers::Part {
 public:
  Part(PeerExchange& exchange, ComputeDevice& device, Deal rows, const OffloadPlan& plan,
       const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
       std::int64_t piece_bytes);
  ~Part() {
    for (const QueueId queue : queues()) drain(device_, queue);
  }
  Part(const Part&) = delete;
  Part& operator=(const Part&) = delete;

  void run();

 private:
  std::int64_t n() const { return steps_.n(); }
  std::int64_t first(Tile k) const { return k.number() * steps_.tile; }
  static std::size_t set(Tile k) { return static_cast<std::size_t>(k.number() % 2); }
  View host_rows(Range rows) const {
    return part(steps_.matrix, steps_.value_size, rows.begin, 0, length(rows), n());
  }
  std::vector<QueueId> queues() const {
    return {panel_, leave_, work_, stream_.in(), stream_.out()};
  }
  EventId& panel_out(Tile k) { return panel_out_[k.number() % 4]; }
  void wait(QueueId queue, EventId event) {
    if (event >= 0) device_.wait(queue, event);
  }
  void make_panel(Tile k);
  void close_rows(Tile k);
  void update_rest(Tile k);
  void pass(Tile k, Tile block);
  /// What step k owes to `rows` [some, n].
  void relax(QueueId queue, Tile k, View rows, std::byte* left);
  void settle(std::size_t set);
  void finish();

  ComputeDevice& device_;
  PeerTransport transport_;
  Deal rows_;
  TiledMatrix steps_;  // the host's matrix in blocks as wide as a panel
  std::int64_t strip_;
  kernels::Cycles cycles_;
  const Control& control_;
  QueueId panel_, leave_, work_;  // `leave_`: panels to the host
  TileStream stream_;
  DeviceBuffer raw_;                   // the block that becomes a panel
  DeviceBuffer right_[2], closed_[2];  // packed: the panel, its diagonal tile, of steps k mod 2
  DeviceBuffer closed_left_, left_panel_, left_strip_, scratch_;
  EventId ready_[2] = {-1, -1};      // the panel is here
  EventId rest_done_[2] = {-1, -1};  // nobody here reads it any more
  EventId rows_out_ = -1;            // the next block of mine to become a panel is on the host
  EventId last_out_ = -1;            // my last panel is
  EventId panel_out_[4] = {-1, -1, -1, -1};  // those of steps k mod 4 are
};

StreamedPeers::Part::Part(PeerExchange& exchange, ComputeDevice& device, Deal rows,
                          const OffloadPlan& plan, const TiledMatrix& host, kernels::Cycles cycles,
                          const Control& control, std::int64_t piece_bytes)
    : device_(device),
      transport_(exchange, rows.me, piece_bytes),
      rows_(rows),
      steps_{host.matrix, host.value_size, plan.width},
      strip_(plan.strip_rows),
      cycles_(cycles),
      control_(control),
      panel_(device.make_queue(kernels::Priority::high)),
      leave_(device.make_queue()),
      work_(device.make_queue()),
      stream_(device, {host}, plan.buffers, plan.buffer_values) {
  if (n() == 0) return;
  const std::int64_t side = std::min(plan.width, n());
  raw_ = {device, side * device.stride(n()) * host.value_size};
  for (const int i : {0, 1}) {
    right_[i] = {device, device.right_bytes(n(), side)};
    closed_[i] = {device, device.right_bytes(side, side)};
  }
  closed_left_ = {device, device.left_bytes(side, side)};
  left_panel_ = {device, device.left_bytes(side, side)};
  left_strip_ = {device, device.left_bytes(std::min(strip_, side), side)};
  scratch_ = {device, device.close_bytes(side)};
}

void StreamedPeers::Part::run() {
  const auto size = static_cast<double>(n());
  base::ProgressTask progress(control_, "Floyd-Warshall", size * size * size, "relaxation");
  const Tile end = steps_.end();
  if (end > kFirstTile) make_panel(kFirstTile);
  for (Tile k = kFirstTile; k < end; ++k) {
    if (transport_.stopped(base::cancelled(control_) || device_.pivot_met())) break;
    if (k + 1 < end) make_panel(k + 1);
    update_rest(k);
    progress.advance(size * size * static_cast<double>(steps_.extent(k)));
  }
  finish();
}

void StreamedPeers::Part::settle(std::size_t set) {
  transport_.settle(panel_, right_[set].data());
  transport_.settle(panel_, closed_[set].data());
}

void StreamedPeers::Part::make_panel(Tile k) {
  const std::int64_t side = steps_.extent(k);
  std::byte *const right = right_[set(k)].data(), *const closed = closed_[set(k)].data();
  wait(panel_, rest_done_[set(k)]);
  settle(set(k));
  if (rows_.mine(k)) close_rows(k);
  const int owner = rows_.owner(k);
  transport_.broadcast(Along::column, owner, panel_, closed, device_.right_bytes(side, side));
  transport_.broadcast(Along::column, owner, panel_, right, device_.right_bytes(n(), side));
  transport_.finish_broadcasts();
  ready_[set(k)] = device_.record(panel_);
}

void StreamedPeers::Part::close_rows(Tile k) {
  const std::int64_t side = steps_.extent(k), column = first(k);
  const Range columns{column, column + side};
  const View raw{raw_.data(), side, n(), device_.stride(n())}, host = host_rows(columns);
  wait(panel_, last_out_);
  wait(panel_, rows_out_);
  device_.copy_in(panel_, raw, host, steps_.value_size);
  if (k > kFirstTile) relax(panel_, k - 1, raw, left_panel_.data());
  const View diagonal = part(raw, steps_.value_size, 0, column, side, side);
  device_.close(panel_, diagonal, {}, cycles_, column, scratch_.data());
  device_.pack_left(panel_, diagonal, false, closed_left_.data());
  device_.pack_right(panel_, diagonal, false, closed_[set(k)].data());
  std::byte* const right = right_[set(k)].data();
  device_.pack_right(panel_, raw, false, right);
  device_.multiply_add(panel_, {.c = raw,
                                .left = closed_left_.data(),
                                .right = right,
                                .depth = side,
                                .first_pivot = column,
                                .skipped_cols = columns});
  device_.pack_right(panel_, raw, false, right);
  device_.wait(leave_, device_.record(panel_));
  device_.copy_out(leave_, host, raw, steps_.value_size);
  last_out_ = panel_out(k) = device_.record(leave_);
}

void StreamedPeers::Part::relax(QueueId queue, Tile k, View rows, std::byte* left) {
  const std::int64_t side = steps_.extent(k), column = first(k);
  const View panel = part(rows, steps_.value_size, 0, column, rows.rows, side);
  device_.pack_left(queue, panel, false, left);
  device_.multiply_add(queue, {.c = panel,
                               .left = left,
                               .right = closed_[set(k)].data(),
                               .depth = side,
                               .first_pivot = column});
  device_.pack_left(queue, panel, false, left);
  device_.multiply_add(queue, {.c = rows,
                               .left = left,
                               .right = right_[set(k)].data(),
                               .depth = side,
                               .first_pivot = column,
                               .skipped_cols = {column, column + side}});
}

void StreamedPeers::Part::pass(Tile k, Tile block) {
  const std::int64_t end = first(block) + steps_.extent(block);
  for (std::int64_t row = first(block); row < end; row += strip_) {
    const Range rows{row, std::min(row + strip_, end)};
    stream_.pass({rows, {0, n()}}, work_, 0,
                 [&](View values, View) { relax(work_, k, values, left_strip_.data()); });
  }
}

void StreamedPeers::Part::update_rest(Tile k) {
  const Tile end = steps_.end(), soon = k + 2;
  stream_.begin_phase();
  device_.wait(work_, ready_[set(k)]);
  if (kFirstTile < k && rows_.mine(k - 1)) wait(stream_.in(), panel_out(k - 1));
  if (soon < end && rows_.mine(soon)) {
    pass(k, soon);
    rows_out_ = device_.record(stream_.out());
  }
  for (Tile block = rows_.next(kFirstTile); block < end; block = rows_.next(block + 1)) {
    if (block < k || soon < block) pass(k, block);
  }
  rest_done_[set(k)] = device_.record(work_);
}

void StreamedPeers::Part::finish() {
  for (const std::size_t i : {0, 1}) settle(i);
  for (const QueueId queue : queues()) device_.synchronize(queue);
  throw_agreed_end(&transport_, control_, device_.take_pivot());
}

/// A device's share of a matrix whose panels all make together.
struct StreamedPeers::Share {
  Share(PeerExchange& exchange, ComputeDevice& device, int members, int me, const OffloadPlan& plan,
        const TiledMatrix& host, kernels::Cycles cycles, const Control& control,
        std::int64_t piece_bytes)
      : transport(exchange, me, piece_bytes),
        memory(device, plan, host, cycles, control, {}, {members, me, &transport}) {}

  PeerTransport transport;
  StreamedMemory memory;
};

StreamedPeers::StreamedPeers(const std::vector<ComputeDevice*>& devices, const OffloadPlan& plan,
                             const TiledMatrix& host, kernels::Cycles cycles,
                             const Control& control, std::int64_t piece_bytes)
    : quiet_{nullptr, control.cancellation},
      exchange_(met(devices), 1),
      pinned_(*devices.front(), host.matrix, host.value_size) {
  const auto count = static_cast<int>(devices.size());
  for (int i = 0; i < count; ++i) {
    ComputeDevice& device = *devices[static_cast<std::size_t>(i)];
    const Control& told = i == 0 ? control : quiet_;
    if (plan.devices > 1 || plan.shape == Shape::symmetric) {
      shares_.push_back(std::make_unique<Share>(exchange_, device, count, i, plan, host, cycles,
                                                told, piece_bytes));
    } else {
      parts_.push_back(std::make_unique<Part>(exchange_, device, Deal{count, i}, plan, host, cycles,
                                              told, piece_bytes));
    }
  }
}

StreamedPeers::~StreamedPeers() = default;

void StreamedPeers::run() {
  base::on_threads(
      static_cast<int>(parts_.size() + shares_.size()),
      [&](int number) {
        const auto i = static_cast<std::size_t>(number);
        shares_.empty() ? parts_[i]->run() : shares_[i]->memory.run();
      },
      [this] { exchange_.fail(); });
}

namespace {

std::int64_t bytes_of(const OffloadPlan& plan, const OffloadProblem& problem,
                      const kernels::DeviceSizes& sizes) {
  const std::int64_t n = problem.n, side = std::min(plan.width, n);
  return side * sizes.stride(n) * problem.value_size +
         2 * (sizes.right_bytes(n, side) + sizes.right_bytes(side, side)) +
         2 * sizes.left_bytes(side, side) +
         sizes.left_bytes(std::min(plan.strip_rows, side), side) + sizes.close_bytes(side) +
         plan.buffers * plan.buffer_values * problem.value_size;
}

/// A step lasts as long as the longer of work and copies; an owner has the panel besides.
void predict(OffloadPlan& plan, const OffloadProblem& problem, int devices,
             const OffloadRates& rates) {
  const auto n = static_cast<double>(problem.n), width = static_cast<double>(plan.width);
  const double steps = std::ceil(n / width), rows = n / devices;
  const double bytes = rows * n * problem.value_size;
  const double copies = std::max({bytes / rates.in, bytes / rates.out, 2 * bytes / rates.both});
  const double work = rows * n * width / rates.relaxations;
  const double panel = 2 * width * n * width / rates.relaxations / devices;
  plan.work = steps * work;
  plan.copies = steps * copies;
  plan.seconds = steps * (std::max(work + panel, copies) +
                          kPieceSeconds * rows / static_cast<double>(plan.strip_rows)) +
                 (1 / rates.in + 1 / rates.out) * width * n * problem.value_size;
}

}  // namespace

OffloadPlan plan_streamed_peers(const OffloadProblem& problem, int devices,
                                const OffloadRates& rates, const kernels::DeviceSizes& sizes) {
  if (problem.shape == Shape::symmetric) {
    OffloadProblem shared = problem;
    shared.devices = devices;
    return plan_offload(shared, rates, sizes);
  }
  const std::int64_t granule = sizes.granule();
  constexpr std::int64_t kMostWidth = 8192, kMostStrip = 1024, kBlocksOfEach = 4;
  OffloadPlan best, least;
  const auto consider = [&](OffloadPlan plan) {
    plan.buffer_values = plan.strip_rows * sizes.stride(problem.n);
    plan.device_bytes = bytes_of(plan, problem, sizes);
    if (least.width == 0 || plan.device_bytes < least.device_bytes) least = plan;
    if (plan.device_bytes > problem.device_memory) return;
    predict(plan, problem, devices, rates);
    if (best.width == 0 || plan.seconds < best.seconds) best = plan;
  };
  for (std::int64_t width = granule; width <= kMostWidth;
       width += std::max(granule, width / 4 / granule * granule)) {
    if (width > granule && width * devices * kBlocksOfEach > problem.n) break;
    for (std::int64_t strip = granule; strip <= std::min(width, kMostStrip); strip *= 2) {
      for (const std::int64_t buffers : {3, 4}) {
        consider({.width = width, .buffers = buffers, .strip_rows = strip});
      }
    }
  }
  if (best.width > 0) return best;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("rows of {} vertices that stream through {} GPUs need at least {} of the "
                  "memory of each, and {} may be used; --device cpu needs none",
                  base::format_count(problem.n), devices, base::format_bytes(least.device_bytes),
                  base::format_bytes(problem.device_memory)));
}

}  // namespace apsp::places
