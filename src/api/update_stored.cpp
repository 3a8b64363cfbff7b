#include "api/stored_result.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/result_state.hpp"
#include "api/updated_factor.hpp"
#include "base/claim.hpp"
#include "base/control.hpp"
#include "base/refusal.hpp"
#include "elimination/stored_factor.hpp"
#include "planner/value_type.hpp"
#include "store/file_system.hpp"

namespace apsp::api {
namespace {

Graph graph_beside(const store::Store& stored, const std::string& path) {
  refuse_if(!elimination::holds_factor(stored),
            "{} holds distances, and only a factor can be updated: solve with --keep factor", path);
  if (std::optional<Graph> graph = stored.graph()) return *graph;
  throw Error(ErrorKind::input, path + ": the graph is missing next to the factor");
}

/// The report of the solve, with the type and rounding of now; statistics are of other weights.
SolveReport report_now(SolveReport report, const UpdatedFactor& updated) {
  const elimination::Factor& factor = *updated.factor;
  report.value_type = factor.type();
  report.semiring = factor.semiring();
  report.unit_roundoff = planner::unit_roundoff(updated.graph, factor.semiring(), factor.type());
  return report;
}

SolveReport report_of(const store::Store& stored) {
  const auto attributes = nlohmann::json::parse(stored.metadata().attributes, nullptr, false);
  if (!attributes.is_object() || !attributes.contains("report")) return {};
  return report_from_json(attributes["report"]);
}

/// Of a result that is changed where it is: waits while another run changes it. From reading to
/// replacing nobody else does, then. Null: the output is another one.
std::unique_ptr<base::Lock> claim_result(const std::string& path, const std::string& output,
                                         const Control& control) {
  constexpr std::chrono::milliseconds kPause(10);
  std::error_code failure;
  if (!std::filesystem::equivalent(path, output, failure)) return nullptr;
  store::FileSystem& files = store::posix_file_system();
  const std::string turns = store::join(path, "graph/zarr.json");  // of every factor
  std::optional<base::ProgressTask> waiting;
  for (;;) {
    if (auto lock = files.try_lock(turns)) return lock;
    if (!waiting) waiting.emplace(control, "waiting for another update", 1, "update");
    base::check_cancelled(control);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace
}  // namespace apsp::api

namespace apsp {

Result Result::update(const Graph& graph, const UpdateOptions& options,
                      UpdateReport* report) const {
  const State& of = whole();
  refuse_if(
      of.factor == nullptr,
      "this result keeps no factor, and only a factor can be updated: solve with Keep::factor "
      "(--keep factor)");
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

UpdateReport update_stored(const std::string& path,
                           const std::function<Graph(const Graph&)>& change,
                           const UpdateOptions& options) {
  const std::string& output = options.output.empty() ? path : options.output;
  const std::unique_ptr<base::Lock> in_place = api::claim_result(path, output, options.control);
  const std::unique_ptr<store::Store> stored = store::open_store(path);
  const Graph before = api::graph_beside(*stored, path);
  store::Layout layout = stored->layout();
  const auto tree = elimination::read_tree(*stored, before);
  const Graph after = change(before);
  const api::UpdatedFactor updated =
      api::updated_factor({before, tree, layout.semiring, layout.type,
                           [&] { return elimination::read_factor(*stored, before, tree); }},
                          after, options);
  layout.type = updated.report.value_type;
  const auto target = store::create_store(
      output, layout, {options.compress, nullptr, in_place != nullptr ? stored.get() : nullptr});
  elimination::write_factor(*updated.factor, *target);
  const nlohmann::json attributes = {
      {"report", api::to_json(api::report_now(api::report_of(*stored), updated))}};
  target->commit(updated.graph, {attributes.dump(), {}});
  return updated.report;
}

}  // namespace apsp
