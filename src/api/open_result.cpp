// A stored result, opened again.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <nlohmann/json.hpp>

#include "api/json.hpp"
#include "api/kept_factor.hpp"
#include "api/result_state.hpp"
#include "base/numbers.hpp"
#include "planner/value_type.hpp"
#include "store/file_system.hpp"

namespace apsp {
namespace {

Graph graph_of(const std::string& path, const store::Store& store, std::optional<Graph> given) {
  if (!given) {
    if (std::optional<Graph> stored = store.graph()) return *stored;
    throw Error(ErrorKind::usage,
                path + " holds the matrix alone; name the graph that was solved as well");
  }
  if (given->vertex_count() != store.layout().n) {
    throw Error(ErrorKind::usage, fmt::format("{} is about {}, the graph has {}", path,
                                              base::counted(store.layout().n, "vertex", "vertices"),
                                              given->vertex_count()));
  }
  const std::optional<std::string> stored = store.graph_digest();
  if (stored && *stored != given->digest()) {
    throw Error(ErrorKind::usage, path + " was solved for another graph than the one given");
  }
  return *given;
}

}  // namespace

namespace {

Result open_what_is_there(const std::string& path, const std::optional<Graph>& graph,
                          Semiring semiring) {
  auto state = std::make_unique<Result::State>();
  state->store = store::open_store(path, semiring);
  state->layout = state->store->layout();
  state->graph = graph_of(path, *state->store, graph);
  state->report.semiring = state->layout.semiring;
  state->report.value_type = state->layout.type;
  state->report.unit_roundoff =
      planner::unit_roundoff(state->graph, state->layout.semiring, state->layout.type);

  const store::Metadata metadata = state->store->metadata();
  const auto attributes = nlohmann::json::parse(metadata.attributes, nullptr, false);
  if (attributes.is_object() && attributes.contains("report")) {
    state->report = api::report_from_json(attributes["report"]);
  }
  if (attributes.is_object() && attributes.contains("statistics")) {
    Statistics statistics = api::statistics_from_json(attributes["statistics"], state->graph);
    for (const auto& [name, values] : metadata.vertex_values) {
      if (name == "eccentricity") statistics.eccentricity = values;
      if (name == "closeness") statistics.closeness = values;
      if (name == "harmonic") statistics.harmonic = values;
    }
    state->statistics = std::move(statistics);
  }
  if (auto rows = api::stored_rows(*state->store, state->graph)) state->keep(std::move(rows));
  return Result(std::move(state));
}

}  // namespace

Result open_result(const std::string& path, std::optional<Graph> graph, Semiring semiring) {
  constexpr int kMostTries = 10;
  for (int tries = 1;; ++tries) {
    try {
      return open_what_is_there(path, graph, semiring);
    } catch (const store::Replaced&) {  // the new one is there
      if (tries == kMostTries) throw;
    }
  }
}

}  // namespace apsp
