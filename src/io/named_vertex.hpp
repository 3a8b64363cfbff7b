// A vertex that a text names.
#pragma once

#include <fmt/format.h>

#include <apsp/graph.hpp>
#include <string>
#include <string_view>

#include "io/text_cursor.hpp"

namespace apsp::io {

/// Throws `Error` (input), with the place of `at`, if the graph has no such vertex.
inline Vertex named_vertex(const TextCursor& cursor, const char* at, std::string_view text,
                           const Graph& graph) {
  if (const auto found = graph.find(text)) return *found;
  const std::int64_t n = graph.vertex_count();
  std::string there = "; the graph has none";
  if (n > 0) {
    there = fmt::format("; vertices are {} to {}", graph.name(0),
                        graph.name(static_cast<Vertex>(n - 1)));
  }
  cursor.fail(at, fmt::format("there is no vertex '{}'{}", text, there));
}

}  // namespace apsp::io
