// A dense matrix of weights as a NumPy .npy file: entry [i, j] is the arc i → j.
//
// Read, the graph is the file: its values stay in the mapping (npy_values.hpp says which are
// converted), and are looked at once here. "No path" of the value type (infinity; 2^30−1 for i4,
// 2^15−1 for u2) means that there is no arc, zero is an arc of length zero. The diagonal holds no
// edges unless negative: zero and positive entries there are harmless. Written as f4 where that is
// exact, else as f8.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/numbers.hpp"
#include "graph/mirrored.hpp"
#include "io/formats.hpp"
#include "io/matrix_file.hpp"
#include "io/npy_header.hpp"
#include "semiring/infinity.hpp"

namespace apsp::io {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& message) {
  throw Error::malformed({name, 0, 0}, message);
}

/// The values stay where they are, unless they are the caller's, or lie where processors cannot
/// load them.
void keep_values(const Source& source, MatrixInFile& matrix) {
  const auto address = reinterpret_cast<std::uintptr_t>(matrix.data);
  const auto size = static_cast<std::uint64_t>(size_of(matrix.type));
  matrix.owner = source.held.owner;
  matrix.mapped = source.held.mapped;
  matrix.memory = source.held.memory;
  if (matrix.owner != nullptr && address % size == 0) return;
  const auto bytes = static_cast<std::size_t>(matrix.n * matrix.n * size_of(matrix.type));
  StreamedBytes copy;
  if (bytes > 0) std::memcpy(copy.spare(bytes).data(), matrix.data, bytes);
  copy.added(bytes);
  HeldBytes held = copy.finish();
  matrix.data = held.bytes.data();
  matrix.owner = std::move(held.owner);
  matrix.mapped = held.mapped;
  matrix.memory = held.memory;
}

/// With what integers may mean to others: the greatest of a type often stands for "no edge", and
/// what stands for it here may be a weight there.
Graph with_remarks_of_type(const Graph& graph, const NpyHeader& header) {
  const std::optional<double> greatest = greatest_of_type(header);
  if (!greatest) return graph;
  Graph remarked = graph;
  if (graph.arc_count() > 0 && graph.weight_facts().greatest == *greatest) {
    remarked = remarked.with_remark(fmt::format(
        "entries of {}, the greatest value of {}, are edges of that weight; if they mean no edge, "
        "save infinity there, in a matrix of f8",
        base::format_value(*greatest), type_name(header)));
  }
  const bool narrow = header.item_size == 2;
  const bool has_no_path = header.kind == (narrow ? 'u' : 'i') && (narrow || header.item_size == 4);
  const std::int64_t n = graph.vertex_count();
  const std::int64_t missing = n * (n - 1) - (graph.arc_count() - graph.loop_count());
  if (!has_no_path || missing == 0) return remarked;
  const int no_path =
      narrow ? WeightMatrix::no_arc<std::uint16_t>() : WeightMatrix::no_arc<std::int32_t>();
  return remarked.with_remark(
      fmt::format("{} of {}, which stands for no path in {}, {} no {}",
                  base::counted(missing, "entry", "entries"), base::format_value(no_path),
                  type_name(header), missing == 1 ? "is" : "are", missing == 1 ? "edge" : "edges"));
}

template <class T>
void write_values(const Graph& graph, OutputFile& out) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<T> row(n);  // [n] one row of the matrix at a time
  for (std::size_t u = 0; u < n; ++u) {
    std::fill(row.begin(), row.end(), semiring::Infinity<T>::plus);
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
    if (std::adjacent_find(targets.begin(), targets.end()) != targets.end()) return true;
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

}  // namespace

Graph matrix_graph(MatrixInFile matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options) {
  const NpyHeader header = matrix.header;
  GraphBuilder builder(matrix.n);
  builder.set_threads(options.threads);
  builder.set_matrix(std::move(matrix), std::move(scan));
  Graph graph;
  try {
    graph = std::move(builder).build();
  } catch (const Error& error) {  // what is wrong usage in a call is malformed input in a file
    if (error.kind() != ErrorKind::usage) throw;
    fail(name, error.what());
  }
  graph = with_remarks_of_type(graph, header);
  if (options.directed.value_or(true)) return graph;
  if (graph.symmetric()) return graph.as_undirected();
  const Edge lone = find_unmirrored(graph, options.threads).value();
  fail(name, fmt::format("not an undirected graph: the entries [{0}, {1}] and [{1}, {0}] "
                         "(counted from 0) differ",
                         lone.from, lone.to));
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
    throw Error(ErrorKind::usage,
                fmt::format("an .npy matrix cannot hold {}; .mtx, .gr and .txt can", what));
  };
  if (!graph.labels().empty()) refuse("the vertices' labels");
  if (has_parallel_arcs(graph)) refuse("parallel edges");
  const bool narrow = exact_in_f4(graph);
  out.put(format_npy_header(narrow ? "<f4" : "<f8", graph.vertex_count(), graph.vertex_count()));
  narrow ? write_values<float>(graph, out) : write_values<double>(graph, out);
}

}  // namespace apsp::io
