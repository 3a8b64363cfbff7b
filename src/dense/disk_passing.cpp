#include "dense/disk_passing.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <numeric>

#include "dense/blocked_floyd_warshall.hpp"

namespace apsp::dense {
namespace {

/// The bands [begin, end).
std::vector<std::int64_t> all_of(kernels::Range bands) {
  std::vector<std::int64_t> list(static_cast<std::size_t>(length(bands)));
  std::iota(list.begin(), list.end(), bands.begin);
  return list;
}

/// A Place, of one thread that gives all orders. Tiles are the steps that were left when the run
/// began.
class DiskPassing final : public DiskShare {
 public:
  explicit DiskPassing(const DiskArguments& of)
      : DiskShare(of, part_values(of.plan, of.matrix.layout().n)),
        values_of_buffer_(part_values(plan_, n_, tiles_)) {
    const std::int64_t side = std::min(plan_.width, n_);
    const bool one_step = plan_.band >= n_;  // without parts and panels
    const std::int64_t tile = side * tiles_.stride(side) * size_;
    const std::int64_t parts = one_step ? 0 : plan_.buffers * values_of_buffer_ * size_;
    if (!in_place_) tile_ = {device_, tile};
    buffers_ = {device_, in_place_ ? std::max(tile, parts) : parts};
    if (one_step) return;
    panel_ = {device_, tiles_.right_bytes(n_, side)};
    diagonal_ = {device_, tiles_.left_bytes(side, side)};
    left_ = {device_, tiles_.left_bytes(std::min(plan_.strip_rows, n_), side)};
  }
  ~DiskPassing() override { end(); }

  std::int64_t tiles() const { return (n_ - first_pivot_ + plan_.width - 1) / plan_.width; }
  bool stopped() const { return cancelled(); }
  void close(Tile) {}  // with the panels

  void update_panels(Tile k) {
    if (stopped()) return;
    const Range own = pivots(k);
    const std::int64_t side = length(own);
    close_diagonal(k);
    if (in_place_) pass_diagonal(k, {.out = true});
    update_row_panel(k);
    if (stopped()) return;
    // Later than it could be: the device has closed it meanwhile.
    if (!in_place_) pass_diagonal(k, {.out = true});
    advance(side, side, side);
  }

  void update_cross(Tile) {}  // with the remainder

  void update_rest(Tile k) {
    if (stopped()) return;
    const Range own = pivots(k);
    const std::int64_t height = plan_.strip_rows;
    const std::int64_t above = (own.begin + height - 1) / height;
    const std::int64_t below = (n_ - own.end + height - 1) / height;
    const auto part_of = [&](std::int64_t item) {
      const std::int64_t first = item < above ? item * height : own.end + (item - above) * height;
      const std::int64_t end = item < above ? own.begin : n_;
      return DiskPart{{first, std::min(first + height, end)}, all_of({0, matrix_.bands()})};
    };
    pass({.flow = {.in = true, .out = true},
          .count = above + below,
          .part_of = part_of,
          .view_of = [&](const DiskPart& part, std::int64_t item) { return in_buffer(part, item); },
          .work = [&](const DiskPart&, View strip) { update_strip(k, strip); },
          .left = [&](const DiskPart& part) { advance(length(part.rows), n_, length(own)); }});
    if (stopped()) return;
    if (own.end < n_) bring_diagonal(k + 1, Generation::next);
    committed_ = post([this, end = own.end] { matrix_.commit_step(end); });
  }

 private:
  bool solve() override {
    committed_ = -1;
    bring_diagonal(kFirstTile, Generation::current);
    try {
      blocked_floyd_warshall(*this);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::interrupted) wait_for_disk(committed_);
      throw;
    }
    wait_for_disk(committed_);
    return !stopped();
  }

  Range pivots(Tile k) const {
    const std::int64_t first = first_pivot_ + k.number() * plan_.width;
    return {first, std::min(first + plan_.width, n_)};
  }
  /// The bands that hold these columns.
  Range bands_of(Range columns) const {
    return {columns.begin / plan_.band, (columns.end + plan_.band - 1) / plan_.band};
  }
  std::byte* right(std::int64_t column, std::int64_t depth) const {
    return panel_.data() + tiles_.right_bytes(column, depth);
  }
  /// The device memory of a part while it passes.
  View in_buffer(const DiskPart& part, std::int64_t item) const {
    const std::int64_t cols = columns(part);
    return {buffers_.data() + item % plan_.buffers * values_of_buffer_ * size_, length(part.rows),
            cols, tiles_.stride(cols)};
  }
  View diagonal(Tile k) const {
    const std::int64_t side = length(pivots(k));
    return {(in_place_ ? buffers_ : tile_).data(), side, side, tiles_.stride(side)};
  }

