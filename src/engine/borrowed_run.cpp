#include "engine/borrowed_run.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <functional>
#include <vector>

#include "places/device_buffer.hpp"
#include "places/negative_cycle.hpp"
#include "places/resident_matrix.hpp"

namespace apsp::engine {
namespace {

using kernels::QueueId;

int value_size(const planner::DevicePlan& plan) { return size_of(plan.kernel.type); }

/// Opens the device, puts a queue of its own behind the caller's, and the caller's behind it in the
/// end. `work` returns when it is done.
void behind_caller(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                   const std::function<void(kernels::ComputeDevice&, QueueId)>& work) {
  const auto& [semiring, type, sign, tracks_via] = plan.kernel;
  const auto device = plan.open(plan.device.ordinal, semiring, type, sign, plan.bytes_allowed);
  const kernels::View& values = matrix.values;
  const std::int64_t count = (values.rows - 1) * values.stride + values.cols;
  const QueueId callers =
      device->borrow(static_cast<std::byte*>(values.data), count * value_size(plan), matrix.queue);
  const QueueId queue = device->make_queue();
  device->wait(queue, device->record(callers));
  work(*device, queue);
  device->wait(callers, device->record(queue));
}

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

BorrowedFacts prepare_borrowed(const planner::DevicePlan& plan, const BorrowedMatrix& matrix) {
  const std::int64_t n = matrix.values.rows;
  std::vector<double> largest(static_cast<std::size_t>(n));
  kernels::SurveyFound found;
  behind_caller(plan, matrix, [&](kernels::ComputeDevice& device, QueueId queue) {
    constexpr int kFoundBytes = sizeof found;
    const places::DeviceBuffer rows(device, n * std::int64_t{sizeof(double)});
    const places::DeviceBuffer flags(device, kFoundBytes);
    const kernels::View found_there{flags.data(), 1, kFoundBytes, kFoundBytes};
    const kernels::View found_here{&found, 1, kFoundBytes, kFoundBytes};
    device.copy_in(queue, found_there, found_here, 1);
    device.survey(queue, {.semiring = plan.kernel.semiring,
                          .type = plan.kernel.type,
                          .matrix = matrix.values,
                          .largest = reinterpret_cast<double*>(rows.data()),
                          .found = reinterpret_cast<kernels::SurveyFound*>(flags.data())});
    device.copy_out(queue, found_here, found_there, 1);
    device.copy_out(queue, {largest.data(), 1, n, n}, kernels::ConstView{rows.data(), 1, n, n},
                    sizeof(double));
    device.synchronize(queue);
  });
  if (found.bad > 0) algorithms::refuse_value(static_cast<std::int64_t>(found.bad) - 1, n);
  return facts_of(found, largest);
}

void solve_borrowed(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                    kernels::Cycles cycles, const Control& control) {
  behind_caller(plan, matrix, [&](kernels::ComputeDevice& device, QueueId queue) {
    const places::TiledMatrix values{matrix.values, value_size(plan), plan.tile};
    places::ResidentMatrix resident(device, values, plan.shape, cycles, &control);
    device.synchronize(queue);  // what the caller has queued
    device.wait(queue, resident.solve({values}));
    device.synchronize(queue);
    base::check_cancelled(control);
    places::throw_negative_cycle(device.take_pivot());
  });
}

void copy_borrowed_out(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                       kernels::View host) {
  behind_caller(plan, matrix, [&](kernels::ComputeDevice& device, QueueId queue) {
    device.copy_out(queue, host, matrix.values, value_size(plan));
    device.synchronize(queue);
  });
}

void copy_borrowed_in(const planner::DevicePlan& plan, const BorrowedMatrix& matrix,
                      kernels::ConstView host) {
  behind_caller(plan, matrix, [&](kernels::ComputeDevice& device, QueueId queue) {
    device.copy_in(queue, matrix.values, host, value_size(plan));
    device.synchronize(queue);
  });
}

}  // namespace apsp::engine
