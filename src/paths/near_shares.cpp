#include "paths/near_shares.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "paths/path_counts.hpp"
#include "paths/rounded_sums.hpp"
#include "search/bucket_queue.hpp"
#include "system/pool.hpp"
#include "system/threads.hpp"

namespace apsp::paths {
namespace {

/// The shortest paths from one source up to a limit, counted while it searches (Brandes 2001). The
/// queue (Dial 1969) has buckets narrower than the least weight, which settle vertices in
/// topological order of these paths.
template <class K>
class NearPaths {
 public:
  /// `limit`: the greatest.
  NearPaths(const CountedArcs<K>& arcs, K limit)
      : arcs_(arcs),
        limit_(limit),
        states_(static_cast<std::size_t>(arcs.out.vertices()), State{beyond(), 0}),
        settled_(states_.size() + 1),
        before_(arcs.out.arcs.size() + 1) {
    // At least half of a real weight survives a sum, so buckets of a third stay narrower than that.
    inverse_width_ =
        CountedArcs<K>::kWhole
            ? 1.0 / static_cast<double>(std::bit_floor(static_cast<std::uint32_t>(arcs.least)))
            : 3.0 / static_cast<double>(arcs.least);
    const double buckets = static_cast<double>(limit) * inverse_width_ + 1;
    constexpr double kMostBuckets = 1 << 20;
    if (buckets < kMostBuckets) {
      heads_.assign(static_cast<std::size_t>(buckets) + 1, kNone);
      filled_.assign(heads_.size() / 64 + 1, 0);
    } else {
      const std::int64_t pushes = std::ssize(arcs.out.arcs) + 1;
      sorted_.emplace(pushes, pushes, std::min(arcs.out.greatest, limit));
      sorted_->sort_buckets();
    }
  }

  /// Throws `Error` (usage): too many paths, or a lost weight.
  void find(Vertex source) {
    for (const Entry& entry : entries_) states_[entry.vertex].distance = beyond();
    entries_.clear();
    count_ = 0;
    befores_ = 0;
    push(source, 0);
    if (sorted_) {
      search::QueueEntry<K> entry;
      while (sorted_->pop(entry)) settle(entry.vertex(), entry.key());
    }
    for (std::size_t word = 0; word < filled_.size(); ++word) {
      while (filled_[word] != 0) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(filled_[word]));
        filled_[word] &= filled_[word] - 1;
        std::uint32_t entry = std::exchange(heads_[word * 64 + bit], kNone);
        for (; entry != kNone; entry = entries_[entry].next) {
          settle(entries_[entry].vertex, entries_[entry].distance);
        }
      }
    }
    settled_[count_].first = befores_;
    if constexpr (!CountedArcs<K>::kWhole) {
      const K farthest = settled_[count_ - 1].distance;
      if (farthest + arcs_.least / 2 == farthest && count_ > 1) throw_lost_weights(arcs_.least);
    }
  }

  /// Adds up the shares of the paths of at most `limit`, which never increases, from their ends
  /// back. Calls take(v, distance, share) for all ends but the source.
  template <class Take>
  void add_up(K limit, const Take& take) {
    while (limit < settled_[count_ - 1].distance) --count_;
    for (std::size_t i = 0; i < count_; ++i) settled_[i].share = 0;
    for (std::size_t i = count_; i-- > 1;) {
      const Settled& end = settled_[i];
      if (limit < end.distance) continue;  // in the bucket of the limit
      const double each = (1 + end.share) / end.paths;
      for (std::uint32_t k = end.first; k < settled_[i + 1].first; ++k) {
        Settled& before = settled_[before_[k]];
        before.share += before.paths * each;
      }
      take(end.vertex, end.distance, end.share);
    }
  }

