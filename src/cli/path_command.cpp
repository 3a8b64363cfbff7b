// apsp path: a best path from a stored result, or from a graph by a search.

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/path_output.hpp"
#include "cli/table_output.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class Path : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_asked(arguments, asked_);
    arguments.positional("FROM", from_, "where the path begins: the name of a vertex");
    arguments.positional("TO", to_, "where the path ends: the name of a vertex");
    arguments.section("Options");
    arguments.flag("--via", via_,
                   "build the path from the intermediate vertices that solve --via stored, not "
                   "from the distances");
    arguments.flag("--names", names_, "print only the names of the vertices, one on each line");
    arguments.text("-o,--output", "OUT.geojson", map_.path,
                   "the path as a line on a map (GeoJSON), instead of the table");
    declare_positions(arguments, map_, "OUT.geojson");
    declare_asking(arguments, asked_);
  }

  int run(Context& context) override {
    refuse_if(!map_.path.empty() && !map_.is_map(),
              "{} is not a map: name an OUT.geojson, or redirect the output for a table",
              map_.path);
    check_table(map_, asked_.stored.reading, {asked_.stored.path, asked_.stored.graph});
    const Result result = names_result(asked_) ? open_asked(context, asked_) : search(context);
    if (names_result(asked_)) plan_question(result, {.what = "the path", .rows = 2, .trees = 1});
    const Graph& graph = result.graph();
    const Vertex s = find_vertex(graph, from_);
    const Vertex t = find_vertex(graph, to_);
    if (via_ && !result.has_via()) refuse_via();
    const std::vector<Vertex> path = via_ ? result.path_by_via(s, t) : result.path(s, t);
    if (context.json) context.print_json(answer(result, s, t, path));
    if (path.empty()) return no_path_found(context, graph, s, t);
    if (map_.is_map()) return write_map_of(context, result, path);
    if (names_) {
      for (const Vertex v : path) context.print(graph.name(v) + "\n");
    } else {
      context.print(path_text(result, path, context.out()));
    }
    return kExitOk;
  }

 private:
  int write_map_of(Context& context, const Result& result, const std::vector<Vertex>& path) const {
    const Graph& graph = result.graph();
    const Vertex s = path.front(), t = path.back();
    write_map(context, map_, asked_.stored.reading, graph, [&](MapFile& map) {
      map.line(path, {{"from", map.name(s)},
                      {"to", map.name(t)},
                      {"distance", finite_json(result.distance(s, t))},
                      {"edges", path.size() - 1}});
    });
    return kExitOk;
  }
  Result search(Context& context) {
    if (via_) refuse_via();
    const Graph& graph = read_asked(context, asked_);
    asked_.solving.question.sources = {find_vertex(graph, from_)};
    find_vertex(graph, to_);  // reports unknown names before the search
    return solve(graph, asked_.solving);
  }
  [[noreturn]] void refuse_via() const {
    throw usage_error(
        "{} holds no intermediate vertices: solve with --via and -o OUT.zarr to keep them; without "
        "--via, path needs none",
        asked_.stored.path);
  }
  nlohmann::json answer(const Result& result, Vertex s, Vertex t,
                        const std::vector<Vertex>& path) const {
    nlohmann::json object = path_json(result, path);
    object["from"] = result.graph().name(s);
    object["to"] = result.graph().name(t);
    object["semiring"] = name(result.semiring());
    object["reachable"] = !path.empty();
    const bool valued = !path.empty() && result.semiring() != Semiring::or_and;
    object["distance"] = valued ? nlohmann::json(result.distance(s, t)) : nlohmann::json();
    add_plan(asked_, object);
    return object;
  }

  Asked asked_;
  std::string from_;
  std::string to_;
  TableOutput map_;
  bool names_ = false;
  bool via_ = false;
};

}  // namespace

VerbEntry path_verb() {
  return {"path RESULT|GRAPH FROM TO",
          "one shortest path, hop by hop, with its length",
          "Path: one best path between two vertices of a solved graph, or of a graph that is then "
          "searched. Among several best paths it is the one with fewest edges, the same on every "
          "machine. With --via it is the path that the solve found, from its intermediate vertices "
          "(Katz and Kider 2008). Exit 1 if no path leads from FROM to TO.",
          {"apsp path flights.zarr Anchorage Boston",
           "apsp path roads.gr 17 2093                       no result needed, one search",
           "apsp path flights.zarr 1 300 --names | sort      only names, for other programs"},
          make_verb<Path>};
}

}  // namespace apsp::cli
