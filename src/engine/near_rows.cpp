#include "engine/near_rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <deque>
#include <mutex>
#include <random>
#include <utility>

#include "base/refusal.hpp"
#include "base/units.hpp"
#include "engine/row_producer.hpp"
#include "graph/weight_check.hpp"
#include "graph/whole_weights.hpp"
#include "near/device_near.hpp"
#include "planner/device_plan.hpp"
#include "planner/find_plan.hpp"
#include "planner/findings.hpp"
#include "planner/plan.hpp"
#include "planner/value_type.hpp"
#include "search/dijkstra_rows.hpp"
#include "sparse/order.hpp"
#include "system/child_process.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp::engine {

/// Bounded distances by searches on GPUs (near/device_near.hpp), pushed to a sink by row.
class NearOnDevices {
 public:
  /// `reached`: average number of vertices near a source. Throws `Error` (does_not_fit).
  NearOnDevices(const Graph& graph, ValueType type, double limit, planner::NamedDevice devices,
                std::int64_t sources, double reached, int threads);

  /// Pushes rows to `columns`. Returns the sources that reach too many vertices for a device; their
  /// rows are not pushed. Throws `Error`: interrupted, device; what the sink throws.
  std::vector<Vertex> give(std::span<const Vertex> sources, flow::ColumnSink& columns,
                           const Control& control) const;

 private:
  planner::NamedDevice devices_;
  int threads_;
  near::NearGraph graph_;
  std::int64_t bytes_;  // allowed on each device
  near::NearBatches how_;
};

namespace {

template <class K>
class RowWriter {
 public:
  explicit RowWriter(flow::ColumnSink& columns) : part_(columns.part()) {}

  void give(Vertex source, std::span<const Vertex> targets, const K* distances) {
    if (std::is_sorted(targets.begin(), targets.end())) {
      distances_.assign(distances, distances + targets.size());
      return part_.take_row(source, targets, distances_);
    }
    row_.clear();
    for (std::size_t i = 0; i < targets.size(); ++i) row_.emplace_back(targets[i], distances[i]);
    std::sort(row_.begin(), row_.end());
    vertices_.clear();
    distances_.clear();
    for (const auto& [v, distance] : row_) {
      vertices_.push_back(v);
      distances_.push_back(static_cast<double>(distance));
    }
    part_.take_row(source, vertices_, distances_);
  }

 private:
  flow::ColumnSink::Writer& part_;
  std::vector<std::pair<Vertex, K>> row_;
  std::vector<Vertex> vertices_;
  std::vector<double> distances_;
};

template <class K>
class RowGiver {
 public:
  RowGiver(flow::ColumnSink& columns, int threads) : threads_(threads) {
    for (int i = 0; i < threads; ++i) writers_.emplace_back(columns);
  }
  void operator()(const near::NearRowsFound& rows) {
    const auto* const distances = reinterpret_cast<const K*>(rows.distances);
    system::parallel_for(std::ssize(rows.sources), threads_, [&](std::int64_t row, int member) {
      const auto i = static_cast<std::size_t>(row);
      if (rows.found[i] < 0) return;
      writers_[static_cast<std::size_t>(member)].give(
          rows.sources[i], {rows.targets + rows.begin[i], static_cast<std::size_t>(rows.found[i])},
          distances + rows.begin[i]);
    });
  }

 private:
  int threads_;
  std::deque<RowWriter<K>> writers_;
};

}  // namespace

NearOnDevices::NearOnDevices(const Graph& graph, ValueType type, double limit,
                             planner::NamedDevice devices, std::int64_t sources, double reached,
                             int threads)
    : devices_(std::move(devices)),
      threads_(threads),
      graph_(graph, type, limit),
      bytes_(planner::allowed_device_bytes(0, devices_.taken)),
      how_(near::NearBatches::fitting(bytes_, sources, graph.vertex_count(),
                                      graph_.arcs.arc_count(), graph_.whole, reached)) {
  if (how_.rows > 0 || sources == 0) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("a search among {} vertices does not fit into {} of {}: use `device=cpu`",
                          base::format_count(graph.vertex_count()), base::format_bytes(bytes_),
                          planner::title(devices_.taken.front())));
}

