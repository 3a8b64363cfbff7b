#include "graph/matrix_scan.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>
#include <cmath>

#include "graph/edge_tally.hpp"

namespace apsp::graph {
namespace {

template <class T>
constexpr T kTop = std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity()
                                               : std::numeric_limits<T>::max();
template <class T>
constexpr T kBottom = std::is_floating_point_v<T> ? -kTop<T> : std::numeric_limits<T>::lowest();

/// Whether a value is an integer of magnitude ≤ 2^53. Adding 2^mantissa rounds smaller magnitudes
/// to integers.
template <class T>
bool is_exact_integer(T value) {
  if constexpr (std::is_integral_v<T>) {
    return true;
  } else {
    constexpr T kRounder = T(std::uint64_t{1} << (std::numeric_limits<T>::digits - 1));
    const T magnitude = std::abs(value);
    const bool whole = (magnitude + kRounder) - kRounder == magnitude;
    return ((magnitude >= kRounder) | whole) & (magnitude <= T(0x1p53));
  }
}

template <class T>
struct Seen {
  T least = kTop<T>, greatest = kBottom<T>;
  std::int64_t arcs = 0;
  bool strange = false;
  bool integral = true, unit = true;
  double below_f32 = std::numeric_limits<double>::infinity();

  void add(const T* values, std::int64_t count) {
    constexpr std::int64_t kBlock = 4096;  // fits the cache for the second pass
    for (std::int64_t first = 0; first < count; first += kBlock) {
      const std::int64_t size = std::min(kBlock, count - first);
      const T low = add_range(values + first, size);
      if constexpr (sizeof(T) == sizeof(double)) {
        if (low < T(std::numeric_limits<float>::min())) look_for_small(values + first, size);
      }
      if (integral || unit) look_closer(values + first, size);
    }
  }

  void join(const Seen& other) {
    least = std::min(least, other.least);
    greatest = std::max(greatest, other.greatest);
    arcs += other.arcs;
    strange = strange || other.strange;
    integral = integral && other.integral;
    unit = unit && other.unit;
    below_f32 = std::min(below_f32, other.below_f32);
  }

  double magnitude() const {
    if (arcs == 0) return 0;
    return std::max(std::abs(static_cast<double>(least)), std::abs(static_cast<double>(greatest)));
  }

 private:
  T add_range(const T* values, std::int64_t count) {
    constexpr T kNone = WeightMatrix::no_arc<T>();
    T low = kTop<T>, high = greatest;
    std::int32_t present = 0, odd = 0;
#pragma omp simd reduction(min : low) reduction(max : high) reduction(+ : present, odd)
    for (std::int64_t j = 0; j < count; ++j) {
      const T value = values[j];
      const bool arc = value != kNone;
      const T at_least = arc ? value : kTop<T>;
      const T at_most = arc ? value : kBottom<T>;
      low = at_least < low ? at_least : low;
      high = at_most > high ? at_most : high;
      present += arc ? 1 : 0;
      if constexpr (std::is_floating_point_v<T>) odd += value > kBottom<T> ? 0 : 1;
    }
    least = std::min(least, low);
    greatest = high;
    arcs += present;
    strange = strange || odd > 0;
    return low;
  }

  /// Most weights are at most 0: the magnitude of others decides whether to examine each.
  void look_for_small(const T* values, std::int64_t count) {
    T smallest = kTop<T>;
#pragma omp simd reduction(min : smallest)
    for (std::int64_t j = 0; j < count; ++j) {
      const T magnitude = std::abs(values[j]);
      const T other = magnitude > T(0) ? magnitude : kTop<T>;
      smallest = other < smallest ? other : smallest;
    }
    if (smallest >= T(std::numeric_limits<float>::min())) return;
    for (std::int64_t j = 0; j < count; ++j) {
      below_f32 = std::min(below_f32, magnitude_below_f32(static_cast<double>(values[j])));
    }
  }

