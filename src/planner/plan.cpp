#include "planner/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/units.hpp"
#include "dense/peer_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::planner {

kernels::TileOperations operations_of(const Problem& problem) {
  return kernels::cpu::operations(problem.kernel_semiring(), problem.type, problem.sign);
}

std::string host_worker(const Problem& problem) {
  return base::counted(problem.threads, "CPU thread", "CPU threads");
}

std::string worker(const Plan& plan) {
  return plan.on_device ? plan.on_device->title() : host_worker(plan);
}

double relaxations(std::int64_t n, dense::Shape shape) {
  const auto side = static_cast<double>(n);
  return side * side * side / (shape == dense::Shape::symmetric ? 2 : 1);
}

DevicePlan DevicePlan::begun(const KernelKind& kernel, std::int64_t n, std::int64_t memory,
                             const NamedDevice& there) {
  const std::span taken(there.taken);
  DevicePlan plan{.device = taken.front(), .kernel = kernel, .n = n, .open = there.devices.open};
  for (const DeviceFacts& peer : taken.subspan(1)) plan.peers.push_back(peer.ordinal);
  plan.bytes_allowed = allowed_device_bytes(memory, taken);
  plan.limited = memory > 0;
  return plan;
}

void DevicePlan::refuse(const std::string& needing, std::int64_t least) {
  bytes = least;
  too_small = fmt::format("{} at least {} of device memory on {}{}, and {} {}", needing,
                          base::format_bytes(least), devices() > 1 ? "each of " : "", title(),
                          base::format_bytes(bytes_allowed), limited ? "may be used" : "are free");
}

int DevicePlan::square() const { return dense::PeerMemory::square(devices()); }

std::int64_t RowsPlan::solving_bytes() const {
  if (!uses.computes_rows) return costs.source_bytes + costs.making_bytes;
  const std::int64_t workers = uses.gives_columns ? costs.columns_worker_bytes : costs.worker_bytes;
  const bool in_place = uses.keeps_matrix || uses.gives_columns || uses.writes_views;
  return costs.source_bytes +
         std::max(costs.making_bytes, workers + (in_place ? 0 : costs.block_bytes));
}

double Plan::relaxations() const {
  return rows() ? rows()->relaxations() : planner::relaxations(n, shape);
}

void Plan::begin_after(double seconds) {
  predicted.seconds = work_seconds() + seconds + ordering_seconds();
  predicted.start = seconds + ordering_seconds();
  for (CandidateReport& report : candidates) {
    if (report.known) report.seconds += seconds;
  }
}

}  // namespace apsp::planner
