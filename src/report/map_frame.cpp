#include "report/map_frame.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/components.hpp"

namespace apsp::report {
namespace {

constexpr double kCircle = 360;

/// Degrees behind `from`, 0 … 360.
double behind(double from, double longitude) {
  const double wrapped = std::fmod(longitude - from, kCircle);
  return wrapped < 0 ? wrapped + kCircle : wrapped;
}

/// Where the widest gap between longitudes ends.
double end_of_widest_gap(std::vector<double> longitudes) {
  for (double& longitude : longitudes) longitude = behind(0, longitude);
  std::sort(longitudes.begin(), longitudes.end());
  double end = longitudes.front();
  double widest = longitudes.front() + kCircle - longitudes.back();
  for (std::size_t i = 1; i < longitudes.size(); ++i) {
    if (longitudes[i] - longitudes[i - 1] <= widest) continue;
    widest = longitudes[i] - longitudes[i - 1];
    end = longitudes[i];
  }
  return end;
}

/// The longer side of what some vertices take.
template <class Vertices>
double extent(const Coordinates& coordinates, const Vertices& vertices) {
  double least[2], greatest[2];
  std::fill_n(least, 2, std::numeric_limits<double>::infinity());
  std::fill_n(greatest, 2, -std::numeric_limits<double>::infinity());
  for (const Vertex v : vertices) {
    const double at[2] = {coordinates.x[v], coordinates.y[v]};
    for (int axis = 0; axis < 2; ++axis) {
      least[axis] = std::min(least[axis], at[axis]);
      greatest[axis] = std::max(greatest[axis], at[axis]);
    }
  }
  return std::max(greatest[0] - least[0], greatest[1] - least[1]);
}

}  // namespace

void require_places(const Graph& graph, const Coordinates& coordinates) {
  const std::int64_t n = graph.vertex_count();
  if (std::ssize(coordinates.x) != n || std::ssize(coordinates.y) != n) {
    throw Error(ErrorKind::usage, fmt::format("coordinates of {} and {} vertices for {}",
                                              coordinates.x.size(), coordinates.y.size(), n));
  }
  for (Vertex v = 0; v < n; ++v) {
    if (std::isfinite(coordinates.x[v]) && std::isfinite(coordinates.y[v])) continue;
    throw Error(ErrorKind::usage,
                fmt::format("the coordinates of {} are not finite", graph.name(v)));
  }
}

std::vector<Vertex> largest_component(const Graph& graph) {
  const Components components = weak_components(graph);
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(components.count));
  for (const std::int64_t of : components.of) ++sizes[static_cast<std::size_t>(of)];
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  std::vector<Vertex> members;
  for (Vertex v = 0; v < components.of.size(); ++v) {
    if (components.of[v] == largest) members.push_back(v);
  }
  return members;
}

Coordinates framed(const Graph& graph, Coordinates coordinates) {
  const std::size_t n = coordinates.x.size();
  if (n == 0) return coordinates;
  if (coordinates.degrees) {
    const double from = end_of_widest_gap(coordinates.x);
    for (double& longitude : coordinates.x) longitude = from + behind(from, longitude);
  }
  const std::vector<Vertex> members = largest_component(graph);
  std::vector<Vertex> others;
  for (Vertex v = 0; v < n; ++v) {
    if (!std::binary_search(members.begin(), members.end(), v)) others.push_back(v);
  }
  std::vector<Vertex> all = members;
  all.insert(all.end(), others.begin(), others.end());
  const bool most = 10 * others.size() < n;
  if (most && 2 * extent(coordinates, all) > 3 * extent(coordinates, members)) {
    for (const Vertex v : others) {
      coordinates.x[v] = coordinates.y[v] = std::numeric_limits<double>::quiet_NaN();
    }
  }
  return coordinates;
}

}  // namespace apsp::report
