// Reports, and the data of their pictures.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/apsp.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

/// Positions of vertices: a file, two arrays [n], or nothing.
struct GivenPlaces {
  std::optional<std::string> file;
  std::optional<Coordinates> arrays;

  GivenPlaces(std::optional<std::string> path, const std::optional<Values<double>>& x,
              const std::optional<Values<double>>& y, bool degrees)
      : file(std::move(path)) {
    const auto vector = [](const Values<double>& values) {
      return std::vector<double>(values.data(), values.data() + values.shape(0));
    };
    if (x && y) arrays = Coordinates{vector(*x), vector(*y), degrees};
  }
  std::optional<Coordinates> read(const Graph& graph, const Control& control) const {
    return file ? read_coordinates(*file, graph, control) : arrays;
  }
};

/// The page, or "" if it is written to a file.
nb::object reported(const Result& result, const std::optional<std::string>& path,
                    const std::optional<std::string>& coordinates,
                    const std::optional<Values<double>>& x, const std::optional<Values<double>>& y,
                    bool degrees, const std::string& title, const std::string& unit,
                    const std::vector<std::pair<std::string, std::vector<double>>>& maps,
                    std::size_t top, bool verify, const nb::object& progress) {
  const GivenPlaces given(coordinates, x, y, degrees);
  ReportOptions options;
  options.title = title;
  options.unit = unit;
  for (const auto& [map_title, values] : maps) options.maps.push_back({map_title, values});
  options.top = top;
  return to_python(call(
      [&](const Control& control) {
        options.control = control;
        options.coordinates = given.read(result.graph(), control);
        if (verify) options.verification = result.verify({.control = control});
        if (!path) return report_page(result, options);
        write_report(result, *path, options);
        return std::string();
      },
      progress));
}

/// (x [n], y [n], whether they are degrees); NaN: not drawn.
nb::tuple places(const Result& result, const std::optional<std::string>& coordinates,
                 const std::optional<Values<double>>& x, const std::optional<Values<double>>& y,
                 bool degrees) {
  const GivenPlaces given(coordinates, x, y, degrees);
  Coordinates found = call([&](const Control& control) {
    return map_places(result, given.read(result.graph(), control), control);
  });
  return nb::make_tuple(array_of(std::move(found.x)), array_of(std::move(found.y)), found.degrees);
}

/// (rows, columns, distances [rows · columns], whether near vertices are adjacent).
nb::tuple sample(const Result& result, std::size_t most) {
  DistanceSample found =
      call([&](const Control& control) { return sample_distances(result, most, control); });
  const auto numbers = [](const std::vector<Vertex>& vertices) {
    return array_of(std::vector<std::int64_t>(vertices.begin(), vertices.end()));
  };
  return nb::make_tuple(numbers(found.sources), numbers(found.targets),
                        array_of(std::move(found.distances)), found.ordered);
}

}  // namespace

void bind_report(nb::module_& module) {
  using nb::arg;
  module.def("page", &reported, arg("result"), arg("path").none(), arg("coordinates").none(),
             arg("x").none(), arg("y").none(), arg("degrees"), arg("title"), arg("unit"),
             arg("maps"), arg("top"), arg("verify"), arg("progress").none());
  module.def("places", &places, arg("result"), arg("coordinates").none(), arg("x").none(),
             arg("y").none(), arg("degrees"));
  module.def("sample", &sample, arg("result"), arg("most"));
}

}  // namespace apsp::python
