// What the NetworkX backend asks of the library beside rows: totals over all pairs, of which no
// matrix is kept.
#include <nanobind/ndarray.h>

#include <apsp/apsp.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "call.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

template <class T>
using Values = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Column = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

Graph directed_graph(const Values<std::int64_t>& offsets, const Values<std::int32_t>& targets,
                     const Values<double>& weights) {
  const auto n = static_cast<std::int64_t>(offsets.shape(0)) - 1;
  const auto m = static_cast<std::int64_t>(targets.shape(0));
  if (n < 0 || offsets.data()[0] != 0 || offsets.data()[n] != m ||
      static_cast<std::int64_t>(weights.shape(0)) != m) {
    throw Error(ErrorKind::usage, "offsets, targets and weights do not describe rows of one graph");
  }
  GraphBuilder builder(n);
  builder.reserve(m);
  for (std::int64_t v = 0; v < n; ++v) {
    for (std::int64_t arc = offsets.data()[v]; arc < offsets.data()[v + 1]; ++arc) {
      builder.add_edge(static_cast<Vertex>(v), static_cast<Vertex>(targets.data()[arc]),
                       weights.data()[arc]);
    }
  }
  return std::move(builder).build();
}

Column column_of(const std::vector<double>& values) {
  auto* const held = new std::vector<double>(values);
  const nb::capsule owner(
      held, [](void* pointer) noexcept { delete static_cast<std::vector<double>*>(pointer); });
  return Column(held->data(), {held->size()}, owner);
}

/// (connected, pairs, mean, eccentricity [n], closeness [n], harmonic [n])
nb::object solve_totals(const Values<std::int64_t>& offsets, const Values<std::int32_t>& targets,
                        const Values<double>& weights, bool whole, int threads) {
  const Statistics found = call([&](const Control& control) {
    SolveOptions options{.device = Device::cpu};
    if (!whole) options.value_type = ValueType::f64;
    options.threads = threads;
    options.keep = Keep::statistics;
    options.control = control;
    return solve(directed_graph(offsets, targets, weights), options).statistics();
  });
  return nb::make_tuple(found.connected, found.reachable_pairs, found.mean.value_or(0.0),
                        column_of(found.eccentricity), column_of(found.closeness),
                        column_of(found.harmonic));
}

}  // namespace

void bind_totals(nb::module_& module) {
  module.def(
      "solve_totals", &solve_totals, nb::arg("offsets").noconvert(), nb::arg("targets").noconvert(),
      nb::arg("weights").noconvert(), nb::arg("whole"), nb::arg("threads") = 0,
      "(connected, pairs, mean, eccentricity [n], closeness [n], harmonic [n]) of compressed "
      "sparse rows, in f64 unless all weights are `whole`. The same statistics as apsp.solve's.");
}

}  // namespace apsp::python
