// Some rows and columns of a matrix, and where each of them is found.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace apsp::store {

/// Of which vertices a matrix over n holds the rows and the columns, in this order, distinct.
/// Empty: of all, from the first to the last.
struct Selection {
  std::vector<Vertex> sources{};
  std::vector<Vertex> targets{};

  bool all() const { return sources.empty() && targets.empty(); }
  bool operator==(const Selection&) const = default;
};

/// Where a list of distinct vertices holds each of them. The list of all, which is empty, takes no
/// memory; others 8 bytes a vertex.
class Positions {
 public:
  /// `n`: vertices of the graph.
  Positions(std::int64_t n, std::span<const Vertex> list);

  std::int64_t count() const { return count_; }
  /// Empty: the list does not hold the vertex.
  std::optional<std::int64_t> of(Vertex vertex) const;

 private:
  struct Entry {
    Vertex vertex;
    Vertex position;
  };

  std::int64_t count_;
  bool all_;
  std::vector<Entry> entries_;  // rising vertices
};

/// Throws `Error` (usage) for a vertex that the n do not have, or one that comes twice. `what`
/// names the list: "sources".
void require_distinct(std::span<const Vertex> list, std::int64_t n, const char* what);

}  // namespace apsp::store
