// Betweenness (apsp/betweenness.hpp): checks the question, plans and counts rows, scales sums.
#include <algorithm>
#include <apsp/betweenness.hpp>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "api/betweenness.hpp"
#include "base/fail.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "engine/solve_graph.hpp"
#include "graph/weight_check.hpp"
#include "paths/betweenness.hpp"
#include "paths/near_shares.hpp"
#include "paths/pendant_trees.hpp"
#include "planner/device_model.hpp"
#include "planner/device_plan.hpp"
#include "planner/find_plan.hpp"
#include "planner/memory.hpp"
#include "planner/plan.hpp"
#include "planner/plan_line.hpp"
#include "planner/value_type.hpp"
#include "rates/measured_rates.hpp"
#include "store/selection.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

constexpr const char *kWhat = "counting paths", *kWayOut = "use fewer threads, or leave out arcs";

void check_weights(const Graph& graph) {
  graph::require_positive(graph, "betweenness needs",
                          "edges of weight 0 make any number of shortest paths; give it a small "
                          "weight, or join its ends");
}

}  // namespace

std::optional<ValueType> api::exact_path_type(const Graph& graph, const Control& control,
                                              int threads) {
  planner::require_exact_integers(graph, Semiring::min_plus, threads, control);
  if (!graph.weight_facts().integral) return std::nullopt;
  const ValueType type =
      planner::choose_value_type(graph, Semiring::min_plus, {}, threads, control).type;
  if (planner::unit_roundoff(graph, Semiring::min_plus, type) > 0) return std::nullopt;
  return type;
}

SolveOptions api::rows_of_paths(std::optional<ValueType> type, const BetweennessOptions& asked,
                                std::span<const Vertex> sources) {
  SolveOptions solving;
  solving.method.algorithm = asked.algorithm;
  solving.machine.device = asked.device;
  solving.machine.device_ordinals = asked.device_ordinals;
  solving.machine.threads = asked.threads;
  solving.machine.memory = asked.memory;
  solving.control = asked.control;
  solving.question.sources = {sources.begin(), sources.end()};
  solving.storage.keep = Keep::statistics;
  solving.question.statistics = false;
  solving.consumer.on_rows = [](const RowBlock&) {};  // so that rows are planned; unused
  solving.method.value_type = type;
  if (solving.method.value_type) return solving;
  refuse_if(asked.algorithm != Algorithm::automatic && asked.algorithm != Algorithm::johnson,
            "with real weights equally long paths are found by sums rounded in the order of their "
            "arcs, which {} does not keep; choose johnson",
            name(asked.algorithm));
  solving.method.algorithm = Algorithm::johnson;
  solving.method.value_type = ValueType::f64;
  return solving;
}

std::unique_ptr<store::Store> api::matrix_of_rows(const planner::Plan& plan,
                                                  const SolveOptions& options) {
  if (!plan.keeps_matrix()) return nullptr;
  store::Layout whole = planner::layout_in_memory(plan, options);
  whole.selection = {};
  return store::make_memory_store(whole);
}

namespace {

/// Leaves the memory of a solve without `bytes`. Throws `Error` (does_not_fit).
void take_memory(SolveOptions& solving, std::int64_t bytes, std::string_view what,
                 std::string_view way_out) {
  solving.machine.memory = planner::allowed_bytes(solving);
  if (bytes >= solving.machine.memory) {
    base::fail(ErrorKind::does_not_fit, "{} takes {} of memory, and {} are allowed: {}", what,
               base::format_bytes(bytes), base::format_bytes(solving.machine.memory), way_out);
  }
  solving.machine.memory -= bytes;
}

}  // namespace

std::string api::solve_path_rows(const Graph& graph, SolveOptions solving, const PathRowsTask& task,
                                 const std::function<flow::RowSink&(ValueType)>& make) {
  take_memory(solving, task.bytes, task.what, task.way_out);
  rates::MeasuredRates measured(rates::rate_policy(solving.control.cancellation, task.memory));
  const planner::Plan plan = planner::make_plan(graph, solving, measured.find(), measured.source());
  system::plan_memory_in_all(plan.bytes + task.bytes, task.what, task.way_out, task.memory);
  const auto matrix = matrix_of_rows(plan, solving);
  flow::RowSink* const sink = &make(plan.type);
  engine::solve_graph(graph, plan, matrix.get(), solving.control, {&sink, 1});
  return planner::plan_line(plan, "distances ");
}

