#include "planner/device_sweep_plan.hpp"

#include <gtest/gtest.h>
#include <apsp/graph.hpp>

#include <algorithm>
#include <memory>
#include <vector>

#include "planner/dense_model.hpp"
#include "planner/device_plan.hpp"
#include "sparse/device_front.hpp"
#include "sparse/eliminate.hpp"
#include "support/factor_of.hpp"
#include "support/invented_devices.hpp"
#include "support/mesh.hpp"

namespace apsp::planner {
namespace {

using sparse::SupernodeId;

/// A mesh, and what is planned of its elimination on an H200.
struct PlannedFronts {
  static constexpr double kMaking = 10;  // s, by the host
  RowsByFactor by{.tree = sparse::dissected(cube()), .symmetric = true};
  Problem problem{.type = ValueType::u16, .threads = 2, .sign = kernels::Sign::non_negative};
  SweepsOnDevice sweeps{};
  RowCosts costs{};
  NamedDevice device = named_device({.device = Device::cuda}, one_device);
  DevicePlan plan;

  /// `relaxation`: s, of the host.
  explicit PlannedFronts(double relaxation, int threads = 2, std::int64_t memory = 0) {
    problem.threads = threads;
    costs.making_seconds = kMaking;
    costs.front_relaxation = relaxation;
    plan = begun_plan(problem.kernel(), tree().vertices(), memory, device.devices, device.taken);
    eliminate_on_device(problem, device, by, sweeps, plan, costs);
  }
  static const Graph& cube() {
    static const Graph graph = mesh(16);
    return graph;
  }
  const sparse::Tree& tree() const { return *by.tree; }
  sparse::FrontBuffers buffers() const {
    sizes = device.devices.sizes(problem.semiring, problem.type, problem.sign);
    sparse::FrontBuffers buffers(*sizes, size_of(problem.type), sweeps.closed_tile);
    for (const SupernodeId s : sweeps.fronts) {
      buffers.add(tree().width(s), tree().structure_size(s));
    }
    return buffers;
  }
  /// Of the root, if it is only closed there, while memory of fronts is held.
  std::int64_t closing_bytes() const {
    const SupernodeId root = tree().supernodes() - 1;
    const bool whole = std::binary_search(sweeps.fronts.begin(), sweeps.fronts.end(), root);
    if (whole || sweeps.closed_from == 0) return 0;
    return sparse::DeviceShare::closing_bytes(*sizes, tree().width(root), sweeps.closed_tile,
                                              problem.type);
  }
  mutable std::unique_ptr<kernels::DeviceSizes> sizes{};
};

constexpr double kSlow = 1e-9, kFast = 1e-13;

TEST(DeviceFrontPlan, TakesFrontsOnWhichAllThreadsWork) {
  const PlannedFronts planned(kSlow);
  const SweepsOnDevice& sweeps = planned.sweeps;
  ASSERT_FALSE(sweeps.fronts.empty());
  EXPECT_TRUE(sweeps.eliminates());
  EXPECT_TRUE(std::is_sorted(sweeps.fronts.begin(), sweeps.fronts.end()));
  EXPECT_GT(sweeps.closed_tile, 0);
  const auto above = sparse::subtrees_of(planned.tree(), 2).above;
  for (const SupernodeId s : sweeps.fronts) {
    EXPECT_NE(std::find(above.begin(), above.end(), s), above.end());
  }
  EXPECT_GT(PlannedFronts(kSlow, 1).sweeps.fronts.size(), sweeps.fronts.size())
      << "one thread works on all";
}

TEST(DeviceFrontPlan, TakesTheFewerTheFasterTheHostIs) {
  const PlannedFronts slow(kSlow, 1), slower(100 * kSlow, 1), fast(kFast, 1);
  EXPECT_GT(slower.sweeps.fronts.size(), slow.sweeps.fronts.size());
  EXPECT_TRUE(fast.sweeps.fronts.empty());
  EXPECT_FALSE(fast.sweeps.eliminates());
  EXPECT_EQ(fast.costs.making_seconds, PlannedFronts::kMaking);
  EXPECT_EQ(fast.plan.bytes, 0);
  std::int64_t least = fast.tree().vertices();
  for (const SupernodeId s : slow.sweeps.fronts) {
    least = std::min<std::int64_t>(least, slow.tree().width(s) + slow.tree().structure_size(s));
  }
  EXPECT_GT(least, 32) << "smaller fronts are not worth launches";
}

TEST(DeviceFrontPlan, PredictsWhatIsSaved) {
  const PlannedFronts planned(kSlow);
  double taken = 0;
  for (const SupernodeId s : planned.sweeps.fronts) {
    const auto width = static_cast<double>(planned.tree().width(s));
    const double side = width + static_cast<double>(planned.tree().structure_size(s));
    taken += width * side * side * kSlow;
  }
  EXPECT_LT(planned.costs.making_seconds, PlannedFronts::kMaking - taken / 2);
  EXPECT_GT(planned.costs.making_seconds,
            PlannedFronts::kMaking - planned.tree().elimination_relaxations() * kSlow);
}

TEST(DeviceFrontPlan, KnowsTheMemoryOfFronts) {
  const PlannedFronts planned(kSlow);
  EXPECT_EQ(planned.plan.bytes, planned.buffers().device_bytes() + planned.closing_bytes());
  EXPECT_GT(planned.costs.making_bytes, 0) << "rows lie further apart";
  const PlannedFronts less(kSlow, 2, planned.plan.bytes - 1);
  EXPECT_LT(less.plan.bytes, planned.plan.bytes);
  EXPECT_FALSE(less.sweeps.fronts.empty()) << "smaller ones fit";
  EXPECT_FALSE(PlannedFronts(kSlow, 2, 1000).sweeps.eliminates());
}

TEST(DeviceFrontPlan, ClosesWhatItDoesNotTakeWhole) {
  Problem problem{.type = ValueType::u16, .threads = 2, .sign = kernels::Sign::non_negative};
  const NamedDevice device = named_device({.device = Device::cuda}, one_device);
  const std::vector<sparse::Position> first = {0};
  sparse::Pattern pattern;  // one supernode
  constexpr std::int64_t kVertices = 3000;
  for (std::int64_t v = 0; v < kVertices; ++v) pattern.offsets.push_back(0);
  const RowsByFactor by{.tree = std::make_shared<const sparse::Tree>(
                            pattern, sparse::natural_order(kVertices), first)};
  SweepsOnDevice sweeps;
  RowCosts costs{.making_seconds = 10, .front_relaxation = 1e-11};
  DevicePlan plan = begun_plan(problem.kernel(), kVertices, 0, device.devices, device.taken);
  eliminate_on_device(problem, device, by, sweeps, plan, costs);
  EXPECT_TRUE(sweeps.fronts.empty()) << "roots go there whole only beside other fronts";
  EXPECT_GT(sweeps.closed_from, 0);
  EXPECT_LE(sweeps.closed_from, kVertices);
  EXPECT_LT(costs.making_seconds, 10);
  EXPECT_GE(plan.bytes, kVertices * kVertices * 2);
}

TEST(DeviceFrontPlan, SaysHowLongAFrontTakes) {
  const PlannedFronts planned(kSlow);
  const FrontOnDevice front{
      .width = 500, .upper = 2000, .bytes = 2500 * 2560 * 2, .at_once = 2560, .symmetric = true};
  const double seconds = front_seconds(planned.plan, front);
  EXPECT_GT(seconds, 0.3e-3);
  EXPECT_LT(seconds, 3e-3);
  for (const auto grow :
       {+[](FrontOnDevice& of) { of.width *= 2; }, +[](FrontOnDevice& of) { of.upper *= 8; },
        +[](FrontOnDevice& of) { of.bytes *= 4; },
        +[](FrontOnDevice& of) { of.upper *= 8, of.symmetric = false; }}) {
    FrontOnDevice larger = front;
    grow(larger);
    EXPECT_GT(front_seconds(planned.plan, larger), seconds);
  }
  EXPECT_GT(closing_seconds(planned.plan, 5000, 2560), closing_seconds(planned.plan, 2560, 2560));
}

}  // namespace
}  // namespace apsp::planner
