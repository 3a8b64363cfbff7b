#include "engine/solve_graph.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/seconds_since.hpp"
#include "dense/reachable_bits.hpp"
#include "engine/divided_rows.hpp"
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

/// The blocks of `rows` vertices that this process computes, in the best order; block-cyclic.
std::vector<Vertex> cyclic_blocks(std::span<const Vertex> best, std::span<const Vertex> some,
                                  std::int64_t rows, const ProcessGroup& group) {
  const std::vector<Vertex> order = flow::in_bands(best, some, 0);
  std::vector<Vertex> mine;
  for (std::int64_t i = 0; i < std::ssize(order); ++i) {
    if (i / rows % group.size() == group.rank()) {
      mine.push_back(order[static_cast<std::size_t>(i)]);
    }
  }
  return mine;
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

std::vector<Vertex> rows_of_bands(const planner::Plan& plan, std::span<const std::int64_t> bands) {
  std::vector<Vertex> rows;
  for (const std::int64_t band : bands) {
    const std::int64_t end = std::min((band + 1) * plan.chunk, plan.sources());
    for (std::int64_t row = band * plan.chunk; row < end; ++row) {
      rows.push_back(plan.selection.sources.at(row));
    }
  }
  return rows;
}

Solved solve_rows(const Graph& graph, const planner::Plan& plan, const Control& control,
                  const RowsToSolve& task) {
  ProcessGroup alone;
  ProcessGroup& group = task.group != nullptr ? *task.group : alone;
  const bool shared = group.size() > 1;
  const planner::RowUses& uses = plan.rows()->uses;
  std::vector<Vertex> mine =
      task.bands ? rows_of_bands(plan, *task.bands) : plan.selection.sources.of(plan.n);
  const auto expect_mine = [&] {
    if (!shared) return;
    group.run_local([&] {
      for (flow::RowSink* const sink : task.sinks) sink->expect(mine);
    });
  };
  if (task.bands) expect_mine();
  Solved solved;
  const planner::SignedWeights* const weights = plan.signed_weights.get();
  if (weights != nullptr) solved.absolute_error = weights->absolute_error();
  if (task.earlier != nullptr) {
    std::vector<Vertex> missing;
    group.run_local([&] {
      missing = task.bands ? push_stored_rows(*task.earlier, *task.bands, task.sinks, plan.threads,
                                              control, &solved.damaged)
                           : push_stored_rows(*task.earlier, task.sinks, plan.threads, control,
                                              &solved.damaged);
    });
    solved.rows_resumed = std::ssize(mine) - std::ssize(missing);
    mine = std::move(missing);
    if (group.least(-std::ssize(mine)) == 0 && plan.keep != Keep::factor) return solved;
  }
  if (plan.divided() != nullptr) {
    count_divided(graph, plan, control, *task.columns, group);
    return solved;
  }
  PlannedRows planned;
  std::int64_t block = 0;  // sources at a time, equal in all processes; 0: each chooses
  group.run_local([&] {
    planned = planned_rows(graph, plan, control);
    if (shared) block = planned.producer->block_rows(plan.sources(), group.size());
  });
  if (plan.leaves_factor()) solved.factor = planned.factor;
  if (!uses.computes_rows) {
    solved.on_device = std::move(planned.made_on);
    return solved;
  }
  if (task.bands) {
    block = 0;
  } else if (shared) {
    block = group.least(block);
    mine = cyclic_blocks(planned.producer->order(), mine, block, group);
    expect_mine();
  }
  group.run_local([&] {
    if (shared && mine.empty()) return;
    solved.on_device = task.columns != nullptr && uses.gives_columns
                           ? planned.producer->count(mine, *task.columns, block)
                           : planned.producer->rows(mine, task.sinks, task.columns);
  });
  if (weights != nullptr && task.earlier == nullptr) {
    const flow::RestoredRows& rows = *planned.restored;
    solved.absolute_error = std::min(
        solved.absolute_error, weights->bound.of(rows.largest_reduced(), rows.largest_distance()));
  }
  return solved;
}

namespace {

/// Solves in one process. Fills a matrix in memory first, and then drives it into the sinks.
Solved solve_by_rows(const Graph& graph, const planner::Plan& plan, store::Store* matrix,
                     const Control& control, const RowsToSolve& task) {
  const auto start = std::chrono::steady_clock::now();
  std::optional<flow::StoreRows> filled;
  if (matrix != nullptr) filled.emplace(*matrix, plan.threads);
  flow::RowSink* const only[] = {filled ? &*filled : nullptr};
  RowsToSolve rows = task;
  if (matrix != nullptr) rows.sinks = only, rows.columns = nullptr;
  Solved solved = solve_rows(graph, plan, control, rows);
  const planner::RowUses& uses = plan.rows()->uses;
  if (uses.computes_rows && !uses.gives_columns) {
    for (flow::RowSink* const sink : rows.sinks) sink->finish();
  }
  solved.seconds = base::seconds_since(start);
  if (matrix != nullptr) drive_sinks(*matrix, task.sinks, plan.threads, control);
  return solved;
}

}  // namespace

Solved solve_graph(const Graph& graph, const planner::Plan& plan, store::Store* matrix,
                   const Control& control, RowSinks sinks, flow::ColumnSink* columns,
                   store::Store* earlier, store::DiskMatrix* on_disk) {
  if (plan.rows()) {
    return solve_by_rows(graph, plan, matrix, control,
                         {.sinks = sinks, .columns = columns, .earlier = earlier});
  }
  const auto start = std::chrono::steady_clock::now();
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
  solved.seconds = base::seconds_since(start);
  const store::Store* const whole = bits                 ? static_cast<const store::Store*>(&*bits)
                                    : on_disk != nullptr ? on_disk
                                                         : matrix;
  if (plan.selection.all()) {
    drive_sinks(*whole, sinks, plan.threads, control);
  } else {
    drive_sinks(flow::SelectedStore(*whole, plan.selection), sinks, plan.threads, control);
  }
  return solved;
}

}  // namespace apsp::engine
