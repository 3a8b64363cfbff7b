// Tile operations in textbook loops, on memory that the strict device checks.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/transpose.hpp"
#include "support/strict/strict_kernels.hpp"

namespace apsp::kernels::strict {
namespace {

class Tiles final : public Sized<TileKernels> {
 public:
  explicit Tiles(Core& core) : Sized(core.operations), core_(core) {}

  void pack_left(QueueId queue, ConstView a, bool transposed, std::byte* out) override {
    pack(queue, Side::left, a, !transposed, out);
  }
  void pack_right(QueueId queue, ConstView b, bool transposed, std::byte* out) override {
    pack(queue, Side::right, b, transposed, out);
  }
  void multiply_add(QueueId queue, const Update& update) override;
  void close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
             std::byte* scratch) override;
  std::int64_t take_pivot() override {
    const std::lock_guard lock(core_.peers->mutex);
    require(core_.idle(), "take_pivot while work is queued");
    return std::exchange(pivot_, -1);
  }
  void mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) override;
  void transpose(QueueId queue, View to, ConstView from, int value_size) override;

 private:
  void pack(QueueId queue, Side side, ConstView a, bool lines_are_rows, std::byte* out);
  void check(const Update& u) const;
  void check_packed(const Access& at, Side side, const std::byte* operand, std::int64_t depth,
                    Range lines) const;
  void multiply_rectangle(const Access& at, const Update& u, Range rows, Range cols) const;

  Core& core_;
  std::int64_t pivot_ = -1;
};

void Tiles::mirror(QueueId queue, View matrix, int value_size, std::int64_t tile) {
  require(matrix.rows == matrix.cols, "mirror: the matrix is not square");
  require(tile > 0 && tile % kSliver == 0, "mirror: the tile is no multiple of the granule");
  core_.give(queue, "mirror", [=](const Access& at) {
    for (std::int64_t i = 0; i < matrix.rows; i += tile) {
      const std::int64_t rows = std::min(tile, matrix.rows - i);
      for (std::int64_t j = 0; j < i; j += tile) {
        const View below = part(matrix, value_size, i, j, rows, tile);
        const View above = part(matrix, value_size, j, i, tile, rows);
        at.read(below, value_size, "matrix");
        at.write(above, value_size, "matrix");
        kernels::transpose(above, below, value_size);
      }
    }
  });
}

void Tiles::transpose(QueueId queue, View to, ConstView from, int value_size) {
  require(to.rows == from.cols && to.cols == from.rows, "transpose: shapes");
  core_.give(queue, "transpose", [=](const Access& at) {
    at.read(from, value_size, "source");
    at.write(to, value_size, "target");
    kernels::transpose(to, from, value_size);
  });
}

void Tiles::pack(QueueId queue, Side side, ConstView a, bool lines_are_rows, std::byte* out) {
  require(operations_.columns_per_value == 1 || lines_are_rows == (side == Side::left),
          "pack: bits are not transposed");
  require(!core_.memory.owns(out) || core_.memory.offset(out) % kPackAlignment == 0,
          "pack: the operand does not begin on 256 bytes");
  core_.give(queue, "pack", [=, this](const Access& at) {
    const std::int64_t lines = lines_are_rows ? a.rows : a.cols;
    const std::int64_t pivots = lines_are_rows ? a.cols * operations_.columns_per_value : a.rows;
    const std::int64_t depth = operations_.packed_depth(pivots);
    const std::int64_t bytes = packed_bytes(lines, depth, operations_.value_size);
    at.read(a, operations_.value_size, "source");
    at.write(View{out, 1, bytes, bytes}, 1, "operand");
    operations_.pack(side, a, lines_are_rows, out);
  });
}

void Tiles::check(const Update& u) const {
  const auto whole = [](std::int64_t line, std::int64_t extent) {
    return line % kSliver == 0 || line == extent;
  };
  const auto kept = [&](Range range, std::int64_t extent) {
    require(range.begin >= 0 && range.begin <= range.end && range.end <= extent,
            "multiply_add: kept lines outside C");
    require(whole(range.begin, extent) && whole(range.end, extent),
            "multiply_add: kept lines are no whole granules");
  };
  kept(u.skipped_rows, u.c.rows);
  kept(u.skipped_cols, u.c.cols);
  require(u.triangle >= 0 && u.triangle % kSliver == 0,
          "multiply_add: the triangle's tile is no multiple of the granule");
  require(u.via.data == nullptr || (u.via.rows == u.c.rows && u.via.cols == u.c.cols),
          "multiply_add: the shape of via");
}

