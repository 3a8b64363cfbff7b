#include "graph/condensation.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>

namespace apsp::graph {

Condensation::Condensation(const Graph& graph)
    : graph_(graph), components_(strong_components(graph)), begin_(count() + 1) {
  for (const std::int64_t c : components_.of) ++begin_[static_cast<std::size_t>(c) + 1];
  std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  vertices_.resize(components_.of.size());
  for (Vertex v = 0; v < vertices_.size(); ++v) vertices_[next[of(v)]++] = v;
}

double Condensation::longest_path(const std::vector<double>& inside) const {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> entering(count(), 0);  // arcs from components not yet passed
  for (std::size_t c = 0; c < count(); ++c) {
    for_each_arc_from(c, [&](std::size_t to, double) { ++entering[to]; });
  }
  std::vector<std::size_t> ready, met;
  for (std::size_t c = 0; c < count(); ++c) {
    if (entering[c] == 0) ready.push_back(c);
  }
  std::vector<double> before(count(), 0);            // the longest way to each
  std::vector<double> lightest(count(), kInfinity);  // arc from the current component
  double longest = 0;
  while (!ready.empty()) {
    const std::size_t c = ready.back();
    ready.pop_back();
    const double length = before[c] + inside[c];
    longest = std::max(longest, length);
    for_each_arc_from(c, [&](std::size_t to, double weight) {
      if (lightest[to] == kInfinity) met.push_back(to);
      lightest[to] = std::min(lightest[to], weight);
      if (--entering[to] == 0) ready.push_back(to);
    });
    for (const std::size_t to : met) {
      before[to] = std::max(before[to], length + lightest[to]);
      lightest[to] = kInfinity;
    }
    met.clear();
  }
  return longest;
}

}  // namespace apsp::graph
