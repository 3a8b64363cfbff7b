// apsp solve --within; the verbs `nearest` and `access` are in verb.hpp.
#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/solve_request.hpp"

namespace apsp::cli {

/// Finds, writes and, if requested, checks all pairs at most `limit` apart. `positions`: the file
/// of a map's places. Throws `Error` (usage) for options that have no effect here. Returns the exit
/// code.
int run_within(Context& context, const SolveRequest& request, double limit,
               const std::string& positions);

}  // namespace apsp::cli
