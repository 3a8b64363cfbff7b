#include "store/copy_planes.hpp"

#include <algorithm>
#include <vector>

#include "base/control.hpp"
#include "base/team.hpp"

namespace apsp::store {

void copy_plane(Plane plane, Store& from, Store& to, int threads, const Control& control) {
  const Layout& layout = to.layout();
  const std::int64_t rows = layout.rows(), cols = layout.cols();
  const std::int64_t tile = layout.tile;
  const int size = value_size(layout, plane);
  base::ProgressTask progress(control, "writing " + std::string(name(plane)),
                              static_cast<double>(rows) * static_cast<double>(cols) * size, "byte");
  auto* const memory = static_cast<std::byte*>(from.data(plane));
  // Whole rows lie one behind the other in an .npy; what is not in memory is copied in tiles.
  const bool whole_rows = to.writes_in_turn() && memory != nullptr;
  const std::int64_t bands = (rows + tile - 1) / tile;
  const std::int64_t columns = whole_rows ? 1 : std::max<std::int64_t>(1, (cols + tile - 1) / tile);
  base::share_items(bands * columns, whole_rows ? 1 : threads, [&](std::int64_t t) {
    base::check_cancelled(control);
    const std::int64_t row = t / columns * tile, col = t % columns * tile;
    const Block block{row, col, std::min(tile, rows - row),
                      whole_rows ? cols : std::min(tile, cols - col)};
    if (memory != nullptr) {
      to.write(plane, block, memory + (block.row * from.stride() + block.col) * size,
               from.stride());
    } else {
      std::vector<std::byte> buffer(static_cast<std::size_t>(block.rows * block.cols * size));
      from.read(plane, block, buffer.data(), block.cols);
      to.write(plane, block, buffer.data(), block.cols);
    }
    progress.advance(static_cast<double>(block.rows) * static_cast<double>(block.cols) * size);
  });
}

}  // namespace apsp::store
