// A matrix solved on a process grid of threads, each with a device of its own.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cluster/direct_transport.hpp"
#include "cluster/relay_transport.hpp"
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
};

/// Copies between a host matrix and what a process holds of it, tile by tile.
inline void copy_held(kernels::ComputeDevice& device, kernels::QueueId queue,
                      const TiledMatrix& held, const TiledMatrix& host, const GridPart& part,
                      bool in) {
  for (dense::Tile ti = dense::kFirstTile; ti < host.end(); ++ti) {
    for (dense::Tile tj = dense::kFirstTile; tj < host.end(); ++tj) {
      if (!part.rows.mine(ti) || !part.columns.mine(tj)) continue;
      const kernels::View there =
          held.at(dense::Tile(part.rows.before(ti)), dense::Tile(part.columns.before(tj)));
      in ? device.copy_in(queue, there, host.at(ti, tj), host.value_size)
         : device.copy_out(queue, host.at(ti, tj), there, host.value_size);
    }
  }
  device.synchronize(queue);
}

/// What a process holds of a plane, in its device's memory.
class HeldPlane {
 public:
  HeldPlane(kernels::ComputeDevice& device, const TiledMatrix& host, const GridPart& part)
      : held_(host) {
    held_.matrix.rows = part.rows.vertices(host.n(), host.tile);
    const std::int64_t columns = part.columns.vertices(host.n(), host.tile);
    held_.matrix.cols = (columns + host.columns_per_value - 1) / host.columns_per_value;
    held_.matrix.stride = device.tiles().stride(held_.matrix.cols);
    memory_ = {device, held_.matrix.rows * held_.matrix.stride * host.value_size};
    held_.matrix.data = memory_.data();
  }
  const TiledMatrix& matrix() const { return held_; }

 private:
  TiledMatrix held_;
  dense::DeviceBuffer memory_;
};

/// One process's solve, from the host matrix and back to it. Returns the pivot that all agree on.
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
    GridPart part{values.n(), {run.rows, row}, {run.cols, col}, &transport, run.schedule};
    const bool last = row + 1 == run.rows && col + 1 == run.cols;
    if (run.cuts) part.cut_due = [last] { return last; };
    const HeldPlane here(*device, values, part);
    const bool tracked = via.matrix.data != nullptr;
    std::optional<HeldPlane> via_here;
    if (tracked) via_here.emplace(*device, via, part);
    const dense::ResidentPlanes planes{here.matrix(), tracked ? via_here->matrix() : TiledMatrix{}};
    const kernels::QueueId queue = device->make_queue();
    copy_held(*device, queue, planes.values, values, part, true);
    if (tracked) copy_held(*device, queue, planes.via, via, part, true);
    {
      dense::ResidentMatrix matrix(*device, planes.values, run.shape, run.cycles,
                                   row + col == 0 ? run.control : nullptr, part);
      const auto solve = [&](dense::Tile first) {
        dense::Overlap overlap;
        if (run.rows_leave) {
          overlap.strip = 2;
          overlap.leave = [&](dense::TileSpan, kernels::EventId ready) {
            device->wait(queue, ready);
          };
        }
        matrix.solve(planes, std::move(overlap), first);
      };
      solve(dense::kFirstTile);
      while (matrix.was_cut()) {
        if (last && run.cuts_taken != nullptr) ++*run.cuts_taken;
        for (const bool in : {false, true}) {
          copy_held(*device, queue, planes.values, values, part, in);
          if (tracked) copy_held(*device, queue, planes.via, via, part, in);
        }
        transport.least(0);
        solve(matrix.reached());
      }
    }
    copy_held(*device, queue, planes.values, values, part, false);
    if (tracked) copy_held(*device, queue, planes.via, via, part, false);
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
inline std::int64_t solve_on_grid(const GridRun& run, const TiledMatrix& values,
                                  const TiledMatrix& via = {}) {
  ThreadPost post(run.rows, run.cols);
  return pivot_on_grid(
      post, [&](int row, int col) { return solve_member(run, post, row, col, values, via); });
}

}  // namespace apsp
