#include "search/searched_graph.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/units.hpp"
#include "graph/arc_walk.hpp"
#include "kernels/searches.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"

namespace apsp::search {
namespace {

template <class F>
void visit_searched(const Graph& graph, Direction direction, F&& visit) {
  graph.visit_all([&](Vertex from, Vertex to, double weight) {
    if (from == to) return;
    if (direction == Direction::reversed) std::swap(from, to);
    visit(from, to, weight);
  });
}

/// [n] numbers: vertices with most incoming arcs come first. Empty if the first eighth would have
/// less than half of the arcs: then neighbours are nearer in their own order.
std::vector<Vertex> numbers_of(const Graph& graph, Direction direction) {
  constexpr std::size_t kMost = 1 << 16, kFew = 8;  // distinct counts; one eighth
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::uint32_t> arcs(n);
  visit_searched(graph, direction, [&](Vertex, Vertex to, double) { ++arcs[to]; });
  const auto rank = [&](std::size_t v) {
    return kMost - 1 - std::min<std::size_t>(arcs[v], kMost - 1);
  };
  std::vector<Vertex> next(kMost + 1), numbers(n);
  for (std::size_t v = 0; v < n; ++v) ++next[rank(v) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::uint64_t to_first = 0, all = 0;
  for (std::size_t v = 0; v < n; ++v) {
    numbers[v] = next[rank(v)]++;
    all += arcs[v];
    if (numbers[v] < n / kFew) to_first += arcs[v];
  }
  if (2 * to_first < all) numbers.clear();
  return numbers;
}

std::vector<std::uint32_t> offsets_of(const Graph& graph, Direction direction,
                                      const SearchedGraph& searched) {
  std::vector<std::uint32_t> first(static_cast<std::size_t>(graph.vertex_count()) + 1);
  visit_searched(graph, direction, [&](Vertex from, Vertex, double) {
    ++first[searched.number_of(from) + std::size_t{1}];
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

template <class Key, class F>
void fill_arcs(const Graph& graph, Direction direction, F&& key_of, SearchedGraph& searched) {
  searched.arcs.resize(searched.first.back() * sizeof(kernels::SearchArc<Key>));
  std::vector<std::uint32_t> next(searched.first.begin(), searched.first.end() - 1);
  auto* const arcs = reinterpret_cast<kernels::SearchArc<Key>*>(searched.arcs.data());
  visit_searched(graph, direction, [&](Vertex from, Vertex to, double weight) {
    const Vertex u = searched.number_of(from), v = searched.number_of(to);
    arcs[next[u]++] = {v, key_of(u, v, weight)};
  });
}

/// The mean number of arcs after an arc, except the reverse one in a symmetric graph.
double arcs_that_follow(const Graph& graph, Direction direction, const SearchedGraph& searched) {
  double following = 0;
  visit_searched(graph, direction, [&](Vertex, Vertex to, double) {
    const Vertex v = searched.number_of(to);
    following += searched.first[v + std::size_t{1}] - searched.first[v];
  });
  return following / static_cast<double>(searched.arc_count()) - (graph.symmetric() ? 1 : 0);
}

/// The more arcs a vertex has, the smaller is the step (Davidson 2014). If few arcs follow an arc,
/// rounds cost more than repeated visits (bench/attempts-gpu.md). `sum`: of the compared weights.
double step_of(const Graph& graph, Direction direction, const SearchedGraph& searched, double sum) {
  if (searched.arc_count() == 0) return 1;
  const auto arcs = static_cast<double>(searched.arc_count());
  const double mean = sum / arcs, degree = arcs / static_cast<double>(searched.vertices);
  constexpr double kOfChains = 32, kOfFewArcs = 8, kOfADegree = 3.2;
  const double following = arcs_that_follow(graph, direction, searched);
  return mean * (following < 1.5 ? kOfChains : following < 3.5 ? kOfFewArcs : kOfADegree / degree);
}

/// Requires: integers.
std::vector<double> whole_potentials(const Potentials& potentials, const SearchedGraph& searched) {
  std::vector<double> whole(potentials.h.size());
  for (std::size_t v = 0; v < whole.size(); ++v) {
    const base::Potential& h = potentials.h[v];
    if (h.low != 0 || h.high != std::trunc(h.high) || h.high > 0) {
      throw Error(ErrorKind::defect, "potentials of a search on a device are not whole");
    }
    whole[searched.number_of(static_cast<Vertex>(v))] = h.high;
  }
  return whole;
}

template <class T>
double fill_reduced(const Graph& graph, Direction direction, const Potentials& potentials,
                    SearchedGraph& searched) {
  using Sum = kernels::ReducedSum<T>;
  constexpr auto kLongest = static_cast<double>(Sum::zero());  // on no shortest path
  const double sign = searched.semiring == Semiring::max_plus ? -1 : 1;
  searched.potentials = whole_potentials(potentials, searched);
  double sum = 0;
  const auto key_of = [&](Vertex u, Vertex v, double weight) {
    const double key = sign * weight + (searched.potentials[u] - searched.potentials[v]);
    if (key < 0) throw Error(ErrorKind::defect, "potentials leave a weight negative");
    sum += key;
    return static_cast<typename Sum::Value>(std::min(key, kLongest));
  };
  fill_arcs<typename Sum::Value>(graph, direction, key_of, searched);
  return sum;
}

}  // namespace

int SearchKeys::bytes() const {
  return reduced && type != ValueType::i32 ? int{sizeof(double)} : size_of(type);
}

int SearchKeys::arc_bytes() const {
  return bytes() == sizeof(double) ? sizeof(kernels::SearchArc<double>)
                                   : sizeof(kernels::SearchArc<float>);
}

std::int64_t SearchedGraph::bytes(std::int64_t vertices, std::int64_t arcs,
                                  const SearchKeys& keys) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  return (2 * vertices + 1) * kNumber + arcs * keys.arc_bytes() +
         (keys.reduced ? vertices * std::int64_t{sizeof(double)} : 0);
}

std::string why_too_large(std::int64_t vertices, std::int64_t arcs) {
  constexpr std::int64_t kMost = kernels::kSearchedNumbers;
  if (vertices <= kMost && arcs <= kMost) return {};
  return fmt::format("runs on a GPU for at most {} {}, and there are {}", base::format_count(kMost),
                     vertices > kMost ? "vertices" : "arcs",
                     base::format_count(vertices > kMost ? vertices : arcs));
}

SearchedGraph searched_graph(const Graph& graph, Semiring semiring, ValueType type,
                             Direction direction, const Potentials* potentials,
                             std::int64_t near_bytes) {
  const std::int64_t n = graph.vertex_count();
  if (const std::string why = why_too_large(n, graph.arc_count()); !why.empty()) {
    throw Error(ErrorKind::usage, "johnson " + why);
  }
  SearchedGraph searched;
  searched.semiring = semiring;
  searched.keys = {type, potentials != nullptr};
  searched.vertices = n;
  if (n * searched.keys.bytes() > near_bytes) searched.numbers = numbers_of(graph, direction);
  searched.first = offsets_of(graph, direction, searched);
  double sum = 0;
  semiring::dispatch(semiring, type, [&]<class S>() {
    using T = typename S::Value;
    if constexpr (kernels::kReducible<S>) {
      if (potentials != nullptr) {
        sum = fill_reduced<T>(graph, direction, *potentials, searched);
        return;
      }
    }
    fill_arcs<T>(
        graph, direction,
        [&](Vertex, Vertex, double weight) {
          sum += std::abs(weight);
          return semiring::weight_as<S>(weight + 0.0);  // one zero only
        },
        searched);
  });
  searched.step = step_of(graph, direction, searched, sum);
  return searched;
}

}  // namespace apsp::search
