#include "paths/path_counts.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

#include "base/control.hpp"
#include "base/fail.hpp"

namespace apsp::paths {
namespace {

template <class K>
search::SearchArcs<K> against(const search::SearchArcs<K>& arcs) {
  search::SearchArcs<K> reversed;
  reversed.first.assign(arcs.first.size(), 0);
  reversed.arcs.resize(arcs.arcs.size());
  for (const search::KeyedArc<K>& arc : arcs.arcs) ++reversed.first[arc.to + std::size_t{1}];
  for (std::size_t v = 1; v < reversed.first.size(); ++v)
    reversed.first[v] += reversed.first[v - 1];
  std::vector<std::uint32_t> next(reversed.first.begin(), reversed.first.end() - 1);
  for (Vertex from = 0; from + std::size_t{1} < arcs.first.size(); ++from) {
    base::poll(from);
    for (std::uint32_t i = arcs.first[from]; i < arcs.first[from + std::size_t{1}]; ++i) {
      reversed.arcs[next[arcs.arcs[i].to]++] = {from, arcs.arcs[i].weight};
    }
  }
  return reversed;
}

/// Checks for cancellation between parts; a poll inside would cost a twentieth of the time.
template <class F>
void for_each_part(std::size_t count, F&& work) {
  constexpr std::size_t kPart = std::size_t{1} << 14;
  for (std::size_t first = 0; first < count; first += kPart) {
    base::check_cancelled();
    work(first, std::min(first + kPart, count));
  }
}

/// Branch-free, because `counts` is unpredictable.
double where(bool counts, double value) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & -std::uint64_t{counts});
}

}  // namespace

void throw_too_many_paths() {
  throw Error(ErrorKind::usage,
              "there are more shortest paths between two vertices than doubles count (10^308): "
              "betweenness is not defined by their shares");
}

void throw_lost_weights(double least) {
  base::fail(
      ErrorKind::usage,
      "a weight of {} is lost beside a distance that doubles round: shortest paths cannot be "
      "counted; scale the weights so that they differ less",
      least);
}

template <class K>
CountedArcs<K>::CountedArcs(const Graph& graph, std::span<const Vertex> order,
                            std::int64_t counted_)
    : out(search::search_arcs<K>(graph, order,
                                 [](Vertex, Vertex, double weight) {
                                   return static_cast<K>(std::min(weight, kMostWeight));
                                 })),
      counted(static_cast<std::size_t>(counted_)),
      least(static_cast<K>(std::min(graph.weight_facts().least, kMostWeight))) {
  if (!out.symmetric) in = against(out);
}

template <class K>
PathCounts<K>::PathCounts(const CountedArcs<K>& arcs, std::span<const double> stands_for,
                          bool flows)
    : arcs_(arcs),
      stands_for_(stands_for),
      labels_(static_cast<std::size_t>(arcs.out.vertices()), Label{0, arcs.kUnreached}),
      shares_(arcs.counted),
      flows_(flows ? arcs.out.arcs.size() : 0) {
  reached_.reserve(arcs.counted);
  keyed_.reserve(arcs.counted);
  other_.reserve(arcs.counted);
}

template <class K>
void PathCounts<K>::count(std::size_t source, bool ends) {
  std::fill(shares_.begin(), shares_.end(), 0.0);
  std::fill(flows_.begin(), flows_.end(), 0.0);
  sort(source);
  labels_[source].value = 1;
  add_up_paths();
  if (flows_.empty()) {
    add_up_shares<false>(ends ? 1 : 0);
  } else {
    add_up_shares<true>(ends ? 1 : 0);
  }
  shares_[source] = ends ? static_cast<double>(reached_.size() - 1) : 0;
}

/// `reached_` ← vertices with a path, in topological order of shortest paths.
template <class K>
void PathCounts<K>::sort(std::size_t source) {
  K farthest = 0;
  for (std::size_t v = 0; v < arcs_.counted; ++v) {
    const K d = labels_[v].distance;
    if (d < arcs_.kUnreached) farthest = std::max(farthest, d);
  }
  keyed_.clear();
  const auto gather = [&](auto&& key_of) {
    for (std::size_t v = 0; v < arcs_.counted; ++v) {
      const K d = labels_[v].distance;
      if (d < arcs_.kUnreached) keyed_.push_back({key_of(d), static_cast<Vertex>(v)});
    }
  };
  if constexpr (CountedArcs<K>::kWhole) {
    const int width = std::max(1, static_cast<int>(std::bit_width(arcs_.least)));
    const int shift = width - 1;  // 2^shift ≤ the least weight
    gather([shift](K d) { return d >> shift; });
    sort_by_keys(farthest >> shift);
  } else {
    if (farthest + arcs_.least / 2 == farthest && farthest > 0) throw_lost_weights(arcs_.least);
    // At least half of a weight survives a sum, so buckets of a third stay narrower than that.
    const double buckets = 3 / arcs_.least;
    if (farthest * buckets < 0x1p32 - 2) {
      gather([buckets](K d) { return static_cast<std::uint32_t>(d * buckets); });
      sort_by_keys(static_cast<std::uint32_t>(farthest * buckets));
    } else {
      gather([](K) { return 0u; });
      std::sort(keyed_.begin(), keyed_.end(), [this](const Keyed& a, const Keyed& b) {
        return labels_[a.vertex].distance < labels_[b.vertex].distance;
      });
    }
  }
  reached_.clear();
  for (const Keyed& one : keyed_) reached_.push_back(one.vertex);
  if (reached_.empty() || reached_.front() != source) {
    throw Error(ErrorKind::defect, "a row of distances does not begin at its source");
  }
}

