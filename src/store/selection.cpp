#include "store/selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>

namespace apsp::store {

Positions::Positions(std::int64_t n, std::span<const Vertex> list)
    : count_(list.empty() ? n : std::ssize(list)), all_(list.empty()) {
  entries_.reserve(list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    entries_.push_back({list[i], static_cast<Vertex>(i)});
  }
  std::sort(entries_.begin(), entries_.end(),
            [](const Entry& a, const Entry& b) { return a.vertex < b.vertex; });
}

std::optional<std::int64_t> Positions::of(Vertex vertex) const {
  if (all_) return vertex < count_ ? std::optional<std::int64_t>(vertex) : std::nullopt;
  const auto at = std::lower_bound(entries_.begin(), entries_.end(), vertex,
                                   [](const Entry& e, Vertex v) { return e.vertex < v; });
  if (at == entries_.end() || at->vertex != vertex) return std::nullopt;
  return at->position;
}

void require_distinct(std::span<const Vertex> list, std::int64_t n, const char* what) {
  std::vector<bool> seen(static_cast<std::size_t>(n));
  for (const Vertex vertex : list) {
    if (vertex >= n) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: vertex number {} in a graph of {} vertices", what, vertex, n));
    }
    if (seen[vertex]) {
      throw Error(ErrorKind::usage, fmt::format("{}: vertex number {} comes twice", what, vertex));
    }
    seen[vertex] = true;
  }
}

}  // namespace apsp::store
