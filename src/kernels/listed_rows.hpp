// Device operations on gathered rows, named by lists: sweeps over a sparse factor (nested
// dissection; Delling 2011).
//
// All rows belong to matrices in device memory with a column for each source. Items, lists and
// weights are copied to device memory once; one launch works on as many independent items as
// possible.
//
// ⊕ is always a minimum. Rows and weights of max-plus and max-min are negated (`listed_value`);
// `transpose_rows` restores the values of the semiring.
#pragma once

#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/contract.hpp"
#include "semiring/semirings.hpp"

namespace apsp::kernels {

/// Most rows of narrow items (computed by warps) and wide items (through shared memory, as a
/// product).
inline constexpr std::int32_t kListedRows = 8;
inline constexpr std::int32_t kWideRows = 64;
/// Alignment and padding of gathered rows, in bytes.
inline constexpr std::int64_t kListedLine = 64;
/// Unit in which items of a launch wait for each other: a strip of a row, in bytes.
inline constexpr std::int64_t kListedStrip = 512;

/// C's rows [first_row, first_row + rows), or the rows that the list names from `first_row` on, ←
/// (their content, or no path) ⊕ A ⊗ X[list].
struct ListedItem {
  /// Index of A's first value, a multiple of the width. A is stored transposed: [depth,
  /// listed_width(rows)], row k for row list[k] of X. Values beyond `rows` are read without effect.
  std::int64_t weights = 0;
  std::int64_t list = 0;  ///< index of the first of `depth` row numbers
  std::int32_t depth = 0;
  std::int32_t first_row = 0;
  std::int32_t rows = 1;  ///< up to kListedRows for narrow items, up to kWideRows for wide ones
  std::int32_t rows_are_listed = 0;  ///< 1: row i of a wide item is list entry first_row + i
  /// If not −1, A has a row for every row of X from this number on; the list selects some. Wide
  /// items.
  std::int32_t weights_from = -1;
  std::int32_t group = 0;
};

/// Items that others of the launch wait for. Groups above have smaller numbers and earlier items.
struct ListedGroup {
  std::int32_t items = 0;
  std::int32_t above =
      -1;  ///< the group whose rows, with those of the groups above it, all items list
  std::int32_t near = 0;  ///< the first so many listed rows of each item are rows of `above`
};

constexpr bool listed_negated(Semiring semiring) {
  return semiring == Semiring::max_plus || semiring == Semiring::max_min;
}
/// Converts a value of the semiring to its form in gathered rows, and back. Sums have one zero.
template <class T>
constexpr T listed_value(Semiring semiring, T value) {
  if (!listed_negated(semiring)) return value;
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    return static_cast<T>(semiring::Infinity<T>::plus - value);
  } else {
    return static_cast<T>(T(0) - value);
  }
}

enum class ListedForm {
  values,  ///< in the device's type (`listed_value`)
  /// f64 distances that are integers up to `kMostWhole`, as unsigned integers of 32 bits: half the
  /// memory and twice as fast. `transpose_rows` converts them back to f64.
  whole,
  /// i32 distances d(s, v) ≥ 0 as d(s, v) + p(s) − p(v) in u16, with potentials p of a block of
  /// sources (Johnson 1977): distances from one of them. They are counted, not transposed.
  reduced,
};
/// The greatest reduced distance.
inline constexpr std::int32_t kMostReduced = semiring::Infinity<std::uint16_t>::plus - 1;
/// The weight of a path from a vertex of potential `from` to one of potential `to`, reduced. Longer
/// ones are on no shortest path from the block. Requires: to ≤ from + weight, unless one is
/// infinite.
constexpr std::uint16_t reduced_listed(std::int32_t weight, std::int32_t from, std::int32_t to) {
  constexpr std::int32_t kNone = semiring::Infinity<std::int32_t>::plus;
  if (weight >= kNone || from >= kNone || to >= kNone) return kMostReduced + 1;
  const std::int32_t reduced = weight + from - to;
  return static_cast<std::uint16_t>(reduced <= kMostReduced ? reduced : kMostReduced + 1);
}
inline constexpr double kMostWhole = semiring::Infinity<std::uint32_t>::plus - 1.0;
constexpr std::uint32_t whole_listed(double value) {
  return value <= kMostWhole ? static_cast<std::uint32_t>(value)
                             : semiring::Infinity<std::uint32_t>::plus;
}
constexpr double of_whole_listed(std::uint32_t word) {
  return word < semiring::Infinity<std::uint32_t>::plus ? static_cast<double>(word)
                                                        : semiring::Infinity<double>::plus;
}
/// A type with values of the same size and speed.
constexpr ValueType listed_type(ListedForm form, ValueType type) {
  if (form == ListedForm::reduced) return ValueType::u16;
  return form == ListedForm::whole ? ValueType::i32 : type;
}
constexpr int listed_size(ListedForm form, int value_size) {
  if (form == ListedForm::reduced) return static_cast<int>(sizeof(std::uint16_t));
  return form == ListedForm::whole ? static_cast<int>(sizeof(std::uint32_t)) : value_size;
}

/// The number of progress counters of a launch. `row_bytes`: bytes of a row of C.
constexpr std::int64_t listed_progress(std::int64_t groups, std::int64_t row_bytes) {
  return 1 + groups * ((row_bytes + kListedStrip - 1) / kListedStrip);
}

/// Row pitch of A: the rows rounded up to a power of two.
constexpr std::int32_t listed_width(std::int32_t rows) {
  std::int32_t width = 1;
  while (width < rows) width *= 2;
  return width;
}

/// Items [0, count) in any order. No written row is listed or written twice, except that items
/// with groups may list rows that items of the groups above theirs write, and wait for them.
struct ListedProduct {
  View c;       ///< [any, cols]
  ConstView x;  ///< [any, cols]; may be the same matrix
  const std::byte* weights = nullptr;
  const std::int32_t* lists = nullptr;  ///< row numbers of X
  const ListedItem* items = nullptr;    ///< [count]
  std::int64_t count = 0;
  std::int32_t widest = 1;  ///< most rows of an item
  bool large = false;       ///< items are wide or list many rows, and are best run as wide ones
  /// true: all items add to the content of their rows; false: rows begin with no path,
  bool adds = false;
  /// except items whose first row is marked 1 here: [c.rows], or null.
  const std::uint8_t* begun = nullptr;
  const ListedGroup* groups =
      nullptr;  ///< [group_count], or null; with groups C and X are the same matrix
  std::int64_t group_count = 0;
  std::int32_t* progress = nullptr;  ///< [listed_progress] scratch, uninitialised
};

/// Weights of an item that one warp reduces.
inline constexpr std::int32_t kMostReducedWeights = 1024;

/// reduced(k, i) ← `reduced_listed` of weights(k, i) of all items, for potentials of rows of X and
/// of C, which are rows of one matrix.
struct ReducedWeights {
  const std::byte* weights = nullptr;        ///< i32
  std::byte* reduced = nullptr;              ///< u16, in the same places
  const std::int32_t* lists = nullptr;       ///< row numbers
  const ListedItem* items = nullptr;         ///< [count]
  const std::int32_t* potentials = nullptr;  ///< [rows]
  std::int64_t count = 0;
};

/// out(j, i) ← x(list[i], j), in values of the semiring.
struct TransposedRows {
  View out;                            ///< [cols of x, any]
  ConstView x;                         ///< [any, cols]
  const std::int32_t* list = nullptr;  ///< [out.cols] row numbers of X
};

}  // namespace apsp::kernels
