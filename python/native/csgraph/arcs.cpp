#include "arcs.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace apsp::python::csgraph {
namespace {

constexpr double kExactIntegers = 0x1p53;

[[noreturn]] void refuse_cycle(std::vector<Vertex> vertices, double weight) {
  std::string message = "the graph has a negative cycle through vertex ";
  message += std::to_string(vertices.front());
  throw Error::negative_cycle({std::move(vertices), weight}, message);
}

/// Appends rows; each ascends strictly by target when it is closed.
class RowWriter {
 public:
  RowWriter(Arcs& arcs, const Reading& reading) : arcs_(arcs), reading_(reading) {}

  void add(std::int64_t to, double weight) {
    if (!std::isfinite(weight)) return;
    const auto row = static_cast<Vertex>(std::ssize(arcs_.offsets) - 1);
    const auto target = static_cast<Vertex>(to);
    const double w = reading_.unweighted ? 1 : weight + 0.0;  // + 0.0 turns −0 into 0
    if (target == row) {
      if (w < 0 && reading_.to_be_solved) refuse_cycle({row}, w);
      return;
    }
    if (w < 0 && !reading_.directed && reading_.to_be_solved) refuse_cycle({row, target}, 2 * w);
    const bool first = std::ssize(arcs_.targets) == arcs_.offsets.back();
    rising_ = rising_ && (first || arcs_.targets.back() < target);
    arcs_.targets.push_back(target);
    arcs_.weights.push_back(w);
  }

  void close_row() {
    if (!rising_) sort_row();
    rising_ = true;
    arcs_.offsets.push_back(std::ssize(arcs_.targets));
  }

 private:
  /// Sorts the open row and keeps the least of parallel arcs.
  void sort_row() {
    const auto begin = static_cast<std::size_t>(arcs_.offsets.back());
    sorted_.clear();
    for (std::size_t a = begin; a < arcs_.targets.size(); ++a) {
      sorted_.emplace_back(arcs_.targets[a], arcs_.weights[a]);
    }
    std::sort(sorted_.begin(), sorted_.end());
    const auto same = [](const auto& a, const auto& b) { return a.first == b.first; };
    sorted_.erase(std::unique(sorted_.begin(), sorted_.end(), same), sorted_.end());
    arcs_.targets.resize(begin);
    arcs_.weights.resize(begin);
    for (const auto& [target, weight] : sorted_) {
      arcs_.targets.push_back(target);
      arcs_.weights.push_back(weight);
    }
  }

  Arcs& arcs_;
  const Reading& reading_;
  bool rising_ = true;
  std::vector<std::pair<Vertex, double>> sorted_;
};

/// Reverses all arcs. Rows ascend by target, because sources come in order.
Arcs reversed(const Arcs& arcs) {
  Arcs result;
  result.n = arcs.n;
  result.offsets.assign(static_cast<std::size_t>(arcs.n) + 1, 0);
  for (const Vertex v : arcs.targets) ++result.offsets[v + std::size_t{1}];
  for (std::size_t v = 0; v < static_cast<std::size_t>(arcs.n); ++v) {
    result.offsets[v + 1] += result.offsets[v];
  }
  result.targets.resize(arcs.targets.size());
  result.weights.resize(arcs.weights.size());
  std::vector<std::int64_t> next(result.offsets.begin(), result.offsets.end() - 1);
  for (std::int64_t u = 0; u < arcs.n; ++u) {
    arcs.for_each(static_cast<Vertex>(u), [&](Vertex v, double weight) {
      const auto place = static_cast<std::size_t>(next[v]++);
      result.targets[place] = static_cast<Vertex>(u);
      result.weights[place] = weight;
    });
  }
  return result;
}

/// Puts every edge in both rows, with the least weight of both directions.
Arcs both_ways(const Arcs& there) {
  Arcs back = reversed(there);
  if (back.offsets == there.offsets && back.targets == there.targets &&
      back.weights == there.weights) {
    return back;
  }
  Arcs result;
  result.n = there.n;
  result.targets.reserve(2 * there.targets.size());
  result.weights.reserve(2 * there.weights.size());
  result.offsets.reserve(there.offsets.size());
  const auto add = [&](const Arcs& from, std::size_t arc) {
    result.targets.push_back(from.targets[arc]);
    result.weights.push_back(from.weights[arc]);
  };
  for (std::size_t u = 0; u < static_cast<std::size_t>(there.n); ++u) {
    auto a = static_cast<std::size_t>(there.offsets[u]);
    auto b = static_cast<std::size_t>(back.offsets[u]);
    const auto last_a = static_cast<std::size_t>(there.offsets[u + 1]);
    const auto last_b = static_cast<std::size_t>(back.offsets[u + 1]);
    while (a < last_a || b < last_b) {
      if (b == last_b || (a < last_a && there.targets[a] < back.targets[b])) {
        add(there, a++);
      } else if (a == last_a || back.targets[b] < there.targets[a]) {
        add(back, b++);
      } else {
        add(there, a++);
        result.weights.back() = std::min(result.weights.back(), back.weights[b++]);
      }
    }
    result.offsets.push_back(std::ssize(result.targets));
  }
  return result;
}

/// Sets facts about all weights.
void note_facts(Arcs& arcs) {
  double longest = 0;  // upper bound of Σ|w| over simple paths
  for (std::int64_t u = 0; u < arcs.n; ++u) {
    double largest = 0;
    arcs.for_each(static_cast<Vertex>(u), [&](Vertex, double weight) {
      arcs.negative = arcs.negative || weight < 0;
      arcs.integral = arcs.integral && weight == std::trunc(weight);
      largest = std::max(largest, std::abs(weight));
    });
    longest += largest;
  }
  arcs.integral = arcs.integral && longest < kExactIntegers;
}

std::shared_ptr<const Arcs> finished(Arcs&& arcs, const Reading& reading) {
  auto result = std::make_shared<Arcs>(reading.directed ? std::move(arcs) : both_ways(arcs));
  result->directed = reading.directed;
  note_facts(*result);
  return result;
}

/// Sets both triangles of a matrix to the least of each pair, in cache-sized squares.
void fold_triangles(double* values, std::int64_t n) {
  constexpr std::int64_t kSide = 64;
  for (std::int64_t first_u = 0; first_u < n; first_u += kSide) {
    for (std::int64_t first_v = 0; first_v <= first_u; first_v += kSide) {
      for (std::int64_t u = first_u; u < std::min(first_u + kSide, n); ++u) {
        for (std::int64_t v = first_v; v < std::min(first_v + kSide, u); ++v) {
          double &there = values[u * n + v], &back = values[v * n + u];
          there = back = std::min(there, back);
        }
      }
    }
  }
}

}  // namespace

