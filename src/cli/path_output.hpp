// The argument RESULT|GRAPH of `distance` and `path`, and their answers as text and JSON. A graph
// is solved for the given vertices; the solution is not stored.
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
  SolveOptions solving{};
  std::optional<PlanReport> plan{};  ///< set after a graph is solved
  std::int64_t bytes_of_pairs = 0;
};

void declare_asked(Arguments& arguments, Asked& asked);
/// Declares options for opening a result and for reading and solving a graph. `asked` outlives the
/// arguments.
void declare_asking(Arguments& arguments, Asked& asked);

/// Whether RESULT|GRAPH is a result: a .zarr or other folder, or an .npy unless options say that it
/// is a graph.
bool names_result(const Asked& asked);

/// Throws `Error` (usage) for options of a graph's solve, and as `open_for` does.
Result open_asked(Context& context, const Asked& asked);
/// Reads the graph and completes `asked.solving`. A solve with these options shows its plan and
/// keeps it in `asked`. Both arguments outlive that solve.
const Graph& read_asked(Context& context, Asked& asked);

/// Notes that no path leads from s to t. Returns the exit code.
int no_path_found(const Context& context, const Graph& graph, Vertex s, Vertex t);

void add_plan(const Asked& asked, nlohmann::json& object);

bool is_reachable(Semiring semiring, const VertexPair& pair, double distance);

/// The shortest text that reads back as the same value: "120", "0.1", "inf".
std::string distance_text(ValueType type, double distance);

/// `name_of`: the name of a vertex. `distances`: [pairs].
nlohmann::json distances_json(const std::function<std::string(Vertex)>& name_of, Semiring semiring,
                              std::span<const VertexPair> pairs, std::span<const double> distances);

/// A path, one edge per line. Requires: `path` not empty.
std::string path_text(const Result& result, const std::vector<Vertex>& path,
                      const TerminalStyle& look);
nlohmann::json path_json(const Result& result, const std::vector<Vertex>& path);

}  // namespace apsp::cli
