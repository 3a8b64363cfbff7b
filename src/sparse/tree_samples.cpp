#include "sparse/tree_samples.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "sparse/minimum_degree.hpp"

namespace apsp::sparse {
namespace {

constexpr Vertex kOutside = ~Vertex{0};
/// Largest share of a region's edge ends that may lead outside.
constexpr double kMostCut = 0.15;
/// Steeper laws, as of meshes in space, are refused: half of the entries of a grid of 60³ were
/// predicted.
constexpr double kSteepest = 0.6;
/// Separators of large parts are overestimated on purpose: a plan should not name too little
/// memory.
constexpr double kWider = 1.1;
/// Parts of at most this share of a region are copied, so that regions have many of them.
constexpr std::int64_t kPartsOfRegion = 32;

/// Neighbours in either direction; for a graph whose arcs all have reverse arcs, its own rows.
class EitherWay {
 public:
  explicit EitherWay(const Graph& graph) : graph_(graph) {}
  void build() { pattern_ = pattern_of(graph_); }
  bool built() const { return pattern_.has_value(); }
  std::span<const Vertex> of(Vertex v) const {
    return pattern_ ? pattern_->of(v) : graph_.targets(v);
  }
  std::int64_t ends() const {
    return pattern_ ? std::ssize(pattern_->neighbours) : graph_.arc_count();
  }

 private:
  const Graph& graph_;
  std::optional<Pattern> pattern_{};
};

bool lead_both_ways(const Graph& graph, std::span<const Vertex> vertices) {
  if (graph.symmetric()) return true;
  return std::all_of(vertices.begin(), vertices.end(), [&](Vertex v) {
    const std::span<const Vertex> targets = graph.targets(v);
    return std::all_of(targets.begin(), targets.end(), [&](Vertex to) {
      const std::span<const Vertex> back = graph.targets(to);
      return std::binary_search(back.begin(), back.end(), v);
    });
  });
}

class Growing {
 public:
  Growing(const EitherWay& neighbours, std::int64_t n, std::int64_t size)
      : neighbours_(neighbours), place_(static_cast<std::size_t>(n), kOutside), size_(size) {}

  /// Returns the first vertices of a breadth-first search, at most a whole component.
  std::vector<Vertex> around(Vertex start, std::vector<double>& radius) {
    std::vector<Vertex> met;
    const auto meet = [&](Vertex v) {
      if (place_[v] != kOutside) return;
      place_[v] = static_cast<Vertex>(met.size());
      met.push_back(v);
    };
    meet(start);
    double level = 0;
    std::size_t level_ends = 1;
    radius.clear();
    for (std::size_t i = 0; i < met.size() && std::ssize(met) < size_; ++i) {
      if (i == level_ends) {
        ++level;
        level_ends = met.size();
        if (radius.empty() && 4 * std::ssize(met) >= size_) radius.push_back(level);
      }
      for (const Vertex v : neighbours_.of(met[i])) meet(v);
    }
    radius.push_back(level + 1);
    return met;
  }

  Pattern pattern(std::span<const Vertex> met, std::vector<bool>& inside, std::int64_t& cut) {
    Pattern pattern;
    inside.assign(met.size(), true);
    for (Vertex i = 0; i < met.size(); ++i) {
      const auto begin = std::ssize(pattern.neighbours);
      for (const Vertex v : neighbours_.of(met[i])) {
        if (place_[v] == kOutside) {
          ++cut;
          inside[i] = false;
        } else if (place_[v] != i) {
          pattern.neighbours.push_back(place_[v]);
        }
      }
      const auto row = pattern.neighbours.begin() + begin;
      std::sort(row, pattern.neighbours.end());
      pattern.neighbours.erase(std::unique(row, pattern.neighbours.end()),
                               pattern.neighbours.end());
      pattern.offsets.push_back(std::ssize(pattern.neighbours));
    }
    forget(met);
    return pattern;
  }

  void forget(std::span<const Vertex> met) {
    for (const Vertex v : met) place_[v] = kOutside;
  }

