#include "sparse/tree_share.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <utility>

namespace apsp::sparse {
namespace {

/// Bytes of a vertex and of an entry of a row structure: arrays of the tree, totals of statistics.
/// A vertex is counted from every source, in the time of some ten relaxations, so these bytes also
/// balance the work.
constexpr double kVertexBytes = 32, kUpperBytes = 8;

std::vector<double> bytes_of_supernodes(const Tree& tree, int entry_bytes) {
  std::vector<double> bytes;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const double width = tree.width(s), upper = static_cast<double>(tree.structure_size(s));
    bytes.push_back(width * (width + upper) * entry_bytes + width * kVertexBytes +
                    upper * kUpperBytes);
  }
  return bytes;
}

/// Subtrees by their bytes, the largest first.
using BySize = std::set<std::pair<double, SupernodeId>, std::greater<>>;

struct Division {
  std::vector<std::pair<SupernodeId, int>> owners;  // roots of subtrees, and their processes
  double largest = 0;                               // bytes of a process below the top
};

/// Gives each subtree to the process that has the fewest bytes (Graham 1969).
Division dealt(const BySize& subtrees, int processes) {
  Division division;
  std::vector<double> load(static_cast<std::size_t>(processes));
  for (const auto& [bytes, root] : subtrees) {
    const auto least = std::min_element(load.begin(), load.end());
    *least += bytes;
    division.owners.emplace_back(root, static_cast<int>(least - load.begin()));
  }
  division.largest = *std::max_element(load.begin(), load.end());
  return division;
}

Division divided(const Tree& tree, int processes, const std::vector<double>& bytes) {
  // More subtrees even out little, and a larger top costs every process time.
  constexpr double kGain = 0.98;
  const std::size_t most = std::size_t{32} * static_cast<std::size_t>(processes);
  std::vector<double> below = bytes;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (tree.parent(s) >= 0) at(below, tree.parent(s)) += at(below, s);
  }
  BySize subtrees;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (tree.parent(s) < 0) subtrees.emplace(at(below, s), s);
  }
  const Children children = children_of(tree);
  double top = 0;
  Division best = dealt(subtrees, processes);
  double least = best.largest;  // bytes of the largest process with its top
  for (std::size_t step = 0; step < 8 * most && !subtrees.empty(); ++step) {
    const SupernodeId s = subtrees.begin()->second;
    top += at(bytes, s);
    if (top >= least || subtrees.size() >= most) break;
    subtrees.erase(subtrees.begin());
    for (const SupernodeId child : children.of(s)) subtrees.emplace(at(below, child), child);
    Division next = dealt(subtrees, processes);
    if (top + next.largest > kGain * least) continue;
    least = top + next.largest;
    best = std::move(next);
  }
  std::sort(best.owners.begin(), best.owners.end());
  return best;
}

}  // namespace

TreeShare share_of(const Tree& tree, int processes, int process, int entry_bytes) {
  constexpr int kTop = -1;
  const Division division = divided(tree, processes, bytes_of_supernodes(tree, entry_bytes));
  const std::vector<SupernodeId> begins = subtree_begins(tree);
  std::vector<int> owner(static_cast<std::size_t>(tree.supernodes()), kTop);
  std::vector<char> is_root(owner.size());
  for (const auto& [root, process_of_root] : division.owners) {
    std::fill(owner.begin() + at(begins, root), owner.begin() + root + 1, process_of_root);
    at(is_root, root) = 1;
  }
  TreeShare share;
  TreeParts parts;
  parts.graph_vertices = static_cast<std::size_t>(tree.vertices());
  std::vector<Position> position_in(parts.graph_vertices, -1);
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    if (at(owner, s) != kTop && at(owner, s) != process) continue;
    for (Position p = tree.first(s); p < tree.first(s + 1); ++p) {
      at(position_in, p) = static_cast<Position>(parts.vertex_at.size());
      parts.vertex_at.push_back(at(tree.order().vertex_at, p));
    }
  }
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const bool held = at(owner, s) == kTop || at(owner, s) == process;
    const bool updates = at(is_root, s) != 0 && tree.structure_size(s) > 0;
    if (!held && !updates) continue;
    if (updates)
      share.roots.push_back({at(owner, s), static_cast<SupernodeId>(parts.widths.size())});
    parts.widths.push_back(held ? tree.width(s) : 0);
    parts.structure_sizes.push_back(static_cast<Position>(tree.structure_size(s)));
    for (const Position p : tree.upper(s)) parts.upper.push_back(at(position_in, p));
    const bool top = at(owner, s) == kTop;
    share.top_row.push_back(top ? static_cast<Position>(share.top_vertices) : -1);
    if (top) share.top_vertices += tree.width(s);
  }
  share.tree = std::make_shared<const Tree>(std::move(parts));
  return share;
}

}  // namespace apsp::sparse
