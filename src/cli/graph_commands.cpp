// Verbs about files of graphs and results: generate, convert, info.
#include <fmt/format.h>
#include <algorithm>
#include <apsp/graph.hpp>
#include <optional>
#include <vector>

#include "api/json.hpp"
#include "api/near.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_options.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/machine_view.hpp"
#include "cli/memory_use.hpp"
#include "cli/option_values.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"
#include "io/column_table.hpp"
#include "io/formats.hpp"
#include "io/osm_streets.hpp"
#include "rates/machine_report.hpp"
#include "sparse/stored_factor.hpp"
#include "store/store.hpp"
#include "system/memory_limit.hpp"

namespace apsp::cli {
namespace {

using nlohmann::json;

std::string kept_by(const store::Store& stored) {
  if (sparse::holds_factor(stored)) return "factor";
  return api::holds_near_pairs(stored) ? "near pairs" : "matrix";
}

/// Metrics with their bytes that the result does not share.
json metric_facts(const std::string& path) {
  json all = json::array();
  for (const std::string& metric : metrics(path)) {
    all.push_back({{"name", metric}, {"bytes", bytes_of_its_own(metric_path(path, metric))}});
  }
  return all;
}

std::string word_list(const json& words) {
  return words.empty() ? "none" : base::joined(words.get<std::vector<std::string>>(), ", ");
}

/// The properties of a stored result, from its metadata and its graph, without distances.
json result_facts(const std::string& path) {
  const std::unique_ptr<store::Store> stored = store::open_store(path);
  const store::Layout& layout = stored->layout();
  const store::Metadata metadata = stored->metadata();
  const json attributes = base::parsed_json(metadata.attributes);
  json planes = json::array(), values = json::array();
  for (const store::Plane plane : layout.planes) planes.push_back(store::name(plane));
  for (const auto& [name, numbers] : metadata.vertex_values) values.push_back(name);
  const std::optional<Graph> graph = stored->graph();
  json facts = {{"file", path},
                {"kept", kept_by(*stored)},
                {"semiring", name(layout.semiring)},
                {"value_type", name(layout.type)},
                {"vertices", layout.n},
                {"sources", layout.rows()},
                {"targets", layout.cols()},
                {"planes", planes},
                {"statistics", attributes.is_object() && attributes.contains("statistics")},
                {"vertex_values", values},
                {"plan", nullptr},
                {"graph", nullptr},
                {"metrics", metric_facts(path)},
                {"bytes", bytes_on_disk(path)}};
  if (graph) facts["graph"] = api::to_json(*graph);
  if (attributes.is_object() && attributes.contains("report")) {
    facts["plan"] = api::report_from_json(attributes["report"]).plan;
  }
  return facts;
}

std::string result_text(const json& facts, const TerminalStyle& look) {
  Table table({Align::left, Align::left}, kWidestTable);
  const auto count = [&](const char* key) { return facts[key].get<std::int64_t>(); };
  table.row({"kept", facts["kept"]});
  table.row({"distances", fmt::format("{}, {}", facts["semiring"].get<std::string>(),
                                      facts["value_type"].get<std::string>())});
  table.row({"vertices", base::format_count(count("vertices"))});
  if (count("sources") != count("vertices") || count("targets") != count("vertices")) {
    table.row({"sources, targets",
               base::format_count(count("sources")) + ", " + base::format_count(count("targets"))});
  }
  if (const json& graph = facts["graph"]; graph.is_object()) {
    const bool directed = graph["directed"];
    table.row({directed ? "arcs" : "edges", base::format_count(graph["edges"])});
    table.row({"direction", directed ? "directed" : "undirected"});
  } else {
    table.row({"graph", "not stored"});
  }
  if (!facts["planes"].empty()) table.row({"planes", word_list(facts["planes"])});
  table.row({"statistics", facts["statistics"].get<bool>() ? "stored" : "not stored"});
  if (!facts["vertex_values"].empty())
    table.row({"of vertices", word_list(facts["vertex_values"])});
  if (facts["plan"].is_string()) table.row({"plan", printable(facts["plan"].get<std::string>())});
  table.row({"size", base::format_bytes(count("bytes"))});
  for (const json& metric : facts["metrics"]) {
    table.row({"metric", fmt::format("{}, {} of its own", metric["name"].get<std::string>(),
                                     base::format_bytes(metric["bytes"]))});
  }
  return heading(look, shown_path(facts["file"])) + table.text(look);
}

class Info : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("GRAPH|RESULT", path_,
                         "a graph's file or a stored result (.zarr); default: this machine and "
                         "this build",
                         false);
    declare_reading(arguments, reading_);
    declare_threads(arguments);
  }

