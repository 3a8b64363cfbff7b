// The launch of Floyd-Warshall as one kernel (whole.cuh).
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/cuda/arguments.cuh"
#include "kernels/cuda/cuda_error.hpp"
#include "kernels/cuda/device_operations.hpp"
#include "kernels/cuda/whole.cuh"

namespace apsp::kernels::cuda {

/// Packed panels of one step, and what the blocks of threads tell each other.
inline constexpr std::int64_t kCountBytes = 256;
static_assert(sizeof(WholeCounts) <= kCountBytes);
template <class R>
std::int64_t whole_bytes(std::int64_t side) {
  return left_bytes<R>(side, kPanelSide) + right_bytes<R>(side, kPanelSide) + kCountBytes;
}

template <class R, class Sh, bool kNegated>
void launch_whole(const LaunchSite& site, View d, Cycles cycles, std::int64_t first_pivot,
                  unsigned long long* found_pivot, std::byte* scratch) {
  if (d.rows == 0) return;
  std::byte* const right = scratch + left_bytes<R>(d.rows, kPanelSide);
  auto* const counts = reinterpret_cast<WholeCounts*>(right + right_bytes<R>(d.cols, kPanelSide));
  check(cudaMemsetAsync(counts, 0, kCountBytes, site.stream), "clearing");
  Update update;
  update.c = d;
  update.left = scratch;
  update.right = right;
  update.depth = kPanelSide;
  WholeArguments w{arguments_of<R, Sh>(update, negation_of<R, kNegated>()), cycles, first_pivot,
                   found_pivot, counts};

  const auto kernel = whole_kernel<R, Sh>;
  constexpr int kBytes = Whole<R, Sh>::kSharedBytes;
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kBytes),
        "preparing a whole solve");
  int together = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&together, kernel, Sh::kThreads, kBytes),
        "asking how many blocks fit");
  // Blocks wait for each other, so all must be on the device at once. More blocks than there is
  // work for would only wait.
  const ProductArguments& p = w.product;
  const std::int64_t strips = (p.left_slivers + p.right_slivers * R::kLanes) * (kSliver / kStrip);
  const std::int64_t work = std::max(strips, std::int64_t{p.row_blocks} * p.col_blocks);
  const auto blocks = static_cast<unsigned>(
      std::min<std::int64_t>(work + together, std::int64_t{together} * site.multiprocessors));
  void* arguments[] = {&w};
  check(cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                    dim3(Sh::kThreads), arguments, kBytes, site.stream),
        "launching a whole solve");
}

}  // namespace apsp::kernels::cuda
