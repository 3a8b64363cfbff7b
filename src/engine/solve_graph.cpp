#include "engine/solve_graph.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/seconds_since.hpp"
#include "dense/reachable_bits.hpp"
#include "engine/drive_sinks.hpp"
#include "engine/row_producer.hpp"
#include "engine/run.hpp"
#include "flow/derived_store.hpp"
#include "flow/store_rows.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/bellman_check.hpp"
#include "graph/negative_cycle.hpp"
#include "graph/reduced_matrix.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

[[noreturn]] void report_cycle(const Graph& graph, const Cycle& cycle, const char* what,
                               const char* consequence) {
  constexpr std::size_t kShown = 20;
  std::string walk;
  for (std::size_t i = 0; i < cycle.vertices.size() && i < kShown; ++i) {
    walk += graph.name(cycle.vertices[i]) + " → ";
  }
  if (cycle.vertices.size() > kShown) walk += "… → ";
  walk += graph.name(cycle.vertices.front());
  throw Error::negative_cycle(
      cycle, fmt::format("{}: {} of weight {}; {}", what, walk, cycle.weight, consequence));
}

/// No data: the store has no such plane.
kernels::View cleared_via(const planner::Plan& plan, store::Store& matrix) {
  if (!matrix.holds(store::Plane::via)) return {};
  auto* const data = static_cast<std::int32_t*>(matrix.data(store::Plane::via));
  const std::int64_t stride = matrix.stride();
  system::parallel_for(plan.n, plan.threads, [&](std::int64_t i) {
    std::fill(data + i * stride, data + i * stride + plan.n, kernels::kNoVia);
  });
  return {data, plan.n, plan.n, stride};
}

void fill_matrix(const Graph& graph, const planner::Plan& plan, kernels::View matrix,
                 const Control& control) {
  if (!plan.signed_weights) {
    return graph::fill_adjacency_matrix(graph, plan.semiring, plan.type, matrix, plan.threads,
                                        control);
  }
  const planner::SignedWeights& weights = *plan.signed_weights;
  graph::fill_reduced_matrix(graph, {weights.potentials.h, weights.sign}, plan.type, matrix,
                             plan.threads, control);
}

/// Restores distances, and checks sums of both signs. Returns the absolute error of any distance.
double finish_matrix(const Graph& graph, const planner::Plan& plan, kernels::View matrix,
                     const Control& control) {
  if (!plan.signed_weights) {
    graph::put_back_diagonal(plan.semiring, plan.type, matrix);
    return 0;
  }
  const planner::SignedWeights& weights = *plan.signed_weights;
  const graph::LargestValues largest = graph::restore_matrix(
      {weights.potentials.h, weights.sign}, plan.type, matrix, plan.threads, control);
  const double error =
      std::min(weights.absolute_error(), weights.bound.of(largest.reduced, largest.distance));
  graph::check_bellman(graph, weights.sign, plan.type, matrix, error, plan.threads, control);
  return error;
}

Solved fill_planes(const Graph& graph, const planner::Plan& plan, store::Store& matrix,
                   const Control& control) {
  const kernels::View values{matrix.data(store::Plane::distance), plan.n, plan.n, matrix.stride()};
  if (plan.in_bits()) return {run(plan, {values}, control, &graph)};
  fill_matrix(graph, plan, values, control);
  const kernels::View via = cleared_via(plan, matrix);
  Solved solved{run(plan, {values, via}, control)};
  solved.absolute_error = finish_matrix(graph, plan, values, control);
  if (via.data != nullptr) {
    auto* const data = static_cast<std::int32_t*>(via.data);
    for (std::int64_t i = 0; i < plan.n; ++i) data[i * (via.stride + 1)] = kernels::kNoVia;
  }
  return solved;
}

void finish(RowSinks sinks) {
  for (flow::RowSink* const sink : sinks) sink->finish();
}

