// Small matrices are shared among threads; those in the memory of a GPU are solved there.
#include "api/solve_batch.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "api/floyd_warshall.hpp"
#include "base/control.hpp"
#include "base/refusal.hpp"
#include "base/rounded_up.hpp"
#include "dense/negative_cycle.hpp"
#include "dense/serial_floyd_warshall.hpp"
#include "engine/run.hpp"
#include "kernels/close_by_halves.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/small_matrices.hpp"
#include "planner/choose_tile.hpp"
#include "planner/device_plan.hpp"
#include "planner/plan.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

/// Larger matrices have more to gain from their symmetry than to lose by tasks.
constexpr std::int64_t kLargestCopied = 255;
constexpr std::int64_t kAlignment = 64;  // of copies and panels, bytes

/// The error of a graph, with its number.
Error numbered(std::int64_t graph, const Error& error) {
  const std::string text = fmt::format("graph {}: {}", graph, error.what());
  return error.kind() == ErrorKind::negative_cycle ? Error::negative_cycle(error.cycle(), text)
                                                   : Error(error.kind(), text);
}

class Batch {
 public:
  Batch(Semiring semiring, ValueType type, std::span<const detail::BatchItem> graphs,
        const BatchOptions& options)
      : semiring_(semiring),
        type_(type),
        graphs_(graphs),
        options_(options),
        threads_(system::thread_count(options.threads)),
        tiles_(kernels::cpu::operations(semiring, type, kernels::Sign::non_negative)),
        witness_(kernels::cpu::witness_operations(semiring, type, kernels::Sign::non_negative)),
        small_(kernels::cpu::small_matrix_operations(semiring, type)),
        shared_(count() >= threads_),
        bytes_(shared_ ? workspace_bytes() : 0),
        workspaces_(threads_ * bytes_),
        first_failed_(count()) {}

  void run() {
    base::ProgressTask progress(options_.control, "graphs", static_cast<double>(count()), "graph");
    const std::int64_t some = (count() + kClaims - 1) / kClaims;
    const auto take = [&](std::int64_t claim, int member) {
      const std::int64_t begin = claim * some, end = std::min(count(), begin + some);
      for (std::int64_t i = begin; i < end; ++i) {
        if (base::cancelled(options_.control)) return;
        if (i < first_failed_) try_to_solve(i, member);
      }
      progress.advance(static_cast<double>(end - begin));
    };
    system::parallel_for((count() + some - 1) / some, shared_ ? threads_ : 1, take);
    base::check_cancelled(options_.control);
    if (failure_) throw Error(*failure_);
  }

 private:
  /// So many claims that progress and cancellation come often enough, and cost nothing.
  static constexpr std::int64_t kClaims = 4096;

  std::int64_t count() const { return static_cast<std::int64_t>(graphs_.size()); }
  /// The tile of a solve by all threads, which decides how sums are rounded.
  std::int64_t tile_of(std::int64_t n) const { return planner::choose_tile(n, threads_, tiles_); }

  std::int64_t copy_bytes(std::int64_t n) const {
    return base::rounded_up(n * small_.padded(n) * tiles_.value_size, kAlignment);
  }
  std::int64_t workspace_bytes() const {
    std::int64_t largest = 0;
    for (const detail::BatchItem& graph : graphs_) {
      if (graph.n <= kLargestCopied) largest = std::max(largest, graph.n);
    }
    return copy_bytes(largest) + dense::serial_panel_bytes(largest, tile_of(largest), tiles_);
  }

  /// Keeps the error of the first graph that fails.
  void try_to_solve(std::int64_t i, int member) {
    try {
      const auto& [data, n, stride] = graphs_[static_cast<std::size_t>(i)];
      const kernels::View matrix{data, n, n, stride}, via = cleared_via(i);
      const bool copied = shared_ && n <= kLargestCopied;
      if (copied && solve_in_copy(matrix, via, workspaces_.data() + member * bytes_)) return;
      const FloydWarshallOptions options{.threads = shared_ ? 1 : threads_,
                                         .tile = tile_of(n),
                                         .control = {nullptr, options_.control.cancellation}};
      api::floyd_warshall_among(planner::cuda_devices, semiring_, type_, matrix, options, via);
    } catch (const Error& error) {
      const std::lock_guard lock(mutex_);
      if (i >= first_failed_) return;
      first_failed_ = i;
      failure_ = numbered(i, error);
    }
  }

