// A dense matrix of weights as a NumPy .npy file: entry [i, j] is the arc i → j.
//
// Read, the graph is the file: its values stay in the mapping (matrix_values.hpp says which are
// converted), and are looked at once here. "No path" of the value type (infinity; 2^30−1 for i4,
// 2^15−1 for u2) means that there is no arc, zero is an arc of length zero. The diagonal holds no
// edges unless negative: zero and positive entries there are harmless. Written as f4 where that is
// exact, else as f8.
#include "base/fail.hpp"
#include "io/matrix_values.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/units.hpp"
#include "graph/mirrored.hpp"
#include "io/formats.hpp"
#include "io/npy_values.hpp"
#include "semiring/semirings.hpp"

namespace apsp::io {
namespace {

/// Whether values lie where processors can load them.
bool loadable(const WeightMatrix& matrix) {
  return reinterpret_cast<std::uintptr_t>(matrix.data) %
             static_cast<std::uintptr_t>(size_of(matrix.type)) ==
         0;
}

/// The values stay where they are, unless they are the caller's or not loadable.
void keep_values(const Source& source, MatrixInFile& matrix) {
  keep_bytes(source.held, matrix);
  if (matrix.owner != nullptr && loadable(matrix)) return;
  const auto bytes = static_cast<std::size_t>(matrix.n * matrix.n * size_of(matrix.type));
  StreamedBytes copy;
  copy.append({static_cast<const char*>(matrix.data), bytes});
  const HeldBytes held = copy.finish();
  matrix.data = held.bytes.data();
  keep_bytes(held, matrix);
}

/// With what integers may mean to others: the greatest of a type often stands for "no edge", and
/// what stands for it here may be a weight there.
Graph with_remarks_of_type(const Graph& graph, const NpyHeader& header) {
  const double greatest = with_npy_type(header, "", [](auto value) {
    return static_cast<double>(weight_of(std::numeric_limits<decltype(value)>::max()));
  });
  if (header.kind != 'i' && header.kind != 'u') return graph;
  Graph remarked = graph;
  if (graph.arc_count() > 0 && graph.weight_facts().greatest == greatest) {
    remarked = remarked.with_remark(fmt::format(
        "entries of {}, the greatest value of {}, are edges of that weight; if they mean no edge, "
        "save infinity there, in a matrix of f8",
        base::format_value(greatest), type_name(header)));
  }
  const bool narrow = header.item_size == 2;
  const bool has_no_path = header.kind == (narrow ? 'u' : 'i') && (narrow || header.item_size == 4);
  const std::int64_t n = graph.vertex_count();
  const std::int64_t missing = n * (n - 1) - (graph.arc_count() - graph.loop_count());
  if (!has_no_path || missing == 0) return remarked;
  const int no_path =
      narrow ? WeightMatrix::no_arc<std::uint16_t>() : WeightMatrix::no_arc<std::int32_t>();
  return remarked.with_remark(fmt::format(
      "{} of {}, which means no path in {}, {} not {}", base::counted(missing, "entry", "entries"),
      base::format_value(no_path), type_name(header), missing == 1 ? "is" : "are",
      missing == 1 ? "an edge" : "edges"));
}

template <class T>
void write_values(const Graph& graph, OutputFile& out) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<T> row(n);  // [n] one row of the matrix at a time
  for (std::size_t u = 0; u < n; ++u) {
    std::ranges::fill(row, semiring::Infinity<T>::plus);
    row[u] = T(0);
    graph.for_each_arc(static_cast<Vertex>(u),
                       [&](Vertex v, double weight) { row[v] = static_cast<T>(weight); });
    out.put(std::string_view(reinterpret_cast<const char*>(row.data()), n * sizeof(T)));
    out.end_row();
  }
}

bool has_parallel_arcs(const Graph& graph) {
  if (graph.matrix() != nullptr) return false;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const auto targets = graph.targets(u);
    if (std::ranges::adjacent_find(targets) != targets.end()) return true;
  }
  return false;
}

