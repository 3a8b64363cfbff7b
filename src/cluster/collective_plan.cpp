#include "cluster/collective_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "api/earlier_run.hpp"
#include "base/units.hpp"
#include "cluster/collective_rates.hpp"
#include "cluster/collective_read.hpp"
#include "cluster/device_turns.hpp"
#include "cluster/process_device.hpp"
#include "engine/divided_rows.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "paths/predecessor_rows.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_model.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "planner/plan_line.hpp"
#include "planner/prediction.hpp"
#include "planner/row_candidates.hpp"
#include "planner/sparse_candidates.hpp"
#include "system/machine.hpp"

namespace apsp::cluster {

ProcessPlace place_of(const Job& job) {
  return {job.shape.rows, job.shape.cols, job.on_machine, job.of_machine, job.shape.offload};
}

namespace {

/// Half of a symmetric matrix is solved on square grids, without intermediate vertices.
dense::Shape shape_on_grid(const Job& job, const Graph& graph, bool with_via) {
  const bool triangle = graph.symmetric() && job.shape.rows == job.shape.cols && !with_via;
  return triangle ? dense::Shape::symmetric : dense::Shape::full;
}

/// Whether all parts stream, with the memory of the smallest GPU.
struct Streaming {
  bool streams = false;
  std::int64_t memory = 0;  // bytes of a GPU; 0: as the options say
};

/// The choice of GPUs by the processes of a job, with rates common to all (collective_rates.hpp).
/// Either all processes use a GPU or none does. If the part of one streams through its GPU, all
/// parts do, with the same panels.
class GpusTogether {
 public:
  /// All must outlive this. `earlier`: the resumed run, which fixes the tiles.
  GpusTogether(const Job& job, const Graph& graph, const SolveOptions& options,
               const std::optional<store::Resumable>& earlier);

  /// Decides whether this process may use a GPU. Throws `Error`: device, usage, if a GPU was named
  /// and is not available.
  void prepare(const planner::Plan& plan, const planner::RateSource& rates);
  /// Collective. Sets the GPU of this process in the plan, or the reason for none. Throws, in all
  /// processes, as `prepare`, and `does_not_fit`.
  void choose(planner::Plan& plan);
  /// The rates of the GPUs, common to all. Requires: `choose` is complete.
  const planner::RateSource& rates() const { return rates_; }

 private:
  bool named() const { return options_.machine.device == Device::cuda; }
  planner::DeviceProblem problem_of(const planner::Plan& plan) const;
  bool may_take_one(const planner::Plan& plan, double start) const;
  void take_messages();
  planner::DeviceChoice choose_mine(const planner::Plan& plan, const Streaming& all = {}) const;
  planner::DeviceChoice none_because(const std::string& why) const;
  Streaming streaming_of_all(const planner::DeviceChoice& choice) const;
  void agree_on_panels(planner::DevicePlan& device) const;
  void take(planner::DeviceChoice choice, planner::Plan& plan) const;

