#include "planner/device_front_plan.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "planner/device_model.hpp"
#include "sparse/device_front.hpp"
#include "sparse/eliminate.hpp"

namespace apsp::planner {
namespace {

using sparse::FrontBuffers;
using sparse::SupernodeId;

/// A device takes a front if that takes at most this share of the host's time: models are rough.
constexpr double kShareOfHost = 0.8;
/// Opening the device and loading kernels; s.
constexpr double kOpened = 5e-3;

class Choice {
 public:
  Choice(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
         const DevicePlan& plan, const RowCosts& costs)
      : problem_(problem),
        tree_(*by.tree),
        plan_(plan),
        costs_(costs),
        symmetric_(by.symmetric),
        sizes_(there.devices.sizes(problem.semiring, problem.type, problem.sign)),
        tile_(choose_device_tile(widest(false), sizes_->granule(), 0)),
        buffers_(*sizes_, problem.value_bytes(), tile_) {}

  std::int64_t tile() const { return tile_; }
  const FrontBuffers& buffers() const { return buffers_; }
  /// Host memory in addition to that of the host's fronts: strides are larger, and roots are
  /// copied.
  std::int64_t more_bytes() const {
    std::int64_t largest = 0;
    for (const SupernodeId s : shared_by_threads()) {
      const std::int64_t side = tree_.width(s) + tree_.structure_size(s);
      if (side > tree_.width(s)) largest = std::max(largest, side * side * problem_.value_bytes());
    }
    return std::max<std::int64_t>(0, buffers_.host_bytes() - largest);
  }

  /// Returns the fronts that the device eliminates completely. Roots are in the factor: they are
  /// included only if pinned memory for them is little more than for other fronts.
  std::vector<SupernodeId> fronts() {
    std::vector<SupernodeId> taken;
    double saved = -kOpened;
    for (const bool roots : {false, true}) {
      for (const SupernodeId s : shared_by_threads()) {
        const bool root = tree_.structure_size(s) == 0;
        if (root != roots || !pays(s) || !fits(s)) continue;
        buffers_.add(tree_.width(s), tree_.structure_size(s));
        saved += here(s) - on_device(s);
        taken.push_back(s);
      }
    }
    if (saved <= pinning(buffers_.host_bytes())) {
      buffers_ = FrontBuffers(*sizes_, problem_.value_bytes(), tile_);
      return {};
    }
    std::sort(taken.begin(), taken.end());
    return taken;
  }

  double here(SupernodeId s) const {
    const auto side = static_cast<double>(tree_.width(s) + tree_.structure_size(s));
    return static_cast<double>(tree_.width(s)) * side * side * costs_.front_relaxation;
  }
  double on_device(SupernodeId s) const {
    return front_seconds(plan_, {tree_.width(s), tree_.structure_size(s), bytes_of(s),
                                 buffers_.closed_at_once(), symmetric_});
  }
  double pinning(std::int64_t bytes) const {
    return static_cast<double>(bytes) / plan_.link.pinned;
  }

  // Seconds of a supernode that is only closed, in memory that is pinned for it.
  double closed_here(std::int64_t width) const {
    const auto side = static_cast<double>(width);
    return side * side * side * costs_.front_relaxation;
  }
  double closed_on_device(std::int64_t width) const {
    const std::int64_t bytes = width * width * problem_.value_bytes();
    return closing_seconds(plan_, width, sizes_->whole_side()) + pinning(bytes) +
           static_cast<double>(bytes) * (1 / plan_.link.in + 1 / plan_.link.out);
  }
  /// Returns the least width for which closing pays; 0: none here.
  std::int64_t closed_from(bool roots_only) const {
    constexpr std::int64_t kStep = 64;
    const std::int64_t most = widest(roots_only);
    if (closing_bytes(most) + buffers_.device_bytes() > plan_.bytes_allowed) return 0;
    for (std::int64_t width = kStep; width <= most; width += kStep) {
      if (closed_on_device(width) + kOpened <= kShareOfHost * closed_here(width)) return width;
    }
    return 0;
  }
  std::int64_t closing_bytes(std::int64_t width) const {
    return sparse::DeviceShare::closing_bytes(*sizes_, width, tile_, problem_.type);
  }
  std::int64_t widest(bool roots_only) const {
    std::int64_t widest = 0;
    for (SupernodeId s = 0; s < tree_.supernodes(); ++s) {
      if (roots_only && tree_.structure_size(s) > 0) continue;
      widest = std::max<std::int64_t>(widest, tree_.width(s));
    }
    return widest;
  }

 private:
  std::vector<SupernodeId> shared_by_threads() const {
    if (problem_.threads > 1) return sparse::subtrees_of(tree_, problem_.threads).above;
    std::vector<SupernodeId> all(static_cast<std::size_t>(tree_.supernodes()));
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  std::int64_t bytes_of(SupernodeId s) const {
    const std::int64_t side = tree_.width(s) + tree_.structure_size(s);
    return side * sizes_->stride(side) * problem_.value_bytes();
  }
  bool pays(SupernodeId s) const {
    if (tree_.structure_size(s) > 0) return on_device(s) <= kShareOfHost * here(s);
    const std::int64_t more = std::max<std::int64_t>(0, bytes_of(s) - buffers_.host_bytes());
    return on_device(s) + pinning(more) <=
           kShareOfHost * std::min(here(s), closed_on_device(tree_.width(s)));
  }
  bool fits(SupernodeId s) const {
    FrontBuffers with = buffers_;
    with.add(tree_.width(s), tree_.structure_size(s));
    return with.device_bytes() <= plan_.bytes_allowed;
  }

  const Problem& problem_;
  const sparse::Tree& tree_;
  const DevicePlan& plan_;
  const RowCosts& costs_;
  bool symmetric_;
  std::unique_ptr<kernels::DeviceSizes> sizes_;
  std::int64_t tile_;
  FrontBuffers buffers_;
};

}  // namespace

void eliminate_on_device(const Problem& problem, const NamedDevice& there, const RowsByFactor& by,
                         SweepsOnDevice& sweeps, DevicePlan& plan, RowCosts& costs) {
  const sparse::Tree& tree = *by.tree;
  const RowCosts by_host = costs;
  Choice choice(problem, there, by, plan, by_host);
  sweeps.fronts = choice.fronts();
  std::int64_t bytes = choice.buffers().device_bytes();
  if (!sweeps.fronts.empty()) {
    costs.making_seconds += kOpened + choice.pinning(choice.buffers().host_bytes());
    costs.making_bytes += choice.more_bytes();
  }
  for (const SupernodeId s : sweeps.fronts) {
    costs.making_seconds += choice.on_device(s) - choice.here(s);
  }
  std::int64_t widest = 0;
  const std::int64_t from = choice.closed_from(!sweeps.fronts.empty());
  for (SupernodeId s = 0; s < tree.supernodes() && from > 0; ++s) {
    const std::int64_t width = tree.width(s);
    const bool taken = std::binary_search(sweeps.fronts.begin(), sweeps.fronts.end(), s);
    const bool beside = !sweeps.fronts.empty() && tree.structure_size(s) > 0;
    if (width < from || taken || beside) continue;
    widest = std::max(widest, width);
    costs.making_seconds += choice.closed_on_device(width) - choice.closed_here(width);
  }
  if (widest > 0) {
    sweeps.closed_from = from;
    if (sweeps.fronts.empty()) costs.making_seconds += kOpened;
    bytes += choice.closing_bytes(widest);
  }
  if (sweeps.eliminates()) sweeps.closed_tile = choice.tile();
  plan.bytes = std::max(plan.bytes, bytes);
}

}  // namespace apsp::planner
