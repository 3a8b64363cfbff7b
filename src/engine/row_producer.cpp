#include "engine/row_producer.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "base/control.hpp"
#include "base/seconds_since.hpp"
#include "engine/rows_on_device.hpp"
#include "engine/run.hpp"
#include "flow/row_source.hpp"
#include "graph/negative_cycle.hpp"
#include "planner/eligibility.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/trimmed_rows.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

/// Potentials for searches; none unless weights have both signs.
std::optional<Potentials> potentials_of(const Graph& graph, const planner::Plan& plan,
                                        const Control& control) {
  if (!planner::needs_potentials(graph, plan.kernel_semiring())) return std::nullopt;
  const bool longest = plan.kernel_semiring() == Semiring::max_plus;  // shortest ones of −w
  return potentials(graph, longest ? -1 : 1, control, plan.threads);
}

/// Eliminates the graph, in part on the device if planned. `made_on`: the device's report.
sparse::Factor factor_of(const Graph& graph, const planner::Plan& plan,
                         const planner::RowsByFactor& by, sparse::EliminationOptions options,
                         std::optional<DeviceReport>& made_on) {
  if (by.on_device) made_on = report_of(*plan.on_device);
  if (!by.on_device || !by.on_device->eliminates()) {
    return sparse::eliminate(graph, by.tree, options);
  }
  std::optional<sparse::Factor> factor;
  made_on = with_devices(*plan.on_device, [&](const OpenDevices& devices) {
    const auto start = std::chrono::steady_clock::now();
    options.share = {devices.front(), by.on_device->fronts, by.on_device->closed_from,
                     by.on_device->closed_tile};
    factor = sparse::eliminate(graph, by.tree, options);
    return base::seconds_since(start);
  });
  return std::move(*factor);
}

std::unique_ptr<flow::RowSource> of_targets(std::unique_ptr<flow::RowSource> rows,
                                            const store::VertexList& targets) {
  if (targets.is_all()) return rows;
  return std::make_unique<flow::TargetRows>(std::move(rows), targets.listed());
}

struct Engines {
  const Graph& graph;  // with reduced weights, if the plan has such
  const planner::Plan& plan;
  const Control& control;

  PlannedRows operator()(const planner::RowsByFactor& by) const {
    const sparse::EliminationOptions options{
        plan.kernel_semiring(), plan.type, plan.sign, plan.cycles, plan.threads, control, {}};
    if (by.trim) {
      return {.source = std::make_unique<sparse::TrimmedRows>(
                  *by.trim, sparse::eliminate(by.trim->core_graph, by.tree, options), plan.sign)};
    }
    PlannedRows rows;
    rows.factor =
        std::make_shared<const sparse::Factor>(factor_of(graph, plan, by, options, rows.made_on));
    rows.source =
        std::make_unique<sparse::FactorRows>(rows.factor, plan.sign, plan.selection.targets);
    if (by.on_device) {
      rows.producer = rows_by_sweeps(graph, *rows.factor, plan, *by.on_device, control);
    }
    return rows;
  }

  PlannedRows operator()(const planner::RowsBySearches& by) const {
    const std::optional<Potentials> found = potentials_of(graph, plan, control);
    const Potentials* const h = found ? &*found : nullptr;
    if (by.on_device) return {.producer = rows_by_near_far(graph, plan, *by.on_device, h, control)};
    return {.source = of_targets(search::dijkstra_rows(graph, plan.kernel_semiring(), plan.type, h,
                                                       plan.distance_bound),
                                 plan.selection.targets)};
  }

  PlannedRows operator()(const planner::RowsByBreadthFirst& by) const {
    if (by.on_device) return {.producer = rows_by_hops(graph, plan, *by.on_device, control)};
    return {.source = of_targets(plan.semiring == Semiring::or_and
                                     ? search::reachability_rows(graph)
                                     : search::breadth_first_rows(graph, plan.type),
                                 plan.selection.targets)};
  }
};

}  // namespace

PlannedRows planned_rows(const Graph& graph, const planner::Plan& plan, const Control& control) {
  const planner::SignedWeights* const weights = plan.signed_weights.get();
  PlannedRows rows = std::visit(
      Engines{weights != nullptr ? weights->reduced : graph, plan, control}, plan.rows()->by);
  if (weights != nullptr) {
    auto restored = std::make_unique<flow::RestoredRows>(
        std::move(rows.source), weights->potentials.h, plan.selection.targets, plan.semiring);
    rows.restored = restored.get();
    rows.source = std::move(restored);
  }
  if (rows.producer == nullptr) {
    rows.producer = rows_on_host(*rows.source, plan.threads, control);
  }
  return rows;
}

bool emits_columns(const planner::Plan& plan) {
  return plan.rows() && (plan.rows()->uses.gives_columns || plan.rows()->uses.counts_columns);
}

namespace {

using Sources = std::span<const Vertex>;

class Producer {
 public:
  explicit Producer(const flow::RowSource& source)
      : source_(source), worker_(source.worker()), stride_(source.columns()) {}

  /// `columns`: null, or also receives the distances.
  void give(Sources block, RowSinks sinks, flow::ColumnSink* columns) {
    rows_.require(std::ssize(block) * stride_ * size_of(source_.type()));
    if (columns == nullptr) {
      worker_->compute(block, rows_.data(), stride_);
    } else {
      worker_->compute_both(block, rows_.data(), stride_, *part_of(*columns));
    }
    for (flow::RowSink* const sink : sinks) {
      sink->take({block, rows_.data(), stride_, source_.type()});
    }
  }

