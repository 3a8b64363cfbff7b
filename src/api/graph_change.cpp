#include "api/graph_change.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <utility>

#include "api/stored_result.hpp"
#include "api/update.hpp"
#include "base/control.hpp"
#include "base/refusal.hpp"
#include "engine/solve_graph.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/derived_graphs.hpp"
#include "planner/plan.hpp"
#include "planner/value_type.hpp"
#include "semiring/dispatch.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::api {
namespace {

void require_updatable(const store::Layout& layout) {
  refuse_if(!layout.selection.all(),
            "the result holds only some rows or columns, and an update needs all: solve again");
  refuse_if(layout.planes != std::vector{store::Plane::distance},
            "the result holds more than distances (predecessors, intermediate vertices or edge "
            "counts), which an update does not renew: solve again");
}

class WeightsOf {
 public:
  WeightsOf(const Graph& graph, Semiring semiring) : graph_(graph), semiring_(semiring) {}

  /// The best weight, as in `engine::ArcChange`.
  double operator()(const VertexPair& arc) {
    if (arc.from != row_ || values_.empty()) {
      row_ = arc.from;
      values_.resize(static_cast<std::size_t>(graph_.vertex_count()));
      const std::int64_t n = graph_.vertex_count();
      const ValueType type = semiring_ == Semiring::or_and ? ValueType::boolean : ValueType::f64;
      bits_.resize(values_.size());
      void* const data = type == ValueType::f64 ? static_cast<void*>(values_.data()) : bits_.data();
      graph::fill_adjacency_rows(graph_, semiring_, type, row_, {data, 1, n, n}, 1);
      if (type == ValueType::boolean) std::copy(bits_.begin(), bits_.end(), values_.begin());
    }
    return values_[arc.to];
  }

 private:
  const Graph& graph_;
  Semiring semiring_;
  Vertex row_ = 0;
  std::vector<double> values_;
  std::vector<std::uint8_t> bits_;
};

/// Throws `Error` (does_not_fit). GPU kernels distinguish signed int32 sums from "no path" only
/// below 2^28 (kernels/cuda/relaxation.cuh); a product adds two paths with a changed arc each.
void check_updated_sums(const planner::KernelKind& kernel, const Graph& before,
                        const Graph& after) {
  constexpr double kLimit = 1 << 26;
  const bool is_signed = kernel.sign == kernels::Sign::any || kernel.semiring == Semiring::max_plus;
  if (kernel.type != ValueType::i32 || !planner::is_sum(kernel.semiring) || !is_signed) return;
  const double longest = std::max(planner::distance_bound(before, kernel.semiring),
                                  planner::distance_bound(after, kernel.semiring));
  if (longest < kLimit) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("distances may reach {:.15g}, and a GPU updates signed int32 only below "
                          "2^26: use `device=cpu`",
                          longest));
}

/// Calls share(first row, rows) for each band, in parallel.
template <class Share>
void share_bands(std::int64_t first, std::int64_t end, std::int64_t band, int threads,
                 const Share& share) {
  system::parallel_for((end - first + band - 1) / band, threads, 1, [&](std::int64_t t) {
    const std::int64_t row = first + t * band;
    share(row, std::min(band, end - row));
  });
}

}  // namespace

GraphChange graph_change(const Graph& before, const store::Layout& layout, const Graph& graph,
                         const UpdateOptions& options) {
  require_updatable(layout);
  const int threads = system::thread_count(options.threads);
  GraphChange change{graph::with_vertices_of(before, graph), {}, {}, layout, {}};
  change.after = graph::numbered_as(graph, change.before);
  planner::Plan plan;
  plan.semiring = layout.semiring;
  plan.threads = threads;
  engine::require_defined(change.after, plan, options.control);
  UpdateReport& report = change.report;
  report.value_type_before = layout.type;
  report.value_type = type_after(change.before, change.after, layout.semiring, layout.type, threads,
                                 options.control);
  change.arcs = graph::differing_arcs(change.before, change.after);
  report.changes = edges_of(change.arcs, !before.directed() && !change.after.directed());
  change.layout.n = change.after.vertex_count();
  change.layout.type = report.value_type;
  return change;
}

