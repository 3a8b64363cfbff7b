// One host memory, a team of threads, and a semiring of one's own: the Place and the schedule of
// the built-in semirings (one_memory.hpp), with other kernels (kernels/own/own_kernels.hpp).
#pragma once

#include "kernels/own/own_kernels.hpp"
#include "places/one_memory.hpp"

namespace apsp::places {

class OwnMemory : public OneMemory {
 public:
  OwnMemory(TiledMatrix tiling, const detail::OwnKernels& own, int threads, const Control& control)
      : OneMemory(tiling,
                  {kernels::own::left_bytes(own, tiling.tile, tiling.tile),
                   kernels::own::right_bytes(own, tiling.tile, tiling.tile)},
                  threads, control),
        own_(own) {}

 private:
  void pack_left(kernels::ConstView a, bool, void* out) const override {
    kernels::own::pack_left(own_, a, out);
  }
  void pack_right(kernels::ConstView b, bool, void* out) const override {
    kernels::own::pack_right(own_, b, out);
  }
  void multiply_add(kernels::View c, const void* left, const void* right,
                    std::int64_t depth) const override {
    kernels::own::multiply_add(own_, c, left, right, depth);
  }
  std::int64_t close(kernels::View d) const override { return kernels::own::close(own_, d); }

  const detail::OwnKernels& own_;
};

}  // namespace apsp::places
