#include "api/update.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <chrono>
#include <span>
#include <vector>

#include "api/stored_result.hpp"
#include "base/machine.hpp"
#include "base/memory_limit.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "base/units.hpp"
#include "elimination/arc_assembly.hpp"
#include "elimination/eliminate.hpp"
#include "engine/solve_graph.hpp"
#include "graph/derived_graphs.hpp"
#include "graph/whole_weights.hpp"
#include "planner/memory.hpp"
#include "planner/plan.hpp"
#include "planner/signed_weights.hpp"
#include "planner/value_type.hpp"

namespace apsp::api {
namespace {

/// Bytes until the new structure of a graph is known: its pattern, and arrays of some numbers for a
/// vertex.
std::int64_t structure_bytes(const Graph& graph) {
  return 2 * graph.arc_count() * std::int64_t{sizeof(Vertex)} +
         graph.vertex_count() * std::int64_t{12 * sizeof(std::int64_t)};
}

std::int64_t entries(const elimination::Tree& tree) {
  return tree.upper_entries() + tree.diagonal_entries();
}

}  // namespace

ValueType type_after(const Graph& was, const Graph& graph, Semiring semiring, ValueType before,
                     int threads, const Control& control) {
  // Where distances were rounded before, the type was chosen by name.
  if (before == ValueType::f64 && graph::whole_weights(was) &&
      !planner::integers_may_round(was, semiring, threads, control)) {
    planner::require_exact_integers(graph, semiring, threads, control);
  }
  ValueType type = before;
  try {
    planner::choose_value_type(graph, semiring, before, threads, control);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    type = planner::choose_value_type(graph, semiring, {}, threads, control).type;
    if (type == ValueType::f32 &&
        !planner::why_f32_is_too_coarse(graph, semiring, nullptr, SolveOptions().tolerance, control)
             .empty()) {
      type = ValueType::f64;
    }
  }
  refuse_if(planner::sums_may_cancel(graph, semiring, type),
            "an update takes no real weights of both signs: solve the graph with the new weights");
  return type;
}

namespace {

/// What an update may take in all, and what the process keeps of it already where memory was named.
struct UpdateMemory {
  UpdateMemory(std::int64_t graphs_and_values, const UpdateOptions& options) {
    SolveOptions memory;
    memory.memory = options.memory;
    allowed = planner::allowed_bytes(memory);
    const bool named = options.memory > 0 || base::memory_limit() > 0;
    if (named) held = std::max(graphs_and_values, base::kept_memory());
  }
  std::int64_t allowed = 0, held = 0;
};

}  // namespace

std::int64_t update_room(std::int64_t held, const UpdateOptions& options) {
  const UpdateMemory memory(held, options);
  return memory.allowed - memory.held;
}

void require_update_room(std::int64_t needed, std::int64_t held, const UpdateOptions& options) {
  const UpdateMemory memory(held, options);
  if (needed + memory.held <= memory.allowed) return;
  throw Error(
      ErrorKind::does_not_fit,
      fmt::format("the update needs {} and {} may be used; give it more memory, or fewer "
                  "threads",
                  base::format_bytes(needed + memory.held), base::format_bytes(memory.allowed)));
}

std::int64_t edges_of(const std::vector<VertexPair>& arcs, bool each_way) {
  return std::count_if(arcs.begin(), arcs.end(),
                       [&](const VertexPair& arc) { return !each_way || arc.from <= arc.to; });
}

UpdatedFactor updated_factor(const FactorBefore& before, const Graph& graph,
                             const UpdateOptions& options) {
  const int threads = base::thread_count(options.threads);
  const Control& control = options.control;
  UpdatedFactor updated{nullptr, graph::numbered_as(graph, before.graph), {}};
  const Graph& after = updated.graph;
  planner::Plan plan;
  plan.semiring = before.semiring;
  plan.threads = threads;
  engine::require_defined(after, plan, control);
  UpdateReport& report = updated.report;
  report.value_type_before = before.type;
  report.value_type =
      type_after(before.graph, after, before.semiring, before.type, threads, control);

  const auto start = std::chrono::steady_clock::now();
  const std::int64_t held = before.graph.memory_bytes() + after.memory_bytes();
  const std::vector<VertexPair> arcs = graph::differing_arcs(before.graph, after);
  const bool each_way = !before.graph.directed() && !after.directed();
  report.changes = edges_of(arcs, each_way);
  std::shared_ptr<const elimination::Tree> tree = before.tree;
  if (!elimination::holds_arcs(*tree, after)) {
    require_update_room(structure_bytes(after), held, options);
    tree = std::make_shared<const elimination::Tree>(elimination::pattern_of(after),
                                                     before.tree->order());
    report.growth =
        static_cast<double>(entries(*tree)) / static_cast<double>(entries(*before.tree));
  }
  const elimination::EliminationOptions elimination{before.semiring, report.value_type,
                                                    sign_of(after),  kernels::Cycles::excluded,
                                                    threads,         control};
  // Where most supernodes change, their old values are of no use.
  const bool whole = tree != before.tree || report.value_type != before.type ||
                     2 * std::ssize(arcs) >= after.arc_count();
  const auto factor_bytes = [&](const Graph& of) {
    return elimination::Factor::bytes(*tree, report.value_type, of.symmetric());
  };
  const std::int64_t needed =
      factor_bytes(after) + (whole ? 0 : factor_bytes(before.graph)) +
      elimination::elimination_bytes(after, *tree, report.value_type, threads);
  require_update_room(needed, held, options);
  base::plan_memory(static_cast<double>(needed), "the update",
                    "give it more memory, or fewer threads");
  updated.factor = std::make_shared<const elimination::Factor>(
      whole ? elimination::eliminate(after, tree, elimination)
            : elimination::customize(*before.factor(), after, arcs, elimination));
  report.seconds = base::seconds_since(start);
  return updated;
}

}  // namespace apsp::api
