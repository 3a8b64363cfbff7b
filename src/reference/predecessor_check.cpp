// A row of predecessors must be a tree of paths of the stored lengths: rooted in the source, along
// arcs that are tight in the row of distances.
//
// Every vertex names one predecessor, so what a search from the source sees along arcs p(v) → v
// that are tight is a tree. All vertices with a path must be in it: then the way back from each of
// them ends at the source, along real arcs whose sum is the stored distance. A circle of
// predecessors, tight or not, is never entered. O(n + m).
#include <fmt/format.h>

#include "reference/row_checks.hpp"

namespace apsp::reference {

void RowChecker::check_predecessors(std::span<const std::int32_t> predecessors) {
  search(tight_, [&](Vertex u, Vertex v, double weight) {
    return predecessors[v] == static_cast<std::int64_t>(u) && is_path(v) &&
           tight(u, v, claim_->arc(u, v, weight));
  });
  count_tested(Check::predecessors, row_.size());
  for (Vertex v = 0; v < row_.size(); ++v) {
    const bool none = v == source_ || !is_path(v);
    if (none ? predecessors[v] == -1 : tight_[v] != 0) continue;
    count_failure(Check::predecessors, [&] { return wrong_predecessor(v, predecessors[v]); });
  }
}

std::string RowChecker::wrong_predecessor(Vertex v, std::int32_t predecessor) const {
  if (predecessor < -1 || predecessor >= static_cast<std::int64_t>(row_.size())) {
    return fmt::format("the predecessor of {} on the way from {} is number {}, which is no vertex",
                       name(v), name(source_), predecessor);
  }
  const std::string shown = predecessor == -1 ? "none" : name(static_cast<Vertex>(predecessor));
  const std::string claim =
      fmt::format("the predecessor of {} on the way from {} is {}", name(v), name(source_), shown);
  if (v == source_) return claim + ", but the empty path has none";
  if (!is_path(v)) return claim + ", but there is no path";
  return fmt::format("{}, but no path of length {} leads back along predecessors", claim,
                     text(claimed_[v]));
}

}  // namespace apsp::reference
