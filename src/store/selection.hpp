// Some rows and columns of a matrix, and where each of them is found.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

namespace apsp::store {

/// All vertices of a graph, from the first to the last, or some of them, distinct and in their
/// order. How many all are is the graph's to say.
class VertexList {
 public:
  VertexList() = default;  // all
  /// An empty list: all, as `SolveOptions` and files say it.
  VertexList(std::vector<Vertex> listed) : listed_(std::move(listed)) {}
  VertexList(std::initializer_list<Vertex> listed) : listed_(listed) {}

  bool is_all() const { return listed_.empty(); }
  /// In a graph of n vertices.
  std::int64_t size(std::int64_t n) const { return is_all() ? n : std::ssize(listed_); }
  Vertex at(std::int64_t i) const {
    return is_all() ? static_cast<Vertex>(i) : listed_[static_cast<std::size_t>(i)];
  }
  /// [size(n)] each vertex.
  std::vector<Vertex> of(std::int64_t n) const;
  /// As the constructor takes it.
  const std::vector<Vertex>& listed() const { return listed_; }
  bool operator==(const VertexList&) const = default;

 private:
  std::vector<Vertex> listed_;
};

/// Of which vertices a matrix holds the rows and the columns.
struct Selection {
  VertexList sources{};
  VertexList targets{};

  bool all() const { return sources.is_all() && targets.is_all(); }
  bool operator==(const Selection&) const = default;
};

/// Where a list holds each vertex. The list of all takes no memory; others 8 bytes a vertex.
class Positions {
 public:
  /// `n`: vertices of the graph.
  Positions(std::int64_t n, const VertexList& list);

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
void require_distinct(const VertexList& list, std::int64_t n, const char* what);

}  // namespace apsp::store
