#include "support/strict/strict_kernels.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <vector>

#include "base/double_double.hpp"

namespace apsp::kernels::strict {
namespace {

template <class T>
ConstView array(const T* first, std::int64_t count) {
  return {first, 1, count, count};
}

ConstView row_of(ConstView matrix, int value_size, std::int64_t row, std::int64_t rows = 1) {
  return part(matrix, value_size, row, 0, rows, matrix.cols);
}

/// Which groups wait for which, and who writes a row.
class Groups {
 public:
  explicit Groups(const ListedProduct& product) : p_(product) {
    if (p_.groups == nullptr) return;
    require(p_.x.data == p_.c.data && p_.progress != nullptr, "multiply_listed: groups");
    std::vector<std::int32_t> items(static_cast<std::size_t>(p_.group_count));
    for (std::int64_t i = 0; i < p_.count; ++i) {
      const std::int32_t group = p_.items[i].group;
      require(group >= 0 && group < p_.group_count, "multiply_listed: a group that is not there");
      const std::int32_t above = p_.groups[group].above;
      require(above < group, "multiply_listed: a group before the one above it");
      if (above >= 0 && items[static_cast<std::size_t>(above)] != p_.groups[above].items) {
        misuse("multiply_listed: an item before those that it waits for");
      }
      ++items[static_cast<std::size_t>(group)];
    }
    for (std::int64_t g = 0; g < p_.group_count; ++g) {
      require(items[static_cast<std::size_t>(g)] == p_.groups[g].items,
              "multiply_listed: the items of a group");
    }
  }

  void writes(const ListedItem& item, std::int64_t row) {
    if (writer_.emplace(row, item.group).second) return;
    misuse(fmt::format("multiply_listed: row {} is written twice", row));
  }
  /// Listed row number k of an item.
  void lists(const ListedItem& item, std::int32_t k, std::int64_t row) const {
    const auto writer = writer_.find(row);
    if (p_.x.data != p_.c.data || writer == writer_.end()) return;
    if (p_.groups != nullptr) {
      const ListedGroup& mine = p_.groups[item.group];
      std::int32_t above = mine.above;
      if (k >= mine.near && above >= 0) above = p_.groups[above].above;
      while (above >= 0 && above != writer->second) above = p_.groups[above].above;
      if (above >= 0) return;
    }
    misuse(fmt::format("multiply_listed: row {} is listed and written", row));
  }

