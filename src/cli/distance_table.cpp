#include "cli/distance_table.hpp"

#include <utility>

#include "base/json.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_values.hpp"
#include "cli/table_output.hpp"

namespace apsp::cli {
namespace {

Choices<TableOptions::Layout> layout_choices() {
  return {{"auto", TableOptions::Layout::automatic},
          {"long", TableOptions::Layout::tall},
          {"wide", TableOptions::Layout::wide}};
}

Graph read_second(const TableRequest& request, const Graph& graph, ReadOptions reading,
                  const Control& control) {
  reading.coordinates.clear();
  reading.keep_order = true;
  if (request.second_columns) reading.columns = request.second_columns;
  if (!reading.directed) reading.directed = graph.directed();
  reading.control = control;
  return read_graph(request.second, reading);
}

nlohmann::json table_answer(const TableRequest& request, const Asked& asked, const Graph& graph,
                            const TableOptions& options, Semiring semiring, ValueType type,
                            const std::string& output) {
  const auto count = [&](const std::vector<Vertex>& list) {
    return list.empty() ? graph.vertex_count() : std::ssize(list);
  };
  nlohmann::json object = {{"file", asked.stored.path},         {"semiring", name(semiring)},
                           {"value_type", name(type)},          {"sources", count(options.sources)},
                           {"targets", count(options.targets)}, {"output", output}};
  if (!request.second.empty()) object["second"] = request.second;
  add_plan(asked, object);
  return object;
}

}  // namespace

void declare_table_request(Arguments& arguments, TableRequest& request) {
  arguments.section("Table");
  declare_vertices(arguments, request.sources, request.targets);
  choice(arguments, "--layout", layout_choices(), request.layout,
         "long: a row a pair (the default of .csv and .parquet); wide: a row a source and a column "
         "a target (always of .npy)");
  arguments.text("--second", "FILE", request.second,
                 "other weights of the same vertices and arcs, such as lengths for times: the "
                 "table also has the length of each shortest path by these. Parallel arcs must "
                 "come in the same order in both files");
  arguments.value(
      "--second-columns", "FROM,TO,WEIGHT",
      [&request](const std::string& text) {
        request.second_columns = columns_value("--second-columns", text);
      },
      "columns of --second, an edge list, counted from 1; default: as of the graph");
  parsed(arguments, "--seed", "N", seed_value, request.seed, "for random:K; default: 1");
}

void check_table_request(const Context& context, const TableRequest& request, const Asked& asked,
                         const std::string& output) {
  if (!request.asked()) {
    for (const char* const option : {"--layout", "--second", "--second-columns", "--seed"}) {
      refuse_if(context.gave(option),
                "{} is for a table: name its rows and columns with --sources and --targets",
                option);
    }
    return;
  }
  refuse_if(request.second_columns && request.second.empty(),
            "--second-columns is for the file of --second");
  refuse_if(context.json && output.empty(), "--json prints no table: name a file for it with -o");
  require_apart(
      output, std::vector{request.second, file_of(request.sources), file_of(request.targets),
                          asked.stored.path, asked.stored.graph, asked.stored.reading.coordinates});
}

int run_table(Context& context, const TableRequest& request, Asked& asked,
              const std::string& output) {
  const std::string path = output.empty() ? "-" : output;
  const Control control = context.control();
  const auto options_for = [&](const Graph& graph) {
    TableOptions options;
    options.sources =
        chosen_vertices({"--sources", request.sources}, graph, request.seed, &context);
    options.targets =
        chosen_vertices({"--targets", request.targets}, graph, request.seed, &context);
    options.layout = request.layout;
    if (!request.second.empty()) {
      options.second = read_second(request, graph, asked.stored.reading, control);
    }
    return options;
  };
  const auto tell = [&](const Graph& graph, const TableOptions& options, Semiring semiring,
                        ValueType type) {
    if (!output.empty()) note_written(context, output);
    if (context.json) {
      context.print_json(table_answer(request, asked, graph, options, semiring, type, output));
    }
    return kExitOk;
  };
  asked.stored.reading.keep_order = !request.second.empty();
  if (names_result(asked)) {
    const PairsOptions asking{.threads = asked.solving.machine.threads, .control = control};
    const Result result = open_asked(context, asked);
    const TableOptions options = options_for(result.graph());
    Context::let_write([&] { apsp::write_table(result, path, options, asking); });
    return tell(result.graph(), options, result.semiring(), result.value_type());
  }
  const Graph& graph = read_asked(context, asked);
  const TableOptions options = options_for(graph);
  Context::let_write([&] { apsp::write_table(graph, path, options, asked.solving); });
  return tell(graph, options, asked.solving.question.semiring,
              asked.plan ? asked.plan->value_type : ValueType::f64);
}

}  // namespace apsp::cli
