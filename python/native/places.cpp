// Points on a map, their places, and paths of many pairs.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <apsp/apsp.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "bindings.hpp"
#include "call.hpp"
#include "choices.hpp"
#include "places.hpp"

namespace nb = nanobind;

namespace apsp::python {
namespace {

Coordinates coordinates_of(const Values<double>& x, const Values<double>& y, bool degrees) {
  const auto east = span_of(x), north = span_of(y);
  return {{east.begin(), east.end()}, {north.begin(), north.end()}, degrees};
}

PlaceList snapped(const Graph& graph, const Values<double>& at_x, const Values<double>& at_y,
                  bool at_degrees, const Values<double>& x, const Values<double>& y, bool degrees,
                  bool arcs, double limit, const nb::object& progress) {
  return call(
      [&](const Control& control) {
        return PlaceList{
            snap(graph, coordinates_of(at_x, at_y, at_degrees), coordinates_of(x, y, degrees),
                 {.to = arcs ? Snap::arc : Snap::vertex, .limit = limit, .control = control})};
      },
      progress);
}

/// [places] a field of each.
template <class T, class Field>
nb::object field_of(const PlaceList& list, Field Place::*field) {
  std::vector<T> values;
  for (const Place& place : list.places) values.push_back(static_cast<T>(place.*field));
  return array_of(std::move(values));
}

PlaceList some_of(const PlaceList& list, const Values<std::int64_t>& rows) {
  PlaceList some;
  for (const std::int64_t row : span_of(rows)) {
    some.places.push_back(list.places.at(static_cast<std::size_t>(row)));
  }
  return some;
}

nb::object distances_between(const Result& result, const PlaceList& from, const PlaceList& to,
                             std::int64_t memory, int threads, const nb::object& progress) {
  return array_of(call(
      [&](const Control& control) {
        return place_distances(
            result.graph(), from.places, to.places, [&](std::span<const VertexPair> pairs) {
              return result.distances(pairs,
                                      {.memory = memory, .threads = threads, .control = control});
            });
      },
      progress));
}

/// (x, y, degrees, names, [(title, texts or numbers)]).
nb::tuple read_points_of(const std::string& path) {
  PointTable points =
      *call([&](const Control& control) { return read_points(path, true, control); });
  nb::list columns;
  for (PointColumn& of : points.columns) {
    columns.append(nb::make_tuple(
        of.title, of.texts.empty() ? array_of(std::move(of.numbers)) : nb::cast(of.texts)));
  }
  return nb::make_tuple(array_of(std::move(points.at.x)), array_of(std::move(points.at.y)),
                        points.at.degrees, points.names, columns);
}

std::vector<VertexPair> pairs_between(const Values<std::int64_t>& sources,
                                      const Values<std::int64_t>& targets) {
  std::vector<VertexPair> pairs;
  const auto from = span_of(sources), to = span_of(targets);
  for (std::size_t i = 0; i < from.size(); ++i) {
    pairs.push_back({static_cast<Vertex>(from[i]), static_cast<Vertex>(to[i])});
  }
  return pairs;
}

/// ([pairs + 1], vertices, edges, distances).
nb::tuple described(PathSteps&& steps) {
  return nb::make_tuple(
      array_of(std::move(steps.first)),
      array_of(std::vector<std::int64_t>(steps.vertices.begin(), steps.vertices.end())),
      array_of(std::move(steps.edges)), array_of(std::move(steps.distances)));
}

using PathsOf = std::function<PathSteps(std::span<const VertexPair>)>;

/// `sources`, `targets`: numbers of vertices, or lists of places. `paths` is made for a control.
template <class MakePaths>
nb::tuple steps_between(const Graph& graph, const nb::object& sources, const nb::object& targets,
                        const nb::object& progress, const MakePaths& paths) {
  if (nb::isinstance<PlaceList>(sources)) {
    const auto& from = nb::cast<const PlaceList&>(sources);
    const auto& to = nb::cast<const PlaceList&>(targets);
    return described(call(
        [&](const Control& control) {
          return place_paths(graph, from.places, to.places, PathsOf(paths(control)));
        },
        progress));
  }
  const std::vector<VertexPair> pairs = pairs_between(nb::cast<Values<std::int64_t>>(sources),
                                                      nb::cast<Values<std::int64_t>>(targets));
  return described(call([&](const Control& control) { return paths(control)(pairs); }, progress));
}

nb::tuple steps_of_result(const Result& result, const nb::object& sources,
                          const nb::object& targets, int threads, const nb::object& progress) {
  return steps_between(result.graph(), sources, targets, progress, [&](const Control& control) {
    return [&](std::span<const VertexPair> pairs) {
      return path_steps(result, pairs, {.threads = threads, .control = control});
    };
  });
}

nb::tuple steps_of_graph(const Graph& graph, const nb::object& sources, const nb::object& targets,
                         const nb::dict& given, const nb::object& progress) {
  SolveOptions options = options_of(given);
  return steps_between(graph, sources, targets, progress, [&](const Control& control) {
    options.control = control;
    return [&](std::span<const VertexPair> pairs) { return path_steps(graph, pairs, options); };
  });
}

}  // namespace

std::optional<PlacedPoints> points_of(const nb::object& given) {
  if (given.is_none()) return std::nullopt;
  const auto parts = nb::cast<nb::tuple>(given);
  PlacedPoints points;
  points.places = nb::cast<const PlaceList&>(parts[0]).places;
  points.points.names = nb::cast<std::vector<std::string>>(parts[1]);
  for (const nb::handle column : nb::cast<nb::list>(parts[2])) {
    const auto pair = nb::cast<nb::tuple>(column);
    PointColumn of{nb::cast<std::string>(pair[0]), {}, {}};
    if (nb::isinstance<nb::list>(pair[1])) {
      of.texts = nb::cast<std::vector<std::string>>(pair[1]);
    } else {
      const auto numbers = nb::cast<Values<double>>(pair[1]);
      of.numbers.assign(numbers.data(), numbers.data() + numbers.shape(0));
    }
    points.points.columns.push_back(std::move(of));
  }
  return points;
}

void bind_places(nb::module_& module) {
  nb::class_<PlaceList>(module, "PlaceList")
      .def("__len__", [](const PlaceList& list) { return list.places.size(); })
      .def_prop_ro("froms",
                   [](const PlaceList& l) { return field_of<std::int64_t>(l, &Place::from); })
      .def_prop_ro("tos", [](const PlaceList& l) { return field_of<std::int64_t>(l, &Place::to); })
      .def_prop_ro("shares", [](const PlaceList& l) { return field_of<double>(l, &Place::share); })
      .def_prop_ro("walks", [](const PlaceList& l) { return field_of<double>(l, &Place::walk); })
      .def("some", &some_of);
  module.def("snap", &snapped, nb::arg("graph"), nb::arg("at_x"), nb::arg("at_y"),
             nb::arg("at_degrees"), nb::arg("x"), nb::arg("y"), nb::arg("degrees"), nb::arg("arcs"),
             nb::arg("limit"), nb::arg("progress").none());
  module.def("no_places", [] { return PlaceList{}; });
  module.def("with_places",
             [](const Graph& graph, const PlaceList& origins, const PlaceList& destinations) {
               return call([&](const Control&) {
                 return with_places(graph, origins.places, destinations.places);
               });
             });
  module.def("place_distances", &distances_between, nb::arg("result"), nb::arg("sources"),
             nb::arg("targets"), nb::arg("memory"), nb::arg("threads"), nb::arg("progress").none());
  module.def("read_points", &read_points_of);
  module.def("read_places", [](const Graph& graph, const std::string& path) {
    Coordinates at =
        call([&](const Control& control) { return read_coordinates(path, graph, control); });
    return nb::make_tuple(array_of(std::move(at.x)), array_of(std::move(at.y)), at.degrees);
  });
  module.def("path_steps_of_result", &steps_of_result, nb::arg("result"), nb::arg("sources"),
             nb::arg("targets"), nb::arg("threads"), nb::arg("progress").none());
  module.def("path_steps_of_graph", &steps_of_graph, nb::arg("graph"), nb::arg("sources"),
             nb::arg("targets"), nb::arg("options"), nb::arg("progress").none());
}

}  // namespace apsp::python
