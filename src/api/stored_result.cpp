#include "api/stored_result.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <limits>

#include "api/json.hpp"
#include "api/near.hpp"
#include "api/result.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"
#include "base/rounded_up.hpp"
#include "base/units.hpp"
#include "base/value_types.hpp"
#include "engine/row_producer.hpp"
#include "flow/derived_store.hpp"
#include "flow/drive.hpp"
#include "graph/arc_walk.hpp"
#include "graph/components.hpp"
#include "graph/vertex_states.hpp"
#include "planner/value_type.hpp"
#include "sparse/stored_factor.hpp"
#include "sparse/stored_paths.hpp"
#include "statistics/statistics_pass.hpp"
#include "store/file_system.hpp"
#include "store/zarr_chunk.hpp"
#include "system/machine.hpp"
#include "verifier/verifier.hpp"

namespace apsp::api {

std::unique_ptr<sparse::FactorRows> stored_rows(const store::Store& stored, const Graph& graph) {
  if (!sparse::holds_factor(stored)) return nullptr;
  return std::make_unique<sparse::FactorRows>(sparse::read_factor(stored, graph), sign_of(graph));
}

double reading_bytes(const Result& result, int threads) {
  const Result::State& state = result.state();
  const auto n = static_cast<double>(result.vertex_count());
  const double size = size_of(result.value_type());
  if (state.store == nullptr || state.factor != nullptr) {
    constexpr double kLanes = 64;
    return threads * n * kLanes * size;
  }
  const store::Layout& layout = state.store->layout();
  double pair = 0;
  for (const store::Plane plane : layout.planes) pair += store::value_size(layout, plane);
  const auto tile = static_cast<double>(std::min(layout.tile, layout.n));
  const double cached = static_cast<double>(store::ChunkCache::most_bytes());
  double at_once = 2 * threads * tile * tile * size;
  double all = pair * static_cast<double>(layout.rows()) * static_cast<double>(layout.cols());
  if (const auto form = state.store->tile_form(store::Plane::distance)) {
    // Chunks are whole at the edges. Each thread may hold a chunk and its frame, also of one chunk.
    all = pair * static_cast<double>(base::rounded_up(layout.rows(), form->rows)) *
          static_cast<double>(base::rounded_up(layout.cols(), form->cols));
  } else {
    at_once = std::min(all, at_once);
  }
  return std::min(all, cached) + at_once + threads * n * sizeof(double);
}

kernels::Sign sign_of(const Graph& graph) {
  return graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
}

Statistics statistics_of_factor(const Result::State& of, const Control& control) {
  const graph::VertexStates states(of.graph);
  store::Selection vertices;  // all, or those of a graph with turns and where paths to them end
  if (states.has_turns()) {
    std::vector<Vertex> ends = graph::all_vertices(states.vertices());
    vertices.sources = ends;
    for (Vertex& v : ends) v = states.end(v);
    vertices.targets = std::move(ends);
  }
  const std::unique_ptr<flow::RowSource> rows = of.rows_to(vertices.targets);
  std::span<const Vertex> sources = rows->order();
  if (states.has_turns()) sources = vertices.sources.listed();
  statistics::StatisticsPass pass(of.graph, rows->semiring(), rows->type(),
                                  planner::distance_bound(of.graph, rows->semiring()), vertices);
  const std::array<flow::RowSink*, 1> sinks = {&pass};
  engine::rows_on_host(*rows, system::thread_count(0), control)->rows(sources, sinks, nullptr);
  pass.finish();
  return pass.statistics();
}

namespace {

/// Passes rows and columns of a subgraph to `pass`, with its vertex numbers.
class PartRows final : public flow::RowSink {
 public:
  /// `vertices`: sorted; vertex i of the subgraph is vertices[i].
  PartRows(std::int64_t n, ValueType type, std::span<const Vertex> vertices,
           statistics::StatisticsPass& pass)
      : RowSink(n, type), type_(type), vertices_(vertices), pass_(pass) {}