 private:
  const ListedProduct& p_;
  std::map<std::int64_t, std::int32_t> writer_;  // of rows: groups
};

/// Row numbers of an item, which are rows of X that nobody writes meanwhile.
void check_list(const Access& at, const ListedProduct& p, int size, const ListedItem& item,
                const Groups& groups) {
  const std::int32_t* const list = p.lists + item.list;
  for (std::int32_t k = 0; k < item.depth; ++k) {
    if (list[k] < 0 || list[k] >= p.x.rows) {
      misuse(fmt::format("multiply_listed: row {} of {} is listed", list[k], p.x.rows));
    }
    groups.lists(item, k, list[k]);
    at.inspect(row_of(p.x, size, list[k]), size, "X");
  }
}

void check_item(const ListedProduct& p, const ListedItem& item) {
  const bool wide = item.rows > kListedRows;
  require(item.rows > 0 && item.rows <= std::min(p.widest, kWideRows),
          "multiply_listed: the rows of an item");
  require(item.rows_are_listed == 0 || wide, "multiply_listed: rows of a narrow item are listed");
  require(item.weights_from == -1 || (wide && item.weights_from >= 0),
          "multiply_listed: weights of a narrow item are picked");
  require(item.depth >= 0 && item.first_row >= 0, "multiply_listed: an item outside C");
  require(item.weights % listed_width(item.rows) == 0,
          "multiply_listed: weights do not begin at a multiple of their width");
}

/// The numbers of an item's rows of C.
std::vector<std::int64_t> rows_of(const Access& at, const ListedProduct& p,
                                  const ListedItem& item) {
  const std::int32_t* const list = p.lists + item.first_row;
  if (item.rows_are_listed != 0) {
    at.inspect(array(list, item.rows), sizeof(std::int32_t), "list");
  }
  std::vector<std::int64_t> rows;
  for (std::int32_t r = 0; r < item.rows; ++r) {
    rows.push_back(item.rows_are_listed != 0 ? list[r] : item.first_row + r);
    require(rows.back() >= 0 && rows.back() < p.c.rows, "multiply_listed: an item outside C");
  }
  return rows;
}

}  // namespace

void multiply_listed(const Access& at, const Operations& operations, const ListedProduct& p) {
  const int size = operations.listed_size;
  require(p.c.cols == p.x.cols, "multiply_listed: columns");
  const auto lines = [&](ConstView matrix) {
    return matrix.cols * size % kListedLine == 0 && matrix.stride * size % kListedLine == 0;
  };
  require(lines(p.c) && lines(p.x), "multiply_listed: columns do not fill whole lines");
  at.read_array(p.items, p.count, "items");
  if (p.groups != nullptr) {
    at.read_array(p.groups, p.group_count, "groups");
    const std::int64_t progress = listed_progress(p.group_count, p.c.cols * size);
    at.write(array(p.progress, progress), sizeof(std::int32_t), "progress");
  }
  Groups groups(p);
  for (std::int64_t i = 0; i < p.count; ++i) {
    check_item(p, p.items[i]);
    for (const std::int64_t row : rows_of(at, p, p.items[i])) {
      groups.writes(p.items[i], row);
    }
  }
  at.memory.access(at.who, p.x, size, "X", false);
  at.memory.access(at.who, p.c, size, "C", true);
  for (std::int64_t i = 0; i < p.count; ++i) {
    const ListedItem& item = p.items[i];
    const std::int32_t* const list = p.lists + item.list;
    const std::byte* const weights = p.weights + item.weights * size;
    bool begun = p.adds;
    if (item.depth > 0) {
      at.inspect(array(list, item.depth), sizeof(std::int32_t), "list");
      const std::int64_t width = listed_width(item.rows);
      for (std::int32_t k = 0; k < item.depth; ++k) {
        const std::int64_t of = item.weights_from < 0 ? k : list[k] - item.weights_from;
        require(of >= 0, "multiply_listed: a row before those that have weights");
        at.inspect(array(weights + of * width * size, width), size, "weights");
      }
      check_list(at, p, size, item, groups);
    }
    const std::vector<std::int64_t> rows = rows_of(at, p, item);
    if (!begun && p.begun != nullptr) {
      at.inspect(array(p.begun + rows.front(), 1), 1, "begun");
      begun = p.begun[rows.front()] != 0;
    }
    for (std::int32_t r = 0; r < item.rows; ++r) {
      const ConstView row = row_of(p.c, size, rows[static_cast<std::size_t>(r)]);
      if (begun) at.inspect(row, size, "C");
      at.memory.mark(at.who, row, size, "C");
      operations.multiply_listed({const_cast<void*>(row.data), 1, row.cols, row.stride}, p.x,
                                 weights + std::int64_t{r} * size, list, item, begun);
    }
  }
}

void Rows::begin_rows(QueueId queue, View rows, const std::int32_t* columns) {
  core_.give(queue, "begin_rows", [=, this](const Access& at) {
    const Operations& operations = core_.operations;
    at.read_array(columns, rows.rows, "columns");
    at.write(rows, operations.listed_size, "rows");
    for (std::int64_t i = 0; i < rows.rows; ++i) {
      require(columns[i] < rows.cols, "begin_rows: a column outside the rows");
      operations.begin_row(part(rows, operations.listed_size, i, 0, 1, rows.cols), columns[i]);
    }
  });
}

void Rows::keep_listed(ListedForm form) {
  if (form == listed_form()) return;
  core_.operations = of_values_;
  if (form == ListedForm::whole) {
    require(core_.operations.keep_whole != nullptr,
            "keep_listed: values are not shortest distances of f64");
    core_.operations.keep_whole(core_.operations);
  } else if (form == ListedForm::reduced) {
    require(core_.operations.keep_reduced != nullptr,
            "keep_listed: values are not shortest distances of i32");
    core_.operations.keep_reduced(core_.operations);
  }
}

void reduce_weights(const Access& at, const Operations& operations, const ReducedWeights& p) {
  require(operations.listed_form == ListedForm::reduced, "reduce_weights: rows are not reduced");
  at.read_array(p.items, p.count, "items");
  for (std::int64_t i = 0; i < p.count; ++i) {
    const ListedItem& item = p.items[i];
    const std::int64_t width = listed_width(item.rows), values = item.depth * width;
    const std::int32_t* const list = p.lists + item.list;
    at.read_array(list, item.depth, "list");
    if (item.rows_are_listed != 0) at.read_array(p.lists + item.first_row, item.rows, "list");
    const auto* const weights = reinterpret_cast<const std::int32_t*>(p.weights) + item.weights;
    auto* const reduced = reinterpret_cast<std::uint16_t*>(p.reduced) + item.weights;
    at.read_array(weights, values, "weights");
    at.write_array(reduced, values, sizeof(std::uint16_t), "reduced weights");
    for (std::int64_t v = 0; v < values; ++v) {
      const std::int64_t row = std::min<std::int64_t>(v % width, item.rows - 1);
      const std::int32_t from = list[v / width];
      const std::int32_t to = item.rows_are_listed != 0
                                  ? p.lists[item.first_row + row]
                                  : static_cast<std::int32_t>(item.first_row + row);
      at.read_array(p.potentials + from, 1, "potentials");
      at.read_array(p.potentials + to, 1, "potentials");
      constexpr std::int32_t kNone = semiring::Infinity<std::int32_t>::plus;
      const bool path =
          weights[v] < kNone && p.potentials[from] < kNone && p.potentials[to] < kNone;
      require(
          v % width >= item.rows || !path || p.potentials[to] - p.potentials[from] <= weights[v],
          "reduce_weights: a path is shorter than its potentials say");
      reduced[v] = reduced_listed(weights[v], p.potentials[from], p.potentials[to]);
    }
  }
}

namespace {

/// The part of a count that concerns `count.within`.
template <class Count>
void count_within(const Access& at, const Operations& operations, const Count& count) {
  const auto& [holds, columns, parts] = count.within;
  if (holds == nullptr) return;
  const ConstView& x = count.x;
  at.update_array(columns, x.cols, "within");
  at.write(array(parts, RowsWithin::parts_of(x.rows, x.cols) * x.cols), sizeof(DistancesWithin),
           "parts");
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const std::uint32_t label = count.row_labels[i];
    at.read_array(holds + label, 1, "holds");
    if (holds[label] == 0) continue;
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const double distance = operations.length(static_cast<const std::byte*>(x.data) +
                                                (i * x.stride + j) * operations.listed_size);
      if (label == count.column_labels[j] || distance == -1) continue;
      columns[j].add(distance, label);
    }
  }
}

