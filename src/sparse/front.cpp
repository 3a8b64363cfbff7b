#include "sparse/front.hpp"

#include <algorithm>
#include <apsp/error.hpp>

#include "base/control.hpp"
#include "dense/device_memory.hpp"
#include "dense/host_memory.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/transpose.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"
#include "system/threads.hpp"

namespace apsp::sparse {
namespace {

template <class S>
void clear(kernels::View rows) {
  auto* const values = static_cast<typename S::Value*>(rows.data);
  std::fill(values, values + rows.rows * rows.stride, S::zero());
}

template <class S>
void put(kernels::View front, std::int64_t width, std::span<const Entry> entries,
         const Position* row_of) {
  auto* const values = static_cast<typename S::Value*>(front.data);
  for (std::int64_t i = 0; i < width; ++i) values[i * (front.stride + 1)] = S::one();
  for (const Entry& entry : entries) {
    auto& value = values[row_of[entry.row] * front.stride + row_of[entry.col]];
    value = S::plus(value, semiring::weight_as<S>(entry.weight));
  }
}

template <class S>
void add(const void* from, std::int64_t begin_from, void* to, std::int64_t begin_to,
         std::int64_t count) {
  using T = typename S::Value;
  const T* const added = static_cast<const T*>(from) + begin_from;
  T* const values = static_cast<T*>(to) + begin_to;
#pragma omp simd
  for (std::int64_t j = 0; j < count; ++j) values[j] = S::plus(values[j], added[j]);
}

using kernels::ConstView;
using kernels::part;
using kernels::View;

constexpr std::int64_t kBlockRows = 192, kBlockCols = 768;  // of a product, for one thread
constexpr std::int64_t kClosedByOne = 512;  // wider supernodes are closed by all threads
constexpr std::int64_t kTile = 192;
/// Fewer entries are copied by one thread, before another one would wake; more in blocks of rows.
constexpr std::int64_t kCopiedByOne = std::int64_t{1} << 16, kBandRows = 64;

bool closed_by_one(std::int64_t width, int threads) {
  return width <= kClosedByOne || threads == 1;
}

std::byte* row_of(View view, int value_size, std::int64_t row) {
  return static_cast<std::byte*>(view.data) + row * view.stride * value_size;
}

class Work {
 public:
  Work(const Front& front, const kernels::TileOperations& operations, const FrontWork& work,
       const Control& control, system::AlignedMemory& scratch)
      : front_(front),
        operations_(operations),
        work_(work),
        control_(control),
        scratch_(scratch),
        clear_(assembly_operations(operations.semiring, operations.type).clear),
        upper_(front.matrix.rows - front.width) {}

  /// Mirrors the lower triangle, within tiles of this side; `all`: also between tiles.
  void mirror(View square, std::int64_t side, bool all) const {
    const int size = operations_.value_size;
    system::parallel_for((square.rows + side - 1) / side, work_.threads, [&](std::int64_t band) {
      const std::int64_t first = band * side, rows = std::min(side, square.rows - first);
      for (std::int64_t j = 0; all && j < first; j += side) {
        kernels::transpose(part(square, size, j, first, side, rows),
                           part(square, size, first, j, rows, side), size);
      }
      for (std::int64_t i = 0; i < rows; ++i) {
        kernels::transpose(part(square, size, first, first + i, i, 1),
                           part(square, size, first + i, first, 1, i), size);
      }
    });
  }

  std::int64_t close(View square) const {
    const bool there = work_.share.closes(square.rows, upper_);
    if (front_.symmetric) mirror(square, there ? work_.share.tile : kTile, !there);
    if (!there && closed_by_one(square.rows, work_.threads)) {
      return operations_.close(square, work_.cycles);
    }
    const dense::Shape shape = front_.symmetric ? dense::Shape::symmetric : dense::Shape::full;
    try {
      if (there) {
        dense::DeviceMemory(*work_.share.device, {square, operations_.value_size, work_.share.tile},
                            shape, work_.cycles, control_)
            .run();
      } else {
        dense::HostMemory({square, operations_.value_size, kTile}, shape, operations_, work_.cycles,
                          work_.threads, control_)
            .run();
      }
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::negative_cycle) throw;
      return error.cycle().vertices.front();
    }
    return -1;
  }

  std::int64_t run(const FrontResult& result) {
    const std::int64_t w = front_.width;
    const int size = operations_.value_size;
    const View diagonal = part(front_.matrix, size, 0, 0, w, w);
    const View below = part(front_.matrix, size, w, 0, upper_, w);
    const View beside = part(front_.matrix, size, 0, w, w, upper_);
    if (const std::int64_t pivot =
            work_.whole != nullptr ? eliminate_on_device(diagonal) : close(diagonal);
        pivot >= 0) {
      return pivot;
    }
    if (result.closed.data != diagonal.data) copy(result.closed, diagonal);
    if (upper_ == 0) return -1;
    if (work_.whole != nullptr) {
      copy(result.up, beside);
      if (!front_.symmetric) transpose(result.down, below);
      return -1;
    }
    multiply_to_the_left(below, diagonal, result.down);
    if (!front_.symmetric) multiply(result.up, diagonal, beside, Onto::no_path);
    multiply(part(front_.matrix, size, w, w, upper_, upper_), below, result.up,
             front_.symmetric ? Onto::lower_half : Onto::all);
    return -1;
  }

 private:
  /// The target of a product; `lower_half`: only blocks on or below the diagonal.
  enum class Onto { all, lower_half, no_path };

