#include "kernels/cuda/gathered_sums.hpp"

#include <algorithm>

#include "kernels/cuda/count_whole.hpp"
#include "kernels/cuda/cuda_runtime.hpp"
#include "kernels/cuda/listed_launch.cuh"

namespace apsp::kernels::cuda {
namespace {

constexpr int kReducingWarps =
    8;  // of a block; a warp reduces the weights of one item after another

__global__ void __launch_bounds__(kReducingWarps * 32) reduce_weights_kernel(ReducedWeights p) {
  const auto* const weights = reinterpret_cast<const std::int32_t*>(p.weights);
  auto* const reduced = reinterpret_cast<std::uint16_t*>(p.reduced);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  const std::int64_t step = std::int64_t{gridDim.x} * kReducingWarps;
  for (std::int64_t i = std::int64_t{blockIdx.x} * kReducingWarps + threadIdx.x / 32; i < p.count;
       i += step) {
    const ListedItem item = p.items[i];
    const std::int32_t* const list = p.lists + item.list;
    const int width = listed_width(item.rows), values = item.depth * width;
    for (int at = lane; at < values; at += 32) {
      const int k = at / width, row = min(at % width, item.rows - 1);
      const std::int32_t to =
          item.rows_are_listed != 0 ? p.lists[item.first_row + row] : item.first_row + row;
      reduced[item.weights + at] =
          reduced_listed(weights[item.weights + at], p.potentials[list[k]], p.potentials[to]);
    }
  }
}

}  // namespace

void set_listed_sums(Semiring semiring, ValueType type, Sign sign, DeviceOperations& operations) {
  with_sum(type, semiring == Semiring::min_plus && sign == Sign::non_negative,
           [&]<class R>() { set_listed<R>(operations); });
}

void set_whole_rows(DeviceOperations& operations) {
  operations.listed_form = ListedForm::whole;
  set_listed<WholeRows>(operations);
  operations.counts_rows = true;
  operations.count_distances = count_whole_rows();
}

void set_reduced_rows(DeviceOperations& operations) {
  operations.listed_form = ListedForm::reduced;
  set_listed<Relaxation<semiring::MinPlus<std::uint16_t>>>(operations);
  operations.count_distances = nullptr;
}

void launch_reduce_weights(const LaunchSite& site, const ReducedWeights& weights) {
  if (weights.count == 0) return;
  constexpr std::int64_t kBlocks = 8;  // of a multiprocessor
  const auto blocks = static_cast<unsigned>(std::min<std::int64_t>(
      (weights.count + kReducingWarps - 1) / kReducingWarps, site.multiprocessors * kBlocks));
  reduce_weights_kernel<<<blocks, kReducingWarps * 32, 0, site.stream>>>(weights);
  check_launch("reducing weights");
}

}  // namespace apsp::kernels::cuda
