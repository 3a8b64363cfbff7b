#include "store/feed.hpp"

#include <algorithm>
#include <list>
#include <numeric>
#include <span>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/control.hpp"
#include "base/team.hpp"

namespace apsp::store {
namespace {

/// Fewer values than this, some 30 µs of work, are not worth waking threads for.
constexpr std::int64_t kFewValues = 1 << 14;
/// So many blocks a thread that the last ones are short beside the whole.
constexpr std::int64_t kBlocksAThread = 4;

/// Consecutive rows in memory.
struct Band {
  std::int64_t first;
  std::int64_t rows;
  const std::byte* values;  // [rows, stride]
  std::int64_t stride;
};

class Handing {
 public:
  Handing(const Store& from, RowSink& to, int threads, const Control& control,
          const Cancellation* stop)
      : type_(from.layout().type),
        cols_(from.layout().cols()),
        to_(to),
        preference_(to.preference()),
        task_(to.task()),
        threads_(threads),
        control_(control),
        stop_(stop),
        progress_(control, task_.name,
                  static_cast<double>(from.layout().rows()) * task_.units_a_row, task_.unit),
        sources_(from.layout().selection.sources) {
    if (!sources_.empty()) return;
    sources_.resize(static_cast<std::size_t>(from.layout().n));
    std::iota(sources_.begin(), sources_.end(), Vertex{0});
  }

  bool stopped() const { return stop_ != nullptr && stop_->requested(); }

  void give(const Band& band) {
    const int used = preference_.one_caller || band.rows * cols_ < kFewValues ? 1 : threads_;
    std::int64_t rows = std::max<std::int64_t>(1, preference_.rows);
    if (used > 1) {
      rows = std::min(rows, std::max<std::int64_t>(1, band.rows / (used * kBlocksAThread)));
    }
    const std::int64_t blocks = (band.rows + rows - 1) / rows;
    base::share_items(blocks, used, [&](std::int64_t block) {
      if (stopped()) return;
      base::check_cancelled(control_);
      const std::int64_t first = block * rows;
      give_block(band, first, std::min(rows, band.rows - first));
    });
  }

 private:
  void give_block(const Band& band, std::int64_t first, std::int64_t rows) {
    to_.take({std::span(sources_).subspan(static_cast<std::size_t>(band.first + first),
                                          static_cast<std::size_t>(rows)),
              band.values + first * band.stride * size_of(type_), band.stride, type_});
    progress_.advance(static_cast<double>(rows) * task_.units_a_row);
  }

  ValueType type_;
  std::int64_t cols_;
  RowSink& to_;
  RowPreference preference_;
  RowTask task_;
  int threads_;
  const Control& control_;
  const Cancellation* stop_;
  base::ProgressTask progress_;
  std::vector<Vertex> sources_;  // of all rows
};

/// Calls take(band) for bands of so many rows, one behind the other, until it returns false.
template <class Take>
void read_bands(const Store& from, std::int64_t rows_of_band, const Control& control,
                const Take& take) {
  const std::int64_t rows = from.layout().rows(), cols = from.layout().cols();
  base::AlignedMemory values(rows_of_band * cols * size_of(from.layout().type));
  for (std::int64_t first = 0; first < rows; first += rows_of_band) {
    base::check_cancelled(control);
    const std::int64_t taken = std::min(rows_of_band, rows - first);
    from.read(Plane::distance, {first, 0, taken, cols}, values.data(), cols);
    if (!take(Band{first, taken, values.data(), cols})) return;
  }
}

}  // namespace

void feed(const Store& from, RowSink& to, int threads, const Control& control,
          const Cancellation* stop) {
  const std::int64_t rows = from.layout().rows();
  Handing handing(from, to, threads, control, stop);
  if (const auto* const memory = static_cast<const std::byte*>(from.data(Plane::distance))) {
    return handing.give({0, rows, memory, from.stride()});
  }
  read_bands(from, std::min(from.layout().tile, rows), control, [&](const Band& band) {
    handing.give(band);
    return !handing.stopped();
  });
}

void feed_all(const Store& from, std::span<RowSink* const> to, int threads,
              const Control& control) {
  // One of them shows how far all are.
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

}  // namespace apsp::store
