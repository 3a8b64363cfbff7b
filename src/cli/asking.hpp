// RESULT|GRAPH: what `distance` and `path` answer from. A graph is solved for the vertices that
// they name, and nothing of it is kept.
#pragma once

#include <optional>

#include <apsp/solve.hpp>

#include "cli/arguments.hpp"
#include "cli/reading.hpp"
#include "cli/session.hpp"

namespace apsp::cli {

struct Asked {
  StoredResult stored;
  SolveOptions solving{};            ///< of a graph
  std::optional<PlanReport> plan{};  ///< once a graph is solved
};

/// RESULT|GRAPH.
void declare_asked(Arguments& arguments, Asked& asked);
/// How a result is opened, and a graph read and solved. `asked` outlives the arguments.
void declare_asking(Arguments& arguments, Asked& asked);

/// A folder is a .zarr; an .npy is a result unless it is called a graph.
bool names_result(const Asked& asked);

/// Throws `Error` (usage) for options of a graph's solve, and as `open_for`.
Result open_asked(Session& session, const Asked& asked);
/// The graph. `asked.solving` is ready then; a solve with it shows its plan and keeps it in
/// `asked`. Both arguments outlive that solve.
const Graph& read_asked(Session& session, Asked& asked);

/// Adds the plan of a graph's solve to an answer.
void add_plan(const Asked& asked, nlohmann::json& object);

}  // namespace apsp::cli
