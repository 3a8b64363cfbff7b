#include "program/grid_check.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "base/byte_stream.hpp"
#include "base/value_types.hpp"
#include "system/threads.hpp"

namespace apsp::bench {
namespace {

using cluster::HeldPlanes;
using cluster::Processes;
using dense::LocalIndex;
using dense::Tile;

constexpr double kNone = std::numeric_limits<double>::infinity();
constexpr std::int64_t kColumns = 256;  // that a thread works on at a time: they fit its cache

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

/// Distinct, rising.
std::vector<std::int64_t> sampled(std::int64_t n, std::int64_t count, std::uint64_t seed) {
  base::SplitMix64 random(seed);
  std::vector<std::int64_t> rows;
  while (std::ssize(rows) < std::min(n, count)) {
    const auto row = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

/// Distances of the samples, [samples, n], in doubles: all values of any type.
struct Lines {
  std::vector<double> rows, columns;
};

class GridChecker {
 public:
  GridChecker(Processes& processes, const HeldPlanes& held, const RandomGraph& matrix,
              std::vector<std::int64_t> samples, int threads)
      : processes_(processes),
        held_(held),
        matrix_(matrix),
        samples_(std::move(samples)),
        threads_(threads) {}

  GridCheck run() {
    share_lines();
    std::vector<double> by_definition(samples_.size() * at(columns()), kNone);
    std::atomic<std::int64_t> failed = 0;
    processes_.run_local([&] {
      base::with_type(held_.type, [&]<class T>() {
        system::parallel_for(
            (columns() + kColumns - 1) / kColumns, threads_,
            [&](std::int64_t item) { failed += check_columns<T>(item * kColumns, by_definition); });
      });
    });
    return compare(by_definition, failed);
  }

 private:
  std::int64_t rows() const { return held_.values.matrix.rows; }
  std::int64_t columns() const { return held_.values.matrix.cols; }
  std::int64_t tile() const { return held_.values.tile; }
  std::int64_t row(std::int64_t i) const { return held_.rows.vertex(LocalIndex(i), tile()); }
  std::int64_t column(std::int64_t j) const { return held_.columns.vertex(LocalIndex(j), tile()); }

  template <class T>
  const T* values(std::int64_t i) const {
    return static_cast<const T*>(held_.values.matrix.data) + i * held_.values.matrix.stride;
  }

  double value(std::int64_t i, std::int64_t j) const {
    return base::with_type(held_.type,
                           [&]<class T>() { return static_cast<double>(values<T>(i)[j]); });
  }

  /// Vertices and distances of the samples' rows and columns that this process holds.
  base::ByteVector my_lines() const {
    base::ByteWriter writer;
    for (const std::int64_t sample : samples_) {
      std::vector<std::int64_t> of_row, of_column;
      std::vector<double> row_values, column_values;
      const std::int64_t i = held_.rows.held(sample, tile()).number();
      const std::int64_t j = held_.columns.held(sample, tile()).number();
      const bool has_row = held_.rows.mine(Tile(sample / tile()));
      const bool has_column = held_.columns.mine(Tile(sample / tile()));
      for (std::int64_t col = 0; has_row && col < columns(); ++col) {
        of_row.push_back(column(col));
        row_values.push_back(value(i, col));
      }
      for (std::int64_t r = 0; has_column && r < rows(); ++r) {
        of_column.push_back(row(r));
        column_values.push_back(value(r, j));
      }
      writer.put(of_row);
      writer.put(row_values);
      writer.put(of_column);
      writer.put(column_values);
    }
    return writer.take();
  }

  void share_lines() {
    const std::size_t all = samples_.size() * at(held_.n);
    lines_ = {std::vector<double>(all, kNone), std::vector<double>(all, kNone)};
    processes_.communicate([&] {
      for (const base::ByteVector& part : processes_.gather(my_lines())) place(part);
      base::ByteWriter writer;
      writer.put(lines_.rows);
      writer.put(lines_.columns);
      const base::ByteVector of_first = processes_.share(writer.take());
      base::ByteReader reader(of_first);
      lines_.rows = reader.get_all<double>();
      lines_.columns = reader.get_all<double>();
    });
  }

  void place(const base::ByteVector& part) {
    base::ByteReader reader(part);
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      for (std::vector<double>* const line : {&lines_.rows, &lines_.columns}) {
        const auto vertices = reader.get_all<std::int64_t>();
        const auto found = reader.get_all<double>();
        for (std::size_t i = 0; i < vertices.size(); ++i) {
          (*line)[s * at(held_.n) + at(vertices[i])] = found[i];
        }
      }
    }
  }

  double from(std::size_t s, std::int64_t to) const {
    return lines_.rows[s * at(held_.n) + at(to)];
  }
  double to(std::size_t s, std::int64_t from) const {
    return lines_.columns[s * at(held_.n) + at(from)];
  }

  /// Some columns of all rows that this process holds. Lowers what the definition says of them, and
  /// returns how many entries are out of their bounds.
  template <class T>
  std::int64_t check_columns(std::int64_t first, std::vector<double>& by_definition) const {
    const std::int64_t end = std::min(first + kColumns, columns());
    const std::int64_t count = end - first;
    std::vector<double> weights(at(count)), most(at(count));
    std::vector<std::int64_t> vertices(at(count));
    for (std::int64_t j = 0; j < count; ++j) vertices[at(j)] = column(first + j);
    std::int64_t failed = 0;
    for (std::int64_t i = 0; i < rows(); ++i) {
      const std::int64_t u = row(i);
      for (std::int64_t j = 0; j < count; ++j) {
        const std::int64_t v = vertices[at(j)];
        weights[at(j)] = u == v ? 0 : static_cast<double>(matrix_.weight(u, v));
      }
      most = weights;
      for (std::int64_t j = 0; j < count; ++j) {
        if (u == vertices[at(j)]) weights[at(j)] = kNone;  // k ≠ j in the definition
      }
      for (std::size_t s = 0; s < samples_.size(); ++s) {
        const double before = from(s, u), behind = to(s, u);
        double* const least = by_definition.data() + s * at(columns()) + at(first);
        for (std::int64_t j = 0; j < count; ++j) {
          least[j] = std::min(least[j], before + weights[at(j)]);
          most[at(j)] = std::min(most[at(j)], behind + from(s, vertices[at(j)]));
        }
      }
      const T* const found = values<T>(i) + first;
      for (std::int64_t j = 0; j < count; ++j) {
        const auto distance = static_cast<double>(found[j]);
        const double least = u == vertices[at(j)] ? 0 : 1;
        failed += distance >= least && distance <= most[at(j)] ? 0 : 1;
      }
    }
    return failed;
  }

  /// Compares the rows with the least sums of all processes, in process 0.
  GridCheck compare(const std::vector<double>& by_definition, std::int64_t failed) {
    base::ByteWriter writer;
    std::vector<std::int64_t> vertices(at(columns()));
    for (std::int64_t j = 0; j < columns(); ++j) vertices[at(j)] = column(j);
    writer.put(vertices);
    writer.put(by_definition);
    std::vector<base::ByteVector> parts;
    std::vector<std::int64_t> failures;
    processes_.communicate([&] {
      parts = processes_.gather(writer.take());
      failures = processes_.gather_values(failed);
    });
    GridCheck check{.rows = std::ssize(samples_)};
    if (!processes_.first()) return check;
    for (const std::int64_t theirs : failures) check.entries_failed += theirs;
    check.entries_tested = held_.n * held_.n;
    std::vector<double> least(samples_.size() * at(held_.n), kNone);
    for (const base::ByteVector& part : parts) {
      base::ByteReader reader(part);
      const auto of = reader.get_all<std::int64_t>();
      const auto found = reader.get_all<double>();
      for (std::size_t i = 0; i < found.size(); ++i) {
        double& mine = least[i / of.size() * at(held_.n) + at(of[i % of.size()])];
        mine = std::min(mine, found[i]);
      }
    }
    check.values_tested = std::ssize(least);
    for (std::size_t i = 0; i < least.size(); ++i) {
      const auto s = i / at(held_.n);
      const bool own = static_cast<std::int64_t>(i % at(held_.n)) == samples_[s];
      const double difference = std::abs(lines_.rows[i] - (own ? 0 : least[i]));
      if (!(difference == 0)) ++check.values_failed;  // NaN differs too
      check.residual = std::max(check.residual, difference);
    }
    return check;
  }

  Processes& processes_;
  const HeldPlanes& held_;
  const RandomGraph& matrix_;
  std::vector<std::int64_t> samples_;
  int threads_;
  Lines lines_;
};

}  // namespace

GridCheck check_grid(Processes& processes, const HeldPlanes& held, const RandomGraph& matrix,
                     std::int64_t rows, std::uint64_t seed, int threads) {
  return GridChecker(processes, held, matrix, sampled(held.n, rows, seed), threads).run();
}

}  // namespace apsp::bench
