// What apsp.csgraph asks of the library: distances in 64-bit floats, from a matrix or from
// compressed sparse rows, and SciPy's predecessors.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <apsp/apsp.hpp>
#include <limits>
#include <memory>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

constexpr std::int32_t kNoPredecessor = -9999;  // SciPy's

using Square = nb::ndarray<double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
void floyd_warshall_in_place(const Square& values, int threads) {
  const auto n = static_cast<std::int64_t>(values.shape(0));
  const auto columns = static_cast<std::int64_t>(values.shape(1));
  call([&, data = values.data()](const Control& control) {
    floyd_warshall<MinPlus>(MatrixView<double>(data, n, columns),
                            {.threads = threads, .control = control});
  });
}

template <class Index>
Graph graph_of(const Values<std::int64_t>& offsets, const Values<Index>& targets,
               const Values<double>& weights, bool directed) {
  const auto n = static_cast<std::int64_t>(offsets.shape(0)) - 1;
  const auto m = static_cast<std::int64_t>(targets.shape(0));
  if (n < 0 || offsets.data()[0] != 0 || offsets.data()[n] != m ||
      static_cast<std::int64_t>(weights.shape(0)) != m) {
    throw Error(ErrorKind::usage, "offsets, targets and weights do not describe rows of one graph");
  }
  GraphBuilder builder(n, directed);
  builder.reserve(m);
  for (std::int64_t v = 0; v < n; ++v) {
    for (std::int64_t arc = offsets.data()[v]; arc < offsets.data()[v + 1]; ++arc) {
      const Index to = targets.data()[arc];
      if (to < 0 || to >= n) throw Error(ErrorKind::usage, "a target is no vertex of the graph");
      builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(to), weights.data()[arc]);
    }
  }
  return std::move(builder).build();
}

/// [k, n] distances from some vertices, and who comes before each vertex on a best path.
struct Solved {
  OwnedRows<double> distances;
  std::optional<OwnedRows<std::int32_t>> predecessors;
};

Solved solve_some(const Graph& graph, std::vector<Vertex> sources, Algorithm algorithm,
                  bool predecessors, int threads, const Control& control) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  std::vector<std::int64_t> row_of(n);
  for (std::size_t i = 0; i < sources.size(); ++i)
    row_of[sources[i]] = static_cast<std::int64_t>(i);
  const std::size_t rows = sources.size();
  Solved solved{OwnedRows<double>(rows, n), {}};
  SolveOptions options{.algorithm = algorithm, .device = Device::cpu};
  options.value_type = ValueType::f64;
  options.threads = threads;
  options.statistics = false;
  options.keep = predecessors ? Keep::matrix : Keep::statistics;
  if (rows < n) options.sources = sources;
  options.on_rows = [&](const RowBlock& block) {
    const auto* values = static_cast<const double*>(block.values);
    for (std::size_t i = 0; i < block.sources.size(); ++i) {
      const double* row = values + static_cast<std::int64_t>(i) * block.stride;
      std::copy(row, row + n,
                solved.distances.row(static_cast<std::size_t>(row_of[block.sources[i]])));
    }
  };
  options.control = control;
  const Result result = solve(graph, options);
  if (!predecessors) return solved;
  solved.predecessors.emplace(rows, n);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::vector<std::int64_t> before = result.predecessors(sources[i]);
    std::transform(before.begin(), before.end(), solved.predecessors->row(i), [](std::int64_t v) {
      return v < 0 ? kNoPredecessor : static_cast<std::int32_t>(v);
    });
  }
  return solved;
}

template <class Index>
nb::object solve_rows(const Values<std::int64_t>& offsets, const Values<Index>& targets,
                      const Values<double>& weights, bool directed, const std::string& algorithm,
                      const std::optional<Values<std::int64_t>>& sources, bool predecessors,
                      int threads) {
  const std::optional<Algorithm> chosen = parse_algorithm(algorithm);
  if (!chosen) throw Error(ErrorKind::usage, "there is no algorithm '" + algorithm + "'");
  const auto n = static_cast<std::int64_t>(offsets.shape(0)) - 1;
  std::vector<Vertex> from;
  const std::int64_t count = sources ? static_cast<std::int64_t>(sources->shape(0)) : n;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t s = sources ? sources->data()[i] : i;
    if (s < 0 || s >= n) throw Error(ErrorKind::usage, "a source is no vertex of the graph");
    from.push_back(static_cast<Vertex>(s));
  }
  Solved solved = call([&](const Control& control) {
    const Graph graph = graph_of(offsets, targets, weights, directed);
    return solve_some(graph, std::move(from), *chosen, predecessors, threads, control);
  });
  nb::object before = nb::none();
  if (solved.predecessors) before = nb::cast(solved.predecessors->as_array());
  return nb::make_tuple(solved.distances.as_array(), before);
}

template <class Index>
void bind_solve_rows(nb::module_& module) {
  module.def("solve_rows", &solve_rows<Index>, nb::arg("offsets").noconvert(),
             nb::arg("targets").noconvert(), nb::arg("weights").noconvert(), nb::arg("directed"),
             nb::arg("algorithm"), nb::arg("sources").none(), nb::arg("predecessors"),
             nb::arg("threads") = 0,
             "Distances [k, n] in f64 from distinct vertices, or from all (None), and int32 "
             "predecessors [k, n] (-9999: none) or None, of compressed sparse rows.");
}

}  // namespace

void bind_csgraph(nb::module_& module) {
  module.def("floyd_warshall_in_place", &floyd_warshall_in_place, nb::arg("values").noconvert(),
             nb::arg("threads") = 0,
             "Replaces weights [n, n] (inf: no edge) by distances (Sao 2021, Algorithm 2). "
             "C-contiguous writeable float64 alone is taken.");
  bind_solve_rows<std::int64_t>(module);
  bind_solve_rows<std::int32_t>(module);
}

}  // namespace apsp::python
