// Memory needs of verbs: --memory limits them, and --plan reports them.
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

void declare_memory(Arguments& arguments);
void declare_plan_flag(Arguments& arguments);

/// Throws `Error` (does_not_fit) if reading a graph with this header exceeds --memory.
void require_reading(const GraphHeader& header);
/// The same for an edge list, whose size is estimated from its first lines. Accepts other files.
void require_reading_of_list(const std::string& path, const ReadOptions& options);
/// The same for a list of pairs. `bytes_of_pair`: memory per pair until it is answered.
void require_reading_of_pairs(const std::string& path, std::int64_t bytes_of_pair);
void note_reading(const Graph& graph, std::int64_t kept_before);

struct ResultQuestion {
  std::string_view what;    ///< "the statistics", for a message
  bool statistics = false;  ///< whether statistics are computed unless the result has them
  bool verified = false;
  std::int64_t rows = 0;   ///< rows of f64 distances in memory at a time
  std::int64_t trees = 0;  ///< shortest-path trees in memory at a time
  std::int64_t bytes = 0;
};
void plan_question(const Result& result, const ResultQuestion& asked);

/// Prints "memory: 41.3 MiB of 100 MiB allowed", the answer to --plan. Returns the exit code.
int tell_memory_plan(const Context& context);
nlohmann::json memory_json();

}  // namespace apsp::cli
