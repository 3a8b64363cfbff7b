#include "engine/product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "base/rounded_up.hpp"
#include "kernels/own/own_kernels.hpp"
#include "semiring/dispatch.hpp"
#include "system/aligned_memory.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

using kernels::ConstView;
using kernels::View;

constexpr std::int64_t kPackedAlignment = 64;  // bytes
constexpr std::int64_t kPivots = 768;          // packed at a time: four steps of a register tile
constexpr std::int64_t kMostRows = 192, kMostCols = 256;  // a tile fits a second-level cache
constexpr std::int64_t kLeastRows = 48, kLeastCols = 64;
constexpr double kOneThread = 500'000;  // relaxations: about 10 µs, as waking a thread

struct ProductTiles {
  std::int64_t rows = kMostRows, cols = kMostCols;

  ProductTiles(std::int64_t m, std::int64_t n, int threads) {
    constexpr std::int64_t kTilesAThread = 4;
    const auto count = [&] { return down(m) * across(n); };
    while (count() < kTilesAThread * threads && (rows > kLeastRows || cols > kLeastCols)) {
      rows = std::max(rows / 2, kLeastRows);
      cols = std::max(cols / 2, kLeastCols);
    }
  }
  std::int64_t down(std::int64_t m) const { return (m + rows - 1) / rows; }
  std::int64_t across(std::int64_t n) const { return (n + cols - 1) / cols; }
};

struct BuiltIn {
  const kernels::TileOperations& operations;
  int value_size() const { return operations.value_size; }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const {
    return operations.packed.left_bytes(rows, depth);
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const {
    return operations.packed.right_bytes(cols, depth);
  }
  void pack_left(ConstView a, void* out) const { operations.packed.pack_left(a, false, out); }
  void pack_right(ConstView b, void* out) const { operations.packed.pack_right(b, false, out); }
  void multiply_add(View c, const void* left, const void* right, std::int64_t depth) const {
    operations.packed.multiply_add(c, left, right, depth);
  }
};
struct Own {
  const detail::OwnKernels& own;
  int value_size() const { return own.value_size; }
  std::int64_t left_bytes(std::int64_t rows, std::int64_t depth) const {
    return kernels::own::left_bytes(own, rows, depth);
  }
  std::int64_t right_bytes(std::int64_t cols, std::int64_t depth) const {
    return kernels::own::right_bytes(own, cols, depth);
  }
  void pack_left(ConstView a, void* out) const { kernels::own::pack_left(own, a, out); }
  void pack_right(ConstView b, void* out) const { kernels::own::pack_right(own, b, out); }
  void multiply_add(View c, const void* left, const void* right, std::int64_t depth) const {
    kernels::own::multiply_add(own, c, left, right, depth);
  }
};

double relaxations_of(const MatrixProduct& p) {
  return static_cast<double>(p.c.rows) * static_cast<double>(p.c.cols) *
         static_cast<double>(p.a.cols);
}

template <class Kernels>
class HostProduct {
 public:
  HostProduct(const Kernels& kernels, const MatrixProduct& product, int threads,
              const Control& control, const TileFilter& filter = {})
      : kernels_(kernels),
        p_(product),
        threads_(relaxations_of(product) < kOneThread ? 1 : threads),
        control_(control),
        filter_(filter),
        tiles_(product.c.rows, product.c.cols, threads_),
        down_(tiles_.down(product.c.rows)),
        across_(tiles_.across(product.c.cols)),
        pivots_(std::min(product.a.cols, kPivots)),
        left_bytes_(aligned(kernels.left_bytes(tiles_.rows, pivots_))),
        right_bytes_(aligned(kernels.right_bytes(tiles_.cols, pivots_))),
        packed_(down_ * left_bytes_ + across_ * right_bytes_) {}

  void run() {
    base::ProgressTask progress(control_, "product", relaxations_of(p_), "relaxation");
    for (std::int64_t first = 0; first < p_.a.cols; first += pivots_) {
      const std::int64_t depth = std::min(pivots_, p_.a.cols - first);
      share(down_ + across_, [&](std::int64_t item) { pack(item, first, depth); });
      share(down_ * across_, [&](std::int64_t item) {
        const View tile = tile_of(item);
        if (wanted(item % down_, item / down_)) {
          kernels_.multiply_add(tile, left(item % down_), right(item / down_), depth);
        }
        progress.advance(static_cast<double>(tile.rows) * static_cast<double>(tile.cols) *
                         static_cast<double>(depth));
      });
    }
  }

 private:
  static std::int64_t aligned(std::int64_t bytes) {
    return base::rounded_up(bytes, kPackedAlignment);
  }
  std::byte* left(std::int64_t t) { return packed_.data() + t * left_bytes_; }
  std::byte* right(std::int64_t t) { return left(down_) + t * right_bytes_; }

  template <class F>
  void share(std::int64_t items, F&& work) {
    system::for_each_row(items, threads_, control_, std::forward<F>(work));
  }
  std::int64_t row(std::int64_t t) const { return t * tiles_.rows; }
  std::int64_t col(std::int64_t t) const { return t * tiles_.cols; }
  std::int64_t rows(std::int64_t t) const { return std::min(tiles_.rows, p_.c.rows - row(t)); }
  std::int64_t cols(std::int64_t t) const { return std::min(tiles_.cols, p_.c.cols - col(t)); }

