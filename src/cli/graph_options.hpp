// Options that say how a graph or a stored result is read; the reading, and the way back.
#pragma once

#include <optional>
#include <string>

#include <apsp/io.hpp>
#include <apsp/solve.hpp>

#include "cli/arguments.hpp"
#include "cli/context.hpp"
#include "cli/option_values.hpp"

namespace apsp::cli {

/// --directed and --undirected. `directed`: none where neither was given.
void declare_direction(Arguments& arguments, std::optional<bool>& directed,
                       const std::string& about_directed, const std::string& about_undirected);
/// `with_coordinates`: unless the verb's own --coordinates mean something else.
void declare_reading(Arguments& arguments, ReadOptions& options, bool with_coordinates = true);

/// "length", or "3" counted from 1.
Column column_value(const std::string& option, const std::string& text);
/// "u,v,length" or "2,3,4"; a third column 0, or none: no weights.
EdgeListColumns columns_value(const std::string& option, const std::string& text);

/// Throws `Error` (usage) if any of these options was given; `why`: "no graph is read here".
void require_no_reading(const ReadOptions& options, const std::string& why);

/// --threads N, which holds for all that the verb does: reading, solving, verifying, statistics.
/// `threads`, if any, learns N too.
void declare_threads(Arguments& arguments, int* threads = nullptr);

Choices<GraphFormat> format_choices();
Choices<Semiring> semiring_choices();

/// The graph at `path`, kept in the context for the names of its vertices.
const Graph& read_for(Context& context, const std::string& path, ReadOptions options);

/// In the given format, else that of the suffix; on standard output ("-") else an edge list.
void write_to(Context& context, const Graph& graph, const std::string& path,
              std::optional<GraphFormat> format = std::nullopt);

/// A stored result, and what an .npy does not hold.
struct StoredResult {
  std::string path;
  std::string metric{};  ///< inside it; empty: its own weights
  std::string graph;     ///< file; empty: none given
  ReadOptions reading;
  Semiring semiring = Semiring::min_plus;
};

/// --metric.
void declare_metric(Arguments& arguments, StoredResult& result);
/// For what turns out to be a graph's file. Throws `Error` (usage) if one was given.
void require_no_metric(const StoredResult& graph);
/// RESULT, --semiring and --metric; the graph's file is declared by the verb, as option or
/// argument.
void declare_result(Arguments& arguments, StoredResult& result);
Result open_for(Context& context, const StoredResult& stored);

/// Whether a path names a stored result and no graph: a .zarr, or any folder.
bool is_stored_result(const std::string& path);
/// "standard input" for "-", else the path.
std::string shown_path(const std::string& path);
/// Bytes of a file, or of all files below a folder; 0 if there is none.
std::int64_t bytes_on_disk(const std::string& path);
/// The same of files that no other result shares.
std::int64_t bytes_of_its_own(const std::string& path);

}  // namespace apsp::cli
