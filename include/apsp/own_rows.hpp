// Rows of a user-defined semiring: best values from selected sources of a sparse graph, to selected
// targets, with predecessors.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <apsp/error.hpp>
#include <apsp/graph.hpp>
#include <apsp/matrix.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>

namespace apsp {

struct OwnRowsOptions {
  std::span<const Vertex> sources{};  ///< of the rows, in this order; empty: all vertices
  std::span<const Vertex> targets{};  ///< of the columns, in this order; empty: all vertices
  int threads = 0;                    ///< 0: all
  Control control{};
};

namespace detail {

/// Calls row(i) for all i < rows. Throws what `row` throws; `Error`: usage, interrupted.
void for_each_own_row(std::int64_t rows, const OwnRowsOptions& options,
                      const std::function<void(std::int64_t)>& row);
/// Returns `chosen`, or all vertices if it is empty. Throws `Error` (usage) for a vertex that is
/// not there.
std::vector<Vertex> own_selection(const Graph& graph, std::span<const Vertex> chosen);
/// Throws `Error` (usage) unless a matrix has a row for each source and a column for each target.
void require_own_shape(const void* data, std::int64_t rows, std::int64_t cols, std::int64_t stride,
                       std::size_t sources, std::size_t targets);

/// The arcs of a graph with their values.
template <OwnSemiring S>
struct OwnArcs {
  template <class ValueOf>
  OwnArcs(const Graph& graph, ValueOf&& value_of)
      : offsets(graph.offsets().begin(), graph.offsets().end()) {
    heads.reserve(static_cast<std::size_t>(graph.arc_count()));
    values.reserve(heads.capacity());
    graph.visit_all([&](Vertex from, Vertex to, double weight) {
      heads.push_back(to);
      values.push_back({value_of(from, to, weight)});
    });
  }
  /// A vector of bool has no elements.
  struct Held {
    typename S::Value value;
  };
  std::vector<std::int64_t> offsets;
  std::vector<Vertex> heads;
  std::vector<Held> values;
};

/// Best values from one source. Labels are corrected until none improves. Open vertices wait in a
/// heap, the best one first: where ⊕ orders all values, each vertex is taken once (Dijkstra 1959).
/// Where it does not, they are taken in rounds (Moore 1959).
template <OwnSemiring S>
class OwnSearch {
 public:
  using T = typename S::Value;
  struct Label {
    T value = S::zero();
    std::int32_t before = -1;  // the predecessor
    bool open = false;
  };

  explicit OwnSearch(const OwnArcs<S>& arcs) : arcs_(arcs), labels_(arcs.offsets.size() - 1) {}

  /// Ends when the labels of all targets are final. `is_target` marks these; there are `targets`.
  void run(Vertex source, const std::vector<char>& is_target, std::size_t targets) {
    const bool ends_early = targets < labels_.size();
    labels_[source].value = S::one();
    open(source);
    for (std::size_t taken = 0; ordered_ && taken < labels_.size() && !open_.empty();) {
      std::pop_heap(open_.begin(), open_.end(), kWorse);
      const T value = open_.back().value;
      const Vertex v = open_.back().vertex;
      open_.pop_back();
      if (!labels_[v].open || !(value == labels_[v].value)) continue;
      ++taken;
      labels_[v].open = false;
      if (ends_early && is_target[v] != 0) {
        // ⊕ may join values that have not met yet.
        ordered_ = std::ranges::all_of(
            open_, [&](const Open& other) { return T{S::plus(value, other.value)} == value; });
        if (ordered_ && --targets == 0) return;
      }
      relax(v);
    }
    for (std::size_t round = 0; !open_.empty(); ++round) {
      if (round > labels_.size()) {
        throw Error(ErrorKind::negative_cycle,
                    "a cycle that vertex " + std::to_string(source) +
                        " reaches is better than the empty path, or ⊕ and ⊗ break a law");
      }
      for (const Open& next : std::exchange(open_, {})) {
        if (std::exchange(labels_[next.vertex].open, false)) relax(next.vertex);
      }
    }
  }

