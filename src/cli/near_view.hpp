// Options and outputs that `access`, `nearest` and `solve --within` share.
#pragma once

#include <apsp/near.hpp>
#include <functional>
#include <string>

#include "cli/arguments.hpp"
#include "cli/reading.hpp"
#include "cli/session.hpp"
#include "io/output_file.hpp"

namespace apsp::cli {

/// GRAPH|RESULT: a result stands for the graph that it was solved from.
void declare_network(Arguments& arguments, StoredResult& network);
/// -o OUT.csv.
void declare_table(Arguments& arguments, std::string& output);

/// Throws `Error` (usage) for an output that is not a table, or that would replace an input: the
/// network's files, or one of the files `lists`.
void check_table(const std::string& output, const StoredResult& network,
                 std::vector<std::string> lists);

/// The graph, kept in the session.
const Graph& read_network(Session& session, const StoredResult& network);

/// Whether the path ends with .csv, compressed or not.
bool names_table(const std::string& path);
/// Writes a table to `path`, complete or not at all; empty: to standard output, unless --json.
void write_table(Session& session, const std::string& path,
                 const std::function<void(io::OutputFile&)>& write);

/// Finds and writes all pairs at most `limit` apart. Returns the exit code.
int run_within(Session& session, const Graph& graph, double limit, const NearOptions& options,
               const std::string& output);

}  // namespace apsp::cli