template <class Offset, class Index>
std::shared_ptr<const Arcs> arcs_of_rows(const SparseRows<Offset, Index>& rows,
                                         const Reading& reading) {
  Arcs arcs;
  arcs.n = std::ssize(rows.offsets) - 1;
  arcs.offsets.reserve(rows.offsets.size());
  arcs.targets.reserve(rows.targets.size());
  arcs.weights.reserve(rows.targets.size());
  RowWriter writer(arcs, reading);
  for (std::int64_t u = 0; u < arcs.n; ++u) {
    const auto begin = static_cast<std::int64_t>(rows.offsets[static_cast<std::size_t>(u)]);
    const auto end = static_cast<std::int64_t>(rows.offsets[static_cast<std::size_t>(u) + 1]);
    if (begin < 0 || end < begin || end > std::ssize(rows.targets)) {
      throw Error(ErrorKind::usage, "the row offsets (indptr) do not describe rows of the targets");
    }
    for (std::int64_t a = begin; a < end; ++a) {
      const auto target = static_cast<std::int64_t>(rows.targets[static_cast<std::size_t>(a)]);
      if (target < 0 || target >= arcs.n) {
        throw Error(ErrorKind::usage, "a target is not a vertex of the graph (column indices)");
      }
      writer.add(target, rows.weights[a]);
    }
    writer.close_row();
  }
  return finished(std::move(arcs), reading);
}

template std::shared_ptr<const Arcs> arcs_of_rows(const SparseRows<std::int32_t, std::int32_t>&,
                                                  const Reading&);
template std::shared_ptr<const Arcs> arcs_of_rows(const SparseRows<std::int64_t, std::int64_t>&,
                                                  const Reading&);
template std::shared_ptr<const Arcs> arcs_of_rows(const SparseRows<std::int64_t, std::int32_t>&,
                                                  const Reading&);

std::shared_ptr<const Arcs> arcs_of_matrix(const double* values, std::int64_t n,
                                           const Reading& reading) {
  Arcs arcs;
  arcs.n = n;
  arcs.offsets.reserve(static_cast<std::size_t>(n) + 1);
  RowWriter writer(arcs, reading);
  for (std::int64_t u = 0; u < n; ++u) {
    const double* const row = values + u * n;
    for (std::int64_t v = 0; v < n; ++v) {
      if (reading.zero_is_hole && row[v] == 0) continue;
      writer.add(v, row[v]);
    }
    writer.close_row();
  }
  return finished(std::move(arcs), reading);
}

std::int64_t clean_matrix(double* values, std::int64_t n, const Reading& reading) {
  std::int64_t arcs = 0;
  for (std::int64_t u = 0; u < n; ++u) {
    double* const row = values + u * n;
    double least = 0;
    for (std::int64_t v = 0; v < n; ++v) {
      const double w = row[v];
      const bool hole = !(std::abs(w) < kNone) || (reading.zero_is_hole && w == 0);
      row[v] = hole ? kNone : reading.unweighted ? 1 : w;
      arcs += hole ? 0 : 1;
      least = std::min(least, row[v]);
    }
    if (row[u] < 0) refuse_cycle({static_cast<Vertex>(u)}, row[u]);
    arcs -= row[u] < kNone ? 1 : 0;
    row[u] = 0;
    if (reading.directed || least == 0) continue;
    const auto v = std::min_element(row, row + n) - row;
    refuse_cycle({static_cast<Vertex>(u), static_cast<Vertex>(v)}, 2 * least);
  }
  if (!reading.directed) fold_triangles(values, n);
  return arcs;
}

Graph graph_of(const std::shared_ptr<const Arcs>& arcs) {
  GraphBuilder builder(arcs->n, arcs->directed);
  ArcArrays arrays;
  arrays.targets = {arcs, arcs->targets.data()};
  arrays.weights = {arcs, arcs->weights.data()};
  arrays.memory = arcs->count() * std::int64_t{sizeof(Vertex) + sizeof(double)};
  builder.set_rows(arcs->offsets, std::move(arrays));
  return std::move(builder).build();
}

}  // namespace apsp::python::csgraph