  /// Calls take(arc of `out`, share) for the arcs of these paths.
  template <class Take>
  void for_each_arc(K limit, const Take& take) const {
    for (std::size_t i = 0; i < count_; ++i) {
      const Settled& from = settled_[i];
      std::uint32_t arc = arcs_.out.first[from.vertex];
      for (const auto& [to, weight] : arcs_.from(from.vertex)) {
        const State& end = states_[to];
        if (from.distance + weight == end.distance && !(limit < end.distance)) {
          take(arc, from.paths * (1 + settled_[end.place].share) / settled_[end.place].paths);
        }
        ++arc;
      }
    }
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct State {
    K distance;
    std::uint32_t place;  // in `settled_`, once it is settled
  };
  struct Settled {
    Vertex vertex;
    std::uint32_t first;  // of its predecessors in `before_`
    K distance;
    double paths, share;  // σ, δ
  };
  struct Entry {
    Vertex vertex;
    std::uint32_t next;  // of its bucket
    K distance;
  };

  /// The least distance beyond the limit.
  K beyond() const {
    if constexpr (CountedArcs<K>::kWhole) {
      return limit_ + 1;
    } else {
      return std::nextafter(limit_, std::numeric_limits<K>::infinity());
    }
  }

  /// An outdated entry has another distance.
  void settle(Vertex v, K distance) {
    if (states_[v].distance != distance) return;
    base::poll(count_);
    double paths = count_ == 0 ? 1 : 0;
    const std::uint32_t first = befores_;
    for (const auto& [u, weight] : arcs_.into(v)) {
      const State before = states_[u];
      const bool tight = before.distance + weight == distance;
      before_[befores_] = before.place;
      befores_ += tight ? 1 : 0;
      paths += tight ? settled_[before.place].paths : 0;
    }
    if (!(paths <= std::numeric_limits<double>::max())) throw_too_many_paths();
    states_[v].place = static_cast<std::uint32_t>(count_);
    settled_[count_++] = {v, first, distance, paths, 0};
    for (const auto& [to, weight] : arcs_.from(v)) {
      if (distance + weight < states_[to].distance) push(to, distance + weight);
    }
  }

  void push(Vertex v, K distance) {
    states_[v].distance = distance;
    if (sorted_) {
      sorted_->push(distance, v);
      entries_.push_back({v, kNone, distance});
      return;
    }
    const auto bucket = static_cast<std::size_t>(static_cast<double>(distance) * inverse_width_);
    entries_.push_back({v, heads_[bucket], distance});
    heads_[bucket] = static_cast<std::uint32_t>(entries_.size() - 1);
    filled_[bucket / 64] |= std::uint64_t{1} << bucket % 64;
  }

  const CountedArcs<K>& arcs_;
  K limit_;
  std::vector<State> states_;          // [n]
  std::vector<Settled> settled_;       // [n + 1] in this order
  std::size_t count_ = 0;              // of them
  std::vector<std::uint32_t> before_;  // [arcs + 1] places of predecessors
  std::uint32_t befores_ = 0;
  std::vector<Entry> entries_;  // of the queue, also those that were taken
  double inverse_width_ = 1;
  std::vector<std::uint32_t> heads_;              // [buckets] of lists of entries
  std::vector<std::uint64_t> filled_;             // a bit for each bucket
  std::optional<search::BucketQueue<K>> sorted_;  // for too many buckets
};

template <class K>
class NearCounter {
 public:
  NearCounter(const Graph& graph, std::span<const Vertex> sources, std::span<const double> limits,
              const BetweennessQuestion& question)
      : sources_(sources),
        question_(question),
        arcs_(graph, graph::all_vertices(graph.vertex_count()), graph.vertex_count()),
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
      parts_.use([&](Part& part) { take(static_cast<std::size_t>(i), part); });
      progress.advance(1);
    });
    base::check_cancelled(control);
    Part total(*this);
    parts_.for_each([&](Part& part) {
      total.vertices.add(part.vertices);
      total.arcs.add(part.arcs);
    });
    found_.of_vertices.resize(limits_.size() * vertices());
    for (std::size_t i = 0; i < found_.of_vertices.size(); ++i) {
      found_.of_vertices[i] = total.vertices.total(i);
    }
    put_arcs(total);
    return std::move(found_);
  }

 private:
  struct Part {
    explicit Part(const NearCounter& of)
        : paths(of.arcs_, of.limits_[of.by_limit_.front()]),
          vertices(of.limits_.size() * of.vertices(), of.rows(), of.most()),
          arcs(of.question_.arcs ? of.limits_.size() * of.arcs_.out.arcs.size() : 0, of.rows(),
               of.most()) {}

    NearPaths<K> paths;
    RoundedSums vertices, arcs;
  };

  std::size_t vertices() const { return arcs_.counted; }
  std::int64_t rows() const { return std::max<std::int64_t>(2, std::ssize(sources_)); }
  double most() const { return static_cast<double>(vertices()); }

  static K key_of(double limit) {
    if constexpr (!CountedArcs<K>::kWhole) return limit;
    return static_cast<K>(std::floor(std::min(limit, CountedArcs<K>::kMostWeight)));
  }

  void take(std::size_t number, Part& part) {
    const Vertex source = sources_[number];
    const double of_end = question_.endpoints ? 1 : 0;
    part.paths.find(source);
    for (const std::size_t limit : by_limit_) {
      const std::size_t at = limit * sources_.size() + number, first = limit * vertices(),
                        first_arc = limit * arcs_.out.arcs.size();
      double ends = 0, distances = 0;
      part.paths.add_up(limits_[limit], [&](Vertex v, K distance, double share) {
        ++ends;
        distances += static_cast<double>(distance);
        if (share + of_end > 0) part.vertices.add_at(first + v, share + of_end);
      });
      if (question_.arcs) {
        part.paths.for_each_arc(limits_[limit], [&](std::uint32_t arc, double share) {
          part.arcs.add_at(first_arc + arc, share);
        });
      }
      found_.reached[at] = ends;
      found_.distances[at] = distances;
      part.vertices.add_at(first + source, of_end * ends);
    }
  }

  void put_arcs(const Part& total) {
    if (!question_.arcs) return;
    const std::size_t count = arcs_.out.arcs.size();
    for (Vertex u = 0; u < vertices(); ++u) {
      for (std::uint32_t i = arcs_.out.first[u]; i < arcs_.out.first[u + std::size_t{1}]; ++i) {
        const auto& arc = arcs_.out.arcs[i];
        found_.arcs.push_back({u, arc.to, static_cast<double>(arc.weight)});
      }
    }
    found_.of_arcs.resize(limits_.size() * count);
    for (std::size_t i = 0; i < found_.of_arcs.size(); ++i) found_.of_arcs[i] = total.arcs.total(i);
  }

  std::span<const Vertex> sources_;
  BetweennessQuestion question_;
  CountedArcs<K> arcs_;
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
  // A vertex of a thread: its state, and as settled. An arc: a predecessor, and a queue entry in a
  // vector that grew. Buckets.
  constexpr double kVertex = 64, kEntry = 40, kBuckets = 5 << 20, kArc = 32, kSum = 16,
                   kSource = 16;
  const auto n = static_cast<double>(graph.vertex_count()),
             m = static_cast<double>(graph.arc_count()), parts = threads + 1.0,
             count = static_cast<double>(limits);
  return m * kArc +
         parts *
             (n * (kVertex + count * kSum) + m * (kEntry + (arcs ? count * kSum : 0)) + kBuckets) +
         count * (kSource * static_cast<double>(sources) + 8 * n + (arcs ? m * kArc : 0));
}

}  // namespace apsp::paths
