// Messages between the processes of a grid; nothing blocks.
//
// A process of a grid of rows × columns talks to those of its row and of its column. A request
// stands for a message under way; asking whether it is done is what makes messages go on, so
// whoever waits asks again and again, and works meanwhile. Threads of one process (tests) and MPI
// are such communicators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "places/block_cyclic.hpp"

namespace apsp::distributed {

class Communicator {
 public:
  using Request = std::int64_t;
  virtual ~Communicator() = default;

  virtual int size(places::Along along) const = 0;
  virtual int rank(places::Along along) const = 0;

  /// Between members of a line that name the same tag, in [0, 32768). The memory is in use until
  /// the request is done. Lengths agree; at most `most_bytes`.
  virtual Request send(places::Along along, int to, int tag, const std::byte* memory,
                       std::int64_t bytes) = 0;
  virtual Request receive(places::Along along, int from, int tag, std::byte* memory,
                          std::int64_t bytes) = 0;
  /// The library's own broadcast; every member of the line calls it, in the same order. Throws
  /// `Error` (usage) where there is none.
  virtual Request broadcast(places::Along along, int root, std::byte* memory,
                            std::int64_t bytes) = 0;
  virtual std::int64_t most_bytes() const = 0;
  /// Whether what is sent and received may lie in the memory of a GPU.
  virtual bool reads_devices() const { return false; }

  /// The least of what all processes of the grid say; each calls it as often as the others. To be
  /// asked for with `result` when the request is done, once.
  virtual Request least(std::int64_t mine) = 0;
  virtual std::int64_t result(Request request) = 0;

  /// Whether it is done; then the request is void, unless it is of `least`. Throws `Error` (device)
  /// where a process has failed.
  virtual bool done(Request request) = 0;
};

// Which place of a process grid a process takes.
//
// Processes of one machine that fill a block of the grid need fewer panels from other machines than
// those that fill a part of one row: of Q processes in a block of q × q, each line through it takes
// a panel in once (Sao 2021, §3.4).

struct Placement {
  int rows = 1, cols = 1;              // of the grid
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

/// Blocks of `processes`, as near a square as they divide the grid; nothing: none of that size do.
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

}  // namespace apsp::distributed
