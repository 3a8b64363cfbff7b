// Labels of vertices, from which distances of many pairs are computed.
//
// The label of a vertex holds its distances over upward arcs to all of its ancestors, by slot.
// Every best path has a latest vertex in the order, which is an ancestor of both ends, so a
// distance is the product of two vectors as long as the common part of both paths to the root.
// These are hierarchical hub labels (Abraham 2012) of the elimination order. Labels are made from
// the roots down:
//
//     label(v)[a] = ⊕ up(v, u) ⊗ label(u)[a] over the row structure, and `closed` in its supernode.
//
// All labels take much more memory than the factor. `LabelPlan` divides them into runs for less.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/contract.hpp"
#include "kernels/cpu/row_products.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

/// The end of pairs that a label is for. One label serves both ends if distances are symmetric.
enum class End { source, target };

struct SupernodeRun {
  SupernodeId begin = 0, end = 0;
  bool holds(SupernodeId s) const { return begin <= s && s < end; }
};

/// The labels of chosen vertices in a run of supernodes, and of all their ancestors.
class Labels {
 public:
  /// `chosen`: as of a `LabelPlan`. The factor must outlive this. Throws `Error`: interrupted,
  /// does_not_fit.
  Labels(const Factor& factor, kernels::Sign sign, End end, std::span<const char> chosen,
         SupernodeRun run, int threads, const Control& control);

  /// [slot + width of its supernode] the label of the vertex at p, on 64 bytes. Requires: it has
  /// one.
  const std::byte* of(Position p) const {
    const SupernodeId s = tree_.supernode_of(p);
    return row(s, p - tree_.first(s));
  }

  /// Bytes of the labels of s.
  static std::int64_t bytes(const Tree& tree, SupernodeId s, ValueType type);

 private:
  struct Part;

  std::int64_t stride(SupernodeId s) const;
  /// Assigns memory to the labels. Returns their parts by depth below the root.
  std::vector<std::vector<Part>> place(std::span<const char> chosen, SupernodeRun run);
  void fill(const Part& part, End end) const;
  void fill_own(const Part& part, End end) const;
  std::byte* row(SupernodeId s, std::int64_t j) const;

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::RowOperations operations_;
  std::vector<std::int64_t> begin_;  // [supernodes] byte offsets, where there are labels
  system::AlignedMemory values_;
};

/// The labels that some pairs need, and their cost.
class LabelPlan {
 public:
  /// The tree must outlive this. Throws `Error` (interrupted).
  LabelPlan(const Tree& tree, ValueType type, bool symmetric, std::span<const VertexPair> pairs,
            const Control& control = {});

  /// [supernodes] 1 for those of the pairs' ends and their ancestors; for very many pairs all.
  std::span<const char> chosen() const { return chosen_; }
  /// Bytes of all labels of both ends.
  double bytes() const { return bytes_; }
  double relaxations() const { return relaxations_; }

  /// Returns runs of supernodes, ascending, so that the labels of one run for sources and of one
  /// for targets fit the memory. One run: all labels are made once. Empty: no division fits.
  std::vector<SupernodeRun> runs(std::int64_t memory) const;

 private:
  const Tree& tree_;
  ValueType type_;
  bool symmetric_;
  std::vector<char> chosen_;
  double bytes_ = 0, relaxations_ = 0;
};

}  // namespace apsp::sparse
