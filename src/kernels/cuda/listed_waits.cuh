// Blocks of threads that wait for others of the same launch (`ListedGroup`,
// kernels/listed_rows.hpp).
//
// A block takes the next number when it starts, not the one that it was given, and items stand so
// that those which an item waits for have smaller numbers. So whoever is waited for has started,
// and no order in which the device starts blocks can have them wait for ever. What is done is
// counted by groups and strips of columns.
#pragma once

#include <cstdint>

#include "kernels/cuda/block_order.cuh"
#include "kernels/cuda/listed.cuh"

namespace apsp::kernels::cuda {

/// What a block of threads takes.
struct ListedTask {
  int item, strip;
};

/// Called by all threads of a block.
__device__ inline ListedTask take_task(const ListedArguments& p) {
  if (p.groups == nullptr) return {static_cast<int>(blockIdx.x), static_cast<int>(blockIdx.y)};
  __shared__ int number;
  if (threadIdx.x == 0) number = atomicAdd(p.progress, 1);
  __syncthreads();
  return {number / p.strips, number % p.strips};
}

/// Of a block of threads; in its shared memory.
class ListedWaits {
 public:
  __device__ void set(const ListedArguments& p, const ListedItem& item, int strip) {
    groups_ = p.groups;
    near_ = 0;
    if (groups_ == nullptr) return;
    const ListedGroup& mine = groups_[item.group];
    near_ = mine.near;
    above_ = mine.above;
    counted_ = reinterpret_cast<unsigned*>(p.progress) + 1 + strip;
    strips_ = p.strips;
    own_ = item.group;
  }

  /// Listed rows of the group above.
  __device__ int near() const { return near_; }
  /// All threads of the block wait for rows of groups further above.
  __device__ void await_far() const {
    if (groups_ != nullptr && above_ >= 0) await(groups_[above_].above);
  }
  /// And for those of the group above.
  __device__ void await_near() const {
    if (groups_ != nullptr) await(above_);
  }
  /// What all threads of the block have written is there.
  __device__ void finish() const {
    if (groups_ == nullptr) return;
    __syncthreads();
    if (threadIdx.x == 0) raise_behind_barrier(counted_ + own_ * strips_);
  }

 private:
  __device__ void await(int group) const {
    if (group < 0) return;
    if (threadIdx.x == 0) {
      await_at_least<100>(counted_ + group * strips_, static_cast<unsigned>(groups_[group].items));
    }
    __syncthreads();
  }

  const ListedGroup* groups_;
  unsigned* counted_;  // items of group 0 in this strip
  int strips_, near_, above_, own_;
};

}  // namespace apsp::kernels::cuda