std::vector<Vertex> NearOnDevices::give(std::span<const Vertex> sources, flow::ColumnSink& columns,
                                        const Control& control) const {
  std::vector<Vertex> left;
  if (sources.empty()) return left;
  search::SourceBlocks blocks(sources, how_.rows, control);
  std::mutex mutex;
  const auto count = static_cast<int>(devices_.taken.size());
  const auto each = [&](int number) {
    const ValueType type = graph_.whole ? ValueType::i32 : ValueType::f64;
    const auto device =
        devices_.devices.open(devices_.taken[static_cast<std::size_t>(number)].ordinal,
                              Semiring::min_plus, type, kernels::Sign::non_negative, bytes_);
    near::DeviceNear near(graph_, how_, *device);
    const int threads = std::max(1, threads_ / count);
    const auto run = [&](auto give) {
      return near.run(blocks, [&](const near::NearRowsFound& rows) { give(rows); });
    };
    const std::vector<Vertex> too_many = graph_.whole
                                             ? run(RowGiver<std::uint32_t>(columns, threads))
                                             : run(RowGiver<double>(columns, threads));
    const std::lock_guard lock(mutex);
    left.insert(left.end(), too_many.begin(), too_many.end());
  };
  system::on_threads(count, each, [&] { blocks.stop(); });
  return left;
}

namespace {

void check(const Graph& graph, double limit, Algorithm asked) {
  refuse_if(!(limit >= 0), "the limit must be at least 0, not {}", limit);
  graph::require_non_negative(graph, "near pairs and what can be reached need",
                              "correct it, or solve the graph and keep distances up to the limit");
  planner::require_searches_or_factor(asked);
}

/// Integers are exact up to the limit. Rounding to f32 could move distances across it.
planner::ValueChoice values_for(const Graph& graph, double limit, const NearOptions& options,
                                int threads) {
  if (limit <= graph::kMostExact &&
      planner::integers_may_round(graph, Semiring::min_plus, threads, options.control)) {
    return {ValueType::f64, planner::distance_bound(graph, Semiring::min_plus)};
  }
  planner::require_exact_integers(graph, Semiring::min_plus, threads, options.control);
  planner::ValueChoice values =
      planner::choose_value_type(graph, Semiring::min_plus, {}, threads, options.control);
  if (values.type == ValueType::f32) values.type = ValueType::f64;
  return values;
}

class Counter final : public flow::ColumnSink::Writer {
 public:
  void begin(std::span<const Vertex>) override {}
  void take(std::span<const Vertex> vertices, const void*, std::int64_t) override {
    count += static_cast<double>(vertices.size());
  }
  void end() override {
    sum += count;
    squares += count * count;
    count = 0;
  }
  double sum = 0, squares = 0;  // of what the searches reached

 private:
  double count = 0;
};

struct Sample {
  double reached = 0;  // vertices
  double bound = 0;    // of the mean: two standard errors more
  double seconds = 0;  // of this thread's processor time: a busy machine takes no fewer samples
};

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Searches from a few random sources, on the calling thread.
Sample sample(const flow::RowSource& searches, double limit, std::span<const Vertex> sources) {
  constexpr std::size_t kMostSearches = 64, kSourcesOfASearch = 16;
  constexpr double kMostSeconds = 0.1;
  std::mt19937_64 random(1);
  const auto worker = searches.worker();
  Counter counter;
  double done = 0, seconds = 0;
  worker->compute_within(sources.first(1), limit, counter);  // touches memory pages
  counter = Counter();
  const double start = thread_seconds();
  const auto wanted = std::clamp<std::size_t>(sources.size() / kSourcesOfASearch, 1, kMostSearches);
  while (done < static_cast<double>(wanted) && seconds < kMostSeconds) {
    worker->compute_within({&sources[random() % sources.size()], 1}, limit, counter);
    seconds = thread_seconds() - start;
    ++done;
  }
  const double mean = counter.sum / done, variance = counter.squares / done - mean * mean;
  return {mean, mean + 2 * std::sqrt(std::max(0.0, variance) / done), seconds / done};
}

/// A block's sweep reaches this many times what one source reaches.
constexpr double kWidening = 4;

}  // namespace

