// Shared by `access`, `nearest` and `solve --within`: their network, and the output of near pairs.
#pragma once

#include <apsp/near.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/graph_options.hpp"
#include "cli/table_output.hpp"

namespace apsp::cli {

/// Declares GRAPH|RESULT; a result means the graph that was solved.
void declare_network(Arguments& arguments, StoredResult& network);

const Graph& read_network(Context& context, const StoredResult& network);

/// Finds and writes all pairs at most `limit` apart; checks them if `verified`. Returns the exit
/// code.
int run_within(Context& context, const Graph& graph, double limit, const NearOptions& options,
               const TableOutput& output, const ReadOptions& reading, bool verified);

int tell_verified(Context& context, const VerifyReport& report, nlohmann::json& object);

}  // namespace apsp::cli
