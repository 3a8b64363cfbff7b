// Non-blocking messages between the processes of a grid, each with those of its row and column. A
// request is a message that was begun. Messages progress while `done` is called, so a waiting
// process calls it repeatedly and works meanwhile. Implemented by threads of one process (tests)
// and by MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "dense/grid.hpp"

namespace apsp::cluster {

class Communicator {
 public:
  using Request = std::int64_t;
  virtual ~Communicator() = default;

  virtual int size(dense::Along along) const = 0;
  virtual int rank(dense::Along along) const = 0;

  /// Between members of a line with the same tag, in [0, 32768). The memory is in use until the
  /// request is done. Lengths must agree, at most `most_bytes`.
  virtual Request send(dense::Along along, int to, int tag, const std::byte* memory,
                       std::int64_t bytes) = 0;
  virtual Request receive(dense::Along along, int from, int tag, std::byte* memory,
                          std::int64_t bytes) = 0;
  /// The library's own broadcast, called by every member of the line in the same order. Throws
  /// `Error` (usage) if there is none.
  virtual Request broadcast(dense::Along along, int root, std::byte* memory,
                            std::int64_t bytes) = 0;
  virtual std::int64_t most_bytes() const = 0;
  /// Whether messages may be in the memory of a GPU.
  virtual bool reads_devices() const { return false; }

  /// Returns a request of the minimum over all processes of the grid; collective. Its `result` may
  /// be read once, when it is done.
  virtual Request least(std::int64_t mine) = 0;
  virtual std::int64_t result(Request request) = 0;

  /// Whether the request is done; then it is invalid, unless it is of `least`. Throws `Error`
  /// (device) if a process has failed.
  virtual bool done(Request request) = 0;
};

// The position of each process on the grid.
//
// Processes of one machine that fill a block of the grid receive fewer panels from other machines
// than those that fill a part of one row: of Q processes in a block of q × q, each line through it
// receives a panel once (Sao 2021, §3.4).

struct Placement {
  int rows = 1, cols = 1;
  int block_rows = 1, block_cols = 1;  // filled one block after another; 1 × 1: row by row

  int row(int process) const {
    return process / block() / across() * block_rows + process % block() / block_cols;
  }
  int col(int process) const {
    return process / block() % across() * block_cols + process % block() % block_cols;
  }

 private:
  int block() const { return block_rows * block_cols; }
  int across() const { return cols / block_cols; }
};

/// Returns blocks of `processes`, as near a square as they divide the grid; nothing if none does.
inline std::optional<Placement> placed_in_blocks(int rows, int cols, int processes) {
  std::optional<Placement> best;
  for (int height = 1; height <= processes; ++height) {
    const int width = processes / height;
    if (height * width != processes || rows % height != 0 || cols % width != 0) continue;
    if (best && height + width >= best->block_rows + best->block_cols) continue;
    best = Placement{rows, cols, height, width};
  }
  return best;
}

}  // namespace apsp::cluster
