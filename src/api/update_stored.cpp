#include "api/stored_result.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include "api/graph_change.hpp"
#include "api/json.hpp"
#include "api/metrics.hpp"
#include "api/near_store.hpp"
#include "api/result_state.hpp"
#include "api/update.hpp"
#include "base/control.hpp"
#include "base/file_lock.hpp"
#include "base/json.hpp"
#include "base/machine.hpp"
#include "base/refusal.hpp"
#include "base/team.hpp"
#include "elimination/stored_factor.hpp"
#include "planner/value_type.hpp"
#include "store/metrics.hpp"

namespace apsp::api {
namespace {

/// The report of the solve, with the type and rounding of now; statistics are of other weights.
SolveReport report_now(SolveReport report, const Graph& graph, Semiring semiring, ValueType type) {
  report.value_type = type;
  report.semiring = semiring;
  report.unit_roundoff = planner::unit_roundoff(graph, semiring, type);
  return report;
}

SolveReport report_now(SolveReport report, const UpdatedFactor& updated) {
  const elimination::Factor& factor = *updated.factor;
  return report_now(std::move(report), updated.graph, factor.semiring(), factor.type());
}

/// The same of a matrix, which may have more rows now.
SolveReport report_now(SolveReport report, const store::Layout& layout, const Graph& graph) {
  report.sources = report.targets = layout.n;
  report.bytes_matrix = store::bytes_in_memory(layout);
  return report_now(std::move(report), graph, layout.semiring, layout.type);
}

SolveReport report_of(const store::Store& stored) {
  const auto attributes = base::parsed_json(stored.metadata().attributes);
  if (!attributes.is_object() || !attributes.contains("report")) return {};
  return report_from_json(attributes["report"]);
}

/// Of a result that keeps its distances, in memory or in a file.
Result update_matrix(const Result::State& state, const Graph& graph, const UpdateOptions& options,
                     UpdateReport* report) {
  refuse_if(state.store == nullptr,
            "this result keeps only statistics, and an update needs the distances or a factor: "
            "solve with Keep::matrix or Keep::factor");
  UpdatedMatrix updated = updated_matrix(state.graph, *state.store, graph, options);
  auto now = std::make_unique<Result::State>();
  now->report = report_now(state.report, updated.matrix->layout(), updated.graph);
  now->layout = updated.matrix->layout();
  now->store = std::move(updated.matrix);
  now->graph = updated.graph;
  if (report != nullptr) *report = updated.report;
  return Result(std::move(now));
}

void require_cpu(const UpdateOptions& options) {
  refuse_if(options.device == Device::cuda,
            "a factor is updated on the CPU: a GPU is for results that hold a matrix");
}

}  // namespace

Graph graph_beside(const store::Store& stored, const std::string& path,
                   const UpdateOptions& options) {
  if (std::optional<Graph> graph = stored.graph()) {
    refuse_if(options.before && options.before->digest() != graph->digest(),
              "{} was solved for another graph than the one given", path);
    return *graph;
  }
  refuse_if(store::is_zarr(path), "{}: the graph is missing next to the result", path);
  refuse_if(!options.before, "{} holds only the matrix; name the graph that was solved too", path);
  refuse_if(options.before->vertex_count() != stored.layout().n,
            "{} holds distances of {} vertices, but the graph has {}", path, stored.layout().n,
            options.before->vertex_count());
  return *options.before;
}

store::Metadata metadata_after(const store::Store& stored, const store::Layout& layout,
                               const Graph& graph) {
  const nlohmann::json attributes = {
      {"report", api::to_json(report_now(report_of(stored), layout, graph))}};
  return {base::json_text(attributes), {}};
}

std::unique_ptr<base::Lock> claim_result(const std::string& path, const std::string& output,
                                         const Control& control) {
  constexpr std::chrono::milliseconds kPause(10);
  std::error_code failure;
  if (!store::is_zarr(path) || !std::filesystem::equivalent(path, output, failure)) return nullptr;
  store::FileSystem& files = store::posix_file_system();
  const std::string turns = store::join(path, "graph/zarr.json");  // of every .zarr
  std::optional<base::ProgressTask> waiting;
  for (;;) {
    if (auto lock = files.try_lock(turns)) return lock;
    if (!waiting) waiting.emplace(control, "waiting for another update", 1, "update");
    base::check_cancelled(control);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace apsp::api

namespace apsp {

Result Result::update(const Graph& graph, const UpdateOptions& options,
                      UpdateReport* report) const {
  const State& of = whole();
  if (of.factor == nullptr) return api::update_matrix(of, graph, options, report);
  api::require_cpu(options);
  const elimination::FactorRows& rows = *of.factor;
  api::UpdatedFactor updated =
      api::updated_factor({of.graph, rows.factor().shared_tree(), rows.semiring(), rows.type(),
                           [&rows] { return rows.shared_factor(); }},
                          graph, options);
  auto state = std::make_unique<State>();
  state->report = api::report_now(of.report, updated);
  state->keep(
      std::make_unique<elimination::FactorRows>(updated.factor, api::sign_of(updated.graph)));
  state->graph = updated.graph;
  if (report != nullptr) *report = updated.report;
  return Result(std::move(state));
}

namespace api {
namespace {

/// Of a factor. `target`: as `store::create_store` makes it.
template <class Create>
UpdateReport update_factor(const store::Store& stored, const Graph& before, const Graph& after,
                           const UpdateOptions& options, const Create& create) {
  store::Layout layout = stored.layout();
  const auto tree = elimination::read_tree(stored, before);
  const UpdatedFactor updated =
      updated_factor({before, tree, layout.semiring, layout.type,
                      [&] { return elimination::read_factor(stored, before, tree); }},
                     after, options);
  layout.type = updated.report.value_type;
  const auto target = create(layout);
  elimination::write_factor(*updated.factor, *target);
  const nlohmann::json attributes = {
      {"report", api::to_json(report_now(report_of(stored), updated))}};
  target->commit(updated.graph, {base::json_text(attributes), {}});
  return updated.report;
}

/// The same of a matrix.
template <class Create>
UpdateReport update_matrix(const store::Store& stored, const Graph& before, const Graph& after,
                           const UpdateOptions& options, const Create& create) {
  const UpdatedMatrix updated = updated_matrix(before, stored, after, options);
  store::Layout layout = stored.layout();
  layout.n = updated.graph.vertex_count();
  layout.type = updated.report.value_type;
  const auto target = create(layout);
  const void* const values = updated.matrix->data(store::Plane::distance);
  write_rows_after({values, layout.n, layout.n, updated.matrix->stride()}, 0, options, *target);
  target->commit(updated.graph, metadata_after(stored, layout, updated.graph));
  return updated.report;
}

}  // namespace
}  // namespace api

UpdateReport update_stored(const std::string& path,
                           const std::function<Graph(const Graph&)>& change,
                           const UpdateOptions& options) {
  const Cancellable listening(options.control.cancellation);
  const std::string metric =
      options.metric.empty() ? "" : api::metric_to_write(path, options.metric);
  refuse_if(!metric.empty() && !options.output.empty(),
            "a metric is kept inside {}: name a metric or an output", path);
  const std::string& output = !metric.empty()          ? metric
                              : options.output.empty() ? path
                                                       : options.output;
  const std::unique_ptr<base::Lock> in_place = api::claim_result(path, output, options.control);
  const std::unique_ptr<store::Store> stored = store::open_store(path, options.semiring);
  api::require_all_pairs(*stored, path);
  const Graph before = api::graph_beside(*stored, path, options);
  const bool factor = elimination::holds_factor(*stored);
  refuse_if(factor && !store::is_zarr(output),
            "{}: a factor is kept in a .zarr: use `output=OUT.zarr`", output);
  refuse_if(!factor && !metric.empty(),
            "{} holds a matrix, whose metrics share nothing: use `output=OUT` instead of `metric`",
            path);
  if (factor) api::require_cpu(options);
  if (in_place != nullptr) store::require_no_metrics(store::posix_file_system(), path);
  const Graph after = change(before);
  if (!metric.empty()) api::make_metric_group(path);
  const bool shares = factor && (in_place != nullptr || !metric.empty());
  const auto create = [&](const store::Layout& layout) {
    return store::create_store(output, layout,
                               {.compress = options.compress,
                                .in_place_of = in_place != nullptr ? stored.get() : nullptr,
                                .shares_with = shares ? path : ""});
  };
  return factor ? api::update_factor(*stored, before, after, options, create)
                : api::update_matrix(*stored, before, after, options, create);
}

}  // namespace apsp
