// A matrix solved on a process grid of threads, each of which streams its part through a strict
// device.
#pragma once

#include <cstring>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "cluster/direct_transport.hpp"
#include "cluster/relay_transport.hpp"
#include "cluster/streamed_part.hpp"
#include "support/strict/strict_device.hpp"
#include "support/strict_broadcasts.hpp"
#include "support/thread_communicator.hpp"

namespace apsp {

struct StreamedGrid {
  int rows = 1, cols = 1;
  dense::OffloadPlan plan{};
  cluster::RelayTransport::Options options{};
  dense::Schedule schedule = dense::Schedule::overlapped;
  const Control* control = nullptr;  // of process (0, 0)
  std::int64_t memory = 8 << 20;     // of a device, bytes
  bool spends_memory = false;        // process (0, 0) takes all of it
  int* cuts_taken = nullptr;         // not null: the last process always finds one due
  /// Of devices that have met, row by row, which are then taken instead: they broadcast directly.
  BroadcastExchange* direct = nullptr;
};

/// What a process holds of a matrix of i32, in the host's memory.
class HeldOnHost {
 public:
  HeldOnHost(const dense::TiledMatrix& host, const dense::GridPart& part) : held_(host) {
    held_.matrix.rows = part.rows.vertices(host.n(), host.tile);
    held_.matrix.cols = part.columns.vertices(host.n(), host.tile);
    held_.matrix.stride = held_.matrix.cols + 3;
    values_.resize(static_cast<std::size_t>(held_.matrix.rows * held_.matrix.stride + 1), kGuard);
    held_.matrix.data = values_.data();
    copy(host, part, true);
  }
  const dense::TiledMatrix& matrix() const { return held_; }

  void copy(const dense::TiledMatrix& host, const dense::GridPart& part, bool in) {
    for (std::int64_t i = 0; i < held_.matrix.rows; ++i) {
      for (std::int64_t j = 0; j < held_.matrix.cols; ++j) {
        const std::int64_t row = part.rows.vertex(dense::LocalIndex(i), host.tile),
                           column = part.columns.vertex(dense::LocalIndex(j), host.tile);
        std::int32_t& here = values_[static_cast<std::size_t>(i * held_.matrix.stride + j)];
        std::int32_t& there =
            static_cast<std::int32_t*>(host.matrix.data)[row * host.matrix.stride + column];
        in ? here = there : there = here;
      }
      for (std::int64_t j = held_.matrix.cols; j < held_.matrix.stride; ++j) {
        if (values_[static_cast<std::size_t>(i * held_.matrix.stride + j)] != kGuard) {
          throw std::runtime_error("written behind a row");
        }
      }
    }
  }

 private:
  static constexpr std::int32_t kGuard = -77;
  dense::TiledMatrix held_;
  std::vector<std::int32_t> values_;
};

/// Tiles are as wide as the plan's panels. Returns the pivot that all agree on, −1 for none. Throws
/// `std::runtime_error` with what a process threw.
inline std::int64_t solve_streamed(const StreamedGrid& run, dense::TiledMatrix values) {
  values.tile = run.plan.width;
  ThreadPost post(run.rows, run.cols);
  const auto member = [&](int row, int col) {
    const auto made = run.direct != nullptr ? nullptr
                                            : kernels::strict::make_device(
                                                  Semiring::min_plus, ValueType::i32, run.memory);
    kernels::ComputeDevice* const device = made ? made.get() : &run.direct->device(row, col);
    ThreadCommunicator communicator(post, row, col);
    std::optional<StrictBroadcasts> broadcasts;
    std::optional<cluster::DirectTransport> direct;
    std::optional<cluster::RelayTransport> relay;
    if (made) relay.emplace(*device, communicator, run.options);
    if (!made) direct.emplace(*device, communicator, broadcasts.emplace(*run.direct, communicator));
    dense::Transport& transport = direct ? static_cast<dense::Transport&>(*direct) : *relay;
    dense::GridPart part{values.n(), {run.rows, row}, {run.cols, col}, &transport, run.schedule};
    const bool last = row + 1 == run.rows && col + 1 == run.cols;
    if (run.cuts_taken != nullptr) part.cut_due = [last] { return last; };
    HeldOnHost held(values, part);
    {
      cluster::StreamedPart streamed(*device, run.plan, held.matrix(), kernels::Cycles::possible,
                                     row + col == 0 ? run.control : nullptr, part);
      if (run.spends_memory && row + col == 0 && device->memory_free() != 0) {
        throw std::runtime_error("memory is left over");
      }
      streamed.solve();
      while (streamed.was_cut()) {
        if (last) ++*run.cuts_taken;
        held.copy(values, part, false);
        held.copy(values, part, true);
        transport.least(0);
        streamed.solve(streamed.reached());
      }
    }
    held.copy(values, part, false);
    const std::int64_t pivot = device->tiles().take_pivot();
    const std::int64_t first = transport.least(pivot < 0 ? INT64_MAX : pivot);
    if (relay && relay->stages_taken() > 0) throw std::runtime_error("stages are not given back");
    return first == INT64_MAX ? -1 : first;
  };
  return pivot_on_grid(post, [&](int row, int col) {
    try {
      return member(row, col);
    } catch (const std::exception& error) {
      if (run.direct != nullptr) run.direct->fail();
      post.fail(error.what());
      throw;
    }
  });
}

}  // namespace apsp
