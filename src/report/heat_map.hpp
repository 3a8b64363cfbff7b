// The matrix of distances as a picture: a pixel a pair.
#pragma once

#include <apsp/solve.hpp>
#include <string>
#include <vector>

namespace apsp::report {

/// Some rows and columns of a result, in an order that shows its structure.
struct Sample {
  std::vector<Vertex> sources, targets;
  std::vector<double> distances;  ///< [sources, targets], row-major; ±infinity: no path
  bool ordered = false;           ///< both are the same vertices, near ones together

  /// Whether a distance is that of a vertex from itself.
  bool on_diagonal(std::size_t i) const {
    return sources[i / targets.size()] == targets[i % targets.size()];
  }
};

/// All vertices that the result holds, or `most` of them drawn evenly, the same every time. Takes
/// the time of their rows. Requires: a result that holds distances. Throws `Error` (interrupted).
Sample sample_of(const Result& result, std::size_t most, const Control& control);

/// The picture with its legend. Requires: at least one source and one target.
std::string heat_map(const Sample& sample, Semiring semiring);

}  // namespace apsp::report
