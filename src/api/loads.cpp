// Loads of arcs (apsp/loads.hpp): checks the demand, plans rows of its sources, names arcs.
#include <algorithm>
#include <apsp/betweenness.hpp>
#include <apsp/loads.hpp>
#include <cmath>
#include <optional>
#include <utility>

#include "api/betweenness.hpp"
#include "api/ordered_rows.hpp"
#include "api/result.hpp"
#include "api/stored_result.hpp"
#include "base/refusal.hpp"
#include "graph/vertex_states.hpp"
#include "graph/weight_check.hpp"
#include "paths/load_rows.hpp"
#include "planner/value_type.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp {
namespace {

/// The demand of the graph: with turn states, paths end at other vertices.
Demand checked(const graph::VertexStates& states, const Demand& demand) {
  const std::size_t count = demand.pairs.size();
  const auto n = static_cast<Vertex>(states.vertices());
  refuse_if(count == 0 ? !demand.volumes.empty()
                       : demand.volumes.empty() || demand.volumes.size() % count != 0,
            "a demand of {} pairs has {} volumes: give each pair one in every column", count,
            demand.volumes.size());
  for (const double volume : demand.volumes) {
    refuse_if(!(volume >= 0) || std::isinf(volume),
              "a volume must be at least 0 and finite, not {}", volume);
  }
  Demand found = demand;
  for (VertexPair& pair : found.pairs) {
    refuse_if(pair.from >= n || pair.to >= n, "vertex number {} is outside a graph of {} vertices",
              std::max(pair.from, pair.to), n);
    pair.to = states.end(pair.to);
  }
  return found;
}

/// `answer.arcs` and the loads of the graph's arcs; with turn states several arcs share a load.
paths::LoadedArcs loaded_arcs(const Graph& graph, const graph::VertexStates& states,
                              std::vector<Edge>& answer) {
  paths::LoadedArcs loaded(graph);
  const auto& out = loaded.arcs.out;
  const auto visit = [&](Vertex first, Vertex last, const auto& take) {
    for (Vertex u = first; u < last; ++u) {
      for (std::uint32_t i = out.first[u]; i < out.first[u + std::size_t{1}]; ++i) {
        const Edge arc{states.vertex_of(u), states.vertex_of(out.arcs[i].to), out.arcs[i].weight};
        if (arc.from != arc.to) take(i, arc);
      }
    }
  };
  // The arcs of the vertices themselves have no costs of turns.
  visit(0, static_cast<Vertex>(states.vertices()),
        [&](std::uint32_t, const Edge& arc) { answer.push_back(arc); });
  const auto ends = [](const Edge& arc) { return std::pair(arc.from, arc.to); };
  std::ranges::sort(answer, {}, ends);
  visit(0, static_cast<Vertex>(graph.vertex_count()), [&](std::uint32_t i, const Edge& arc) {
    const auto at = std::ranges::lower_bound(answer, ends(arc), {}, ends);
    loaded.load[i] = static_cast<std::uint32_t>(at - answer.begin());
  });
  loaded.loads = answer.size();
  return loaded;
}

void select(const Graph& graph, const std::vector<Edge>& arcs, const LoadOptions& options,
            paths::LoadedArcs& loaded) {
  if (options.select.empty()) return;
  refuse_if(options.split,
            "trips over selected arcs are those of one path each: leave `split` out");
  std::vector<std::uint32_t> number(arcs.size(), paths::LoadedArcs::kNone);
  const auto ends = [](const Edge& arc) { return std::pair(arc.from, arc.to); };
  for (std::size_t i = 0; i < options.select.size(); ++i) {
    const auto [from, to] = options.select[i];
    const auto at = std::ranges::lower_bound(arcs, std::pair(from, to), {}, ends);
    refuse_if(at == arcs.end() || ends(*at) != std::pair(from, to), "the graph has no arc {} → {}",
              graph.name(from), graph.name(to));
    std::uint32_t& selected = number[static_cast<std::size_t>(at - arcs.begin())];
    refuse_if(selected != paths::LoadedArcs::kNone, "the arc {} → {} is selected twice",
              graph.name(from), graph.name(to));
    selected = static_cast<std::uint32_t>(i);
  }
  for (const std::uint32_t load : loaded.load) {
    loaded.selected.push_back(load == paths::LoadedArcs::kNone ? load : number[load]);
  }
}

void check_weights(const Graph& graph, const LoadOptions& options, bool has_turns) {
  if (!options.split) return graph::require_non_negative(graph, "loads of arcs need", "");
  refuse_if(has_turns,
            "trips are split over all shortest paths only without turn costs: leave "
            "`split` or the turns out");
  graph::require_positive(graph, "trips split over all shortest paths need",
                          "give edges of weight 0 a small weight, or leave `split` out");
}

/// Rows of any type for one path, of exact path lengths for all paths. `type`: of exact distances.
SolveOptions rows_of(std::optional<ValueType> type, const LoadOptions& options,
                     const paths::Trips& trips) {
  std::vector<Vertex> sources;
  for (const paths::Trips::OfSource& of : trips.sources) sources.push_back(of.source);
  const BetweennessOptions asked{.device = Device::cpu,
                                 .threads = options.threads,
                                 .memory = options.memory,
                                 .control = options.control};
  SolveOptions solving = api::rows_of_paths(type, asked, sources);
  if (!type && !options.split) {
    solving.method.algorithm = Algorithm::automatic;
    solving.method.value_type.reset();
  }
  return solving;
}

/// `push(exact type, trips, task, make)` pushes the rows of the trips' sources to the sink of
/// make(type, whether distances are exact), and returns the line of its plan.
template <class Push>
Loads loads_by(const Graph& graph, const Demand& demand, const LoadOptions& options,
               const Push& push) {
  const Cancellable listening(options.control.cancellation);
  const graph::VertexStates states(graph);
  check_weights(graph, options, states.has_turns());
  const Demand asked = checked(states, demand);
  Loads found;
  paths::LoadedArcs arcs = loaded_arcs(graph, states, found.arcs);
  select(graph, found.arcs, options, arcs);
  const paths::Trips trips(asked);
  found.volumes.assign(trips.columns * found.arcs.size(), 0.0);
  found.costs.assign(trips.columns, 0.0);
  found.left_out = found.costs;
  if (trips.sources.empty()) return found;
  const int threads = system::thread_count(options.threads);
  std::optional<paths::LoadRows> rows;
  found.plan = push(api::exact_path_type(graph, options.control, threads), trips,
                    api::PathRowsTask{.what = "loading arcs",
                                      .way_out = "use fewer threads, or give fewer columns at once",
                                      .bytes = paths::LoadRows::bytes(graph, trips, arcs.loads,
                                                                      options.split, threads),
                                      .memory = options.memory},
                    [&](ValueType type, bool exact) -> flow::RowSink& {
                      return rows.emplace(graph, arcs, trips, type, exact, options.split);
                    });
  rows->put(found);
  return found;
}

/// Whether the result holds shortest distances from all vertices to all vertices. All shortest
/// paths of a trip need them exactly, or rounded as Dijkstra's algorithm rounds.
bool has_rows_of(const Result& result, const LoadOptions& options) {
  const bool all = result.kept() == Keep::factor ||
                   (result.kept() == Keep::matrix && result.state().layout.selection.all());
  return all && result.semiring() == Semiring::min_plus &&
         (!options.split || result.graph().weight_facts().integral);
}

}  // namespace