  const Job& job_;
  const Graph& graph_;
  const SolveOptions& options_;
  const std::optional<store::Resumable>& earlier_;
  planner::HostRates host_;              // of all processes together, if they may use CPUs
  std::optional<GpuQuestion> question_;  // empty: this process uses none
  planner::RateSource rates_;
};

GpusTogether::GpusTogether(const Job& job, const Graph& graph, const SolveOptions& options,
                           const std::optional<store::Resumable>& earlier)
    : job_(job), graph_(graph), options_(options), earlier_(earlier) {}

planner::DeviceProblem GpusTogether::problem_of(const planner::Plan& plan) const {
  planner::DeviceProblem problem = planner::device_problem(plan, options_);
  problem.shape = shape_on_grid(job_, graph_, plan.with_via);
  problem.threads *= job_.processes.size();
  return problem;
}

/// `start`: seconds until the driver is up.
bool GpusTogether::may_take_one(const planner::Plan& plan, double start) const {
  if (options_.machine.device == Device::cpu) return false;
  if (plan.rows()) return plan.on_device.has_value();
  if (!planner::why_not_on_cuda(problem_of(plan)).empty()) return false;
  return named() || host_.solve.seconds(static_cast<double>(plan.n)) >= 2 * start;
}

void GpusTogether::prepare(const planner::Plan& plan, const planner::RateSource& rates) {
  const planner::DeviceProblem problem = problem_of(plan);
  if (options_.machine.device == Device::automatic && !plan.rows()) {
    host_ = planner::host_rates(rates, plan.kernel(), problem.shape, problem.threads, plan.n);
  }
  const double start = planner::driver_start_seconds(rates);
  if (!may_take_one(plan, start)) return;
  try {
    const planner::DeviceFacts device =
        own_device(planner::preferred_by(options_), place_of(job_), job_.find).list.front();
    question_ = {problem.kernel, problem.shape, device, plan.threads, 0, start};
    if (plan.rows()) return;
    question_->solve = planner::relaxations(plan.n, problem.shape) / job_.processes.size() /
                       planner::assumed_offload_rates(problem.kernel, device).relaxations;
  } catch (const Error& error) {
    if (named() || error.kind() != ErrorKind::device) throw;
  }
}

void GpusTogether::choose(planner::Plan& plan) {
  Processes& processes = job_.processes;
  rates_ = collective_gpu_rates(job_, question_);
  if (processes.least(question_ && !plan.rows() ? 1 : 0) == 1) take_messages();
  rates_.host = [host = host_](auto&&...) { return host; };
  planner::DeviceChoice choice;
  processes.run_local([&] { choice = choose_mine(plan); });
  const Streaming streaming = streaming_of_all(choice);
  processes.run_local([&] {
    if (streaming.streams && choice.cuda) choice = choose_mine(plan, streaming);
  });
  take(std::move(choice), plan);
  if (plan.on_device && streaming.streams) agree_on_panels(*plan.on_device);
}

/// Panels go through host memory, where each is copied in and out, at most as fast as messages.
void GpusTogether::take_messages() {
  if (!job_.messages || job_.direct || job_.processes.size() == 1) return;
  MessageRates messages;
  job_.processes.communicate([&] { messages = job_.messages(); });
  const double copied = 2 * messages.slowest().bytes;
  rates_.link = [link = rates_.link, copied](const planner::RateQuery& asked) {
    std::optional<planner::LinkRates> rates = link(asked);
    if (!rates) rates.emplace();
    rates->copied = copied;
    return rates;
  };
}

planner::DeviceChoice GpusTogether::none_because(const std::string& why) const {
  // The CPU would round sums in another order.
  const bool only_gpus = earlier_ && api::rounded_by_gpus(*earlier_);
  if (named()) {
    throw Error(ErrorKind::usage, why + (only_gpus ? "; give GPUs as much memory as they began with"
                                                   : "; use `device=cpu`"));
  }
  return {std::nullopt, why};
}

planner::DeviceChoice GpusTogether::choose_mine(const planner::Plan& plan,
                                                const Streaming& all) const {
  if (plan.rows()) return {plan.on_device, {}};
  ProcessPlace place = place_of(job_);
  place.streams = place.streams || all.streams;
  planner::DeviceProblem problem = problem_of(plan);
  if (earlier_) problem.tile = api::tile_of(*earlier_);
  if (all.streams) problem.memory = all.memory;
  planner::DeviceChoice choice =
      choose_process_device(problem, planner::preferred_by(options_), place, job_.find, rates_);
  if (!choice.cuda || !earlier_ || choice.cuda->tile == problem.tile) return choice;
  return none_because(
      fmt::format("the earlier run has tiles of {}, and these GPUs take {} with their memory",
                  problem.tile, choice.cuda->tile));
}

Streaming GpusTogether::streaming_of_all(const planner::DeviceChoice& choice) const {
  const bool streams = choice.cuda && choice.cuda->streamed;
  const std::int64_t memory = choice.cuda ? choice.cuda->bytes_allowed : INT64_MAX;
  return {job_.processes.least(streams ? 0 : 1) == 0, job_.processes.least(memory)};
}

/// Panels are those of process 0.
void GpusTogether::agree_on_panels(planner::DevicePlan& device) const {
  Processes& all = job_.processes;
  dense::OffloadPlan& panels = device.offload;
  for (std::int64_t* const figure : {&panels.width, &panels.buffers, &panels.strip_rows,
                                     &panels.buffer_values, &panels.device_bytes}) {
    *figure = all.of_first(*figure);
  }
  device.tile = panels.width;
  device.bytes = panels.device_bytes;
}

void GpusTogether::take(planner::DeviceChoice choice, planner::Plan& plan) const {
  Processes& processes = job_.processes;
  const std::int64_t lacking =
      processes.least(choice.cuda ? processes.size() : std::int64_t{processes.rank()});
  if (lacking < processes.size()) {
    plan.why.device =
        choice.cuda ? fmt::format("process {} has no GPU for it", lacking) : std::move(choice.why);
    return;
  }
  plan.on_device = std::move(choice.cuda);
}

/// Options that only one process supports.
void require_offered(const SolveOptions& options) {
  if ((options.question.via || options.question.hops || options.question.predecessors) &&
      options.storage.output.empty()) {
    throw Error(ErrorKind::usage,
                "several processes keep no matrix in memory: `via`, `hops` and `predecessors` need "
                "`output=OUT.zarr`");
  }
  if (options.question.predecessors && !options.question.sources.empty()) {
    throw Error(ErrorKind::usage,
                "several processes store the predecessors of all rows: leave `sources` or "
                "`predecessors` out, or start one process");
  }
  if (options.storage.keep != Keep::factor) return;
  throw Error(ErrorKind::usage,
              "several processes keep no factor in memory: `keep=factor` needs `output=OUT.zarr`");
}

/// The plan of one process with all threads and unlimited memory.
planner::Plan plan_as_one(const Job& job, const Graph& graph, SolveOptions options,
                          const planner::RateSource& rates) {
  require_offered(options);
  planner::FindDevices find;
  if (options.machine.device == Device::cuda &&
      options.method.algorithm != Algorithm::floyd_warshall) {
    const planner::Devices mine =
        own_device(planner::preferred_by(options), place_of(job), job.find);
    options.machine.device_ordinals = {mine.list.front().ordinal};
    find = [mine] { return planner::Devices(mine); };
  } else {
    options.machine.device = Device::cpu;
    options.machine.device_ordinals.clear();
  }
  options.storage.keep = Keep::statistics;
  if (!options.storage.output.empty() && options.storage.stored != Keep::factor)
    options.storage.stored = Keep::matrix;
  options.machine.threads = system::thread_count(options.machine.threads) * job.processes.size();
  options.machine.memory = std::numeric_limits<std::int64_t>::max();
  planner::Plan plan = planner::find_plan(graph, options, find, rates);
  if (plan.signed_weights && !plan.rows()) {
    throw Error(ErrorKind::usage,
                "several processes solve real weights of both signs only by rows: name "
                "`algorithm=johnson`, or start apsp without mpirun");
  }
  if (!plan.rows()) {
    plan.method = planner::DensePlan{plan.tile()};
    plan.on_device.reset();
  }
  return plan;
}

/// Returns what is compared of the graphs of two processes. Values are not read again: the graph
/// was sent, or compared when it was read (collective_read.hpp).
std::string mark_of(const Graph& graph) {
  const WeightFacts& facts = graph.weight_facts();
  return fmt::format("{} arcs, {} loops, {} to {}, {} at most, symmetric {}", graph.arc_count(),
                     graph.loop_count(), facts.least, facts.greatest, facts.longest_path,
                     graph.symmetric());
}

/// Bytes that MPI takes in a process, with its share of memory between processes; measured: up to 4
/// MiB, with MPICH.
constexpr std::int64_t kMpi = std::int64_t{4} << 20;

std::int64_t predecessor_bytes(const SolveOptions& options, const planner::Plan& plan) {
  return options.question.predecessors
             ? paths::PredecessorRows::bytes(plan.n, plan.chunk, plan.threads)
             : 0;
}

/// Bytes of a share of the rows: predecessors are computed with the rows, not from stored
/// distances.
std::int64_t bytes_of_share(const Graph& graph, SolveOptions options, const planner::Plan& plan) {
  const std::int64_t beside = predecessor_bytes(options, plan);
  options.question.predecessors = false;
  return planner::plan_memory(graph, options, plan).peak() + kMpi + beside;
}

/// Bytes of a part of the grid: bands are sent while statistics count them, and are stored and
/// checked.
std::int64_t bytes_on_grid(const Job& job, const Graph& graph, SolveOptions options,
                           const planner::Plan& plan) {
  const std::int64_t part = GridRun::bytes(job.shape, plan, options.question.hops);
  const std::int64_t predecessors = predecessor_bytes(options, plan);
  const std::int64_t checks =
      job.checks ? planner::row_checks_bytes(plan.n, plan.semiring, graph.weight_facts().least < 0,
                                             plan.threads)
                 : 0;
  options.question.predecessors = false;
  const planner::MemoryPlan memory = planner::plan_memory(graph, options, plan);
  return memory.runtime + kMpi +
         std::max(memory.reading,
                  memory.graph + part + predecessors + memory.statistics + memory.storing + checks);
}

/// A matrix can be resumed only by Floyd-Warshall, rows only by algorithms that compute rows.
void require_way_of(const store::Resumable& earlier, const planner::Plan& plan) {
  const bool matrix = earlier.contents.checkpoint.has_value();
  if (matrix) api::require_begun_by(earlier, true);
  if (matrix != (plan.rows() != nullptr)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: the earlier run left {}; leave `algorithm={}` out", earlier.output,
                  matrix ? "a matrix of floyd-warshall" : "some rows", name(plan.algorithm)));
}

void require_checkpoints_taken(const Job& job, const SolveOptions& options,
                               const planner::Plan& plan, bool matrix_left) {
  if (plan.with_via && (job.checkpoint_seconds || matrix_left)) {
    throw Error(ErrorKind::usage,
                "a checkpoint keeps distances but no intermediate vertices: leave out `checkpoint` "
                "and `resume`, or `via` and `hops`");
  }
  if (!job.checkpoint_seconds) return;
  if (options.storage.output.empty()) {
    throw Error(ErrorKind::usage,
                "`checkpoint` keeps its files next to the output: add `output=OUT.zarr`");
  }
  if (!plan.rows()) return;
  throw Error(ErrorKind::usage,
              fmt::format("`checkpoint` is for floyd-warshall, and this graph is solved by {}: "
                          "leave it out, or add `algorithm=floyd-warshall`",
                          name(plan.algorithm)));
}

/// Predicts the distributed solve; planning has taken its time already.
void predict_again(const Graph& graph, const SolveOptions& options,
                   const planner::RateSource& rates, planner::Plan& plan) {
  const double planned = plan.predicted.start;
  plan.predicted = planner::predict(plan, graph.arc_count(), options, rates);
  const double more = std::max(0.0, planned - plan.predicted.start);
  plan.predicted.start += more;
  plan.predicted.seconds += more;
}

void take_share_of_rows(const Job& job, const Graph& graph, const SolveOptions& options,
                        planner::Plan& plan) {
  planner::RowCosts& costs = plan.rows()->costs;
  const int processes = job.processes.size();
  if (!plan.on_device) costs.making_seconds *= processes;  // each process makes its own
  for (std::int64_t* const bytes :
       {&costs.worker_bytes, &costs.columns_worker_bytes, &costs.block_bytes}) {
    *bytes = (*bytes + processes - 1) / processes;
  }
  if (job.checks) {  // checks need rows
    plan.rows()->uses.gives_columns = false;
    plan.rows()->uses.computes_rows = true;
  }
  plan.bytes = bytes_of_share(graph, options, plan);
}

/// Plans this process's share of the rows on its GPU, with the tree of process 0.
void plan_rows_on_device(const Job& job, const Graph& graph, const SolveOptions& options,
                         const planner::RateSource& rates, planner::Plan& plan) {
  const planner::Devices mine = own_device(planner::preferred_by(options), place_of(job), job.find);
  planner::RowsPlan rows = *plan.rows();
  if (job.checks) rows.uses.counts_columns = false;
  const double by_all = std::exchange(rows.costs.making_seconds, 0);
  const planner::DeviceMeans means{.memory = options.machine.device_memory,
                                   .band = options.storage.output.empty() ? 0 : plan.chunk,
                                   .link = planner::link_rates(rates, mine.list.front()),
                                   .rates = planner::device_row_rates(rates, mine.list.front(), 0)};
  planner::RowsOnDevices on =
      planner::rows_on_devices(graph, plan, means, {mine, mine.list}, std::move(rows));
  const int processes = job.processes.size();
  on.devices = planner::require_fitting(std::move(on.devices));
  on.devices.processes = processes;
  on.devices.seconds /= processes;
  planner::RowCosts& costs = on.rows.costs;
  costs.columns_seconds = costs.rows_seconds = on.devices.seconds;
  // Each process repeats the host's part of the elimination.
  costs.making_seconds += std::max(0.0, by_all - costs.making_seconds) * processes;
  plan.on_device = std::move(on.devices);
  plan.method = std::move(on.rows);
  plan.bytes = bytes_of_share(graph, options, plan);
}

void take_share_of_grid(const Job& job, const Graph& graph, const SolveOptions& options,
                        const std::optional<store::Resumable>& earlier, planner::Plan& plan) {
  plan.shape = plan.on_device ? plan.on_device->shape : shape_on_grid(job, graph, plan.with_via);
  // The CPU solves reachability in bytes here, not in bits, and that has no tile of its own.
  plan.method = planner::DensePlan{
      plan.on_device ? plan.on_device->tile
      : earlier      ? api::tile_of(*earlier)
      : options.method.tile > 0
          ? options.method.tile
          : planner::choose_tile(plan.n, plan.threads * job.processes.size(),
                                 kernels::cpu::operations(plan.semiring, plan.type, plan.sign))};
  if (plan.on_device) {
    plan.predicted =
        planner::predict_on_device(*plan.on_device, graph.arc_count(), options.question.statistics);
  }
  plan.bytes = bytes_on_grid(job, graph, options, plan);
  if (copies_checkpoints(job, graph, options, plan)) {
    plan.bytes += GridRun::copy_bytes(job.shape, plan);
  }
}

/// Whether processes can divide the factor: all that is asked for are statistics of all pairs, by
/// nested dissection of the whole graph on CPUs.
bool may_divide(const Job& job, const planner::Plan& plan) {
  const planner::RowsPlan* const rows = plan.rows();
  return rows != nullptr && rows->algorithm == Algorithm::nested_dissection &&
         rows->factor()->trim == nullptr && rows->uses.gives_columns && plan.selection.all() &&
         !plan.signed_weights && !plan.on_device && job.processes.size() > 1;
}

/// Divides the factor of a plan, whose costs become those of this process.
void divide_factor(const Job& job, const Graph& graph, const SolveOptions& options,
                   const planner::RateSource& rates, planner::Plan& plan) {
  const int processes = job.processes.size();
  planner::RowsPlan& rows = *plan.rows();
  auto share = std::make_shared<const sparse::TreeShare>(
      sparse::share_of(*rows.tree(), processes, job.processes.rank(),
                       (graph.symmetric() ? 1 : 2) * size_of(plan.type)));
  planner::RowsPlan divided = planner::plan_share(graph, plan, rates, share);
  divided.algorithm = rows.algorithm;
  divided.uses = rows.uses;
  std::get<planner::RowsByFactor>(divided.by).undivided_bytes = rows.costs.source_bytes;
  divided.costs.ordering_bytes = rows.costs.ordering_bytes;
  divided.costs.making_relaxations = rows.costs.making_relaxations;
  divided.costs.rows_relaxations = rows.costs.rows_relaxations;
  divided.costs.columns_worker_bytes +=
      engine::round_bytes(*share, plan.type, plan.threads, processes);
  rows = std::move(divided);
  plan.bytes = bytes_of_share(graph, options, plan);
}

std::string shared_gpu(const std::vector<base::ByteVector>& identities) {
  for (std::size_t second = 1; second < identities.size(); ++second) {
    for (std::size_t first = 0; first < second; ++first) {
      if (identities[first] != identities[second]) continue;
      return fmt::format("processes {} and {} share a GPU", first, second);
    }
  }
  return {};
}

/// Returns why panels cannot go from GPU to GPU, the same in all processes; empty: they can.
std::string why_not_direct(const Job& job, const planner::Plan& plan) {
  if (job.links == nullptr) return job.why_no_links;
  if (!plan.on_device) return "not every process has one: " + plan.why.device;
  job.processes.run_local([&] { job.links->require(); });
  const std::string& mine = plan.on_device->device.identity;
  std::string why;
  job.processes.communicate([&] {
    why = job.processes.share_text(shared_gpu(job.processes.gather(base::bytes_of_text(mine))));
  });
  return why;
}

}  // namespace

