// Launches of tile kernels: the configurations of each relaxation, and the arguments of kernels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "kernels/cuda/close.cuh"
#include "kernels/cuda/configuration.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/packed.hpp"
#include "kernels/cuda/product.cuh"
#include "kernels/cuda/relaxation.cuh"
#include "kernels/cuda/stages.cuh"
#include "kernels/cuda/whole.cuh"

namespace apsp::kernels::cuda {

// Packing of operands (packed.hpp): n · depth values per panel, a negligible part of the work. A
// block of threads takes 64 words by 16 pivots through shared memory and accesses both sides in
// rows.

struct PackArguments {
  const void* from;
  std::int64_t stride;  // values
  std::int64_t count;   // values: rows of the left operand, columns of the right one
  std::int64_t depth;   // pivots
  std::int64_t steps;   // stages of pivots in a packed sliver
  bool pivots_in_rows;  // rows of `from` are pivots
  void* to;
  Negation negation;
};

inline constexpr int kPackThreads = 256;

template <class R, bool kLeft>
__global__ void __launch_bounds__(kPackThreads)
    pack_kernel(const __grid_constant__ PackArguments p) {
  using Operand = typename R::Operand;
  using Value = typename R::Value;
  constexpr int kLanes = kLeft ? 1 : R::kLanes;
  constexpr int kWidth = kSliver * kLanes;
  __shared__ Value values[kDepthStep][kWidth + 1];
  const std::int64_t first = blockIdx.x * static_cast<std::int64_t>(kWidth);
  const std::int64_t pivot = blockIdx.y * static_cast<std::int64_t>(kDepthStep);
  const auto* const from = static_cast<const Value*>(p.from);
  for (int at = static_cast<int>(threadIdx.x); at < kDepthStep * kWidth; at += kPackThreads) {
    const int k = p.pivots_in_rows ? at / kWidth : at % kDepthStep;
    const int v = p.pivots_in_rows ? at % kWidth : at / kDepthStep;
    Value value = R::S::zero();
    if (first + v < p.count && pivot + k < p.depth) {
      value = R::negated(p.pivots_in_rows ? from[(pivot + k) * p.stride + first + v]
                                          : from[(first + v) * p.stride + pivot + k],
                         p.negation);
    }
    values[k][v] = value;
  }
  __syncthreads();
  auto* const to =
      static_cast<Operand*>(p.to) + (blockIdx.x * p.steps + blockIdx.y) * (kDepthStep * kSliver);
  for (int at = static_cast<int>(threadIdx.x); at < kDepthStep * kSliver; at += kPackThreads) {
    const int k = at / kSliver, w = at % kSliver;
    const int second = kLeft ? k % 2 : 1 - k % 2;
    Operand operand;
    if constexpr (kLeft) {
      operand = R::left(values[k][w]);
    } else {
      operand = R::right(&values[k][w * kLanes]);
    }
    to[k / 2 * 2 * kSliver + place_in_pair<Operand>(w, second)] = operand;
  }
}

template <class R, bool kNegated>
void launch_pack(cudaStream_t stream, bool left, ConstView tile, bool transposed, void* out) {
  PackArguments p{};
  // The pivots of a left operand [count, depth] are its columns, those of a right one its rows.
  p.pivots_in_rows = left == transposed;
  p.from = tile.data;
  p.stride = tile.stride;
  p.count = p.pivots_in_rows ? tile.cols : tile.rows;
  p.depth = p.pivots_in_rows ? tile.rows : tile.cols;
  p.steps = steps_of(p.depth);
  p.to = out;
  p.negation = negation_of<R, kNegated>();
  const std::int64_t width = kSliver * (left ? 1 : R::kLanes);
  const dim3 grid(static_cast<unsigned>(rounded_up(p.count, width) / width),
                  static_cast<unsigned>(p.steps));
  if (grid.x == 0 || grid.y == 0) return;
  if (left) {
    pack_kernel<R, true><<<grid, kPackThreads, 0, stream>>>(p);
  } else {
    pack_kernel<R, false><<<grid, kPackThreads, 0, stream>>>(p);
  }
  check_launch("packing a panel");
}

template <class R, class Sh, bool kNegated>
void launch_product(const LaunchSite& site, const Update& u) {
  const ProductArguments p = arguments_of<R, Sh>(u, negation_of<R, kNegated>());
  const std::int64_t blocks = std::int64_t{p.row_blocks} * p.col_blocks;
  if (blocks == 0) return;
  constexpr int kBytes = Product<R, Sh>::kSharedBytes;
  allow_shared_memory(product_kernel<R, Sh>, kBytes, "preparing a product");
  product_kernel<R, Sh><<<static_cast<unsigned>(blocks), Sh::kThreads, kBytes, site.stream>>>(p);
  check_launch("a product");
}

/// Configurations for large products; for small ones, which spread over more multiprocessors; for
/// products that track via; and for whole solves in one launch, which pay up to kWholeSide. Rates:
/// product 16384² × 2048 on an H200 (bench/attempts-gpu.md has the slower ones).
template <class R>
struct Configurations {
  static constexpr Candidate kDistances[] = {{{64, 128, 8, 8, 4, 4}, 17.3},
                                             {{64, 64, 4, 4, 4, 4}, 11}};
  static constexpr Configuration kWitness = {64, 64, 8, 4, 4, 3};
  static constexpr Configuration kWhole = {64, 64, 8, 4, 4, 3};
  static constexpr std::int64_t kWholeSide = 2560;
};
template <class R>
requires(sizeof(typename R::Operand) == 8) struct Configurations<R> {
  static constexpr Candidate kDistances[] = {{{64, 64, 8, 4, 3, 4}, 5.39},
                                             {{64, 64, 4, 4, 3, 2}, 4}};
  static constexpr Configuration kWitness = {64, 64, 8, 4, 3, 3};
  static constexpr Configuration kWhole = {64, 64, 8, 4, 4, 2};
  static constexpr std::int64_t kWholeSide = 1280;
};
template <class R, int kCandidate>
using Distances = BlockShape<Configurations<R>::kDistances[kCandidate].configuration>;
template <class R>
using Witness = BlockShape<Configurations<R>::kWitness>;
template <class R>
using WholeShape = BlockShape<Configurations<R>::kWhole>;

template <class R>
std::size_t chosen(const LaunchSite& site, const Update& u) {
  return choose(Configurations<R>::kDistances, R::kLanes, site.multiprocessors, u);
}

template <class R>
Configuration configuration(const LaunchSite& site, const Update& u) {
  if (u.via.data != nullptr) return Configurations<R>::kWitness;
  return Configurations<R>::kDistances[chosen<R>(site, u)].configuration;
}

template <class R, bool kNegated>
void launch_witness_product(const LaunchSite& site, const Update& u) {
  using Sh = Witness<R>;
  WitnessArguments w{arguments_of<R, Sh>(u, negation_of<R, kNegated>()),
                     static_cast<std::int32_t*>(u.via.data), u.via.stride, u.first_pivot};
  const std::int64_t blocks = std::int64_t{w.product.row_blocks} * w.product.col_blocks;
  if (blocks == 0) return;
  constexpr int kBytes = Product<R, Sh>::kSharedBytes;
  allow_shared_memory(witness_kernel<R, Sh>, kBytes, "preparing a product with via");
  witness_kernel<R, Sh><<<static_cast<unsigned>(blocks), Sh::kThreads, kBytes, site.stream>>>(w);
  check_launch("a product with via");
}

template <class R, bool kNegated>
void launch_multiply_add(const LaunchSite& site, const Update& u) {
  if (u.via.data != nullptr) return launch_witness_product<R, kNegated>(site, u);
  constexpr auto launches = std::array{launch_product<R, Distances<R, 0>, kNegated>,
                                       launch_product<R, Distances<R, 1>, kNegated>};
  static_assert(launches.size() == std::size(Configurations<R>::kDistances));
  launches[chosen<R>(site, u)](site, u);
}

template <class R, bool kNegated>
void launch_close(cudaStream_t stream, View d, View via, Cycles cycles, std::int64_t first_pivot,
                  unsigned long long* found_pivot) {
  if (d.rows == 0) return;
  CloseArguments p{};
  p.d = d.data;
  p.stride = d.stride;
  p.side = static_cast<int>(d.rows);
  p.via = static_cast<std::int32_t*>(via.data);
  p.via_stride = via.stride;
  p.cycles = cycles;
  p.first_pivot = first_pivot;
  p.found_pivot = found_pivot;
  p.negation = negation_of<R, kNegated>();
  if (via.data != nullptr) {
    close_kernel<R, true><<<1, close_threads(kCloseSide), 0, stream>>>(p);
  } else {
    close_kernel<R, false><<<1, close_threads(kCloseSide), 0, stream>>>(p);
  }
  check_launch("closing a tile");
}

/// Bytes of the counters of a whole solve, after the packed panels of one step.
inline constexpr std::int64_t kCountBytes = 256;
static_assert(sizeof(WholeCounts) <= kCountBytes);
template <class R>
std::int64_t whole_bytes(std::int64_t side) {
  return left_bytes<R>(side, kPanelSide) + right_bytes<R>(side, kPanelSide) + kCountBytes;
}

/// kTeams: of a block of threads.
template <class R, class Sh, int kTeams>
void launch_whole_teams(const LaunchSite& site, WholeArguments w) {
  const auto kernel = whole_kernel<R, Sh, kTeams>;
  constexpr int kThreads = kTeams * Sh::kThreads;
  constexpr int kBytes = Whole<R, Sh, kTeams>::kSharedBytes;
  allow_shared_memory(kernel, kBytes, "preparing a whole solve");
  const int together = kTeams > 1 ? 1 : blocks_that_fit(kernel, kThreads, kBytes);
  // All blocks must be resident at once, because they wait for each other.
  const ProductArguments& p = w.product;
  const std::int64_t strips = (p.left_slivers + p.right_slivers * R::kLanes) * (kSliver / kStrip);
  const std::int64_t work = std::max(strips, std::int64_t{p.row_blocks} * p.col_blocks);
  const auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>(work + together, std::int64_t{together} * site.multiprocessors));
  void* arguments[] = {&w};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                    dim3(kThreads), arguments, kBytes, site.stream),
        "launching a whole solve");
}

