// The operations in textbook loops, on memory that the strict device has already checked.
//
// A packed operand is cut into slivers of four lines (rows of a left operand, columns of a right
// one). A sliver begins with a head that says what it is, so that an operand at the wrong place, of
// the wrong side or depth is noticed; its values follow, [depth][4] on the left and [4][depth] on
// the right, lines and pivots beyond the edge filled with "no path". Slivers are multiples of 256
// bytes.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

#include "base/rounded_up.hpp"
#include "kernels/row_kernels.hpp"
#include "kernels/tile_kernels.hpp"

namespace apsp::kernels::strict {

inline constexpr std::int64_t kSliver = 4;           // lines, and the step of depths
inline constexpr std::int64_t kPackAlignment = 256;  // bytes

enum class Side : std::int32_t { left = 0x1ef7, right = 0x4167 };

struct SliverHead {
  Side side;
  std::int32_t depth;  // pivots, without those that fill up
  std::int32_t lines;  // lines that lie inside the operand
  std::int32_t unused = 0;
};

using base::rounded_up;

inline std::int64_t sliver_bytes(std::int64_t depth, int value_size) {
  return rounded_up(static_cast<std::int64_t>(sizeof(SliverHead)) +
                        kSliver * rounded_up(depth, kSliver) * value_size,
                    kPackAlignment);
}
inline std::int64_t packed_bytes(std::int64_t lines, std::int64_t depth, int value_size) {
  return rounded_up(lines, kSliver) / kSliver * sliver_bytes(depth, value_size);
}

/// The functions of a strict device; no pointer leads outside checked memory.
struct Operations {
  int value_size;         // bytes
  int columns_per_value;  // more than one: bits
  /// `lines_are_rows`: of `a`, as it lies in memory.
  void (*pack)(Side side, ConstView a, bool lines_are_rows, std::byte* out);
  /// The rectangle of `update.c` that `rows` and `cols` leave.
  void (*multiply_add)(const Update& update, Range rows, Range cols);
  std::int64_t (*close)(View d, View via, Cycles cycles, std::int64_t first_pivot);
  /// One row of an item, from what it holds or from no path; `weights`: its first. Bits have none.
  void (*multiply_listed)(View row, ConstView x, const void* weights, const std::int32_t* list,
                          const ListedItem& item, bool begun) = nullptr;
  /// One row ← no path, but for the empty path in `column`; −1: in none.
  void (*begin_row)(View row, std::int64_t column) = nullptr;
  /// How listed rows are kept; `listed_size`: bytes of a value of theirs.
  ListedForm listed_form = ListedForm::values;
  int listed_size = value_size;
  /// Changes them to whole rows; null where there are none.
  void (*keep_whole)(Operations& operations) = nullptr;
  /// The same of reduced rows.
  void (*keep_reduced)(Operations& operations) = nullptr;
  /// value ← that of listed rows; null where they are the same.
  void (*restore)(void* value, const void* listed) = nullptr;
  /// A row of distances by a search from `source`, over the arcs of `rows`. Bits have none.
  void (*search_row)(View row, std::uint32_t source, const SearchedRows& rows) = nullptr;
  int arc_size = 0;  // bytes
  /// The same over reduced weights; null where values hold no sums of both signs.
  void (*search_reduced_row)(View row, std::uint32_t source, const SearchedRows& rows) = nullptr;
  int reduced_size = 0, reduced_arc_size = 0;  // bytes of a key, and of an arc
  /// A column of hops by a search from `source`, against the arcs; returns the greatest. Null
  /// unless sums are minimised.
  std::int64_t (*search_column)(View column, std::uint32_t source, const std::uint32_t* first,
                                const std::uint32_t* before) = nullptr;
  /// A row of predecessors from a row of distances; whether paths of tight arcs lead to all
  /// vertices that have one. Bits have none.
  bool (*search_predecessors)(View predecessors, ConstView distances, std::uint32_t source,
                              const std::uint32_t* first, const std::byte* arcs) = nullptr;
  /// The distance at a place, −1 for no path; null where they are no whole numbers from 0 on.
  std::int64_t (*distance)(const void* value) = nullptr;
  /// The same of any numbers; null unless sums are minimised.
  double (*length)(const void* value) = nullptr;

