#include "planner/dense_candidates.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "kernels/cpu/bits.hpp"
#include "kernels/host/host_device.hpp"
#include "planner/choose_tile.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/eligibility.hpp"
#include "planner/memory.hpp"
#include "planner/prediction.hpp"
#include "planner/search_model.hpp"

namespace apsp::planner {

namespace {

/// Whether a named GPU computes rows, so that no matrix has to fit it.
bool finds_rows_on_device(const PlanRequest& asked, const Problem& problem) {
  const SolveOptions& options = asked.options;
  if (options.consumer.on_device_rows) return true;
  const auto may = [&](Algorithm algorithm) {
    return why_not(algorithm, asked.graph, options, problem).empty();
  };
  return options.machine.device == Device::cuda &&
         options.method.algorithm == Algorithm::automatic &&
         looks_sparse(problem.n, asked.graph.arc_count()) &&
         (may(Algorithm::nested_dissection) || may(Algorithm::johnson));
}

/// Whether a GPU computes rows much faster than the matrix, which takes a second and more from so
/// many vertices on. A search scans an arc in the time of some 600 relaxations. The bound is
/// higher, so that the plan compares both in close cases.
bool matrix_is_hopeless(std::int64_t vertices, std::int64_t arcs) {
  constexpr std::int64_t kVertices = 32768;
  constexpr double kRelaxationsAnArc = 1024;
  const auto n = static_cast<double>(vertices);
  return vertices >= kVertices && static_cast<double>(arcs) * kRelaxationsAnArc < n * n;
}

/// Returns the plan on the CPU or on GPUs, without costs.
std::variant<DenseCandidates, Refusal> matrix_in_memory(const PlanRequest& asked,
                                                        const Problem& problem) {
  const SolveOptions& options = asked.options;
  const bool by_rows = finds_rows_on_device(asked, problem);
  DenseCandidates found{matrix_on_host(asked, problem)};
  Plan& plan = found.in_memory;
  // A matrix provides no rows on a device.
  found.only_rows = options.consumer.on_device_rows ||
                    (by_rows && matrix_is_hopeless(problem.n, asked.graph.arc_count()));
  if (found.only_rows) return found;
  DeviceProblem question = device_problem(problem, options);
  question.stays_in_bits = plan.stays_in_bits();
  DeviceChoice choice = try_device(question, preferred_by(options), asked.gpus, asked.rates);
  if (choice.refused && !by_rows) return Refusal{ErrorKind::device, std::move(choice.why)};
  found.only_rows = choice.refused || (choice.cuda && !choice.cuda->fits());
  if (found.only_rows && !by_rows) {
    return Refusal{ErrorKind::does_not_fit,
                   limits_of_rows_on_device(asked, problem) + choice.cuda->too_small,
                   choice.cuda->bytes};
  }
  if (!found.only_rows) put_matrix(std::move(choice), plan);
  return found;
}

std::int64_t generation_bytes(const Plan& plan) { return plan.n * plan.n * plan.value_bytes(); }

/// Bytes of both generations, a checksum for each row of a tile, the graph, and the journal.
std::int64_t scratch_bytes(const Plan& plan) {
  constexpr std::int64_t kChecksum = 4, kJournal = 64 << 10, kNarrowTile = 64;
  const std::int64_t own = plan.tile(), tile = own > 0 ? own : kNarrowTile;
  const std::int64_t checksums = plan.n * ((plan.n + tile - 1) / tile) * kChecksum;
  return 2 * (generation_bytes(plan) + checksums) + plan.disk.graph + kJournal;
}

/// Bytes that the disk must hold at a time. One generation is removed before a .zarr is filled; an
/// .npy is allocated at the beginning.
std::int64_t needed_disk(const SolveOptions& options, const Plan& plan) {
  const std::int64_t freed = options.storage.output.ends_with(".npy")
                                 ? 0
                                 : std::min(plan.disk.output, generation_bytes(plan));
  return scratch_bytes(plan) + plan.disk.output - freed;
}

/// Returns the plan's matrix on disk, by the same device; its steps are not planned.
Plan prepared(const PlanRequest& asked, const Plan& plan) {
  Plan other = matrix_on_host(asked, plan, plan.why.device);
  other.shape = dense::Shape::full;
  other.disk.scratch = scratch_bytes(other);
  other.method = DensePlan{other.tile(), dense::DiskPlan()};
  if (asked.options.storage.keep == Keep::automatic && plan.selection.all()) {
    other.keep = Keep::statistics;
    other.why.keep = "the matrix does not fit; the output holds it";
  }
  other.on_device = plan.on_device;
  if (!other.on_device) return other;
  other.on_device->places = 1;
  other.on_device->shape = dense::Shape::full;
  return other;
}

/// A matrix that the host's threads solve.
dense::DiskProblem problem_of(const Graph& graph, const SolveOptions& options, const Plan& plan,
                              std::int64_t tile) {
  const MemoryPlan memory = plan_memory(graph, options, plan);
  return {.n = plan.n,
          .value_size = plan.value_bytes(),
          .tile = tile,
          .memory = plan.bytes_allowed - memory.runtime - memory.graph,
          .threads = plan.threads};
}

void set_steps(const PlanRequest& asked, const dense::DiskPlan& steps, Plan& plan) {
  plan.method = DensePlan{steps.tile, steps};
  if (plan.on_device) {
    DevicePlan& there = *plan.on_device;
    there.tile = steps.tile;
    there.bytes = steps.device_bytes;
    there.streamed = !steps.stays;
    there.offload = {.width = steps.width, .device_bytes = steps.device_bytes};
    there.seconds = steps_on_disk(steps, plan.n, plan.value_bytes(), relaxing_seconds(plan),
                                  disk_rates(plan, asked.options, asked.rates));
  }
  set_costs(asked, plan);
}

std::unique_ptr<kernels::DeviceSizes> sizes_of(const PlanRequest& asked, const Plan& plan) {
  return asked.gpus.all().sizes(plan.kernel_semiring(), plan.type, plan.sign);
}

/// Plans steps through the plan's GPUs. `steps`: of an existing matrix; zeros: none.
Planned through_devices(const PlanRequest& asked, const Plan& matrix, const DiskSteps& steps = {}) {
  Plan plan = prepared(asked, matrix);
  const SolveOptions& options = asked.options;
  const bool rounded = steps.width > 0 && plan.unit_roundoff > 0;
  const auto sizes = sizes_of(asked, plan);
  DevicePlan& there = *plan.on_device;
  const std::int64_t tile = device_tile(
      {.n = plan.n, .kernel = there.kernel, .tile = rounded ? steps.tile : options.method.tile},
      *sizes, false);
  dense::DiskProblem problem = problem_of(asked.graph, options, plan, tile);
  problem.device_memory = there.bytes_allowed;
  problem.devices = there.devices();
  problem.first_pivot = steps.pivots;
  problem.band = steps.band;
  problem.width = rounded ? steps.width : 0;
  const dense::DiskPlan found = dense::plan_disk(problem, *sizes);
  if (found.bytes <= problem.memory && found.device_bytes > there.bytes_allowed) {
    there.refuse(
        fmt::format("{} vertices as {} on disk{} need", base::format_count(plan.n), name(plan.type),
                    there.devices() > 1 ? ", which several GPUs solve only in their memory," : ""),
        found.device_bytes);
    return Refusal{ErrorKind::does_not_fit, there.too_small, there.bytes};
  }
  set_steps(asked, found, plan);
  return plan;
}

/// The same by the host's threads; the plan may not fit the memory (`fits`).
Plan through_host(const PlanRequest& asked, Plan matrix, const DiskSteps& steps = {}) {
  const bool planned = matrix.on_disk() && !matrix.on_device;
  if (matrix.on_device) matrix.why.device.clear();
  matrix.on_device.reset();
  Plan plan = planned ? std::move(matrix) : prepared(asked, matrix);
  // A device may have begun with bands that are no whole tiles.
  const std::int64_t tile = steps.band > 0 ? std::gcd(steps.tile, steps.band) : plan.tile();
  dense::DiskProblem problem = problem_of(asked.graph, asked.options, plan, tile);
  problem.band = steps.band;
  problem.width = steps.width;
  const auto host = kernels::host::make_device(operations_of(plan), {}, tile, 1);
  dense::DiskPlan found = dense::plan_disk(problem, host->tiles());
  while (steps.width > 0 && plan.unit_roundoff == 0 && found.bytes > problem.memory &&
         found.width > found.band) {
    problem.width = found.width - found.band;
    found = dense::plan_disk(problem, host->tiles());
  }
  set_steps(asked, found, plan);
  return plan;
}

Plan by_first_device(Plan plan) {
  plan.on_device->peers.clear();
  return plan;
}

/// Returns the same solve with its matrix on disk: by the plan's GPUs, several of which hold the
/// matrix together, and unless GPUs were named by one of them and by the CPU.
std::vector<Candidate> on_disk(const PlanRequest& asked, const Plan& matrix) {
  constexpr Algorithm kAlgorithm = Algorithm::floyd_warshall;
  if (matrix.fits()) return {};
  const bool named = asked.options.machine.device == Device::cuda;
  if (const std::string why = why_not_on_disk(asked.options, matrix); !why.empty()) {
    return {{kAlgorithm, named ? matrix.device() : Device::cpu,
             named ? worker(matrix) : host_worker(matrix), "on disk: " + why}};
  }
  std::vector<Candidate> list;
  if (!named) list.emplace_back(through_host(asked, matrix));
  if (!matrix.on_device) return list;
  list.emplace_back(kAlgorithm, through_devices(asked, matrix));
  if (!named && matrix.on_device->devices() > 1) {
    list.emplace_back(kAlgorithm, through_devices(asked, by_first_device(matrix)));
  }
  return list;
}

std::string why_not_again(const PlanRequest& asked, const Plan& plan, const DiskSteps& steps) {
  const DevicePlan& there = *plan.on_device;
  if (there.devices() > 1 && plan.unit_roundoff > 0 && steps.pivots < plan.n) {
    return fmt::format(
        "its steps have passed through one GPU, and several would round sums in another order; "
        "`device=cuda:{}` continues it",
        there.device.ordinal);
  }
  const std::int64_t granule = sizes_of(asked, plan)->granule();
  if (steps.band % granule == 0 || steps.band >= plan.n) return {};
  return fmt::format(
      "its bands have {} columns, and this GPU takes multiples of {}; `device=cpu` continues "
      "integers",
      steps.band, granule);
}

Plan again(const PlanRequest& asked, const Plan& plan, const DiskSteps& steps) {
  if (!plan.on_device) return through_host(asked, plan, steps);
  const std::string& output = asked.options.storage.output;
  const bool named = asked.options.machine.device == Device::cuda;
  for (const Plan& by : {plan, by_first_device(plan)}) {
    if (const std::string why = why_not_again(asked, by, steps); !why.empty()) {
      refuse_if(named, "{}: the earlier run left a matrix on disk, and {}", output, why);
      continue;
    }
    Planned found = through_devices(asked, by, steps);
    if (Plan* const other = std::get_if<Plan>(&found)) return std::move(*other);
    if (!named) continue;
    throw Error(
        ErrorKind::does_not_fit,
        fmt::format("{}: {}; {}", output, std::get<Refusal>(found).cause,
                    plan.unit_roundoff > 0
                        ? "rounded sums are continued with as much memory as they were begun"
                        : "`device=cpu` continues it"));
  }
  return through_host(asked, plan, steps);
}

}  // namespace

Plan matrix_on_host(const PlanRequest& asked, const Problem& problem, std::string why) {
  Plan plan(problem);
  set_host_tile(asked.options.method.tile, plan);
  plan.why.device = std::move(why);
  plan.bytes = plan_memory(asked.graph, asked.options, plan).peak();
  return plan;
}

void set_host_tile(std::int64_t asked, Plan& plan) {
  plan.method =
      DensePlan{asked > 0 ? asked : choose_tile(plan.n, plan.threads, operations_of(plan))};
  if (!plan.in_bits()) return;
  plan.method = DensePlan{kernels::cpu::BitLine::kColumns};
  plan.shape = dense::Shape::full;
}

std::string why_not_on_disk(const SolveOptions& options, const Plan& plan) {
  if (std::string why = why_not_on_disk(options); !why.empty()) return why;
  if (plan.signed_weights) return "sums of real weights of both signs are found only in memory";
  const std::int64_t needed = needed_disk(options, plan), room = allowed_disk(options);
  if (needed <= room) return {};
  return fmt::format("needs {} of disk, and there is room for {}", base::format_bytes(needed),
                     base::format_bytes(room));
}

std::variant<DenseCandidates, Refusal> dense_candidates(const PlanRequest& asked,
                                                        const Problem& problem) {
  auto planned = matrix_in_memory(asked, problem);
  DenseCandidates* const found = std::get_if<DenseCandidates>(&planned);
  if (found == nullptr) return planned;
  Plan& matrix = found->in_memory;
  if (found->only_rows) return planned;
  set_costs(asked, matrix);
  if (asked.options.machine.device == Device::automatic) {
    if (matrix.on_device) {
      Plan on_host = matrix_on_host(asked, problem);
      set_costs(asked, on_host);
      found->elsewhere.emplace_back(std::move(on_host));
    } else {
      found->elsewhere.push_back(
          {Algorithm::floyd_warshall, Device::cuda, "GPU", matrix.why.device});
    }
  }
  found->on_disk = on_disk(asked, matrix);
  return planned;
}

Plan on_disk_again(const PlanRequest& asked, const Plan& plan, const DiskSteps& steps) {
  const SolveOptions& options = asked.options;
  refuse_if(plan.algorithm != Algorithm::floyd_warshall,
            "{}: the earlier run left a matrix of floyd-warshall; leave `algorithm={}` out",
            options.storage.output, name(plan.algorithm));
  if (const std::string why = why_not_on_disk(options, plan); !why.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: the earlier run left a matrix on disk: {}",
                                              options.storage.output, why));
  }
  Plan other = again(asked, plan, steps);
  if (other.fits()) return other;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format(
          "{}: continuing this run needs {} of memory, and {} may be used; `memory={}` is enough",
          options.storage.output, base::format_bytes(other.bytes),
          base::format_bytes(other.bytes_allowed), option_size(other.bytes)));
}

}  // namespace apsp::planner
