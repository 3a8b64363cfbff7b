// Tests on the first GPU; skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "kernels/cuda/cuda_device.hpp"

namespace apsp {

class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::cuda::devices().empty()) GTEST_SKIP() << kernels::cuda::why_no_device();
  }
};

inline std::unique_ptr<kernels::ComputeDevice> gpu(
    Semiring semiring, ValueType type, kernels::Sign sign = kernels::Sign::non_negative) {
  return kernels::cuda::make_device(0, semiring, type, sign);
}

}  // namespace apsp
