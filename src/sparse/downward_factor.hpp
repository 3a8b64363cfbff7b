// A copy of one direction of a factor for the downward sweeps of single sources.
//
// A row of one source has no other sources to fill vectors with, so it takes vectors of
// neighbouring vertices: each block is transposed. Blocks are in the order of the sweep, so that a
// row reads the copy from beginning to end. The top of the tree comes first. Parts follow,
// which are runs of small subtrees: their distances fit the first-level cache and depend only on
// the top and on each other. Blocks of a part are sorted by depth, and then by their number of
// vectors: neighbouring blocks do not wait for each other, and branches are predicted.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "kernels/cpu/vector_operations.hpp"
#include "sparse/factor.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::sparse {

class DownwardFactor {
 public:
  static constexpr std::int64_t kPartPositions = 4096;

  /// Copies what rows from (or to) `end` read. `positions`: of a part, at most.
  DownwardFactor(const Factor& factor, End end, int threads,
                 std::int64_t positions = kPartPositions);

  /// An upper bound of the bytes of a copy.
  static std::int64_t bytes(const Tree& tree, ValueType type);

  /// `row` ← [n] the distances. `path`: the supernodes above the source. `from`: their distances
  /// from the source, by slot, with a vector of any values after the last. `room` is reused.
  void descend(const kernels::cpu::VectorOperations& vectors, std::span<const SupernodeId> path,
               const void* from, int threads, system::AlignedMemory& room, void* row) const;

 private:
  struct Part {
    SupernodeId block;  // the number of its first block
    std::int64_t structure, values, vertex;
  };
  struct Entered {  // a block on the path
    SupernodeId block;
    Position slot;
  };
  void arrange(std::int64_t positions);
  /// Copies the blocks of a part.
  template <class T>
  void fill(const Factor& factor, End end, std::size_t part);
  template <class T>
  void descend_part(const kernels::cpu::VectorOperations& vectors, std::span<const Entered> path,
                    const T* from, std::size_t part, T* base, T* row) const;

  const Tree& tree_;
  Semiring semiring_;
  ValueType type_;
  std::vector<SupernodeId> blocks_;    // supernodes in the order of the sweep
  std::vector<SupernodeId> block_of_;  // [supernodes]
  std::vector<Position> place_;        // [supernodes] the place of its first distance in a room
  std::vector<Part> parts_;            // the top, the parts, and the end of all
  Position top_ = 0, longest_ = 0;     // vertices of the top and of the longest part
  std::vector<std::int32_t> structure_;
  std::vector<Vertex> vertices_;
  system::AlignedMemory values_;
};

/// The copies that all queries of a factor share. Thread-safe. The factor must outlive them.
class DownwardCopies {
 public:
  /// A copy takes the time that so many rows save on one thread, and the first ones do without.
  static constexpr int kRowsBefore = 8;

  explicit DownwardCopies(const Factor& factor, int rows_before = kRowsBefore,
                          std::int64_t positions = DownwardFactor::kPartPositions)
      : factor_(factor), rows_before_(rows_before), positions_(positions) {}

  /// Returns the copy for one more row, or null if so few rows were asked for, or if a copy would
  /// take more than half of the available memory.
  const DownwardFactor* next_row(End end, int threads);

 private:
  const Factor& factor_;
  int rows_before_;
  std::int64_t positions_;
  std::mutex mutex_;
  int rows_[2] = {};
  std::unique_ptr<const DownwardFactor> copies_[2];  // by end; a symmetric factor has one
};

}  // namespace apsp::sparse
