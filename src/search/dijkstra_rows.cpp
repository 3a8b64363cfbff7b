#include "search/dijkstra_rows.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <type_traits>

#include "base/double_double.hpp"
#include "base/units.hpp"
#include "search/dijkstra_search.hpp"
#include "search/links.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"

namespace apsp::search {
namespace {

[[noreturn]] void fail(ErrorKind kind, const std::string& message) { throw Error(kind, message); }

constexpr bool is_sum(Semiring semiring) {
  return semiring == Semiring::min_plus || semiring == Semiring::max_plus;
}

void check_pair(Semiring semiring, ValueType type) {
  if (semiring == Semiring::or_and) {
    fail(ErrorKind::usage,
         "Dijkstra's algorithm compares weights; reachability has rows of its own");
  }
  if (supported(semiring, type)) return;
  fail(ErrorKind::usage,
       fmt::format("the semiring {} has no values of type {}", name(semiring), name(type)));
}

void check_signs(const Graph& graph, Semiring semiring, const Potentials* potentials) {
  const bool longest = semiring == Semiring::max_plus;
  if (potentials == nullptr) {
    const WeightFacts& facts = graph.weight_facts();
    if (longest ? facts.greatest <= 0 : facts.least >= 0) return;
    fail(ErrorKind::usage,
         longest
             ? fmt::format("longest paths over positive weights (up to {}) need the potentials "
                           "of the negated weights, potentials(graph, -1)",
                           facts.greatest)
             : fmt::format("Dijkstra's algorithm takes no negative weights (down to {}) without "
                           "potentials; give it potentials(graph)",
                           facts.least));
  }
  if (potentials->cycle) {
    fail(ErrorKind::usage,
         "the graph has a negative cycle, so potentials do not exist: report the cycle instead of "
         "solving");
  }
  if (std::ssize(potentials->h) == graph.vertex_count()) return;
  fail(ErrorKind::usage,
       fmt::format("potentials of {} vertices for a graph of {}; give it those of the same graph",
                   potentials->h.size(), graph.vertex_count()));
}

void check_integers(const Graph& graph, Semiring semiring, ValueType type) {
  const WeightFacts& facts = graph.weight_facts();
  if (type != ValueType::i32 && type != ValueType::u16) return;
  if (!facts.integral) {
    fail(ErrorKind::usage,
         fmt::format("the graph has real weights, which {} would cut; use f32 or f64", name(type)));
  }
  if (type != ValueType::u16 || graph.arc_count() == 0) return;
  const double least = semiring == Semiring::max_min ? 1 : 0;
  if (facts.least >= least) return;
  fail(ErrorKind::usage, fmt::format("u16 holds no weight below {} of {}, and there is {}; use i32",
                                     least, name(semiring), facts.least));
}

void check_range(const Graph& graph, Semiring semiring, ValueType type, bool reduced,
                 std::optional<double> distance_bound) {
  const WeightFacts& facts = graph.weight_facts();
  double longest = std::max(std::abs(facts.least), std::abs(facts.greatest));
  if (is_sum(semiring) && graph.vertex_count() > 1) longest = facts.longest_path;
  longest = std::min(longest, distance_bound.value_or(longest));
  double bound = largest_distance(type);
  // Reduced lengths may be three times as long; those of i32 fit in u32.
  if (reduced && (type == ValueType::f32 || type == ValueType::f64)) bound /= 3;
  if (longest <= bound) return;
  fail(ErrorKind::does_not_fit,
       fmt::format("distances of this graph may reach {}, which {} does not hold; take a wider "
                   "type or scale the weights",
                   base::format_bound(longest), name(type)));
}

/// A key is a weight or reduced weight; longest paths negate it first.
template <class S, class KeyOfSums>
class SumKeys {
 public:
  using T = typename S::Value;
  using Key = KeyOfSums;
  static constexpr PathKey kPath = PathKey::sum;
  using Search = DijkstraSearch<Key, kPath>;

  SumKeys(const Graph&, const Potentials* potentials) {
    if (potentials != nullptr) h_ = potentials->h;
  }

