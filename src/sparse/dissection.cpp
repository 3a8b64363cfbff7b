#include "sparse/dissection.hpp"

#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/control.hpp"
#include "sparse/metis_graph.hpp"
#include "sparse/small_subtrees.hpp"
#include "system/child_process.hpp"

namespace apsp::sparse {
namespace {

/// Largest share of the vertices on one side of a useful separator.
constexpr double kLargestSide = 0.9;
/// No side of smaller parts is worth a child: it may take 5 ms to begin in a large process.
constexpr std::int64_t kShared = 2 * kWhole;

struct Part {
  MetisGraph graph;
  std::vector<Vertex> vertices;  // [n] vertices of the pattern, ascending
  // number of the part: 1 for the whole, 2 i and 2 i + 1 for the sides of part i
  idx_t seed = 1;
};

Part whole(const Pattern& pattern) {
  Part part{MetisGraph(pattern), {}, 1};
  part.vertices.resize(static_cast<std::size_t>(pattern.vertices()));
  std::iota(part.vertices.begin(), part.vertices.end(), Vertex{0});
  return part;
}

struct Sides {
  std::vector<idx_t> side_of;
  std::array<std::int64_t, kSides + 1> vertices = {};
};

std::optional<Sides> divided(Part& part) {
  if (part.graph.vertices() < kWhole || part.graph.neighbours.empty()) return std::nullopt;
  Sides sides{part.graph.separator(part.seed)};
  for (const idx_t side : sides.side_of) ++at(sides.vertices, side);
  const auto larger = static_cast<double>(std::max(sides.vertices[0], sides.vertices[1]));
  if (larger > kLargestSide * static_cast<double>(part.graph.vertices())) return std::nullopt;
  return sides;
}

Part side_of(const Part& part, const Sides& sides, idx_t side) {
  Part half;
  constexpr idx_t kSeeds = idx_t{1} << 30;  // seeds of deeper parts repeat
  half.seed = (2 * (part.seed % (kSeeds / 2)) + side) % kSeeds;
  half.vertices.reserve(static_cast<std::size_t>(at(sides.vertices, side)));
  std::vector<idx_t> place(sides.side_of.size());
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (sides.side_of[v] != side) continue;
    place[v] = static_cast<idx_t>(half.vertices.size());
    half.vertices.push_back(part.vertices[v]);
  }
  half.graph.offsets.reserve(half.vertices.size() + 1);
  for (std::size_t v = 0; v < place.size(); ++v) {
    if (sides.side_of[v] != side) continue;
    for (idx_t slot = part.graph.offsets[v]; slot < part.graph.offsets[v + 1]; ++slot) {
      const idx_t to = at(part.graph.neighbours, slot);
      if (at(sides.side_of, to) == side) half.graph.neighbours.push_back(at(place, to));
    }
    half.graph.offsets.push_back(static_cast<idx_t>(half.graph.neighbours.size()));
  }
  return half;
}

std::vector<Vertex> order_of_whole(Part& part, const Pattern& all) {
  if (part.graph.neighbours.empty()) return part.vertices;
  const std::vector<idx_t> by_metis = part.graph.nested_dissection(part.seed);
  Pattern inside;
  inside.offsets.assign(part.graph.offsets.begin(), part.graph.offsets.end());
  inside.neighbours.assign(part.graph.neighbours.begin(), part.graph.neighbours.end());
  std::vector<Vertex> order =
      with_small_subtrees_reordered(inside, part.vertices, all, {by_metis.begin(), by_metis.end()});
  for (Vertex& v : order) v = part.vertices[v];
  return order;
}

/// The number of vertices, over all processes, whose position is known. The first process reports
/// it.
class PlacedVertices {
 public:
  PlacedVertices(const Control& control, std::int64_t vertices)
      : shown_(control, "ordering", static_cast<double>(vertices), "vertex"),
        all_(vertices),
        count_(1) {}

