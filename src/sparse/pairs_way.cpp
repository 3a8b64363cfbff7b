#include "sparse/pairs_way.hpp"

#include <algorithm>
#include <limits>

namespace apsp::sparse {
namespace {

// One core of a shared AMD EPYC (Zen 5), i32, roads of 155,000 and 1,280,000 vertices: within 1.5
// times of both. First touch of a virtual machine's memory is slow.
constexpr double kEntry = 1.9e-10;      // s, of a query, for each entry above one of its ends
constexpr double kQuery = 1.5e-6;       // s, a query
constexpr double kRowEntry = 1.9e-9;    // s, of a row, for each entry of the factor
constexpr double kLabelByte = 1.0e-9;   // s, to make a label
constexpr double kRelaxation = 3e-11;   // s, of labels
constexpr double kProductByte = 3e-10;  // s, of the shorter label of a pair
constexpr double kLookedAt = 1e-8;      // s, to check whether a pair is between two runs (assumed)

/// Size of the evenly spaced sample of the pairs.
constexpr std::size_t kLooks = std::size_t{1} << 20;

/// [supernodes] entries on the path from a vertex of each to the root.
std::vector<double> entries_above(const Tree& tree) {
  std::vector<double> entries(static_cast<std::size_t>(tree.supernodes()));
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    const SupernodeId parent = tree.parent(s);
    at(entries, s) =
        (parent < 0 ? 0 : at(entries, parent)) +
        static_cast<double>(tree.width(s)) * static_cast<double>(tree.structure_size(s));
  }
  return entries;
}

double row_seconds(const Tree& tree) {
  return kRowEntry * static_cast<double>(tree.upper_entries() + tree.vertices());
}

double label_seconds(double bytes, double relaxations, std::size_t runs) {
  return static_cast<double>(runs) * (kLabelByte * bytes + kRelaxation * relaxations);
}

}  // namespace

PairsWay way_of_pairs(const Tree& tree, ValueType type, const LabelPlan& plan,
                      std::span<const VertexPair> pairs, std::int64_t memory) {
  const std::vector<double> entries = entries_above(tree);
  std::vector<bool> seen(static_cast<std::size_t>(tree.vertices()));
  const auto supernode = [&](Vertex v) { return tree.supernode_of(tree.order().position_of[v]); };
  double queries = 0, products = 0, sources = 0;
  const VertexPair* before = nullptr;
  const std::size_t step = 1 + pairs.size() / kLooks;
  for (std::size_t i = 0; i < pairs.size(); i += step) {
    const VertexPair& pair = pairs[i];
    const SupernodeId a = supernode(pair.from), b = supernode(pair.to);
    queries += kQuery + kEntry * at(entries, b);
    if (before == nullptr || before->from != pair.from) queries += kEntry * at(entries, a);
    before = &pair;
    products += static_cast<double>(std::min(tree.slot(a), tree.slot(b)) * size_of(type));
    if (!seen[pair.from]) ++sources;
    seen[pair.from] = true;
  }
  PairsWay way{PairsFrom::queries, {}, static_cast<double>(step) * queries};
  const double rows = sources * row_seconds(tree);
  if (rows < way.seconds) way = {PairsFrom::rows, {}, rows};
  std::vector<SupernodeRun> runs = plan.runs(memory);
  if (runs.empty()) return way;
  const double passes = static_cast<double>(runs.size()) * static_cast<double>(runs.size());
  const double labels = label_seconds(plan.bytes(), plan.relaxations(), runs.size()) +
                        kProductByte * static_cast<double>(step) * products +
                        kLookedAt * passes * static_cast<double>(pairs.size());
  if (labels < way.seconds) way = {PairsFrom::labels, std::move(runs), labels};
  return way;
}

double seconds_of_random_pairs(const Tree& tree, ValueType type, bool symmetric, double pairs,
                               std::int64_t memory) {
  const std::vector<double> entries = entries_above(tree);
  const double n = std::max(1.0, static_cast<double>(tree.vertices()));
  const double ends = symmetric ? 1 : 2;
  double above = 0, bytes = 0, relaxations = 0;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    above += at(entries, s) * tree.width(s);
    bytes += ends * static_cast<double>(Labels::bytes(tree, s, type));
    double slots = 0;
    for (const Position slot : tree.upper_slots(s)) slots += slot;
    relaxations += ends * slots * tree.width(s);
  }
  const double queries = pairs * (kQuery + kEntry * 2 * above / n);
  if (bytes > static_cast<double>(memory)) return queries;
  return std::min(queries,
                  label_seconds(bytes, relaxations, 1) + pairs * kProductByte * bytes / ends / n);
}

}  // namespace apsp::sparse
