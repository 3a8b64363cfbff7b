// The verb betweenness: which vertices or arcs shortest paths use.
#include <fmt/format.h>
#include <apsp/near.hpp>
#include <limits>
#include <span>
#include <tuple>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/path_output.hpp"
#include "cli/table.hpp"
#include "cli/table_output.hpp"
#include "cli/turn_options.hpp"
#include "cli/verb.hpp"
#include "io/vertex_lists.hpp"
#include "store/selection.hpp"
#include "store/store.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

class BetweennessVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.flag("--arcs", options_.arcs,
                   "of arcs, or of the edges of an undirected graph, instead of vertices");
    arguments.text("--sources", "LIST|@FILE|random:K", sources_,
                   "only paths from these vertices, as an estimate; default: all");
    parsed(arguments, "--seed", "N", seed_value, seed_, "for random:K; default: 1");
    parsed(arguments, "--within", "D1,D2,…", list_value, within_,
           "only paths of at most these lengths, a column for each, with the number of vertices "
           "within it and closeness");
    arguments.flag("--normalized", normalized_, "as a share of the pairs that could pass through");
    arguments.flag("--endpoints", options_.endpoints, "a path counts for both of its ends too");
    parsed(arguments, "--top", "K", at_least<0>, top_,
           "number of vertices or arcs to list; default: 10");
    declare_table(arguments, output_, "no table, only the list of the greatest");
    choice(arguments, "--algorithm", named_choices(std::span(kAlgorithms)), options_.algorithm,
           "what finds distances; default: auto");
    declare_device(arguments, options_,
                   "where distances are found and paths are counted; default: auto");
    parsed(arguments, "--memory", "SIZE", byte_value, options_.memory,
           "most memory that the whole process may take, such as 8GiB; default: what is free");
    system::limit_memory(0);
    declare_plan_flag(arguments);
    declare_reading(arguments, network_.reading);
    declare_threads(arguments, &options_.threads);
  }

  int run(Context& context) override {
    refuse_if(options_.arcs && options_.endpoints,
              "--endpoints has no effect on --arcs: an arc has its ends on every path");
    check_table(output_, network_.reading, {network_.path, file_of(sources_)});
    system::limit_memory(options_.memory);
    const Graph& graph = read_network(context, network_);
    require_no_turns(graph, "betweenness", "`apsp flow` has the loads of streets");
    options_.control = context.control();
    options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    options_.scale = normalized_ ? PairScale::normalized : PairScale::pairs;
    if (!within_.empty()) return run_near(context, graph);
    const Betweenness found = betweenness(graph, options_);
    context.note(fmt::format("{}, {}", base::counted(found.sources, "source", "sources"),
                             found.plan.empty() ? "trees only" : found.plan));
    const std::vector<double>& values = options_.arcs ? found.of_arcs : found.vertices;
    if (!output_.path.empty()) write(context, graph, found, values);
    show(context, graph, found, top(values, top_));
    return kExitOk;
  }

 private:
  int run_near(Context& context, const Graph& graph) {
    for (const char* const option : {"--algorithm", "--device"}) {
      refuse_if(context.gave(option),
                "{} has no effect on --within, which searches on the CPU: leave it out", option);
    }
    NearCentrality near = near_centrality(graph, within_, options_);
    context.note(base::counted(near.sources, "source", "sources"));
    if (!output_.path.empty()) write_near(context, graph, near);
    // The list is of the last limit.
    Betweenness found{.vertices = {},
                      .arcs = near.arcs,
                      .of_arcs = {},
                      .sources = near.sources,
                      .rows = near.sources,
                      .plan = {}};
    const auto last = [&](const std::vector<double>& of) {
      const auto count = static_cast<std::ptrdiff_t>(of.size() / within_.size());
      return std::vector<double>(of.end() - count, of.end());
    };
    found.vertices = last(near.betweenness);
    found.of_arcs = last(near.of_arcs);
    show(context, graph, found, top(options_.arcs ? found.of_arcs : found.vertices, top_));
    return kExitOk;
  }

  /// Returns the columns of arcs, or of vertices.
  io::Columns columns_of(const Graph& graph, std::span<const Edge> arcs) {
    if (options_.arcs) return arc_columns(arcs);
    vertices_ = store::VertexList().of(graph.vertex_count());
    io::Columns columns;
    columns.add("vertex", vertices_.data());
    return columns;
  }

  void write_near(Context& context, const Graph& graph, const NearCentrality& near) {
    const std::vector<Vertex> sources =
        store::VertexList(options_.sources).of(graph.vertex_count());
    io::Columns columns = columns_of(graph, near.arcs);
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const auto rows = options_.arcs ? std::ssize(near.arcs) : graph.vertex_count();
    std::vector<std::vector<double>> of_sources;  // NaN for other vertices
    of_sources.reserve(2 * within_.size());
    for (std::size_t l = 0; l < within_.size(); ++l) {
      const auto at = [&](const std::vector<double>& values) {
        return values.data() + l * values.size() / within_.size();
      };
      columns.add(fmt::format("betweenness within {}", within_[l]),
                  at(options_.arcs ? near.of_arcs : near.betweenness));
      if (options_.arcs) continue;
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      std::vector<double> reached(n, kNone), closeness(n, kNone);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        reached[sources[i]] = at(near.reached)[i];
        closeness[sources[i]] = at(near.reached)[i] / at(near.distances)[i];
      }
      of_sources.push_back(std::move(reached));
      columns.add(fmt::format("reached within {}", within_[l]), of_sources.back().data());
      of_sources.push_back(std::move(closeness));
      columns.add(fmt::format("closeness within {}", within_[l]), of_sources.back().data());
    }
    write_rows(context, output_, network_.reading, graph, columns, rows);
  }

  void show(Context& context, const Graph& graph, const Betweenness& found,
            const std::vector<Vertex>& best) const {
    Table table({Align::right, Align::left, Align::right});
    table.header({"", options_.arcs ? "arc" : "vertex", "betweenness"});
    nlohmann::json listed = nlohmann::json::array();
    for (std::size_t i = 0; i < best.size(); ++i) {
      const std::size_t at = best[i];
      const double value = options_.arcs ? found.of_arcs[at] : found.vertices[at];
      nlohmann::json one = {{"betweenness", value}};
      std::string shown;
      if (options_.arcs) {
        const Edge& arc = found.arcs[at];
        one["from"] = graph.name(arc.from);
        one["to"] = graph.name(arc.to);
        shown = fmt::format("{} {} {}", shown_name(graph, arc.from),
                            graph.directed() ? context.out().arrow() : context.out().dash(),
                            shown_name(graph, arc.to));
      } else {
        one["vertex"] = graph.name(best[i]);
        shown = shown_name(graph, best[i]);
      }
      listed.push_back(std::move(one));
      table.row({fmt::format("{}", i + 1), shown, base::format_value(value)});
    }
    if (!table.empty())
      context.print(heading(context.out(), "Betweenness") + table.text(context.out()));
    if (!context.json) return;
    context.print_json({{"vertices", graph.vertex_count()},
                        {"sources", found.sources},
                        {"rows", found.rows},
                        {"normalized", normalized_},
                        {options_.arcs ? "top_arcs" : "top_vertices", std::move(listed)},
                        {"output", output_json(output_)}});
  }

  void write(Context& context, const Graph& graph, const Betweenness& found,
             const std::vector<double>& values) {
    io::Columns columns = columns_of(graph, found.arcs);
    columns.add("betweenness", values.data());
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(values));
  }

  StoredResult network_;
  BetweennessOptions options_;
  TableOutput output_;
  std::string sources_;
  std::vector<double> within_;
  std::vector<Vertex> vertices_;  // rows of a table
  std::size_t top_ = 10;
  std::uint64_t seed_ = 1;
  bool normalized_ = false;
};

}  // namespace

VerbEntry betweenness_verb() {
  return {"betweenness GRAPH [-o OUT.csv]",
          "which vertices or arcs shortest paths use",
          "Betweenness: how many shortest paths pass through every vertex or arc. Of several "
          "equally long paths each counts for its share (Brandes 2001).",
          {"apsp betweenness roads.csv -o between.csv                all pairs, exactly",
           "apsp betweenness roads.csv --arcs --sources random:5     an estimate of edges",
           "apsp betweenness roads.zarr --normalized --top 20        the graph of a result"},
          make_verb<BetweennessVerb>};
}

}  // namespace apsp::cli