 private:
  const EitherWay& neighbours_;
  std::vector<Vertex> place_;  // [n] index in the region
  std::int64_t size_;
};

/// [supernodes] positions of each subtree.
std::vector<std::int64_t> subtree_sizes(const Tree& tree) {
  std::vector<std::int64_t> sizes(static_cast<std::size_t>(tree.supernodes()));
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    at(sizes, s) += tree.width(s);
    if (tree.parent(s) >= 0) at(sizes, tree.parent(s)) += at(sizes, s);
  }
  return sizes;
}

struct Separators {
  double count = 0, parts = 0, widths = 0;
};

/// Adds the separators of a region by the binary logarithm of the size of their part. A separator
/// consists of a supernode with at least two large child subtrees, and of the supernodes above it
/// with one large child.
void add_separators(const Tree& tree, std::vector<Separators>& by_size) {
  constexpr double kLarge = 0.1;
  const std::vector<std::int64_t> sizes = subtree_sizes(tree);
  const Children children = children_of(tree);
  std::vector<SupernodeId> parts;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (tree.parent(s) < 0) parts.push_back(s);
  }
  while (!parts.empty()) {
    const SupernodeId part = parts.back();
    parts.pop_back();
    const auto size = static_cast<double>(at(sizes, part));
    double width = 0;
    std::vector<SupernodeId> large = {part};
    while (large.size() == 1 && 2 * width < size) {
      const SupernodeId s = large.front();
      width += tree.width(s);
      large.clear();
      for (const SupernodeId child : children.of(s)) {
        if (static_cast<double>(at(sizes, child)) >= kLarge * size) large.push_back(child);
      }
    }
    if (large.size() < 2) continue;
    parts.insert(parts.end(), large.begin(), large.end());
    if (tree.structure_size(part) == 0) continue;
    const auto digits = static_cast<std::size_t>(std::ilogb(size));
    if (by_size.size() <= digits) by_size.resize(digits + 1);
    by_size[digits].count += 1;
    by_size[digits].parts += size;
    by_size[digits].widths += width;
  }
}

/// If balls of r edges have r^d vertices, separators have m^(1 − 1/d). The growth of regions says
/// more about large parts than their few separators do.
double exponent_of_growth(const std::vector<Region>& regions) {
  double logarithms = 0;
  for (const Region& region : regions) {
    logarithms += std::log(region.radius.back() / region.radius.front());
  }
  return 1 - logarithms / static_cast<double>(regions.size()) / std::log(4);
}

/// Returns the mean ratio of separators to part^b, weighted by the root of the number of parts of a
/// size.
std::optional<SeparatorLaw> fitted(std::span<const Separators> by_size, std::int64_t least,
                                   double b) {
  double weights = 0, sum = 0;
  for (const Separators& of : by_size) {
    if (of.count == 0 || of.parts / of.count < static_cast<double>(least)) continue;
    const double weight = std::sqrt(of.count);
    weights += weight;
    sum += weight * of.widths / of.count / std::pow(of.parts / of.count, b);
  }
  if (weights == 0 || b > kSteepest) return std::nullopt;
  return SeparatorLaw{kWider * sum / weights, b};
}

struct SmallPart {
  const Tree* tree;
  SupernodeId first, last;
  std::int64_t size;
};

void add_small_parts(const Region& region, std::int64_t most, std::vector<SmallPart>& parts) {
  const Tree& tree = region.tree;
  const std::vector<SupernodeId> begins = subtree_begins(tree);
  std::vector<std::int64_t> cut(static_cast<std::size_t>(tree.vertices()) + 1);
  for (Position p = 0; p < tree.vertices(); ++p) {
    const bool inside = region.inside[at(tree.order().vertex_at, p)];
    cut[static_cast<std::size_t>(p) + 1] = at(cut, p) + (inside ? 0 : 1);
  }
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const Position first = tree.first(at(begins, s)), last = tree.first(s + 1);
    const bool whole = at(cut, last) == at(cut, first);
    if (!whole || tree.structure_size(s) == 0 || last - first > most) continue;
    parts.push_back({&tree, at(begins, s), s, last - first});
  }
}

