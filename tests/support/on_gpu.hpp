// Tests on the first GPU; skipped, with the reason, where there is none.
#pragma once

#include <gtest/gtest.h>

#include "kernels/cuda/cuda_device.hpp"

namespace apsp {

class OnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (kernels::cuda::devices().empty()) GTEST_SKIP() << kernels::cuda::why_no_device();
  }
};

}  // namespace apsp