  void look_closer(const T* values, std::int64_t count) {
    constexpr T kNone = WeightMatrix::no_arc<T>();
    std::int32_t fractions = 0, others = 0;
#pragma omp simd reduction(+ : fractions, others)
    for (std::int64_t j = 0; j < count; ++j) {
      const bool arc = values[j] != kNone;
      fractions += (arc & !is_exact_integer(values[j])) ? 1 : 0;
      others += (arc & (values[j] != T(1))) ? 1 : 0;
    }
    integral = integral && fractions == 0;
    unit = unit && others == 0;
  }
};

/// Facts per row of a column-major matrix, of which one thread sees a part of every row.
template <class T>
struct RowsSeen {
  explicit RowsSeen(std::int64_t n)
      : least(static_cast<std::size_t>(n), kTop<T>),
        greatest(static_cast<std::size_t>(n), kBottom<T>),
        arcs(static_cast<std::size_t>(n), 0) {}

  /// values: [count] of one column, for rows from `row` on.
  void add(const T* values, std::int64_t row, std::int64_t count) {
    constexpr T kNone = WeightMatrix::no_arc<T>();
    T* const low = least.data() + row;
    T* const high = greatest.data() + row;
    std::uint32_t* const present = arcs.data() + row;
#pragma omp simd
    for (std::int64_t i = 0; i < count; ++i) {
      const T value = values[i];
      const bool arc = value != kNone;
      const T at_least = arc ? value : kTop<T>;
      const T at_most = arc ? value : kBottom<T>;
      low[i] = at_least < low[i] ? at_least : low[i];
      high[i] = at_most > high[i] ? at_most : high[i];
      present[i] += arc ? 1u : 0u;
    }
  }

  std::vector<T> least, greatest;
  std::vector<std::uint32_t> arcs;
};

template <class T>
std::int64_t first_strange(const WeightMatrix& matrix, Lines lines) {
  const T* const data = static_cast<const T*>(matrix.data);
  std::int64_t place = lines.begin * matrix.n;
  while (data[place] > kBottom<T>) ++place;
  return place;
}

template <class T>
class Scanner {
 public:
  Scanner(const WeightMatrix& matrix, Lines lines, int threads)
      : matrix_(matrix),
        lines_(lines),
        threads_(threads),
        n_(matrix.n),
        all_(static_cast<std::size_t>(threads)),
        loops_(static_cast<std::size_t>(threads), 0) {
    const std::int64_t rows = matrix.by_columns ? n_ : lines.end - lines.begin;
    scan_.first_row = matrix.by_columns ? 0 : lines.begin;
    scan_.arcs.assign(static_cast<std::size_t>(rows), 0);
    scan_.largest.assign(static_cast<std::size_t>(rows), 0);
    if (matrix.by_columns) rows_.assign(static_cast<std::size_t>(threads), RowsSeen<T>(n_));
  }

  LinesScan run() && {
    for_each_band(matrix_, lines_, threads_,
                  [&](std::int64_t first, std::int64_t lines, int member) {
                    const auto thread = static_cast<std::size_t>(member);
                    for (std::int64_t line = first; line < first + lines; ++line)
                      take_line(line, thread);
                  });
    Seen<T> all;
    for (const Seen<T>& seen : all_) all.join(seen);
    if constexpr (std::is_floating_point_v<T>) {
      if (all.strange) scan_.strange = first_strange<T>(matrix_, lines_);
    }
    for (const RowsSeen<T>& rows : rows_) add_rows(rows);
    for (const std::int64_t loops : loops_) scan_.loops += loops;
    scan_.integral = all.integral;
    scan_.unit = all.unit;
    scan_.below_f32 = all.below_f32;
    if (all.arcs > 0) {
      scan_.least = static_cast<double>(all.least) + 0.0;
      scan_.greatest = static_cast<double>(all.greatest) + 0.0;
    }
    return std::move(scan_);
  }

