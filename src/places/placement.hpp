// Which place of a process grid a process takes.
//
// Processes of one machine that fill a block of the grid need fewer panels from other machines than
// those that fill a part of one row: of Q processes in a block of q × q, each line through it takes
// a panel in once (Sao 2021, §3.4).
#pragma once

#include <optional>

namespace apsp::places {

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

}  // namespace apsp::places