  /// Pivots of an operand: those of whole values.
  std::int64_t packed_depth(std::int64_t depth) const {
    return rounded_up(depth, columns_per_value);
  }
};

/// Reachability of 32 vertices a word. A bit of a left operand is packed as a whole word.
struct BitWords {
  using Value = std::uint32_t;
  static constexpr int kColumns = 32;
  static constexpr Value zero() { return 0; }
  static constexpr bool better(Value a, Value b) { return (a & ~b) != 0; }
  static constexpr Value plus(Value a, Value b) { return a | b; }
  static constexpr Value times(Value a, Value b) { return a & b; }
};

/// The keys of all vertices up to `limit`, over the arcs of `search` (SearchedRows, NearSearches):
/// first come, first looked at; a vertex whose key became better comes again.
template <class K, class Search>
std::vector<typename K::Value> searched(const Search& search, std::uint32_t source,
                                        double limit = std::numeric_limits<double>::infinity()) {
  using Key = typename K::Value;
  std::vector<Key> keys(static_cast<std::size_t>(search.vertices), K::zero());
  keys[source] = K::one();
  std::vector<std::uint32_t> queue = {source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const std::uint32_t v = queue[i];
    for (std::uint32_t a = search.first[v]; a < search.first[v + 1]; ++a) {
      const auto& arc = reinterpret_cast<const SearchArc<Key>*>(search.arcs)[a];
      const Key through = K::times(keys[v], arc.weight);
      if (static_cast<double>(through) > limit || !K::better(through, keys[arc.to])) continue;
      keys[arc.to] = through;
      queue.push_back(arc.to);
    }
  }
  return keys;
}

template <class S>
class Kernels {
  using T = typename S::Value;
  static constexpr int kColumns = std::is_same_v<S, BitWords> ? BitWords::kColumns : 1;

 public:
  static Operations operations() {
    Operations operations{sizeof(T), kColumns, &pack, &multiply_add, &close};
    if constexpr (kColumns == 1) {
      operations.multiply_listed = &multiply_listed;
      operations.begin_row = &begin_row;
      if constexpr (listed_negated(S::kKind)) operations.restore = &restore;
      operations.search_row = &search_row;
      operations.search_predecessors = &search_predecessors;
      operations.arc_size = sizeof(SearchArc<T>);
      if constexpr (kReducible<S>) {
        using Key = typename ReducedSum<T>::Value;
        operations.search_reduced_row = &search_reduced_row;
        operations.reduced_size = sizeof(Key);
        operations.reduced_arc_size = sizeof(SearchArc<Key>);
      }
      if constexpr (S::kKind == Semiring::min_plus) {
        operations.search_column = &search_column;
        operations.length = &length;
        if constexpr (std::is_integral_v<T>) operations.distance = &distance;
        if constexpr (std::is_same_v<T, double>) operations.keep_whole = &keep_whole;
        if constexpr (std::is_same_v<T, std::int32_t>) operations.keep_reduced = &keep_reduced;
      }
    }
    return operations;
  }

 private:
  static T& at(View tile, std::int64_t i, std::int64_t j) {
    return static_cast<T*>(tile.data)[i * tile.stride + j];
  }
  static void note(View via, std::int64_t i, std::int64_t j, std::int64_t pivot) {
    if (via.data == nullptr) return;
    static_cast<std::int32_t*>(via.data)[i * via.stride + j] = static_cast<std::int32_t>(pivot);
  }
  /// Where the value of a line and a pivot lies in its sliver.
  static std::int64_t place(Side side, std::int64_t line, std::int64_t pivot, std::int64_t depth) {
    return side == Side::left ? pivot * kSliver + line : line * rounded_up(depth, kSliver) + pivot;
  }

  /// The factor of column `j` in a product; a column of bits is one bit.
  static T factor(ConstView a, std::int64_t i, std::int64_t j) {
    const T value = static_cast<const T*>(a.data)[i * a.stride + j / kColumns];
    if constexpr (kColumns == 1) {
      return value;
    } else {
      return (value >> (j % kColumns) & 1) != 0 ? ~T{0} : T{0};
    }
  }

  static void pack(Side side, ConstView a, bool lines_are_rows, std::byte* out) {
    const std::int64_t lines = lines_are_rows ? a.rows : a.cols;
    const std::int64_t pivots = lines_are_rows ? a.cols * kColumns : a.rows;
    const std::int64_t depth = rounded_up(pivots, kColumns);
    for (std::int64_t first = 0; first < lines; first += kSliver) {
      std::byte* const sliver = out + first / kSliver * sliver_bytes(depth, sizeof(T));
      const SliverHead head{side, static_cast<std::int32_t>(depth),
                            static_cast<std::int32_t>(std::min(kSliver, lines - first))};
      std::memcpy(sliver, &head, sizeof head);
      auto* const to = reinterpret_cast<T*>(sliver + sizeof head);
      for (std::int64_t line = 0; line < kSliver; ++line) {
        for (std::int64_t pivot = 0; pivot < rounded_up(depth, kSliver); ++pivot) {
          T value = S::zero();
          if (line < head.lines && pivot < pivots) {
            value = lines_are_rows ? factor(a, first + line, pivot)
                                   : static_cast<const T*>(a.data)[pivot * a.stride + first + line];
          }
          to[place(side, line, pivot, depth)] = value;
        }
      }
    }
  }

