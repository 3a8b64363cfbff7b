#include "tree.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <limits>

namespace apsp::python::csgraph {
namespace {

/// Relative difference of two sums of some hundred terms, and the factor by which tolerances grow
/// up to the rounding of sums of n terms.
constexpr double kFewRoundings = 0x1p-44, kRise = 64;

/// Whether a path leads from the source to a vertex.
enum class Known : std::uint8_t { no, on_the_way, path, nowhere };

/// Returns the largest magnitude of a weight or a finite distance.
double largest_magnitude(const Arcs& arcs, const Row& row) {
  double largest = 0;
  for (const double weight : arcs.weights) largest = std::max(largest, std::abs(weight));
  for (std::int64_t v = 0; v < arcs.n; ++v) {
    if (row.distances[v] != kNone) largest = std::max(largest, std::abs(row.distances[v]));
  }
  return largest;
}

}  // namespace

void Tree::spread(std::size_t next, double tolerance, const Row& row) {
  for (; next < reached_.size() && reached_.size() < wanted_; ++next) {
    const Vertex u = reached_[next];
    const double from = row.distances[u];
    arcs_.for_each(u, [&](Vertex v, double weight) {
      const double there = row.distances[v];
      if (row.predecessors[v] != kNoPredecessor || v == reached_.front() || there == kNone) return;
      if (from + weight > there + tolerance * (scale_ > 0 ? scale_ : there)) return;
      row.predecessors[v] = static_cast<std::int32_t>(u);
      reached_.push_back(v);
    });
  }
}

bool Tree::grow(Vertex source, const Row& row) {
  std::fill_n(row.predecessors, arcs_.n, kNoPredecessor);
  wanted_ =
      static_cast<std::size_t>(arcs_.n - std::count(row.distances, row.distances + arcs_.n, kNone));
  // Sums of weights of both signs are rounded by more than their own size.
  scale_ = arcs_.negative && !arcs_.integral ? largest_magnitude(arcs_, row) : 0;
  reached_.assign(1, source);
  spread(0, arcs_.integral ? 0 : kFewRoundings, row);
  if (arcs_.integral) return reached_.size() == wanted_;
  const double largest = 4 * static_cast<double>(arcs_.n) * 0x1p-53;
  for (double tolerance = kFewRoundings * kRise; reached_.size() < wanted_; tolerance *= kRise) {
    spread(0, std::min(tolerance, largest), row);
    if (tolerance >= largest) break;
  }
  return reached_.size() == wanted_;
}

Arcs arcs_on_paths(const Arcs& arcs, const double* distances) {
  Arcs result;
  result.n = arcs.n;
  result.directed = arcs.directed;
  result.negative = arcs.negative;
  result.integral = arcs.integral;
  const double tolerance = arcs.integral ? 0 : 4 * static_cast<double>(arcs.n) * 0x1p-53;
  for (std::int64_t u = 0; u < arcs.n; ++u) {
    const double* const row = distances + u * arcs.n;
    arcs.for_each(static_cast<Vertex>(u), [&](Vertex v, double weight) {
      if (weight > row[v] + tolerance * std::abs(row[v])) return;
      result.targets.push_back(v);
      result.weights.push_back(weight);
    });
    result.offsets.push_back(std::ssize(result.targets));
  }
  return result;
}

void walk_lengths(const double* weights, const std::int32_t* predecessors, std::int64_t n,
                  double null_value, double* distances) {
  std::vector<Known> known(static_cast<std::size_t>(n));
  std::vector<std::int64_t> way;
  for (std::int64_t source = 0; source < n; ++source) {
    const std::int32_t* const before = predecessors + source * n;
    double* const row = distances + source * n;
    const auto state = [&](std::int64_t v) -> Known& { return known[static_cast<std::size_t>(v)]; };
    known.assign(known.size(), Known::no);
    state(source) = Known::path;
    row[source] = 0;
    for (std::int64_t target = 0; target < n; ++target) {
      std::int64_t v = target;
      for (; state(v) == Known::no && before[v] >= 0; v = before[v]) {
        if (before[v] >= n) throw Error(ErrorKind::input, "a predecessor is not a vertex");
        state(v) = Known::on_the_way;
        way.push_back(v);
      }
      if (state(v) == Known::on_the_way) {
        throw Error(ErrorKind::input, "the predecessors go round in a circle");
      }
      if (state(v) == Known::no) {
        state(v) = Known::nowhere;
        row[v] = null_value;
      }
      for (; !way.empty(); way.pop_back()) {
        const std::int64_t head = way.back(), tail = before[head];
        state(head) = state(tail);
        row[head] = state(tail) == Known::path ? row[tail] + weights[tail * n + head] : null_value;
      }
    }
  }
}

}  // namespace apsp::python::csgraph
