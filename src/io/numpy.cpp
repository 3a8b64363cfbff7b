// A dense matrix of weights as a NumPy .npy file: entry [i, j] is the arc i → j.
//
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
#include "io/edges.hpp"
#include "io/formats.hpp"
#include "io/npy_header.hpp"
#include "semiring/infinity.hpp"

namespace apsp::io {
namespace {

struct DenseMatrix {
  std::span<const char> bytes;  // [n, n] values
  std::int64_t n = 0;
  bool fortran_order = false;
};

[[noreturn]] void fail(const Source& source, const std::string& message) {
  throw Error::malformed({source.name, 0, 0}, message);
}

DenseMatrix locate_values(const Source& source, const NpyHeader& header) {
  if (header.shape.size() != 2 || header.shape[0] != header.shape[1]) {
    fail(source, fmt::format("an array of shape ({}) is no graph: it has to be a square matrix",
                             fmt::join(header.shape, ", ")));
  }
  const auto item = static_cast<std::uint64_t>(header.item_size);
  const auto n = static_cast<std::uint64_t>(header.shape[0]);
  const std::uint64_t present = source.bytes.size() - header.data_offset;
  const bool fits = n == 0 || n <= present / item / n;
  if (!fits || n * n * item != present) {
    fail(source, fmt::format("{} bytes of values do not make a {} by {} matrix of {}-byte values",
                             present, n, n, item));
  }
  return {source.bytes.subspan(header.data_offset), header.shape[0], header.fortran_order};
}

/// Whether the entry is an edge. Throws for NaN and −infinity, which are no weights.
template <class T>
bool is_edge(const Source& source, T value, std::int64_t row, std::int64_t col) {
  if (value == semiring::Infinity<T>::plus) return false;
  if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(value)) {
      fail(source, fmt::format("the entry [{}, {}] (row, column; counted from 0) is {}, no weight",
                               row, col, value));
    }
  }
  return row != col || value < T(0);
}

template <class T>
std::vector<Edge> read_edges(const Source& source, const DenseMatrix& matrix) {
  std::vector<Edge> edges;
  const auto n = static_cast<std::size_t>(matrix.n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      T value;  // the data may lie anywhere: behind a decompressed header, for instance
      std::memcpy(&value, matrix.bytes.data() + (i * n + j) * sizeof(T), sizeof(T));
      const std::size_t row = matrix.fortran_order ? j : i, col = matrix.fortran_order ? i : j;
      if (!is_edge(source, value, static_cast<std::int64_t>(row), static_cast<std::int64_t>(col))) {
        continue;
      }
      edges.push_back(
          {static_cast<Vertex>(row), static_cast<Vertex>(col), static_cast<double>(value)});
    }
    source.progress.reached(source.bytes.size() - (n - i - 1) * n * sizeof(T));
  }
  return edges;
}

std::vector<Edge> read_values(const Source& source, const NpyHeader& header,
                              const DenseMatrix& matrix) {
  if (header.kind == 'f' && header.item_size == 4) return read_edges<float>(source, matrix);
  if (header.kind == 'f' && header.item_size == 8) return read_edges<double>(source, matrix);
  if (header.kind == 'i' && header.item_size == 4) return read_edges<std::int32_t>(source, matrix);
  if (header.kind == 'u' && header.item_size == 2) return read_edges<std::uint16_t>(source, matrix);
  fail(source, fmt::format("values of type {}{} are not read; f4, f8, i4 and u2 are", header.kind,
                           header.item_size));
}

template <class T>
void write_values(const Graph& graph, OutputFile& out) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<T> row(n);  // [n] one row of the matrix at a time
  for (std::size_t u = 0; u < n; ++u) {
    std::fill(row.begin(), row.end(), semiring::Infinity<T>::plus);
    row[u] = T(0);
    const auto targets = graph.targets(static_cast<Vertex>(u));
    const auto weights = graph.weights(static_cast<Vertex>(u));
    for (std::size_t i = 0; i < targets.size(); ++i) row[targets[i]] = static_cast<T>(weights[i]);
    out.put(std::string_view(reinterpret_cast<const char*>(row.data()), n * sizeof(T)));
    out.end_row();
  }
}

bool has_parallel_arcs(const Graph& graph) {
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const auto targets = graph.targets(u);
    if (std::adjacent_find(targets.begin(), targets.end()) != targets.end()) return true;
  }
  return false;
}

}  // namespace

Graph read_numpy(const Source& source) {
  const NpyHeader header = parse_npy_header(source.bytes, source.name);
  const DenseMatrix matrix = locate_values(source, header);
  std::vector<Edge> edges = read_values(source, header, matrix);
  GraphBuilder builder(matrix.n);
  builder.add_edges(std::move(edges));
  Graph graph = std::move(builder).build();
  if (source.options.directed.value_or(true)) return graph;
  if (const auto lone = find_unmirrored(graph)) {
    fail(source, fmt::format("not an undirected graph: the entries [{0}, {1}] and [{1}, {0}] "
                             "(counted from 0) differ",
                             lone->from, lone->to));
  }
  GraphBuilder undirected(matrix.n, false);
  undirected.add_edges(edges_of_mirrored(graph));
  return std::move(undirected).build();
}

void write_numpy(const Graph& graph, OutputFile& out) {
  const auto refuse = [](const char* what) {
    throw Error(ErrorKind::usage,
                fmt::format("an .npy matrix cannot hold {}; .mtx, .gr and .txt can", what));
  };
  if (!graph.labels().empty()) refuse("the vertices' labels");
  if (has_parallel_arcs(graph)) refuse("parallel edges");
  const auto weights = graph.weights();
  const bool exact_in_f4 = std::all_of(weights.begin(), weights.end(), [](double weight) {
    return std::abs(weight) <= std::numeric_limits<float>::max() &&
           static_cast<double>(static_cast<float>(weight)) == weight;
  });
  out.put(
      format_npy_header(exact_in_f4 ? "<f4" : "<f8", graph.vertex_count(), graph.vertex_count()));
  exact_in_f4 ? write_values<float>(graph, out) : write_values<double>(graph, out);
}

}  // namespace apsp::io
