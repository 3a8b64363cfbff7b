"""The exercise of "Rows by an algorithm of one's own" in docs/extending.md, on a copy of the sources that it
changes: rows by Bellman and Ford's method touch at most four files, and they compile.

    new_row_engine.py COMPILER [FLAG...]
"""

import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
MOST_FILES = 4

ALGORITHMS = "include/apsp/solve.hpp"
ENGINE = "src/search/bellman_ford_rows.hpp"
PLAN = "src/planner/rows_plan.cpp"
CHOICE = "src/engine/row_sources.cpp"

SOURCE = """// Rows by Bellman and Ford's method: all arcs are relaxed until nothing changes.
#pragma once

#include <apsp/graph.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <vector>

#include "semiring/dispatch.hpp"
#include "flow/row_source.hpp"
#include "store/selection.hpp"

namespace apsp::search {

/// Min-plus, without negative cycles. The graph outlives this.
class BellmanFordRows final : public store::RowSource {
 public:
  BellmanFordRows(const Graph& graph, ValueType type)
      : graph_(graph), type_(type), order_(store::VertexList().of(graph.vertex_count())) {}

  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return type_; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return 1; }
  std::int64_t worker_bytes() const override { return vertices() * std::int64_t{sizeof(double)}; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Relaxation>(*this); }

 private:
  class Relaxation final : public Worker {
   public:
    explicit Relaxation(const BellmanFordRows& of) : of_(of) {}

    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      semiring::dispatch(Semiring::min_plus, of_.type_, [&]<class S>() {
        auto* row = static_cast<typename S::Value*>(rows);
        for (const Vertex source : sources) {
          relax_from(source);
          for (std::size_t v = 0; v < length_.size(); ++v) {
            const bool reached = length_[v] < std::numeric_limits<double>::infinity();
            row[v] = reached ? static_cast<typename S::Value>(length_[v]) : S::zero();
          }
          row += stride;
        }
      });
    }

   private:
    void relax_from(Vertex source) {
      length_.assign(of_.order_.size(), std::numeric_limits<double>::infinity());
      length_[source] = 0;
      for (bool changed = true; changed;) {
        changed = false;
        of_.graph_.visit_all([&](Vertex from, Vertex to, double weight) {
          if (length_[from] + weight >= length_[to]) return;
          length_[to] = length_[from] + weight;
          changed = true;
        });
      }
    }

    const BellmanFordRows& of_;
    std::vector<double> length_;  // [n]
  };

  const Graph& graph_;
  ValueType type_;
  std::vector<Vertex> order_;
};

}  // namespace apsp::search
"""

# (file, a text that is there once, what comes in front of it)
CHANGES = [
    (ALGORITHMS, "  boundary\n};\n", "  bellman_ford,\n"),
    (ALGORITHMS, '    {Algorithm::breadth_first, "bfs"},\n', '    {Algorithm::bellman_ford, "bellman-ford"},\n'),
    (PLAN, "    case Algorithm::johnson:\n      if (reachability)", """    case Algorithm::bellman_ford:
      if (problem.semiring != Semiring::min_plus) return "finds only shortest paths";
      return on_cuda ? "runs only on the CPU" : "";
"""),
    (PLAN, "}  // namespace\n\nstd::int64_t RowsPlan::solving_bytes()", """RowsPlan plan_bellman_ford(const Graph& graph, const Problem& problem, const RowsMeans& means) {
  constexpr double kArcs = 1e8;  // a second and thread
  RowsPlan plan{.by = RowsBySearches{}};
  RowCosts& costs = plan.costs;
  const auto sources = static_cast<double>(problem.sources());
  const double levels = found_by_searches(graph, problem, means).levels;
  costs.rows_relaxations = sources * levels * static_cast<double>(graph.arc_count());
  costs.rows_seconds = costs.rows_relaxations / kArcs / problem.threads;
  costs.worker_bytes = problem.threads * problem.n * std::int64_t{sizeof(double)};
  costs.block_bytes = blocks_bytes(problem.n, 1, problem);
  return plan;
}

"""),
    (PLAN, "                       : algorithm == Algorithm::boundary        ? plan_boundary\n",
     "                       : algorithm == Algorithm::bellman_ford    ? plan_bellman_ford\n"),
    (CHOICE, '#include "search/breadth_first_rows.hpp"\n', '#include "search/bellman_ford_rows.hpp"\n'),
    (CHOICE, "    const std::optional<Potentials> found = potentials_of(graph, plan, control);\n", """    if (plan.algorithm == Algorithm::bellman_ford) {
      return {.source = of_targets(std::make_unique<search::BellmanFordRows>(graph, plan.type),
                                   plan.selection.targets)};
    }
"""),
]


def change(copy):
    """Carries the exercise out in the folder `copy`; returns the files that it touches."""
    (copy / ENGINE).parent.mkdir(parents=True)
    (copy / ENGINE).write_text(SOURCE)
    for name, anchor, text in CHANGES:
        file = copy / name
        file.parent.mkdir(parents=True, exist_ok=True)
        whole = (file if file.exists() else ROOT / name).read_text()
        if whole.count(anchor) != 1:
            sys.exit(f"{name} has {whole.count(anchor)} times {anchor!r}: "
                     "change this exercise, and its steps in docs/extending.md")
        file.write_text(whole.replace(anchor, text + anchor))
    return sorted({ENGINE} | {name for name, _, _ in CHANGES})


def main():
    compiler = sys.argv[1:] or ["c++"]
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder)
        files = change(copy)
        print(f"a new row engine: {len(files)} files: {' '.join(files)}")
        if len(files) > MOST_FILES:
            sys.exit(f"more than {MOST_FILES}")
        folders = [f"-I{base / sub}" for base in (copy, ROOT) for sub in ("src", "include")]
        sources = [copy / PLAN, copy / CHOICE, ROOT / "src/planner/problem.cpp"]
        runs = [subprocess.Popen([*compiler, "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fopenmp", "-fsyntax-only",
                                  *folders, source]) for source in sources]
        if any([run.wait() != 0 for run in runs]):
            sys.exit("the copy does not compile")


main()