  void pass_diagonal(Tile k, Flow flow) {
    const Range own = pivots(k);
    const std::int64_t height = plan_.strip_rows;
    pass({.flow = flow,
          .count = (length(own) + height - 1) / height,
          .part_of =
              [&](std::int64_t item) {
                const std::int64_t first = own.begin + item * height;
                return DiskPart{{first, std::min(first + height, own.end)}, all_of(bands_of(own))};
              },
          .view_of =
              [&](const DiskPart& part, std::int64_t) {
                return kernels::part(diagonal(k), size_, part.rows.begin - own.begin, 0,
                                     length(part.rows), length(own));
              }});
  }
  void bring_diagonal(Tile k, Generation from) {
    device_.wait(in_, device_.record(work_));  // the tile of the step before was packed
    pass_diagonal(k, {.in = true, .from = from});
  }

  void close_diagonal(Tile k) {
    const Range own = pivots(k);
    const View tile = diagonal(k);
    device_.wait(work_, close_tile(tile, own.begin, device_.record(work_)));
    if (length(own) == n_) return;
    tiles_.pack_left(work_, tile, false, diagonal_.data());
    tiles_.pack_right(work_, tile, false, right(own.begin, length(own)));
  }

  void update_row_panel(Tile k) {
    const Range own = pivots(k), inside = bands_of(own);
    const std::int64_t before = inside.begin, behind = matrix_.bands() - inside.end;
    const auto fits = [&](std::int64_t bands) {
      const std::int64_t rows = length(own), columns = bands * plan_.band;
      return rows * columns <= part_values(plan_, n_) &&
             rows * tiles_.stride(columns) <= values_of_buffer_;
    };
    std::int64_t wide = 1;  // bands of a part
    while (wide < matrix_.bands() && fits(wide + 1)) ++wide;
    const std::int64_t left = (before + wide - 1) / wide, all = left + (behind + wide - 1) / wide;
    const auto part_of = [&](std::int64_t item) {
      const std::int64_t first = item < left ? item * wide : inside.end + (item - left) * wide;
      const std::int64_t end = item < left ? before : matrix_.bands();
      return DiskPart{own, all_of({first, std::min(first + wide, end)})};
    };
    pass({.flow = {.in = true, .out = true},
          .count = all,
          .part_of = part_of,
          .view_of = [&](const DiskPart& part, std::int64_t item) { return in_buffer(part, item); },
          .work = [&](const DiskPart& part, View piece) { update_piece(k, part, piece); },
          .left = [&](const DiskPart& part) { advance(length(own), columns(part), length(own)); }});
  }

  void update_piece(Tile k, const DiskPart& part, View piece) {
    const std::int64_t depth = length(pivots(k));
    std::byte* const packed = right(part.bands.front() * plan_.band, depth);
    // Packed twice: before, for its own update, and after it, for the other tiles.
    tiles_.pack_right(work_, piece, false, packed);
    multiply(piece, diagonal_.data(), packed, depth);
    tiles_.pack_right(work_, piece, false, packed);
  }

  /// Updates rows that are not pivots of step k by its packed panel.
  void update_strip(Tile k, View strip) {
    const Range own = pivots(k);
    const std::int64_t depth = length(own);
    const View column_panel = kernels::part(strip, size_, 0, own.begin, strip.rows, depth);
    tiles_.pack_left(work_, column_panel, false, left_.data());
    multiply(column_panel, left_.data(), right(own.begin, depth), depth);
    tiles_.pack_left(work_, column_panel, false, left_.data());
    multiply(strip, left_.data(), panel_.data(), depth, own);
  }

  void multiply(View c, const std::byte* left, const std::byte* right, std::int64_t depth,
                Range skipped_cols = {}) {
    tiles_.multiply_add(
        work_,
        {.c = c, .left = left, .right = right, .depth = depth, .skipped_cols = skipped_cols});
  }

  std::int64_t values_of_buffer_;
  DeviceBuffer buffers_;           // parts; if they are read in place, the diagonal tile too
  DeviceBuffer tile_;              // the diagonal tile
  DeviceBuffer panel_, diagonal_;  // packed: right operands, and the closed tile as left ones
  DeviceBuffer left_;              // packed: a strip's part of the column panel
  EventId committed_ = -1;
};

}  // namespace

std::unique_ptr<DiskShare> disk_passing(const DiskArguments& arguments) {
  return std::make_unique<DiskPassing>(arguments);
}

}  // namespace apsp::dense
