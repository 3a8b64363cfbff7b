#include "cluster/grid_finish.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <atomic>
#include <limits>
#include <vector>

#include "kernels/transpose.hpp"
#include "semiring/dispatch.hpp"
#include "store/tiling.hpp"
#include "system/threads.hpp"

namespace apsp::cluster {
namespace {

using kernels::View;

using dense::LocalIndex;
using dense::Tile;

void mirror_alone(const dense::TiledMatrix& part, int threads) {
  system::parallel_for(part.tiles(), threads, [&](std::int64_t ti) {
    for (Tile tj; tj < Tile(ti); ++tj) {
      kernels::transpose(part.at(tj, Tile(ti)), part.at(Tile(ti), tj), part.value_size);
    }
  });
}

/// Returns how many tiles of local row `ti` of the process at (row, col) are below the diagonal.
std::int64_t below(Tile ti, int row, int col) { return ti.number() + (row > col ? 1 : 0); }

std::byte* place(base::ByteVector& bytes, const dense::TiledMatrix& part, std::int64_t values) {
  return bytes.data() + values * part.value_size;
}

constexpr std::int32_t kNoPath = -1, kUnknown = std::numeric_limits<std::int32_t>::min();

/// Values of int32 that other threads may be writing.
struct Counts {
  std::int32_t* data;
  std::int64_t stride;

  std::int32_t at(std::int64_t row, std::int64_t col) const {
    return std::atomic_ref(data[row * stride + col]).load(std::memory_order_relaxed);
  }
  void set(std::int64_t row, std::int64_t col, std::int32_t value) const {
    std::atomic_ref(data[row * stride + col]).store(value, std::memory_order_relaxed);
  }
};

class HopCounting {
 public:
  HopCounting(Processes& processes, const HeldPlanes& held, kernels::View hops, int threads)
      : processes_(processes),
        held_(held),
        tile_(held.via.tile),
        threads_(threads),
        rows_(held.via.matrix.rows),
        cols_(held.via.matrix.cols),
        via_(static_cast<const std::int32_t*>(held.via.matrix.data)),
        hops_{static_cast<std::int32_t*>(hops.data), hops.stride} {}

  void run() {
    processes_.run_local([&] {
      begin();
      list_pairs();
    });
    for (bool waits = true; waits;) {
      const std::int64_t before = waiting();
      for (Tile k; k < end(); ++k) processes_.communicate([&] { count_block(k); });
      const std::int64_t after = waiting();
      waits = processes_.least(after == 0 ? 1 : 0) == 0;
      const bool stuck = waits && processes_.least(after < before ? 0 : 1) == 1;
      processes_.run_local([&] {
        if (stuck && after > 0) refuse_circle();
      });
    }
  }

 private:
  struct HopPair {
    std::int64_t row, col;  // local indices
  };

  Tile end() const { return Tile((held_.n + tile_ - 1) / tile_); }
  std::int64_t first(Tile k) const { return k.number() * tile_; }
  std::int64_t extent(Tile k) const { return std::min(tile_, held_.n - first(k)); }
  std::int64_t via(HopPair pair) const {
    return via_[pair.row * held_.via.matrix.stride + pair.col];
  }
  std::int64_t row_vertex(std::int64_t row) const {
    return held_.rows.vertex(LocalIndex(row), tile_);
  }
  std::int64_t col_vertex(std::int64_t col) const {
    return held_.columns.vertex(LocalIndex(col), tile_);
  }
  /// Returns the first local row, or column, of a tile of this process.
  std::int64_t row_of(Tile k) const { return held_.rows.held(first(k), tile_).number(); }
  std::int64_t col_of(Tile k) const { return held_.columns.held(first(k), tile_).number(); }

  void begin() {
    semiring::dispatch(held_.semiring, held_.type, [&]<class S>() {
      const auto* const values = static_cast<const typename S::Value*>(held_.values.matrix.data);
      system::parallel_for(rows_, threads_, [&](std::int64_t row) {
        for (std::int64_t col = 0; col < cols_; ++col) {
          const bool path = values[row * held_.values.matrix.stride + col] != S::zero();
          const bool edge = via({row, col}) == kernels::kNoVia;
          hops_.set(row, col,
                    row_vertex(row) == col_vertex(col) ? 0
                    : !path                            ? kNoPath
                    : edge                             ? 1
                                                       : kUnknown);
        }
      });
    });
  }

