#include "api/stored_result.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <chrono>
#include <filesystem>
#include <optional>
#include <thread>

#include <nlohmann/json.hpp>

#include "api/result_state.hpp"
#include "base/claim.hpp"
#include "base/control.hpp"
#include "base/machine.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/stored_factor.hpp"
#include "engine/solve_graph.hpp"
#include "graph/derived_graphs.hpp"
#include "planner/plan.hpp"
#include "planner/signed_weights.hpp"
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

/// What a solve into a factor of this type requires of the weights.
void require_solvable(const Graph& graph, const store::Layout& layout, int threads,
                      const Control& control) {
  planner::Plan plan;
  plan.semiring = layout.semiring;
  plan.threads = threads;
  engine::require_defined(graph, plan, control);
  try {
    planner::choose_value_type(graph, layout.semiring, layout.type, threads, control);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    throw Error(
        error.kind(),
        fmt::format(
            "a factor of {} does not take these weights ({}): solve the graph with the new weights",
            name(layout.type), error.what()));
  }
  refuse_if(planner::sums_may_cancel(graph, layout.semiring, layout.type),
            "a factor takes no real weights of both signs: solve the graph with the new weights");
}

/// The report of the solve; statistics are of other weights.
store::Metadata without_statistics(const store::Store& stored) {
  nlohmann::json attributes = nlohmann::json::parse(stored.metadata().attributes, nullptr, false);
  if (!attributes.is_object()) return {};
  attributes.erase("statistics");
  return {attributes.dump(), {}};
}

/// Of a result that is changed where it is: waits while another run changes it. From reading to
/// replacing nobody else does, then. Null: the output is another one.
std::unique_ptr<base::Lock> claim_result(const std::string& path, const UpdateOptions& options) {
  constexpr std::chrono::milliseconds kPause(10);
  std::error_code failure;
  if (!std::filesystem::equivalent(path, options.output, failure)) return nullptr;
  store::FileSystem& files = store::posix_file_system();
  const std::string turns = store::join(path, "graph/zarr.json");  // of every factor
  std::optional<base::ProgressTask> waiting;
  for (;;) {
    if (auto lock = files.try_lock(turns)) return lock;
    if (!waiting) waiting.emplace(options.control, "waiting for another update", 1, "update");
    base::check_cancelled(options.control);
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace

Updated update_stored(const std::string& path,
                      const std::function<std::vector<Edge>(const Graph&)>& changes,
                      const UpdateOptions& options) {
  const std::unique_ptr<base::Lock> in_place = claim_result(path, options);
  const std::unique_ptr<store::Store> stored = store::open_store(path);
  const Graph before = graph_beside(*stored, path);
  const auto rows = stored_rows(*stored, before);
  const store::Metadata metadata = without_statistics(*stored);
  const std::vector<Edge> changed = changes(before);
  std::vector<VertexPair> arcs;
  arcs.reserve(changed.size());
  for (const Edge& edge : changed) {
    check_vertex(before, edge.from);
    check_vertex(before, edge.to);
    arcs.push_back({edge.from, edge.to});
  }
  Updated updated{.graph = graph::changed_weights(before, changed), .changes = std::ssize(changed)};
  const int threads = base::thread_count(options.threads);
  const store::Layout& layout = stored->layout();
  require_solvable(updated.graph, layout, threads, options.control);

  const auto start = std::chrono::steady_clock::now();
  const elimination::Factor factor =
      elimination::customize(rows->factor(), updated.graph, arcs,
                             {layout.semiring, layout.type, sign_of(updated.graph),
                              kernels::Cycles::excluded, threads, options.control});
  updated.seconds = base::seconds_since(start);
  const auto target = store::create_store(
      options.output, layout,
      {options.compress, nullptr, in_place != nullptr ? stored.get() : nullptr});
  elimination::write_factor(factor, *target);
  target->commit(updated.graph, metadata);
  return updated;
}

}  // namespace apsp::api
