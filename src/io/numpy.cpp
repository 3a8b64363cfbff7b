// A dense matrix of weights as a NumPy .npy file: entry [i, j] is the arc i → j.
//
// Read, the graph is the file: its values stay in the mapping, and are looked at once here.
// "No path" of the value type (infinity; 2^30−1 for i4, 2^15−1 for u2) means that there is no arc,
// zero is an arc of length zero. The diagonal holds no edges unless negative: zero and positive
// entries there are harmless. Written as f4 where that is exact, else as f8.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

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

ValueType value_type(const std::string& name, const NpyHeader& header) {
  if (header.kind == 'f' && header.item_size == 4) return ValueType::f32;
  if (header.kind == 'f' && header.item_size == 8) return ValueType::f64;
  if (header.kind == 'i' && header.item_size == 4) return ValueType::i32;
  if (header.kind == 'u' && header.item_size == 2) return ValueType::u16;
  const bool whole = header.kind == 'i' || header.kind == 'u';
  const bool number = whole || header.kind == 'f' || header.kind == 'b';
  fail(name, fmt::format(
                 "values of type {}{} are not read; f4, f8, i4 and u2 are{}", header.kind,
                 header.item_size,
                 number ? fmt::format(": save it with .astype('{}')", whole ? "<i4" : "<f4") : ""));
}

/// The values stay where they are, unless they are the caller's, or lie where processors cannot
/// load them.
void keep_values(const Source& source, WeightMatrix& matrix) {
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

WeightMatrix locate_matrix(std::span<const char> bytes, const std::string& name) {
  const NpyHeader header = parse_npy_header(bytes, name);
  if (header.shape.size() != 2 || header.shape[0] != header.shape[1]) {
    fail(name, fmt::format("an array of shape ({}) is no graph: it has to be a square matrix",
                           fmt::join(header.shape, ", ")));
  }
  const ValueType type = value_type(name, header);
  const auto item = static_cast<std::uint64_t>(header.item_size);
  const auto n = static_cast<std::uint64_t>(header.shape[0]);
  const std::uint64_t present = bytes.size() - header.data_offset;
  const bool fits = n == 0 || n <= present / item / n;
  if (!fits || n * n * item != present) {
    fail(name, fmt::format("{} bytes of values do not make a {} by {} matrix of {}-byte values",
                           present, n, n, item));
  }
  WeightMatrix matrix;
  matrix.type = type;
  matrix.n = header.shape[0];
  matrix.by_columns = header.fortran_order;
  matrix.data = bytes.data() + header.data_offset;
  return matrix;
}

Graph matrix_graph(WeightMatrix matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options) {
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
  if (options.directed.value_or(true)) return graph;
  if (graph.symmetric()) return graph.as_undirected();
  const Edge lone = find_unmirrored(graph, options.threads).value();
  fail(name, fmt::format("not an undirected graph: the entries [{0}, {1}] and [{1}, {0}] "
                         "(counted from 0) differ",
                         lone.from, lone.to));
}

Graph read_numpy(const Source& source) {
  WeightMatrix matrix = locate_matrix(source.bytes, source.name);
  keep_values(source, matrix);
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