  int run(Context& context) override {
    if (path_.empty()) {
      require_no_reading(context, "no GRAPH is named");
      const nlohmann::json machine = rates::machine_report();
      context.print(machine_text(machine, context.out()));
      context.print_json({{"machine", machine}});
      return kExitOk;
    }
    if (is_stored_result(path_)) {
      require_no_reading(context, "a result holds its graph");
      const nlohmann::json facts = result_facts(path_);
      context.print(result_text(facts, context.out()));
      context.print_json({{"result", facts}});
      return kExitOk;
    }
    const Graph& graph = read_for(context, path_, reading_);
    const nlohmann::json facts = graph_facts(graph, path_);
    context.print(graph_text(graph, facts, context.out()));
    context.print_json({{"graph", facts}});
    return kExitOk;
  }

 private:
  std::string path_;
  ReadOptions reading_;
};

}  // namespace

VerbEntry info_verb() {
  return {
      "info [GRAPH|RESULT]",
      "this machine and this build, or a graph's or result's figures",
      "Info: processor, memory, instruction sets and what is built in; or, of a graph, its "
      "size, direction, weights, degrees and components; or, of a stored result, its "
      "distances, its graph, what is kept with them, its metrics and its size.",
      {"apsp info", "apsp info lengths.csv --columns from,to,km --json", "apsp info roads.zarr"},
      make_verb<Info>};
}