namespace {

/// `on_device.rows`: 0 if the host counts.
struct PlannedRows {
  planner::Plan plan;
  paths::ShareBatches on_device{};
};

/// Whether a GPU may count: if named, or if the host takes longer than starting a GPU's driver.
/// Floyd-Warshall's rows do not stay on a device.
bool may_count_on_device(const Graph& graph, const SolveOptions& solving,
                         const planner::RateSource& rates) {
  constexpr double kSecondsAnArc = 14e-9;  // or a vertex (bench/results/near.md)
  if (solving.method.algorithm == Algorithm::floyd_warshall) return false;
  if (solving.machine.device != Device::automatic) return solving.machine.device == Device::cuda;
  const auto looks = static_cast<double>(graph.vertex_count() + graph.arc_count());
  const double host = kSecondsAnArc * looks * static_cast<double>(solving.question.sources.size()) /
                      system::thread_count(solving.machine.threads);
  return planner::pays_for_driver(host, rates);
}

/// Empty: GPUs cannot compute and count the rows, or have too little memory.
std::optional<PlannedRows> rows_on_device(const Graph& graph, SolveOptions solving,
                                          const paths::PendantTrees& trees,
                                          const planner::FindDevices& find,
                                          const planner::RateSource& rates) {
  const paths::SharedSizes sizes{graph.vertex_count(), trees.remaining(), graph.arc_count(),
                                 graph.symmetric(), solving.method.value_type != ValueType::f64};
  try {
    const auto named = planner::named_device({Device::cuda, solving.machine.device_ordinals}, find);
    const std::int64_t allowed = planner::allowed_device_bytes(0, named.taken);
    const auto batches =
        paths::ShareBatches::fitting(allowed / 2, std::ssize(trees.row_sources()), sizes);
    if (batches.rows == 0) return std::nullopt;
    const std::int64_t bytes = batches.device_bytes(sizes);
    solving.machine.device = Device::cuda;
    solving.machine.device_memory = allowed - bytes;
    solving.consumer.on_rows = {};
    solving.consumer.on_device_rows = [](const DeviceRowBlock&) {};
    PlannedRows planned{planner::make_plan(graph, solving, find, rates), batches};
    planned.plan.on_device->bytes_allowed += bytes;
    return planned;
  } catch (const Error& error) {
    const ErrorKind kind = error.kind();
    if (kind == ErrorKind::interrupted || kind == ErrorKind::defect) throw;
    return std::nullopt;
  }
}

PlannedRows plan_rows(const Graph& graph, const SolveOptions& solving,
                      const paths::PendantTrees& trees, const planner::FindDevices& find,
                      const planner::RateSource& rates) {
  if (may_count_on_device(graph, solving, rates)) {
    auto planned = rows_on_device(graph, solving, trees, find, rates);
    if (planned) return *std::move(planned);
  }
  return {planner::make_plan(graph, solving, find, rates)};
}

std::int64_t answer_bytes(const Graph& graph, const BetweennessOptions& options) {
  constexpr std::int64_t kVertex = 3 * sizeof(double);
  constexpr std::int64_t kArc = sizeof(paths::ArcShare) + sizeof(Edge) + 4 * sizeof(double);
  return graph.vertex_count() * kVertex + (options.arcs ? graph.arc_count() * kArc : 0);
}

struct Scale {
  double source = 1, other = 1, arc = 1;
};

/// Same as in NetworkX 3.5 and later; `PairScale` describes it.
Scale scale_of(const Graph& graph, const BetweennessOptions& options) {
  if (options.scale == PairScale::sums) return {};
  const auto n = static_cast<double>(graph.vertex_count());
  const bool some = !options.sources.empty();
  const auto count = static_cast<double>(options.sources.size());
  const double once = graph.directed() ? 1 : 0.5;
  const auto factor = [&](double passed, double sources) {
    if (passed < 2) return 1.0;
    if (sources <= 0) return std::numeric_limits<double>::quiet_NaN();
    return options.scale == PairScale::normalized ? 1 / (sources * (passed - 1))
                                                  : once * passed / sources;
  };
  const double passed = options.endpoints ? n : n - 1;
  Scale scale;
  scale.other = factor(passed, some ? count : passed);
  scale.source = some && !options.endpoints ? factor(passed, count - 1) : scale.other;
  scale.arc = factor(n, some ? count : n);
  return scale;
}

}  // namespace