  std::int64_t eliminate_on_device(View diagonal) const {
    if (front_.symmetric) mirror(diagonal, kTile, true);
    return work_.whole->eliminate(front_, work_.cycles, control_);
  }

  void multiply(View c, ConstView a, ConstView b, Onto onto) const {
    const std::int64_t down = (c.rows + kBlockRows - 1) / kBlockRows;
    const std::int64_t across = (c.cols + kBlockCols - 1) / kBlockCols;
    const int size = operations_.value_size;
    const auto block = [&](std::int64_t item) {
      const std::int64_t i = item / across * kBlockRows, j = item % across * kBlockCols;
      const std::int64_t rows = std::min(kBlockRows, c.rows - i);
      if (onto == Onto::lower_half && j >= i + rows) return;
      const std::int64_t cols = std::min(kBlockCols, c.cols - j);
      for (std::int64_t row = 0; row < rows && onto == Onto::no_path; ++row) {
        clear_({row_of(part(c, size, i, j, rows, cols), size, row), 1, cols, cols});
      }
      operations_.multiply_add(part(c, size, i, j, rows, cols), part(a, size, i, 0, rows, a.cols),
                               part(b, size, 0, j, b.rows, cols));
    };
    if (down * across == 1) return block(0);
    system::parallel_for(down * across, work_.threads, [&](std::int64_t item) {
      if (!base::cancelled(control_)) block(item);
    });
    base::check_cancelled(control_);
  }

  template <class F>
  void by_bands(std::int64_t rows, std::int64_t cols, F&& work) const {
    if (work_.threads == 1 || rows * cols < kCopiedByOne) return work(0, rows);
    system::parallel_for((rows + kBandRows - 1) / kBandRows, work_.threads, [&](std::int64_t band) {
      work(band * kBandRows, std::min(kBandRows, rows - band * kBandRows));
    });
  }

  void copy(View to, View from) const {
    const int size = operations_.value_size;
    by_bands(from.rows, from.cols, [&](std::int64_t first, std::int64_t rows) {
      for (std::int64_t i = first; i < first + rows; ++i) {
        std::copy_n(row_of(from, size, i), from.cols * size, row_of(to, size, i));
      }
    });
  }

  void transpose(View to, View from) const {
    const int size = operations_.value_size;
    by_bands(from.rows, from.cols, [&](std::int64_t first, std::int64_t rows) {
      kernels::transpose(part(to, size, 0, first, to.rows, rows),
                         part(from, size, first, 0, rows, from.cols), size);
    });
  }

  void multiply_to_the_left(View below, View closed, View down) {
    scratch_.require(upper_ * front_.width * operations_.value_size);
    const View product{scratch_.data(), upper_, front_.width, front_.width};
    multiply(product, below, closed, Onto::no_path);
    transpose(down, product);
  }

  const Front& front_;
  const kernels::TileOperations& operations_;
  const FrontWork& work_;
  const Control& control_;
  system::AlignedMemory& scratch_;
  void (*clear_)(View rows);
  std::int64_t upper_;
};

/// The most frequent supernode of a road network: one vertex with a small row structure. A kernel
/// call does not pay.
template <class S>
std::int64_t eliminate_vertex(const Front& front, const FrontResult& result,
                              kernels::Cycles cycles) {
  using T = typename S::Value;
  T* const data = static_cast<T*>(front.matrix.data);
  const std::int64_t side = front.matrix.rows, stride = front.matrix.stride;
  if (S::better(data[0], S::one()) && cycles == kernels::Cycles::possible) return 0;
  *static_cast<T*>(result.closed.data) = S::one();
  T* const up = static_cast<T*>(result.up.data);
  T* const down = static_cast<T*>(result.down.data);
  for (std::int64_t i = 1; i < side; ++i) {
    if (!front.symmetric) up[i - 1] = data[i];
    down[i - 1] = data[i * stride];
  }
  for (std::int64_t i = 1; i < side; ++i) {
    T* const row = data + i * stride;
    for (std::int64_t j = 1; j < (front.symmetric ? i + 1 : side); ++j) {
      row[j] = S::plus(row[j], S::times(down[i - 1], up[j - 1]));
    }
  }
  return -1;
}

}  // namespace

AssemblyOperations assembly_operations(Semiring semiring, ValueType type) {
  return semiring::dispatch(semiring, type, []<class S>() {
    return AssemblyOperations{&clear<S>, &put<S>, &add<S>};
  });
}

std::int64_t closing_bytes(std::int64_t width, int threads, ValueType type) {
  if (closed_by_one(width, threads)) return 0;
  const Semiring semiring = type == ValueType::boolean ? Semiring::or_and : Semiring::min_plus;
  return dense::HostMemory::panel_bytes(
      {{nullptr, width, width, width}, size_of(type), kTile},
      kernels::cpu::operations(semiring, type, kernels::Sign::non_negative));
}

std::int64_t eliminate_front(const Front& front, const FrontResult& result,
                             const kernels::TileOperations& operations, const FrontWork& work,
                             const Control& control, system::AlignedMemory& scratch) {
  constexpr std::int64_t kFew = 24;
  if (front.width == 1 && front.matrix.rows <= kFew) {
    return semiring::dispatch(operations.semiring, operations.type, [&]<class S>() {
      return eliminate_vertex<S>(front, result, work.cycles);
    });
  }
  return Work(front, operations, work, control, scratch).run(result);
}

}  // namespace apsp::sparse