NearRows::NearRows(const planner::FindDevices& find, const Graph& graph, double limit,
                   const NearOptions& options)
    : limit_(limit),
      threads_(system::thread_count(options.threads)),
      control_(options.control),
      algorithm_(Algorithm::johnson) {
  check(graph, limit, options.algorithm);
  refuse_if(options.device == Device::cuda && options.algorithm == Algorithm::nested_dissection,
            "a GPU finds what is near by searches: leave the algorithm out, or use the CPU");
  choose(find, graph, values_for(graph, limit, options, threads_), options);
}

NearRows::~NearRows() = default;

bool NearRows::take_devices(const planner::FindDevices& find, const Graph& graph, double seconds,
                            const NearOptions& options) {
  if (options.device == Device::cpu || options.algorithm == Algorithm::nested_dissection) {
    return false;
  }
  const bool named = options.device == Device::cuda;
  constexpr double kWorthWhile = 2;  // seconds: starting a GPU's driver, copying arcs
  constexpr double kMostReached = kernels::kSortedPairs;  // the host sorts longer rows
  if (!named && (seconds < kWorthWhile || reached_ > kMostReached)) return false;
  const auto sources = static_cast<std::int64_t>(
      options.sources.empty() ? graph.vertex_count() : std::ssize(options.sources));
  try {
    on_devices_ = std::make_unique<NearOnDevices>(
        graph, type(), limit_, planner::named_device({Device::cuda, options.device_ordinals}, find),
        sources, reached_, threads_);
  } catch (const Error& error) {
    const ErrorKind kind = error.kind();
    if (named || (kind != ErrorKind::device && kind != ErrorKind::does_not_fit)) throw;
  }
  return on_devices_ != nullptr;
}

void NearRows::choose(const planner::FindDevices& find, const Graph& graph,
                      const planner::ValueChoice& values, const NearOptions& options) {
  const bool automatic = options.algorithm == Algorithm::automatic;
  const std::vector<Vertex> sources = store::VertexList(options.sources).of(graph.vertex_count());
  rows_.source =
      search::dijkstra_rows(graph, Semiring::min_plus, values.type, nullptr, values.distance_bound);
  const Sample found = sources.empty() ? Sample() : sample(*rows_.source, limit_, sources);
  reached_ = std::min(found.bound, static_cast<double>(graph.vertex_count()));
  const double searching = found.seconds * static_cast<double>(sources.size()) / threads_;
  if (take_devices(find, graph, searching, options)) return;
  if (options.algorithm == Algorithm::johnson) return;
  if (automatic && (sources.empty() || graph.matrix() != nullptr ||
                    planner::estimate_ordering(graph, threads_).seconds > searching / 2)) {
    return;
  }
  const std::int64_t n = graph.vertex_count(), arcs = graph.arc_count();
  const std::int64_t room =
      options.memory > 0 ? options.memory - system::kept_memory() : system::available_memory();
  if (automatic &&
      sparse::ordering_bytes({n, arcs, n, arcs}, system::processes_for(threads_)) > room) {
    return;
  }
  const SolveOptions solving =
      planner::factor_options(values.type, options.threads, options.memory, options.control);
  const planner::Plan plan =
      automatic ? planner::find_plan(graph, solving) : planner::make_plan(graph, solving);
  const planner::RowCosts& costs = plan.rows()->costs;
  const double share =
      std::min(1.0, kWidening * found.reached / static_cast<double>(graph.vertex_count()));
  const double part = static_cast<double>(sources.size()) / static_cast<double>(plan.n);
  const double sweeping = costs.making_seconds + share * part * costs.columns_seconds;
  if (automatic && (sweeping > searching || !plan.fits())) return;
  algorithm_ = Algorithm::nested_dissection;
  rows_ = planned_rows(graph, plan, control_);
}

void NearRows::give(std::span<const Vertex> sources, flow::ColumnSink& columns) {
  if (on_devices_ == nullptr) {
    return give_within(*rows_.source, sources, limit_, columns, threads_, control_);
  }
  const std::vector<Vertex> left = on_devices_->give(sources, columns, control_);
  if (left.empty()) return;
  give_within(*rows_.source, left, limit_, columns, threads_, control_);
}

}  // namespace apsp::engine