  void compute_into(flow::RowSink& sink, Sources block, flow::ColumnSink* columns) {
    worker_->compute_into(block, sink.reserve(block, source_.type()),
                          columns == nullptr ? nullptr : part_of(*columns));
    sink.commit(block);
  }

  /// Requires: the rows are adjacent in a matrix in memory.
  void compute_in_place(flow::RowSink& sink, Sources block) {
    const store::RowView to = sink.reserve(block, source_.type());
    const std::int64_t stride =
        to.rows.size() > 1 ? (to.rows[1] - to.rows[0]) / size_of(source_.type()) : stride_;
    worker_->compute(block, to.rows.front(), stride);
    sink.commit(block);
  }

  void count(Sources block, flow::ColumnSink& columns) {
    worker_->compute_columns(block, *part_of(columns), columns.pairs_once());
  }

  void within(Sources block, double limit, flow::ColumnSink& columns) {
    worker_->compute_within(block, limit, *part_of(columns));
  }

 private:
  flow::ColumnSink::Writer* part_of(flow::ColumnSink& columns) {
    if (part_ == nullptr) part_ = &columns.part();
    return part_;
  }

  const flow::RowSource& source_;
  std::unique_ptr<flow::RowSource::Worker> worker_;
  std::int64_t stride_;
  system::AlignedMemory rows_;  // [block, stride]
  flow::ColumnSink::Writer* part_ = nullptr;
};

/// Calls work(thread, block). Threads claim blocks in order, so few bands are incomplete at once.
template <class F>
void share_blocks(const flow::RowSource& source, Sources sources, std::int64_t rows_of_block,
                  int threads, const Control& control, F&& work) {
  const auto rows = static_cast<std::size_t>(rows_of_block);
  base::ProgressTask progress(control, "solving", static_cast<double>(sources.size()), "row");
  std::atomic<std::size_t> next{0};
  system::run_threads(threads, [&](int) {
    Producer thread(source);
    for (;;) {
      const std::size_t first = next.fetch_add(rows, std::memory_order_relaxed);
      if (first >= sources.size() || base::cancelled(control)) return;
      const Sources block = sources.subspan(first, std::min(rows, sources.size() - first));
      try {
        work(thread, block);
      } catch (...) {
        next.store(sources.size(), std::memory_order_relaxed);
        throw;
      }
      progress.advance(static_cast<double>(block.size()));
    }
  });
  base::check_cancelled(control);
}

class RowsOnHost final : public RowProducer {
 public:
  RowsOnHost(const flow::RowSource& source, int threads, const Control& control)
      : source_(source), threads_(threads), control_(control) {}

  Sources order() const override { return source_.order(); }

  std::int64_t block_rows(std::int64_t sources, int processes) const override {
    return share(sources, threads_ * processes, source_.block_rows());
  }

  std::optional<DeviceReport> rows(Sources vertices, RowSinks sinks,
                                   flow::ColumnSink* columns) override {
    flow::RowSink* const only =
        sinks.size() == 1 && sinks.front()->has_buffers() ? sinks.front() : nullptr;
    const bool in_place = only != nullptr && columns == nullptr && only->preference().in_place &&
                          std::ssize(vertices) == source_.vertices() &&
                          std::is_sorted(vertices.begin(), vertices.end());
    const bool straight = only != nullptr && source_.writes_views();
    // Adjacent rows of a matrix are computed as one block.
    share_blocks(source_,
                 flow::in_bands(source_.order(), vertices, in_place ? 1 : widest_band(sinks)),
                 block_rows(std::ssize(vertices), 1), threads_, control_,
                 [&](Producer& thread, Sources block) {
                   if (in_place) return thread.compute_in_place(*only, block);
                   if (straight) return thread.compute_into(*only, block, columns);
                   thread.give(block, sinks, columns);
                 });
    return std::nullopt;
  }

  std::optional<DeviceReport> count(Sources vertices, flow::ColumnSink& columns,
                                    std::int64_t block) override {
    const std::int64_t sources = std::ssize(vertices);
    if (block == 0) block = share(sources, threads_, source_.column_sources(sources, threads_));
    share_blocks(source_, flow::in_bands(source_.order(), vertices, 0), block, threads_, control_,
                 [&](Producer& thread, Sources some) { thread.count(some, columns); });
    return std::nullopt;
  }

 private:
  /// An equal share of the sources for each thread, but at most `most`.
  static std::int64_t share(std::int64_t sources, int threads, std::int64_t most) {
    const int workers = std::max(1, threads);
    return std::clamp<std::int64_t>((sources + workers - 1) / workers, 1, most);
  }

  const flow::RowSource& source_;
  int threads_;
  const Control& control_;
};

}  // namespace

std::int64_t widest_band(RowSinks sinks) {
  std::int64_t band = 0;
  for (const flow::RowSink* const sink : sinks) band = std::max(band, sink->preference().band);
  return band;
}

std::unique_ptr<RowProducer> rows_on_host(const flow::RowSource& source, int threads,
                                          const Control& control) {
  return std::make_unique<RowsOnHost>(source, threads, control);
}

void give_within(const flow::RowSource& source, Sources vertices, double limit,
                 flow::ColumnSink& columns, int threads, const Control& control) {
  // Searches are short, so many of them form a block.
  constexpr std::int64_t kSearches = 64;
  share_blocks(source, flow::in_bands(source.order(), vertices, 0),
               std::max(kSearches, source.block_rows()), threads, control,
               [&](Producer& thread, Sources some) { thread.within(some, limit, columns); });
}

}  // namespace apsp::engine