  /// Lists the waiting columns of every row by the block of their intermediate vertex.
  void list_pairs() {
    const std::int64_t blocks = end().number();
    begins_.assign(static_cast<std::size_t>(rows_ * (blocks + 1)), 0);
    columns_.resize(static_cast<std::size_t>(rows_ * cols_));
    system::parallel_for(rows_, threads_, [&](std::int64_t row) {
      std::uint32_t* const begin = begins_.data() + row * (blocks + 1);
      for_each_waiting(row, [&](std::int64_t col) { ++begin[block_of({row, col}) + 1]; });
      for (std::int64_t k = 0; k < blocks; ++k) begin[k + 1] += begin[k];
      std::vector<std::uint32_t> next(begin, begin + blocks);
      for_each_waiting(row, [&](std::int64_t col) {
        const auto block = static_cast<std::size_t>(block_of({row, col}));
        columns_[static_cast<std::size_t>(row * cols_ + next[block]++)] =
            static_cast<std::uint32_t>(col);
      });
    });
  }
  template <class F>
  void for_each_waiting(std::int64_t row, F&& f) const {
    for (std::int64_t col = 0; col < cols_; ++col) {
      if (hops_.at(row, col) == kUnknown) f(col);
    }
  }
  std::int64_t block_of(HopPair pair) const {
    const std::int64_t k = via(pair);
    const bool inside = k >= 0 && k < held_.n;
    if (!inside || k == row_vertex(pair.row) || k == col_vertex(pair.col)) refuse_circle(pair);
    return k / tile_;
  }

  std::int64_t waiting() const {
    std::atomic<std::int64_t> count{0};
    system::parallel_for(rows_, threads_, [&](std::int64_t row) {
      std::int64_t own = 0;
      for_each_waiting(row, [&](std::int64_t) { ++own; });
      count += own;
    });
    return count;
  }

  [[noreturn]] void refuse_circle(HopPair pair) const {
    throw Error(ErrorKind::input,
                fmt::format("the intermediate vertices from vertex number {} to {} lead in a "
                            "circle: rounded sums of negative weights closed it; leave `hops` out",
                            row_vertex(pair.row), col_vertex(pair.col)));
  }
  void refuse_circle() const {
    for (std::int64_t row = 0; row < rows_; ++row) {
      for_each_waiting(row, [&](std::int64_t col) { refuse_circle({row, col}); });
    }
  }

  /// Counts pairs of rows [row, row + rows) and columns [col, col + cols) whose vertex is in block
  /// k, from their halves head(row, k) and tail(k, col), k within the block. Repeats while halves
  /// are found, if these may be among the pairs.
  template <class Head, class Tail>
  void count(Tile k, std::int64_t row, std::int64_t rows, std::int64_t col, std::int64_t cols,
             bool again, const Head& head, const Tail& tail) {
    std::atomic<bool> found{true};
    while (found.exchange(false)) {
      system::parallel_for(rows, threads_, [&](std::int64_t i) {
        bool any = false;
        for_each_of_block(k, row + i, [&](std::int64_t j) {
          if (j < col || j >= col + cols || hops_.at(row + i, j) != kUnknown) return;
          const std::int64_t middle = via({row + i, j}) - first(k);
          const std::int32_t before = head(row + i, middle), behind = tail(middle, j);
          if (before == kUnknown || behind == kUnknown) return;
          constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
          hops_.set(row + i, j,
                    static_cast<std::int32_t>(std::min(kMost, std::int64_t{before} + behind)));
          any = true;
        });
        if (any && again) found = true;
      });
    }
  }
  template <class F>
  void for_each_of_block(Tile k, std::int64_t row, F&& f) const {
    const std::uint32_t* const begin = begins_.data() + row * (end().number() + 1) + k.number();
    for (std::uint32_t at = begin[0]; at < begin[1]; ++at) {
      f(columns_[static_cast<std::size_t>(row * cols_ + at)]);
    }
  }

  void count_block(Tile k) {
    const bool my_row = held_.rows.mine(k), my_column = held_.columns.mine(k);
    const std::int64_t side = extent(k), row = row_of(k), col = col_of(k);
    const auto own_head = [&](std::int64_t i, std::int64_t m) { return hops_.at(i, col + m); };
    const auto own_tail = [&](std::int64_t m, std::int64_t j) { return hops_.at(row + m, j); };
    if (my_row && my_column) count(k, row, side, col, side, true, own_head, own_tail);
    send_diagonal(k);
    const Counts diagonal{diagonal_.data(), side};
    if (my_row) {
      count(
          k, row, side, 0, cols_, true,
          [&](std::int64_t i, std::int64_t m) { return diagonal.at(i - row, m); }, own_tail);
    }
    if (my_column) {
      count(k, 0, rows_, col, side, true, own_head,
            [&](std::int64_t m, std::int64_t j) { return diagonal.at(m, j - col); });
    }
    send_panels(k);
    const Counts heads{column_panel_.data(), side}, tails{row_panel_.data(), cols_};
    count(
        k, 0, rows_, 0, cols_, false,
        [&](std::int64_t i, std::int64_t m) { return heads.at(i, m); },
        [&](std::int64_t m, std::int64_t j) { return tails.at(m, j); });
  }

  std::vector<std::int32_t> copied(std::int64_t row, std::int64_t rows, std::int64_t col,
                                   std::int64_t cols) const {
    std::vector<std::int32_t> values(static_cast<std::size_t>(rows * cols));
    for (std::int64_t i = 0; i < rows; ++i) {
      std::copy_n(hops_.data + (row + i) * hops_.stride + col, cols, values.begin() + i * cols);
    }
    return values;
  }

