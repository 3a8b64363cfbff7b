#include "paths/near_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "paths/path_counts.hpp"
#include "paths/rounded_sums.hpp"
#include "search/dijkstra_search.hpp"
#include "system/pool.hpp"
#include "system/threads.hpp"

namespace apsp::paths {
namespace {

template <class K>
class NearCounter {
 public:
  NearCounter(const Graph& graph, std::span<const Vertex> sources, std::span<const double> limits,
              const BetweennessQuestion& question)
      : graph_(graph),
        sources_(sources),
        question_(question),
        arcs_(graph, graph::all_vertices(graph.vertex_count()), graph.vertex_count()),
        ones_(static_cast<std::size_t>(graph.vertex_count()), 1.0),
        by_limit_(limits.size()),
        parts_([this] { return std::make_unique<Part>(*this); }) {
    for (const double limit : limits) limits_.push_back(key_of(limit));
    std::iota(by_limit_.begin(), by_limit_.end(), std::size_t{0});
    std::ranges::sort(by_limit_, [&](auto a, auto b) { return limits[a] > limits[b]; });
    found_.reached.resize(limits.size() * sources.size());
    found_.distances.resize(found_.reached.size());
  }

  NearShares run(int threads, const Control& control) {
    base::ProgressTask progress(control, "counting near paths",
                                static_cast<double>(sources_.size()), "row");
    system::parallel_for(std::ssize(sources_), threads, [&](std::int64_t i) {
      base::check_cancelled(control);
      parts_.lend([&](Part& part) { take(static_cast<std::size_t>(i), part); });
      progress.advance(1);
    });
    base::check_cancelled(control);
    Part total(*this);
    parts_.for_each([&](Part& part) {
      total.vertices.add(part.vertices);
      total.arcs.add(part.arcs);
    });
    found_.of_vertices.resize(limits_.size() * ones_.size());
    for (std::size_t i = 0; i < found_.of_vertices.size(); ++i) {
      found_.of_vertices[i] = total.vertices.total(i);
    }
    put_arcs(total);
    return std::move(found_);
  }

 private:
  struct Part {
    explicit Part(const NearCounter& of)
        : search(of.arcs_.out),
          counts(of.arcs_, of.ones_, of.question_.arcs),
          vertices(of.limits_.size() * of.ones_.size(), of.rows(), of.most()),
          arcs(of.question_.arcs ? of.limits_.size() * of.arcs_.out.arcs.size() : 0, of.rows(),
               of.most()) {}

    search::DijkstraSearch<K, search::PathKey::sum> search;
    PathCounts<K> counts;
    RoundedSums vertices, arcs;
    std::vector<Vertex> near;
  };

  std::int64_t rows() const { return std::max<std::int64_t>(2, std::ssize(sources_)); }
  double most() const { return static_cast<double>(ones_.size()); }

  static K key_of(double limit) {
    if constexpr (!CountedArcs<K>::kWhole) return limit;
    return static_cast<K>(std::floor(std::min(limit, CountedArcs<K>::kMostWeight)));
  }

  void take(std::size_t number, Part& part) {
    const Vertex source = sources_[number];
    part.near.clear();
    part.search.run_within(source, limits_[by_limit_.front()], [&](Vertex v, K distance) {
      part.near.push_back(v);
      part.counts.set(v, distance);
      for (const std::size_t limit : by_limit_) {
        if (limits_[limit] < distance) break;
        const std::size_t at = limit * sources_.size() + number;
        found_.reached[at] += v != source;
        found_.distances[at] += static_cast<double>(distance);
      }
    });
    part.counts.count_near(source, part.near);
    for (const std::size_t limit : by_limit_) {
      const auto ends = part.counts.share_within(source, limits_[limit], question_.endpoints);
      add(limit, ends, part);
    }
    part.counts.clear();
  }

  void add(std::size_t limit, std::span<const Vertex> ends, Part& part) const {
    const std::span<const double> shares = part.counts.shares(), flows = part.counts.flows();
    const std::size_t first = limit * ones_.size(), first_arc = limit * arcs_.out.arcs.size();
    for (const Vertex v : ends) {
      if (shares[v] > 0) part.vertices.add_at(first + v, shares[v]);
      if (flows.empty()) continue;
      for (std::uint32_t i = arcs_.out.first[v]; i < arcs_.out.first[v + std::size_t{1}]; ++i) {
        if (flows[i] > 0) part.arcs.add_at(first_arc + i, flows[i]);
      }
    }
  }

  void put_arcs(const Part& total) {
    if (!question_.arcs) return;
    const std::size_t count = arcs_.out.arcs.size();
    for (Vertex u = 0; u < ones_.size(); ++u) {
      for (std::uint32_t i = arcs_.out.first[u]; i < arcs_.out.first[u + std::size_t{1}]; ++i) {
        const auto& arc = arcs_.out.arcs[i];
        found_.arcs.push_back({u, arc.to, static_cast<double>(arc.weight)});
      }
    }
    found_.of_arcs.resize(limits_.size() * count);
    for (std::size_t i = 0; i < found_.of_arcs.size(); ++i) found_.of_arcs[i] = total.arcs.total(i);
  }

  const Graph& graph_;
  std::span<const Vertex> sources_;
  BetweennessQuestion question_;
  CountedArcs<K> arcs_;
  std::vector<double> ones_;           // [n] ω
  std::vector<std::size_t> by_limit_;  // indices of limits, the greatest first
  std::vector<K> limits_;
  NearShares found_;
  system::Pool<Part> parts_;
};

}  // namespace

NearShares near_shares(const Graph& graph, std::span<const Vertex> sources,
                       std::span<const double> limits, const BetweennessQuestion& question,
                       bool exact, int threads, const Control& control) {
  const double greatest = *std::ranges::max_element(limits);
  const bool narrow = exact && std::min(greatest, graph.weight_facts().longest_path) <
                                   CountedArcs<std::uint32_t>::kMostWeight;
  if (narrow) {
    return NearCounter<std::uint32_t>(graph, sources, limits, question).run(threads, control);
  }
  return NearCounter<double>(graph, sources, limits, question).run(threads, control);
}

double near_shares_bytes(const Graph& graph, std::size_t sources, std::size_t limits, bool arcs,
                         int threads) {
  // A vertex of a thread: a search's key and queue, a count's label, share, σ, keys, two sums.
  constexpr double kVertex = 160, kArc = 32, kSum = 16, kSource = 16;
  const auto n = static_cast<double>(graph.vertex_count()),
             m = static_cast<double>(graph.arc_count()), parts = threads + 1.0,
             count = static_cast<double>(limits);
  return m * kArc + parts * (n * (kVertex + count * kSum) + (arcs ? m * (8 + count * kSum) : 0)) +
         count * (kSource * static_cast<double>(sources) + 8 * n + (arcs ? m * kArc : 0));
}

}  // namespace apsp::paths