  Key of(Vertex from, Vertex to, double weight) const {
    double key = kSign * weight + 0.0;  // one zero only
    if (!h_.empty()) {
      check(key, h_[from], h_[to]);
      key = base::reduced(key, h_[from], h_[to]);
    } else if constexpr (std::is_integral_v<Key>) {
      key = std::min(key,
                     static_cast<double>(semiring::Infinity<T>::plus));  // on no shortest path
    }
    return static_cast<Key>(key);
  }

  /// Requires: min-plus without potentials.
  Key key_within(double limit) const {
    if constexpr (!std::is_integral_v<Key>) return static_cast<Key>(limit);
    constexpr auto kMost = static_cast<double>(Search::kUnreached) - 1;
    return static_cast<Key>(std::clamp(limit, 0.0, kMost));
  }

  T value_of(Key key, Vertex source, Vertex to) const {
    if (h_.empty()) return static_cast<T>(kSign * static_cast<T>(key));
    return static_cast<T>(kSign * base::restored(static_cast<double>(key), h_[source], h_[to]));
  }

 private:
  /// Only the rounding of weights and potentials makes reduced weights negative.
  static void check(double weight, base::Potential from, base::Potential to) {
    const base::Potential value = base::sum(base::difference(from, to), weight);
    const double rounding =
        0x1p-50 * std::abs(weight) + 0x1p-90 * (std::abs(from.high) + std::abs(to.high));
    if (value.high + value.low >= -rounding) return;
    throw Error(ErrorKind::usage,
                fmt::format("these potentials leave an arc of weight {} negative; give the search "
                            "those of the same graph and sign",
                            weight));
  }

  static constexpr int kSign = S::kKind == Semiring::max_plus ? -1 : 1;
  std::vector<base::Potential> h_;  // [n], or empty: not reduced
};

/// Bottlenecks: a key is the rank of a distinct weight, the best first, after 0 for the empty path.
template <class S>
class RankKeys {
 public:
  using T = typename S::Value;
  using Key = std::uint32_t;
  static constexpr PathKey kPath = PathKey::greatest;
  using Search = DijkstraSearch<Key, kPath>;

  RankKeys(const Graph& graph, const Potentials*) {
    check_arc_count(graph);
    values_.reserve(static_cast<std::size_t>(graph.arc_count()) + 1);
    graph.visit_all([&](Vertex, Vertex, double weight) { values_.push_back(T(weight + 0.0)); });
    std::sort(values_.begin(), values_.end(), S::better);
    values_.erase(std::unique(values_.begin(), values_.end()), values_.end());
    values_.insert(values_.begin(), S::one());
    values_.shrink_to_fit();
  }

  Key of(Vertex, Vertex, double weight) const {
    const auto at = std::lower_bound(values_.begin() + 1, values_.end(), T(weight), S::better);
    return static_cast<Key>(at - values_.begin());
  }

  T value_of(Key key, Vertex, Vertex) const { return values_[key]; }
  Key key_within(double) const {
    throw Error(ErrorKind::defect, "bounded searches are for sums of weights");
  }

 private:
  std::vector<T> values_;
};

/// Distances from one source as columns, of which only the first lane is used.
template <class T>
class NearColumns {
 public:
  void add(Vertex v, T value, flow::ColumnSink::Writer& part) {
    if (vertices_.size() == kMost) flush(part);
    if (vertices_.empty()) values_.require(std::int64_t{kMost} * 64);
    values_.template as<T>()[std::ssize(vertices_) * kLanes] = value;
    vertices_.push_back(v);
  }
  void flush(flow::ColumnSink::Writer& part) {
    if (!vertices_.empty()) part.take(vertices_, values_.data(), kLanes);
    vertices_.clear();
  }

 private:
  static constexpr std::int64_t kLanes = 64 / sizeof(T);
  static constexpr std::size_t kMost = 256;
  std::vector<Vertex> vertices_;
  system::AlignedMemory values_;
};

template <class S, class Keys>
class DijkstraRows final : public flow::RowSource {
 public:
  using T = typename S::Value;
  using Search = typename Keys::Search;

