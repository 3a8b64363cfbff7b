#include "differential/shrink.hpp"

#include <algorithm>
#include <cmath>

namespace apsp::campaign {
namespace {

/// The graph without a vertex; the last one takes its number.
Problem without_vertex(Problem problem, Vertex gone) {
  const auto last = static_cast<Vertex>(--problem.n);
  const auto renumber = [&](Vertex& v) {
    if (v == last) v = gone;
  };
  const auto drop = [&](std::vector<Edge>& edges) {
    std::erase_if(edges, [&](const Edge& e) { return e.from == gone || e.to == gone; });
    for (Edge& edge : edges) renumber(edge.from), renumber(edge.to);
  };
  const auto drop_listed = [&](std::vector<Vertex>& list) {
    std::erase(list, gone);
    for (Vertex& v : list) renumber(v);
  };
  drop(problem.edges);
  drop(problem.changes);
  drop_listed(problem.sources);
  drop_listed(problem.targets);
  return problem;
}

class Shrinking {
 public:
  Shrinking(Problem problem, const std::function<bool(const Problem&)>& fails, int tries)
      : best_(std::move(problem)), fails_(fails), tries_(tries) {}

  Problem run() {
    for (bool better = true; better && tries_ > 0;) {
      better = leave_out_arcs();
      better = leave_out_vertices() || better;
      better = plain_options() || better;
      better = simple_weights() || better;
    }
    return best_;
  }

 private:
  bool take(Problem problem) {
    if (tries_ <= 0) return false;
    --tries_;
    if (!fails_(problem)) return false;
    best_ = std::move(problem);
    return true;
  }

  bool leave_out_arcs() {
    bool any = false;
    for (std::size_t length = std::max<std::size_t>(1, best_.edges.size() / 2); length > 0;
         length /= 2) {
      for (std::size_t at = 0; at < best_.edges.size();) {
        Problem less = best_;
        const auto first = less.edges.begin() + static_cast<std::ptrdiff_t>(at);
        const auto end = std::min(at + length, less.edges.size());
        less.edges.erase(first, less.edges.begin() + static_cast<std::ptrdiff_t>(end));
        if (take(std::move(less))) {
          any = true;
        } else {
          at += length;
        }
      }
    }
    return any;
  }

  bool leave_out_vertices() {
    bool any = false;
    for (auto v = static_cast<Vertex>(best_.n); v-- > 0;) {
      if (best_.n > 1 && v < best_.n) any = take(without_vertex(best_, v)) || any;
    }
    return any;
  }

  template <class Field, class Value>
  bool plain(Field Problem::*field, const Value& value) {
    if (best_.*field == Field(value)) return false;
    Problem less = best_;
    less.*field = Field(value);
    return take(std::move(less));
  }

  bool plain_options() {
    bool any = plain(&Problem::gpus, 0);
    any = plain(&Problem::gpus, std::min(best_.gpus, 1)) || any;
    any = plain(&Problem::threads, 1) || any;
    any = plain(&Problem::grid_rows, 1) || any;
    any = plain(&Problem::grid_columns, 1) || any;
    any = plain(&Problem::tile, 0) || any;
    any = plain(&Problem::memory, 0) || any;
    any = plain(&Problem::device_memory, 0) || any;
    any = plain(&Problem::matrix, std::nullopt) || any;
    any = plain(&Problem::type, std::nullopt) || any;
    any = plain(&Problem::algorithm, Algorithm::automatic) || any;
    any = plain(&Problem::keep, Keep::automatic) || any;
    any = plain(&Problem::semiring, Semiring::min_plus) || any;
    any = plain(&Problem::directed, true) || any;
    any = plain(&Problem::sources, std::vector<Vertex>{}) || any;
    any = plain(&Problem::targets, std::vector<Vertex>{}) || any;
    while (best_.changes.size() > 1) {
      Problem less = best_;
      less.changes.pop_back();
      if (!take(std::move(less))) break;
      any = true;
    }
    return any;
  }

  bool simple_weights() {
    bool any = false;
    for (std::size_t i = 0; i < best_.edges.size(); ++i) {
      const double weight = best_.edges[i].weight;
      for (const double simple : {0.0, 1.0, 2.0, std::floor(weight / 16), std::floor(weight / 2)}) {
        if (!(std::abs(simple) < std::abs(best_.edges[i].weight))) continue;
        Problem less = best_;
        less.edges[i].weight = simple;
        if (take(std::move(less))) {
          any = true;
          break;
        }
      }
    }
    return any;
  }

  Problem best_;
  const std::function<bool(const Problem&)>& fails_;
  int tries_;
};

}  // namespace

Problem shrunk(Problem problem, const std::function<bool(const Problem&)>& fails, int tries) {
  return Shrinking(std::move(problem), fails, tries).run();
}

}  // namespace apsp::campaign
