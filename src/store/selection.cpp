#include "store/selection.hpp"

#include <algorithm>
#include <numeric>

#include "base/fail.hpp"

namespace apsp::store {

std::vector<Vertex> VertexList::of(std::int64_t n) const {
  if (!is_all()) return listed_;
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

Positions::Positions(std::int64_t n, const VertexList& list)
    : count_(list.size(n)), all_(list.is_all()) {
  if (all_) return;
  entries_.reserve(list.listed().size());
  for (std::int64_t i = 0; i < count_; ++i) {
    entries_.push_back({list.at(i), static_cast<Vertex>(i)});
  }
  std::ranges::sort(entries_, {}, &Entry::vertex);
}

std::optional<std::int64_t> Positions::of(Vertex vertex) const {
  if (all_) return vertex < count_ ? std::optional<std::int64_t>(vertex) : std::nullopt;
  const auto at = std::ranges::lower_bound(entries_, vertex, {}, &Entry::vertex);
  if (at == entries_.end() || at->vertex != vertex) return std::nullopt;
  return at->position;
}

void require_distinct(const VertexList& list, std::int64_t n, const char* what) {
  // Memory grows with the list, not with n: a damaged file may claim any n.
  std::vector<Vertex> rising = list.listed();
  std::ranges::sort(rising);
  if (!rising.empty() && rising.back() >= n) {
    base::fail(ErrorKind::usage, "{}: vertex number {} is outside a graph of {} vertices", what,
               rising.back(), n);
  }
  const auto twice = std::ranges::adjacent_find(rising);
  if (twice != rising.end()) {
    base::fail(ErrorKind::usage, "{}: vertex number {} comes twice", what, *twice);
  }
}

}  // namespace apsp::store