planner::Plan collective_plan(const Job& job, const Graph& graph, const SolveOptions& options,
                              const std::optional<store::Resumable>& earlier) {
  Processes& processes = job.processes;
  planner::Plan plan;
  const int threads = system::thread_count(options.machine.threads);
  with_collective_rates(job, graph, threads, [&](const planner::RateSource& rates) {
    plan = plan_as_one(job, graph, options, rates);
    if (earlier) require_way_of(*earlier, plan);
    require_checkpoints_taken(job, options, plan, earlier && earlier->contents.checkpoint);
  });
  const Algorithm algorithm = processes.of_first(plan.algorithm);
  GpusTogether gpus(job, graph, options, earlier);
  with_collective_rates(job, graph, threads, [&](const planner::RateSource& rates) {
    if (plan.algorithm != algorithm) {
      SolveOptions named = options;
      named.method.algorithm = algorithm;
      plan = plan_as_one(job, graph, named, rates);
    }
    plan.threads = threads;
    plan.keep = Keep::statistics;
    plan.bytes_allowed = planner::allowed_bytes(options);
    gpus.prepare(plan, rates);
  });
  gpus.choose(plan);
  if (job.shape.offload && !plan.rows() && !processes.of_first(plan.on_device.has_value())) {
    throw Error(ErrorKind::usage,
                "`variant=offload`: parts stream through GPUs, and this solve takes none; name "
                "`device=cuda`, or another variant");
  }
  processes.run_local([&] {
    plan.rows() ? take_share_of_rows(job, graph, options, plan)
                : take_share_of_grid(job, graph, options, earlier, plan);
  });
  const std::int64_t tile = processes.of_first(plan.tile());
  if (!plan.rows()) plan.method = planner::DensePlan{tile};
  auto* const factor = plan.rows() ? std::get_if<planner::RowsByFactor>(&plan.rows()->by) : nullptr;
  if (processes.of_first(factor != nullptr)) {
    factor->tree = share_tree(processes, factor->tree);
  }
  const std::string rounding = api::rounding_of(plan);  // of the whole tree
  const bool fits = plan.bytes * job.of_machine <= plan.bytes_allowed;
  if (may_divide(job, plan) && processes.least(fits ? 1 : 0) == 0) {
    planner::Plan divided = plan;
    with_collective_rates(job, graph, threads, [&](const planner::RateSource& rates) {
      divide_factor(job, graph, options, rates, divided);
    });
    for (std::int64_t* const largest : {&divided.rows()->costs.source_bytes, &divided.bytes}) {
      *largest = -processes.least(-*largest);
    }
    if (processes.of_first(divided.bytes < plan.bytes)) plan = std::move(divided);
  }
  with_collective_rates(job, graph, threads, [&](const planner::RateSource& rates) {
    if (plan.rows() && plan.on_device) plan_rows_on_device(job, graph, options, gpus.rates(), plan);
    if (plan.rows() || !plan.on_device) predict_again(graph, options, rates, plan);
  });
  processes.require_same(
      "what it plans",
      fmt::format("{} {} {} {} {} {} {} {}", name(plan.algorithm), name(plan.type), plan.n,
                  plan.chunk, job.shape.rows, job.shape.cols, mark_of(graph), rounding));
  return plan;
}

