// A network that looks like roads: a percolated grid of streets, some of them with bends, and
// arterial roads.
//
// The grid keeps a street with probability 0.72, so that dead ends and holes of all sizes arise.
// Half a bend a street, on average, makes chains of vertices of two neighbours. The vertices are
// those nearest to the middle, in streets, in that order; so they are connected, and have 2.5
// neighbours on average.
#include <cmath>
#include <vector>

#include "base/control.hpp"
#include "graph/generators.hpp"

namespace apsp::patterns {
namespace {

constexpr std::uint64_t kKept = 72, kOutOf = 100;  // streets of the grid
constexpr std::uint64_t kBend = 3;                 // one more bend with probability 1/3
constexpr std::int64_t kArterial = 16;             // from one arterial road to the next, streets
constexpr double kArterialSpeed = 3;

/// A street to the right or down: how many bends it has, or that there is none.
class Streets {
 public:
  Streets(std::int64_t side, base::SplitMix64 random)
      : side_(side), bends_(static_cast<std::size_t>(2 * side * side), kNone) {
    for (std::int64_t at = 0; at < side * side; ++at) {
      base::poll(static_cast<std::size_t>(at));
      const std::int64_t row = at / side, col = at % side;
      if (col + 1 < side) draw(2 * at, row % kArterial == 0, random);
      if (row + 1 < side) draw(2 * at + 1, col % kArterial == 0, random);
    }
  }

  std::int64_t side() const { return side_; }

  /// visit(neighbour, bends, is_arterial) for the streets of a junction.
  template <class Visit>
  void for_each_street(std::int64_t at, Visit&& visit) const {
    const std::int64_t row = at / side_, col = at % side_;
    const auto give = [&](std::int64_t street, std::int64_t to, bool is_arterial) {
      const std::uint8_t bends = bends_[static_cast<std::size_t>(street)];
      if (bends != kNone) visit(to, bends, is_arterial);
    };
    if (col > 0) give(2 * (at - 1), at - 1, row % kArterial == 0);
    if (row > 0) give(2 * (at - side_) + 1, at - side_, col % kArterial == 0);
    give(2 * at, at + 1, row % kArterial == 0);
    give(2 * at + 1, at + side_, col % kArterial == 0);
  }

 private:
  static constexpr std::uint8_t kNone = 255, kMost = 100;

  void draw(std::int64_t street, bool is_arterial, base::SplitMix64& random) {
    const bool kept = random.below(kOutOf) < kKept;
    std::uint8_t bends = 0;
    while (bends < kMost && random.below(kBend) == 0) ++bends;
    if (kept || is_arterial) bends_[static_cast<std::size_t>(street)] = bends;
  }

  std::int64_t side_;
  std::vector<std::uint8_t> bends_;  // [2 · junctions] to the right, down
};

/// The first n vertices from the middle; fewer where the grid is too small.
class Roads {
 public:
  Roads(std::int64_t n, std::int64_t side, const base::SplitMix64& random)
      : n_(n), streets_(side, random), number_(static_cast<std::size_t>(side * side), kNone) {
    number_of(side / 2 * side + side / 2);
    for (std::size_t next = 0; next < queue_.size(); ++next) {
      base::poll(next);
      leave(queue_[next]);
    }
  }

  bool complete() const { return count_ == n_; }
  Edges edges() && { return std::move(edges_); }
  std::vector<Place> places() && { return std::move(places_); }

 private:
  static constexpr Vertex kNone = ~Vertex{0};

  Place place_of(std::int64_t junction) const {
    const std::int64_t row = junction / streets_.side(), col = junction % streets_.side();
    return {static_cast<float>(row), static_cast<float>(col)};
  }

  Vertex number_of(std::int64_t junction) {
    Vertex& number = number_[static_cast<std::size_t>(junction)];
    if (number == kNone && count_ < n_) {
      number = static_cast<Vertex>(count_++);
      queue_.push_back(junction);
      places_.push_back(place_of(junction));
    }
    return number;
  }

  /// A street between two junctions belongs to the one that is left first.
  void leave(std::int64_t junction) {
    const Vertex from = number_[static_cast<std::size_t>(junction)];
    streets_.for_each_street(junction, [&](std::int64_t to, std::uint8_t bends, bool is_arterial) {
      const Vertex known = number_[static_cast<std::size_t>(to)];
      if (known < from) return;
      Vertex last = from;
      const double speed = is_arterial ? kArterialSpeed : 1;
      for (int bend = 0; bend < bends && count_ < n_; ++bend) {
        edges_.push_back({last, static_cast<Vertex>(count_), speed});
        const Place begin = place_of(junction), end = place_of(to);
        const float share = static_cast<float>(bend + 1) / static_cast<float>(bends + 1);
        places_.push_back(
            {begin.row + share * (end.row - begin.row), begin.col + share * (end.col - begin.col)});
        last = static_cast<Vertex>(count_++);
      }
      if (const Vertex end = number_of(to); end != kNone) edges_.push_back({last, end, speed});
    });
  }

  std::int64_t n_;
  Streets streets_;
  std::vector<Vertex> number_;  // [junctions] kNone until it is met
  std::vector<std::int64_t> queue_;
  std::int64_t count_ = 0;  // vertices so far
  Edges edges_;
  std::vector<Place> places_;
};

/// The roads of the smallest grid that has n vertices. Requires: n > 0.
Roads complete_roads(std::int64_t n, const base::SplitMix64& random) {
  constexpr double kVerticesOfJunction = 1.5;
  auto side =
      static_cast<std::int64_t>(std::sqrt(static_cast<double>(n) / kVerticesOfJunction)) + 3;
  for (;; side += side / 4 + 1) {
    Roads made(n, side, random);
    if (made.complete()) return made;
  }
}

}  // namespace

Edges roads(std::int64_t n, bool directed, const base::SplitMix64& random) {
  if (n <= 0) return {};
  Edges edges = complete_roads(n, random).edges();
  const std::size_t streets = directed ? edges.size() : 0;
  for (std::size_t i = 0; i < streets; ++i) {
    edges.push_back({edges[i].to, edges[i].from, edges[i].weight});
  }
  return edges;
}

std::vector<Place> road_places(std::int64_t n, const base::SplitMix64& random) {
  if (n <= 0) return {};
  return complete_roads(n, random).places();
}

}  // namespace apsp::patterns
