#include "graph/hop_bound.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "base/control.hpp"
#include "base/team.hpp"
#include "graph/arc_walk.hpp"
#include "graph/centre.hpp"

namespace apsp {
namespace {

constexpr double kUnbounded = std::numeric_limits<double>::infinity();

class Hops {
 public:
  Hops(const Graph& graph, double enough, int threads)
      : graph_(graph),
        enough_(enough),
        n_(static_cast<std::size_t>(graph.vertex_count())),
        home_(n_, kUnbounded) {
    Vertex centre = 0;
    for (Vertex v = 1; v < n_; ++v) {
      if (graph.out_degree(v) > graph.out_degree(centre)) centre = v;
    }
    home_[centre] = 0;
    if (!graph.symmetric()) away_ = home_;
    const auto members = static_cast<std::size_t>(
        std::clamp<std::int64_t>(static_cast<std::int64_t>(n_), 1, std::max(1, threads)));
    for (std::size_t member = 0; member < members; ++member) workers_.emplace_back(graph);
  }

  /// Ways of one arc more. False if there were none better, or where it is in vain.
  bool pass(const Control& control) {
    std::vector<double> next = home_;
    for (Distances& member : workers_) member.away = away_;
    std::atomic<bool> in_vain{false};
    base::share_items(
        static_cast<std::int64_t>(n_), static_cast<int>(workers_.size()),
        [&](std::int64_t i, int member) {
          if (base::cancelled(control)) return;
          const auto u = static_cast<Vertex>(i);
          if (take_arcs(u, workers_[static_cast<std::size_t>(member)], next[u]) > enough_) {
            in_vain = true;
          }
        });
    base::check_cancelled(control);
    bool better = next != home_;
    home_ = std::move(next);
    better = take_ways_from_centre() || better;
    return better && !in_vain;
  }

  double bound() const {
    graph::Farthest home, away;
    for (Vertex v = 0; v < n_; ++v) {
      home.add(v, home_[v]);
      away.add(v, graph_.symmetric() ? home_[v] : away_[v]);
    }
    return graph::longest_way(away, home);
  }

 private:
  struct Distances {
    explicit Distances(const Graph& of) : walk(of, graph::Pages::given_back) {}
    graph::ArcWalk walk;
    std::vector<double> away;  // [n] as far as its vertices tell; symmetric: empty
  };

  /// Betters u's way home by its arcs, and the member's ways from the centre over them. Returns the
  /// least weight of an arc to another vertex, which no distance from u falls below; 0: none.
  double take_arcs(Vertex u, Distances& member, double& home) const {
    double lightest = kUnbounded;
    double best = home;
    const bool symmetric = graph_.symmetric();
    const double way = symmetric ? 0 : away_[u];
    member.walk.for_each_arc(u, [&](Vertex v, double weight) {
      if (v == u) return;
      lightest = std::min(lightest, weight);
      best = std::min(best, weight + home_[v]);
      if (!symmetric) member.away[v] = std::min(member.away[v], way + weight);
    });
    home = best;
    return lightest < kUnbounded ? lightest : 0;
  }

  bool take_ways_from_centre() {
    bool better = false;
    for (std::size_t v = 0; v < away_.size(); ++v) {
      for (const Distances& member : workers_) {
        better = better || member.away[v] < away_[v];
        away_[v] = std::min(away_[v], member.away[v]);
      }
    }
    return better;
  }

  const Graph& graph_;
  double enough_;
  std::size_t n_;
  std::vector<double> home_,
      away_;                        // [n] ways to the centre and from it; symmetric: only the first
  std::vector<Distances> workers_;  // [threads]
};

}  // namespace

double hop_bound(const Graph& graph, double enough, int threads, const Control& control) {
  if (graph.weight_facts().least < 0) return kUnbounded;
  if (graph.vertex_count() == 0) return 0;
  if (graph.matrix() != nullptr && graph.matrix()->by_columns) return kUnbounded;
  Hops hops(graph, enough, threads);
  double bound = hops.bound();
  bool goes_on = true;
  for (int hop = 0; hop < kMostHops && bound > enough && goes_on; ++hop) {
    goes_on = hops.pass(control);
    bound = hops.bound();
  }
  return graph::rounded_up(bound, graph);
}

}  // namespace apsp