void add_parts(const base::SliceRange& range, double value, std::int64_t* words) {
  for (int i = 0; i < range.count(); ++i) {
    const double unit = range.unit_of(i);
    const double part = i + 1 < range.count() ? std::nearbyint(value / unit) : value / unit;
    require(part == std::nearbyint(part), "count_distances: digits below the last slice");
    words[i] += static_cast<std::int64_t>(part);
    value -= part * unit;
  }
}

}  // namespace

void count_rows(const Access& at, const Operations& operations, const RowCount& count) {
  require(operations.distance != nullptr, "count_rows: values are no whole numbers from 0 on");
  require(count.limit > 0 && count.limit <= kCountLimit, "count_rows: the limit");
  const ConstView& x = count.x;
  at.read(x, operations.listed_size, "X");
  at.read_array(count.row_labels, x.rows, "row labels");
  at.read_array(count.column_labels, x.cols, "column labels");
  at.update_array(count.totals, x.rows, "totals");
  at.update_array(count.greatest, x.cols, "greatest");
  at.update_array(count.counts, count.limit + 1, "counts");
  const bool reduced = count.potentials.rows != nullptr;
  require(reduced == (operations.listed_form == ListedForm::reduced),
          "count_rows: potentials of rows that are not reduced, or none");
  if (reduced) {
    at.read_array(count.potentials.rows, x.rows, "potentials");
    at.read_array(count.potentials.columns, x.cols, "potentials");
  }
  for (std::int64_t i = 0; i < x.rows; ++i) {
    for (std::int64_t j = 0; j < x.cols; ++j) {
      if (count.row_labels[i] == count.column_labels[j]) continue;
      std::int64_t distance = operations.distance(static_cast<const std::byte*>(x.data) +
                                                  (i * x.stride + j) * operations.listed_size);
      if (distance < 0) continue;
      if (reduced) distance += count.potentials.rows[i] - count.potentials.columns[j];
      RowTotals& totals = count.totals[i];
      ++totals.reached;
      totals.sum += static_cast<std::uint64_t>(distance);
      ++count.counts[std::min(distance, count.limit)];
      count.greatest[j] =
          std::max(count.greatest[j],
                   greatest_key(static_cast<std::uint32_t>(distance), count.row_labels[i]));
      if (distance == 0 || distance >= count.limit) continue;
      const double reciprocal = 1.0 / static_cast<double>(distance);
      const double high = std::nearbyint(reciprocal * 0x1p32);
      totals.reciprocals.high += static_cast<std::int64_t>(high);
      totals.reciprocals.low += static_cast<std::int64_t>((reciprocal - high * 0x1p-32) * 0x1p73);
    }
  }
  count_within(at, operations, count);
}