template <class R, class Sh, bool kNegated>
void launch_whole(const LaunchSite& site, View d, Cycles cycles, std::int64_t first_pivot,
                  unsigned long long* found_pivot, std::byte* scratch, bool alone) {
  if (d.rows == 0) return;
  std::byte* const right = scratch + left_bytes<R>(d.rows, kPanelSide);
  auto* const counts = reinterpret_cast<WholeCounts*>(right + right_bytes<R>(d.cols, kPanelSide));
  clear(site.stream, counts, kCountBytes);
  Update update;
  update.c = d;
  update.left = scratch;
  update.right = right;
  update.depth = kPanelSide;
  const WholeArguments w{arguments_of<R, Sh>(update, negation_of<R, kNegated>()), cycles,
                         first_pivot, found_pivot, counts};
  alone&& site.multiprocessors > 1 ? launch_whole_teams<R, Sh, Sh::kBlocks>(site, w)
                                   : launch_whole_teams<R, Sh, 1>(site, w);
}

template <class R>
double launch_peak(const LaunchSite& site, int stages, void* out) {
  using Sh = Distances<R, 0>;
  constexpr int kBytes = Product<R, Sh>::kSharedBytes;
  allow_shared_memory(peak_kernel<R, Sh>, kBytes, "preparing a peak");
  const int blocks = site.multiprocessors * Sh::kBlocks;
  peak_kernel<R, Sh><<<static_cast<unsigned>(blocks), Sh::kThreads, kBytes, site.stream>>>(
      static_cast<typename R::Sum*>(out), stages, 1);
  check_launch("a peak");
  return static_cast<double>(blocks) * stages * kDepthStep * Sh::kRows * Sh::kCols * R::kLanes;
}

