// Labels of vertices, from which many distances of pairs are found.
//
// The label of a vertex holds its distances over upward arcs to all of its ancestors, by slot:
// every best path has a latest vertex in the order, which is an ancestor of both ends. So a
// distance is the product of two vectors as long as the ways to the root that both ends share.
// These are hierarchical hub labels (Abraham 2012) of the order of the elimination. The label of a
// vertex follows from those of its row structure, so that labels are made from the roots down:
//
//     label(v)[a] = ⊕ up(v, u) ⊗ label(u)[a] over the row structure, and `closed` in its supernode.
//
// One label is as long as the path to the root, and all of them take much more memory than the
// factor: `LabelPlan` says how much, and cuts them into runs for less memory.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "elimination/factor.hpp"
#include "kernels/contract.hpp"
#include "kernels/cpu/row_operations.hpp"

namespace apsp::elimination {

/// Which end of pairs a label is for; the same where distances are the same both ways.
enum class End { source, target };

/// Supernodes [begin, end).
struct SupernodeRun {
  SupernodeId begin = 0, end = 0;
  bool holds(SupernodeId s) const { return begin <= s && s < end; }
};

/// The labels of chosen vertices in a run of supernodes, and of all above them.
class Labels {
 public:
  /// `chosen`: as a `LabelPlan` has it. The factor outlives this.
  /// Throws `Error`: interrupted, does_not_fit.
  Labels(const Factor& factor, kernels::Sign sign, End end, std::span<const char> chosen,
         SupernodeRun run, int threads, const Control& control);

  /// [slot + width of its supernode] of the vertex at p, which has a label; on 64 bytes.
  const std::byte* of(Position p) const {
    const SupernodeId s = tree_.supernode_of(p);
    return row(s, p - tree_.first(s));
  }

  /// Of the labels of s.
  static std::int64_t bytes(const Tree& tree, SupernodeId s, ValueType type);

 private:
  struct Part;  // some rows of a supernode

  std::int64_t stride(SupernodeId s) const;
  /// Gives each its place. The parts of the supernodes that are as deep below a root, together.
  std::vector<std::vector<Part>> place(std::span<const char> chosen, SupernodeRun run);
  void fill(const Part& part, End end) const;
  void fill_own(const Part& part, End end) const;
  std::byte* row(SupernodeId s, std::int64_t j) const;

  const Factor& factor_;
  const Tree& tree_;
  kernels::cpu::RowOperations operations_;
  std::vector<std::int64_t> begin_;  // [supernodes] bytes; of those that have labels
  base::AlignedMemory values_;
};

/// Which labels some pairs need, and what these take.
class LabelPlan {
 public:
  /// The tree outlives this. Throws `Error` (interrupted).
  LabelPlan(const Tree& tree, ValueType type, bool symmetric, std::span<const VertexPair> pairs,
            const Control& control = {});

  /// [supernodes] 1 where one of the pairs' ends is, and above; of very many pairs everywhere.
  std::span<const char> chosen() const { return chosen_; }
  /// Of all labels, both ends.
  double bytes() const { return bytes_; }
  double relaxations() const { return relaxations_; }

  /// Runs of supernodes, rising, so that the labels of one run for sources and of one for targets
  /// fit the memory. One: all labels are made once. Empty: not even small ones fit.
  std::vector<SupernodeRun> runs(std::int64_t memory) const;

 private:
  const Tree& tree_;
  ValueType type_;
  bool symmetric_;
  std::vector<char> chosen_;
  double bytes_ = 0, relaxations_ = 0;
};

}  // namespace apsp::elimination
