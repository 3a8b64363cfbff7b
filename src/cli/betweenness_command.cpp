// apsp betweenness: which vertices and arcs shortest paths pass through.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/near.hpp>
#include <span>

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
#include "cli/verb.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

class BetweennessVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.section("Options");
    declare_metric(arguments, network_);
    arguments.flag("--arcs", options_.arcs,
                   "of arcs, or of the edges of an undirected graph, instead of vertices");
    arguments.text("--sources", "LIST|@FILE|random:K", sources_,
                   "only paths from these vertices, as an estimate; default: all");
    parsed(arguments, "--seed", "N", seed_value, seed_, "for random:K; default: 1");
    arguments.flag("--normalized", normalized_, "as a share of the pairs that could pass through");
    arguments.flag("--endpoints", options_.endpoints, "a path counts for both of its ends too");
    parsed(arguments, "--top", "K", at_least<0>, top_,
           "number of vertices or arcs to list; default: 10");
    declare_table(arguments, output_, "no table, only the list of the greatest");
    choice(arguments, "--algorithm", named_choices(std::span(kAlgorithms)), options_.algorithm,
           "what finds distances; default: auto");
    arguments.value(
        "--device", "auto|cpu|cuda|cuda:N|cuda:N,M|cuda:all",
        [this](const std::string& text) {
          const DeviceValue value = device_value("--device", text);
          options_.device = value.device;
          options_.device_ordinals = value.ordinals;
        },
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
    options_.control = context.control();
    options_.sources = chosen_vertices({"--sources", sources_}, graph, seed_, &context);
    options_.scale = normalized_ ? PairScale::normalized : PairScale::pairs;
    const Betweenness found = betweenness(graph, options_);
    context.note(fmt::format("{}, {}", base::counted(found.sources, "source", "sources"),
                             found.plan.empty() ? "trees only" : found.plan));
    const std::vector<double>& values = options_.arcs ? found.of_arcs : found.vertices;
    if (!output_.path.empty()) write(context, graph, found, values);
    show(context, graph, found, top(values, top_));
    return kExitOk;
  }

 private:
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
             const std::vector<double>& values) const {
    const std::size_t rows = values.size();
    std::vector<Vertex> from(rows), to(options_.arcs ? rows : 0);
    std::vector<double> weights(to.size());
    for (std::size_t i = 0; i < rows; ++i) {
      from[i] = options_.arcs ? found.arcs[i].from : static_cast<Vertex>(i);
      if (!options_.arcs) continue;
      to[i] = found.arcs[i].to;
      weights[i] = found.arcs[i].weight;
    }
    std::vector<io::TableColumn> columns = {{"vertex", io::ColumnKind::vertex}, {"betweenness"}};
    std::vector<io::ColumnValues> cells = {io::Stepped<Vertex>{from.data()},
                                           io::Stepped<double>{values.data()}};
    if (options_.arcs) {
      columns = {{"from", io::ColumnKind::vertex},
                 {"to", io::ColumnKind::vertex},
                 {"weight"},
                 {"betweenness"}};
      cells = {io::Stepped<Vertex>{from.data()}, io::Stepped<Vertex>{to.data()},
               io::Stepped<double>{weights.data()}, io::Stepped<double>{values.data()}};
    }
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(values),
               [&](const PutRows& put) { put(std::ssize(values), cells); });
  }

  StoredResult network_;
  BetweennessOptions options_;
  TableOutput output_;
  std::string sources_;
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
          {"apsp betweenness roads.gr -o between.csv                   all pairs, exactly",
           "apsp betweenness roads.gr --arcs --sources random:500      an estimate of edges",
           "apsp betweenness roads.zarr --normalized --top 20          the graph of a result"},
          make_verb<BetweennessVerb>};
}

}  // namespace apsp::cli
