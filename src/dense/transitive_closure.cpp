#include "dense/transitive_closure.hpp"

#include <algorithm>
#include <cstdint>

#include "dense/team_place.hpp"
#include "kernels/cpu/bits.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::dense {
namespace {

using kernels::cpu::BitLine;
using kernels::cpu::BitMatrix;
using kernels::cpu::BitOperations;
using kernels::cpu::BitWords;

/// Tiles of a task, at most 1 MiB of a strip: they stay in an L2 cache for all 512 pivots.
constexpr std::int64_t kTilesATask = 32;

/// The Place for a matrix of bits in one host memory and a team of threads: transitive closure.
///
/// Two things differ from HostMemory. A tile column is a strip, and a task has thousands of rows of
/// a strip, which share the tables made of the row panel. The column panel is copied before it is
/// updated, and updated with the remainder: A(i,k) ⊗ A(k,k)* ⊗ A(k,j) needs A(k,k)* once, in the
/// row panel. n³/2979 loads of a cache line; n²/8 bytes, and 128 n for two copies of a column
/// panel.
class BitMemory : public TeamPlace {
 public:
  BitMemory(BitMatrix& matrix, int threads, const Control& control)
      : TeamPlace(matrix.strips(), threads, control, Panels::in_place),
        matrix_(matrix),
        operations_(kernels::cpu::bit_operations()),
        row_parts_(tasks_a_strip()),
        panels_(panel_bytes(matrix.n())) {
    const std::int64_t n = tiles();
    set_tasks({2 * (n - 1), 2 * n - 3, n * row_parts_});
  }

  /// matrix ← matrix*, with the diagonal of the input. Throws `Error` (interrupted).
  void run() {
    const auto n = static_cast<double>(matrix_.rows());
    run_threads("closure", n * n * n);
  }

  /// Returns bytes of a run, without the matrix.
  static std::int64_t panel_bytes(std::int64_t n) {
    return 2 * BitMatrix::rows_of(n) * static_cast<std::int64_t>(sizeof(BitLine));
  }

 private:
  void close_tile(Tile k) override { operations_.close(line(k, k), extent(k)); }

  void update_panel(Tile k, std::int64_t item) override {
    const Tile t = panel_tile(k, item);
    if (item >= tiles() - 1) return copy_column_panel_tile(k, t);
    BitLine* const panel = line(k, t);
    operations_.multiply_add(panel, extent(k), BitWords::of(line(k, k)), panel, words(k));
  }

  void update_diagonal(Tile k) override { update(k, only(k + 1), k + 1); }

  void update_cross_tile(Tile k, std::int64_t item) override {
    const Tile next = k + 1;
    if (item < tiles() - 1) {  // row k + 1, with column k
      const Tile strip(item);
      update(k, only(next), strip < next ? strip : strip + 1);
    } else {  // column k + 1
      const Tile other(item - (tiles() - 1));
      update(k, only(other < k ? other : other + 2), next);
    }
  }

  double update_rest_item(Tile k, std::int64_t item) override {
    const Tile strip(item / row_parts_);
    const std::int64_t part = item % row_parts_;
    const TileSpan rows{Tile(part * tiles() / row_parts_), Tile((part + 1) * tiles() / row_parts_)};
    if (strip != k + 1) {
      update(k, {rows.begin, std::min(rows.end, k)}, strip);
      update(k, {std::max(rows.begin, k + 2), rows.end}, strip);
    }
    return static_cast<double>(row(rows.end) - row(rows.begin)) *
           static_cast<double>(extent(strip)) * static_cast<double>(extent(k));
  }

  std::int64_t rest_item_of_cross(Tile, std::int64_t) const override { return -1; }

  /// Updates the tiles `rows` of one strip by step k.
  void update(Tile k, TileSpan rows, Tile strip) {
    if (rows.begin >= rows.end) return;
    const std::int64_t begin = row(rows.begin);
    const BitWords a{left(k) + begin, 1, matrix_.rows()};
    operations_.multiply_add(line(rows.begin, strip), row(rows.end) - begin, a, line(k, strip),
                             words(k));
  }

