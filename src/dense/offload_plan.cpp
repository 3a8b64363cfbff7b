#include "dense/offload_plan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>

#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "dense/resident_matrix.hpp"

namespace apsp::dense {
namespace {

using base::rounded_up;

constexpr double kUnhidden = 0.15;  // share of the hidden time that shows, with one buffer
constexpr double kClosing = 1;      // a diagonal tile is closed at half the rate
constexpr std::int64_t kLeastBuffers = 2, kMostBuffers = 6;
constexpr std::int64_t kWidthsToTry = 512;

class Planner {
 public:
  Planner(const OffloadProblem& problem, const OffloadRates& rates,
          const kernels::DeviceSizes& device)
      : problem_(problem),
        rates_(rates),
        device_(device),
        granule_(device.granule()),
        plane_bytes_(problem.value_size + (problem.tracks_via ? kernels::kViaSize : 0)),
        pair_bytes_(static_cast<double>(plane_bytes_) / problem.columns_per_value),
        symmetric_(problem.shape == Shape::symmetric),
        alone_(problem.devices == 1),
        devices_(problem.devices) {}

  OffloadPlan best() const {
    OffloadPlan best;
    const std::int64_t widest = rounded_up(problem_.n, granule_);
    std::int64_t width = granule_;
    for (; width < problem_.tile && width < widest; width *= 2) consider_width(width, best);
    // Wider panels are whole tiles, for which kernels are at their best.
    const std::int64_t tile = rounded_up(problem_.tile, granule_);
    const std::int64_t step = rounded_up((widest + kWidthsToTry - 1) / kWidthsToTry, tile);
    for (width = std::min(tile, widest); width <= rounded_up(widest, step); width += step) {
      consider_width(std::min(width, widest), best);
    }
    if (best.width > 0) return best;
    throw Error(ErrorKind::does_not_fit,
                fmt::format("a matrix of {} vertices needs at least {} of {} to stream through; {} "
                            "may be used",
                            problem_.n, base::format_bytes(least()),
                            alone_ ? "the device's memory" : "the memory of each device",
                            base::format_bytes(problem_.device_memory)));
  }

  /// Returns the plan with these panels and buffers and no resident rows, without a prediction.
  OffloadPlan streamed(std::int64_t width, std::int64_t strip, std::int64_t buffers) const {
    OffloadPlan plan{width, 0, buffers, strip, buffer_values(width, strip)};
    plan.shape = problem_.shape;
    plan.devices = problem_.devices;
    plan.device_bytes = fixed_bytes(width, strip) + buffers * plan.buffer_values * plane_bytes_;
    return plan;
  }

  std::int64_t least() const {
    const std::int64_t resident = fixed_bytes(granule_, 0) + resident_bytes(problem_.n);
    const std::int64_t streamed = fixed_bytes(granule_, granule_) +
                                  kLeastBuffers * buffer_values(granule_, granule_) * plane_bytes_;
    return alone_ ? std::min(resident, streamed) : streamed;
  }

 private:
  std::int64_t stride(std::int64_t columns) const {
    return device_.stride(problem_.values_of(columns));
  }

  /// A buffer takes strip rows of the whole matrix, or a granule of a panel's length.
  std::int64_t buffer_values(std::int64_t width, std::int64_t strip) const {
    return std::max(
        {strip * stride(problem_.n), width * stride(granule_), granule_ * stride(width)});
  }

  /// Panels and what closes a diagonal tile; the tile itself where rows stream.
  std::int64_t fixed_bytes(std::int64_t width, std::int64_t strip) const {
    const std::int64_t side = std::min(width, problem_.n);
    const std::int64_t values = problem_.values_of(side);
    const TiledMatrix diagonal{{nullptr, side, values, values},
                               problem_.value_size,
                               problem_.tile,
                               problem_.columns_per_value};
    const std::int64_t panels =
        problem_.n <= width
            ? 0
            : device_.left_bytes(problem_.n, side) +
                  device_.right_bytes(problem_.values_of(problem_.n), side) +
                  device_.left_bytes(side, side) + device_.right_bytes(values, side);
    return panels + ResidentMatrix::device_bytes(device_, diagonal, diagonal.n()) +
           (strip > 0 ? side * stride(side) * plane_bytes_ : 0);
  }

  std::int64_t resident_bytes(std::int64_t rows) const {
    return rows * stride(symmetric_ ? rows : problem_.n) * plane_bytes_;
  }

  /// The most whole tiles that fit into `bytes`, but not the whole matrix; rows.
  std::int64_t most_resident(std::int64_t bytes, std::int64_t width) const {
    const std::int64_t values = bytes / plane_bytes_;
    const auto pairs = static_cast<double>(values * problem_.columns_per_value);
    const std::int64_t bound =
        symmetric_ ? static_cast<std::int64_t>(std::sqrt(pairs)) : values / stride(problem_.n);
    std::int64_t rows = std::min(bound, problem_.n - 1) / width * width;
    while (resident_bytes(rows) > bytes) rows -= width;
    return rows;
  }

  void consider_width(std::int64_t width, OffloadPlan& best) const {
    if (alone_) consider(width, 0, 0, best);
    if (alone_ && width >= problem_.n) return;
    for (std::int64_t strip = granule_; strip <= width; strip *= 2) {
      for (std::int64_t b = kLeastBuffers; b <= kMostBuffers; ++b) consider(width, strip, b, best);
    }
  }

