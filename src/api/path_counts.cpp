// Counts of shortest paths (apsp/path_counts.hpp): plans rows of distances and counts in each.
#include <algorithm>
#include <apsp/betweenness.hpp>
#include <apsp/path_counts.hpp>
#include <mutex>
#include <optional>
#include <utility>

#include "api/betweenness.hpp"
#include "graph/weight_check.hpp"
#include "paths/tight_arcs.hpp"
#include "store/selection.hpp"
#include "system/machine.hpp"

namespace apsp {
namespace {

/// Passes the tight arcs of every source to `visit`, on the host. `answer`: bytes of the caller.
void visit_rows(const Graph& graph, const std::vector<Vertex>& sources,
                const PathCountOptions& options, std::int64_t answer,
                const paths::TightArcRows::Visit& visit) {
  graph::require_non_negative(graph, "counts of shortest paths need", "");
  const Cancellable listening(options.control.cancellation);
  const int threads = system::thread_count(options.threads);
  const auto type = api::exact_path_type(graph, options.control, threads);
  const BetweennessOptions asked{.device = Device::cpu,
                                 .threads = options.threads,
                                 .memory = options.memory,
                                 .control = options.control};
  SolveOptions solving = api::rows_of_paths(type, asked, sources);
  const std::int64_t row = graph.vertex_count() * std::int64_t{sizeof(double)};
  std::optional<paths::TightArcRows> rows;
  api::solve_path_rows(graph, std::move(solving),
                       {.what = "counting paths",
                        .way_out = "ask for fewer sources at once, or use fewer threads",
                        .bytes = answer + threads * (row + paths::TightArcs::bytes(graph)),
                        .memory = options.memory},
                       [&](ValueType rows_type) -> flow::RowSink& {
                         return rows.emplace(graph, rows_type,
                                             store::Selection{store::VertexList(sources), {}},
                                             visit);
                       });
}

}  // namespace

std::vector<std::uint64_t> path_counts(const Graph& graph, const PathCountOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const store::VertexList from(options.sources), to(options.targets);
  store::require_distinct(from, n, "sources");
  store::require_distinct(to, n, "targets");
  const std::vector<Vertex> sources = from.of(n), targets = to.of(n);
  const store::Positions row_of(n, from);
  const std::size_t columns = targets.size();
  std::vector<std::uint64_t> counts;
  if (n == 0) return counts;
  const auto bytes = std::ssize(sources) * std::ssize(targets) * std::int64_t{sizeof(counts[0])};
  std::once_flag planned;
  visit_rows(graph, sources, options, bytes, [&](Vertex source, paths::TightArcs& arcs) {
    std::call_once(planned, [&] { counts.resize(sources.size() * columns); });
    arcs.count();
    auto* const row = counts.data() + static_cast<std::size_t>(*row_of.of(source)) * columns;
    std::transform(targets.begin(), targets.end(), row, [&](Vertex v) { return arcs.paths_to(v); });
  });
  return counts;
}

std::vector<AllPredecessors> all_predecessors(const Graph& graph, const PathCountOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const store::VertexList from(options.sources);
  store::require_distinct(from, n, "sources");
  const std::vector<Vertex> sources = from.of(n);
  const store::Positions row_of(n, from);
  std::vector<AllPredecessors> found(sources.size());
  if (sources.empty()) return found;
  const std::int64_t most = (n + 1) * std::int64_t{sizeof(found[0].first[0])} +
                            graph.arc_count() * std::int64_t{sizeof(found[0].vertices[0])};
  visit_rows(graph, sources, options, std::ssize(sources) * most,
             [&](Vertex source, paths::TightArcs& arcs) {
               AllPredecessors& one = found[static_cast<std::size_t>(*row_of.of(source))];
               one.first.assign(arcs.first().begin(), arcs.first().end());
               one.vertices.assign(arcs.predecessors().begin(), arcs.predecessors().end());
             });
  return found;
}

}  // namespace apsp
