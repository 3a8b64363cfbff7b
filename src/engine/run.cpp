#include "engine/run.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <chrono>
#include <memory>
#include <vector>

#include "base/control.hpp"
#include "base/seconds_since.hpp"
#include "dense/device_buffer.hpp"
#include "dense/disk_memory.hpp"
#include "dense/host_memory.hpp"
#include "dense/negative_cycle.hpp"
#include "dense/reachable_bits.hpp"
#include "dense/resident_matrix.hpp"
#include "dense/transitive_closure.hpp"
#include "graph/adjacency_matrix.hpp"
#include "kernels/caller_matrices.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/device.hpp"
#include "kernels/host/host_device.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

constexpr std::int64_t kPieceBytes = std::int64_t{4} << 20;  // pieces of a transferred panel

dense::TiledMatrix values_of(const planner::Plan& plan, const Planes& planes) {
  return {planes.values, size_of(plan.type), plan.tile()};
}

dense::TiledMatrix via_of(const planner::Plan& plan, const Planes& planes) {
  if (planes.via.data == nullptr) return {};
  return {planes.via, sizeof(std::int32_t), plan.tile()};
}

void solve_on_host(const planner::Plan& plan, const Planes& planes, const Control& control) {
  const Semiring semiring = plan.kernel_semiring();
  std::optional<dense::Witness> witness;
  if (planes.via.data != nullptr) {
    witness = {via_of(plan, planes),
               kernels::cpu::witness_operations(semiring, plan.type, plan.sign)};
  }
  dense::HostMemory(values_of(plan, planes), plan.shape,
                    kernels::cpu::operations(semiring, plan.type, plan.sign), plan.cycles,
                    plan.threads, control, witness)
      .run();
}

template <class Arcs>
ClosedBits close_arcs(const planner::Plan& plan, const Arcs& arcs, const Control& control) {
  if (!plan.on_device) return {dense::reachable_bits(arcs, plan.threads, control), std::nullopt};
  auto bits = std::make_unique<dense::DeviceBits>(plan.n);
  DeviceReport report = with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    bits->fill(arcs, plan.threads, control);
    return DeviceSolve(devices, *plan.on_device, bits->tiled(), kernels::Cycles::excluded, control)
        .run();
  });
  return {std::move(bits), std::move(report)};
}

void fill(const Graph& graph, const planner::Plan& plan, store::DiskMatrix& matrix,
          const Control& control) {
  const std::int64_t height = std::min(plan.on_disk()->strip_rows, plan.n);
  system::AlignedMemory values(height * plan.n * size_of(plan.type));
  const auto n = static_cast<double>(plan.n);
  base::ProgressTask progress(control, "writing the graph", n, "row");
  for (std::int64_t first = 0; first < plan.n; first += height) {
    const std::int64_t rows = std::min(height, plan.n - first);
    graph::fill_adjacency_rows(graph, plan.semiring, plan.type, first,
                               {values.data(), rows, plan.n, plan.n}, plan.threads,
                               {nullptr, control.cancellation});
    matrix.write_block({first, 0, rows, plan.n}, values.data(), plan.n);
    progress.advance(static_cast<double>(rows));
  }
  matrix.commit_step(0);
}

template <class F>
double seconds_of(F&& run) {
  const auto start = std::chrono::steady_clock::now();
  run();
  return base::seconds_since(start);
}

