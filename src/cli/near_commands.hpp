// apsp solve --within; the verbs `nearest` and `access` are in verb.hpp.
#pragma once

#include <string>

#include <vector>

#include "cli/table_output.hpp"

#include "cli/context.hpp"
#include "cli/option_values.hpp"
#include "cli/point_options.hpp"
#include "cli/solve_request.hpp"

namespace apsp::cli {

/// Directions of the paths that `within` and `access` follow.
struct Directions {
  bool from = true, to = false;
};
Choices<Directions> direction_choices();

/// Finds, writes and, if requested, checks all pairs at most the greatest of `limits` apart; a map
/// takes several limits. `map`: its places and lines. Throws `Error` (usage) for
/// options that have no effect here. Returns the exit code.
int run_within(Context& context, const SolveRequest& request, std::vector<double> limits,
               Directions directions, const TableOutput& map, const PointOptions& snapping);

}  // namespace apsp::cli