 private:
  void take_line(std::int64_t line, std::size_t thread) {
    const T* const values = static_cast<const T*>(matrix_.data) + line * n_;
    Seen<T> seen;
    seen.integral = all_[thread].integral;
    seen.unit = all_[thread].unit;
    seen.add(values, line);
    seen.add(values + line + 1, n_ - line - 1);
    const T diagonal = values[line];
    const bool loop = diagonal < T(0) || diagonal != diagonal;
    if (loop) {
      seen.add(&diagonal, 1);
      ++loops_[thread];
    }
    all_[thread].join(seen);
    if (!matrix_.by_columns) {
      const auto row = static_cast<std::size_t>(line - lines_.begin);
      scan_.arcs[row] = seen.arcs;
      scan_.largest[row] = seen.magnitude();
      return;
    }
    rows_[thread].add(values, 0, line);
    rows_[thread].add(values + line + 1, line + 1, n_ - line - 1);
    if (loop) rows_[thread].add(&diagonal, line, 1);
  }

  void add_rows(const RowsSeen<T>& rows) {
    for (std::size_t v = 0; v < scan_.largest.size(); ++v) {
      scan_.arcs[v] += rows.arcs[v];
      Seen<T> seen;
      seen.least = rows.least[v];
      seen.greatest = rows.greatest[v];
      seen.arcs = rows.arcs[v];
      scan_.largest[v] = std::max(scan_.largest[v], seen.magnitude());
    }
  }

  const WeightMatrix& matrix_;
  Lines lines_;
  int threads_;
  std::int64_t n_;
  std::vector<Seen<T>> all_;
  std::vector<std::int64_t> loops_;
  std::vector<RowsSeen<T>> rows_;  // [threads], column-major only
  LinesScan scan_;
};

}  // namespace

double longest_path(std::span<const double> largest) {
  const auto smallest = std::min_element(largest.begin(), largest.end());
  double sum = 0;
  for (auto at = largest.begin(); at != largest.end(); ++at) {
    // Adds without subtracting, so that a sum of integers below 2^53 is exact.
    if (at != smallest) sum += *at;
  }
  return sum;
}

LinesScan scan_lines(const WeightMatrix& matrix, Lines lines, int threads) {
  return matrix.with_type([&]<class T>() { return Scanner<T>(matrix, lines, threads).run(); });
}

MatrixScan join_scans(std::int64_t n, std::span<const LinesScan> parts) {
  MatrixScan scan;
  scan.offsets.assign(static_cast<std::size_t>(n) + 1, 0);
  std::vector<double> largest(static_cast<std::size_t>(n), 0);
  LinesScan all;
  for (const LinesScan& part : parts) {
    all.least = std::min(all.least, part.least);
    all.greatest = std::max(all.greatest, part.greatest);
    all.integral = all.integral && part.integral;
    all.unit = all.unit && part.unit;
    all.below_f32 = std::min(all.below_f32, part.below_f32);
    scan.loops += part.loops;
    for (std::size_t i = 0; i < part.arcs.size(); ++i) {
      const auto row = static_cast<std::size_t>(part.first_row) + i;
      scan.offsets[row + 1] += part.arcs[i];
      largest[row] = std::max(largest[row], part.largest[i]);
    }
  }
  for (std::size_t v = 1; v < scan.offsets.size(); ++v) scan.offsets[v] += scan.offsets[v - 1];
  const bool any = scan.offsets.back() > 0;
  scan.facts = {any ? all.least : 0,   any ? all.greatest : 0,       all.integral, all.unit,
                longest_path(largest), told_below_f32(all.below_f32)};
  return scan;
}

void refuse_strange(const WeightMatrix& matrix, std::int64_t place) {
  const std::int64_t line = place / matrix.n, at = place % matrix.n;
  const double value = matrix.with_type(
      [&]<class T>() { return static_cast<double>(static_cast<const T*>(matrix.data)[place]); });
  throw Error(
      ErrorKind::usage,
      fmt::format("the entry [{}, {}] (row, column; counted from 0) is {}, which is not a weight",
                  matrix.by_columns ? at : line, matrix.by_columns ? line : at, value));
}

MatrixScan scan_matrix(const WeightMatrix& matrix, int threads) {
  const LinesScan all = scan_lines(matrix, {0, matrix.n}, threads);
  if (all.strange) refuse_strange(matrix, *all.strange);
  return join_scans(matrix.n, {&all, 1});
}

}  // namespace apsp::graph