namespace {

/// Buffers for text, compressed or not, and for chunks of a .zarr.
constexpr std::int64_t kBuffers = std::int64_t{16} << 20;

class Convert : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("IN", stored_.path, "a graph's file, - for standard input, or a result");
    arguments.positional(
        "OUT", out_,
        "the output, in the format of its suffix: .mtx .gr .txt .csv .tsv .graph .npy, then .gz or "
        ".zst to compress it; .csv or .parquet for streets of a .pbf; .zarr or .npy for results; - "
        "for an edge list on standard output");
    choice(arguments, "--to", format_choices(), format_, "the format of OUT, whatever its suffix");
    arguments.flag("--compress", compress_, "compress every chunk of a .zarr with zstd");
    arguments.text("--graph", "GRAPH", stored_.graph,
                   "the graph that was solved; a result in an .npy needs it");
    choice(arguments, "--semiring", semiring_choices(), stored_.semiring,
           "semiring of a result in an .npy; default: min-plus");
    arguments.text("--restrictions", "FILE", restrictions_,
                   "also write the turns that an extract of OpenStreetMap forbids, for --turns");
    declare_run(arguments, stored_.reading);
  }

  int run(Context& context) override {
    refuse_if(context.json && out_ == "-",
              "--json and OUT - both write to standard output: leave one out");
    require_apart(out_, std::vector{stored_.path, stored_.graph, stored_.reading.coordinates,
                                    stored_.reading.profile});
    refuse_if(!restrictions_.empty() && restrictions_ == out_,
              "--restrictions and OUT are one file: name two");
    require_apart(restrictions_, std::vector{stored_.path, out_, stored_.reading.profile});
    const bool result = is_stored_result(stored_.path) || (store::is_zarr(out_) && is_matrix());
    const IdleOption of_results[] = {
        {"--semiring", !result, "is for a result, and this is a graph: leave it out"},
        {"--restrictions", stored_.reading.profile.empty(),
         "needs an extract of OpenStreetMap and --profile"}};
    context.refuse_idle(of_results);
    return result ? convert_result(context) : convert_graph(context);
  }

 private:
  bool is_matrix() const { return stored_.path.ends_with(".npy"); }

  void refuse_compress() const {
    refuse_if(compress_, "--compress is for a .zarr, and {} is not one: leave it out",
              out_ == "-" ? "standard output" : out_);
  }

  int convert_graph(Context& context) {
    refuse_if(!stored_.graph.empty(),
              "--graph is for a result, and {} is read as a graph: leave it out",
              shown_path(stored_.path));
    refuse_if(store::is_zarr(out_),
              "{} is a graph, and {} would hold its distances. To solve it: apsp solve {} -o {}",
              shown_path(stored_.path), out_, stored_.path, out_);
    refuse_compress();
    const bool streets = !format_ && io::names_column_table(out_);
    if (!stored_.reading.profile.empty() && (streets || !restrictions_.empty())) {
      return convert_streets(context, streets);
    }
    if (!format_ && out_ != "-") format_ = io::output_format(out_);
    const Graph& graph = read_for(context, stored_.path, stored_.reading);
    context.note(graph_line(graph, stored_.path, context.err()));
    system::plan_memory(kBuffers, "the conversion", "give it more with --memory");
    return finish_graph(context, graph);
  }

  /// `table`: OUT is a table of streets with all their columns.
  int convert_streets(Context& context, bool table) {
    ReadOptions options = stored_.reading;
    options.control = context.control();
    const io::StreetNetwork network = io::read_street_network(stored_.path, options);
    context.note(graph_line(network.graph, stored_.path, context.err()));
    if (!restrictions_.empty()) {
      refuse_if(!io::names_column_table(restrictions_), "{} is no table: name a .csv or .parquet",
                restrictions_);
      io::write_forbidden_turns(network, restrictions_, context.control());
      context.note(fmt::format(
          "{}: {}", restrictions_,
          base::counted(std::ssize(network.forbidden), "forbidden turn", "forbidden turns")));
    }
    if (!table) return finish_graph(context, network.graph);
    clean_beside(context, out_);
    Context::let_write([&] { io::write_streets(network, out_, context.control()); });
    return finish(context, network.graph, "streets");
  }

  int convert_result(Context& context) {
    const Result result = open_for(context, stored_);
    plan_question(result, {.what = "the conversion", .rows = 1, .bytes = kBuffers});
    const bool to_store = !format_ && (store::is_zarr(out_) || out_.ends_with(".npy"));
    if (!(to_store && store::is_zarr(out_))) refuse_compress();
    if (!to_store) return finish_graph(context, result.graph());
    clean_beside(context, out_);
    result.save(out_, compress_, context.control());
    return finish(context, result.graph(), "result");
  }

  int finish_graph(Context& context, const Graph& graph) {
    write_to(context, graph, out_, format_);
    return finish(context, graph, "graph");
  }

  int finish(Context& context, const Graph& graph, const std::string& kind) {
    if (out_ == "-") return kExitOk;
    const std::int64_t bytes = bytes_on_disk(out_);
    context.note(fmt::format("{}: {}, {} written", out_, kind, base::format_bytes(bytes)));
    context.print_json({{"input", stored_.path},
                        {"kind", kind},
                        {"vertices", graph.vertex_count()},
                        {"edges", graph.edge_count()},
                        {"directed", graph.directed()},
                        {"output", {{"path", out_}, {"bytes", bytes}}}});
    return kExitOk;
  }

  StoredResult stored_;
  std::string out_, restrictions_;
  std::optional<GraphFormat> format_;
  bool compress_ = false;
};

}  // namespace

VerbEntry convert_verb() {
  return {
      "convert IN OUT",
      "between graph formats, or between stores of results",
      "Convert: a graph from one format to another, or a result from one store to another. "
      "Parallel edges, direction and names of vertices are kept wherever the format can hold them.",
      {"apsp convert roads.csv roads.mtx", "apsp convert city.osm.pbf roads.parquet --profile car",
       "cat roads.csv | apsp convert - roads.gr.zst --directed"},
      make_verb<Convert>};
}

