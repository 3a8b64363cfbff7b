// A problem on its way to its answer: the graph, the options of a solve, the oracle.
#pragma once

#include <fmt/format.h>

#include <apsp/solve.hpp>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "base/random.hpp"
#include "differential/problem.hpp"
#include "differential/truth.hpp"
#include "planner/devices.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::campaign {

/// An answer is wrong.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Parts>
void require(bool right, fmt::format_string<Parts...> what, Parts&&... parts) {
  if (!right) throw Wrong(fmt::format(what, std::forward<Parts>(parts)...));
}

class Case {
 public:
  explicit Case(const Problem& problem)
      : problem(problem), graph(graph_of(problem)), random(problem.seed ^ 0x5EED) {}

  Vertex n() const { return static_cast<Vertex>(problem.n); }
  const Truth& truth();
  std::string path(const std::string& name);  ///< in a folder that is removed
  planner::FindDevices devices() const;
  /// As the problem says. Without statistics, lists and outputs.
  SolveOptions options() const;
  Result solve(const SolveOptions& options) const;
  /// The distance is right, for the report of the solve.
  void judge(Vertex u, Vertex v, double found, const SolveReport& report);
  void judge_row(Vertex u, const std::vector<double>& row, const SolveReport& report);

  const Problem& problem;
  Graph graph;
  base::SplitMix64 random;

 private:
  std::optional<Truth> truth_;
  std::optional<TemporaryFolder> folder_;
};

/// Puts the question; throws Wrong, or what the library throws.
void ask_distances(Case& c);
void ask_rows(Case& c);
void ask_pairs(Case& c);
void ask_factor(Case& c);
void ask_stored(Case& c);
void ask_resumed(Case& c);
void ask_verify(Case& c);
void ask_in_place(Case& c);
void ask_update(Case& c);
void ask_statistics(Case& c);
void ask_paths(Case& c);
void ask_via(Case& c);
void ask_within(Case& c);
void ask_nearest(Case& c);
void ask_access(Case& c);
void ask_betweenness(Case& c);
void ask_relabelled(Case& c);
void ask_reversed(Case& c);
void ask_scaled(Case& c);
void ask_joined(Case& c);
void ask_removed(Case& c);

}  // namespace apsp::campaign