engine::MatrixChange matrix_change(const GraphChange& change, const UpdateOptions& options) {
  const Semiring semiring = change.layout.semiring;
  const ValueType type = change.layout.type;
  engine::MatrixChange matrix{
      .semiring = semiring,
      .type = type,
      .roundoff = std::max(planner::unit_roundoff(change.before, semiring, type),
                           planner::unit_roundoff(change.after, semiring, type)),
      .arcs = {},
      .fill_row =
          [&after = change.after, semiring, type](std::int64_t row, void* values) {
            const std::int64_t n = after.vertex_count();
            graph::fill_adjacency_rows(after, semiring, type, row, {values, 1, n, n}, 1);
          },
      .threads = system::thread_count(options.threads),
      .control = options.control};
  WeightsOf was(change.before, semiring), is(change.after, semiring);
  for (const VertexPair& arc : change.arcs) {
    matrix.arcs.push_back({arc.from, arc.to, was(arc), is(arc)});
  }
  return matrix;
}

std::unique_ptr<engine::MatrixOperations> update_operations(const GraphChange& change,
                                                            const UpdateOptions& options,
                                                            const planner::FindDevices& find) {
  const bool negative =
      sign_of(change.before) == kernels::Sign::any || sign_of(change.after) == kernels::Sign::any;
  const planner::KernelKind kernel{change.layout.semiring, change.layout.type,
                                   negative ? kernels::Sign::any : kernels::Sign::non_negative};
  const int threads = system::thread_count(options.threads);
  if (options.device != Device::cuda) {
    return engine::operations_on_host(kernel, threads, options.control);
  }
  check_updated_sums(kernel, change.before, change.after);
  return engine::operations_through_device(kernel,
                                           {.preference = {Device::cuda, options.device_ordinals},
                                            .memory = options.device_memory,
                                            .find = find},
                                           threads, options.control);
}

void read_rows_before(const store::Store& stored, const GraphChange& change, std::int64_t first,
                      kernels::View rows, int threads) {
  const std::int64_t before = stored.layout().n;
  semiring::dispatch(change.layout.semiring, change.layout.type, [&]<class S>() {
    using T = typename S::Value;
    system::parallel_for(rows.rows, threads, [&](std::int64_t i) {
      T* const row = static_cast<T*>(rows.data) + i * rows.stride;
      const bool is_new = first + i >= before;
      std::fill(row + (is_new ? 0 : before), row + rows.cols, S::zero());
      if (is_new) row[first + i] = S::one();
    });
  });
  const std::int64_t end = std::min(first + rows.rows, before);
  share_bands(first, std::max(first, end), stored.layout().tile, threads,
              [&](std::int64_t row, std::int64_t count) {
                stored.read(store::Plane::distance, {row, 0, count, before},
                            static_cast<std::byte*>(rows.data) +
                                (row - first) * rows.stride * size_of(change.layout.type),
                            rows.stride);
              });
}

void write_rows_after(kernels::ConstView rows, std::int64_t first, const UpdateOptions& options,
                      store::Store& target) {
  const store::Layout& layout = target.layout();
  share_bands(first, first + rows.rows, layout.tile, system::thread_count(options.threads),
              [&](std::int64_t row, std::int64_t count) {
                base::check_cancelled(options.control);
                target.write(store::Plane::distance, {row, 0, count, layout.n},
                             static_cast<const std::byte*>(rows.data) +
                                 (row - first) * rows.stride * size_of(layout.type),
                             rows.stride);
              });
}

SolveOptions solve_again(const store::Layout& layout, const UpdateOptions& options) {
  SolveOptions solving;
  solving.semiring = layout.semiring;
  solving.value_type = layout.type;
  solving.keep = Keep::matrix;
  solving.statistics = false;
  solving.threads = system::thread_count(options.threads);
  solving.device = options.device == Device::cuda ? Device::cuda : Device::cpu;
  solving.device_ordinals = options.device_ordinals;
  solving.device_memory = options.device_memory;
  solving.control = options.control;
  return solving;
}

}  // namespace apsp::api
