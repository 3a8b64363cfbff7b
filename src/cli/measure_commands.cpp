// Verbs of measures: betweenness, eccentricity, and flow, the loads of arcs.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/betweenness.hpp>
#include <apsp/eccentricity.hpp>
#include <apsp/loads.hpp>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <tuple>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/refusal.hpp"
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
    arguments.text("--within", "D1,D2,…", within_,
                   "only paths of at most these lengths, a column for each, with the number of "
                   "vertices within it and closeness");
    declare_unit(arguments, unit_);
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
    if (context.gave("--within")) return run_near(context, graph);
    refuse_if(!unit_.text.empty(), "--unit is for --within D");
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
    const Limits limits = limits_value("--within", within_, unit_);
    NearCentrality near = near_centrality(graph, limits.values, options_);
    context.note(base::counted(near.sources, "source", "sources"));
    if (!output_.path.empty()) write_near(context, graph, limits, near);
    // The list is of the last limit.
    Betweenness found;
    found.arcs = near.arcs;
    found.sources = found.rows = near.sources;
    const auto last = [&](const std::vector<double>& of) {
      const auto count = static_cast<std::ptrdiff_t>(of.size() / limits.values.size());
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

  void write_near(Context& context, const Graph& graph, const Limits& limits,
                  const NearCentrality& near) {
    const std::vector<Vertex> sources =
        store::VertexList(options_.sources).of(graph.vertex_count());
    io::Columns columns = columns_of(graph, near.arcs);
    const auto n = static_cast<std::size_t>(graph.vertex_count());
    const auto rows = options_.arcs ? std::ssize(near.arcs) : graph.vertex_count();
    std::vector<std::vector<double>> of_sources;  // NaN for other vertices
    of_sources.reserve(2 * limits.words.size());
    for (std::size_t l = 0; l < limits.words.size(); ++l) {
      const auto at = [&](const std::vector<double>& values) {
        return values.data() + l * values.size() / limits.words.size();
      };
      columns.add(fmt::format("betweenness within {}", limits.words[l]),
                  at(options_.arcs ? near.of_arcs : near.betweenness));
      if (options_.arcs) continue;
      constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
      std::vector<double> reached(n, kNone), closeness(n, kNone);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        reached[sources[i]] = at(near.reached)[i];
        closeness[sources[i]] = at(near.reached)[i] / at(near.distances)[i];
      }
      of_sources.push_back(std::move(reached));
      columns.add(fmt::format("reached within {}", limits.words[l]), of_sources.back().data());
      of_sources.push_back(std::move(closeness));
      columns.add(fmt::format("closeness within {}", limits.words[l]), of_sources.back().data());
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
                        {"memory", memory_json()},
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
  std::string within_;
  Unit unit_;
  std::vector<Vertex> vertices_;  // rows of a table
  std::size_t top_ = 10;
  std::uint64_t seed_ = 1;
  bool normalized_ = false;
};

constexpr std::size_t kShownNames = 5;

std::string range_text(const ProvenRange& range) {
  if (range.known()) return base::format_value(range.least);
  return fmt::format("{} to {}", base::format_value(range.least), base::format_value(range.most));
}

class EccentricityVerb : public Verb {
 public:
  void declare(Arguments& arguments) override {
    declare_network(arguments, network_);
    arguments.section("Options");
    arguments.flag("--diameter", diameter_, "only the diameter; default: diameter and radius");
    arguments.flag("--radius", radius_, "only the radius");
    arguments.flag("--all", all_, "every eccentricity too, which takes many more searches");
    arguments.flag(
        "--sets", options_.sets,
        "find all vertices of the centre and the periphery, not only some of them; where "
        "many vertices have the same eccentricity, this takes many more searches");
    choice(arguments, "--component", kComponents, each_,
           "the largest strong component, or each by itself; default: largest");
    declare_table(arguments, output_, "no table; with --all, a table of all vertices");
    choice(
        arguments, "--algorithm", kMethods, options_.algorithm,
        "searches, or rows of a factor; auto takes that of RESULT if it is faster, and makes one "
        "once searches have taken as long; default: auto");
    declare_run(arguments, network_.reading, &options_.threads);
  }

  int run(Context& context) override {
    refuse_if(diameter_ + radius_ + all_ > 1, "--diameter, --radius and --all exclude each other");
    refuse_if(!output_.path.empty() && !all_, "-o writes a table of eccentricities: add --all");
    check_table(output_, network_.reading, {network_.path});
    std::optional<Result> result;
    if (is_stored_result(network_.path)) result.emplace(open_for(context, network_));
    const Graph& graph =
        result ? *(context.graph = result->graph()) : read_network(context, network_);
    require_no_turns(graph, "an eccentricity",
                     "`apsp stats` of a factor has the greatest distance between vertices");
    options_.control = context.control();
    options_.goal = diameter_ ? EccentricityGoal::diameter
                    : radius_ ? EccentricityGoal::radius
                    : all_    ? EccentricityGoal::all
                              : EccentricityGoal::extremes;
    const auto find = [&](const auto& from) {
      if (each_) return component_eccentricities(from, options_);
      return std::vector{eccentricity(from, options_)};
    };
    std::vector<Eccentricities> found = result ? find(*result) : find(graph);
    const bool complete = found.back().complete;
    for (std::size_t i = 0; i < std::min(found.size(), kShownNames); ++i) {
      show(context, graph, found[i]);
    }
    if (found.size() > kShownNames) {
      context.note(
          fmt::format("{} smaller components are in --json only", found.size() - kShownNames));
    }
    if (graph.directed() && found.front().components > 1 && !radius_) {
      context.note(
          "paths between components may be longer: `apsp solve` finds the diameter of all pairs");
    }
    if (complete && !output_.path.empty()) write(context, graph, found);
    if (context.json) print(context, graph, found);
    if (!complete) context.note("interrupted; these bounds are proven");
    return complete ? kExitOk : kExitInterrupted;
  }

 private:
  static std::string names(const Graph& graph, std::span<const Vertex> vertices) {
    std::string text;
    for (const Vertex v : vertices.first(std::min(vertices.size(), kShownNames))) {
      text += (text.empty() ? "" : ", ") + shown_name(graph, v);
    }
    if (vertices.size() <= kShownNames) return text;
    return text + fmt::format(" and {} more", vertices.size() - kShownNames);
  }

  void show(Context& context, const Graph& graph, const Eccentricities& found) const {
    const std::string joint =
        fmt::format(" {} ", graph.directed() ? context.out().arrow() : context.out().dash());
    Table table({Align::left, Align::left}, 100);
    const auto pair = [&](const VertexPair& of) {
      return shown_name(graph, of.from) + joint + shown_name(graph, of.to);
    };
    if (!radius_) {
      table.row({"diameter",
                 fmt::format("{}   {}", range_text(found.diameter), pair(found.diameter_pair))});
    }
    if (!diameter_) {
      table.row(
          {"radius", fmt::format("{}   {}", range_text(found.radius), pair(found.radius_pair))});
    }
    if (!found.centre.empty()) table.row({"centre", names(graph, found.centre)});
    if (!found.periphery.empty()) table.row({"periphery", names(graph, found.periphery)});
    table.row({"rows", fmt::format("{} of {}, {}", base::format_count(found.rows),
                                   base::format_count(found.vertices), found.plan)});
    const std::string remark =
        found.components == 1
            ? ""
            : fmt::format("{} vertices, {} of {} strong components",
                          base::format_count(found.vertices), each_ ? "one" : "the largest",
                          base::format_count(found.components));
    context.print(heading(context.out(), "Eccentricities", remark) + table.text(context.out()));
  }

  void print(Context& context, const Graph& graph, const std::vector<Eccentricities>& found) const {
    nlohmann::json components = nlohmann::json::array();
    for (const Eccentricities& one : found) components.push_back(json_of(graph, one));
    context.print_json({{"vertices", graph.vertex_count()},
                        {"strong_components", found.front().components},
                        {"components", std::move(components)},
                        {"output", output_json(output_)}});
  }

  nlohmann::json json_of(const Graph& graph, const Eccentricities& found) const {
    const auto list = [&](const std::vector<Vertex>& vertices) {
      nlohmann::json names = nlohmann::json::array();
      for (const Vertex v : vertices) names.push_back(graph.name(v));
      return names;
    };
    const auto range = [&](const ProvenRange& of, const VertexPair& pair) {
      return nlohmann::json{{"least", of.least},
                            {"most", finite_json(of.most)},
                            {"from", graph.name(pair.from)},
                            {"to", graph.name(pair.to)}};
    };
    nlohmann::json one = {{"vertices", found.vertices},
                          {"rows", found.rows},
                          {"complete", found.complete},
                          {"tolerance", found.tolerance},
                          {"plan", found.plan}};
    if (!radius_) {
      one["diameter"] = range(found.diameter, found.diameter_pair);
      one["periphery"] = list(found.periphery);
    }
    if (!diameter_) {
      one["radius"] = range(found.radius, found.radius_pair);
      one["centre"] = list(found.centre);
    }
    return one;
  }

  /// A row for each vertex of the components; those of others are left out.
  void write(Context& context, const Graph& graph, const std::vector<Eccentricities>& found) const {
    std::vector<double> values = found.front().eccentricity;
    for (const Eccentricities& one : found) {
      for (std::size_t v = 0; v < values.size(); ++v) {
        if (values[v] != values[v]) values[v] = one.eccentricity[v];
      }
    }
    std::vector<Vertex> vertices;
    std::vector<double> shown;
    for (std::size_t v = 0; v < values.size(); ++v) {
      if (values[v] != values[v]) continue;
      vertices.push_back(static_cast<Vertex>(v));
      shown.push_back(values[v]);
    }
    io::Columns columns;
    columns.add("vertex", vertices.data());
    columns.add("eccentricity", shown.data());
    write_rows(context, output_, network_.reading, graph, columns, std::ssize(shown));
  }

  static inline const Choices<Algorithm> kMethods = {
      {"auto", Algorithm::automatic},
      {"johnson", Algorithm::johnson},
      {"nested-dissection", Algorithm::nested_dissection}};
  static inline const Choices<bool> kComponents = {{"largest", false}, {"each", true}};
  StoredResult network_;
  EccentricityOptions options_;
  TableOutput output_;
  bool diameter_ = false, radius_ = false, all_ = false, each_ = false;
};

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

VerbEntry eccentricity_verb() {
  return {"eccentricity GRAPH",
          "diameter, radius, centre without all pairs",
          "Eccentricity: the exact diameter and radius, the centre and the periphery, from a few "
          "searches instead of all pairs. They are those of the largest strong component.",
          {"apsp eccentricity roads.csv", "apsp eccentricity roads.zarr --diameter",
           "apsp eccentricity roads.csv --all -o eccentricities.csv"},
          make_verb<EccentricityVerb>};
}

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
