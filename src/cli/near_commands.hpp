// apsp solve --within; the verbs `nearest` and `access` are in verb.hpp.
#pragma once

#include <string>

#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/option_values.hpp"
#include "cli/solve_request.hpp"

namespace apsp::cli {

/// Directions of the paths that `within` and `access` follow.
struct Directions {
  bool from = true, to = false;
};
Choices<Directions> direction_choices();

/// Finds, writes and, if requested, checks all pairs at most the greatest of `limits` apart; a map
/// takes several limits. `positions`: the file of a map's places. Throws `Error` (usage) for
/// options that have no effect here. Returns the exit code.
int run_within(Context& context, const SolveRequest& request, std::vector<double> limits,
               Directions directions, const std::string& positions);

}  // namespace apsp::cli
