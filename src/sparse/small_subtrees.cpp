#include "sparse/small_subtrees.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include "base/control.hpp"
#include "sparse/tree.hpp"

namespace apsp::sparse {
namespace {

using Word = std::uint64_t;
constexpr int kBits = 64;
/// METIS divides no part of fewer than 120 vertices. Reordering a small subtree with more than 64
/// neighbours above, as in meshes of three dimensions, gains little.
constexpr int kInsideWords = 2, kAboveWords = 1;
constexpr Position kMostInside = kInsideWords * kBits, kMostAbove = kAboveWords * kBits;
constexpr Position kFewestInside = 3;

/// Returns the number of bits; baseline x86 has no instruction for it.
int ones(Word word) {
  constexpr Word kPairs = 0x5555555555555555, kFours = 0x3333333333333333,
                 kBytes = 0x0f0f0f0f0f0f0f0f, kSum = 0x0101010101010101;
  word -= word >> 1 & kPairs;
  word = (word & kFours) + (word >> 2 & kFours);
  return static_cast<int>(((word + (word >> 4)) & kBytes) * kSum >> (kBits - 8));
}

/// Neighbours of a vertex of a subtree, one bit each: inside, and above.
struct SetsOfNeighbours {
  std::array<Word, kInsideWords> inside{};
  std::array<Word, kAboveWords> above{};

  bool has_inside(Position i) const { return (at(inside, i / kBits) >> i % kBits & 1) != 0; }
  void add_inside(Position i) { at(inside, i / kBits) |= Word{1} << i % kBits; }
  void add_above(Position i) { at(above, i / kBits) |= Word{1} << i % kBits; }
  void remove(Position i) { at(inside, i / kBits) &= ~(Word{1} << i % kBits); }
  void join(const SetsOfNeighbours& other) {
    for (std::size_t w = 0; w < inside.size(); ++w) inside[w] |= other.inside[w];
    for (std::size_t w = 0; w < above.size(); ++w) above[w] |= other.above[w];
  }
  int count() const {
    int sum = 0;
    for (const Word word : inside) sum += ones(word);
    for (const Word word : above) sum += ones(word);
    return sum;
  }
  bool share_above(const SetsOfNeighbours& other) const {
    Word shared = 0;
    for (std::size_t w = 0; w < above.size(); ++w) shared |= above[w] & other.above[w];
    return shared != 0;
  }
  template <class F>
  void for_each_inside(F&& visit) const {
    for (std::size_t w = 0; w < inside.size(); ++w) {
      for (Word rest = inside[w]; rest != 0; rest &= rest - 1) {
        visit(static_cast<Position>(w) * kBits + std::countr_zero(rest));
      }
    }
  }
};

class SmallSubtree {
 public:
  explicit SmallSubtree(Position size) : of_(static_cast<std::size_t>(size)) {}

  Position size() const { return static_cast<Position>(of_.size()); }
  SetsOfNeighbours& of(Position i) { return at(of_, i); }
  const SetsOfNeighbours& of(Position i) const { return at(of_, i); }

  /// Returns twice the number of pairs that eliminating i joins. Vertices above count as joined.
  int deficiency(Position i) const {
    int missing = 0;
    const SetsOfNeighbours& of_i = of(i);
    of_i.for_each_inside([&](Position j) {
      const SetsOfNeighbours& of_j = of(j);
      --missing;
      for (std::size_t w = 0; w < of_i.inside.size(); ++w) {
        missing += ones(of_i.inside[w] & ~of_j.inside[w]);
      }
      for (std::size_t w = 0; w < of_i.above.size(); ++w) {
        missing += 2 * ones(of_i.above[w] & ~of_j.above[w]);
      }
    });
    return missing;
  }

  void eliminate(Position i) {
    const SetsOfNeighbours of_i = of(i);
    of_i.for_each_inside([&](Position j) {
      of(j).join(of_i);
      of(j).remove(i);
      of(j).remove(j);
    });
  }