std::optional<DeviceReport> continue_on_disk(const planner::Plan& plan, store::DiskMatrix& matrix,
                                             const Control& control) {
  if (matrix.checkpoint()->pivots == plan.n) return std::nullopt;
  const auto seconds_on = [&](const OpenDevices& devices) {
    dense::DiskMemory place(matrix, *plan.on_disk(), devices, plan.threads, control);
    return seconds_of([&] { place.run(); });
  };
  if (plan.on_device) return with_devices(*plan.on_device, seconds_on);
  const auto host = kernels::host::make_device(
      planner::operations_of(plan), {}, plan.on_disk()->tile, plan.threads, control.cancellation);
  seconds_on({host.get()});
  return std::nullopt;
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

DeviceSolve::DeviceSolve(const OpenDevices& devices, const planner::DevicePlan& plan,
                         const dense::TiledMatrix& host, kernels::Cycles cycles,
                         const Control& control, const dense::TiledMatrix& via) {
  kernels::ComputeDevice& device = *devices.front();
  if (devices.size() > 1 && plan.streamed) {
    place_.emplace<dense::StreamedPeers>(devices, plan.offload, host, cycles, control, via,
                                         kPieceBytes);
  } else if (devices.size() > 1) {
    const int count = plan.devices();
    const int columns = plan.shape == dense::Shape::symmetric ? dense::PeerMemory::square(count)
                                                              : dense::PeerMemory::columns(count);
    place_.emplace<dense::PeerMemory>(devices, columns, host, cycles, control, via, kPieceBytes,
                                      plan.shape);
  } else if (plan.streamed) {
    place_.emplace<dense::StreamedMemory>(device, plan.offload, host, cycles, control, via);
  } else {
    place_.emplace<dense::DeviceMemory>(device, host, plan.shape, cycles, control, via);
  }
}

double DeviceSolve::run() {
  const auto run_place = [](auto& place) {
    if constexpr (requires { place.run(); }) place.run();
  };
  return seconds_of([&] { std::visit(run_place, place_); });
}

DeviceReport report_of(const planner::DevicePlan& plan) {
  return {.ordinal = plan.device.ordinal,
          .name = plan.device.name,
          .streamed = plan.streamed,
          .panel = plan.streamed ? plan.offload.width : 0,
          .bytes = plan.bytes,
          .seconds_predicted = plan.seconds,
          .peers = plan.peers};
}

DeviceReport with_devices(const planner::DevicePlan& plan,
                          const std::function<double(const OpenDevices&)>& run) {
  const planner::KernelKind& kernel = plan.kernel;
  DeviceReport report = report_of(plan);
  try {
    std::vector<std::unique_ptr<kernels::ComputeDevice>> owned(
        static_cast<std::size_t>(plan.devices() * plan.places));
    system::on_threads(plan.devices(), [&](int number) {
      const int ordinal = plan.ordinal(number);
      for (int place = 0; place < plan.places; ++place) {
        const auto at = static_cast<std::int64_t>(number) * plan.places + place;
        owned[static_cast<std::size_t>(at)] = plan.open(
            ordinal, kernel.semiring, kernel.type, kernel.sign, plan.bytes_allowed / plan.places);
      }
    });
    OpenDevices devices;
    for (const auto& device : owned) devices.push_back(device.get());
    report.seconds = run(devices);
    return report;
  } catch (const kernels::DeviceFull& full) {
    // The plan fitted the free memory; another process took it.
    throw Error(full.kind(),
                fmt::format("{}: {}; a `device_memory` below {} takes less, and `device=cpu` none",
                            plan.title(), full.what(), planner::option_size(plan.bytes)));
  } catch (const Error& error) {  // including host memory and callers
    if (error.kind() == ErrorKind::device) {
      throw Error(error.kind(),
                  fmt::format("{}: {}; `device=cpu` works without it", plan.title(), error.what()));
    }
    throw;
  }
}

ClosedBits close(const planner::Plan& plan, const Graph& arcs, const Control& control) {
  return close_arcs(plan, arcs, control);
}

std::optional<DeviceReport> run(const planner::Plan& plan, const Planes& planes,
                                const Control& control, const Graph* arcs) {
  if (plan.in_bits()) {
    ClosedBits closed =
        arcs != nullptr ? close(plan, *arcs, control) : close_arcs(plan, planes.values, control);
    dense::unpack(*closed.bits, planes.values, plan.threads, control);
    return std::move(closed.on_device);
  }
  if (!plan.on_device) {
    solve_on_host(plan, planes, control);
    return std::nullopt;
  }
  return with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    return DeviceSolve(devices, *plan.on_device, values_of(plan, planes), plan.cycles, control,
                       via_of(plan, planes))
        .run();
  });
}

void run(const planner::OwnPlan& plan, const detail::OwnKernels& kernels, kernels::View matrix,
         const Control& control) {
  dense::OwnMemory({matrix, kernels.value_size, plan.tile}, kernels, plan.threads, control).run();
}

SolvedOnDisk solve_on_disk(const Graph& graph, const planner::Plan& plan, store::DiskMatrix& matrix,
                           const Control& control) {
  SolvedOnDisk solved;
  const auto go_on = [&] {
    solved.on_device = continue_on_disk(plan, matrix, control);
    return solved;
  };
  if (matrix.checkpoint()) {
    try {
      // Steps verify what they read. After the last one, readers cannot begin again: verify now.
      if (matrix.checkpoint()->pivots == plan.n) matrix.check(plan.threads, control);
      return go_on();
    } catch (const store::DamagedMatrix& damage) {
      solved.damaged.push_back(damage.place());
      matrix.begin_again();
    }
  }
  fill(graph, plan, matrix, control);
  return go_on();
}

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
      kernels::required(device_->caller_matrices())
          .borrow(static_cast<std::byte*>(values_.data), count * value_size_, matrix.queue);
  device_->wait(queue_, device_->record(callers));
}

