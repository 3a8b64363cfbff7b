#include "search/dijkstra_rows.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "base/potential.hpp"
#include "search/dijkstra_check.hpp"
#include "search/dijkstra_search.hpp"
#include "search/links.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/infinity.hpp"

namespace apsp::search {
namespace {

template <class S>
constexpr bool kIsSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;

/// Sums: a weight is its own key, or its reduced weight; longest paths negate it first.
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
                     static_cast<double>(semiring::Infinity<T>::plus));  // on no path that counts
    }
    return static_cast<Key>(key);
  }

  /// The distance of a key, which is not kUnreached.
  T value_of(Key key, Vertex source, Vertex to) const {
    if (h_.empty()) return static_cast<T>(kSign * static_cast<T>(key));
    return static_cast<T>(kSign * base::restored(static_cast<double>(key), h_[source], h_[to]));
  }

 private:
  /// Reduced weights are negative by the rounding of weights and potentials at most.
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
  std::vector<base::Potential> h_;  // [n], or empty: weights are not reduced
};

/// Bottlenecks: keys are ranks of the distinct weights, the best first, behind 0 of the empty path.
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

 private:
  std::vector<T> values_;  // of all keys
};

template <class S, class Keys>
class DijkstraRows final : public store::RowSource {
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

   private:
    /// `keys`: [n] by numbers.
    void write(Vertex source, std::span<const typename Keys::Key> keys, T* row) const {
      for (Vertex v = 0; v < keys.size(); ++v) {
        const auto key = keys[source_.number_[v]];
        row[v] = key == Search::kUnreached ? S::zero() : source_.keys_.value_of(key, source, v);
      }
    }

    const DijkstraRows& source_;
    Search search_;
  };

  /// Vertices that lie near each other get numbers near each other, so that a search stays in
  /// cache.
  static constexpr std::int64_t kCluster = 512;

  ValueType type_;
  std::vector<Vertex> order_;   // [n] in clusters
  std::vector<Vertex> number_;  // [n] place of each vertex there
  Keys keys_;
  SearchArcs<typename Keys::Key> arcs_;  // among numbers
};

}  // namespace

std::unique_ptr<store::RowSource> dijkstra_rows(const Graph& graph, Semiring semiring,
                                                ValueType type, const Potentials* potentials,
                                                std::optional<double> distance_bound) {
  check_dijkstra(graph, semiring, type, potentials, distance_bound);
  const bool long_sums = graph.weight_facts().longest_path > largest_distance(ValueType::i32);
  const auto rows_of = [&]<class S, class Keys>() -> std::unique_ptr<store::RowSource> {
    return std::make_unique<DijkstraRows<S, Keys>>(graph, type, potentials);
  };
  return semiring::dispatch(semiring, type, [&]<class S>() -> std::unique_ptr<store::RowSource> {
    using T = typename S::Value;
    if constexpr (S::kKind == Semiring::or_and) {
      return nullptr;  // check_dijkstra has thrown
    } else if constexpr (!kIsSum<S>) {
      return rows_of.template operator()<S, RankKeys<S>>();
    } else if constexpr (std::is_integral_v<T>) {
      // Sums of some weights of i32 do not stay within 32 bits, though no distance is so long.
      if (sizeof(T) == 4 && potentials == nullptr && long_sums) {
        return rows_of.template operator()<S, SumKeys<S, double>>();
      }
      return rows_of.template operator()<S, SumKeys<S, std::uint32_t>>();
    } else {
      // Reduced lengths of integers may need more digits than their distances, which f32 holds.
      if (potentials != nullptr) return rows_of.template operator()<S, SumKeys<S, double>>();
      return rows_of.template operator()<S, SumKeys<S, T>>();
    }
  });
}

}  // namespace apsp::search
