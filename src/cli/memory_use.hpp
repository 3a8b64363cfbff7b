// What verbs take of the memory, told before they begin: --memory limits it, and --plan asks for
// it.
#pragma once

#include <apsp/io.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "cli/arguments.hpp"
#include "cli/context.hpp"

namespace apsp::cli {

/// --memory and --plan, which hold for all that this process does (base/memory_limit.hpp).
void declare_memory(Arguments& arguments);
/// --plan, of a verb whose --memory is read elsewhere.
void declare_plan_flag(Arguments& arguments);

/// Of a graph's header: whether reading it fits the memory that --memory allows. Throws `Error`
/// (does_not_fit).
void require_reading(const GraphHeader& header);
/// The same of a list of edges, which has no header: by the lines of its beginning. Other files
/// pass.
void require_reading_of_list(const std::string& path, const ReadOptions& options);
/// The same of a list of pairs, by the lines of its beginning. `bytes_of_pair`: until it is
/// answered.
void require_reading_of_pairs(const std::string& path, std::int64_t bytes_of_pair);
/// Once a graph is read: notes what that took.
void note_reading(const Graph& graph, std::int64_t kept_before);

// Questions to a stored result.

/// What is done with it.
struct ResultQuestion {
  std::string_view what;    ///< "the statistics", of a message
  bool statistics = false;  ///< computed, unless the result holds them
  bool verified = false;
  std::int64_t rows = 0;   ///< of distances in f64, at a time
  std::int64_t trees = 0;  ///< of shortest paths
  std::int64_t bytes = 0;  ///< besides
};
/// Throws as `base::plan_memory`.
void plan_question(const Result& result, const ResultQuestion& asked);

/// "memory: 41.3 MiB of 100 MiB allowed", as the answer to --plan. Returns the exit code.
int tell_memory_plan(const Context& context);
/// {"bytes": …, "bytes_allowed": …}; null where nothing was planned.
nlohmann::json memory_json();

}  // namespace apsp::cli
