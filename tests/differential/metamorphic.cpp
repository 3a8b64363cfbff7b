// Two problems whose answers follow from one another. Weights are whole, so the answers are equal.
#include <cmath>
#include <limits>
#include <numeric>

#include "differential/case.hpp"

namespace apsp::campaign {
namespace {

/// The same graph as edges that may be changed: of a matrix as it holds them.
Problem as_edges(const Case& c) {
  Problem problem = c.problem;
  if (!problem.matrix) return problem;
  problem.matrix = std::nullopt;
  problem.edges.clear();
  c.graph.visit_all([&](Vertex u, Vertex v, double weight) {
    if (problem.directed || u <= v) problem.edges.push_back({u, v, weight});
  });
  return problem;
}

/// [n, n] by the way of the problem, or another one.
class Table {
 public:
  Table(const Case& c, const SolveOptions& options) : n_(c.n()), values_(std::size_t{n_} * n_) {
    SolveOptions into = options;
    into.consumer.into = {values_.data(), 0};
    const Result result = c.solve(into);
    exact_ = result.report().unit_roundoff == 0 && result.report().absolute_error == 0;
  }
  double operator()(Vertex u, Vertex v) const { return values_[std::size_t{u} * n_ + v]; }
  bool exact() const { return exact_; }

 private:
  Vertex n_;
  std::vector<double> values_;
  bool exact_ = false;
};

/// The engine of the second solve: left to the library, so that both seldom share one.
SolveOptions another_way(const Case& c) {
  SolveOptions options = c.options();
  options.method.algorithm = Algorithm::automatic;
  options.method.value_type = std::nullopt;
  options.machine.threads = 1;
  options.method.tile = 0;
  options.machine.memory = options.machine.device_memory = 0;
  options.machine.device = Device::cpu;
  options.machine.device_ordinals = {};
  return options;
}

/// `expected(u, v)` of the other problem's table is the first one's entry.
template <class Expected>
void compare(Case& c, const Problem& other, const char* what, Expected&& expected) {
  const Table here(c, c.options());
  const Case changed(other);
  const Table there(changed, another_way(changed));
  if (!here.exact() || !there.exact()) return;
  for (Vertex u = 0; u < c.n(); ++u) {
    for (Vertex v = 0; v < c.n(); ++v) {
      const double value = expected(there, u, v);
      require(here(u, v) == value, "{}: {} to {} is {} here and {} there", what, u, v, here(u, v),
              value);
    }
  }
}

}  // namespace

void ask_relabelled(Case& c) {
  Problem other = as_edges(c);
  std::vector<Vertex> to(c.n());
  std::iota(to.begin(), to.end(), Vertex{0});
  for (std::size_t i = to.size(); i > 1; --i) std::swap(to[i - 1], to[c.random.below(i)]);
  for (Edge& edge : other.edges) edge = {to[edge.from], to[edge.to], edge.weight};
  compare(c, other, "relabelled",
          [&](const Table& there, Vertex u, Vertex v) { return there(to[u], to[v]); });
}

void ask_reversed(Case& c) {
  Problem other = as_edges(c);
  for (Edge& edge : other.edges) std::swap(edge.from, edge.to);
  compare(c, other, "reversed", [](const Table& there, Vertex u, Vertex v) { return there(v, u); });
}

void ask_scaled(Case& c) {
  Problem other = as_edges(c);
  constexpr double kTimes = 4;
  for (Edge& edge : other.edges) edge.weight *= kTimes;
  const double times = c.problem.semiring == Semiring::or_and ? 1 : kTimes;
  compare(c, other, "scaled",
          [&](const Table& there, Vertex u, Vertex v) { return there(u, v) / times; });
}

void ask_joined(Case& c) {
  Problem other = as_edges(c);
  if (c.problem.semiring == Semiring::max_plus && !c.problem.directed) return;  // edges are cycles
  const Problem beside = draw(c.problem.seed + 1, Question::joined);
  const Vertex first = c.n();
  other.n += std::min<std::int64_t>(beside.n, 60);
  for (const Edge& edge : beside.edges) {
    if (edge.from >= 60 || edge.to >= 60 || edge.weight < 0) continue;
    // Acyclic for the longest paths.
    Vertex from = edge.from, to = edge.to;
    if (c.problem.semiring == Semiring::max_plus && from >= to) continue;
    other.edges.push_back({first + from, first + to, edge.weight});
  }
  compare(c, other, "joined", [&](const Table& there, Vertex u, Vertex v) {
    for (std::int64_t w = first; w < other.n; w += 7) {
      const double none = told_no_path(c.problem.semiring);
      require(there(u, static_cast<Vertex>(w)) == none, "joined: {} reaches {}", u, w);
    }
    return there(u, v);
  });
}

void ask_removed(Case& c) {
  if (c.problem.changes.empty()) return;
  const Edge gone = c.problem.changes.front();
  Problem other = as_edges(c);
  std::erase_if(other.edges, [&](const Edge& edge) {
    const bool same = edge.from == gone.from && edge.to == gone.to;
    const bool turned = !c.problem.directed && edge.from == gone.to && edge.to == gone.from;
    return same || turned;
  });
  const Table with(c, c.options());
  const Case changed(other);
  const Table without(changed, another_way(changed));
  if (!with.exact() || !without.exact() || gone.from == gone.to) return;
  const bool least =
      c.problem.semiring == Semiring::min_plus || c.problem.semiring == Semiring::min_max;
  const auto better = [&](double a, double b) { return least ? a < b : a > b; };
  const double none = told_no_path(c.problem.semiring);
  for (Vertex u = 0; u < c.n(); ++u) {
    for (Vertex v = 0; v < c.n(); ++v) {
      require(!better(without(u, v), with(u, v)), "without an arc {} to {} is better: {} than {}",
              u, v, without(u, v), with(u, v));
      // Where the arc was on no way, nothing changes.
      const bool through = with(u, gone.from) != none && with(gone.to, v) != none;
      const bool back =
          !c.problem.directed && with(u, gone.to) != none && with(gone.from, v) != none;
      require(through || back || with(u, v) == without(u, v),
              "without an arc that is on no way, {} to {} is {}, not {}", u, v, without(u, v),
              with(u, v));
    }
  }
}

}  // namespace apsp::campaign
