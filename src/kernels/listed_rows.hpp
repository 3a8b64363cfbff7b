// Operations of a device on rows that lists name: the work of sweeps over a sparse factor (nested
// dissection; Delling 2011), and the counting of what they find.
//
// All rows are rows of matrices in device memory that have a column a source. Items, lists and
// weights lie in device memory too: they are copied there once, and one launch works on as many
// items as do not wait for each other.
//
// ⊕ is a minimum in all of them. Max-plus and max-min keep rows and weights negated
// (`listed_value`), until `transpose_rows` brings the values of the semiring back.
#pragma once

#include <apsp/semiring.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/contract.hpp"
#include "kernels/distance_count.hpp"
#include "semiring/semirings.hpp"

namespace apsp::kernels {

/// Rows of an item, at most: of a narrow one, which warps take, and of a wide one, which goes
/// through shared memory as a product does.
inline constexpr std::int32_t kListedRows = 8;
inline constexpr std::int32_t kWideRows = 64;
/// Columns of listed rows fill whole lines of so many bytes, and rows begin on them.
inline constexpr std::int64_t kListedLine = 64;
/// Items that wait for each other do so by strips of so many bytes of a row.
inline constexpr std::int64_t kListedStrip = 512;

/// Rows [first_row, first_row + rows) of C ← (what they hold, or no path) ⊕ A ⊗ X[list]; or the
/// rows that the list names from `first_row` on.
struct ListedItem {
  /// A's first value: [depth, listed_width(rows)], row k for row list[k] of X, so A transposed;
  /// what is beyond `rows` is read and has no effect. A multiple of the width.
  std::int64_t weights = 0;
  std::int64_t list = 0;  ///< the first of `depth` row numbers
  std::int32_t depth = 0;
  std::int32_t first_row = 0;
  std::int32_t rows = 1;             ///< 1 to kListedRows, or more, to kWideRows
  std::int32_t rows_are_listed = 0;  ///< 1: row i of a wide item is the list's number first_row + i
  /// Not −1: A has rows for the rows of X from this number on, of which the list names some.
  /// Only wide items have it.
  std::int32_t weights_from = -1;
  std::int32_t group = 0;  ///< of a product that has groups
};

/// Items that others of the same launch wait for. The groups above a group have smaller numbers,
/// and their items come before its own.
struct ListedGroup {
  std::int32_t items = 0;
  std::int32_t above =
      -1;                 ///< the group whose rows all of these list, with those of groups above it
  std::int32_t near = 0;  ///< the first so many listed rows of each item are those of `above`
};

constexpr bool listed_negated(Semiring semiring) {
  return semiring == Semiring::max_plus || semiring == Semiring::max_min;
}
/// A value of the semiring as listed rows keep it, and back again. Sums have one zero.
template <class T>
constexpr T listed_value(Semiring semiring, T value) {
  if (!listed_negated(semiring)) return value;
  if constexpr (std::is_same_v<T, std::uint16_t>) {
    return static_cast<T>(semiring::Infinity<T>::plus - value);
  } else {
    return static_cast<T>(T(0) - value);
  }
}

/// How listed rows keep the values of a device's type.
enum class ListedForm {
  values,  ///< in that type (`listed_value`)
  /// Of f64: shortest distances that are whole numbers up to `kMostWhole`, in 32 bits without a
  /// sign. That is half the memory, and twice as fast. `transpose_rows` gives values of f64.
  whole,
};
inline constexpr double kMostWhole = semiring::Infinity<std::uint32_t>::plus - 1.0;
constexpr std::uint32_t whole_listed(double value) {
  return value <= kMostWhole ? static_cast<std::uint32_t>(value)
                             : semiring::Infinity<std::uint32_t>::plus;
}
constexpr double of_whole_listed(std::uint32_t word) {
  return word < semiring::Infinity<std::uint32_t>::plus ? static_cast<double>(word)
                                                        : semiring::Infinity<double>::plus;
}
/// A type whose values are as large as those of listed rows, and as fast.
constexpr ValueType listed_type(ListedForm form, ValueType type) {
  return form == ListedForm::whole ? ValueType::i32 : type;
}
constexpr int listed_size(ListedForm form, int value_size) {
  return form == ListedForm::whole ? static_cast<int>(sizeof(std::uint32_t)) : value_size;
}

/// Numbers in device memory that a launch counts in what is done. `row_bytes`: of C.
constexpr std::int64_t listed_progress(std::int64_t groups, std::int64_t row_bytes) {
  return 1 + groups * ((row_bytes + kListedStrip - 1) / kListedStrip);
}

/// Neighbouring values in A: the rows rounded up to a power of two.
constexpr std::int32_t listed_width(std::int32_t rows) {
  std::int32_t width = 1;
  while (width < rows) width *= 2;
  return width;
}

/// Items [0, count) in any order or at once: no row that is written is listed, or written twice.
/// But where there are groups, items list rows that items of the groups above theirs write, and
/// wait for them.
struct ListedProduct {
  View c;                               ///< [any, cols]
  ConstView x;                          ///< [any, cols]; may be the same matrix
  const std::byte* weights = nullptr;   ///< values
  const std::int32_t* lists = nullptr;  ///< row numbers of X
  const ListedItem* items = nullptr;    ///< [count]
  std::int64_t count = 0;
  std::int32_t widest = 1;  ///< no item has more rows
  bool large = false;       ///< wide items, or such as list many rows, go well together
  bool adds = false;  ///< all items add to what their rows hold; else they begin with no path,
  /// but for those whose first row is marked 1 here: [c.rows], or null.
  const std::uint8_t* begun = nullptr;
  const ListedGroup* groups =
      nullptr;  ///< [group_count], or null; C and X are the same matrix then
  std::int64_t group_count = 0;
  std::int32_t* progress = nullptr;  ///< [listed_progress], of any values
};

/// Totals of one row over all counted columns; sums of whole numbers, which no order changes.
struct RowTotals {
  std::uint64_t sum = 0;  ///< of distances
  /// The sum of reciprocals of the positive distances, each first rounded to a double r, is
  /// high × 2^-32 + low × 2^-73: r in multiples of 2^-32, to the nearest, and what is left of it.
  std::int64_t high = 0;
  std::int64_t low = 0;
  std::uint64_t reached = 0;  ///< columns that have a path
};

/// A column's greatest distance and the smallest label of a row that has it, as one number: the
/// greater number is the better one; 0: no path.
constexpr std::uint64_t greatest_key(std::uint32_t distance, std::uint32_t label) {
  return (std::uint64_t{distance} << 32 | (0xFFFFFFFFu - label)) + 1;
}
constexpr std::uint32_t greatest_of(std::uint64_t key) {
  return static_cast<std::uint32_t>((key - 1) >> 32);
}
constexpr std::uint32_t label_of(std::uint64_t key) {
  return 0xFFFFFFFFu - static_cast<std::uint32_t>((key - 1) & 0xFFFFFFFFu);
}

/// Counts distances that are whole numbers from 0 on (min-plus in u16, i32 or whole rows), and adds
/// to what the arrays hold. Where a row and a column have the same label, the value is left out.
struct RowCount {
  ConstView x;                                   ///< [rows, cols]
  const std::uint32_t* row_labels = nullptr;     ///< [rows], distinct
  const std::uint32_t* column_labels = nullptr;  ///< [cols]
  RowTotals* totals = nullptr;                   ///< [rows]
  std::uint64_t* greatest = nullptr;             ///< [cols], `greatest_key`
  std::uint64_t* counts = nullptr;               ///< [limit + 1] by distance; the last: any beyond
  std::int64_t limit = 0;                        ///< up to kCountLimit
  RowsWithin within{};
};
/// Columns that `RowTotals` add up at most, so that no sum overflows.
inline constexpr std::int64_t kCountedColumns = std::int64_t{1} << 22;

/// Listed rows of X as columns, as values of the semiring: out(j, i) ← x(list[i], j).
struct TransposedRows {
  View out;                            ///< [cols of x, any]
  ConstView x;                         ///< [any, cols]
  const std::int32_t* list = nullptr;  ///< [out.cols] row numbers of X
};

}  // namespace apsp::kernels
