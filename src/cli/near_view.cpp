#include "cli/near_view.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/units.hpp"
#include "cli/answer.hpp"
#include "cli/exit_code.hpp"
#include "cli/graph_view.hpp"
#include "store/store.hpp"

namespace apsp::cli {

void declare_network(Arguments& arguments, StoredResult& network) {
  arguments.positional(
      "GRAPH|RESULT", network.path,
      "a graph's file, - for standard input, or a result of apsp solve -o (.zarr), "
      "which holds its graph");
}

void declare_table(Arguments& arguments, std::string& output) {
  arguments.text("-o,--output", "OUT.csv", output,
                 "where the table goes; .csv.gz and .csv.zst are compressed; default: standard "
                 "output");
}

const Graph& read_network(Session& session, const StoredResult& network) {
  std::error_code failure;
  const bool result =
      store::is_zarr(network.path) || std::filesystem::is_directory(network.path, failure);
  if (result) return *(session.graph = open_for(session, network).graph());
  const Graph& graph = read_for(session, network.path, network.reading);
  session.note(graph_line(graph, network.path, session.err()));
  return graph;
}

bool names_table(const std::string& path) {
  return path.ends_with(".csv") || path.ends_with(".csv.gz") || path.ends_with(".csv.zst");
}

void check_table(const std::string& output, const StoredResult& network,
                 std::vector<std::string> lists) {
  if (output.empty()) return;
  refuse_if(!names_table(output), "{} is not a table: name a .csv, .csv.gz or .csv.zst", output);
  lists.insert(lists.end(), {network.path, network.reading.coordinates});
  require_apart(output, lists);
}

void write_table(Session& session, const std::string& path,
                 const std::function<void(io::OutputFile&)>& write) {
  if (path.empty() && session.json) return;
  const auto put = [&](const std::string& to, io::Compression compression) {
    io::OutputFile file(to, compression, session.control());
    write(file);
    file.commit();
  };
  if (path.empty()) return Session::let_write([&] { put("-", io::Compression::none); });
  put(path, path.ends_with(".gz")    ? io::Compression::gzip
            : path.ends_with(".zst") ? io::Compression::zstd
                                     : io::Compression::none);
  session.kept.push_back(path);
  session.note(fmt::format("{}: {} written", path, base::format_bytes(bytes_on_disk(path))));
}

namespace {

void put_pairs(io::OutputFile& file, const Graph& graph, const NearOptions& options,
               const SparseDistances& pairs) {
  file.put("from,to,distance\n");
  file.expect_rows(std::ssize(pairs.targets));
  for (std::size_t i = 0; i + 1 < pairs.row_begin.size(); ++i) {
    const Vertex source = options.sources.empty() ? static_cast<Vertex>(i) : options.sources[i];
    const std::string from = csv_field(graph.name(source));
    const auto end = static_cast<std::size_t>(pairs.row_begin[i + 1]);
    for (auto pair = static_cast<std::size_t>(pairs.row_begin[i]); pair < end; ++pair) {
      file.put(from, ',', csv_field(graph.name(pairs.targets[pair])), ',', pairs.distances[pair],
               '\n');
      file.end_row();
    }
  }
}

}  // namespace

int run_within(Session& session, const Graph& graph, double limit, const NearOptions& options,
               const std::string& output) {
  const SparseDistances pairs = within(graph, limit, options);
  session.note(fmt::format("{} at most {} apart, by {}",
                           base::counted(std::ssize(pairs.targets), "pair", "pairs"),
                           base::format_value(limit), name(pairs.algorithm)));
  if (output.ends_with(".npz")) {
    write_npz(pairs, output, session.control());
    session.kept.push_back(output);
    session.note(fmt::format("{}: {} written", output, base::format_bytes(bytes_on_disk(output))));
  } else {
    write_table(session, output,
                [&](io::OutputFile& file) { put_pairs(file, graph, options, pairs); });
  }
  if (session.json) {
    session.print_json({{"limit", limit},
                        {"pairs", pairs.targets.size()},
                        {"sources", pairs.row_begin.size() - 1},
                        {"algorithm", name(pairs.algorithm)},
                        {"output", output.empty() ? nlohmann::json() : nlohmann::json(output)}});
  }
  return kExitOk;
}

}  // namespace apsp::cli
