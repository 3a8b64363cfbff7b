#include "sparse/minimum_degree.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>

#include "base/control.hpp"

namespace apsp::sparse {
namespace {

constexpr std::int32_t kEnd = -1;

double most_of_others(double ends, std::int64_t vertices) {
  return std::max(kHubLeast,
                  kHub * ends / static_cast<double>(std::max<std::int64_t>(1, vertices)));
}

class Buckets {
 public:
  explicit Buckets(std::int64_t n)
      : first_(static_cast<std::size_t>(n) + 1, kEnd),
        next_(static_cast<std::size_t>(n), kEnd),
        before_(static_cast<std::size_t>(n), kEnd) {}

  void insert(Vertex v, std::int32_t degree) {
    std::int32_t& first = at(first_, degree);
    next_[v] = first;
    before_[v] = kEnd;
    if (first != kEnd) at(before_, first) = static_cast<std::int32_t>(v);
    first = static_cast<std::int32_t>(v);
    least_ = std::min(least_, degree);
  }
  void remove(Vertex v, std::int32_t degree) {
    const std::int32_t next = next_[v], before = before_[v];
    if (next != kEnd) at(before_, next) = before;
    if (before != kEnd) {
      at(next_, before) = next;
    } else {
      at(first_, degree) = next;
    }
  }
  Vertex least() {
    while (at(first_, least_) == kEnd) ++least_;
    return static_cast<Vertex>(at(first_, least_));
  }

 private:
  std::vector<std::int32_t> first_, next_, before_;
  std::int32_t least_ = 0;
};

class QuotientGraph {
 public:
  explicit QuotientGraph(const Pattern& pattern)
      : pattern_(pattern),
        beside_(pattern.neighbours),
        cliques_(size()),
        neighbours_(size()),
        degree_(size()),
        mark_(size(), 0),
        outside_(size(), 0),
        clique_(size()),
        state_(size(), VertexKind::there),
        buckets_(pattern.vertices()) {
    const double most =
        most_of_others(static_cast<double>(pattern.neighbours.size()), pattern.vertices());
    for (Vertex v = 0; v < size(); ++v) {
      neighbours_[v] = degree_[v] = static_cast<std::int32_t>(pattern.degree(v));
      if (degree_[v] > most) {
        state_[v] = VertexKind::hub;
      } else {
        buckets_.insert(v, degree_[v]);
        ++choice_;
      }
    }
  }

  void run(double dense, MinimumDegree& found) {
    for (auto left = pattern_.vertices(); choice_ > 0; --left, --choice_) {
      base::poll(found.eliminated.size(), 64);
      const Vertex v = buckets_.least();
      if (degree_[v] > 2 && degree_[v] >= dense * static_cast<double>(left)) break;
      eliminate(v, left - 1);
      found.eliminated.push_back(v);
    }
    for (Vertex v = 0; v < size(); ++v) {
      if (in_graph(v)) found.rest.push_back(v);
    }
  }

 private:
  /// A clique is an eliminated vertex that represents the edges between its neighbours. Degrees of
  /// hubs are never needed.
  enum class VertexKind : std::uint8_t { there, hub, clique, gone };
  bool in_graph(Vertex v) const { return state_[v] <= VertexKind::hub; }

  std::size_t size() const { return static_cast<std::size_t>(pattern_.vertices()); }
  /// The cliques of a vertex, then its neighbours by edges, in the memory of its original
  /// neighbours.
  Vertex* list(Vertex v) { return beside_.data() + pattern_.offsets[v]; }

  void eliminate(Vertex v, std::int64_t left) {
    buckets_.remove(v, degree_[v]);
    gather(v);
    const std::vector<Vertex>& members = clique_[v];
    count_outside(members);
    for (const Vertex member : members) {
      if (state_[member] == VertexKind::hub) continue;
      buckets_.remove(member, degree_[member]);
      const std::int64_t bound =
          std::min<std::int64_t>({left - 1, std::int64_t{degree_[member]} + std::ssize(members) - 1,
                                  join(member, v) + std::ssize(members) - 1});
      degree_[member] = static_cast<std::int32_t>(bound);
      buckets_.insert(member, degree_[member]);
    }
  }