  void add(std::int64_t count) {
    std::atomic_ref(count_.values()[0]).fetch_add(count);
    show();
  }
  void show() {
    if (getpid() != owner_) return;
    // Vertices of a child that failed are counted twice.
    const std::int64_t now = std::min(all_, std::atomic_ref(count_.values()[0]).load());
    if (now > before_) shown_.advance(static_cast<double>(now - before_));
    before_ = std::max(before_, now);
  }

 private:
  const pid_t owner_ = getpid();
  base::ProgressTask shown_;
  std::int64_t all_, before_ = 0;
  system::SharedArray<std::int64_t> count_;
};

/// Processors that no process uses. All processes share the count.
class IdleWorkers {
 public:
  explicit IdleWorkers(std::int64_t count) : count_(1) { count_.values()[0] = count; }

  bool take() {
    if (add(-1) > 0) return true;
    add(1);
    return false;
  }
  /// Returns the count before.
  std::int64_t add(std::int64_t count) {
    return std::atomic_ref(count_.values()[0]).fetch_add(count);
  }

 private:
  system::SharedArray<std::int64_t> count_;
};

class Dissection {
 public:
  Dissection(const Pattern& pattern, const OrderOptions& options)
      : pattern_(pattern),
        control_(options.control),
        placed_(control_, pattern.vertices()),
        idle_(options.workers - 1) {}

  /// Writes the part's vertices to `order` [n of the part], by this process and by children on idle
  /// workers.
  void run(Part part, std::span<Vertex> order) {
    base::check_cancelled(control_);
    const std::optional<Sides> sides = divided(part);
    if (!sides) {
      const std::vector<Vertex> found = order_of_whole(part, pattern_);
      std::copy(found.begin(), found.end(), order.begin());
      placed_.add(std::ssize(found));
      return;
    }
    const auto first = static_cast<std::size_t>(sides->vertices[0]);
    const auto second = static_cast<std::size_t>(sides->vertices[1]);
    const auto run_side = [&](idx_t side) {
      run(side_of(part, *sides, side),
          side == 0 ? order.first(first) : order.subspan(first, second));
    };
    std::optional<system::ChildProcess> child;
    if (part.graph.vertices() >= kShared && idle_.take()) {
      child.emplace([&] {
        run_side(1);
        idle_.add(1);
      });
      if (!child->began()) idle_.add(1);
    }
    run_side(0);
    bool done = false;
    if (child && child->began()) {
      idle_.add(1);  // this process waits
      done = child->succeeded(control_, [&] { placed_.show(); });
      idle_.add(-1);
    }
    if (!done) run_side(1);
    std::size_t next = first + second;
    for (std::size_t v = 0; v < part.vertices.size(); ++v) {
      if (sides->side_of[v] == kSeparator) order[next++] = part.vertices[v];
    }
    placed_.add(std::ssize(order) - static_cast<std::int64_t>(first + second));
  }

 private:
  const Pattern& pattern_;
  const Control& control_;
  PlacedVertices placed_;
  IdleWorkers idle_;
};

}  // namespace

std::int64_t dissection_bytes(std::int64_t vertices, std::int64_t neighbours, int workers) {
  // A part is a copy of its graph, with the numbers of its vertices. METIS keeps one graph for each
  // level of its hierarchy, which shrinks by about half a level, with weights and workspaces.
  constexpr std::int64_t kPartVertex = 16, kPartNeighbour = 4;
  constexpr std::int64_t kMetisVertex = 88, kMetisNeighbour = 16;
  const std::int64_t divisions =
      2 + static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max(1, workers)) - 1));
  return vertices * (divisions * kPartVertex + kMetisVertex) +
         neighbours * (divisions * kPartNeighbour + kMetisNeighbour);
}

std::vector<Vertex> dissected(const Pattern& pattern, const OrderOptions& options) {
  if (pattern.neighbours.empty()) return natural_order(pattern.vertices()).vertex_at;
  const auto alone = alone_with_metis();
  const system::SharedArray<Vertex> order(static_cast<std::size_t>(pattern.vertices()));
  Dissection(pattern, options).run(whole(pattern), order.values());
  return {order.values().begin(), order.values().end()};
}

}  // namespace apsp::sparse
