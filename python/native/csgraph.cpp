// The bindings of apsp.csgraph: distances in 64-bit floats, from a matrix or compressed sparse
// rows, and SciPy's predecessors.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>

#include <apsp/apsp.hpp>
#include <limits>
#include <memory>
#include <numeric>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "csgraph/arcs.hpp"
#include "csgraph/components.hpp"
#include "csgraph/k_shortest.hpp"
#include "csgraph/rows.hpp"
#include "csgraph/tree.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

using namespace csgraph;

template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using SharedArcs = std::shared_ptr<Arcs>;

std::int64_t side(std::size_t rows, std::size_t columns) {
  if (rows == columns) return static_cast<std::int64_t>(rows);
  throw Error(ErrorKind::usage, "the matrix is not square");
}

/// Releases the interpreter lock for many values; for few that would take longer than the work.
template <class Work>
auto call_by_size(std::int64_t values, Work&& work) {
  constexpr std::int64_t kFew = 1 << 14;
  if (values <= kFew) return call_brief(work);
  return call(work);
}

/// nanobind requires a non-const type; nobody modifies it.
SharedArcs shared(const std::shared_ptr<const Arcs>& arcs) {
  return std::const_pointer_cast<Arcs>(arcs);
}

template <class Index>
SharedArcs from_rows(Values<Index> offsets, Values<Index> targets, Values<double> weights,
                     bool directed, bool unweighted, bool to_be_solved) {
  if (offsets.shape(0) == 0 || targets.shape(0) != weights.shape(0)) {
    throw Error(ErrorKind::usage, "offsets, targets and weights do not describe rows of one graph");
  }
  const SparseRows<Index, Index> rows{span_of(offsets), span_of(targets), weights.data()};
  const Reading reading{directed, unweighted, false, to_be_solved};
  const auto values = static_cast<std::int64_t>(offsets.shape(0) + targets.shape(0));
  return shared(call_by_size(values, [&](const Control&) { return arcs_of_rows(rows, reading); }));
}

SharedArcs from_matrix(Matrix<const double> values, bool directed, bool unweighted,
                       bool zero_is_hole, bool to_be_solved) {
  const std::int64_t n = side(values.shape(0), values.shape(1));
  const Reading reading{directed, unweighted, zero_is_hole, to_be_solved};
  return shared(call_by_size(
      n * n, [&](const Control&) { return arcs_of_matrix(values.data(), n, reading); }));
}

std::int64_t clean(Matrix<double> values, bool directed, bool unweighted, bool zero_is_hole) {
  const std::int64_t n = side(values.shape(0), values.shape(1));
  return call_by_size(n * n, [&, data = values.data()](const Control&) {
    return clean_matrix(data, n, {directed, unweighted, zero_is_hole, true});
  });
}

using Sources = std::optional<Values<std::int64_t>>;

/// Requires: sources below n.
std::vector<Vertex> vertices_of(const Arcs& arcs, const Sources& sources) {
  if (!sources) {
    std::vector<Vertex> all(static_cast<std::size_t>(arcs.n));
    std::iota(all.begin(), all.end(), Vertex{0});
    return all;
  }
  std::vector<Vertex> result;
  result.reserve(sources->shape(0));
  for (std::size_t i = 0; i < sources->shape(0); ++i) {
    const std::int64_t v = sources->data()[i];
    if (v < 0 || v >= arcs.n)
      throw Error(ErrorKind::usage, "a source is not a vertex of the graph");
    result.push_back(static_cast<Vertex>(v));
  }
  return result;
}

template <class T>
void require_shape(const Matrix<T>& matrix, std::size_t rows, std::int64_t columns) {
  if (matrix.shape(0) == rows && matrix.shape(1) == static_cast<std::size_t>(columns)) return;
  throw Error(ErrorKind::usage, "the rows to be filled are not a row a source of n values each");
}

void fill_rows(const SharedArcs& arcs, const Sources& sources, Matrix<double> distances,
               std::optional<Matrix<std::int32_t>> predecessors, double limit,
               const std::string& way, int threads) {
  RowsWanted wanted;
  wanted.sources = vertices_of(*arcs, sources);
  wanted.all = !sources;
  wanted.limit = limit;
  wanted.distances = distances.data();
  require_shape(distances, wanted.sources.size(), arcs->n);
  if (predecessors) {
    require_shape(*predecessors, wanted.sources.size(), arcs->n);
    wanted.predecessors = predecessors->data();
  }
  const Way chosen = parse_way(way);
  if (chosen == Way::automatic && is_brief(*arcs, std::ssize(wanted.sources))) {
    return solve_rows(arcs, wanted, Way::searches, 1, {});
  }
  call([&](const Control& control) {
    solve_rows(arcs, wanted, chosen, thread_count(threads), control);
  });
}