/// Radix sort, least significant digit first.
template <class K>
void PathCounts<K>::sort_by_keys(std::uint32_t greatest) {
  constexpr int kMostDigits = 11;  // 2^11 buckets fit a first-level cache
  const auto bits = static_cast<int>(std::bit_width(greatest));
  const int rounds = (bits + kMostDigits - 1) / kMostDigits;
  other_.resize(keyed_.size());
  std::array<std::uint32_t, 1 << kMostDigits> next{};
  for (int round = 0; round < rounds; ++round) {
    const int digits = (bits + rounds - 1) / rounds, shift = round * digits;
    const std::uint32_t mask = (1u << digits) - 1;
    next.fill(0);
    base::check_cancelled();
    for (const Keyed& one : keyed_) ++next[(one.key >> shift) & mask];
    std::uint32_t before = 0;
    for (std::uint32_t& bucket : next) before += std::exchange(bucket, before);
    for (const Keyed& one : keyed_) other_[next[(one.key >> shift) & mask]++] = one;
    std::swap(keyed_, other_);
  }
}

/// Prefetches later vertices: saves 27 % of the time on roads, where the order jumps in memory.
template <class K>
template <class ArcsOf>
void PathCounts<K>::fetch(std::size_t soon, std::size_t next, ArcsOf&& arcs_of) const {
  if (soon < reached_.size()) __builtin_prefetch(&arcs_.out.first[reached_[soon]]);
  if (next >= reached_.size()) return;
  const Vertex v = reached_[next];
  __builtin_prefetch(&labels_[v]);
  __builtin_prefetch(arcs_of(v));
}

template <class K>
void PathCounts<K>::add_up_paths() {
  bool counted = true;
  for_each_part(reached_.size(), [&](std::size_t first, std::size_t last) {
    counted = add_up_paths(std::max<std::size_t>(first, 1), last) && counted;
  });
  if (counted) return;
  const auto none = std::find_if(reached_.begin(), reached_.end(),
                                 [this](Vertex v) { return !(labels_[v].value > 0); });
  if (none != reached_.end()) {
    throw Error(ErrorKind::defect, "a row of distances is not one of its graph");
  }
  throw_too_many_paths();
}

/// Returns whether all path counts of reached_[first, last) are positive and finite.
template <class K>
bool PathCounts<K>::add_up_paths(std::size_t first, std::size_t last) {
  bool counted = true;
  for (std::size_t i = first; i < last; ++i) {
    const Vertex v = reached_[i];
    fetch(i + kSoon, i + kNext, [this](Vertex next) { return arcs_.into(next).data(); });
    Label& label = labels_[v];
    double paths = 0;
    for (const search::KeyedArc<K>& arc : arcs_.into(v)) {
      const Label& before = labels_[arc.to];
      paths += where(before.distance + arc.weight == label.distance, before.value);
    }
    label.value = paths;
    counted = counted && paths > 0 && paths <= std::numeric_limits<double>::max();
  }
  return counted;
}

template <class K>
template <bool kFlows>
void PathCounts<K>::add_up_shares(double of_end) {
  const std::size_t all = reached_.size();
  for_each_part(all, [&](std::size_t first, std::size_t last) {
    add_up_shares<kFlows>(of_end, all - last, all - first);
  });
}

template <class K>
template <bool kFlows>
void PathCounts<K>::add_up_shares(double of_end, std::size_t first, std::size_t last) {
  for (std::size_t i = last; i-- > first;) {
    const Vertex v = reached_[i];
    fetch(i - kSoon, i - kNext, [this](Vertex next) { return arcs_.from(next).data(); });
    Label& label = labels_[v];
    const double paths = label.value;
    double shares = 0;
    std::size_t place = arcs_.out.first[v];
    for (const search::KeyedArc<K>& arc : arcs_.from(v)) {
      const Label& behind = labels_[arc.to];
      const double share = where(label.distance + arc.weight == behind.distance, behind.value);
      shares += share;
      if constexpr (kFlows) flows_[place++] = paths * share;
    }
    shares_[v] = paths * shares + of_end;
    label.value = (stands_for_[v] + paths * shares) / paths;
  }
}

template struct CountedArcs<std::uint32_t>;
template struct CountedArcs<double>;
template class PathCounts<std::uint32_t>;
template class PathCounts<double>;

}  // namespace apsp::paths