Solved go_on(const Graph& graph, const planner::Plan& plan, store::Store& earlier,
             const Control& control, RowSinks sinks) {
  Solved solved;
  const std::vector<Vertex> missing =
      give_stored_rows(earlier, sinks, plan.threads, control, &solved.damaged);
  solved.rows_resumed = plan.sources() - std::ssize(missing);
  if (!missing.empty() || plan.keep == Keep::factor) {
    const PlannedRows planned = planned_rows(graph, plan, control);
    if (plan.keep == Keep::factor) solved.factor = planned.factor;
    solved.on_device = planned.producer->rows(missing, sinks, nullptr);
  }
  finish(sinks);
  return solved;
}

template <class Seconds>
Solved solve_rows(const Graph& graph, const planner::Plan& plan, store::Store* matrix,
                  const Control& control, RowSinks sinks, flow::ColumnSink* columns,
                  const Seconds& seconds) {
  const PlannedRows planned = planned_rows(graph, plan, control);
  Solved solved;
  if (plan.leaves_factor()) solved.factor = planned.factor;
  if (!plan.rows()->uses.computes_rows) {
    solved.on_device = planned.made_on;
    solved.seconds = seconds();
    return solved;
  }
  const std::vector<Vertex> sources = plan.selection.sources.of(plan.n);
  if (plan.rows()->uses.gives_columns) {
    solved.on_device = planned.producer->count(sources, *columns, 0);
  } else if (matrix == nullptr) {
    solved.on_device = planned.producer->rows(sources, sinks, columns);
    finish(sinks);
  } else {
    flow::StoreRows filled(*matrix, plan.threads);
    flow::RowSink* const only[] = {&filled};
    solved.on_device = planned.producer->rows(sources, only, nullptr);
    finish(only);
  }
  solved.seconds = seconds();
  if (matrix != nullptr) feed_sinks(*matrix, sinks, plan.threads, control);
  return solved;
}

}  // namespace

void require_defined(const Graph& graph, const planner::Plan& plan, const Control& control) {
  if (plan.semiring == Semiring::min_plus && graph.weight_facts().least < 0) {
    const auto cycle = plan.signed_weights ? plan.signed_weights->potentials.cycle
                                           : potentials(graph, 1, control, plan.threads).cycle;
    if (cycle) report_cycle(graph, *cycle, "negative cycle", "shortest distances are undefined");
  }
  if (plan.semiring == Semiring::max_plus) {
    if (const auto cycle = find_cycle(graph)) {
      report_cycle(graph, *cycle, "cycle", "longest paths are defined on acyclic graphs only");
    }
  }
}

Solved solve_graph(const Graph& graph, const planner::Plan& plan, store::Store* matrix,
                   const Control& control, RowSinks sinks, flow::ColumnSink* columns,
                   store::Store* earlier, store::DiskMatrix* on_disk) {
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return base::seconds_since(start); };
  if (earlier != nullptr) {
    Solved solved = go_on(graph, plan, *earlier, control, sinks);
    solved.seconds = seconds();
    return solved;
  }
  if (plan.rows()) return solve_rows(graph, plan, matrix, control, sinks, columns, seconds);
  Solved solved;
  std::optional<dense::ClosedStore> bits;
  if (plan.stays_in_bits()) {
    ClosedBits closed = close(plan, graph, control);
    solved.on_device = std::move(closed.on_device);
    bits.emplace(std::move(closed.bits), plan.chunk, plan.threads);
  } else if (on_disk != nullptr) {
    SolvedOnDisk found = solve_on_disk(graph, plan, *on_disk, control);
    solved.on_device = std::move(found.on_device);
    solved.damaged = std::move(found.damaged);
  } else {
    solved = fill_planes(graph, plan, *matrix, control);
  }
  solved.seconds = seconds();
  const store::Store* const whole = bits                 ? static_cast<const store::Store*>(&*bits)
                                    : on_disk != nullptr ? on_disk
                                                         : matrix;
  if (plan.selection.all()) {
    feed_sinks(*whole, sinks, plan.threads, control);
  } else {
    feed_sinks(flow::SelectedStore(*whole, plan.selection), sinks, plan.threads, control);
  }
  return solved;
}

}  // namespace apsp::engine
