// RESULT|GRAPH, from which `distance` and `path` answer, and their answers as text and as JSON. A
// graph is solved for the vertices that they name, and nothing of it is kept.
#pragma once

#include <apsp/solve.hpp>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/graph_options.hpp"
#include "cli/terminal_style.hpp"

namespace apsp::cli {

struct Asked {
  StoredResult stored;
  SolveOptions solving{};            ///< of a graph
  std::optional<PlanReport> plan{};  ///< once a graph is solved
  std::int64_t bytes_of_pairs = 0;   ///< that are asked about, and their answers
};

/// RESULT|GRAPH.
void declare_asked(Arguments& arguments, Asked& asked);
/// How a result is opened, and a graph read and solved. `asked` outlives the arguments.
void declare_asking(Arguments& arguments, Asked& asked);

/// A folder is a .zarr; an .npy is a result unless it is called a graph.
bool names_result(const Asked& asked);

/// Throws `Error` (usage) for options of a graph's solve, and as `open_for`.
Result open_asked(Context& context, const Asked& asked);
/// The graph. `asked.solving` is ready then; a solve with it shows its plan and keeps it in
/// `asked`. Both arguments outlive that solve.
const Graph& read_asked(Context& context, Asked& asked);

/// Notes that no path leads from s to t. Returns the exit code.
int no_path_found(const Context& context, const Graph& graph, Vertex s, Vertex t);

/// Adds the plan of a graph's solve to an answer.
void add_plan(const Asked& asked, nlohmann::json& object);

struct PairDistance {
  VertexPair pair;
  double distance;
};

bool is_reachable(Semiring semiring, const PairDistance& of);

/// In the shortest form that reads back as the same value: "120", "0.1", "inf".
std::string distance_text(ValueType type, double distance);

/// `name_of`: of a vertex.
nlohmann::json distances_json(const std::function<std::string(Vertex)>& name_of, Semiring semiring,
                              std::span<const PairDistance> pairs);

/// One path, hop by hop. Requires: `path` not empty.
std::string path_text(const Result& result, const std::vector<Vertex>& path,
                      const TerminalStyle& look);
nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path);

}  // namespace apsp::cli
