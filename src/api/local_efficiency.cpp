// Local efficiency (apsp/local_efficiency.hpp): distances among the neighbours of every vertex.
#include <algorithm>
#include <apsp/local_efficiency.hpp>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "graph/arc_walk.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

constexpr std::size_t kBits = 64;
constexpr Vertex kOutside = std::numeric_limits<Vertex>::max();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Calls visit(to, weight) for the lightest edge to every neighbour, ascending; a loop makes v one.
template <class Visit>
void for_each_neighbour(const Graph& graph, Vertex v, Visit&& visit) {
  Vertex last = kOutside;
  graph.for_each_arc(v, [&](Vertex to, double weight) {
    if (to == last) return;
    last = to;
    visit(to, weight);
  });
}

/// The subgraph of a vertex's neighbours, which have numbers in it, and searches there.
class Neighbourhood {
 public:
  explicit Neighbourhood(const Graph& graph)
      : graph_(graph), number_(static_cast<std::size_t>(graph.vertex_count()), kOutside) {}

  /// Bytes for at most `neighbours` with `arcs` between them.
  static double bytes(std::int64_t vertices, double neighbours, double arcs) {
    const double heap = sizeof(Entry) * arcs;
    return 2 * (sizeof(Vertex) * static_cast<double>(vertices) + 48 * neighbours +
                sizeof(Arc) * arcs + heap);
  }

  double efficiency(Vertex v, bool weighted) {
    gather(v);
    const std::size_t k = neighbours_.size();
    if (k < 2 || arcs_.empty()) return 0;
    words_ = weighted || arcs_.size() < k * (k / kBits) ? 0 : k / kBits + 1;
    if (words_ > 0) mark();
    double sum = 0;
    for (Vertex source = 0; source < k; ++source) {
      base::check_cancelled();
      sum += weighted ? by_lengths(source) : words_ > 0 ? by_bits(source) : by_edges(source);
    }
    return sum / (static_cast<double>(k) * static_cast<double>(k - 1));
  }

 private:
  struct Arc {
    Vertex to = 0;
    double length = 0;  // its cube root
  };
  using Entry = std::pair<double, Vertex>;

  void gather(Vertex v) {
    neighbours_.clear(), nearness_.clear(), arcs_.clear();
    first_.assign(1, 0);
    for_each_neighbour(graph_, v, [&](Vertex u, double length) {
      number_[u] = static_cast<Vertex>(neighbours_.size());
      neighbours_.push_back(u);
      nearness_.push_back(1 / std::cbrt(length));
    });
    for (const Vertex u : neighbours_) {
      for_each_neighbour(graph_, u, [&](Vertex to, double length) {
        if (number_[to] != kOutside) arcs_.push_back({number_[to], std::cbrt(length)});
      });
      first_.push_back(arcs_.size());
    }
    for (const Vertex u : neighbours_) number_[u] = kOutside;
  }

  template <class Visit>
  void for_each_arc(Vertex u, Visit&& visit) const {
    for (std::size_t i = first_[u]; i < first_[u + std::size_t{1}]; ++i) visit(arcs_[i]);
  }

  double by_edges(Vertex source) {
    reached_.assign(neighbours_.size(), 0);
    reached_[source] = 1;
    queue_.assign(1, source);
    double sum = 0, edges = 0;
    for (std::size_t begin = 0; begin < queue_.size();) {
      const std::size_t end = queue_.size();
      for (++edges; begin < end; ++begin) {
        for_each_arc(queue_[begin], [&](const Arc& arc) {
          if (reached_[arc.to] != 0) return;
          reached_[arc.to] = 1;
          queue_.push_back(arc.to);
        });
      }
      sum += static_cast<double>(queue_.size() - end) / edges;
    }
    return sum;
  }

  void mark() {
    bits_.assign(neighbours_.size() * words_, 0);
    for (Vertex u = 0; u < neighbours_.size(); ++u) {
      for_each_arc(u, [&](const Arc& arc) { set(bits_.data() + u * words_, arc.to); });
    }
  }

  static void set(std::uint64_t* bits, Vertex v) {
    bits[v / kBits] |= std::uint64_t{1} << v % kBits;
  }

