#include "query/path_lengths.hpp"

#include <algorithm>
#include <limits>

#include "base/fail.hpp"
#include "query/paths.hpp"

namespace apsp::query {

PathLengths::PathLengths(const Graph& graph, const Graph& weights, Semiring semiring,
                         ValueType type)
    : weights_(weights),
      tree_(graph, semiring, type),
      length_(static_cast<std::size_t>(graph.vertex_count())),
      known_(length_.size()) {}

double PathLengths::weight(Vertex from, Vertex to) const {
  double least = std::numeric_limits<double>::infinity();
  weights_.for_each_arc_between(from, to, [&](double weight) { least = std::min(least, weight); });
  if (least < std::numeric_limits<double>::infinity()) return least;
  base::fail(ErrorKind::input,
             "the second weights have no arc from {} to {}, and a path leads over it",
             weights_.name(from), weights_.name(to));
}

void PathLengths::of(Vertex source, const void* distances, std::span<const Vertex> targets,
                     double* lengths) {
  const std::span<const std::int64_t> before = tree_.of(source, distances);
  ++number_;
  known_[source] = number_;
  length_[source] = 0;
  for (const Vertex target : targets) {
    Vertex at = target;
    way_.clear();
    for (; known_[at] != number_ && before[at] >= 0; at = static_cast<Vertex>(before[at])) {
      way_.push_back(at);
    }
    if (known_[at] != number_) {  // no path leads here
      *lengths++ = std::numeric_limits<double>::infinity();
      continue;
    }
    for (; !way_.empty(); way_.pop_back()) {
      const Vertex next = way_.back();
      length_[next] = length_[at] + weight(at, next);
      known_[next] = number_;
      at = next;
    }
    *lengths++ = length_[target];
  }
}

void PathLengthRows::accept(const RowBlock& block) {
  const auto* row = static_cast<const std::byte*>(block.values);
  lengths_.lend([&](PathLengths& lengths) {
    for (const Vertex source : block.sources) {
      const std::int64_t at = row_of(source) * std::ssize(into_.targets);
      for (std::size_t i = 0; i < into_.targets.size(); ++i) {
        const Vertex target = into_.targets[i];
        into_.distances[at + static_cast<std::int64_t>(i)] = as_double(
            semiring_, block.type, row + target * static_cast<std::size_t>(size_of(block.type)),
            source == target);
      }
      lengths.of(source, row, into_.targets, into_.lengths + at);
      row += block.stride * size_of(block.type);
    }
  });
}

}  // namespace apsp::query