void Tiles::check_packed(const Access& at, Side side, const std::byte* operand, std::int64_t pivots,
                         Range lines) const {
  const std::int64_t depth = operations_.packed_depth(pivots);
  const char* const operand_name = side == Side::left ? "left" : "right";
  const std::int64_t bytes = sliver_bytes(depth, operations_.value_size);
  for (std::int64_t line = lines.begin; line < lines.end; line += kSliver) {
    const std::byte* const sliver = operand + line / kSliver * bytes;
    at.read(ConstView{sliver, 1, bytes, bytes}, 1, operand_name);
    SliverHead head;
    std::memcpy(&head, sliver, sizeof head);
    const bool fits = head.side == side && head.depth == depth &&
                      head.lines >= std::min(kSliver, lines.end - line);
    if (fits) continue;
    misuse(fmt::format("multiply_add: the {} operand at line {} was packed for something else",
                       operand_name, line));
  }
}

void Tiles::multiply_rectangle(const Access& at, const Update& u, Range rows, Range cols) const {
  if (rows.begin >= rows.end || cols.begin >= cols.end) return;
  const auto part_of = [&](View tile, int value_size) {
    return part(tile, value_size, rows.begin, cols.begin, rows.end - rows.begin,
                cols.end - cols.begin);
  };
  check_packed(at, Side::left, u.left, u.depth, rows);
  check_packed(at, Side::right, u.right, u.depth, cols);
  at.update(part_of(u.c, operations_.value_size), operations_.value_size, "C");
  if (u.via.data != nullptr) at.update(part_of(u.via, kViaSize), kViaSize, "via");
  if (pivot_ < 0) operations_.multiply_add(u, rows, cols);
}

void Tiles::multiply_add(QueueId queue, const Update& update) {
  check(update);
  core_.give(queue, "multiply_add", [=, this](const Access& at) {
    const Update& u = update;
    const std::int64_t step = u.triangle > 0 ? u.triangle : std::max<std::int64_t>(u.c.rows, 1);
    for (std::int64_t first = 0; first < u.c.rows; first += step) {
      const std::int64_t end = std::min(first + step, u.c.rows);
      const std::int64_t cols = u.triangle > 0 ? std::min(first + step, u.c.cols) : u.c.cols;
      for (const Range rows : {Range{first, std::min(end, u.skipped_rows.begin)},
                               Range{std::max(first, u.skipped_rows.end), end}}) {
        multiply_rectangle(at, u, rows, {0, std::min(cols, u.skipped_cols.begin)});
        multiply_rectangle(at, u, rows, {u.skipped_cols.end, cols});
      }
    }
  });
}

void Tiles::close(QueueId queue, View d, View via, Cycles cycles, std::int64_t first_pivot,
                  std::byte* scratch) {
  require(
      d.cols == rounded_up(d.rows, operations_.columns_per_value) / operations_.columns_per_value,
      "close: the tile is not square");
  require(via.data == nullptr || (via.rows == d.rows && via.cols == d.cols),
          "close: the shape of via");
  core_.give(queue, "close", [=, this](const Access& at) {
    const std::int64_t bytes = close_bytes(d.rows);
    at.write(View{scratch, 1, bytes, bytes}, 1, "scratch");
    at.update(d, operations_.value_size, "D");
    if (via.data != nullptr) at.update(via, kViaSize, "via");
    if (pivot_ >= 0) return;
    const std::int64_t index = operations_.close(d, via, cycles, first_pivot);
    if (index >= 0) pivot_ = first_pivot + index;
  });
}

}  // namespace

std::unique_ptr<TileKernels> make_tiles(Core& core) { return std::make_unique<Tiles>(core); }

}  // namespace apsp::kernels::strict