BorrowedFacts BorrowedRun::prepare() {
  const std::int64_t n = values_.rows;
  std::vector<double> largest(static_cast<std::size_t>(n));
  kernels::SurveyFound found;
  constexpr int kFoundBytes = sizeof found;
  const dense::DeviceBuffer rows(*device_, n * std::int64_t{sizeof(double)});
  const dense::DeviceBuffer flags(*device_, kFoundBytes);
  const kernels::View found_on_device{flags.data(), 1, kFoundBytes, kFoundBytes};
  const kernels::View found_here{&found, 1, kFoundBytes, kFoundBytes};
  device_->copy_in(queue_, found_on_device, found_here, 1);
  kernels::required(device_->caller_matrices())
      .survey(queue_, {.semiring = semiring_,
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
  const dense::TiledMatrix values{values_, value_size_, plan.tile};
  dense::ResidentMatrix resident(*device_, values, plan.shape, cycles, &control);
  device_->synchronize(queue_);
  device_->wait(queue_, resident.solve({values}));
  device_->synchronize(queue_);
  base::check_cancelled(control);
  dense::throw_negative_cycle(device_->tiles().take_pivot());
}

void BorrowedRun::copy_out(kernels::View host) {
  device_->copy_out(queue_, host, values_, value_size_);
  device_->synchronize(queue_);
}

void BorrowedRun::copy_in(kernels::ConstView host) {
  device_->copy_in(queue_, values_, host, value_size_);
  device_->synchronize(queue_);
}

BorrowedBatch::BorrowedBatch(std::unique_ptr<kernels::ComputeDevice> device,
                             const kernels::CallerBatch& batch, std::uintptr_t queue)
    : batch_(batch), device_(std::move(device)), queue_(device_->make_queue()) {
  const std::int64_t last = (batch.count - 1) * batch.step + (batch.n - 1) * batch.stride;
  const auto borrow = [&](void* memory, std::int64_t bytes) {
    const kernels::QueueId callers = kernels::required(device_->caller_matrices())
                                         .borrow(static_cast<std::byte*>(memory), bytes, queue);
    device_->wait(queue_, device_->record(callers));
  };
  borrow(batch.matrices, (last + batch.n) * size_of(batch.type));
  if (batch.via != nullptr) borrow(batch.via, batch.count * batch.n * batch.n * kernels::kViaSize);
}

bool BorrowedBatch::is_large() const {
  return batch_.n > device_->caller_matrices()->batch_side(batch_.via != nullptr);
}

std::vector<std::int64_t> BorrowedBatch::left_by(kernels::Sign sign, std::byte* left) {
  kernels::CallerBatch batch = batch_;
  batch.left = reinterpret_cast<std::uint8_t*>(left);
  batch.sign = sign;
  device_->caller_matrices()->close_batch(queue_, batch);
  std::vector<std::uint8_t> here(static_cast<std::size_t>(batch.count));
  const std::int64_t count = batch.count;
  device_->copy_out(queue_, {here.data(), 1, count, count},
                    kernels::ConstView{left, 1, count, count}, 1);
  device_->synchronize(queue_);
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; i < count; ++i) {
    if (here[static_cast<std::size_t>(i)] != 0) numbers.push_back(i);
  }
  return numbers;
}

std::vector<std::int64_t> BorrowedBatch::solve() {
  const dense::DeviceBuffer left(*device_, batch_.count);
  const auto of_both_signs = left_by(kernels::Sign::non_negative, left.data());
  if (of_both_signs.empty()) return {};
  return left_by(kernels::Sign::any, left.data());
}

kernels::View BorrowedBatch::matrix(std::int64_t number) const {
  return {static_cast<std::byte*>(batch_.matrices) + number * batch_.step * size_of(batch_.type),
          batch_.n, batch_.n, batch_.stride};
}

void BorrowedBatch::copy_out(std::int64_t number, kernels::View host) {
  device_->copy_out(queue_, host, matrix(number), size_of(batch_.type));
  device_->synchronize(queue_);
}

void BorrowedBatch::copy_in(std::int64_t number, kernels::ConstView host, kernels::ConstView via) {
  device_->copy_in(queue_, matrix(number), host, size_of(batch_.type));
  if (batch_.via != nullptr) {
    const std::int64_t n = batch_.n;
    device_->copy_in(queue_, {batch_.via + number * n * n, n, n, n}, via, kernels::kViaSize);
  }
  device_->synchronize(queue_);
}

}  // namespace apsp::engine