  bool wanted(std::int64_t ti, std::int64_t tj) const {
    return !filter_ || filter_({row(ti), row(ti) + rows(ti)}, {col(tj), col(tj) + cols(tj)});
  }

  /// Items go down the columns, so consecutive items share the right operand.
  View tile_of(std::int64_t item) const {
    const std::int64_t ti = item % down_, tj = item / down_;
    return part(p_.c, kernels_.value_size(), row(ti), col(tj), rows(ti), cols(tj));
  }
  void pack(std::int64_t item, std::int64_t first, std::int64_t depth) {
    const int size = kernels_.value_size();
    if (item < down_) {
      kernels_.pack_left(part(p_.a, size, row(item), first, rows(item), depth), left(item));
    } else {
      const std::int64_t t = item - down_;
      kernels_.pack_right(part(p_.b, size, first, col(t), depth, cols(t)), right(t));
    }
  }

  Kernels kernels_;
  const MatrixProduct& p_;
  int threads_;
  const Control& control_;
  TileFilter filter_;
  ProductTiles tiles_;
  std::int64_t down_, across_;
  std::int64_t pivots_;
  std::int64_t left_bytes_, right_bytes_;  // of a packed operand
  system::AlignedMemory packed_;           // [down_] left operands, [across_] right ones
};

/// Facts about an operand's values, in vectorized loops.
template <class S>
struct OperandLook {
  using T = typename S::Value;
  static constexpr bool kSum = S::kKind == Semiring::min_plus || S::kKind == Semiring::max_plus;
  bool negative = false;
  T least = 0, greatest = 0;  // integers only

  static bool is_bad(T value) { return value != value || S::better(S::zero(), value); }

  bool look_at(const T* row, std::int64_t cols) {
    if constexpr (std::is_floating_point_v<T>) {
      return look_at_bits(row, cols);
    } else {
      return look_at_integers(row, cols);
    }
  }

 private:
  /// Only NaN is bad. The sign is meaningless for max-plus, whose "no path" is negative.
  bool look_at_bits(const T* row, std::int64_t cols) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr Bits kSign = Bits{1} << (8 * sizeof(T) - 1);
    constexpr auto kInfinity = std::bit_cast<Bits>(std::numeric_limits<T>::infinity());
    Bits all = 0, beyond = 0;
    for (std::int64_t j = 0; j < cols; ++j) {
      const auto bits = std::bit_cast<Bits>(row[j]);
      all |= bits;
      beyond |= kInfinity - (bits & ~kSign);  // NaN sets the sign
    }
    negative |= kSum && (all & kSign) != 0;
    return (beyond & kSign) != 0;
  }
  bool look_at_integers(const T* row, std::int64_t cols) {
    bool bad = false;
    T low = least, high = greatest;
    for (std::int64_t j = 0; j < cols; ++j) {
      bad |= is_bad(row[j]);
      const T counted = kSum && row[j] != S::zero() ? row[j] : T(0);
      low = std::min(low, counted);
      high = std::max(high, counted);
    }
    least = low;
    greatest = high;
    negative = low < 0;
    return bad;
  }
};

template <class S>
OperandFacts look(ConstView matrix, const char* title, int threads) {
  using T = typename S::Value;
  struct alignas(64) Part {
    OperandLook<S> look;
    std::int64_t bad = std::numeric_limits<std::int64_t>::max();
  };
  std::vector<Part> parts(static_cast<std::size_t>(std::max(1, threads)));
  const double values = static_cast<double>(matrix.rows) * static_cast<double>(matrix.cols);
  system::parallel_for(
      matrix.rows, values < kOneThread ? 1 : threads, [&](std::int64_t i, int member) {
        Part& own = parts[static_cast<std::size_t>(member)];
        const T* const row = static_cast<const T*>(matrix.data) + i * matrix.stride;
        if (!own.look.look_at(row, matrix.cols)) return;
        const T* const bad = std::find_if(row, row + matrix.cols, OperandLook<S>::is_bad);
        own.bad = std::min(own.bad, i * matrix.cols + (bad - row));
      });
  OperandFacts facts;
  std::int64_t bad = parts.front().bad;
  for (const Part& part : parts) {
    bad = std::min(bad, part.bad);
    facts.negative |= part.look.negative;
    facts.largest = std::max({facts.largest, std::abs(static_cast<double>(part.look.least)),
                              static_cast<double>(part.look.greatest)});
  }
  if (bad != std::numeric_limits<std::int64_t>::max()) refuse_operand(title, bad, matrix.cols);
  return facts;
}

}  // namespace

void refuse_operand(const char* title, std::int64_t place, std::int64_t cols) {
  throw usage_error("the value of {} at row {}, column {} is NaN or beyond 'no path'", title,
                    place / cols, place % cols);
}

OperandFacts look_at_operand(Semiring semiring, ValueType type, ConstView matrix, const char* title,
                             int threads) {
  return semiring::dispatch(semiring, type,
                            [&]<class S>() { return look<S>(matrix, title, threads); });
}

void multiply_add(const kernels::TileOperations& operations, const MatrixProduct& product,
                  int threads, const Control& control, const TileFilter& filter) {
  if (relaxations_of(product) == 0) return;
  HostProduct<BuiltIn>({operations}, product, threads, control, filter).run();
}

void multiply_add(const detail::OwnKernels& kernels, const MatrixProduct& product, int threads,
                  const Control& control) {
  if (relaxations_of(product) == 0) return;
  HostProduct<Own>({kernels}, product, threads, control).run();
}

}  // namespace apsp::engine
