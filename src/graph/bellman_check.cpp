#include "graph/bellman_check.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cmath>
#include <cstring>
#include <limits>

#include "system/threads.hpp"

namespace apsp::graph {
namespace {

constexpr std::int64_t kMostRows = 16;
constexpr std::int64_t kMostSteps = std::int64_t{1} << 25;  // about 20 ms of one core

struct Failure {
  std::int64_t source = -1, from = -1, to = -1;
};

void report(Failure& failure, std::int64_t source, std::int64_t from, std::int64_t to) {
#pragma omp critical(apsp_bellman_failure)
  if (failure.source < 0 || source < failure.source) failure = {source, from, to};
}

void throw_failure(const Failure& failure) {
  if (failure.source < 0) return;
  throw Error(
      ErrorKind::defect,
      fmt::format(
          "the solved matrix contradicts itself: from vertex number {} (counted from 0) the path "
          "over number {} to number {} is shorter than the distance; nothing was kept. This is an "
          "error in apsp or in the machine's memory; `value_type=f64` or `device=cpu` may avoid it",
          failure.source, failure.from, failure.to));
}

template <class T>
std::vector<double> row_as_doubles(kernels::ConstView matrix, Vertex source, double sign) {
  const T* const row = static_cast<const T*>(matrix.data) + source * matrix.stride;
  std::vector<double> values(static_cast<std::size_t>(matrix.cols));
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = sign * static_cast<double>(row[v]);
  return values;
}

/// An index where d > factor · (a + b) for non-negative values, or −1.
template <class T>
std::int64_t first_worse(const T* d, const T* b, std::int64_t n, T a, T factor) {
  int worse = 0;
  for (std::int64_t v = 0; v < n; ++v) worse |= static_cast<int>(!(d[v] <= factor * (a + b[v])));
  if (worse == 0) return -1;
  std::int64_t v = 0;
  while (d[v] <= factor * (a + b[v])) ++v;
  return v;
}

template <class T>
void check_kept(std::span<const Vertex> sources, const T* kept, kernels::ConstView distances,
                int threads, const Control& control) {
  const std::int64_t n = distances.cols;
  const auto row = [&](std::int64_t i) {
    return static_cast<const T*>(distances.data) + i * distances.stride;
  };
  // Both sides have at most n roundings of T, in sums not shorter than the distance.
  const auto factor = static_cast<T>(
      1 + 4 * static_cast<double>(n + 1) * static_cast<double>(std::numeric_limits<T>::epsilon()));
  Failure failure;
  system::for_each_row(n, threads, control, [&](std::int64_t u) {
    for (std::size_t i = 0; i < sources.size(); ++i) {
      const T* const from_source = row(sources[i]);
      const T way = from_source[u];
      if (way > std::numeric_limits<T>::max()) continue;
      const std::int64_t v = first_worse(from_source, row(u), n, way, factor);
      if (v >= 0) report(failure, sources[i], u, v);
    }
  });
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const T* const weights = kept + static_cast<std::int64_t>(i) * n;
    const std::int64_t v = first_worse(row(sources[i]), weights, n, T(0), factor);
    if (v >= 0) report(failure, sources[i], sources[i], v);
  }
  throw_failure(failure);
}

}  // namespace

std::vector<Vertex> rows_to_check(std::int64_t n, std::int64_t steps_a_row) {
  const std::int64_t affordable = kMostSteps / std::max<std::int64_t>(1, steps_a_row);
  const std::int64_t count = std::min(n, std::clamp<std::int64_t>(affordable, 1, kMostRows));
  std::vector<Vertex> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(static_cast<Vertex>(n * i / count));
  return rows;
}

void check_bellman(const Graph& graph, double sign, ValueType type, kernels::ConstView matrix,
                   double error, int threads, const Control& control) {
  const std::int64_t n = graph.vertex_count();
  const std::vector<Vertex> sources = rows_to_check(n, n + graph.arc_count());
  std::vector<std::vector<double>> rows;
  rows.reserve(sources.size());
  for (const Vertex s : sources) {
    rows.push_back(type == ValueType::f64 ? row_as_doubles<double>(matrix, s, sign)
                                          : row_as_doubles<float>(matrix, s, sign));
  }
  // Covers the errors of both distances and the rounding of the sum.
  const double slack = 2 * error;
  Failure failure;
  system::for_each_row(n, threads, control, [&](std::int64_t i) {
    const auto u = static_cast<Vertex>(i);
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const double way = rows[r][u];
        if (way == std::numeric_limits<double>::infinity()) continue;
        const double end = way + sign * weight;
        const double rounding = 0x1p-50 * (std::abs(way) + std::abs(end));
        if (!(rows[r][v] <= end + slack + rounding)) report(failure, sources[r], u, v);
      }
    });
  });
  throw_failure(failure);
}

KeptRows::KeptRows(ValueType type, kernels::ConstView weights)
    : type_(type),
      row_bytes_(weights.cols * size_of(type)),
      sources_(rows_to_check(weights.rows, weights.rows * weights.cols)),
      rows_(sources_.size() * static_cast<std::size_t>(row_bytes_)) {
  const auto* const data = static_cast<const std::byte*>(weights.data);
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    std::memcpy(rows_.data() + static_cast<std::int64_t>(i) * row_bytes_,
                data + sources_[i] * weights.stride * size_of(type),
                static_cast<std::size_t>(row_bytes_));
  }
}

void KeptRows::check(kernels::ConstView distances, int threads, const Control& control) const {
  const void* const kept = rows_.data();
  if (type_ == ValueType::f64) {
    return check_kept(sources_, static_cast<const double*>(kept), distances, threads, control);
  }
  check_kept(sources_, static_cast<const float*>(kept), distances, threads, control);
}

}  // namespace apsp::graph
