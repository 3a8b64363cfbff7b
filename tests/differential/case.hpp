// A problem on its way to its answer: the graph, the options of a solve, the oracle.
#pragma once

#include <fmt/format.h>

#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/random.hpp"
#include "differential/problem.hpp"
#include "differential/truth.hpp"
#include "graph/whole_weights.hpp"
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

/// Problems that name devices are asked of these, in place of strict ones.
void take_devices(planner::FindDevices find);

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

/// Raises its flag at the `reports`-th report of progress, from whatever thread.
class EndsEarly final : public Progress {
 public:
  explicit EndsEarly(std::int64_t reports) : left_(reports) {}
  void begin(std::string_view, double, std::string_view) override { count(); }
  void update(double) override { count(); }
  void end() override {}
  Cancellation flag;

 private:
  void count() {
    if (--left_ == 0) flag.request();
  }
  std::atomic<std::int64_t> left_;
};

/// All distances of a result, by single pairs and by rows.
void judge_all(Case& c, const Result& result);
/// What a solve with these options has written, whose report this is.
void judge_stored(Case& c, const SolveOptions& options, const SolveReport& report);
void judge_statistics(Case& c, const SolveOptions& options, const Statistics& found,
                      const SolveReport& report);

/// A refusal of integers whose sums f64 may round, and whether it is true of a graph.
inline bool tells_rounded_integers(const Error& error) {
  return error.kind() == ErrorKind::does_not_fit &&
         std::string_view(error.what()).find("below 2^53") != std::string_view::npos;
}
inline bool integers_may_round(const Graph& graph) {
  return graph.weight_facts().longest_path > graph::kMostExact && graph::whole_weights(graph);
}

/// The graph after the problem's changes.
class Changes {
 public:
  explicit Changes(const Case& c);
  const Graph& graph() const { return graph_; }
  /// All distances are those of the changed graph.
  void judge(const Result& updated);
  /// An update may tell a cycle that the changes made.
  void or_told(const std::function<void()>& update);

 private:
  Graph graph_;
  Truth truth_;
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
void ask_batch(Case& c);
void ask_job(Case& c);
void ask_job_resumed(Case& c);
void ask_job_update(Case& c);
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
