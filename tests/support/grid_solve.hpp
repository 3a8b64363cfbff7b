// A matrix solved on a process grid of threads, each with a device of its own: in the device's
// memory, or streamed through it.
#pragma once

#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cluster/direct_transport.hpp"
#include "cluster/relay_transport.hpp"
#include "cluster/streamed_part.hpp"
#include "dense/resident_matrix.hpp"
#include "support/strict_broadcasts.hpp"
#include "support/thread_communicator.hpp"

namespace apsp {

using dense::GridPart;
using dense::TiledMatrix;

struct GridRun {
  int rows = 1, cols = 1;
  std::function<std::unique_ptr<kernels::ComputeDevice>()> make{};
  cluster::RelayTransport::Options options{};
  const Control* control = nullptr;  // of process (0, 0)
  kernels::Cycles cycles = kernels::Cycles::possible;
  dense::Shape shape = dense::Shape::full;
  dense::Schedule schedule = dense::Schedule::overlapped;
  bool cuts = false;  // the last process always finds one due
  int* cuts_taken = nullptr;
  /// Rows leave as soon as they are final (`Overlap::leave`); of full matrices.
  bool rows_leave = false;
  /// Of devices that have met, row by row, which are then taken instead: they broadcast directly.
  BroadcastExchange* direct = nullptr;
  /// Parts stream by it, through devices of i32, in tiles as wide as its panels.
  std::optional<dense::OffloadPlan> offload{};
  bool spends_memory = false;  // process (0, 0) takes all memory of its device
};

/// What a process holds of a plane: in its device's memory, or in the host's, with guards behind
/// the rows of i32.
class HeldPlane {
 public:
  HeldPlane(kernels::ComputeDevice* device, const TiledMatrix& host, const GridPart& part)
      : device_(device), host_(host), part_(part), held_(part.held(host)) {
    held_.matrix.stride =
        device != nullptr ? device->tiles().stride(held_.matrix.cols) : held_.matrix.cols + kMargin;
    const std::int64_t values = held_.matrix.rows * held_.matrix.stride;
    if (device != nullptr) {
      memory_ = {*device, values * host.value_size};
      queue_ = device->make_queue();
    } else {
      values_.resize(static_cast<std::size_t>(values + 1), kGuard);
    }
    held_.matrix.data = device != nullptr ? memory_.data() : static_cast<void*>(values_.data());
  }
  const TiledMatrix& matrix() const { return held_; }

  /// Copies from the whole matrix, or back to it, tile by tile.
  void copy(bool in) {
    for (dense::Tile ti = dense::kFirstTile; ti < host_.end(); ++ti) {
      for (dense::Tile tj = dense::kFirstTile; tj < host_.end(); ++tj) {
        if (!part_.rows.mine(ti) || !part_.columns.mine(tj)) continue;
        const kernels::View there =
            held_.at(dense::Tile(part_.rows.before(ti)), dense::Tile(part_.columns.before(tj)));
        in ? copy(there, host_.at(ti, tj), true) : copy(host_.at(ti, tj), there, false);
      }
    }
    if (device_ != nullptr) return device_->synchronize(queue_);
    for (std::int64_t i = 0; i < held_.matrix.rows; ++i) {
      for (std::int64_t j = held_.matrix.cols; j < held_.matrix.stride; ++j) {
        if (values_[static_cast<std::size_t>(i * held_.matrix.stride + j)] != kGuard) {
          throw std::runtime_error("written behind a row");
        }
      }
    }
  }

 private:
  static constexpr std::int32_t kGuard = -77;
  static constexpr std::int64_t kMargin = 3;

  void copy(kernels::View to, kernels::View from, bool in) {
    if (device_ != nullptr) {
      return in ? device_->copy_in(queue_, to, from, host_.value_size)
                : device_->copy_out(queue_, to, from, host_.value_size);
    }
    for (std::int64_t i = 0; i < to.rows; ++i) {
      std::memcpy(static_cast<std::int32_t*>(to.data) + i * to.stride,
                  static_cast<const std::int32_t*>(from.data) + i * from.stride,
                  static_cast<std::size_t>(to.cols) * sizeof(std::int32_t));
    }
  }