  static T packed(Side side, const std::byte* operand, std::int64_t line, std::int64_t pivot,
                  std::int64_t depth) {
    const std::byte* const sliver = operand + line / kSliver * sliver_bytes(depth, sizeof(T));
    return reinterpret_cast<const T*>(
        sliver + sizeof(SliverHead))[place(side, line % kSliver, pivot, depth)];
  }

  static void relax(T& value, T product, View via, std::int64_t i, std::int64_t j,
                    std::int64_t pivot) {
    if (!S::better(product, value)) return;
    value = S::plus(value, product);
    note(via, i, j, pivot);
  }

  static void multiply_add(const Update& u, Range rows, Range cols) {
    const std::int64_t depth = rounded_up(u.depth, kColumns);
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      for (std::int64_t j = cols.begin; j < cols.end; ++j) {
        for (std::int64_t k = 0; k < rounded_up(depth, kSliver); ++k) {
          const T product = S::times(packed(Side::left, u.left, i, k, depth),
                                     packed(Side::right, u.right, j, k, depth));
          relax(at(u.c, i, j), product, u.via, i, j, u.first_pivot + k);
        }
      }
    }
  }

  /// The semiring of minima over negated values.
  template <class Kind, bool kNegated>
  struct MinimaOf {
    using Type = Kind;
  };
  template <class Kind>
  struct MinimaOf<Kind, true> {
    using Type = std::conditional_t<Kind::kKind == Semiring::max_plus,
                                    semiring::MinPlus<typename Kind::Value>,
                                    semiring::MinMax<typename Kind::Value>>;
  };
  static constexpr bool is_negated() {
    if constexpr (kColumns == 1) return listed_negated(S::kKind);
    return false;
  }
  using Minima = typename MinimaOf<S, is_negated()>::Type;

  template <class Listed>
  static void keep(ListedForm form, Operations& operations) {
    const Operations listed = Kernels<semiring::MinPlus<Listed>>::operations();
    operations.listed_form = form;
    operations.listed_size = listed.value_size;
    operations.multiply_listed = listed.multiply_listed;
    operations.begin_row = listed.begin_row;
    operations.distance = listed.distance;
    operations.length = listed.length;
  }
  static void keep_whole(Operations& operations) {
    keep<std::uint32_t>(ListedForm::whole, operations);
    operations.restore = [](void* value, const void* listed) {
      *static_cast<double*>(value) = of_whole_listed(*static_cast<const std::uint32_t*>(listed));
    };
  }

  static void keep_reduced(Operations& operations) {
    keep<std::uint16_t>(ListedForm::reduced, operations);
  }

  static void restore(void* value, const void* listed) {
    *static_cast<T*>(value) = listed_value(S::kKind, *static_cast<const T*>(listed));
  }

  static void multiply_listed(View row, ConstView x, const void* weights, const std::int32_t* list,
                              const ListedItem& item, bool begun) {
    const std::int64_t width = listed_width(item.rows);
    for (std::int64_t j = 0; j < row.cols; ++j) {
      T value = begun ? at(row, 0, j) : Minima::zero();
      for (std::int64_t k = 0; k < item.depth; ++k) {
        const T right = static_cast<const T*>(x.data)[list[k] * x.stride + j];
        const std::int64_t of = item.weights_from < 0 ? k : list[k] - item.weights_from;
        const T product = Minima::times(static_cast<const T*>(weights)[of * width], right);
        if (Minima::better(product, value)) value = product;
      }
      at(row, 0, j) = value;
    }
  }

  static void begin_row(View row, std::int64_t column) {
    for (std::int64_t j = 0; j < row.cols; ++j) {
      at(row, 0, j) = j == column ? Minima::one() : Minima::zero();
    }
  }

  static std::uint32_t vertex_of(std::int64_t column, const SearchedRows& rows) {
    return rows.columns == nullptr ? static_cast<std::uint32_t>(column) : rows.columns[column];
  }

  static void search_row(View row, std::uint32_t source, const SearchedRows& rows) {
    const std::vector<T> keys = searched<S>(rows, source);
    for (std::int64_t j = 0; j < row.cols; ++j) at(row, 0, j) = keys[vertex_of(j, rows)];
  }

