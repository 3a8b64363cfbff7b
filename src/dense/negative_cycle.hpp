// The error of a solve that met a pivot better than the empty path.
#pragma once

#include <apsp/error.hpp>
#include <cstdint>
#include <string>

namespace apsp::dense {

/// Throws `Error` (negative_cycle) that names the vertex; −1: there is none, and nothing happens.
inline void throw_negative_cycle(std::int64_t vertex) {
  if (vertex < 0) return;
  throw Error::negative_cycle({{static_cast<std::uint32_t>(vertex)}, 0},
                              "a negative cycle leads through vertex number " +
                                  std::to_string(vertex) + " (counted from 0)");
}

}  // namespace apsp::dense
