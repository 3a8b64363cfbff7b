#include "engine/borrowed_run.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <vector>

#include "places/device_buffer.hpp"
#include "places/negative_cycle.hpp"
#include "places/resident_matrix.hpp"

namespace apsp::engine {
namespace {

BorrowedFacts facts_of(const kernels::SurveyFound& found, const std::vector<double>& largest) {
  const auto has = [&](kernels::SurveyFlag flag) { return (found.flags & flag) != 0; };
  BorrowedFacts facts{.matrix = {.negative = has(kernels::kHasNegative),
                                 .positive = has(kernels::kHasPositive),
                                 .integral = !has(kernels::kHasFraction)},
                      .symmetric = !has(kernels::kHasAsymmetry)};
  for (const double value : largest) {
    facts.matrix.largest = std::max(facts.matrix.largest, value);
    facts.matrix.longest_path += value;
  }
  return facts;
}

}  // namespace

BorrowedRun::BorrowedRun(const planner::DevicePlan& plan, const BorrowedMatrix& matrix)
    : values_(matrix.values),
      value_size_(size_of(plan.kernel.type)),
      semiring_(plan.kernel.semiring),
      type_(plan.kernel.type),
      device_(
          plan.open(plan.device.ordinal, semiring_, type_, plan.kernel.sign, plan.bytes_allowed)),
      queue_(device_->make_queue()) {
  const std::int64_t count = (values_.rows - 1) * values_.stride + values_.cols;
  const kernels::QueueId callers =
      device_->borrow(static_cast<std::byte*>(values_.data), count * value_size_, matrix.queue);
  device_->wait(queue_, device_->record(callers));
}

BorrowedFacts BorrowedRun::prepare() {
  const std::int64_t n = values_.rows;
  std::vector<double> largest(static_cast<std::size_t>(n));
  kernels::SurveyFound found;
  constexpr int kFoundBytes = sizeof found;
  const places::DeviceBuffer rows(*device_, n * std::int64_t{sizeof(double)});
  const places::DeviceBuffer flags(*device_, kFoundBytes);
  const kernels::View found_on_device{flags.data(), 1, kFoundBytes, kFoundBytes};
  const kernels::View found_here{&found, 1, kFoundBytes, kFoundBytes};
  device_->copy_in(queue_, found_on_device, found_here, 1);
  device_->survey(queue_, {.semiring = semiring_,
                           .type = type_,
                           .matrix = values_,
                           .largest = reinterpret_cast<double*>(rows.data()),
                           .found = reinterpret_cast<kernels::SurveyFound*>(flags.data())});
  device_->copy_out(queue_, found_here, found_on_device, 1);
  device_->copy_out(queue_, {largest.data(), 1, n, n}, kernels::ConstView{rows.data(), 1, n, n},
                    sizeof(double));
  device_->synchronize(queue_);
  if (found.bad > 0) graph::refuse_value(static_cast<std::int64_t>(found.bad) - 1, n);
  return facts_of(found, largest);
}

void BorrowedRun::solve(const planner::DevicePlan& plan, kernels::Cycles cycles,
                        const Control& control) {
  const places::TiledMatrix values{values_, value_size_, plan.tile};
  places::ResidentMatrix resident(*device_, values, plan.shape, cycles, &control);
  device_->synchronize(queue_);
  device_->wait(queue_, resident.solve({values}));
  device_->synchronize(queue_);
  base::check_cancelled(control);
  places::throw_negative_cycle(device_->take_pivot());
}

void BorrowedRun::copy_out(kernels::View host) {
  device_->copy_out(queue_, host, values_, value_size_);
  device_->synchronize(queue_);
}

void BorrowedRun::copy_in(kernels::ConstView host) {
  device_->copy_in(queue_, values_, host, value_size_);
  device_->synchronize(queue_);
}

}  // namespace apsp::engine