void count_distances(const Access& at, const Operations& operations, const DistanceCount& count) {
  require(count.sums.count() <= DistanceTotals::kSlices &&
              count.reciprocals.count() <= DistanceTotals::kSlices,
          "count_distances: too many slices");
  const ConstView& x = count.x;
  at.read(x, operations.listed_size, "X");
  at.read_array(count.row_labels, x.rows, "row labels");
  at.read_array(count.column_labels, x.cols, "column labels");
  at.update_array(count.totals, x.rows, "totals");
  at.update_array(count.farthest, x.cols, "farthest");
  at.update_array(count.least, 1, "least");
  at.update_array(count.counts, count.bins.count() + 1, "counts");
  for (std::int64_t i = 0; i < x.rows; ++i) {
    const std::uint32_t label = count.row_labels[i];
    for (std::int64_t j = 0; j < x.cols; ++j) {
      const double distance = operations.length(static_cast<const std::byte*>(x.data) +
                                                (i * x.stride + j) * operations.listed_size);
      if (label == count.column_labels[j] || distance == -1) continue;
      require(distance >= 0, "count_distances: a distance below 0");
      DistanceTotals& totals = count.totals[i];
      ++totals.reached;
      add_parts(count.sums, distance, totals.sums);
      if (distance > 0) add_parts(count.reciprocals, 1 / distance, totals.reciprocals);
      ++count.counts[count.bins.of(distance)];
      *count.least = std::min(*count.least, std::bit_cast<std::uint64_t>(distance));
      count.farthest[j].add(distance, label);
    }
  }
  count_within(at, operations, count);
}

void transpose_rows(const Access& at, const Operations& operations,
                    const TransposedRows& transposed) {
  const int size = operations.listed_size, out_size = operations.value_size;
  const auto& [out, x, list] = transposed;
  require(out.rows == x.cols, "transpose_rows: columns of X are rows of the result");
  at.read_array(list, out.cols, "list");
  at.memory.access(at.who, x, size, "X", false);
  at.write(out, out_size, "result");
  for (std::int64_t i = 0; i < out.cols; ++i) {
    require(list[i] >= 0 && list[i] < x.rows, "transpose_rows: a row that X has not is listed");
    const ConstView row = row_of(x, size, list[i]);
    at.inspect(row, size, "X");
    for (std::int64_t j = 0; j < x.cols; ++j) {
      std::byte* const to = static_cast<std::byte*>(out.data) + (j * out.stride + i) * out_size;
      const std::byte* const from = static_cast<const std::byte*>(row.data) + j * size;
      operations.restore != nullptr ? operations.restore(to, from)
                                    : static_cast<void>(std::copy_n(from, size, to));
    }
  }
}

}  // namespace apsp::kernels::strict