class Assembly {
 public:
  Assembly(const std::vector<Region>& regions, SeparatorLaw law, std::int64_t most)
      : law_(law), most_(most) {
    std::int64_t largest = 0;
    for (const Region& region : regions) {
      add_small_parts(region, most, parts_);
      largest = std::max(largest, region.tree.vertices());
    }
    std::sort(parts_.begin(), parts_.end(),
              [](const SmallPart& a, const SmallPart& b) { return a.size < b.size; });
    to_.resize(static_cast<std::size_t>(largest));
  }

  bool knows_parts() const { return !parts_.empty() && 4 * parts_.back().size >= most_; }

  TreeParts run(std::int64_t n) {
    divide(0, n, {});
    made_.vertex_at.resize(static_cast<std::size_t>(n));
    std::iota(made_.vertex_at.begin(), made_.vertex_at.end(), Vertex{0});
    return std::move(made_);
  }

 private:
  /// Divides positions from `begin` on. `border`: later positions that they have neighbours among,
  /// ascending.
  void divide(std::int64_t begin, std::int64_t size, const std::vector<Position>& border) {
    if (size <= most_) return fill(begin, size, border);
    const std::int64_t width =
        std::clamp<std::int64_t>(std::llround(law_(static_cast<double>(size))), 1, size / 2);
    const std::int64_t first = (size - width) / 2, second = size - width - first;
    std::vector<Position> of_side(static_cast<std::size_t>(width));
    std::iota(of_side.begin(), of_side.end(), static_cast<Position>(begin + size - width));
    for (const std::size_t side : {0U, 1U}) {
      of_side.resize(static_cast<std::size_t>(width));
      for (std::size_t i = side; i < border.size(); i += 2) of_side.push_back(border[i]);
      divide(side == 0 ? begin : begin + first, side == 0 ? first : second, of_side);
    }
    add(width, border);
  }

  void fill(std::int64_t begin, std::int64_t left, const std::vector<Position>& border) {
    while (left > 0) {
      const SmallPart* const part = part_of(left);
      if (part == nullptr) {
        add(1, {border.data(), std::min<std::size_t>(1, border.size())});
        ++begin;
        --left;
        continue;
      }
      copy(*part, begin, border);
      begin += part->size;
      left -= part->size;
    }
  }

  const SmallPart* part_of(std::int64_t size) {
    constexpr std::int64_t kAlike = 8;
    const auto beyond =
        std::upper_bound(parts_.begin(), parts_.end(), size,
                         [](std::int64_t most, const SmallPart& part) { return most < part.size; });
    const std::int64_t known = beyond - parts_.begin();
    if (known == 0) return nullptr;
    return &at(parts_, known - 1 - turn_++ % std::min(kAlike, known));
  }

  void copy(const SmallPart& part, std::int64_t begin, const std::vector<Position>& border) {
    const Tree& tree = *part.tree;
    const std::span<const Position> above = tree.upper(part.last);
    for (std::size_t i = 0; i < above.size(); ++i) {
      at(to_, above[i]) = border[i * border.size() / above.size()];
    }
    const Position first = tree.first(part.first), end = tree.first(part.last + 1);
    for (SupernodeId s = part.first; s <= part.last; ++s) {
      const auto before = made_.upper.size();
      for (const Position p : tree.upper(s)) {
        const Position there = p < end ? static_cast<Position>(begin + p - first) : at(to_, p);
        // If the border is smaller than the part's own, several of its positions coincide here.
        if (made_.upper.size() == before || made_.upper.back() != there) {
          made_.upper.push_back(there);
        }
      }
      made_.widths.push_back(tree.width(s));
      made_.structure_sizes.push_back(static_cast<Position>(made_.upper.size() - before));
    }
  }

  void add(std::int64_t width, std::span<const Position> upper) {
    made_.widths.push_back(static_cast<Position>(width));
    made_.structure_sizes.push_back(static_cast<Position>(upper.size()));
    made_.upper.insert(made_.upper.end(), upper.begin(), upper.end());
  }