  /// The plan without buffers, where the whole matrix resides.
  void consider(std::int64_t width, std::int64_t strip, std::int64_t buffers,
                OffloadPlan& best) const {
    OffloadPlan plan = streamed(width, strip, buffers);
    if (buffers == 0) return consider_resident(plan, problem_.n, best);
    const std::int64_t left = problem_.device_memory - plan.device_bytes;
    if (left < 0) return;
    const std::int64_t most = alone_ ? most_resident(left, width) : 0;
    for (std::int64_t rows = 0; rows < most; rows = std::max(width, 2 * rows)) {
      consider_resident(plan, rows, best);
    }
    consider_resident(plan, most, best);
  }

  void consider_resident(OffloadPlan plan, std::int64_t rows, OffloadPlan& best) const {
    plan.resident_rows = rows;
    plan.device_bytes += resident_bytes(rows);
    if (plan.device_bytes > problem_.device_memory) return;
    predict(plan);
    if (best.width == 0 || plan.seconds < best.seconds) best = plan;
  }

  void predict(OffloadPlan& plan) const {
    const std::int64_t ragged = problem_.n % plan.width;
    predict_steps(plan, std::min(plan.width, problem_.n), problem_.n / plan.width);
    predict_steps(plan, ragged, ragged > 0 ? 1 : 0);
    const auto side = static_cast<double>(std::min(plan.width, problem_.n));
    const double first_tile = plan.buffers > 0 ? side * side * pair_bytes_ / rates_.in : 0;
    const auto rows = static_cast<double>(plan.resident_rows), n = static_cast<double>(problem_.n);
    const double resident = rows * (symmetric_ ? rows : n) * pair_bytes_;
    // Values above the diagonal are copied out once more, at the end.
    const double transposed = symmetric_ ? (n * n - rows * rows) / 2 * pair_bytes_ / devices_ : 0;
    const double alone = resident / rates_.in + (resident + transposed) / rates_.out + first_tile;
    plan.copies += alone;
    plan.seconds += alone;
  }

  /// Pairs that pass in a step, through each device.
  double streamed_pairs(const OffloadPlan& plan) const {
    const auto n = static_cast<double>(problem_.n), rows = static_cast<double>(plan.resident_rows);
    if (!symmetric_) return (n - rows) * n / devices_;
    // Strips end where their last row meets the diagonal.
    return (n * n - rows * rows + (n - rows) * static_cast<double>(plan.strip_rows)) / 2 / devices_;
  }

  /// The share of the rate that strips reach. Lower ones take as long as `product_rows` rows.
  double share_of_rate(const OffloadPlan& plan) const {
    if (plan.buffers == 0) return 1;
    const std::int64_t worked_on = rounded_up(plan.strip_rows, device_.product_rows());
    return static_cast<double>(plan.strip_rows) / static_cast<double>(worked_on);
  }

  /// Seconds until a device has the panels of a step that others made.
  double sharing_seconds(double width) const {
    const double panels = (symmetric_ ? 2 : 1) * static_cast<double>(problem_.n) * width;
    const double bytes =
        panels * (devices_ - 1) / devices_ * problem_.value_size / problem_.columns_per_value;
    return alone_ ? 0 : bytes / rates_.peers;
  }

  void predict_steps(OffloadPlan& plan, std::int64_t width, std::int64_t count) const {
    const auto depth = static_cast<double>(width), steps = static_cast<double>(count),
               rows = static_cast<double>(plan.resident_rows);
    const double streamed = streamed_pairs(plan);
    const double resident = rows * (symmetric_ ? rows / 2 : static_cast<double>(problem_.n));
    const double bytes = streamed * pair_bytes_;  // a step, each way
    const double in = bytes / rates_.in, out = bytes / rates_.out;
    const double copies = std::max({in, out, 2 * bytes / rates_.both});
    const double passing_work = streamed * depth / rates_.relaxations / share_of_rate(plan);
    const double work = passing_work + resident * depth / rates_.relaxations;
    double step = std::max(work, copies) + kClosing * depth * depth * depth / rates_.relaxations;
    if (plan.buffers > 0) {
      const auto buffers = static_cast<double>(plan.buffers);
      step = std::max(step, (passing_work + in + out) / buffers);
      step += kUnhidden / buffers * std::min(work, copies) +
              kPieceSeconds * static_cast<double>(problem_.n - plan.resident_rows) /
                  static_cast<double>(plan.strip_rows) / devices_;
    }
    step += sharing_seconds(depth);
    plan.work += steps * work;
    plan.copies += steps * copies;
    plan.seconds += steps * step;
  }

  const OffloadProblem problem_;
  const OffloadRates rates_;
  const kernels::DeviceSizes& device_;
  std::int64_t granule_;
  std::int64_t plane_bytes_;  // a value and its intermediate vertex
  double pair_bytes_;         // a pair and its intermediate vertex
  bool symmetric_, alone_;
  double devices_;
};

}  // namespace

std::int64_t least_offload_bytes(const OffloadProblem& problem,
                                 const kernels::DeviceSizes& device) {
  return problem.n == 0 ? 0 : Planner(problem, {}, device).least();
}

OffloadPlan streamed_plan(const OffloadProblem& problem, const kernels::DeviceSizes& device,
                          std::int64_t width, std::int64_t strip_rows, std::int64_t buffers) {
  const OffloadPlan plan = Planner(problem, {}, device).streamed(width, strip_rows, buffers);
  if (plan.device_bytes <= problem.device_memory) return plan;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("panels of width {} and {} buffers of {} rows need {} of the device's "
                          "memory; {} may be used",
                          width, buffers, strip_rows, base::format_bytes(plan.device_bytes),
                          base::format_bytes(problem.device_memory)));
}

OffloadPlan plan_offload(const OffloadProblem& problem, const OffloadRates& rates,
                         const kernels::DeviceSizes& device) {
  if (problem.n == 0) return {.width = device.granule()};
  return Planner(problem, rates, device).best();
}

}  // namespace apsp::dense