/// kNegated: for the semiring with the reverse order of R's (`Negation`).
template <class R, bool kNegated>
DeviceOperations operations_of() {
  DeviceOperations operations;
  operations.value_size = sizeof(typename R::Value);
  operations.granule = kSliver * R::kLanes;
  operations.close_side = kCloseSide;
  operations.left_bytes = left_bytes<R>;
  operations.right_bytes = right_bytes<R>;
  operations.pack = launch_pack<R, kNegated>;
  operations.multiply_add = launch_multiply_add<R, kNegated>;
  operations.configuration = configuration<R>;
  operations.close = launch_close<R, kNegated>;
  operations.whole_side = Configurations<R>::kWholeSide;
  operations.whole_bytes = whole_bytes<R>;
  operations.whole = launch_whole<R, WholeShape<R>, kNegated>;
  operations.counts_rows =
      !kNegated && R::S::kKind == Semiring::min_plus && std::is_integral_v<typename R::Value>;
  // `apsp bench` does not measure signed sums and bottlenecks.
  if constexpr (R::S::kKind == Semiring::min_plus && !std::is_same_v<R, Signed>) {
    operations.peak = launch_peak<R>;
  }
  return operations;
}

template <class R>
DeviceOperations operations_of(bool negated) {
  if constexpr (R::kNegates) {
    if (negated) return operations_of<R, true>();
  }
  return operations_of<R, false>();
}

}  // namespace apsp::kernels::cuda