  void copy_column_panel_tile(Tile k, Tile ti) {
    const BitLine* const lines = line(kFirstTile, k);
    for (std::int64_t word = 0; word < BitLine::kWords; ++word) {
      std::uint64_t* const column = left(k) + word * matrix_.rows();
      for (std::int64_t i = row(ti); i < row(ti + 1); ++i) column[i] = lines[i].words[word];
    }
  }

  std::uint64_t* left(Tile k) {
    return panels_.as<std::uint64_t>() + k.number() % 2 * BitLine::kWords * matrix_.rows();
  }
  /// The first row of a tile, or the end of the matrix.
  std::int64_t row(Tile t) const {
    return std::min(t.number() * BitLine::kColumns, matrix_.rows());
  }
  BitLine* line(Tile t, Tile strip) { return matrix_.line(row(t), strip.number()); }
  std::int64_t extent(Tile t) const { return matrix_.extent(t.number()); }
  std::int64_t words(Tile k) const { return extent(k) / 64; }

  std::int64_t tasks_a_strip() const {
    constexpr std::int64_t kTasksAThread = 16;
    std::int64_t parts = std::max<std::int64_t>(1, (tiles() + kTilesATask - 1) / kTilesATask);
    while (parts < tiles() && tiles() * parts < kTasksAThread * threads()) parts *= 2;
    return parts;
  }

  BitMatrix& matrix_;
  BitOperations operations_;
  std::int64_t row_parts_;        // tasks of the remainder in a strip
  system::AlignedMemory panels_;  // [2][words of a line][rows]
};

std::int64_t columns_of(std::int64_t strip, std::int64_t n) {
  return std::min(BitLine::kColumns, n - strip * BitLine::kColumns);
}

class HostBits final : public ReachableBits {
 public:
  explicit HostBits(std::int64_t n) : bits_(n) {}
  BitMatrix& matrix() { return bits_; }

  std::int64_t n() const override { return bits_.n(); }
  void unpack(std::int64_t i, std::uint8_t* bytes) const override {
    const BitOperations operations = kernels::cpu::bit_operations();
    for (std::int64_t strip = 0; strip < bits_.strips(); ++strip) {
      operations.unpack(bits_.line(i, strip), columns_of(strip, bits_.n()),
                        bytes + strip * BitLine::kColumns);
    }
  }

 private:
  BitMatrix bits_;
};

/// fill(bits, i) sets the bits of row i's arcs.
template <class F>
std::unique_ptr<ReachableBits> close_on_host(std::int64_t n, int threads, const Control& control,
                                             F&& fill) {
  auto closed = std::make_unique<HostBits>(n);
  BitMatrix& bits = closed->matrix();
  system::for_each_row(n, threads, control, [&](std::int64_t i) {
    fill(bits, i);
    bits.set(i, i);
  });
  BitMemory(bits, threads, control).run();
  return closed;
}

}  // namespace

std::int64_t transitive_closure_bytes(std::int64_t n) { return BitMatrix::bytes_for(n); }
std::int64_t transitive_closure_panel_bytes(std::int64_t n) { return BitMemory::panel_bytes(n); }

std::unique_ptr<ReachableBits> reachable_bits(const Graph& graph, int threads,
                                              const Control& control) {
  return close_on_host(
      graph.vertex_count(), threads, control, [&](BitMatrix& bits, std::int64_t i) {
        graph.for_each_arc(static_cast<Vertex>(i), [&](Vertex to, double) { bits.set(i, to); });
      });
}

std::unique_ptr<ReachableBits> reachable_bits(kernels::ConstView matrix, int threads,
                                              const Control& control) {
  const BitOperations operations = kernels::cpu::bit_operations();
  return close_on_host(matrix.rows, threads, control, [&](BitMatrix& bits, std::int64_t i) {
    const auto* const bytes = static_cast<const std::uint8_t*>(matrix.data) + i * matrix.stride;
    for (std::int64_t strip = 0; strip < bits.strips(); ++strip) {
      operations.pack(bytes + strip * BitLine::kColumns, columns_of(strip, bits.n()),
                      bits.line(i, strip));
    }
  });
}

}  // namespace apsp::dense