void fill_nearest(const SharedArcs& arcs, const Sources& sources, Matrix<double> distances,
                  Matrix<std::int32_t> predecessors, Matrix<std::int32_t> nearest, double limit) {
  require_shape(distances, 1, arcs->n);
  require_shape(predecessors, 1, arcs->n);
  require_shape(nearest, 1, arcs->n);
  const std::vector<Vertex> from = vertices_of(*arcs, sources);
  call_by_size(arcs->n + arcs->count(), [&](const Control&) {
    Searches(*arcs).search_nearest(from, limit, {distances.data(), predecessors.data()},
                                   nearest.data());
  });
}

std::int32_t components(const SharedArcs& arcs, bool strong,
                        nb::ndarray<std::int32_t, nb::ndim<1>, nb::c_contig> labels) {
  if (labels.shape(0) != static_cast<std::size_t>(arcs->n)) {
    throw Error(ErrorKind::usage, "a label a vertex");
  }
  const std::span<std::int32_t> into(labels.data(), labels.shape(0));
  return call_by_size(arcs->n + arcs->count(), [&](const Control&) {
    return strong ? strong_components(*arcs, into) : weak_components(*arcs, into);
  });
}

nb::object k_shortest(const SharedArcs& arcs, std::int64_t source, std::int64_t sink,
                      std::int64_t k) {
  const auto find = [&](const Control& control) {
    return k_shortest_paths(arcs, static_cast<Vertex>(source), static_cast<Vertex>(sink), k,
                            control);
  };
  const bool brief = is_brief(*arcs, k * arcs->n);
  const std::vector<Path> paths = brief ? call_brief(find) : call(find);
  nb::list found;
  for (const Path& path : paths) {
    nb::list vertices;
    for (const Vertex v : path.vertices) vertices.append(v);
    found.append(nb::make_tuple(path.length, vertices));
  }
  return found;
}

void walk(Matrix<const double> weights, Matrix<const std::int32_t> predecessors,
          Matrix<double> distances, double null_value) {
  const std::int64_t n = side(weights.shape(0), weights.shape(1));
  require_shape(predecessors, weights.shape(0), n);
  require_shape(distances, weights.shape(0), n);
  call_by_size(n * n, [&](const Control&) {
    walk_lengths(weights.data(), predecessors.data(), n, null_value, distances.data());
  });
}

/// Copies of the rows, for NumPy.
nb::object rows_of(const SharedArcs& arcs) {
  return nb::make_tuple(array_of(std::vector(arcs->offsets)), array_of(std::vector(arcs->targets)),
                        array_of(std::vector(arcs->weights)));
}

void floyd_warshall_in_place(Matrix<double> values, int threads) {
  const auto n = static_cast<std::int64_t>(values.shape(0));
  const auto columns = static_cast<std::int64_t>(values.shape(1));
  call([&, data = values.data()](const Control& control) {
    floyd_warshall<MinPlus>(MatrixView<double>(data, n, columns),
                            {.threads = threads, .control = control});
  });
}

}  // namespace

void bind_csgraph(nb::module_& module) {
  using nb::arg;
  module.def("floyd_warshall_in_place", &floyd_warshall_in_place, arg("values").noconvert(),
             arg("threads") = 0,
             "Replaces weights [n, n] (inf: no edge) by distances (Sao 2021, Algorithm 2). Only "
             "C-contiguous writeable float64 is taken.");
  module.def("clean_matrix", &clean, arg("values").noconvert(), arg("directed"), arg("unweighted"),
             arg("zero_is_hole"),
             "Makes inf of all that is not an arc; returns the number of arcs.");
  module.def("walk_lengths", &walk, arg("weights").noconvert(), arg("predecessors").noconvert(),
             arg("distances").noconvert(), arg("null_value"),
             "Fills the lengths [n, n] of the paths that predecessors [n, n] describe.");
  nb::class_<Arcs>(module, "Arcs", "The graph of a call of apsp.csgraph.")
      .def_static("of_rows", &from_rows<std::int32_t>, arg("indptr").noconvert(),
                  arg("indices").noconvert(), arg("data").noconvert(), arg("directed"),
                  arg("unweighted"), arg("to_be_solved") = true)
      .def_static("of_rows", &from_rows<std::int64_t>, arg("indptr").noconvert(),
                  arg("indices").noconvert(), arg("data").noconvert(), arg("directed"),
                  arg("unweighted"), arg("to_be_solved") = true)
      .def_static("of_matrix", &from_matrix, arg("values").noconvert(), arg("directed"),
                  arg("unweighted"), arg("zero_is_hole"), arg("to_be_solved") = true)
      .def_ro("n", &Arcs::n)
      .def_ro("negative", &Arcs::negative)
      .def_ro("integral", &Arcs::integral)
      .def("rows", &rows_of)
      .def("fill_rows", &fill_rows, arg("sources").none(), arg("distances").noconvert(),
           arg("predecessors").noconvert().none(), arg("limit"), arg("way") = "automatic",
           arg("threads") = 0)
      .def("fill_nearest", &fill_nearest, arg("sources").none(), arg("distances").noconvert(),
           arg("predecessors").noconvert(), arg("nearest").noconvert(), arg("limit"))
      .def("components", &components, arg("strong"), arg("labels").noconvert())
      .def("k_shortest", &k_shortest, arg("source"), arg("sink"), arg("k"));
}

}  // namespace apsp::python
