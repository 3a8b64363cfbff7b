// Solved graphs, with vertices as numbers.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <apsp/apsp.hpp>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "describe.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

/// A row or a path of a factor takes milliseconds; one distance takes microseconds.
template <class Work>
auto call_for(const Result& result, Work&& work) {
  constexpr std::int64_t kBriefRow = 4096;  // vertices: some 5 µs to copy
  if (result.kept() == Keep::matrix && result.matrix() && result.vertex_count() <= kBriefRow) {
    return call_brief(work);
  }
  return call(work);
}

/// A view of the matrix [rows, columns], kept alive by the result; None if it is not in memory.
nb::object matrix_of(nb::handle self) {
  const auto& result = nb::cast<const Result&>(self);
  const std::optional<RowBlock> matrix = result.matrix();
  if (!matrix) return nb::none();
  const auto n = static_cast<std::size_t>(result.vertex_count());
  const std::size_t shape[2] = {matrix->sources.empty() ? n : matrix->sources.size(),
                                result.targets().empty() ? n : result.targets().size()};
  const std::int64_t strides[2] = {matrix->stride, 1};
  const auto view = [&]<class T>(T) {
    return nb::cast(nb::ndarray<nb::numpy, const T, nb::ndim<2>>(
        static_cast<const T*>(matrix->values), 2, shape, self, strides));
  };
  switch (matrix->type) {
    case ValueType::f32:
      return view(float());
    case ValueType::f64:
      return view(double());
    case ValueType::i32:
      return view(std::int32_t());
    case ValueType::u16:
      return view(std::uint16_t());
    case ValueType::boolean:
      return view(bool());
  }
  return nb::none();
}

double distance_of(const Result& result, Vertex s, Vertex t) {
  const auto ask = [&](const Control&) { return result.distance(s, t); };
  const bool on_disk = result.kept() == Keep::matrix && !result.matrix();
  return on_disk ? call(ask) : call_brief(ask);
}

nb::object row_of(const Result& result, Vertex s) {
  return array_of(call_for(result, [&](const Control&) { return result.distances_from(s); }));
}

nb::object distances_of(const Result& result, const Values<std::int64_t>& from,
                        const Values<std::int64_t>& to, std::int64_t memory, int threads,
                        const nb::object& progress) {
  if (from.shape(0) != to.shape(0)) throw Error(ErrorKind::usage, "pairs of two lengths");
  return array_of(call(
      [&](const Control& control) {
        std::vector<VertexPair> pairs(from.shape(0));
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          pairs[i] = {static_cast<Vertex>(from.data()[i]), static_cast<Vertex>(to.data()[i])};
        }
        return result.distances(pairs, {.memory = memory, .threads = threads, .control = control});
      },
      progress));
}

nb::dict verified(const Result& result, std::int64_t sources, std::uint64_t seed,
                  std::optional<double> tolerance, const nb::object& progress) {
  VerifyOptions options{.sources = sources, .seed = seed, .tolerance = tolerance};
  return describe(call(
      [&](const Control& control) {
        options.control = control;
        return result.verify(options);
      },
      progress));
}

Result updated(const Result& result, const Graph& graph, const nb::dict& given,
               const nb::object& progress) {
  UpdateOptions options = update_options_of(given);
  return call(
      [&](const Control& control) {
        options.control = control;
        return result.update(graph, options);
      },
      progress);
}

std::vector<Vertex> listed(std::span<const Vertex> vertices) {
  return {vertices.begin(), vertices.end()};
}

}  // namespace

void bind_result(nb::module_& module) {
  nb::class_<Result>(module, "Result")
      .def_prop_ro("graph", [](const Result& result) { return result.graph(); })
      .def_prop_ro("first_id", &Result::first_id)
      .def_prop_ro("vertex_count", &Result::vertex_count)
      .def_prop_ro("semiring", [](const Result& result) { return name(result.semiring()); })
      .def_prop_ro("value_type", [](const Result& result) { return name(result.value_type()); })
      .def_prop_ro("kept", [](const Result& result) { return name(result.kept()); })
      .def_prop_ro("sources", [](const Result& result) { return listed(result.sources()); })
      .def_prop_ro("targets", [](const Result& result) { return listed(result.targets()); })
      .def("report", [](const Result& result) { return describe(result.report()); })
      .def("matrix", &matrix_of)
      .def("distance", &distance_of)
      .def("distances_of", &distances_of, nb::arg("sources"), nb::arg("targets"), nb::arg("memory"),
           nb::arg("threads"), nb::arg("progress").none())
      .def("row", &row_of)
      .def("update", &updated, nb::arg("graph"), nb::arg("options"), nb::arg("progress").none())
      .def("path",
           [](const Result& result, Vertex s, Vertex t) {
             return call_for(result, [&](const Control&) { return result.path(s, t); });
           })
      .def("predecessors",
           [](const Result& result, Vertex s) {
             return array_of(
                 call_for(result, [&](const Control&) { return result.predecessors(s); }));
           })
      .def(
          "statistics",
          [](const Result& result, const nb::object& progress) {
            return describe(*call(
                [&](const Control& control) { return &result.statistics(control); }, progress));
          },
          nb::arg("progress").none())
      .def(
          "component_statistics",
          [](const Result& result, const nb::object& progress) {
            return describe(
                call([&](const Control& control) { return result.component_statistics(control); },
                     progress));
          },
          nb::arg("progress").none())
      .def("verify", &verified, nb::arg("sources"), nb::arg("seed"), nb::arg("tolerance").none(),
           nb::arg("progress").none())
      .def(
          "save",
          [](const Result& result, const std::string& path, bool compress,
             const nb::object& progress) {
            call([&](const Control& control) { result.save(path, compress, control); }, progress);
          },
          nb::arg("path"), nb::arg("compress"), nb::arg("progress").none());
}

}  // namespace apsp::python