namespace {

Choices<GraphKind> kind_choices() {
  return named_choices(std::initializer_list<GraphKind>{
      GraphKind::dense, GraphKind::gnp, GraphKind::rmat, GraphKind::grid, GraphKind::geometric,
      GraphKind::path, GraphKind::cycle, GraphKind::complete, GraphKind::star, GraphKind::roads});
}

class Generate : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.positional("KIND", kind_, alternatives(words_of(kind_choices())));
    arguments.positional(
        "OUT", out_,
        "the output, in the format of its suffix; - for an edge list on standard output");
    declare_shape(arguments);
    declare_weights(arguments);
  }

  int run(Context& context) override {
    refuse_if(context.json && out_ == "-",
              "--json and OUT - both write to standard output: leave one out");
    options_.directed = directed_.value_or(options_.directed);
    options_.kind = choose("KIND", kind_, kind_choices());
    const IdleOption of_kinds[] = {
        {"--probability", options_.kind != GraphKind::gnp, "is for gnp graphs: leave it out"},
        {"--rmat", options_.kind != GraphKind::rmat, "is for rmat graphs: leave it out"}};
    context.refuse_idle(of_kinds);
    const Graph graph = generate(options_);
    write_to(context, graph, out_);
    const std::string shown = out_ == "-" ? "standard output" : out_;
    context.note(graph_line(graph, shown, context.err()) +
                 fmt::format(" ({}, seed {})", kind_, options_.seed));
    if (context.json) {
      context.print_json({{"kind", kind_},
                          {"seed", options_.seed},
                          {"graph", api::to_json(graph)},
                          {"output", {{"path", out_}, {"bytes", bytes_on_disk(out_)}}}});
    }
    return kExitOk;
  }

 private:
  void declare_shape(Arguments& arguments) {
    arguments.section("Shape");
    parsed(arguments, "--vertices", "N", at_least<0>, options_.vertices,
           "number of vertices; default: 1000");
    parsed(arguments, "--edges", "M", at_least<1>, options_.edges,
           "rmat: number of edges; default: 16 for each vertex");
    parsed(arguments, "--probability", "P", real_value, options_.probability,
           "gnp: probability of every edge; default: 0.01");
    parsed(
        arguments, "--radius", "R", real_value, options_.radius,
        "geometric: points of the unit square nearer than this are joined; default: six neighbours "
        "on average");
    arguments.value(
        "--rmat", "A,B,C,D", [this](const std::string& text) { set_rmat(text); },
        "rmat: probabilities of the quarters; default: 0.45,0.22,0.22,0.11");
    declare_direction(arguments, directed_, "arcs (the default)", "edges both ways");
    parsed(arguments, "--seed", "N", seed_value, options_.seed,
           "the same seed gives the same graph; default: 1");
  }

  void declare_weights(Arguments& arguments) {
    arguments.section("Weights");
    arguments.value(
        "--weights", "LOW:HIGH",
        [this](const std::string& text) {
          const auto [low, high] = range_value("--weights", text);
          options_.least_weight = low;
          options_.greatest_weight = high;
        },
        "range of the weights, both ends included; default: 1:100");
    arguments.flag("--real", options_.real_weights, "real numbers instead of integers");
    arguments.flag("--negative", options_.negative,
                   "shift weights so that some are negative but no cycle is (directed graphs)");
  }

  void set_rmat(const std::string& text) {
    const std::vector<double> list = list_value("--rmat", text);
    refuse_if(list.size() != 4, "--rmat takes four probabilities, not '{}'", text);
    std::copy(list.begin(), list.end(), options_.rmat);
  }

  GenerateOptions options_;
  std::string kind_;
  std::string out_;
  std::optional<bool> directed_;
};

}  // namespace

VerbEntry generate_verb() {
  return {"generate KIND OUT",
          "test graphs",
          "Generate: a test graph. The same command gives the same graph on every machine.",
          {"apsp generate grid town.gr --vertices 400 --undirected",
           "apsp generate rmat web.txt.gz --vertices 4096 --edges 65536 --seed 7",
           "apsp generate gnp - --vertices 500 --weights 0:1 --real | apsp solve -"},
          make_verb<Generate>};
}

}  // namespace apsp::cli
