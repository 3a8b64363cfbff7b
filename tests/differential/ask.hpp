// A problem is asked and its answer compared with the oracle.
#pragma once

#include <string>

#include "differential/problem.hpp"

namespace apsp::campaign {

struct Outcome {
  std::string wrong;    ///< what is; empty: nothing
  std::string refused;  ///< the message of a refusal that is true; empty: answered
};

/// A refusal of the way (engine, type, memory, device) is followed by the same question left to the
/// library, which must be answered. A refusal of the question must be true of the graph.
Outcome ask(const Problem& problem);

/// The same in a process of its own: a crash, or more than `seconds`, is a finding.
Outcome ask_apart(const Problem& problem, int seconds);

}  // namespace apsp::campaign
