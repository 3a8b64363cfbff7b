// A pattern as METIS takes it, and how METIS is called.
#pragma once

#include <metis.h>

#include <csignal>
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

/// Puts back how the process answers a signal. METIS puts back the handler but not its flags: the
/// second signal would end the process.
class KeptAnswer {
 public:
  explicit KeptAnswer(int signal) : signal_(signal) { sigaction(signal_, nullptr, &answer_); }
  ~KeptAnswer() { sigaction(signal_, &answer_, nullptr); }
  KeptAnswer(const KeptAnswer&) = delete;
  KeptAnswer& operator=(const KeptAnswer&) = delete;

 private:
  int signal_;
  struct sigaction answer_;
};

/// call(), a call of METIS. METIS answers SIGTERM itself while it works, with a jump that ends the
/// process if another thread takes the signal. It waits here until METIS is done. Throws as above.
template <class F>
void run_metis(const char* function, F&& call) {
  const base::BlockedSignals blocked;
  const KeptAnswer to_terminate(SIGTERM), to_abort(SIGABRT);  // METIS takes both
  require_done(call(), function);
}

}  // namespace apsp::elimination