  kernels::View cleared_via(std::int64_t i) const {
    if (options_.via.empty()) return {};
    const auto& [data, rows, cols, stride] = options_.via[static_cast<std::size_t>(i)];
    for (std::int64_t row = 0; row < rows; ++row) {
      std::fill_n(data + row * stride, cols, kernels::kNoVia);
    }
    return {data, rows, cols, stride};
  }

  /// Returns false, with the matrix unchanged, if its values or its size need the usual solve.
  bool solve_in_copy(kernels::View matrix, kernels::View via, std::byte* workspace) {
    const std::int64_t n = matrix.rows, size = tiles_.value_size, tile = tile_of(n);
    const bool one_tile = n <= std::min(tile, kernels::kSmallTile);
    if (via.data != nullptr && !one_tile) return false;
    const auto found = small_.survey(matrix, workspace);
    if (found.bad || found.negative) return false;
    if (semiring_ != Semiring::or_and && found.longest_path > largest_distance(type_)) return false;
    const kernels::View copy{workspace, n, n, small_.padded(n)};
    if (via.data != nullptr) {
      dense::throw_negative_cycle(witness_.close(copy, via, kernels::Cycles::possible, 0));
    } else if (one_tile) {
      dense::throw_negative_cycle(small_.close(workspace, n));
    } else {
      dense::throw_negative_cycle(
          dense::serial_floyd_warshall(copy, tile, tiles_, workspace + copy_bytes(n)));
    }
    for (std::int64_t i = 0; i < n; ++i) {
      std::memcpy(static_cast<std::byte*>(matrix.data) + i * matrix.stride * size,
                  workspace + i * copy.stride * size, static_cast<std::size_t>(n * size));
    }
    return true;
  }

  Semiring semiring_;
  ValueType type_;
  std::span<const detail::BatchItem> graphs_;
  const BatchOptions& options_;
  int threads_;
  kernels::TileOperations tiles_;
  kernels::WitnessOperations witness_;
  kernels::cpu::SmallMatrixOperations small_;
  bool shared_;                       // graphs among threads; else a graph at a time by all threads
  std::int64_t bytes_;                // of a thread's workspace: a padded copy, and panels
  system::AlignedMemory workspaces_;  // [threads]
  std::mutex mutex_;
  std::atomic<std::int64_t> first_failed_;
  std::optional<Error> failure_;
};

/// A caller's batch on a device.
class BatchOnDevice {
 public:
  BatchOnDevice(const planner::FindDevices& find, Semiring semiring, const DeviceBatch& batch,
                const BatchOptions& options)
      : find_(find), semiring_(semiring), batch_(batch), options_(options) {
    if (batch_.stride == 0) batch_.stride = batch_.n;
    if (batch_.matrix_stride == 0) batch_.matrix_stride = batch_.n * batch_.stride;
    refuse_if(options.threads < 0, "threads must not be negative");
    refuse_if(!supported(semiring, batch_.type), "the semiring {} has no values of type {}",
              name(semiring), name(batch_.type));
    refuse_if(!options.via.empty(),
              "via of a batch on a GPU is a part of the batch, not an option");
    refuse_if(
        batch_.n < 0 || batch_.count < 0 || batch_.stride < batch_.n ||
            (batch_.count > 1 && batch_.n > 0 &&
             batch_.matrix_stride < (batch_.n - 1) * batch_.stride + batch_.n),
        "{} matrices of {} rows, stride {}, with {} values from one to the next, are no batch",
        batch_.count, batch_.n, batch_.stride, batch_.matrix_stride);
  }