  SeparatorLaw law_;
  std::int64_t most_;
  std::vector<SmallPart> parts_;  // ascending by size
  std::int64_t turn_ = 0;
  std::vector<Position> to_;  // [largest region] targets of positions above a part that is copied
  TreeParts made_;
};

class Sampling {
 public:
  Sampling(const Graph& graph, std::int64_t size)
      : graph_(graph),
        neighbours_(graph),
        growing_(neighbours_, graph.vertex_count(), size),
        size_(size) {}

  std::optional<Region> around(Vertex start) {
    std::vector<double> radius;
    std::vector<Vertex> met = growing_.around(start, radius);
    if (!neighbours_.built() && !lead_both_ways(graph_, met)) {
      neighbours_.build();
      growing_.forget(met);
      met = growing_.around(start, radius);
    }
    if (std::ssize(met) < size_) return std::nullopt;
    std::vector<bool> inside;
    Pattern pattern = growing_.pattern(met, inside, cut_);
    const OrderSizes sizes = order_sizes(pattern);
    sampled_.vertices += sizes.vertices;
    sampled_.neighbours += sizes.neighbours;
    sampled_.core_vertices += sizes.core_vertices;
    sampled_.core_neighbours += sizes.core_neighbours;
    if (static_cast<double>(cut_) > kMostCut * static_cast<double>(cut_ + sampled_.neighbours) ||
        share_of_hubs(pattern) >= kShareOfHubs) {
      return std::nullopt;
    }
    Tree tree(pattern, nested_dissection(pattern), true, graph_.vertex_count());
    add_separators(tree, separators_);
    return Region{std::move(met), std::move(pattern), std::move(inside), std::move(radius),
                  std::move(tree)};
  }

  bool both_ways() const { return !neighbours_.built(); }
  std::span<const Separators> separators() const { return separators_; }
  OrderSizes sizes() const {
    const std::int64_t n = graph_.vertex_count();
    const double times = static_cast<double>(n) / static_cast<double>(sampled_.vertices);
    const auto of_all = [&](std::int64_t sampled) {
      return std::llround(times * static_cast<double>(sampled));
    };
    return {n, neighbours_.ends(), of_all(sampled_.core_vertices),
            of_all(sampled_.core_neighbours)};
  }

 private:
  const Graph& graph_;
  EitherWay neighbours_;
  Growing growing_;
  std::int64_t size_;
  std::int64_t cut_ = 0;
  OrderSizes sampled_;
  std::vector<Separators> separators_;
};

std::int64_t copied(const std::vector<Region>& regions) {
  return regions.front().tree.vertices() / kPartsOfRegion;
}

}  // namespace

double SeparatorLaw::operator()(double part) const { return a * std::pow(part, b); }

std::optional<TreeSamples> TreeSamples::of(const Graph& graph, const SampleOptions& options) {
  const std::int64_t n = graph.vertex_count();
  const std::int64_t size = std::min(options.region, n / 4);
  if (graph.matrix() != nullptr || size < 2 * kPartsOfRegion) return std::nullopt;
  Sampling sampling(graph, size);
  TreeSamples samples;
  for (std::int64_t i = 0; i < options.regions; ++i) {
    auto region = sampling.around(static_cast<Vertex>((2 * i + 1) * n / (2 * options.regions)));
    if (!region) return std::nullopt;
    samples.regions_.push_back(std::move(*region));
  }
  samples.both_ways_ = sampling.both_ways();
  samples.sizes_ = sampling.sizes();
  const std::int64_t most = copied(samples.regions_);
  const auto law = fitted(sampling.separators(), most / 2, exponent_of_growth(samples.regions_));
  if (!law || !Assembly(samples.regions_, *law, most).knows_parts()) return std::nullopt;
  samples.law_ = *law;
  return samples;
}

Tree TreeSamples::tree() const {
  return Tree(Assembly(regions_, law_, copied(regions_)).run(sizes_.vertices));
}

}  // namespace apsp::sparse
