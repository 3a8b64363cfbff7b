#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace apsp::store {

/// All vertices of a graph in order, or a list of distinct vertices in its own order.
class VertexList {
 public:
  VertexList() = default;  // all
  VertexList(std::vector<Vertex> listed) : listed_(std::move(listed)) {}
  VertexList(std::initializer_list<Vertex> listed) : listed_(listed) {}

  bool is_all() const { return listed_.empty(); }
  std::int64_t size(std::int64_t n) const { return is_all() ? n : std::ssize(listed_); }
  Vertex at(std::int64_t i) const {
    return is_all() ? static_cast<Vertex>(i) : listed_[static_cast<std::size_t>(i)];
  }
  /// [size(n)].
  std::vector<Vertex> of(std::int64_t n) const;
  /// Empty if all.
  const std::vector<Vertex>& listed() const { return listed_; }
  bool operator==(const VertexList&) const = default;

 private:
  std::vector<Vertex> listed_;
};

struct Selection {
  VertexList sources{};
  VertexList targets{};

  bool all() const { return sources.is_all() && targets.is_all(); }
  bool operator==(const Selection&) const = default;
};

/// The position of each vertex in a list. Memory: 8 bytes for each listed vertex, none for all.
class Positions {
 public:
  Positions(std::int64_t n, const VertexList& list);

  std::int64_t count() const { return count_; }
  std::optional<std::int64_t> of(Vertex vertex) const;

 private:
  struct Entry {
    Vertex vertex;
    Vertex position;
  };

  std::int64_t count_;
  bool all_;
  std::vector<Entry> entries_;  // sorted by vertex
};

/// Throws `Error` (usage) if a vertex of list `what` is not below n or occurs twice.
void require_distinct(const VertexList& list, std::int64_t n, const char* what);

}  // namespace apsp::store