 private:
  std::vector<SetsOfNeighbours> of_;  // [size]
};

struct Reordering {
  std::vector<Position> order;  // [size]; empty: 0, 1, 2, …
  std::int64_t entries = 0;
};

Reordering as_it_is(SmallSubtree subtree) {
  Reordering found;
  for (Position i = 0; i < subtree.size(); ++i) {
    found.entries += subtree.of(i).count();
    subtree.eliminate(i);
  }
  return found;
}

int key(const SmallSubtree& subtree, Position i) {
  constexpr int kMoreThanDegrees = 2 * (kMostInside + kMostAbove);
  return subtree.deficiency(i) * kMoreThanDegrees + subtree.of(i).count();
}

Reordering by_least_deficiency(SmallSubtree subtree) {
  constexpr int kGone = std::numeric_limits<int>::max();
  Reordering found;
  std::vector<int> keys;
  keys.reserve(static_cast<std::size_t>(subtree.size()));
  for (Position i = 0; i < subtree.size(); ++i) keys.push_back(key(subtree, i));
  for (Position done = 0; done < subtree.size(); ++done) {
    const auto least = std::min_element(keys.begin(), keys.end());
    const auto i = static_cast<Position>(least - keys.begin());
    *least = kGone;
    const SetsOfNeighbours around = subtree.of(i);
    found.order.push_back(i);
    found.entries += around.count();
    const bool joins = subtree.deficiency(i) > 0;
    subtree.eliminate(i);
    SetsOfNeighbours near = around;
    if (joins) around.for_each_inside([&](Position j) { near.join(subtree.of(j)); });
    // Besides the neighbours', keys change of vertices with two of them, which may be joined now.
    near.for_each_inside([&](Position j) {
      int inside = 0;
      for (std::size_t w = 0; w < around.inside.size(); ++w) {
        inside += ones(around.inside[w] & subtree.of(j).inside[w]);
      }
      const bool changed = around.has_inside(j) || inside > 1 || subtree.of(j).share_above(around);
      if (changed) at(keys, j) = key(subtree, j);
    });
  }
  return found;
}

/// The neighbours of a part's vertices by position in the part; outside ones have larger numbers.
class PartNeighbours {
 public:
  PartNeighbours(const Pattern& part, std::span<const Vertex> vertices, const Pattern& all)
      : part_(part), vertices_(vertices), all_(all) {}

  template <class F>
  void for_each(const Order& order, Position p, F&& visit) const {
    const Vertex v = at(order.vertex_at, p);
    const std::span<const Vertex> inside = part_.of(v);
    std::size_t next = 0;
    for (const Vertex to : all_.of(vertices_[v])) {
      if (next < inside.size() && vertices_[inside[next]] == to) {
        visit(std::int64_t{order.position_of[inside[next++]]});
      } else {
        visit(part_.vertices() + to);
      }
    }
  }

 private:
  const Pattern& part_;
  std::span<const Vertex> vertices_;
  const Pattern& all_;
};

std::optional<SmallSubtree> subtree_at(const PartNeighbours& neighbours, const Order& order,
                                       Position begin, Position end,
                                       std::vector<std::int64_t>& above) {
  above.clear();
  SmallSubtree subtree(end - begin);
  for (Position p = begin; p < end; ++p) {
    neighbours.for_each(order, p, [&](std::int64_t to) {
      if (to >= end) {
        above.push_back(to);
      } else {
        subtree.of(p - begin).add_inside(static_cast<Position>(to) - begin);
      }
    });
  }
  std::sort(above.begin(), above.end());
  above.erase(std::unique(above.begin(), above.end()), above.end());
  if (std::ssize(above) > kMostAbove) return std::nullopt;
  for (Position p = begin; p < end; ++p) {
    neighbours.for_each(order, p, [&](std::int64_t to) {
      if (to < end) return;
      const auto found = std::lower_bound(above.begin(), above.end(), to);
      subtree.of(p - begin).add_above(static_cast<Position>(found - above.begin()));
    });
  }
  return subtree;
}

/// Returns the roots of the largest small subtrees, and their numbers of positions.
std::vector<std::pair<Position, Position>> small_roots(const std::vector<Position>& parents) {
  std::vector<Position> sizes(parents.size(), 1);
  const auto n = static_cast<Position>(parents.size());
  for (Position p = 0; p < n; ++p) {
    if (at(parents, p) >= 0) at(sizes, at(parents, p)) += at(sizes, p);
  }
  std::vector<std::pair<Position, Position>> roots;
  for (Position p = 0; p < n; ++p) {
    const Position size = at(sizes, p), parent = at(parents, p);
    if (size < kFewestInside || size > kMostInside) continue;
    if (parent < 0 || at(sizes, parent) > kMostInside) roots.emplace_back(p, size);
  }
  return roots;
}

}  // namespace

std::vector<Vertex> with_small_subtrees_reordered(const Pattern& part,
                                                  std::span<const Vertex> vertices,
                                                  const Pattern& all,
                                                  std::vector<Vertex> vertex_at) {
  Order order = order_of(std::move(vertex_at));
  std::vector<Position> parents = parents_of(part, order);
  order = postordered(order, parents);
  std::vector<Vertex> found = order.vertex_at;
  const PartNeighbours neighbours(part, vertices, all);
  std::vector<std::int64_t> above;
  for (const auto& root : small_roots(parents)) {
    base::check_cancelled();
    const Position end = root.first + 1, begin = end - root.second;
    const std::optional<SmallSubtree> subtree = subtree_at(neighbours, order, begin, end, above);
    if (!subtree) continue;
    const Reordering anew = by_least_deficiency(*subtree);
    if (anew.entries >= as_it_is(*subtree).entries) continue;
    for (Position i = 0; i < root.second; ++i) {
      at(found, begin + i) = at(order.vertex_at, begin + at(anew.order, i));
    }
  }
  return found;
}

}  // namespace apsp::sparse