Loads loads(const Graph& graph, const Demand& demand, const LoadOptions& options) {
  return loads_by(graph, demand, options,
                  [&](std::optional<ValueType> exact, const paths::Trips& trips,
                      const api::PathRowsTask& task, const auto& make) {
                    return api::solve_path_rows(graph, rows_of(exact, options, trips), task,
                                                [&](ValueType type) -> flow::RowSink& {
                                                  return make(type, exact.has_value());
                                                });
                  });
}

Loads loads(const Result& result, const Demand& demand, const LoadOptions& options) {
  if (!has_rows_of(result, options)) return loads(result.graph(), demand, options);
  return loads_by(
      result.graph(), demand, options,
      [&](std::optional<ValueType>, const paths::Trips& trips, const api::PathRowsTask& task,
          const auto& make) -> std::string {
        const int threads = system::thread_count(options.threads);
        const bool factor = result.kept() == Keep::factor;
        system::plan_memory(static_cast<double>(task.bytes) + api::reading_bytes(result, threads),
                            task.what, task.way_out, task.memory);
        const auto rows = api::rows_of(result.state(), {}, options.threads, options.control);
        std::vector<Vertex> sources;
        for (const paths::Trips::OfSource& of : trips.sources) sources.push_back(of.source);
        const bool exact =
            planner::unit_roundoff(result.graph(), Semiring::min_plus, rows->type()) == 0;
        rows->give(sources, make(rows->type(), exact));
        return factor ? "distances by the factor of the result" : "distances of the result";
      });
}

}  // namespace apsp
