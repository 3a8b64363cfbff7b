#include "elimination/pattern.hpp"

#include <algorithm>

namespace apsp::elimination {
namespace {

/// Sorts each row and drops what stands twice in it.
void tidy_rows(Pattern& pattern) {
  std::int64_t kept = 0;
  for (std::size_t v = 0; v + 1 < pattern.offsets.size(); ++v) {
    const auto begin = pattern.neighbours.begin() + (v == 0 ? 0 : pattern.offsets[v]);
    const auto end = pattern.neighbours.begin() + pattern.offsets[v + 1];
    std::sort(begin, end);
    const auto last = std::unique(begin, end);
    const auto to = pattern.neighbours.begin() + kept;
    if (to != begin) std::copy(begin, last, to);
    pattern.offsets[v] = kept;
    kept += last - begin;
  }
  pattern.offsets.back() = kept;
  pattern.neighbours.resize(static_cast<std::size_t>(kept));
}

}  // namespace

Pattern pattern_of(const Graph& graph) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  const bool mirrored = !graph.symmetric();  // of a symmetric graph both arcs stand there
  Pattern pattern;
  pattern.offsets.assign(n + 1, 0);
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (from == to) return;
    ++pattern.offsets[from + 1];
    if (mirrored) ++pattern.offsets[to + 1];
  });
  for (std::size_t v = 0; v < n; ++v) pattern.offsets[v + 1] += pattern.offsets[v];
  pattern.neighbours.resize(static_cast<std::size_t>(pattern.offsets.back()));
  std::vector<std::int64_t> next(pattern.offsets.begin(), pattern.offsets.end() - 1);
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (from == to) return;
    pattern.neighbours[static_cast<std::size_t>(next[from]++)] = to;
    if (mirrored) pattern.neighbours[static_cast<std::size_t>(next[to]++)] = from;
  });
  tidy_rows(pattern);
  return pattern;
}

}  // namespace apsp::elimination
