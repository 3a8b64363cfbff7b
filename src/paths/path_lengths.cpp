#include "paths/path_lengths.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/fail.hpp"
#include "base/units.hpp"
#include "graph/whole_weights.hpp"
#include "paths/paths.hpp"

namespace apsp::paths {

namespace {

constexpr double kNoArc = std::numeric_limits<double>::infinity();

struct ArcsBetween {
  ArcsBetween(const Graph& graph, Vertex from, Vertex to) {
    graph.for_each_arc_between(from, to, [&](double weight) {
      least = std::min(least, weight);
      greatest = std::max(greatest, weight);
      ++count;
    });
  }
  bool same() const { return least == greatest; }

  double least = kNoArc, greatest = -kNoArc;
  int count = 0;
};

bool largest_is_best(Semiring semiring) {
  return semiring == Semiring::max_plus || semiring == Semiring::max_min;
}

}  // namespace

PathLengths::PathLengths(const Graph& graph, std::span<const Graph> weights, Semiring semiring,
                         ValueType type)
    : graph_(graph),
      weights_(weights),
      semiring_(semiring),
      tree_(graph, semiring, type),
      length_(static_cast<std::size_t>(graph.vertex_count()) * weights.size()),
      known_(static_cast<std::size_t>(graph.vertex_count())) {
  for (const Graph& of : weights) {
    sums_may_round_.push_back(graph::whole_weights(of) &&
                              of.weight_facts().longest_path > graph::kMostExact);
  }
}

void PathLengths::of_arc(Vertex from, Vertex to, double* weights) const {
  const ArcsBetween first(graph_, from, to);
  bool same = true;
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    const Graph& of = weights_[k];
    const ArcsBetween second(of, from, to);
    if (second.count == 0) {
      base::fail(ErrorKind::input,
                 "the second weights have no arc from {} to {}, and a path leads over it",
                 of.name(from), of.name(to));
    }
    if (first.count != second.count) {
      base::fail(
          ErrorKind::usage,
          "the graph has {} from {} to {}, and the second weights have {}: give every arc its "
          "second weight",
          base::counted(first.count, "arc", "arcs"), graph_.name(from), graph_.name(to),
          base::counted(second.count, "arc", "arcs"));
    }
    weights[k] = second.least;
    same = same && second.same();
  }
  const bool alike = first.same() || semiring_ == Semiring::or_and;
  if (same || (alike && weights_.size() == 1)) return;
  std::ranges::copy(of_best(from, to, largest_is_best(semiring_) ? first.greatest : first.least),
                    weights);
}

std::vector<double> PathLengths::of_best(Vertex from, Vertex to, double best) const {
  const bool known = graph_.knows_given_order();
  if (!known || !std::ranges::all_of(weights_, &Graph::knows_given_order)) {
    base::fail(ErrorKind::usage,
               "parallel arcs lead from {} to {}, and {} not know in which order they were given, "
               "so which second weight is whose is open: {}",
               graph_.name(from), graph_.name(to),
               known ? "the second weights do" : "the graph does",
               known ? "read them with keep_order"
                     : "name the graph's file in place of the result, or read it with keep_order");
  }
  const std::vector<double> first = graph_.weights_as_given(from, to);
  std::vector<std::vector<double>> second;
  second.reserve(weights_.size());
  for (const Graph& of : weights_) second.push_back(of.weights_as_given(from, to));
  std::vector<double> least;
  for (std::size_t i = 0; i < first.size(); ++i) {
    if (first[i] != best && semiring_ != Semiring::or_and) continue;
    std::vector<double> arc;
    arc.reserve(second.size());
    for (const std::vector<double>& of : second) arc.push_back(of[i]);
    if (least.empty() || arc < least) least = std::move(arc);
  }
  return least;
}

double PathLengths::checked(double sum, std::size_t graph) const {
  if (!sums_may_round_[graph] || std::abs(sum) <= graph::kMostExact) return sum;
  base::fail(ErrorKind::does_not_fit,
             "second weights of a path add up to {:.17g}, and 64-bit floating point numbers hold "
             "every integer only below 2^53: divide the second weights by a common factor",
             sum);
}

void PathLengths::of(Vertex source, const void* distances, std::span<const Vertex> targets,
                     double* lengths) {
  const std::span<const std::int64_t> before = tree_.of(source, distances);
  ++number_;
  known_[source] = number_;
  const std::size_t width = weights_.size();
  std::fill_n(length_.begin() + static_cast<std::ptrdiff_t>(source * width), width, 0);
  for (const Vertex target : targets) {
    Vertex at = target;
    way_.clear();
    for (; known_[at] != number_ && before[at] >= 0; at = static_cast<Vertex>(before[at])) {
      way_.push_back(at);
    }
    if (known_[at] != number_) {  // no path
      lengths = std::fill_n(lengths, width, std::numeric_limits<double>::infinity());
      continue;
    }
    for (; !way_.empty(); way_.pop_back()) {
      const Vertex next = way_.back();
      double* const sums = length_.data() + next * width;
      of_arc(at, next, sums);
      for (std::size_t k = 0; k < width; ++k) {
        sums[k] = checked(length_[at * width + k] + sums[k], k);
      }
      known_[next] = number_;
      at = next;
    }
    lengths =
        std::copy_n(length_.begin() + static_cast<std::ptrdiff_t>(target * width), width, lengths);
  }
}

void PathLengthRows::accept(const RowBlock& block) {
  const auto* row = static_cast<const std::byte*>(block.values);
  lengths_.use([&](PathLengths& lengths) {
    for (const Vertex source : block.sources) {
      const std::int64_t at = row_of(source) * std::ssize(into_.targets);
      for (std::size_t i = 0; i < into_.targets.size(); ++i) {
        const Vertex target = into_.targets[i];
        into_.distances[at + static_cast<std::int64_t>(i)] = as_double(
            semiring_, block.type, row + target * static_cast<std::size_t>(size_of(block.type)),
            source == target);
      }
      lengths.of(source, row, into_.targets, into_.lengths + at * into_.weights);
      row += block.stride * size_of(block.type);
    }
  });
}

}  // namespace apsp::paths
