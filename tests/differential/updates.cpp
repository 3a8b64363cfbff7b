// Results of a graph whose weights change, whose edges come and go.
#include <cmath>

#include "differential/case.hpp"
#include "support/changed_edges.hpp"

namespace apsp::campaign {
namespace {

Graph changed(const Case& c) {
  std::vector<Edge> changes;
  for (const Edge& change : c.problem.changes) {
    bool there = false;
    c.graph.for_each_arc_between(change.from, change.to, [&](double) { there = true; });
    if (there || std::isfinite(change.weight)) changes.push_back(change);
  }
  return with_changes(c.graph, changes_of_all(c.graph, changes));
}

}  // namespace

Changes::Changes(const Case& c) : graph_(changed(c)), truth_(graph_, c.problem.semiring) {}

void Changes::judge(const Result& updated) {
  const Bound bound = bound_of(updated.report());
  require(!truth_.cyclic(), "a cycle of the new weights was not told");
  const auto n = static_cast<Vertex>(graph_.vertex_count());
  for (Vertex u = 0; u < n; ++u) {
    const std::vector<double> row = updated.distances_from(u);
    for (Vertex v = 0; v < n; ++v) {
      const std::string wrong = truth_.judge(u, v, row[v], bound);
      require(wrong.empty(), "after the update, {}", wrong);
    }
  }
}

void Changes::or_told(const std::function<void()>& update) {
  try {
    update();
  } catch (const Error& error) {
    if (tells_rounded_integers(error) && integers_may_round(graph_)) return;
    if (error.kind() != ErrorKind::negative_cycle) throw;
    const bool any = truth_.semiring() == Semiring::max_plus && !error.cycle().vertices.empty();
    require(any || truth_.cyclic(), "an update tells a cycle where there is none: {}",
            error.what());
  }
}

void ask_update(Case& c) {
  SolveOptions options = c.options();
  options.storage.keep = c.problem.keep;
  const Result result = c.solve(options);
  Changes changes(c);
  const UpdateOptions how{.threads = c.problem.threads};
  changes.or_told([&] { changes.judge(result.update(changes.graph(), how)); });
  if (c.random.below(3) > 0) return;
  const std::string path = c.path("kept.zarr");
  result.save(path);
  changes.or_told([&] {
    update_stored(
        path, [&](const Graph&) { return changes.graph(); }, how);
    changes.judge(open_result(path));
  });
}

}  // namespace apsp::campaign