  static void search_reduced_row(View row, std::uint32_t source, const SearchedRows& rows) {
    using K = ReducedSum<T>;
    const auto keys = searched<K>(rows, source);
    const double sign = S::kKind == Semiring::max_plus ? -1 : 1, from = rows.potentials[source];
    for (std::int64_t j = 0; j < row.cols; ++j) {
      const std::uint32_t v = vertex_of(j, rows);
      at(row, 0, j) = K::distance(keys[v], from, rows.potentials[v], sign);
    }
  }

  /// Level by level: a vertex is reached once one before it is.
  static std::int64_t search_column(View column, std::uint32_t source, const std::uint32_t* first,
                                    const std::uint32_t* before) {
    for (std::int64_t v = 0; v < column.rows; ++v) at(column, v, 0) = S::zero();
    at(column, source, 0) = S::one();
    bool goes_on = true;
    std::int64_t level = 0;
    while (goes_on) {
      ++level;
      goes_on = false;
      for (std::int64_t v = 0; v < column.rows; ++v) {
        if (at(column, v, 0) != S::zero()) continue;
        const bool reached = std::any_of(before + first[v], before + first[v + 1], [&](auto from) {
          return at(column, from, 0) == static_cast<T>(level - 1);
        });
        if (!reached) continue;
        at(column, v, 0) = static_cast<T>(level);
        goes_on = true;
      }
    }
    return level - 1;
  }

  /// Levels from round to round, until none falls; then the smallest vertex one level before.
  static bool search_predecessors(View predecessors, ConstView distances, std::uint32_t source,
                                  const std::uint32_t* first, const std::byte* arcs) {
    const auto n = static_cast<std::size_t>(distances.cols);
    const T* const d = static_cast<const T*>(distances.data);
    std::vector<std::int32_t> before(n, -1);
    std::vector<std::size_t> level(n, n);  // n: not reached
    level[source] = 0;
    const auto each_tight_arc = [&](auto&& act) {
      for (std::size_t u = 0; u < n; ++u) {
        for (std::uint32_t a = first[u]; a < first[u + 1] && level[u] < n; ++a) {
          const SearchArc<T>& arc = reinterpret_cast<const SearchArc<T>*>(arcs)[a];
          if (d[arc.to] != S::zero() && S::times(d[u], arc.weight) == d[arc.to]) act(u, arc.to);
        }
      }
    };
    for (bool falls = true; falls;) {
      falls = false;
      each_tight_arc([&](std::size_t u, std::size_t v) {
        if (level[u] + 1 >= level[v]) return;
        level[v] = level[u] + 1;
        falls = true;
      });
    }
    each_tight_arc([&](std::size_t u, std::size_t v) {
      if (level[u] + 1 == level[v] && before[v] < 0) before[v] = static_cast<std::int32_t>(u);
    });
    const auto size = static_cast<std::size_t>(predecessor_size(distances.cols));
    std::size_t unreached = 0;
    for (std::size_t v = 0; v < n; ++v) {  // the lower bytes of −1 are all ones
      std::memcpy(static_cast<std::byte*>(predecessors.data) + v * size, &before[v], size);
      unreached += level[v] == n && d[v] != S::zero() ? 1 : 0;
    }
    return unreached == 0;
  }

  static std::int64_t distance(const void* value) {
    const T distance = *static_cast<const T*>(value);
    return distance == S::zero() ? -1 : static_cast<std::int64_t>(distance);
  }

  static double length(const void* value) {
    const T distance = *static_cast<const T*>(value);
    return distance == S::zero() ? -1.0 : static_cast<double>(distance);
  }

  static std::int64_t close(View d, View via, Cycles cycles, std::int64_t first_pivot) {
    for (std::int64_t k = 0; k < d.rows; ++k) {
      if constexpr (kColumns == 1) {
        if (S::better(at(d, k, k), S::one())) {
          if (cycles == Cycles::possible) return k;
          at(d, k, k) = S::one();
        }
      }
      for (std::int64_t i = 0; i < d.rows; ++i) {
        if (i == k) continue;
        const T left = factor(d, i, k);
        for (std::int64_t j = 0; j < d.cols; ++j) {
          relax(at(d, i, j), S::times(left, at(d, k, j)), via, i, j, first_pivot + k);
        }
      }
    }
    if constexpr (kColumns == 1) {
      if (cycles == Cycles::excluded) {
        for (std::int64_t k = 0; k < d.rows; ++k) at(d, k, k) = S::one();
      }
    }
    return -1;
  }
};

}  // namespace apsp::kernels::strict
