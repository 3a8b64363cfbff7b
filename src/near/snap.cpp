// The nearest place of a point, by a packed tree of boxes: items in the order of repeated halves,
// boxes around eight of them each, boxes around eight of these, and so on (Kamel 1993).
#include <algorithm>
#include <apsp/snap.hpp>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <span>
#include <utility>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "base/refusal.hpp"
#include "base/units.hpp"
#include "graph/vertex_states.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"
#include "system/threads.hpp"

namespace apsp {
namespace {

constexpr double kMeanEarthRadius = 6371008.8;  // metres: IUGG mean radius R1
constexpr std::size_t kChildren = 8;            // of a box

struct Position {
  double x = 0, y = 0, z = 0;

  friend Position operator+(Position a, Position b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend Position operator-(Position a, Position b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend Position operator*(double k, Position a) { return {k * a.x, k * a.y, k * a.z}; }
};

double dot(Position a, Position b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Position cross(Position a, Position b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
double squared(Position a) { return dot(a, a); }

/// A position on the sphere, in metres from its centre, or in the plane.
Position position_of(const Coordinates& all, std::size_t i, bool sphere) {
  if (!sphere) return {all.x[i], all.y[i], 0};
  const double east = all.x[i] * (std::numbers::pi / 180);
  const double north = all.y[i] * (std::numbers::pi / 180);
  return kMeanEarthRadius * Position{std::cos(north) * std::cos(east),
                                     std::cos(north) * std::sin(east), std::sin(north)};
}

struct Box {
  Position low{1, 1, 1}, high{-1, -1, -1};  // nothing

  void take(Position least, Position most) {
    if (low.x > high.x) {
      low = least;
      high = most;
      return;
    }
    low = {std::min(low.x, least.x), std::min(low.y, least.y), std::min(low.z, least.z)};
    high = {std::max(high.x, most.x), std::max(high.y, most.y), std::max(high.z, most.z)};
  }
  double squared_distance(Position p) const {
    return squared({std::max({low.x - p.x, p.x - high.x, 0.0}),
                    std::max({low.y - p.y, p.y - high.y, 0.0}),
                    std::max({low.z - p.z, p.z - high.z, 0.0})});
  }
};

struct Street {
  Vertex from = 0, to = 0;  // equal: a vertex
};

struct Found {
  double squared = std::numeric_limits<double>::infinity();  // straight through the sphere
  double share = 0;
  std::uint32_t item = 0;

  bool operator<(const Found& other) const {
    return squared < other.squared || (squared == other.squared && item < other.item);
  }
};

/// A position of an item; metres may be cut, as only an order depends on them.
struct Middle {
  std::array<float, 3> at;
  std::uint32_t item;
};

/// Tasks of a team of OpenMP take the halves. The order is the same with any number of threads.
void split(std::span<Middle> middles) {
  constexpr std::size_t kInTurn = std::size_t{1} << 14;  // so few are not worth a task
  const std::size_t count = middles.size();
  if (count <= kChildren) return;
  std::size_t held = kChildren;
  while (held * kChildren < count) held *= kChildren;
  const std::size_t half = ((count + held - 1) / held + 1) / 2 * held;
  std::array<float, 3> low = middles.front().at, high = low;
  for (const Middle& middle : middles) {
    for (std::size_t axis = 0; axis < low.size(); ++axis) {
      low[axis] = std::min(low[axis], middle.at[axis]);
      high[axis] = std::max(high[axis], middle.at[axis]);
    }
  }
  std::size_t widest = 0;
  for (std::size_t axis = 1; axis < low.size(); ++axis) {
    if (high[axis] - low[axis] > high[widest] - low[widest]) widest = axis;
  }
  std::nth_element(middles.begin(), middles.begin() + static_cast<std::ptrdiff_t>(half),
                   middles.end(),
                   [&](const Middle& a, const Middle& b) { return a.at[widest] < b.at[widest]; });
#pragma omp task if (count > kInTurn)
  split(middles.first(half));
  split(middles.subspan(half));
}

/// The items in an order in which neighbours are near each other: halves along the widest side, at
/// multiples of what a box of the next level holds. `position_of(item)`: of its middle.
template <class PositionOf>
std::vector<std::uint32_t> order_by_place(std::size_t count, int threads,
                                          const PositionOf& position_of) {
  std::vector<Middle> middles;
  middles.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Position at = position_of(i);
    middles.push_back(
        {{static_cast<float>(at.x), static_cast<float>(at.y), static_cast<float>(at.z)},
         static_cast<std::uint32_t>(i)});
  }
#pragma omp parallel num_threads(threads)
#pragma omp single
  split(middles);
  std::vector<std::uint32_t> order;
  order.reserve(count);
  for (const Middle& middle : middles) order.push_back(middle.item);
  return order;
}

class StreetTree {
  static constexpr double kBetween = 0.5;  // a share that is computed for the nearest only

 public:
  StreetTree(std::vector<Street> streets, std::vector<Position> at, bool sphere, int threads)
      : streets_(std::move(streets)), at_(std::move(at)), sphere_(sphere) {
    order_ = order_by_place(streets_.size(), threads, [&](std::size_t i) {
      return 0.5 * (at_[streets_[i].from] + at_[streets_[i].to]);
    });
    levels_.emplace_back((order_.size() + kChildren - 1) / kChildren);
#pragma omp parallel for num_threads(threads)
    for (std::size_t b = 0; b < levels_[0].size(); ++b) {
      const std::size_t end = std::min(order_.size(), (b + 1) * kChildren);
      for (std::size_t i = b * kChildren; i < end; ++i) {
        const Box box = around(streets_[order_[i]]);
        levels_[0][b].take(box.low, box.high);
      }
    }
    while (levels_.back().size() > 1) {
      const std::vector<Box>& below = levels_.back();
      std::vector<Box> boxes((below.size() + kChildren - 1) / kChildren);
      for (std::size_t i = 0; i < below.size(); ++i) {
        boxes[i / kChildren].take(below[i].low, below[i].high);
      }
      levels_.push_back(std::move(boxes));
    }
  }

  /// Requires: there are items.
  Found nearest(Position point) const {
    Found best;
    visit(levels_.size() - 1, 0, point, best);
    if (best.share == kBetween) best.share = share_of(streets_[best.item], point);
    return best;
  }
  const Street& street(const Found& found) const { return streets_[found.item]; }

 private:
  Box around(const Street& of) const {
    const Position a = at_[of.from], b = at_[of.to];
    Box box;
    box.take(a, a);
    box.take(b, b);
    if (!sphere_) return box;
    // A great circle is above its chord by at most the height of the arc; a half circle by R.
    const double half = std::min(1.0, std::sqrt(squared(b - a)) / (2 * kMeanEarthRadius));
    const double height = kMeanEarthRadius * (1 - std::sqrt(1 - half * half)) + 1e-6;  // m
    const Position all = {height, height, height};
    return {box.low - all, box.high + all};
  }

  void visit(std::size_t level, std::size_t box, Position point, Found& best) const {
    const std::size_t below = level == 0 ? order_.size() : levels_[level - 1].size();
    const std::size_t first = box * kChildren, last = std::min(first + kChildren, below);
    if (level == 0) {
      for (std::size_t i = first; i < last; ++i) best = std::min(best, on(order_[i], point));
      return;
    }
    std::array<std::pair<double, std::size_t>, kChildren> nearest;  // by insertion
    for (std::size_t i = first; i < last; ++i) {
      std::size_t to = i - first;
      const std::pair box_at(levels_[level - 1][i].squared_distance(point), i);
      for (; to > 0 && box_at < nearest[to - 1]; --to) nearest[to] = nearest[to - 1];
      nearest[to] = box_at;
    }
    for (std::size_t i = 0; i < last - first; ++i) {
      if (nearest[i].first <= best.squared) visit(level - 1, nearest[i].second, point, best);
    }
  }

  /// Its share is 0 or 1 at an end, and not known between them.
  Found on(std::uint32_t item, Position point) const {
    const Position a = at_[streets_[item].from], b = at_[streets_[item].to], way = b - a;
    Found best{squared(point - a), 0, item};
    if (squared(way) == 0) return best;
    best = std::min(best, {squared(point - b), 1, item});
    if (!sphere_) {
      const double share = dot(point - a, way) / squared(way);
      if (!(share > 0 && share < 1)) return best;
      return std::min(best, {squared(point - (a + share * way)), kBetween, item});
    }
    const Position normal = cross(a, way), place = on_circle(point, normal);
    // Opposite ends have no normal, and no great circle is the shortest.
    if (squared(normal) == 0 || squared(place) == 0) return best;
    const bool between =
        dot(cross(a, place - a), normal) > 0 && dot(cross(place, b - place), normal) > 0;
    return between ? std::min(best, {squared(point - place), kBetween, item}) : best;
  }

  /// The position on a great circle that is nearest to a point; 0 if all are.
  static Position on_circle(Position point, Position normal) {
    const Position place = point - (dot(point, normal) / squared(normal)) * normal;
    const double length = std::sqrt(squared(place));
    return length == 0 ? Position() : kMeanEarthRadius / length * place;
  }

  double share_of(const Street& of, Position point) const {
    const Position a = at_[of.from], b = at_[of.to], way = b - a;
    if (!sphere_) return dot(point - a, way) / squared(way);
    const Position normal = cross(a, way), place = on_circle(point, normal);
    const double whole = std::sqrt(squared(normal));
    return std::atan2(dot(cross(a, place - a), normal) / whole, dot(a, place)) /
           std::atan2(whole, dot(a, b));
  }

  std::vector<Street> streets_;
  std::vector<Position> at_;  // [n]
  bool sphere_;
  std::vector<std::uint32_t> order_;
  std::vector<std::vector<Box>> levels_;
};

std::vector<Street> items_of(const Graph& graph, Snap to) {
  std::vector<Street> items;
  const graph::VertexStates states(graph);
  const auto n = static_cast<Vertex>(states.vertices());
  if (to == Snap::vertex) {
    for (Vertex v = 0; v < n; ++v) items.push_back({v, v});
    return items;
  }
  const auto has_arc = [&](Vertex u, Vertex v) {
    bool any = false;
    states.for_each_arc_between(graph, u, v, [&](Vertex, double) { any = true; });
    return any;
  };
  for (Vertex u = 0; u < n; ++u) {
    graph.for_each_arc(u, [&](Vertex head, double) {
      const Vertex v = states.vertex_of(head);
      const Street street{std::min(u, v), std::max(u, v)};
      const bool repeated =
          !items.empty() && items.back().from == street.from && items.back().to == street.to;
      if (u != v && !repeated && (u < v || (graph.directed() && !has_arc(v, u))))
        items.push_back(street);
    });
  }
  return items;
}

double walk_of(const Found& found, bool sphere) {
  const double straight = std::sqrt(found.squared);
  if (!sphere) return straight;
  return 2 * kMeanEarthRadius * std::asin(std::min(1.0, straight / (2 * kMeanEarthRadius)));
}

Place place_of(const Street& street, const Found& found, double walk) {
  constexpr double kRounding = 1e-9;  // of a share; turn costs differ at an end and next to it
  if (found.share <= kRounding) return {street.from, street.from, 0, walk};
  if (found.share >= 1 - kRounding) return {street.to, street.to, 0, walk};
  return {street.from, street.to, found.share, walk};
}

bool are_degrees(const Coordinates& at) {
  const auto within = [](const std::vector<double>& values, double most) {
    return std::ranges::all_of(values, [most](double value) { return std::abs(value) <= most; });
  };
  return at.degrees || (within(at.x, 180) && within(at.y, 90));
}

void require_points(const Graph& graph, const Coordinates& at, const Coordinates& points) {
  const auto n = static_cast<std::size_t>(graph.vertex_count());
  refuse_if(at.x.size() != n || at.y.size() != n, "{} for {}",
            base::counted(std::ssize(at.x), "position", "positions"),
            base::counted(graph.vertex_count(), "vertex", "vertices"));
  refuse_if(points.degrees && !are_degrees(at),
            "the points have longitudes and latitudes, and the vertices other coordinates: give "
            "both in degrees, with the titles lon and lat, or both as x and y");
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    if (std::isfinite(points.x[i]) && std::isfinite(points.y[i])) continue;
    base::fail(ErrorKind::input, "point {} is at ({}, {}), which is no place", i + 1, points.x[i],
               points.y[i]);
  }
}

}  // namespace

std::vector<Place> snap(const Graph& graph, const Coordinates& at, const Coordinates& points,
                        const SnapOptions& options) {
  require_points(graph, at, points);
  constexpr double kBytes = 8 + 20 + 48.0 / kChildren * 8 / 7;  // item, middle, order, boxes
  const double items_at_most = options.to == Snap::vertex
                                   ? static_cast<double>(graph.vertex_count())
                                   : static_cast<double>(graph.arc_count());
  system::plan_memory(kBytes * items_at_most + 24.0 * static_cast<double>(at.x.size()) +
                          80.0 * static_cast<double>(points.x.size()),
                      "the places of points", "take fewer points, or more memory");
  std::vector<Street> items = items_of(graph, options.to);
  refuse_if(items.empty(), "the graph has no {} to which points could belong",
            options.to == Snap::vertex ? "vertices" : "streets");
  const bool sphere = at.degrees || points.degrees;
  std::vector<Position> positions(at.x.size());
  const int threads = system::thread_count(options.threads);
#pragma omp parallel for num_threads(threads)
  for (std::size_t v = 0; v < positions.size(); ++v) positions[v] = position_of(at, v, sphere);
  const StreetTree tree(std::move(items), std::move(positions), sphere, threads);
  std::vector<Position> asked(points.x.size());
  for (std::size_t i = 0; i < asked.size(); ++i) asked[i] = position_of(points, i, sphere);
  // Neighbours one after another, so that the boxes and streets around them stay in the cache.
  const auto order = order_by_place(asked.size(), threads, [&](std::size_t i) { return asked[i]; });
  std::vector<Place> places(asked.size());
  system::for_each_row(std::ssize(places), threads, options.control, [&](std::int64_t row) {
    const std::size_t i = order[static_cast<std::size_t>(row)];
    const Found found = tree.nearest(asked[i]);
    places[i] = place_of(tree.street(found), found, walk_of(found, sphere));
  });
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i].walk <= options.limit) continue;
    base::fail(ErrorKind::input,
               "point {}, at ({}, {}), is {} away from the network, and the limit is {}", i + 1,
               points.x[i], points.y[i], base::format_value(places[i].walk),
               base::format_value(options.limit));
  }
  return places;
}

}  // namespace apsp
