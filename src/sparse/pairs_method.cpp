#include "sparse/pairs_method.hpp"

#include <algorithm>
#include <cmath>

#include "base/control.hpp"
#include "sparse/grouped_pairs.hpp"
#include "sparse/pair_ends.hpp"

namespace apsp::sparse {
namespace {

// One core of a shared AMD EPYC (Zen 4), u16 and i32, roads of 300,000 and 1,280,000 vertices.
constexpr double kQuery = 2e-6;          // s, a query
constexpr double kEntryByte = 5e-11;     // s, of a query, for each byte above one of its ends
constexpr double kRowEntry = 1.2e-9;     // s, of a row, for each entry of the factor
constexpr double kVisit = 2.5e-7;        // s, of a sweep, a level of the tree for each vertex
constexpr double kSorted = 5e-8;         // s, to sort a pair and to store its distance
constexpr double kTouchedByte = 2.2e-9;  // s, first touch, which is slow in a virtual machine
constexpr double kCopiedByte = 2e-10;    // s, to store a label
constexpr double kLabel = 2e-7;          // s, a label
constexpr double kLabelByte = 1e-11;     // s, of a label, for each relaxed byte
constexpr double kPassed = 1e-8;         // s, to find that a pair is of another block
constexpr double kProduct = 1e-7;        // s, a pair of labels
constexpr double kProductByte = 3e-10;   // s, of a stored label for each of its pairs

/// The vertices at one end of pairs and those above them.
struct Ends {
  double vertices = 0;
  double bytes = 0;    ///< of the labels of the ends
  double seconds = 0;  ///< to make all labels
};

/// Seconds to make the labels of s.
double label_seconds(const Tree& tree, SupernodeId s, ValueType type) {
  double slots = 0;
  for (const Position slot : tree.upper_slots(s)) slots += slot;
  return tree.width(s) * (kLabel + kLabelByte * size_of(type) * slots);
}

/// Seconds of a sweep from a vertex to so many, without the way up from it.
double sweep_seconds(const Tree& tree, double pairs) {
  return pairs * (kSorted + kVisit * std::log2(1 + static_cast<double>(tree.vertices()) / pairs));
}

/// Mean seconds of a query.
double query_seconds(const Tree& tree, ValueType type) {
  std::vector<double> entries(static_cast<std::size_t>(tree.supernodes()));
  double sum = 0;
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const SupernodeId parent = tree.parent(s);
    at(entries, s) =
        (parent < 0 ? 0 : at(entries, parent)) +
        static_cast<double>(tree.width(s)) * static_cast<double>(tree.structure_size(s));
    sum += at(entries, s) * tree.width(s);
  }
  constexpr double kEnds = 2;
  return kQuery + kEntryByte * size_of(type) * kEnds * sum /
                      std::max(1.0, static_cast<double>(tree.vertices()));
}

PairsMethod by_groups(const Tree& tree, ValueType type, double pairs, const Ends& sources,
                      const Ends& targets) {
  PairsMethod method{.by = targets.vertices < sources.vertices ? End::target : End::source};
  const double groups = std::max(1.0, std::min(sources.vertices, targets.vertices));
  const double query = query_seconds(tree, type), size = pairs / groups;
  method.seconds = groups * (size < kFewestOfAGroup ? size * query
                                                    : std::min(query + sweep_seconds(tree, size),
                                                               row_seconds(tree) + size * kSorted));
  return method;
}

PairsMethod faster(const Tree& tree, ValueType type, double pairs, const Ends& sources,
                   const Ends& targets, std::int64_t memory) {
  const PairsMethod groups = by_groups(tree, type, pairs, sources, targets);
  const bool reversed = targets.bytes < sources.bytes;
  const Ends& stored = reversed ? targets : sources;
  const Ends& others = reversed ? sources : targets;
  const double fewest =
      std::ceil(stored.bytes / static_cast<double>(std::max<std::int64_t>(1, memory)));
  const double balanced =
      std::round(std::sqrt(kTouchedByte * stored.bytes / std::max(1e-9, others.seconds)));
  const double blocks = std::clamp(std::max(fewest, balanced), 1.0, std::max(1.0, stored.vertices));
  const double touched = stored.bytes / blocks;
  PairsMethod labels{
      .from = PairsFrom::labels,
      .stored = {reversed ? End::target : End::source, static_cast<std::int64_t>(blocks)},
      .bytes = static_cast<std::int64_t>(touched)};
  labels.seconds =
      kTouchedByte * touched + stored.seconds + kCopiedByte * stored.bytes +
      blocks * (others.seconds + kPassed * pairs) +
      pairs * (kSorted + kProduct + kProductByte * stored.bytes / std::max(1.0, stored.vertices));
  return labels.seconds < groups.seconds ? labels : groups;
}

}  // namespace

double row_seconds(const Tree& tree) {
  return kRowEntry * static_cast<double>(tree.upper_entries() + tree.vertices());
}

bool worth_a_row(const Tree& tree, std::size_t pairs) {
  return sweep_seconds(tree, static_cast<double>(pairs)) > row_seconds(tree);
}

PairsMethod method_of_pairs(const Factor& factor, std::span<const VertexPair> pairs,
                            std::int64_t memory, const Control& control) {
  const Tree& tree = factor.tree();
  const auto ends = [&](End end) {
    base::check_cancelled(control);
    Ends ends;
    std::vector<bool> seen(static_cast<std::size_t>(tree.supernodes()));
    for (const Position p : distinct_ends(tree, pairs, end)) {
      ++ends.vertices;
      ends.bytes +=
          static_cast<double>(PathLabels::label_bytes(tree, tree.supernode_of(p), factor.type()));
      mark_above(tree, p, seen, true,
                 [&](SupernodeId s) { ends.seconds += label_seconds(tree, s, factor.type()); });
    }
    return ends;
  };
  return faster(tree, factor.type(), static_cast<double>(pairs.size()), ends(End::source),
                ends(End::target), memory);
}

PairsMethod method_of_random_pairs(const Tree& tree, ValueType type, double pairs,
                                   std::int64_t memory) {
  const auto n = static_cast<double>(tree.vertices());
  // Shares of the vertices and of the supernodes that are an end or above one.
  const auto drawn = [&](double of) { return -std::expm1(-pairs * of / n); };
  std::vector<double> below(static_cast<std::size_t>(tree.supernodes()));
  Ends ends{.vertices = n * drawn(1)};
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    at(below, s) += tree.width(s);
    if (tree.parent(s) >= 0) at(below, tree.parent(s)) += at(below, s);
    ends.seconds += drawn(at(below, s)) * label_seconds(tree, s, type);
    ends.bytes +=
        drawn(1) * static_cast<double>(tree.width(s) * PathLabels::label_bytes(tree, s, type));
  }
  return faster(tree, type, pairs, ends, ends, memory);
}

}  // namespace apsp::sparse
