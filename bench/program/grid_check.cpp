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

  /// Position of a vertex in the samples' lines, [samples, n].
  std::size_t place(std::size_t s, std::int64_t vertex) const {
    return s * at(held_.n) + at(vertex);
  }

  /// The least value that any process has for each position of the lines, in all processes.
  std::vector<double> least_of_all(const std::vector<std::size_t>& places,
                                   const std::vector<double>& values) {
    base::ByteWriter mine, all;
    mine.put(places);
    mine.put(values);
    std::vector<double> least(samples_.size() * at(held_.n), kNone);
    processes_.communicate([&] {
      for (const base::ByteVector& part : processes_.gather(mine.take())) {
        base::ByteReader reader(part);
        const auto theirs = reader.get_all<std::size_t>();
        const auto found = reader.get_all<double>();
        for (std::size_t i = 0; i < found.size(); ++i) {
          least[theirs[i]] = std::min(least[theirs[i]], found[i]);
        }
      }
      all.put(least);
      const base::ByteVector of_first = processes_.share(all.take());
      least = base::ByteReader(of_first).get_all<double>();
    });
    return least;
  }

  /// Distances of the samples' rows and columns, in doubles: all values of any type.
  void share_lines() {
    std::vector<std::size_t> in_rows, in_columns;
    std::vector<double> of_rows, of_columns;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      const std::int64_t i = held_.rows.held(samples_[s], tile()).number();
      const std::int64_t j = held_.columns.held(samples_[s], tile()).number();
      const Tile its(samples_[s] / tile());
      for (std::int64_t col = 0; held_.rows.mine(its) && col < columns(); ++col) {
        in_rows.push_back(place(s, column(col)));
        of_rows.push_back(value(i, col));
      }
      for (std::int64_t r = 0; held_.columns.mine(its) && r < rows(); ++r) {
        in_columns.push_back(place(s, row(r)));
        of_columns.push_back(value(r, j));
      }
    }
    rows_ = least_of_all(in_rows, of_rows);
    columns_ = least_of_all(in_columns, of_columns);
  }

  double from(std::size_t s, std::int64_t to) const { return rows_[place(s, to)]; }
  double to(std::size_t s, std::int64_t from) const { return columns_[place(s, from)]; }

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

  /// Compares the rows with the least sums of all processes. Complete in process 0.
  GridCheck compare(const std::vector<double>& by_definition, std::int64_t failed) {
    std::vector<std::size_t> places;
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      for (std::int64_t j = 0; j < columns(); ++j) places.push_back(place(s, column(j)));
    }
    const std::vector<double> least = least_of_all(places, by_definition);
    GridCheck check{.rows = std::ssize(samples_),
                    .values_tested = std::ssize(least),
                    .entries_tested = held_.n * held_.n};
    processes_.communicate([&] {
      for (const std::int64_t theirs : processes_.gather_values(failed)) {
        check.entries_failed += theirs;
      }
    });
    for (std::size_t i = 0; i < least.size(); ++i) {
      const bool own = i == place(i / at(held_.n), samples_[i / at(held_.n)]);
      const double difference = std::abs(rows_[i] - (own ? 0 : least[i]));
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
  std::vector<double> rows_, columns_;  // of the samples
};

}  // namespace

GridCheck check_grid(Processes& processes, const HeldPlanes& held, const RandomGraph& matrix,
                     std::int64_t rows, std::uint64_t seed, int threads) {
  return GridChecker(processes, held, matrix, sampled(held.n, rows, seed), threads).run();
}

}  // namespace apsp::bench