Betweenness api::betweenness_among(const planner::FindDevices& find, const Graph& graph,
                                   const BetweennessOptions& options,
                                   const planner::RateSource& rates) {
  check_weights(graph);
  const std::int64_t kept_before = system::kept_memory();
  const store::VertexList listed(options.sources);
  store::require_distinct(listed, graph.vertex_count(), "sources");
  const std::vector<Vertex> sources = listed.of(graph.vertex_count());
  const std::optional<ValueType> type =
      exact_path_type(graph, options.control, system::thread_count(options.threads));
  const paths::PendantTrees trees(graph, sources,
                                  type ? paths::PathSums::exact : paths::PathSums::rounded);
  const paths::BetweennessQuestion question{options.endpoints, options.arcs};
  SolveOptions solving = rows_of_paths(type, options, trees.row_sources());
  const std::int64_t counting =
      paths::BetweennessRows::bytes(graph, trees, question, system::thread_count(options.threads)) +
      answer_bytes(graph, options) + std::max<std::int64_t>(0, system::kept_memory() - kept_before);
  take_memory(solving, counting, kWhat, options.arcs ? kWayOut : "use fewer threads");
  Betweenness found;
  found.sources = std::ssize(sources);
  found.rows = std::ssize(trees.row_sources());
  std::optional<paths::BetweennessRows> rows;
  if (trees.row_sources().empty()) {
    system::plan_memory(static_cast<double>(counting), kWhat, kWayOut, options.memory);
    rows.emplace(graph, trees, ValueType::f64, question);
    rows->finish();
  } else {
    const PlannedRows planned = plan_rows(graph, solving, trees, find, rates);
    const planner::Plan& plan = planned.plan;
    system::plan_memory_in_all(std::max(plan.bytes + counting, system::kept_by_measuring()), kWhat,
                               kWayOut, options.memory);
    found.plan = planner::plan_line(plan, "distances ");  // counting paths takes longer
    found.algorithm = plan.algorithm;
    for (int i = 0; plan.on_device && i < plan.on_device->devices(); ++i) {
      found.device_ordinals.push_back(plan.on_device->ordinal(i));
    }
    found.counted_on_device = planned.on_device.rows > 0;
    if (found.counted_on_device) found.plan += ", paths counted there";
    rows.emplace(graph, trees, plan.type, question, planned.on_device);
    const std::unique_ptr<store::Store> matrix = matrix_of_rows(plan, solving);
    flow::RowSink* const sink = &*rows;
    engine::solve_graph(graph, plan, matrix.get(), options.control, {&sink, 1});
  }
  const Scale scale = scale_of(graph, options);
  found.vertices = rows->of_vertices();
  std::vector<double> factors(found.vertices.size(), scale.other);
  for (const Vertex source : options.sources) factors[source] = scale.source;
  for (std::size_t v = 0; v < factors.size(); ++v) found.vertices[v] *= factors[v];
  if (!options.arcs) return found;
  for (const paths::ArcShare& arc : rows->of_arcs()) {
    found.arcs.push_back({arc.from, arc.to, arc.weight});
    found.of_arcs.push_back(arc.share * scale.arc);
  }
  return found;
}

NearCentrality near_centrality(const Graph& graph, std::span<const double> limits,
                               const BetweennessOptions& options) {
  const Cancellable listening(options.control.cancellation);
  check_weights(graph);
  refuse_if(limits.empty(), "no limit is given: how far may a path be?");
  for (const double limit : limits) {
    refuse_if(!(limit >= 0), "the limit must be at least 0, not {}", limit);
  }
  const store::VertexList listed(options.sources);
  store::require_distinct(listed, graph.vertex_count(), "sources");
  const std::vector<Vertex> sources = listed.of(graph.vertex_count());
  const int threads = system::thread_count(options.threads);
  planner::require_exact_integers(graph, Semiring::min_plus, threads, options.control);
  system::plan_memory(
      paths::near_shares_bytes(graph, sources.size(), limits.size(), options.arcs, threads), kWhat,
      kWayOut, options.memory);
  const bool exact = graph.weight_facts().integral;
  paths::NearShares shares = paths::near_shares(
      graph, sources, limits, {options.endpoints, options.arcs}, exact, threads, options.control);
  NearCentrality found{.betweenness = std::move(shares.of_vertices),
                       .arcs = {},
                       .of_arcs = {},
                       .reached = std::move(shares.reached),
                       .distances = std::move(shares.distances),
                       .sources = std::ssize(sources)};
  const Scale scale = scale_of(graph, options);
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<double> factors(n, scale.other);
  for (const Vertex source : options.sources) factors[source] = scale.source;
  for (std::size_t i = 0; i < found.betweenness.size(); ++i) {
    found.betweenness[i] *= factors[i % n];
  }
  if (!options.arcs) return found;
  const std::vector<Edge>& both = shares.arcs;
  const auto ends = [](const Edge& arc) { return std::pair(arc.from, arc.to); };
  std::vector<std::pair<std::size_t, std::size_t>> sums;  // of an arc, or of both directions
  for (std::size_t i = 0; i < both.size(); ++i) {
    const auto [from, to, weight] = both[i];
    if (!graph.directed() && to < from) continue;
    const auto back = std::ranges::lower_bound(both, std::pair(to, from), {}, ends);
    sums.emplace_back(i, graph.directed() ? i : static_cast<std::size_t>(back - both.begin()));
    found.arcs.push_back({from, to, weight});
  }
  for (std::size_t first = 0; first < shares.of_arcs.size(); first += both.size()) {
    for (const auto& [there, back] : sums) {
      const double more = there == back ? 0 : shares.of_arcs[first + back];
      found.of_arcs.push_back((shares.of_arcs[first + there] + more) * scale.arc);
    }
  }
  return found;
}

Betweenness betweenness(const Graph& graph, const BetweennessOptions& options) {
  const Cancellable listening(options.control.cancellation);
  rates::MeasuredRates measured(rates::rate_policy(options.control.cancellation, options.memory));
  return api::betweenness_among(measured.find(), graph, options, measured.source());
}

}  // namespace apsp
