// What `access`, `nearest` and `solve --within` share: their network, and near pairs as an output.
#pragma once

#include <apsp/near.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/graph_options.hpp"
#include "cli/table_output.hpp"

namespace apsp::cli {

/// GRAPH|RESULT: a result stands for the graph that it was solved from.
void declare_network(Arguments& arguments, StoredResult& network);

/// The graph, kept in the context.
const Graph& read_network(Context& context, const StoredResult& network);

/// Finds and writes all pairs at most `limit` apart, and checks them if `verified`. Returns the
/// exit code.
int run_within(Context& context, const Graph& graph, double limit, const NearOptions& options,
               const TableOutput& output, const ReadOptions& reading, bool verified);

/// Prints a report, and adds it to the object of --json. Returns the exit code.
int tell_verified(Context& context, const VerifyReport& report, nlohmann::json& object);

}  // namespace apsp::cli
