// The verb paths: paths of many pairs as one table, or as lines on a map.
#include <apsp/path_steps.hpp>
#include <apsp/snap.hpp>

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/point_options.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {
namespace {

class PathsVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_asked(arguments, asked_);
    arguments.section("Options");
    arguments.text("--pairs", "FILE", pairs_, "a list of pairs, as for distance");
    declare_table(arguments, output_);
    declare_points(arguments, snapping_);
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
      return answer(context, result.graph(), result.semiring(),
                    [&](std::span<const VertexPair> pairs) {
                      const std::int64_t members = thread_count(threads);
                      plan_question(result, {.what = "the paths",
                                             .rows = members,
                                             .trees = members,
                                             .bytes = 8 * result.graph().vertex_count()});
                      return path_steps(result, pairs, {.threads = threads, .control = control});
                    });
    }
    const Graph& graph = read_asked(context, asked_);
    return answer(context, graph, asked_.solving.question.semiring,
                  [&](std::span<const VertexPair> pairs) {
                    return path_steps(graph, pairs, asked_.solving);
                  });
  }

 private:
  template <class PathsOf>
  int answer(Context& context, const Graph& graph, Semiring semiring, const PathsOf& paths_of) {
    PointReader reader(context, graph, snapping_, positions_of(output_, asked_.stored.reading));
    std::optional<PlacedPairs> points = reader.pairs(pairs_);
    reader.require_used();
    if (points && snapping_.snap == Snap::arc) {
      refuse_if(semiring != Semiring::min_plus,
                "--snap arc is for shortest paths: leave out the semiring, or take --snap vertex");
      return tell(context, graph, &*points,
                  place_paths(graph, points->from.places, points->to.places, paths_of));
    }
    std::vector<VertexPair> pairs;
    if (points) {
      for (std::size_t i = 0; i < points->from.places.size(); ++i) {
        pairs.push_back({points->from.places[i].from, points->to.places[i].from});
      }
    } else {
      pairs = read_list(context, io::read_pairs, pairs_, graph);
    }
    return tell(context, graph, nullptr, paths_of(arrivals(graph, std::move(pairs))));
  }

  /// `points`: at which the paths begin and end, or null.
  int tell(Context& context, const Graph& graph, const PlacedPairs* points,
           const PathSteps& found) const {
    std::vector<std::string> names;  // of points
    if (points != nullptr) {
      names = points->from.points.names;
      names.insert(names.end(), points->to.points.names.begin(), points->to.points.names.end());
    }
    output_.is_map() ? write_lines(context, graph, points, found, names)
                     : write_steps(context, graph, found, names);
    if (context.json) {
      std::int64_t without = 0;
      for (std::size_t i = 1; i < found.first.size(); ++i) {
        without += found.first[i - 1] == found.first[i];
      }
      nlohmann::json object = {{"file", asked_.stored.path},
                               {"pairs", found.first.size() - 1},
                               {"without_path", without},
                               {"steps", found.vertices.size()},
                               {"output", output_json(output_)}};
      add_plan(asked_, object);
      context.print_json(object);
    }
    return kExitOk;
  }

  void write_lines(Context& context, const Graph& graph, const PlacedPairs* points,
                   const PathSteps& found, std::span<const std::string> names) const {
    std::int64_t pair = 0, edges = 0;
    VertexPair ends;
    double distance = 0;
    io::Columns row;
    row.add("pair", &pair);
    row.add("from", &ends.from);
    row.add("to", &ends.to);
    row.add(with_unit("distance", unit_), &distance);
    row.add("edges", &edges);
    const auto put = [&](MapFile& map) {
      if (points != nullptr) {
        map.add(points->from);
        map.add(points->to);
      }
      for (; pair + 1 < std::ssize(found.first); ++pair) {
        const auto first = static_cast<std::size_t>(found.first[static_cast<std::size_t>(pair)]);
        const std::int64_t last = found.first[static_cast<std::size_t>(pair) + 1];
        const auto path =
            std::span(found.vertices).subspan(first, static_cast<std::size_t>(last) - first);
        if (path.empty()) continue;
        ends = {path.front(), path.back()};
        distance = found.distances[first + path.size() - 1];
        edges = std::ssize(path) - 1;
        map.line(path, row.cells);
      }
    };
    write_map(context, output_, asked_.stored.reading, graph, row.titles, put, names);
  }

  void write_steps(Context& context, const Graph& graph, const PathSteps& found,
                   std::span<const std::string> names) const {
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
        },
        names);
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
           "apsp paths roads.csv --pairs trips.csv                    no result needed",
           "apsp paths roads.zarr --pairs trips.csv -o trips.geojson --positions towns.csv"},
          make_verb<PathsVerb>};
}

}  // namespace apsp::cli
