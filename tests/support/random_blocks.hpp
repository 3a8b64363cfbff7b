// For tests of sinks: the rows of a matrix as a producer may bring them, in blocks of any size, in
// any order, neighbours or not, from several threads.
#pragma once

#include <algorithm>
#include <apsp/solve.hpp>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "flow/row_sink.hpp"
#include "system/threads.hpp"

namespace apsp::store {

/// A matrix of n × n values without gaps.
struct MatrixBytes {
  std::span<const std::byte> values;
  std::int64_t n = 0;
  ValueType type = ValueType::f32;
};

/// Every source once. Half of the lists are neighbours, the others are scattered.
inline std::vector<std::vector<Vertex>> random_sources(std::int64_t n, std::uint64_t seed) {
  base::SplitMix64 random(seed);
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random.below(end)); };
  const auto shuffle = [&](auto& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  };
  std::vector<std::vector<Vertex>> lists;
  std::vector<Vertex> scattered;
  for (std::int64_t first = 0; first < n;) {
    const auto size = std::min(n - first, static_cast<std::int64_t>(1 + below(17)));
    std::vector<Vertex> list(static_cast<std::size_t>(size));
    std::iota(list.begin(), list.end(), static_cast<Vertex>(first));
    first += size;
    if (random.below(2) == 0) {
      lists.push_back(std::move(list));
    } else {
      scattered.insert(scattered.end(), list.begin(), list.end());
    }
  }
  shuffle(scattered);
  for (std::size_t i = 0; i < scattered.size();) {
    const std::size_t end = std::min(scattered.size(), i + 1 + below(17));
    lists.emplace_back(scattered.begin() + static_cast<std::ptrdiff_t>(i),
                       scattered.begin() + static_cast<std::ptrdiff_t>(end));
    i = end;
  }
  shuffle(lists);
  return lists;
}

/// Gives the rows of `sources` in one block, `gap` values apart.
inline void push_rows(flow::RowSink& sink, const MatrixBytes& matrix,
                      std::span<const Vertex> sources, std::int64_t gap = 3) {
  const std::int64_t size = size_of(matrix.type), stride = matrix.n + gap;
  std::vector<std::byte> rows(sources.size() * static_cast<std::size_t>(stride * size),
                              std::byte{0x7A});
  for (std::size_t i = 0; i < sources.size(); ++i) {
    std::memcpy(rows.data() + static_cast<std::int64_t>(i) * stride * size,
                matrix.values.data() + sources[i] * matrix.n * size,
                static_cast<std::size_t>(matrix.n * size));
  }
  sink.take({sources, rows.data(), stride, matrix.type});
}

/// The same, written to where the sink wants them.
inline void write_in_place(flow::RowSink& sink, const MatrixBytes& matrix,
                           std::span<const Vertex> sources) {
  const std::int64_t size = size_of(matrix.type);
  const RowView view = sink.reserve(sources, matrix.type);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::byte* const row = matrix.values.data() + sources[i] * matrix.n * size;
    for (std::int64_t col = 0; col < matrix.n; col += view.group) {
      std::memcpy(view.rows[i] + col / view.group * view.apart, row + col * size,
                  static_cast<std::size_t>(std::min(view.group, matrix.n - col) * size));
    }
  }
  sink.commit(sources);
}

/// All rows by `threads` threads, some of them into its buffers where it has any, and the end.
inline void give_at_random(flow::RowSink& sink, const MatrixBytes& matrix, std::uint64_t seed,
                           int threads) {
  const std::vector<std::vector<Vertex>> lists = random_sources(matrix.n, seed);
  system::parallel_for(std::ssize(lists), threads, [&](std::int64_t i) {
    const std::vector<Vertex>& sources = lists[static_cast<std::size_t>(i)];
    if (sink.has_buffers() && (sources.front() + seed) % 2 == 0) {
      write_in_place(sink, matrix, sources);
    } else {
      push_rows(sink, matrix, sources);
    }
  });
  sink.finish();
}

/// All rows in order, in one block, and the end.
inline void give_in_order(flow::RowSink& sink, const MatrixBytes& matrix) {
  std::vector<Vertex> all(static_cast<std::size_t>(matrix.n));
  std::iota(all.begin(), all.end(), Vertex{0});
  sink.take({all, matrix.values.data(), matrix.n, matrix.type});
  sink.finish();
}

}  // namespace apsp::store