  /// Collects the clique of v: its neighbours and the members of its cliques, which it absorbs.
  void gather(Vertex v) {
    std::vector<Vertex> members;
    mark_[v] = ++stamp_;
    const auto add = [&](Vertex u) {
      if (mark_[u] == stamp_ || !in_graph(u)) return;
      mark_[u] = stamp_;
      members.push_back(u);
    };
    Vertex* const beside = list(v);
    for (std::int32_t i = 0; i < cliques_[v]; ++i) {
      for (const Vertex u : clique_[beside[i]]) add(u);
      state_[beside[i]] = VertexKind::gone;
      clique_[beside[i]] = {};
    }
    for (std::int32_t i = 0; i < neighbours_[v]; ++i) add(beside[cliques_[v] + i]);
    state_[v] = VertexKind::clique;
    clique_[v] = std::move(members);
  }

  /// Counts, for every clique adjacent to the members, how many of its members are not among them.
  void count_outside(const std::vector<Vertex>& members) {
    for (const Vertex member : members) {
      if (state_[member] == VertexKind::hub) continue;
      const Vertex* const beside = list(member);
      for (std::int32_t i = 0; i < cliques_[member]; ++i) {
        const Vertex clique = beside[i];
        if (state_[clique] != VertexKind::clique) continue;
        if (mark_[clique] != stamp_) {
          mark_[clique] = stamp_;
          outside_[clique] = static_cast<std::int32_t>(clique_[clique].size());
        }
        --outside_[clique];
      }
    }
  }

  /// Adds the clique of v, whose members are marked, to the member's list and removes what it
  /// absorbs. Returns an upper bound of the member's other neighbours.
  std::int64_t join(Vertex member, Vertex v) {
    Vertex* const beside = list(member);
    const std::int32_t cliques = cliques_[member], all = cliques + neighbours_[member];
    std::int64_t others = 0;
    kept_.assign(1, v);
    for (std::int32_t i = 0; i < cliques; ++i) {
      const Vertex clique = beside[i];
      if (state_[clique] != VertexKind::clique) continue;
      if (outside_[clique] == 0) continue;  // absorbed by the clique of v
      kept_.push_back(clique);
      others += outside_[clique];
    }
    cliques_[member] = static_cast<std::int32_t>(kept_.size());
    for (std::int32_t i = cliques; i < all; ++i) {
      if (in_graph(beside[i]) && mark_[beside[i]] != stamp_) {
        kept_.push_back(beside[i]);
      }
    }
    neighbours_[member] = static_cast<std::int32_t>(kept_.size()) - cliques_[member];
    std::copy(kept_.begin(), kept_.end(), beside);
    return others + neighbours_[member];
  }

  const Pattern& pattern_;
  std::vector<Vertex> beside_;
  std::vector<std::int32_t> cliques_, neighbours_, degree_;
  std::vector<std::int32_t> mark_, outside_;
  std::vector<std::vector<Vertex>> clique_;
  std::vector<VertexKind> state_;
  Buckets buckets_;
  std::vector<Vertex> kept_;
  std::int64_t choice_ = 0;
  std::int32_t stamp_ = 0;
};

}  // namespace

double share_of_hubs(std::span<const std::int64_t> degrees) {
  const double ends = std::accumulate(degrees.begin(), degrees.end(), 0.0);
  const double most = most_of_others(ends, std::ssize(degrees));
  double of_hubs = 0;
  for (const std::int64_t degree : degrees) {
    const auto arcs = static_cast<double>(degree);
    if (arcs > most) of_hubs += arcs;
  }
  return of_hubs / std::max(1.0, ends);
}

double share_of_hubs(const Pattern& pattern) {
  std::vector<std::int64_t> degrees;
  for (Vertex v = 0; v < static_cast<std::uint64_t>(pattern.vertices()); ++v) {
    degrees.push_back(pattern.degree(v));
  }
  return share_of_hubs(degrees);
}

MinimumDegree minimum_degree(const Pattern& pattern, double dense) {
  MinimumDegree found;
  QuotientGraph(pattern).run(dense, found);
  return found;
}

}  // namespace apsp::sparse