  flow::RowPreference preference() const override { return pass_.preference(); }
  flow::RowTask task() const override { return pass_.task(); }

 private:
  void accept(const RowBlock& block) override {
    base::with_type(type_, [&]<class T>() { pass_on<T>(block); });
  }
  template <class T>
  void pass_on(const RowBlock& block) {
    std::vector<Vertex> sources;
    std::vector<T> values;
    const T* row = static_cast<const T*>(block.values);
    for (const Vertex source : block.sources) {
      const auto at = std::ranges::lower_bound(vertices_, source);
      if (at != vertices_.end() && *at == source) {
        sources.push_back(static_cast<Vertex>(at - vertices_.begin()));
        for (const Vertex v : vertices_) values.push_back(row[v]);
      }
      row += block.stride;
    }
    if (!sources.empty()) pass_.take({sources, values.data(), std::ssize(vertices_), type_});
  }

  ValueType type_;
  std::span<const Vertex> vertices_;
  statistics::StatisticsPass& pass_;
};

/// Converts statistics of a subgraph to the vertex numbers of the graph.
Statistics numbered_in_graph(Statistics statistics, std::span<const Vertex> vertices,
                             std::int64_t n) {
  const auto pair = [&](std::optional<VertexPair>& ends) {
    if (ends) ends = VertexPair{vertices[ends->from], vertices[ends->to]};
  };
  const auto spread = [&](std::vector<double>& values) {
    if (values.empty()) return;
    std::vector<double> all(static_cast<std::size_t>(n), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < vertices.size(); ++i) all[vertices[i]] = values[i];
    values = std::move(all);
  };
  pair(statistics.diameter_pair);
  pair(statistics.radius_pair);
  spread(statistics.eccentricity);
  spread(statistics.closeness);
  spread(statistics.harmonic);
  return statistics;
}

}  // namespace

Statistics component_statistics_of(const Result::State& of, const Control& control) {
  const auto component = graph::largest_of_several(of.graph);
  const std::int64_t n = of.graph.vertex_count();
  const Graph part = largest_component(of.graph);
  const Semiring semiring = of.layout.semiring;
  statistics::StatisticsPass pass(part, semiring, of.layout.type,
                                  planner::distance_bound(part, semiring));
  PartRows rows(n, of.layout.type, component->vertices, pass);
  if (of.factor != nullptr) {
    rows.expect(component->vertices);
    const std::array<flow::RowSink*, 1> sinks = {&rows};
    engine::rows_on_host(*of.factor_rows, system::thread_count(0), control)
        ->rows(component->vertices, sinks, nullptr);
  } else {
    flow::drive(of.matrix(), rows, system::thread_count(0), control);
  }
  rows.finish();
  pass.finish();
  return numbered_in_graph(pass.statistics(), component->vertices, n);
}

namespace {

/// The statistics in a file; empty for those of older versions, with another radius.
std::optional<Statistics> statistics_in(const store::Metadata& metadata, const Graph& graph) {
  const auto attributes = base::parsed_json(metadata.attributes);
  if (!attributes.is_object() || !attributes.contains("statistics")) return std::nullopt;
  const auto& stored = attributes["statistics"];
  if (!stored.contains("component") && !stored.value("connected", false)) return std::nullopt;
  Statistics statistics = statistics_from_json(attributes["statistics"], graph);
  for (const auto& [name, values] : metadata.vertex_values) {
    if (name == "eccentricity") statistics.eccentricity = values;
    if (name == "closeness") statistics.closeness = values;
    if (name == "harmonic") statistics.harmonic = values;
  }
  return statistics;
}

}  // namespace

VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system,
                           const store::Selection& selection) {
  const store::Layout about{.n = graph.vertex_count(), .selection = selection};
  const auto store = store::open_store(path, semiring, file_system, &about);
  if (store->layout().semiring != semiring) {
    throw Error(ErrorKind::input, fmt::format("{}: written for {}, but it says {}", path,
                                              name(semiring), name(store->layout().semiring)));
  }
  if (store->layout().selection != selection) {
    throw Error(ErrorKind::input, path + ": it holds other rows or columns than were solved");
  }
  // Reading the graph verifies its arrays against their digest.
  if (const auto stored = store->graph_digest(); stored && *stored != graph.digest()) {
    throw Error(ErrorKind::input, path + ": the graph next to the distances is another one");
  }
  const std::optional<Statistics> statistics = statistics_in(store->metadata(), graph);
  const Statistics* const claimed = statistics ? &*statistics : nullptr;
  if (const auto rows = stored_rows(*store, graph)) {
    return verifier::verify(graph, flow::RowSourceStore(*rows), options, claimed,
                            verifier::ClaimedRows::recomputed);
  }
  return verifier::verify(graph, *store, options, claimed);
}

}  // namespace apsp::api