  void run() const {
    const planner::NamedDevice named =
        planner::named_device({Device::cuda, {batch_.ordinal}}, find_);
    if (batch_.count == 0 || batch_.n == 0) return;
    engine::BorrowedBatch on_device(
        named.open(semiring_, batch_.type, kernels::Sign::non_negative, 0),
        {.semiring = semiring_,
         .type = batch_.type,
         .matrices = batch_.data,
         .count = batch_.count,
         .n = batch_.n,
         .stride = batch_.stride,
         .step = batch_.matrix_stride,
         .via = batch_.via},
        batch_.stream);
    base::ProgressTask progress(options_.control, "graphs", static_cast<double>(batch_.count),
                                "graph");
    const bool large = on_device.is_large();
    std::vector<std::int64_t> left;
    if (large) {
      left.resize(static_cast<std::size_t>(batch_.count));
      std::iota(left.begin(), left.end(), std::int64_t{0});
    } else {
      left = on_device.solve();
    }
    progress.advance(static_cast<double>(batch_.count - std::ssize(left)));
    for (const std::int64_t i : left) {
      base::check_cancelled(options_.control);
      try {
        solve_one(on_device, i, large);
      } catch (const Error& error) {
        throw numbered(i, error);
      }
      progress.advance(1);
    }
  }

 private:
  /// Solves a matrix that no launch takes: a large one on the device, another on the host.
  void solve_one(engine::BorrowedBatch& on_device, std::int64_t i, bool large) const {
    const auto& [data, count, n, stride, step, type, via, ordinal, stream] = batch_;
    FloydWarshallOptions options{.threads = options_.threads,
                                 .control = {nullptr, options_.control.cancellation}};
    if (large && via == nullptr && semiring_ != Semiring::or_and) {
      return api::floyd_warshall_on_device_among(
          find_, semiring_, {on_device.matrix(i).data, n, stride, type, ordinal, stream}, options);
    }
    if (large && (via == nullptr || semiring_ != Semiring::or_and)) {
      options.device = Device::cuda;
      options.device_ordinals = {ordinal};
    }
    system::AlignedMemory values(n * n * size_of(type));
    std::vector<std::int32_t> vertices(via == nullptr ? 0 : static_cast<std::size_t>(n * n),
                                       kernels::kNoVia);
    const kernels::View host{values.data(), n, n, n};
    const kernels::View host_via =
        via == nullptr ? kernels::View{} : kernels::View{vertices.data(), n, n, n};
    on_device.copy_out(i, host);
    api::floyd_warshall_among(find_, semiring_, type, host, options, host_via);
    on_device.copy_in(i, host, host_via);
  }

  const planner::FindDevices& find_;
  Semiring semiring_;
  DeviceBatch batch_;
  const BatchOptions& options_;
};

}  // namespace

namespace api {

void solve_batch_on_device_among(const planner::FindDevices& find, Semiring semiring,
                                 const DeviceBatch& batch, const BatchOptions& options) {
  BatchOnDevice(find, semiring, batch, options).run();
}

}  // namespace api

void solve_batch_on_device(Semiring semiring, const DeviceBatch& batch,
                           const BatchOptions& options) {
  api::solve_batch_on_device_among(planner::cuda_devices, semiring, batch, options);
}

namespace detail {

void solve_batch(Semiring semiring, ValueType type, std::span<const BatchItem> graphs,
                 const BatchOptions& options) {
  refuse_if(options.threads < 0, "threads must not be negative");
  refuse_if(!supported(semiring, type), "the semiring {} has no values of type {}", name(semiring),
            name(type));
  refuse_if(!options.via.empty() && options.via.size() != graphs.size(),
            "{} matrices of intermediate vertices for {} graphs", options.via.size(),
            graphs.size());
  for (std::size_t i = 0; i < options.via.size(); ++i) {
    const MatrixView<std::int32_t>& via = options.via[i];
    require_square(via.data, via.rows, via.cols, via.stride);
    refuse_if(via.rows != graphs[i].n, "graph {} has {} vertices, but via has {} rows", i,
              graphs[i].n, via.rows);
  }
  if (!graphs.empty()) Batch(semiring, type, graphs, options).run();
}

}  // namespace detail

}  // namespace apsp
