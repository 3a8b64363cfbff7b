// What searches on a GPU share, a block each: how an arc is read, and how many blocks there are.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "kernels/cuda/device_operations.hpp"
#include "kernels/searches.hpp"

namespace apsp::kernels::cuda {

/// `passes`: the second-level cache gives it up before anything else.
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

/// Blocks that take one row after another: no more than have memory, rows or a place.
inline unsigned searching_blocks(const LaunchSite& site, std::int64_t searches, std::int64_t rows,
                                 int on_multiprocessor) {
  return static_cast<unsigned>(std::min<std::int64_t>(
      {searches, rows, std::int64_t{site.multiprocessors} * on_multiprocessor}));
}

/// The smallest power of two of threads that walk a vertex' arcs at once, at least `least` and
/// at most a warp, so that each has so few on average.
inline int walking_threads(std::int64_t arcs, std::int64_t vertices, int least, int arcs_of_each) {
  constexpr int kMost = 32;
  int width = least;
  while (width < kMost && width * vertices * arcs_of_each < arcs) width *= 2;
  return width;
}

}  // namespace apsp::kernels::cuda
