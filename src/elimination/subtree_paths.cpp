#include "elimination/subtree_paths.hpp"

#include <algorithm>

#include "kernels/transpose.hpp"
#include "semiring/dispatch.hpp"

namespace apsp::elimination {
namespace {

/// Fewer relaxations are no work for a kernel.
constexpr std::int64_t kForAKernel = 1 << 14;

template <class S>
using ValueOf = typename S::Value;

/// products [count, count] ← downᵗ ⊗ up. down and up: [width, count].
template <class S>
void multiply_one_by_one(kernels::ConstView down, kernels::ConstView up, ValueOf<S>* products) {
  for (std::int64_t j = 0; j < up.rows; ++j) {
    const auto* const from = static_cast<const ValueOf<S>*>(down.data) + j * down.stride;
    const auto* const to = static_cast<const ValueOf<S>*>(up.data) + j * up.stride;
    for (std::int64_t a = 0; a < up.cols; ++a) {
      ValueOf<S>* const line = products + a * up.cols;
      for (std::int64_t b = 0; b < up.cols; ++b) {
        line[b] = S::plus(line[b], S::times(from[a], to[b]));
      }
    }
  }
}

std::int64_t front_row(std::span<const Position> row_of, std::span<const Position> above,
                       std::int64_t i) {
  return row_of[static_cast<std::size_t>(above[static_cast<std::size_t>(i)])];
}

}  // namespace

template <class S>
void SubtreePaths::add_supernode(SupernodeId s, std::span<const Position> above,
                                 kernels::View front, std::span<const Position> row_of,
                                 Scratch& scratch) const {
  using T = ValueOf<S>;
  const std::int64_t width = factor_.tree().width(s), count = std::ssize(above);
  const std::int64_t skipped = factor_.tree().structure_size(s) - count;
  const kernels::ConstView up = kernels::part(factor_.up(s), sizeof(T), 0, skipped, width, count);
  const kernels::ConstView down =
      kernels::part(factor_.down(s), sizeof(T), 0, skipped, width, count);
  const std::int64_t bytes = count * (count + width) * std::int64_t{sizeof(T)};
  scratch.products.require(bytes);
  T* const products = scratch.products.as<T>();
  std::fill(products, products + count * count, S::zero());
  if (width * count * count < kForAKernel) {
    multiply_one_by_one<S>(down, up, products);
  } else {
    const kernels::View left{products + count * count, count, width, width};
    kernels::transpose(left, down, sizeof(T));
    operations_.multiply_add({products, count, count, count}, left, up);
  }
  for (std::int64_t a = 0; a < count; ++a) {
    T* const line = static_cast<T*>(front.data) + front_row(row_of, above, a) * front.stride;
    const std::int64_t end = factor_.symmetric() ? a + 1 : count;
    for (std::int64_t b = 0; b < end; ++b) {
      T& value = line[front_row(row_of, above, b)];
      value = S::plus(value, products[a * count + b]);
    }
  }
}

void SubtreePaths::add(SupernodeId root, kernels::View front, std::span<const Position> row_of,
                       Scratch& scratch) const {
  const Tree& tree = factor_.tree();
  const Position end = tree.first(root + 1);
  semiring::dispatch(operations_.semiring, operations_.type, [&]<class S>() {
    scratch.open.assign(1, root);
    while (!scratch.open.empty()) {
      const SupernodeId s = scratch.open.back();
      scratch.open.pop_back();
      const auto upper = tree.upper(s);
      if (upper.size() < 2 || upper[upper.size() - 2] < end) continue;
      const auto first = std::lower_bound(upper.begin(), upper.end(), end);
      add_supernode<S>(s, {first, upper.end()}, front, row_of, scratch);
      const auto below = children_.of(s);
      scratch.open.insert(scratch.open.end(), below.begin(), below.end());
    }
  });
}

}  // namespace apsp::elimination