  const Label& operator[](Vertex v) const { return labels_[v]; }
  /// Whether ⊕ returned one of its operands, always.
  bool ordered() const { return ordered_; }

 private:
  struct Open {
    T value;
    Vertex vertex;
  };
  static constexpr auto kWorse = [](const Open& a, const Open& b) {
    const T better = S::plus(a.value, b.value);
    return better == b.value && !(better == a.value);
  };

  void open(Vertex v) {
    labels_[v].open = true;
    open_.push_back({labels_[v].value, v});
    if (ordered_) std::push_heap(open_.begin(), open_.end(), kWorse);
  }

  void relax(Vertex v) {
    const T from = labels_[v].value;
    const auto end = static_cast<std::size_t>(arcs_.offsets[v + std::size_t{1}]);
    for (auto arc = static_cast<std::size_t>(arcs_.offsets[v]); arc < end; ++arc) {
      const T over = S::times(from, arcs_.values[arc].value);
      Label& label = labels_[arcs_.heads[arc]];
      const T best = S::plus(label.value, over);
      if (best == label.value) continue;
      ordered_ = ordered_ && best == over;
      label.value = best;
      label.before = static_cast<std::int32_t>(v);
      open(arcs_.heads[arc]);
    }
  }

  const OwnArcs<S>& arcs_;
  std::vector<Label> labels_;
  std::vector<Open> open_;
  bool ordered_ = true;
};

}  // namespace detail

/// Best values of paths over a user-defined semiring in a sparse graph: values(i, j) is that of the
/// paths from source i to target j, S::zero() without one and S::one() from a vertex to itself.
/// `value_of(from, to, weight)` gives the value of an arc; an edge of an undirected graph is two
/// arcs.
///
/// `predecessors`, of the same shape: the vertex before the target on a best path from the source,
/// −1 without a path and for the source. Needs a ⊕ that returns one of its
/// operands. A search from each source, on the CPU: O(m log m) for such a ⊕, which also ends at the
/// last target, else O(n m). Memory: a value and a vertex for each arc, and for each thread two
/// values and 12 bytes for each vertex, more where many arcs improve one. Exceptions of operations
/// end the call, with the matrices unspecified. Throws `Error`: usage (a vertex that is not there,
/// another shape, predecessors where ⊕ joins values), negative_cycle, interrupted.
template <OwnSemiring S, class ValueOf>
void own_rows(const Graph& graph, ValueOf&& value_of, MatrixView<typename S::Value> values,
              const OwnRowsOptions& options = {},
              MatrixView<std::int32_t> predecessors = {nullptr, 0, 0}) {
  const std::vector<Vertex> sources = detail::own_selection(graph, options.sources);
  const std::vector<Vertex> targets = detail::own_selection(graph, options.targets);
  const auto require_shape = [&](const auto& matrix) {
    detail::require_own_shape(matrix.data, matrix.rows, matrix.cols, matrix.stride, sources.size(),
                              targets.size());
  };
  require_shape(values);
  if (predecessors.data != nullptr) require_shape(predecessors);
  std::vector<char> is_target(static_cast<std::size_t>(graph.vertex_count()));
  for (const Vertex t : targets) is_target[t] = 1;
  const auto distinct = static_cast<std::size_t>(std::ranges::count(is_target, char{1}));
  const detail::OwnArcs<S> arcs(graph, value_of);
  detail::for_each_own_row(std::ssize(sources), options, [&](std::int64_t i) {
    detail::OwnSearch<S> search(arcs);
    search.run(sources[static_cast<std::size_t>(i)], is_target, distinct);
    if (predecessors.data != nullptr && !search.ordered()) {
      throw Error(ErrorKind::usage,
                  "the best value of several paths is not that of one of them, so there are no "
                  "predecessors: ask for values alone");
    }
    for (std::size_t j = 0; j < targets.size(); ++j) {
      const auto& label = search[targets[j]];
      const auto column = static_cast<std::int64_t>(j);
      values.data[i * values.stride + column] = label.value;
      if (predecessors.data == nullptr) continue;
      predecessors.data[i * predecessors.stride + column] = label.before;
    }
  });
}

}  // namespace apsp
