// What is planned for matrices that do not fit: sizes that hold what they promise, and seconds that
// follow the model.
#include "dense/offload_plan.hpp"

#include "dense/device_memory.hpp"
#include "dense/resident_matrix.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::dense::offload_plan_test {
namespace {

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
/// One H200.
constexpr OffloadRates kRates{.relaxations = 15.5e12, .in = 55e9, .out = 55e9, .both = 84e9};

class OffloadPlanTest : public testing::Test {
 protected:
  OffloadPlan plan(std::int64_t n, std::int64_t memory, bool via = false) const {
    return plan_offload({n, 4, via, 512, memory}, kRates, device_->tiles());
  }
  /// Seconds of work alone over predicted seconds.
  double efficiency(std::int64_t n, std::int64_t memory) const {
    const OffloadPlan p = plan(n, memory);
    return p.work / p.seconds;
  }
  std::unique_ptr<kernels::ComputeDevice> device_ =
      kernels::strict::make_device(Semiring::min_plus, ValueType::f32, 0);
};

TEST_F(OffloadPlanTest, StaysWithinTheMemory) {
  for (const std::int64_t n : {1000, 4096, 65536}) {
    for (std::int64_t memory = 1 << 20; memory < 40 * kGiB; memory *= 2) {
      if (memory < least_offload_bytes({n, 4, false, 512, 0}, device_->tiles())) continue;
      const OffloadPlan p = plan(n, memory);
      EXPECT_LE(p.device_bytes, memory);
      EXPECT_GT(p.width, 0);
      EXPECT_EQ(p.width % device_->tiles().granule(), 0);
      EXPECT_EQ(p.strip_rows % device_->tiles().granule(), 0);
      EXPECT_TRUE(p.resident_rows == n || p.resident_rows % p.width == 0);
      EXPECT_EQ(p.buffers == 0, p.resident_rows == n);
      EXPECT_GE(p.seconds, std::max(p.work, p.copies));
    }
  }
}

TEST_F(OffloadPlanTest, SizesThatAreGivenAreTaken) {
  const OffloadProblem problem{4096, 4, false, 512, kGiB};
  const OffloadPlan p = streamed_plan(problem, device_->tiles(), 256, 128, 3);
  EXPECT_EQ(p.width, 256);
  EXPECT_EQ(p.strip_rows, 128);
  EXPECT_EQ(p.buffers, 3);
  EXPECT_EQ(p.resident_rows, 0);
  EXPECT_GE(p.buffer_values, 128 * 4096);
  EXPECT_GE(p.device_bytes, 3 * p.buffer_values * 4);
}

TEST_F(OffloadPlanTest, WhatResidesTakesTheMatrixAndWhatClosesATile) {
  const std::int64_t n = device_->tiles().granule();  // one panel
  const OffloadPlan p = plan(n, kGiB);
  ASSERT_EQ(p.buffers, 0);
  const TiledMatrix tile{{nullptr, n, n, n}, 4, 512};
  EXPECT_EQ(p.device_bytes, n * device_->tiles().stride(n) * 4 +
                                ResidentMatrix::device_bytes(device_->tiles(), tile, n));
}

TEST_F(OffloadPlanTest, SizesThatDoNotFitAreRefused) {
  const OffloadProblem problem{4096, 4, false, 512, 1 << 20};
  EXPECT_ERROR(does_not_fit, streamed_plan(problem, device_->tiles(), 256, 128, 3));
}

TEST_F(OffloadPlanTest, MoreMemoryNeverCosts) {
  double before = 1e300;
  for (std::int64_t memory = kGiB / 2; memory < 24 * kGiB; memory += kGiB / 2) {
    const double seconds = plan(65536, memory).seconds;
    EXPECT_LE(seconds, 1.001 * before) << memory;
    before = seconds;
  }
}

TEST_F(OffloadPlanTest, PanelsAreWideEnoughToHideCopies) {
  // Eq. 5: 15.5e12 · 2 · 4 bytes / 84e9 bytes, less what resides.
  const OffloadPlan p = plan(65536, 4 * kGiB);
  const double streamed = 1 - static_cast<double>(p.resident_rows) / 65536;
  EXPECT_GE(static_cast<double>(p.width), 15.5e12 * 2 * 4 / 84e9 * streamed);
}

TEST_F(OffloadPlanTest, AQuarterOfTheMatrixIsEnoughOnAnH200) {
  EXPECT_GE(efficiency(65536, 4 * kGiB), 0.93);
  EXPECT_GE(efficiency(65536, 2 * kGiB), 0.85);
  EXPECT_GE(efficiency(65536, 20 * kGiB), 0.96) << "all of it resides";
}

TEST_F(OffloadPlanTest, ViaTakesMemoryAndTraffic) {
  const OffloadPlan without = plan(65536, 4 * kGiB), with = plan(65536, 4 * kGiB, true);
  EXPECT_LE(with.device_bytes, 4 * kGiB);
  EXPECT_GT(with.seconds, without.seconds);
  EXPECT_GT(with.copies, without.copies);
}

TEST_F(OffloadPlanTest, ASymmetricMatrixTakesHalfTheWorkAndTheTraffic) {
  for (const std::int64_t memory : {kGiB, 4 * kGiB, 12 * kGiB}) {
    const OffloadPlan full = plan(65536, memory);
    const OffloadPlan half =
        plan_offload({65536, 4, false, 512, memory, Shape::symmetric}, kRates, device_->tiles());
    EXPECT_LE(half.device_bytes, memory);
    EXPECT_NEAR(half.work / full.work, 0.5, 0.03);
    EXPECT_NEAR(half.seconds / full.seconds, 0.5, 0.05) << memory;
  }
}

TEST_F(OffloadPlanTest, TooLittleMemorySaysWhatWouldDo) {
  for (const std::int64_t n : {1, 100, 1000, 65536}) {
    const std::int64_t enough = least_offload_bytes({n, 4, false, 512, 0}, device_->tiles());
    EXPECT_NO_THROW(plan(n, enough)) << n;
    EXPECT_THROW(plan(n, enough - 1), Error) << n;
  }
  const OffloadProblem problem{65536, 4, false, 512, 0};
  const std::int64_t least = least_offload_bytes(problem, device_->tiles());
  EXPECT_ERROR(does_not_fit, plan(65536, least - 1));
}

/// The model of offload_plan.hpp, one step after another.
struct Model {
  double work = 0, copies = 0, seconds = 0;
};
Model model_of(const OffloadProblem& problem, const OffloadRates& rates, const OffloadPlan& plan,
               double product_rows) {
  const auto n = static_cast<double>(problem.n), rows = static_cast<double>(plan.resident_rows);
  const auto width = static_cast<double>(plan.width), strip = static_cast<double>(plan.strip_rows);
  const auto buffers = static_cast<double>(plan.buffers);
  const double devices = problem.devices, columns = problem.columns_per_value;
  const bool half = problem.shape == Shape::symmetric;
  const double pair = (problem.value_size + (problem.tracks_via ? 4 : 0)) / columns;
  const double passing =
      (half ? (n * n - rows * rows + (n - rows) * strip) / 2 : (n - rows) * n) / devices;
  const double staying = half ? rows * rows / 2 : rows * n;
  const double share = buffers > 0 ? strip / (std::ceil(strip / product_rows) * product_rows) : 1;
  const double in = passing * pair / rates.in, out = passing * pair / rates.out;
  Model model;
  for (double first = 0; first < n; first += width) {
    const double depth = std::min(width, n - first);
    const double passing_work = passing * depth / rates.relaxations / share;
    const double work = passing_work + staying * depth / rates.relaxations;
    const double copies = std::max({in, out, 2 * passing * pair / rates.both});
    double step = std::max(work, copies) + depth * depth * depth / rates.relaxations;
    if (buffers > 0) {
      step = std::max(step, (passing_work + in + out) / buffers) +
             0.15 * std::min(work, copies) / buffers + 1e-5 * (n - rows) / strip / devices;
    }
    const double panels = (half ? 2 : 1) * n * depth * problem.value_size / columns;
    step += panels * (devices - 1) / devices / rates.peers;
    model.work += work;
    model.copies += copies;
    model.seconds += step;
  }
  const double resident = rows * (half ? rows : n) * pair;
  const double transposed = half ? (n * n - rows * rows) / 2 * pair / devices : 0;
  const double side = buffers > 0 ? std::min(width, n) : 0;  // of the first diagonal tile
  const double alone =
      resident / rates.in + (resident + transposed) / rates.out + side * side * pair / rates.in;
  model.copies += alone;
  model.seconds += alone;
  return model;
}

/// Small and large ones, whose last step is or is not as wide as the others.
std::vector<OffloadProblem> problems() {
  std::vector<OffloadProblem> all;
  for (const std::int64_t n : {1000, 1024, 30'000}) {
    for (const std::int64_t part : {2, 8}) {
      for (const int devices : {1, 4}) {
        for (const Shape shape : {Shape::full, Shape::symmetric}) {
          for (const bool via : {false, true}) {
            OffloadProblem problem{n, 4, via, 512, n * n * (via ? 8 : 4) / part};
            problem.shape = shape;
            problem.devices = devices;
            all.push_back(problem);
          }
          OffloadProblem bits{n, 4, false, 512, n * n / 8 / part, shape, devices, 32};
          all.push_back(bits);
        }
      }
    }
  }
  return all;
}

TEST_F(OffloadPlanTest, SecondsAreThoseOfTheModelAndNoOtherSizesHaveFewer) {
  // One rate each, in turn, decides.
  const OffloadRates rates[] = {kRates,
                                {15e12, 10e9, 55e9, 84e9},
                                {15e12, 55e9, 10e9, 84e9, 50e9},
                                {1e12, 55e9, 50e9, 100e9}};
  const auto product_rows = static_cast<double>(device_->tiles().product_rows());
  const auto bytes_of_rows = [&](const OffloadProblem& problem, std::int64_t rows) {
    const std::int64_t columns = problem.shape == Shape::symmetric ? rows : problem.n;
    return rows * device_->tiles().stride(problem.values_of(columns)) *
           (problem.value_size + (problem.tracks_via ? kernels::kViaSize : 0));
  };
  std::size_t streamed = 0;
  for (const OffloadProblem& problem : problems()) {
    if (problem.device_memory < least_offload_bytes(problem, device_->tiles())) continue;
    for (const OffloadRates& rate : rates) {
      const OffloadPlan plan = plan_offload(problem, rate, device_->tiles());
      const Model model = model_of(problem, rate, plan, product_rows);
      EXPECT_NEAR(plan.work, model.work, 1e-9 * model.work) << problem.n;
      EXPECT_NEAR(plan.copies, model.copies, 1e-9 * model.copies) << problem.n;
      EXPECT_NEAR(plan.seconds, model.seconds, 1e-9 * model.seconds) << problem.n;
      if (plan.buffers == 0) continue;
      const std::int64_t fixed = plan.device_bytes - bytes_of_rows(problem, plan.resident_rows);
      ++streamed;
      for (OffloadPlan other = plan; problem.devices == 1;) {  // more rows that stay
        const std::int64_t rows = other.resident_rows += plan.width;
        if (rows >= problem.n || fixed + bytes_of_rows(problem, rows) > problem.device_memory)
          break;
        EXPECT_GE(model_of(problem, rate, other, product_rows).seconds * (1 + 1e-9), plan.seconds)
            << problem.n << ": " << rows << " rows stay";
      }
      for (const std::int64_t width :
           {device_->tiles().granule(), std::int64_t{512}, 2 * plan.width}) {
        for (std::int64_t strip = device_->tiles().granule(); strip <= width; strip *= 2) {
          for (std::int64_t buffers = 2; buffers <= 6; ++buffers) {
            OffloadProblem any = problem;
            any.device_memory = std::int64_t{1} << 50;
            const OffloadPlan other = streamed_plan(any, device_->tiles(), width, strip, buffers);
            if (other.device_bytes > problem.device_memory || width > problem.n) continue;
            EXPECT_GE(model_of(problem, rate, other, product_rows).seconds * (1 + 1e-9),
                      plan.seconds)
                << problem.n << ": " << width << ' ' << strip << ' ' << buffers;
          }
        }
      }
    }
  }
  EXPECT_GT(streamed, 50U);
}

TEST(OffloadPlan, LowStripsAreWorthLessThanTheirShare) {
  class TallProducts final : public kernels::DeviceSizes {
   public:
    std::int64_t granule() const override { return sizes_->granule(); }
    std::int64_t product_rows() const override { return 1024; }
    std::int64_t stride(std::int64_t cols) const override { return sizes_->stride(cols); }
    std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const override {
      return sizes_->left_bytes(rows, depth);
    }
    std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const override {
      return sizes_->right_bytes(cols, depth);
    }
    std::int64_t close_bytes(std::int64_t side) const override { return sizes_->close_bytes(side); }

   private:
    std::unique_ptr<kernels::DeviceSizes> sizes_ = kernels::strict::bit_sizes();
  };
  constexpr std::int64_t kN = 65536, kMemory = std::int64_t{2} << 30;
  constexpr OffloadRates kQuick{.relaxations = 5e14, .in = 5e10, .out = 5e10, .both = 8e10};
  const OffloadPlan plan = plan_offload(
      {.n = kN, .value_size = 4, .tile = 128, .device_memory = kMemory, .columns_per_value = 32},
      kQuick, TallProducts());
  EXPECT_GT(plan.buffers, 0);
  EXPECT_GE(plan.strip_rows, 1024);
  const double work = static_cast<double>(kN) * kN * kN / kQuick.relaxations;
  EXPECT_NEAR(plan.work / work, 1, 1e-6);
}

}  // namespace
}  // namespace apsp::dense::offload_plan_test