namespace apsp {

namespace {

Graph graph_of(const std::string& path, const store::Store& store, std::optional<Graph> given) {
  if (!given) {
    if (std::optional<Graph> stored = store.graph()) return *stored;
    throw usage_error("{} holds only the matrix; name the graph that was solved too", path);
  }
  refuse_if(given->vertex_count() != store.layout().n,
            "{} holds distances of {}, but the graph has {}", path,
            base::counted(store.layout().n, "vertex", "vertices"), given->vertex_count());
  const std::optional<std::string> stored = store.graph_digest();
  refuse_if(stored && *stored != given->digest(),
            "{} was solved for another graph than the one given", path);
  return *given;
}

void take_report(const store::Metadata& metadata, SolveReport& report) {
  const auto attributes = base::parsed_json(metadata.attributes);
  if (attributes.is_object() && attributes.contains("report")) {
    report = api::report_from_json(attributes["report"]);
  }
}

Result opened_factor(const std::string& path, std::unique_ptr<Result::State> state) {
  const store::Layout stored = state->layout;
  state->layout = {.n = stored.n, .type = stored.type, .semiring = stored.semiring};
  state->report.semiring = stored.semiring;
  state->report.value_type = stored.type;
  take_report(state->store->metadata(), state->report);
  state->opened = std::make_unique<api::OpenedFactor>(std::move(state->store), path);
  return Result(std::move(state));
}

Result open_existing(const std::string& path, const std::optional<Graph>& graph,
                     Semiring semiring) {
  auto state = std::make_unique<Result::State>();
  state->store = store::open_store(path, semiring);
  state->layout = state->store->layout();
  api::require_all_pairs(*state->store, path);
  if (!graph && sparse::StoredPaths::reads(*state->store)) {
    return opened_factor(path, std::move(state));
  }
  state->graph = graph_of(path, *state->store, graph);
  state->report.semiring = state->layout.semiring;
  state->report.value_type = state->layout.type;
  state->report.unit_roundoff =
      planner::unit_roundoff(state->graph, state->layout.semiring, state->layout.type);

  const store::Metadata metadata = state->store->metadata();
  take_report(metadata, state->report);
  state->statistics = api::statistics_in(metadata, state->graph);
  if (auto rows = api::stored_rows(*state->store, state->graph)) state->keep(std::move(rows));
  return Result(std::move(state));
}

}  // namespace

void api::read_whole(Result::State& state) {
  const store::Store& stored = state.opened->stored();
  state.graph = graph_of(state.opened->path(), stored, std::nullopt);
  state.factor = stored_rows(stored, state.graph);
  state.factor_rows = state.rows_to({});
  state.store = std::make_unique<flow::RowSourceStore>(*state.factor_rows);
  state.statistics = statistics_in(stored.metadata(), state.graph);
}

Result open_result(const std::string& path, std::optional<Graph> graph, Semiring semiring) {
  const std::optional<Graph> known = std::move(graph);
  constexpr int kMostTries = 10;
  for (int tries = 1;; ++tries) {
    try {
      return open_existing(path, known, semiring);
    } catch (const store::Replaced&) {  // by a complete new result
      if (tries == kMostTries) throw;
    }
  }
}

}  // namespace apsp