bool goes_direct(const Job& job, const planner::Plan& plan) {
  if (!job.direct || plan.rows()) return false;
  const std::string why = why_not_direct(job, plan);
  if (why.empty()) return true;
  throw Error(ErrorKind::usage,
              fmt::format("`broadcast=nccl` goes from GPU to GPU, and {}; `broadcast=ring` goes "
                          "through the host",
                          why));
}

void connect_gpus(const Job& job, const planner::Plan& plan, bool direct, GridRun& run) {
  if (direct) return run.connect(*job.links);
  if (!plan.on_device || job.processes.size() == 1) return;
  run.take_turns(turns_on_gpu(job.processes, plan.on_device->device.identity));
}

std::string plan_line(const Job& job, const planner::Plan& plan, bool direct) {
  const std::string processes = plan.rows()
                                    ? fmt::format("{}", job.processes.size())
                                    : fmt::format("{} × {}", job.shape.rows, job.shape.cols);
  const bool streams = plan.on_device && plan.on_device->streamed;
  const std::string each =
      plan.on_device
          ? fmt::format("{}{} of {}", streams ? "streamed through " : "",
                        base::format_bytes(plan.on_device->bytes), plan.on_device->title())
          : fmt::format("{} thread{}", plan.threads, plan.threads == 1 ? "" : "s");
  const std::string divided =
      plan.divided() != nullptr
          ? fmt::format(", the factor of {} divided into at most {}",
                        base::format_bytes(plan.rows()->factor()->undivided_bytes),
                        base::format_bytes(plan.rows()->costs.source_bytes))
          : "";
  return fmt::format("{} {} {} on {} processes, {} and {} each{}{}, predicted {}",
                     name(plan.algorithm), name(plan.semiring), name(plan.type), processes, each,
                     base::format_bytes(plan.bytes), direct ? ", panels from GPU to GPU" : "",
                     divided, planner::predicted(plan.predicted));
}

