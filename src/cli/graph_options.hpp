// Options for reading graphs and stored results, and functions that read and write them.
#pragma once

#include <optional>
#include <set>
#include <string>

#include <apsp/io.hpp>
#include <apsp/solve.hpp>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/option_values.hpp"

namespace apsp::cli {

/// Declares --directed and --undirected. `directed` stays empty if neither is given.
void declare_direction(Arguments& arguments, std::optional<bool>& directed,
                       const std::string& about_directed, const std::string& about_undirected);
/// `with_coordinates`: false if --coordinates has another meaning in the verb.
void declare_reading(Arguments& arguments, ReadOptions& options, bool with_coordinates = true);
/// The names of the options that `declare_reading` declares, such as "--columns".
std::set<std::string> reading_options();

Column column_value(const std::string& option, const std::string& text);
/// "u,v,length" or "2,3,4"; a third column 0, or none: no weights.
EdgeListColumns columns_value(const std::string& option, const std::string& text);

/// Throws `Error` (usage) if one of these options was given. `why`: "no graph is read here".
void require_no_reading(const Context& context, const std::string& why);

/// Declares --threads N, which applies to the whole verb. `threads` also receives N, unless it is
/// null.
void declare_threads(Arguments& arguments, int* threads = nullptr);
/// Declares how a graph is read, --threads and --memory.
void declare_run(Arguments& arguments, ReadOptions& reading, int* threads = nullptr);

Choices<GraphFormat> format_choices();
Choices<Semiring> semiring_choices();

const Graph& read_for(Context& context, const std::string& path, ReadOptions options);

/// Writes in the given format, else that of the suffix; standard output ("-") defaults to an edge
/// list.
void write_to(Context& context, const Graph& graph, const std::string& path,
              std::optional<GraphFormat> format = std::nullopt);

struct StoredResult {
  std::string path;
  std::string metric{};  ///< a metric of the result; empty: its original weights
  std::string graph;
  ReadOptions reading;
  Semiring semiring = Semiring::min_plus;
};

void declare_metric(Arguments& arguments, StoredResult& result);
/// Throws `Error` (usage) if --metric was given for a graph's file.
void require_no_metric(const StoredResult& graph);
/// Declares RESULT, --semiring and --metric. The verb declares the graph's file.
void declare_result(Arguments& arguments, StoredResult& result);
Result open_for(Context& context, const StoredResult& stored);
/// Declares GRAPH|RESULT, which means the graph that was solved, and --metric.
void declare_network(Arguments& arguments, StoredResult& network);
const Graph& read_network(Context& context, const StoredResult& network);

/// Whether a path names a stored result: a .zarr or any folder.
bool is_stored_result(const std::string& path);
std::string shown_path(const std::string& path);
/// Bytes of a file, or of all files in a folder; 0 if it does not exist.
std::int64_t bytes_on_disk(const std::string& path);
std::int64_t bytes_of_its_own(const std::string& path);

}  // namespace apsp::cli
