// A pattern as METIS takes it, and how METIS is called.
#pragma once

#include <metis.h>

#include <cstdint>
#include <vector>

#include "base/blocked_signals.hpp"
#include "elimination/pattern.hpp"

namespace apsp::elimination {

/// Throws `Error` (does_not_fit) for more vertices or arcs than METIS can number.
void require_numbered(const Pattern& pattern);

struct MetisGraph {
  /// Throws as above.
  explicit MetisGraph(const Pattern& pattern);

  idx_t vertices;
  std::vector<idx_t> offsets, neighbours;
  idx_t options[METIS_NOPTIONS];  // the same graph gives the same answer
};

/// Throws `Error` (does_not_fit, defect) unless METIS did what it was asked for.
void require_done(int status, const char* function);

/// call(), a call of METIS. METIS answers SIGTERM itself while it works, with a jump that ends the
/// process if another thread takes the signal. It waits here until METIS is done. Throws as above.
template <class F>
void run_metis(const char* function, F&& call) {
  const base::BlockedSignals blocked;
  require_done(call(), function);
}

}  // namespace apsp::elimination