  kernels::ComputeDevice* device_;
  kernels::QueueId queue_ = -1;
  TiledMatrix host_;
  const GridPart& part_;
  TiledMatrix held_;
  dense::DeviceBuffer memory_;
  std::vector<std::int32_t> values_;
};

/// One process's solve, from the host matrix and back to it, on a device and a transport.
inline void solve_part(const GridRun& run, kernels::ComputeDevice& device, GridPart part,
                       const TiledMatrix& values, const TiledMatrix& via = {}) {
  const int row = part.rows.rank, col = part.columns.rank;
  const bool last = row + 1 == run.rows && col + 1 == run.cols, first = row + col == 0;
  if (run.cuts) part.cut_due = [last] { return last; };
  const Control* const control = first ? run.control : nullptr;
  std::vector<std::unique_ptr<HeldPlane>> planes;
  for (const TiledMatrix* const plane : {&values, &via}) {
    if (plane->matrix.data == nullptr && plane == &via) continue;
    planes.push_back(std::make_unique<HeldPlane>(run.offload ? nullptr : &device, *plane, part));
  }
  const auto copy = [&](bool in) {
    for (const auto& plane : planes) plane->copy(in);
  };
  const auto solve_all = [&](auto& matrix, const auto& solve) {
    copy(true);
    solve(dense::kFirstTile);
    while (matrix.was_cut()) {
      if (last && run.cuts_taken != nullptr) ++*run.cuts_taken;
      copy(false);
      copy(true);
      part.transport->least(0);
      solve(matrix.reached());
    }
  };
  if (run.offload) {
    cluster::StreamedPart matrix(device, *run.offload, planes[0]->matrix(), run.cycles, control,
                                 part);
    if (run.spends_memory && first && device.memory_free() != 0) {
      throw std::runtime_error("memory is left over");
    }
    solve_all(matrix, [&](dense::Tile step) { matrix.solve(step); });
  } else {
    const kernels::QueueId leaving = device.make_queue();
    dense::ResidentMatrix matrix(device, planes[0]->matrix(), run.shape, run.cycles, control, part);
    solve_all(matrix, [&](dense::Tile step) {
      dense::Overlap overlap;
      if (run.rows_leave) {
        overlap.strip = 2;
        overlap.leave = [&](dense::TileSpan, kernels::EventId ready) {
          device.wait(leaving, ready);
        };
      }
      matrix.solve({planes[0]->matrix(), planes.size() > 1 ? planes[1]->matrix() : TiledMatrix{}},
                   std::move(overlap), step);
    });
    device.synchronize(leaving);
  }
  copy(false);
}

/// Returns the pivot that all processes agree on.
inline std::int64_t solve_member(const GridRun& run, ThreadPost& post, int row, int col,
                                 const TiledMatrix& values, const TiledMatrix& via) {
  ThreadCommunicator communicator(post, row, col);
  const auto made = run.direct == nullptr ? run.make() : nullptr;
  kernels::ComputeDevice* const device =
      run.direct == nullptr ? made.get() : &run.direct->device(row, col);
  std::optional<StrictBroadcasts> broadcasts;
  std::optional<cluster::DirectTransport> direct;
  std::optional<cluster::RelayTransport> relay;
  if (run.direct == nullptr) {
    relay.emplace(*device, communicator, run.options);
  } else {
    direct.emplace(*device, communicator, broadcasts.emplace(*run.direct, communicator));
  }
  dense::Transport& transport = direct ? static_cast<dense::Transport&>(*direct) : *relay;
  try {
    solve_part(run, *device,
               {values.n(), {run.rows, row}, {run.cols, col}, &transport, run.schedule}, values,
               via);
    const std::int64_t pivot = device->tiles().take_pivot();
    const std::int64_t first = transport.least(pivot < 0 ? INT64_MAX : pivot);
    if (relay && relay->stages_taken() > 0) throw std::runtime_error("stages are not given back");
    if (communicator.unread() > 0) throw std::runtime_error("votes are left over");
    return first == INT64_MAX ? -1 : first;
  } catch (const std::exception& error) {
    transport.fail();
    post.fail(error.what());  // while the memory of messages is still there
    throw;
  }
}

/// Returns the pivot that every process was told, −1 for none. Throws `std::runtime_error` with
/// what a process threw, or where they were told different ones.
inline std::int64_t solve_on_grid(const GridRun& run, TiledMatrix values,
                                  const TiledMatrix& via = {}) {
  if (run.offload) values.tile = run.offload->width;
  ThreadPost post(run.rows, run.cols);
  return pivot_on_grid(
      post, [&](int row, int col) { return solve_member(run, post, row, col, values, via); });
}

}  // namespace apsp
