// Is a distance matrix right? Checked by its properties, without solving again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>

namespace apsp {

struct VerifyOptions {
  std::int64_t sources = 0;  ///< rows to check; 0: all, or as many as 10^10 arc checks allow
  std::uint64_t seed = 1;    ///< which rows, when not all
  /// Relative error that is let pass; empty: 0 where arithmetic is exact, else from the value type
  /// and the number of vertices (docs/verification.md).
  std::optional<double> tolerance{};
  Control control{};
};

struct VerifyCheck {
  /// "diagonal", "edges", "triangle", "tightness", "reachability"; for results that hold the
  /// planes also "predecessors", "via", "hops".
  std::string name;
  std::int64_t tested = 0;  ///< how many single comparisons
  std::int64_t failed = 0;
  std::string first_failure;  ///< empty, or a sentence with vertices and values
};

struct VerifyReport {
  bool passed = false;
  std::vector<VerifyCheck> checks;
  std::int64_t sources_checked = 0;
  std::int64_t sources = 0;
  double tolerance = 0;
  /// What a pass means here: "proof", or "proof for the sampled sources", or "… within tolerance",
  /// or "…; via for a sample of pairs".
  std::string meaning;
};

}  // namespace apsp
