#include "cli/near_view.hpp"

#include <fmt/format.h>

#include "api/json.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "cli/leftovers.hpp"
#include "cli/solve_view.hpp"
#include "store/store.hpp"

namespace apsp::cli {

void declare_network(Arguments& arguments, StoredResult& network) {
  arguments.positional(
      "GRAPH|RESULT", network.path,
      "a graph's file, - for standard input, or a result of apsp solve -o (.zarr), "
      "which holds its graph");
}

const Graph& read_network(Context& context, const StoredResult& network) {
  if (is_stored_result(network.path)) return *(context.graph = open_for(context, network).graph());
  require_no_metric(network);
  const Graph& graph = read_for(context, network.path, network.reading);
  context.note(graph_line(graph, network.path, context.err()));
  return graph;
}

namespace {

template <class F>
void for_each_source(const NearOptions& options, const SparseDistances& pairs, const F& row) {
  for (std::size_t i = 0; i + 1 < pairs.row_begin.size(); ++i) {
    const Vertex source = options.sources.empty() ? static_cast<Vertex>(i) : options.sources[i];
    const auto begin = static_cast<std::size_t>(pairs.row_begin[i]);
    const auto count = static_cast<std::size_t>(pairs.row_begin[i + 1]) - begin;
    row(source, std::span(pairs.targets).subspan(begin, count),
        std::span(pairs.distances).subspan(begin, count));
  }
}

void put_pairs(io::ColumnTable& table, const NearOptions& options, const SparseDistances& pairs) {
  table.expect_rows(std::ssize(pairs.targets));
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    const io::ColumnValues values[] = {io::Stepped<Vertex>{&source, 0},
                                       io::Stepped<Vertex>{targets.data()},
                                       io::Stepped<double>{distances.data()}};
    table.put(std::ssize(targets), values);
  });
}

void put_streets(MapFile& map, double limit, const NearOptions& options,
                 const SparseDistances& pairs) {
  for_each_source(options, pairs, [&](Vertex source, auto targets, auto distances) {
    map.reached(source, limit, targets, distances,
                {{"from", map.name(source)}, {"within", limit}, {"vertices", targets.size() + 1}});
  });
}

}  // namespace

int tell_verified(Context& context, const VerifyReport& report, nlohmann::json& object) {
  context.print(verify_text(report, context.out()));
  object["verification"] = api::to_json(report);
  return report.passed ? kExitOk : kExitNegativeAnswer;
}

int run_within(Context& context, const Graph& graph, double limit, const NearOptions& options,
               const TableOutput& output, const ReadOptions& reading, bool verified) {
  const SparseDistances pairs = within(graph, limit, options);
  context.note(fmt::format(
      "{} at most {} apart, by {}{}", base::counted(std::ssize(pairs.targets), "pair", "pairs"),
      base::format_value(limit), name(pairs.algorithm), pairs.on_device ? " on a GPU" : ""));
  if (output.path.ends_with(".npz")) {
    write_npz(pairs, output.path, context.control());
    note_written(context, output.path);
  } else if (store::is_zarr(output.path)) {
    clean_beside(context, output.path);
    Context::let_write(
        [&] { write_zarr(pairs, graph, limit, options.sources, output.path, context.control()); });
    note_written(context, output.path);
  } else if (output.is_map()) {
    write_map(context, output, reading, graph,
              [&](MapFile& map) { put_streets(map, limit, options, pairs); });
  } else {
    write_table(context, output, graph,
                {{"from", io::ColumnKind::vertex}, {"to", io::ColumnKind::vertex}, {"distance"}},
                [&](io::ColumnTable& table) { put_pairs(table, options, pairs); });
  }
  nlohmann::json object = {
      {"limit", limit},
      {"pairs", pairs.targets.size()},
      {"sources", pairs.row_begin.size() - 1},
      {"algorithm", name(pairs.algorithm)},
      {"on_device", pairs.on_device},
      {"output", output.path.empty() ? nlohmann::json() : nlohmann::json(output.path)}};
  int code = kExitOk;
  if (verified) {
    const VerifyReport report =
        verify(pairs, graph, limit, options.sources, {.control = context.control()});
    code = tell_verified(context, report, object);
  }
  if (context.json) context.print_json(object);
  return code;
}

}  // namespace apsp::cli