bool exact_in_f4(const Graph& graph) {
  bool exact = true;
  for (Vertex u = 0; u < graph.vertex_count() && exact; ++u) {
    graph.for_each_arc(u, [&](Vertex, double weight) {
      exact = exact && std::abs(weight) <= std::numeric_limits<float>::max() &&
              static_cast<double>(static_cast<float>(weight)) == weight;
    });
  }
  return exact;
}

Graph read_numpy(const Source& source) {
  MatrixInFile matrix = locate_matrix(source.bytes, source.name);
  if (held_as_they_are(matrix)) {
    keep_values(source, matrix);
  } else {
    matrix = converted(matrix, source.name, source.progress);
  }
  Graph graph = matrix_graph(std::move(matrix), nullptr, source.name, source.options);
  source.progress.reached(source.bytes.size());
  return graph;
}

void write_numpy(const Graph& graph, OutputFile& out) {
  const auto refuse = [](const char* what) {
    base::fail(ErrorKind::usage, "an .npy matrix cannot hold {}: use .mtx, .gr or .txt", what);
  };
  if (!graph.labels().empty()) refuse("the vertices' labels");
  if (has_parallel_arcs(graph)) refuse("parallel edges");
  const bool narrow = exact_in_f4(graph);
  out.put(format_npy_header(narrow ? "<f4" : "<f8", graph.vertex_count(), graph.vertex_count()));
  narrow ? write_values<float>(graph, out) : write_values<double>(graph, out);
}

std::optional<GraphHeader> peek_numpy(const Source& source) {
  const NpyHeader npy = parse_npy_header(source.bytes, source.name);
  if (npy.shape.size() != 2 || npy.shape[0] != npy.shape[1]) return std::nullopt;
  return GraphHeader{.vertices = npy.shape[0], .matrix = true};
}

}  // namespace

Graph matrix_graph(MatrixInFile matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options) {
  const NpyHeader header = matrix.header;
  GraphBuilder builder(matrix.n);
  builder.set_threads(options.threads);
  builder.set_matrix(std::move(matrix), std::move(scan));
  Graph graph = base::of_file(name, [&] { return std::move(builder).build(); });
  return with_direction(with_remarks_of_type(graph, header), name, options);
}

Graph with_direction(const Graph& graph, const std::string& name, const ReadOptions& options) {
  if (options.directed.value_or(true)) return graph;
  if (graph.symmetric()) return graph.as_undirected();
  const Edge lone = find_unmirrored(graph, options.threads).value();
  base::fail_input(name,
                   "not an undirected graph: the entries [{0}, {1}] and [{1}, {0}] "
                   "(counted from 0) differ",
                   lone.from, lone.to);
}

std::optional<MatrixInFile> map_matrix(const std::string& path, const ReadOptions& options) {
  std::error_code failure;
  const bool otherwise = options.format && *options.format != GraphFormat::numpy;
  if (otherwise || !options.coordinates.empty() || path == "-" ||
      !std::filesystem::is_regular_file(path, failure)) {
    return std::nullopt;
  }
  const HeldBytes held = hold_input(path, {});
  if (!held.mapped || !has_npy_magic(held.bytes)) return std::nullopt;
  require_useful(options, GraphFormat::numpy, path);
  if (options.on_header) {
    if (const auto header = peek_header(held.bytes, path, options)) options.on_header(*header);
  }
  MatrixInFile matrix = locate_matrix(held.bytes, path);
  if (!held_as_they_are(matrix)) {
    ReadProgress progress(options.control, held.bytes.size());
    return converted(matrix, path, progress);
  }
  if (!loadable(matrix)) return std::nullopt;
  keep_bytes(held, matrix);
  return matrix;
}

extern const Format numpy_format = {
    .name = "numpy",
    .suffixes = {".npy"},
    .recognises = [](std::string_view text) { return has_npy_magic(text); },
    .read = read_numpy,
    .write = write_numpy,
    .peek = peek_numpy};

}  // namespace apsp::io
