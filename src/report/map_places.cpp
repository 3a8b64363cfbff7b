#include "report/map_places.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "graph/components.hpp"
#include "report/drawing.hpp"

namespace apsp::report {
namespace {

constexpr double kCircle = 360;

/// Degrees from `from` eastwards, 0 … 360.
double behind(double from, double longitude) {
  const double wrapped = std::fmod(longitude - from, kCircle);
  return wrapped < 0 ? wrapped + kCircle : wrapped;
}

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

double extent(const Coordinates& coordinates, std::span<const Vertex> vertices) {
  Extent across, up;
  for (const Vertex v : vertices) {
    across.take(coordinates.x[v]);
    up.take(coordinates.y[v]);
  }
  return std::max(across.length(), up.length());
}

constexpr std::size_t kMostPivots = 50;
constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();

using Vector = std::vector<double>;

/// Distances of members from pivots, [pivots][members]. Each pivot is the vertex furthest from all
/// earlier ones. Members without a path get the largest distance of the others.
std::vector<Vector> pivot_rows(const Result& result, const std::vector<Vertex>& members,
                               const Control& control) {
  const std::size_t count = std::min(members.size(), kMostPivots);
  base::ProgressTask progress(control, "places", static_cast<double>(count), "row");
  std::vector<Vector> rows;
  Vector nearest(members.size(), std::numeric_limits<double>::infinity());
  std::size_t pivot = 0;
  while (rows.size() < count) {
    base::check_cancelled(control);
    const Vector row = result.distances_from(members[pivot]);
    double furthest = 0;
    for (const Vertex v : members) {
      if (std::isfinite(row[v])) furthest = std::max(furthest, row[v]);
    }
    Vector& kept = rows.emplace_back(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      kept[i] = std::isfinite(row[members[i]]) ? row[members[i]] : furthest;
      nearest[i] = std::min(nearest[i], kept[i]);
    }
    nearest[pivot] = -1;
    pivot = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) -
                                     nearest.begin());
    progress.advance(1);
  }
  return rows;
}

/// Sets rows to −½ d², centred over members and pivots.
void centre(std::vector<Vector>& rows) {
  const auto members = static_cast<double>(rows.front().size());
  Vector of_member(rows.front().size());
  for (Vector& row : rows) {
    for (double& value : row) value = -0.5 * value * value;
    const double mean = std::accumulate(row.begin(), row.end(), 0.0) / members;
    for (std::size_t i = 0; i < row.size(); ++i) {
      row[i] -= mean;
      of_member[i] += row[i] / static_cast<double>(rows.size());
    }
  }
  for (Vector& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) row[i] -= of_member[i];
  }
}

double product(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// The dominant unit eigenvector of a symmetric matrix by power iteration, orthogonal to `other`
/// unless that is empty.
Vector strongest(const std::vector<Vector>& matrix, const Vector& other) {
  constexpr int kSteps = 200;
  Vector direction(matrix.size());
  for (std::size_t i = 0; i < direction.size(); ++i) {
    direction[i] =
        1 + 0.37 * static_cast<double>(i % 7);  // unlikely to be orthogonal to the result
  }
  for (int step = 0; step < kSteps; ++step) {
    if (!other.empty()) {
      const double along = product(direction, other);
      for (std::size_t i = 0; i < direction.size(); ++i) direction[i] -= along * other[i];
    }
    const double length = std::sqrt(product(direction, direction));
    if (!(length > 0)) break;
    for (double& part : direction) part /= length;
    if (step + 1 == kSteps) break;
    Vector next(direction.size());
    for (std::size_t i = 0; i < next.size(); ++i) next[i] = product(matrix[i], direction);
    direction = std::move(next);
  }
  return direction;
}

/// The vertices of the largest weak component in increasing order. Requires: at least one vertex.
std::vector<Vertex> largest_members(const Graph& graph) {
  const Components components = weak_components(graph);
  const std::vector<std::int64_t> sizes = components.sizes();
  const auto largest = std::max_element(sizes.begin(), sizes.end()) - sizes.begin();
  std::vector<Vertex> members;
  for (Vertex v = 0; v < components.of.size(); ++v) {
    if (components.of[v] == largest) members.push_back(v);
  }
  return members;
}

}  // namespace

void require_places(const Graph& graph, const Coordinates& coordinates) {
  const std::int64_t n = graph.vertex_count();
  refuse_if(std::ssize(coordinates.x) != n || std::ssize(coordinates.y) != n,
            "coordinates of {} and {} vertices for {}", coordinates.x.size(), coordinates.y.size(),
            n);
  for (Vertex v = 0; v < n; ++v) {
    if (std::isfinite(coordinates.x[v]) && std::isfinite(coordinates.y[v])) continue;
    throw usage_error("the coordinates of {} are not finite", graph.name(v));
  }
}

Coordinates framed(const Graph& graph, Coordinates coordinates) {
  const std::size_t n = coordinates.x.size();
  if (n == 0) return coordinates;
  if (coordinates.degrees) {
    const double from = end_of_widest_gap(coordinates.x);
    for (double& longitude : coordinates.x) longitude = from + behind(from, longitude);
  }
  const std::vector<Vertex> members = largest_members(graph);
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

Coordinates distance_layout(const Result& result, const Control& control) {
  const auto n = static_cast<std::size_t>(result.vertex_count());
  Coordinates places{Vector(n, kNowhere), Vector(n, kNowhere), false};
  if (n == 0) return places;
  const std::vector<Vertex> members = largest_members(result.graph());
  std::vector<Vector> rows = pivot_rows(result, members, control);
  centre(rows);
  std::vector<Vector> squared(rows.size(), Vector(rows.size()));
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = 0; b <= a; ++b) {
      squared[a][b] = squared[b][a] = product(rows[a], rows[b]);
    }
  }
  const Vector across = strongest(squared, {});
  const Vector up = strongest(squared, across);
  for (std::size_t i = 0; i < members.size(); ++i) {
    double x = 0, y = 0;
    for (std::size_t pivot = 0; pivot < rows.size(); ++pivot) {
      x += across[pivot] * rows[pivot][i];
      y += up[pivot] * rows[pivot][i];
    }
    places.x[members[i]] = x;
    places.y[members[i]] = y;
  }
  return places;
}

}  // namespace apsp::report
