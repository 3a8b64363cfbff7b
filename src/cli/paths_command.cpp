// The verb paths: paths of many pairs as one table, or as lines on a map.
#include <fmt/format.h>
#include <apsp/near.hpp>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/point_options.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"

namespace apsp::cli {
namespace {

class PathsVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_asked(arguments, asked_);
    arguments.section("Options");
    arguments.text("--pairs", "FILE", pairs_,
                   "a list of pairs, as for distance; points are taken to their vertices");
    declare_table(arguments, output_);
    parsed(arguments, "--snap-limit", "D", real_value, snapping_.limit,
           "refuses points that are farther from their vertices: metres for degrees");
    declare_unit(arguments, unit_);
    declare_asking(arguments, asked_);
  }

  int run(Context& context) override {
    refuse_if(pairs_.empty(), "--pairs is missing: name a list of pairs");
    check_table(output_, asked_.stored.reading, {asked_.stored.path, asked_.stored.graph, pairs_},
                true);
    const Control control = context.control();
    const int threads = asked_.solving.machine.threads;
    if (names_result(asked_)) {
      const Result result = open_asked(context, asked_);
      const std::vector<VertexPair> pairs = wanted(context, result.graph());
      const std::int64_t members = thread_count(threads);
      plan_question(result, {.what = "the paths",
                             .rows = members,
                             .trees = members,
                             .bytes = 8 * result.graph().vertex_count()});
      return tell(context, result.graph(), pairs,
                  path_steps(result, pairs, {.threads = threads, .control = control}));
    }
    const Graph& graph = read_asked(context, asked_);
    const std::vector<VertexPair> pairs = wanted(context, graph);
    return tell(context, graph, pairs, path_steps(graph, pairs, asked_.solving));
  }

 private:
  std::vector<VertexPair> wanted(Context& context, const Graph& graph) const {
    require_no_turns(graph, "paths");
    const std::string& positions = positions_of(output_, asked_.stored.reading);
    if (!positions.empty()) {
      PointReader reader(context, graph, snapping_, positions);
      if (const auto points = reader.pairs(pairs_)) {
        std::vector<VertexPair> pairs;
        for (std::size_t i = 0; i < points->first.places.size(); ++i) {
          pairs.push_back({points->first.places[i].from, points->second.places[i].from});
        }
        return pairs;
      }
    }
    return read_list(context, [&](const io::ListReading& reading) {
      return io::read_pairs(pairs_, graph, reading);
    });
  }

  int tell(Context& context, const Graph& graph, const std::vector<VertexPair>& pairs,
           const PathSteps& found) const {
    if (output_.is_map()) {
      write_map(context, output_, asked_.stored.reading, graph,
                [&](MapFile& map) { put_lines(map, pairs, found); });
    } else {
      write_steps(context, graph, found);
    }
    std::int64_t without = 0;
    for (std::size_t i = 0; i < pairs.size(); ++i) without += found.first[i] == found.first[i + 1];
    if (context.json) {
      nlohmann::json object = {{"file", asked_.stored.path},
                               {"pairs", pairs.size()},
                               {"without_path", without},
                               {"steps", found.vertices.size()},
                               {"output", output_json(output_)}};
      add_plan(asked_, object);
      context.print_json(object);
    }
    return kExitOk;
  }

  static void put_lines(MapFile& map, const std::vector<VertexPair>& pairs,
                        const PathSteps& found) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const auto first = static_cast<std::size_t>(found.first[i]);
      const auto count = static_cast<std::size_t>(found.first[i + 1]) - first;
      if (count == 0) continue;
      map.line(std::span(found.vertices).subspan(first, count),
               {{"pair", i},
                {"from", map.name(pairs[i].from)},
                {"to", map.name(pairs[i].to)},
                {"distance", finite_json(found.distances[first + count - 1])},
                {"edges", count - 1}});
    }
  }

  void write_steps(Context& context, const Graph& graph, const PathSteps& found) const {
    std::vector<std::int64_t> numbers;
    write_table(
        context, output_, graph,
        {{"pair", io::ColumnKind::whole},
         {"step", io::ColumnKind::whole},
         {"vertex", io::ColumnKind::vertex},
         {"arc", io::ColumnKind::whole},
         {with_unit("distance", unit_)}},
        [&](io::ColumnTable& table) {
          table.expect_rows(std::ssize(found.vertices));
          for (std::int64_t pair = 0; pair + 1 < std::ssize(found.first); ++pair) {
            const std::int64_t first = found.first[static_cast<std::size_t>(pair)];
            const std::int64_t count = found.first[static_cast<std::size_t>(pair) + 1] - first;
            while (std::ssize(numbers) < count) numbers.push_back(std::ssize(numbers));
            const io::ColumnValues values[] = {
                io::Stepped<std::int64_t>{&pair, 0}, io::Stepped<std::int64_t>{numbers.data()},
                io::Stepped<Vertex>{found.vertices.data() + first},
                io::Stepped<std::int64_t>{found.edges.data() + first},
                io::Stepped<double>{found.distances.data() + first}};
            table.put(count, values);
          }
        });
  }

  Asked asked_;
  TableOutput output_;
  PointOptions snapping_;
  std::string pairs_;
  Unit unit_;
};

}  // namespace

VerbEntry paths_verb() {
  return {"paths RESULT|GRAPH --pairs FILE",
          "the paths of many pairs, step by step, as a table",
          "Paths: one best path of every pair of a list, as a table with a row for each vertex on "
          "it, or as lines on a map. They are the paths of apsp path. Each distinct vertex FROM "
          "costs one tree.",
          {"apsp paths roads.zarr --pairs trips.csv -o steps.parquet",
           "apsp paths roads.gr --pairs trips.csv                     no result needed",
           "apsp paths roads.zarr --pairs trips.csv -o trips.geojson --positions at.csv"},
          make_verb<PathsVerb>};
}

}  // namespace apsp::cli