  void share(dense::Along along, Tile k, int turn, std::vector<std::int32_t>& values) {
    const bool row = along == dense::Along::row;
    const dense::BlockCyclic& line = row ? held_.columns : held_.rows;
    const auto process = [&](int member) {
      return row ? held_.rows.rank * held_.columns.size + member
                 : member * held_.columns.size + held_.columns.rank;
    };
    if (!line.mine(k)) {
      return processes_.receive(process(line.owner(k)), turn,
                                std::as_writable_bytes(std::span(values)));
    }
    for (int other = 0; other < line.size; ++other) {
      if (other == line.rank) continue;
      processes_.send(process(other), turn, std::as_bytes(std::span(values)));
    }
  }

  void send_diagonal(Tile k) {
    const bool my_row = held_.rows.mine(k), my_column = held_.columns.mine(k);
    const std::int64_t side = extent(k);
    diagonal_.resize(static_cast<std::size_t>(side * side));
    if (my_row && my_column) diagonal_ = copied(row_of(k), side, col_of(k), side);
    if (my_row) share(dense::Along::row, k, 0, diagonal_);
    if (my_column) share(dense::Along::column, k, 0, diagonal_);
    processes_.finish();
  }

  void send_panels(Tile k) {
    const std::int64_t side = extent(k);
    row_panel_.resize(static_cast<std::size_t>(side * cols_));
    column_panel_.resize(static_cast<std::size_t>(rows_ * side));
    if (held_.rows.mine(k)) row_panel_ = copied(row_of(k), side, 0, cols_);
    if (held_.columns.mine(k)) column_panel_ = copied(0, rows_, col_of(k), side);
    share(dense::Along::column, k, 0, row_panel_);
    share(dense::Along::row, k, 1, column_panel_);
    processes_.finish();
  }

  Processes& processes_;
  const HeldPlanes& held_;
  std::int64_t tile_;
  int threads_;
  std::int64_t rows_, cols_;
  const std::int32_t* via_;
  Counts hops_;
  std::vector<std::uint32_t> columns_, begins_;  // [rows, cols], [rows, blocks + 1]
  std::vector<std::int32_t> diagonal_, row_panel_, column_panel_;  // of a block
};

}  // namespace

void mirror_grid(Processes& processes, const dense::TiledMatrix& part,
                 const dense::BlockCyclic& rows, const dense::BlockCyclic& columns, int threads) {
  const int row = rows.rank, col = columns.rank;
  if (row == col) return mirror_alone(part, threads);
  const int across = col * columns.size + row;
  base::ByteVector leaving, coming;
  const std::int64_t size = part.value_size;
  const Tile last_column((part.matrix.cols + part.tile - 1) / part.tile);
  for (Tile t; t < std::max(part.end(), last_column); ++t) {
    const int turn = static_cast<int>(t.number());
    if (t < part.end()) {
      const std::int64_t tiles = below(t, row, col), height = part.row(t + 1) - part.row(t);
      leaving.resize(static_cast<std::size_t>(height * part.column(Tile(tiles)) * size));
      system::parallel_for(tiles, threads, [&](std::int64_t tj) {
        const View from = part.at(t, Tile(tj));
        const View to{place(leaving, part, height * part.column(Tile(tj))), from.cols, height,
                      height};
        kernels::transpose(to, from, part.value_size);
      });
      processes.send(across, turn, leaving);
    }
    if (t < last_column) {
      const std::int64_t width = part.column(t + 1) - part.column(t);
      coming.resize(static_cast<std::size_t>(width * part.row(Tile(below(t, col, row))) * size));
      processes.receive(across, turn, coming);
    }
    processes.finish();
    if (t >= last_column) continue;
    system::parallel_for(below(t, col, row), threads, [&](std::int64_t ti) {
      const View to = part.at(Tile(ti), t);
      store::copy_rows(static_cast<std::byte*>(to.data), to.stride * size,
                       place(coming, part, part.row(Tile(ti)) * to.cols), to.cols * size, to.rows,
                       to.cols * size);
    });
  }
}

std::int64_t mirror_bytes(const dense::TiledMatrix& held) {
  return held.tile * (held.matrix.rows + held.matrix.cols) * held.value_size;
}

void count_hops(Processes& processes, const HeldPlanes& held, kernels::View hops, int threads) {
  HopCounting(processes, held, hops, threads).run();
}

std::int64_t hop_counting_bytes(std::int64_t n, std::int64_t rows, std::int64_t cols,
                                std::int64_t tile) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  const std::int64_t blocks = (n + tile - 1) / tile;
  return (rows * cols + rows * (blocks + 1) + tile * (tile + rows + cols)) * kNumber;
}

}  // namespace apsp::cluster