  /// Does the same as `by_edges`, with rows of bits.
  double by_bits(Vertex source) {
    seen_.assign(words_, 0);
    set(seen_.data(), source);
    level_ = seen_;
    double sum = 0;
    for (double edges = 1, found = 1; found > 0; ++edges) {
      next_.assign(words_, 0);
      for (std::size_t w = 0; w < words_; ++w) {
        for (std::uint64_t left = level_[w]; left != 0; left &= left - 1) {
          const std::size_t u = w * kBits + static_cast<std::size_t>(std::countr_zero(left));
          for (std::size_t i = 0; i < words_; ++i) next_[i] |= bits_[u * words_ + i];
        }
      }
      found = 0;
      for (std::size_t w = 0; w < words_; ++w) {
        level_[w] = next_[w] & ~seen_[w];
        seen_[w] |= next_[w];
        found += std::popcount(level_[w]);
      }
      sum += found / edges;
    }
    return sum;
  }

  double by_lengths(Vertex source) {
    distance_.assign(neighbours_.size(), kInfinity);
    distance_[source] = 0;
    heap_.emplace(0, source);
    double sum = 0;
    while (!heap_.empty()) {
      const auto [distance, u] = heap_.top();
      heap_.pop();
      if (distance > distance_[u]) continue;
      if (u != source) sum += nearness_[u] / distance;
      for_each_arc(u, [&, far = distance](const Arc& arc) {
        if (far + arc.length >= distance_[arc.to]) return;
        distance_[arc.to] = far + arc.length;
        heap_.emplace(distance_[arc.to], arc.to);
      });
    }
    return sum * nearness_[source];
  }

  const Graph& graph_;
  std::vector<Vertex> number_;      // [n]
  std::vector<Vertex> neighbours_;  // [k]
  std::vector<double> nearness_;    // [k] the cube root of 1 / length of the edge to it
  std::vector<std::size_t> first_;
  std::vector<Arc> arcs_;            // between neighbours
  std::size_t words_ = 0;            // of a row of bits; 0: there are none
  std::vector<std::uint64_t> bits_;  // [k, words] whether two of them are neighbours
  std::vector<std::uint64_t> seen_, level_, next_;
  std::vector<std::uint8_t> reached_;
  std::vector<Vertex> queue_;
  std::vector<double> distance_;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
};

}  // namespace

std::vector<double> local_efficiency(const Graph& graph, const LocalEfficiencyOptions& options) {
  const Cancellable listening(options.control.cancellation);
  refuse_if(!graph.symmetric(),
            "local efficiency is of undirected graphs: take the graph without directions");
  refuse_if(options.weighted && graph.arc_count() > 0 && !(graph.weight_facts().least > 0),
            "weighted local efficiency divides by lengths, so all weights must be above 0");
  const std::int64_t n = graph.vertex_count();
  const int threads = system::thread_count(options.threads);
  const auto degree = [&](Vertex v) { return static_cast<double>(graph.out_degree(v)); };
  std::vector<double> steps(static_cast<std::size_t>(n)), found(static_cast<std::size_t>(n));
  double most = 0, most_arcs = 0, all_steps = 0;
  for (Vertex v = 0; v < n; ++v) {
    base::poll(v);
    double arcs = 0;
    for_each_neighbour(graph, v, [&](Vertex u, double) { arcs += std::min(degree(u), degree(v)); });
    most = std::max(most, degree(v));
    most_arcs = std::max(most_arcs, arcs);
    all_steps += steps[v] = degree(v) * (degree(v) + arcs);
  }
  system::plan_memory(threads * Neighbourhood::bytes(n, most, most_arcs), "neighbourhoods",
                      "use fewer threads", options.memory);
  // The longest come first, so that threads end together.
  std::vector<Vertex> order = graph::all_vertices(n);
  std::ranges::stable_sort(order, std::greater<>{}, [&](Vertex v) { return steps[v]; });
  struct Member {
    std::unique_ptr<Neighbourhood> search;
    double steps = 0;  // since the last progress
  };
  std::vector<Member> members(static_cast<std::size_t>(threads));
  base::ProgressTask task(options.control, "local efficiency", all_steps, "step");
  system::parallel_for(n, threads, 1, [&](std::int64_t item, int number) {
    Member& member = members[static_cast<std::size_t>(number)];
    if (member.search == nullptr) member.search = std::make_unique<Neighbourhood>(graph);
    const Vertex v = order[static_cast<std::size_t>(item)];
    found[v] = member.search->efficiency(v, options.weighted);
    member.steps += steps[v];
    if (member.steps < all_steps / 1000) return;
    task.advance(std::exchange(member.steps, 0));
  });
  return found;
}

}  // namespace apsp