bool copies_checkpoints(const Job& job, const Graph& graph, const SolveOptions& options,
                        const planner::Plan& plan) {
  if (!job.checkpoint_seconds) return false;
  const std::int64_t with_copy =
      bytes_on_grid(job, graph, options, plan) + GridRun::copy_bytes(job.shape, plan);
  return with_copy * job.of_machine <= plan.bytes_allowed;
}

void require_fit(const Job& job, const planner::Plan& plan) {
  if (!plan.fits_disk()) {
    throw Error(
        ErrorKind::does_not_fit,
        fmt::format("the output needs {} of disk, and there is room for {}",
                    base::format_bytes(plan.disk.output), base::format_bytes(plan.disk.allowed)));
  }
  const std::int64_t bytes = plan.bytes * job.of_machine;
  if (bytes <= plan.bytes_allowed) return;
  const std::string way =
      bytes > system::total_memory()
          ? "take more machines"
          : fmt::format("`memory={}` lets all of them in", planner::option_size(bytes));
  throw Error(ErrorKind::does_not_fit,
              fmt::format("each of {} processes on this machine needs {}, and there is room for {} "
                          "in all; {}",
                          job.of_machine, base::format_bytes(plan.bytes),
                          base::format_bytes(plan.bytes_allowed), way));
}

}  // namespace apsp::cluster
