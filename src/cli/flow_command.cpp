// apsp flow: loads of arcs from trips between vertices, and the trips over some arcs.
#include <fmt/format.h>
#include <apsp/near.hpp>
#include <optional>
#include <tuple>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/table_output.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::cli {
namespace {

class Flow : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.text("--demand", "FILE", demand_,
                   "the trips: a table of from, to and one or more columns of volumes");
    arguments.flag("--split", options_.split,
                   "split each trip over all its shortest paths, as betweenness does; default: the "
                   "path that apsp path shows");
    arguments.text("--select", "FILE", select_,
                   "arcs, one from,to on each row: the trips over each of them go to --selected");
    arguments.text("--selected", "OUT.csv", selected_.path,
                   "where the trips over the arcs of --select go: .csv or .parquet");
    declare_table(arguments, output_);
    declare_run(arguments, network_.reading, &options_.threads);
  }

  int run(Context& context) override {
    refuse_if(demand_.empty(), "--demand is missing: name a table of from, to and volumes");
    refuse_if(select_.empty() != selected_.path.empty(), "--select and --selected need each other");
    refuse_if(selected_.is_map() || (!selected_.path.empty() && selected_.path == output_.path),
              "--selected is a table of its own: name another .csv or .parquet");
    check_table(output_, network_.reading, {network_.path, demand_, select_});
    if (!selected_.path.empty()) {
      check_table(selected_, network_.reading, {network_.path, demand_, select_, output_.path});
    }
    std::optional<Result> result;
    if (is_stored_result(network_.path)) result = open_for(context, network_);
    const Graph& graph = result ? result->graph() : read_network(context, network_);
    options_.control = context.control();
    const Demand demand = read_demand(context, graph);
    if (!select_.empty()) {
      options_.select = read_list(context, io::read_pairs, select_, graph);
    }
    const Loads found = result ? loads(*result, demand, options_) : loads(graph, demand, options_);
    note(context, demand, found);
    write(context, graph, found);
    if (!selected_.path.empty()) write_selected(context, graph, demand, found);
    if (context.json) {
      context.print_json({{"trips", demand.pairs.size()},
                          {"columns", titles_},
                          {"arcs", found.arcs.size()},
                          {"split", options_.split},
                          {"without_path", found.without_path},
                          {"left_out", found.left_out},
                          {"costs", found.costs},
                          {"plan", found.plan},
                          {"output", output_json(output_)}});
    }
    return kExitOk;
  }

 private:
  Demand read_demand(Context& context, const Graph& graph) {
    const io::VertexRows rows = read_list(context, io::read_vertex_rows, demand_, graph, 2);
    titles_ = rows.titles;
    Demand demand;
    for (std::size_t i = 0; i < rows.vertices.size(); i += 2) {
      demand.pairs.push_back({rows.vertices[i], rows.vertices[i + 1]});
    }
    for (std::size_t c = 0; c < titles_.size(); ++c) {
      for (std::size_t i = c; i < rows.values.size(); i += titles_.size()) {
        demand.volumes.push_back(rows.values[i]);
      }
    }
    return demand;
  }

  void note(Context& context, const Demand& demand, const Loads& found) const {
    context.note(fmt::format("{} of trips, {}",
                             base::counted(std::ssize(demand.pairs), "pair", "pairs"),
                             found.plan.empty() ? "none with a volume" : found.plan));
    if (found.without_path == 0) return;
    context.note(fmt::format("no path connects {}: {} of {} are left out",
                             base::counted(found.without_path, "pair", "pairs"),
                             base::format_value(found.left_out.front()), titles_.front()));
  }

  void write(Context& context, const Graph& graph, const Loads& found) const {
    io::Columns columns = arc_columns(found.arcs);
    for (std::size_t c = 0; c < titles_.size(); ++c) {
      columns.add(titles_[c], found.volumes.data() + c * found.arcs.size());
    }
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(found.arcs));
  }

  void write_selected(Context& context, const Graph& graph, const Demand& demand,
                      const Loads& found) const {
    VertexPair over, trip;
    std::vector<double> volumes(titles_.size());
    io::Columns row;
    row.add("arc_from", &over.from);
    row.add("arc_to", &over.to);
    row.add("from", &trip.from);
    row.add("to", &trip.to);
    for (std::size_t c = 0; c < titles_.size(); ++c) row.add(titles_[c], &volumes[c]);
    write_table(context, selected_, graph, row.titles, [&](io::ColumnTable& table) {
      table.expect_rows(std::ssize(found.selected));
      for (const auto& [arc, pair] : found.selected) {
        const auto at = static_cast<std::size_t>(pair);
        over = options_.select[static_cast<std::size_t>(arc)];
        trip = demand.pairs[at];
        for (std::size_t c = 0; c < titles_.size(); ++c) {
          volumes[c] = demand.volumes[c * demand.pairs.size() + at];
        }
        table.put(1, row.cells);
      }
    });
  }

  StoredResult network_;
  LoadOptions options_;
  TableOutput output_, selected_;
  std::string demand_, select_;
  std::vector<std::string> titles_;  // of the volumes
};

}  // namespace

VerbEntry flow_verb() {
  return {"flow GRAPH --demand FILE",
          "the load of every arc from trips between vertices",
          "Flow: all trips of a table take shortest paths (all-or-nothing), and every arc gets the "
          "sum of their volumes. Several columns of volumes are loaded in one pass.",
          {"apsp flow roads.csv --demand trips.csv -o loads.csv",
           "apsp flow roads.zarr --demand trips.csv --split -o loads.parquet",
           "apsp flow roads.csv --demand trips.csv --select bridges.csv --selected of.csv"},
          make_verb<Flow>};
}

}  // namespace apsp::cli
