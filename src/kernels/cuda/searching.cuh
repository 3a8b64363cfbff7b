#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

/// `passes`: the second-level cache evicts it first.
template <class T>
__device__ SearchArc<T> load_arc(const SearchArc<T>* from, bool passes = false) {
  SearchArc<T> arc;
  const auto copy = [&](const auto* words) {
    const auto read = passes ? __ldcs(words) : __ldg(words);
    memcpy(&arc, &read, sizeof arc);
  };
  if constexpr (sizeof arc == sizeof(int2)) {
    copy(reinterpret_cast<const int2*>(from));
  } else {
    copy(reinterpret_cast<const int4*>(from));
  }
  return arc;
}

/// The number of blocks that take one row after another, limited by memory, rows and residency.
inline unsigned searching_blocks(const LaunchSite& site, std::int64_t searches, std::int64_t rows,
                                 int on_multiprocessor) {
  return static_cast<unsigned>(std::min<std::int64_t>(
      {searches, rows, std::int64_t{site.multiprocessors} * on_multiprocessor}));
}

/// Returns the smallest power of two of threads that walk a vertex' arcs together, between `least`
/// and a warp, such that each has at most `arcs_of_each` on average.
inline int walking_threads(std::int64_t arcs, std::int64_t vertices, int least, int arcs_of_each) {
  constexpr int kMost = 32;
  int width = least;
  while (width < kMost && width * vertices * arcs_of_each < arcs) width *= 2;
  return width;
}

}  // namespace apsp::kernels::cuda
