#include "flow/drive.hpp"

#include <algorithm>
#include <list>
#include <vector>

#include "base/control.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::flow {
namespace {

/// Less work, about 30 µs, does not justify waking threads.
constexpr std::int64_t kFewValues = 1 << 14;
/// Blocks for each thread, enough to balance the load.
constexpr std::int64_t kBlocksAThread = 4;

struct Band {
  std::int64_t first;
  std::int64_t rows;
  const std::byte* values;  // [rows, stride]
  std::int64_t stride;
};

class Handing {
 public:
  Handing(const store::Store& from, RowSink& to, int threads, const Control& control,
          const Cancellation* stop)
      : layout_(from.layout()),
        to_(to),
        preference_(to.preference()),
        task_(to.task()),
        threads_(threads),
        control_(control),
        stop_(stop),
        progress_(control, task_.name, static_cast<double>(layout_.rows()) * task_.units_a_row,
                  task_.unit),
        sources_(layout_.selection.sources.of(layout_.n)) {}

  bool stopped() const { return stop_ != nullptr && stop_->requested(); }

  void give(const Band& band) {
    const int used =
        preference_.one_caller || band.rows * layout_.cols() < kFewValues ? 1 : threads_;
    std::int64_t rows = std::max<std::int64_t>(1, preference_.rows);
    if (used > 1) {
      rows = std::min(rows, std::max<std::int64_t>(1, band.rows / (used * kBlocksAThread)));
    }
    const std::int64_t blocks = (band.rows + rows - 1) / rows;
    system::parallel_for(blocks, used, [&](std::int64_t block) {
      if (stopped()) return;
      base::check_cancelled(control_);
      const std::int64_t first = block * rows, count = std::min(rows, band.rows - first);
      to_.take({std::span(sources_).subspan(static_cast<std::size_t>(band.first + first),
                                            static_cast<std::size_t>(count)),
                band.values + first * band.stride * size_of(layout_.type), band.stride,
                layout_.type});
      progress_.advance(static_cast<double>(count) * task_.units_a_row);
    });
  }

 private:
  const store::Layout& layout_;
  RowSink& to_;
  RowPreference preference_;
  RowTask task_;
  int threads_;
  const Control& control_;
  const Cancellation* stop_;
  base::ProgressTask progress_;
  std::vector<Vertex> sources_;
};

/// Calls take(band) for consecutive bands until it returns false.
template <class Take>
void read_bands(const store::Store& from, std::int64_t rows_of_band, const Control& control,
                const Take& take) {
  const std::int64_t rows = from.layout().rows(), cols = from.layout().cols();
  system::AlignedMemory values(rows_of_band * cols * size_of(from.layout().type));
  for (std::int64_t first = 0; first < rows; first += rows_of_band) {
    base::check_cancelled(control);
    const std::int64_t taken = std::min(rows_of_band, rows - first);
    from.read(store::Plane::distance, {first, 0, taken, cols}, values.data(), cols);
    if (!take(Band{first, taken, values.data(), cols})) return;
  }
}

}  // namespace

void drive(const store::Store& from, RowSink& to, int threads, const Control& control,
           const Cancellation* stop) {
  const std::int64_t rows = from.layout().rows();
  Handing handing(from, to, threads, control, stop);
  if (const auto* const memory = static_cast<const std::byte*>(from.data(store::Plane::distance))) {
    return handing.give({0, rows, memory, from.stride()});
  }
  read_bands(from, std::min(from.layout().tile, rows), control, [&](const Band& band) {
    handing.give(band);
    return !handing.stopped();
  });
}

void drive_all(const store::Store& from, std::span<RowSink* const> to, int threads,
               const Control& control) {
  // Only the first sink shows progress.
  const Control quiet{nullptr, control.cancellation};
  std::list<Handing> handings;
  std::int64_t band = 0;
  for (RowSink* const sink : to) {
    handings.emplace_back(from, *sink, threads, handings.empty() ? control : quiet, nullptr);
    band = std::max(band, sink->preference().band);
  }
  if (band == 0) band = from.layout().tile;
  read_bands(from, std::min(band, from.layout().rows()), control, [&](const Band& values) {
    for (Handing& handing : handings) handing.give(values);
    return true;
  });
}

void copy_plane(store::Plane plane, store::Store& from, store::Store& to, int threads,
                const Control& control) {
  const store::Layout& layout = to.layout();
  const std::int64_t rows = layout.rows(), cols = layout.cols();
  const std::int64_t tile = layout.tile;
  const int size = store::value_size(layout, plane);
  base::ProgressTask progress(control, "writing " + std::string(name(plane)),
                              static_cast<double>(rows) * static_cast<double>(cols) * size, "byte");
  auto* const memory = static_cast<std::byte*>(from.data(plane));
  // An .npy takes whole rows if they are in memory.
  const bool whole_rows = to.writes_in_turn() && memory != nullptr;
  const std::int64_t bands = (rows + tile - 1) / tile;
  const std::int64_t columns = whole_rows ? 1 : std::max<std::int64_t>(1, (cols + tile - 1) / tile);
  system::parallel_for(bands * columns, whole_rows ? 1 : threads, [&](std::int64_t t) {
    base::check_cancelled(control);
    const std::int64_t row = t / columns * tile, col = t % columns * tile;
    const store::Block block{row, col, std::min(tile, rows - row),
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

}  // namespace apsp::flow
