#include "api/update.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <chrono>
#include <utility>
#include <vector>

#include "api/solve_among.hpp"
#include "api/stored_result.hpp"
#include "base/machine.hpp"
#include "base/refusal.hpp"
#include "base/seconds_since.hpp"
#include "base/team.hpp"
#include "engine/matrix_operations.hpp"
#include "engine/matrix_update.hpp"
#include "engine/solve_graph.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/derived_graphs.hpp"
#include "planner/plan.hpp"
#include "planner/value_type.hpp"
#include "semiring/dispatch.hpp"
#include "store/tiling.hpp"

namespace apsp::api {
namespace {

void require_updatable(const store::Layout& layout) {
  refuse_if(!layout.selection.all(),
            "the result holds only some rows or columns, and an update needs all: solve again");
  refuse_if(layout.planes != std::vector{store::Plane::distance},
            "the result holds more than distances (predecessors, intermediate vertices or edge "
            "counts), which an update does not renew: solve again");
}

/// [n, n] ← the distances of `stored`, and new vertices without arcs.
void read_extended(const store::Store& stored, Semiring semiring, ValueType type,
                   kernels::View matrix, int threads) {
  const std::int64_t before = stored.layout().n, n = matrix.rows;
  semiring::dispatch(semiring, type, [&]<class S>() {
    using T = typename S::Value;
    T* const data = static_cast<T*>(matrix.data);
    base::share_items(n, threads, [&](std::int64_t i) {
      T* const row = data + i * matrix.stride;
      std::fill(row + (i < before ? before : 0), row + n, S::zero());
      if (i >= before) row[i] = S::one();
    });
  });
  const std::int64_t band = stored.layout().tile, bands = (before + band - 1) / band;
  base::share_items(bands, threads, 1, [&](std::int64_t t) {
    const std::int64_t first = t * band, rows = std::min(band, before - first);
    stored.read(store::Plane::distance, {first, 0, rows, before},
                static_cast<std::byte*>(matrix.data) + first * matrix.stride * size_of(type),
                matrix.stride);
  });
}

class WeightsOf {
 public:
  WeightsOf(const Graph& graph, Semiring semiring) : graph_(graph), semiring_(semiring) {}

  /// The best arc, as `engine::ArcChange` has it.
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

engine::MatrixChange change_of(const Graph& before, const Graph& after,
                               const std::vector<VertexPair>& arcs, const store::Layout& layout,
                               int threads, const Control& control) {
  const Semiring semiring = layout.semiring;
  engine::MatrixChange change{
      .semiring = semiring,
      .type = layout.type,
      .roundoff = std::max(planner::unit_roundoff(before, semiring, layout.type),
                           planner::unit_roundoff(after, semiring, layout.type)),
      .arcs = {},
      .fill_row =
          [&after, semiring, type = layout.type](std::int64_t row, void* values) {
            const std::int64_t n = after.vertex_count();
            graph::fill_adjacency_rows(after, semiring, type, row, {values, 1, n, n}, 1);
          },
      .threads = threads,
      .control = control};
  WeightsOf was(before, semiring), is(after, semiring);
  for (const VertexPair& arc : arcs) {
    change.arcs.push_back({arc.from, arc.to, was(arc), is(arc)});
  }
  return change;
}

/// Kernels of GPUs tell signed int32 sums from "no path" below 2^28 (kernels/cuda/relaxation.cuh).
/// A product on the way adds two paths that have a changed arc each. Throws `Error` (does_not_fit).
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
                          "2^26: use --device cpu",
                          longest));
}

std::unique_ptr<engine::MatrixOperations> operations_of(const Graph& before, const Graph& after,
                                                        const store::Layout& layout, int threads,
                                                        const UpdateOptions& options,
                                                        const planner::FindDevices& find) {
  const bool negative =
      sign_of(before) == kernels::Sign::any || sign_of(after) == kernels::Sign::any;
  const planner::KernelKind kernel{layout.semiring, layout.type,
                                   negative ? kernels::Sign::any : kernels::Sign::non_negative};
  if (options.device != Device::cuda) {
    return engine::operations_on_host(kernel, threads, options.control);
  }
  check_updated_sums(kernel, before, after);
  return engine::operations_through_device(kernel,
                                           {.preference = {Device::cuda, options.device_ordinals},
                                            .memory = options.device_memory,
                                            .find = find},
                                           threads, options.control);
}

/// matrix ← the distances of the graph, solved from the beginning.
void solve_again(const Graph& graph, const store::Layout& layout, int threads,
                 const UpdateOptions& options, const planner::FindDevices& find,
                 kernels::View matrix) {
  SolveOptions solving;
  solving.semiring = layout.semiring;
  solving.value_type = layout.type;
  solving.keep = Keep::matrix;
  solving.statistics = false;
  solving.threads = threads;
  solving.device = options.device == Device::cuda ? Device::cuda : Device::cpu;
  solving.device_ordinals = options.device_ordinals;
  solving.device_memory = options.device_memory;
  solving.control = options.control;
  const Result solved = solve_among(find, graph, solving);
  const RowBlock found = *solved.matrix();
  const std::int64_t size = size_of(layout.type);
  base::share_items(matrix.rows, threads, [&](std::int64_t i) {
    store::copy_rows(static_cast<std::byte*>(matrix.data) + i * matrix.stride * size, 0,
                     static_cast<const std::byte*>(found.values) + i * found.stride * size, 0, 1,
                     matrix.cols * size);
  });
}

}  // namespace

UpdatedMatrix updated_matrix(const Graph& before, const store::Store& stored, const Graph& graph,
                             const UpdateOptions& options, const planner::FindDevices& find) {
  store::Layout layout = stored.layout();
  require_updatable(layout);
  const int threads = base::thread_count(options.threads);
  const Control& control = options.control;
  const Graph extended = graph::with_vertices_of(before, graph);
  UpdatedMatrix updated{nullptr, graph::numbered_as(graph, extended), {}};
  const Graph& after = updated.graph;
  planner::Plan plan;
  plan.semiring = layout.semiring;
  plan.threads = threads;
  engine::require_defined(after, plan, control);
  UpdateReport& report = updated.report;
  report.value_type_before = layout.type;
  report.value_type = type_after(after, layout.semiring, layout.type, threads, control);

  const auto start = std::chrono::steady_clock::now();
  const std::vector<VertexPair> arcs = graph::differing_arcs(extended, after);
  report.changes = edges_of(arcs, !before.directed() && !after.directed());
  layout.n = after.vertex_count();
  layout.type = report.value_type;
  require_update_room(store::bytes_in_memory(layout) + engine::update_bytes(layout.n, layout.type),
                      before.memory_bytes() + after.memory_bytes(), options);
  updated.matrix = store::make_memory_store(layout);
  const kernels::View matrix{updated.matrix->data(store::Plane::distance), layout.n, layout.n,
                             updated.matrix->stride()};
  bool done = false;
  if (report.value_type == report.value_type_before) {
    read_extended(stored, layout.semiring, layout.type, matrix, threads);
    const engine::MatrixUpdated found =
        engine::update_matrix(matrix, change_of(extended, after, arcs, layout, threads, control),
                              *operations_of(extended, after, layout, threads, options, find));
    report.rows_solved = found.touched;
    done = found.done;
  }
  if (!done) {
    report.rows_solved = layout.n;
    solve_again(after, layout, threads, options, find, matrix);
  }
  report.seconds = base::seconds_since(start);
  return updated;
}

}  // namespace apsp::api