  DijkstraRows(const Graph& graph, ValueType type, const Potentials* potentials)
      : type_(type),
        order_(clustered_order(links_of(graph), kCluster)),
        number_(order_.size()),
        keys_(graph, potentials),
        arcs_(search_arcs<typename Keys::Key>(
            graph, order_,
            [&](Vertex u, Vertex v, double weight) { return keys_.of(u, v, weight); })) {
    for (std::size_t i = 0; i < order_.size(); ++i) number_[order_[i]] = static_cast<Vertex>(i);
  }

  std::int64_t vertices() const override { return arcs_.vertices(); }
  Semiring semiring() const override { return S::kKind; }
  ValueType type() const override { return type_; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return 1; }
  std::int64_t worker_bytes() const override { return Search::memory_bytes(arcs_); }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<SearchWorker>(*this); }

 private:
  class SearchWorker final : public Worker {
   public:
    explicit SearchWorker(const DijkstraRows& source) : source_(source), search_(source.arcs_) {}

    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      T* row = static_cast<T*>(rows);
      for (const Vertex source : sources) {
        write(source, search_.run(source_.number_[source]), row);
        row += stride;
      }
    }

    void compute_within(std::span<const Vertex> sources, double limit,
                        flow::ColumnSink::Writer& part) override {
      for (const Vertex source : sources) {
        part.begin({&source, 1});
        search_.run_within(source_.number_[source], source_.keys_.key_within(limit),
                           [&](Vertex number, typename Keys::Key key) {
                             const Vertex v = source_.order_[number];
                             near_.add(v, source_.keys_.value_of(key, source, v), part);
                           });
        near_.flush(part);
        part.end();
      }
    }

   private:
    void write(Vertex source, std::span<const typename Keys::Key> keys, T* row) const {
      for (Vertex v = 0; v < keys.size(); ++v) {
        const auto key = keys[source_.number_[v]];
        row[v] = key == Search::kUnreached ? S::zero() : source_.keys_.value_of(key, source, v);
      }
    }

    const DijkstraRows& source_;
    Search search_;
    NearColumns<T> near_;
  };

  /// Vertices near each other get neighbouring numbers, so that a search stays in cache.
  static constexpr std::int64_t kCluster = 512;

  ValueType type_;
  std::vector<Vertex> order_;
  std::vector<Vertex> number_;  // [n] index of each vertex in `order_`
  Keys keys_;
  SearchArcs<typename Keys::Key> arcs_;
};

}  // namespace

void check_dijkstra(const Graph& graph, Semiring semiring, ValueType type,
                    const Potentials* potentials, std::optional<double> distance_bound) {
  check_pair(semiring, type);
  if (is_sum(semiring)) check_signs(graph, semiring, potentials);
  check_integers(graph, semiring, type);
  check_range(graph, semiring, type, potentials != nullptr, distance_bound);
}

std::unique_ptr<flow::RowSource> dijkstra_rows(const Graph& graph, Semiring semiring,
                                               ValueType type, const Potentials* potentials,
                                               std::optional<double> distance_bound) {
  check_dijkstra(graph, semiring, type, potentials, distance_bound);
  const bool long_sums = graph.weight_facts().longest_path > largest_distance(ValueType::i32);
  const auto rows_of = [&]<class S, class Keys>() -> std::unique_ptr<flow::RowSource> {
    return std::make_unique<DijkstraRows<S, Keys>>(graph, type, potentials);
  };
  return semiring::dispatch(semiring, type, [&]<class S>() -> std::unique_ptr<flow::RowSource> {
    using T = typename S::Value;
    if constexpr (S::kKind == Semiring::or_and) {
      return nullptr;
    } else if constexpr (!is_sum(S::kKind)) {
      return rows_of.template operator()<S, RankKeys<S>>();
    } else if constexpr (std::is_integral_v<T>) {
      // Sums of i32 weights may exceed 32 bits although no distance does.
      if (sizeof(T) == 4 && potentials == nullptr && long_sums) {
        return rows_of.template operator()<S, SumKeys<S, double>>();
      }
      return rows_of.template operator()<S, SumKeys<S, std::uint32_t>>();
    } else {
      // Reduced lengths of integers may need more digits than f32 has.
      if (potentials != nullptr) return rows_of.template operator()<S, SumKeys<S, double>>();
      return rows_of.template operator()<S, SumKeys<S, T>>();
    }
  });
}

}  // namespace apsp::search
