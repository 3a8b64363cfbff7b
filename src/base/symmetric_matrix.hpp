// Is a square matrix its own transpose?
//
// Row 0 is held against column 0 first: a matrix that is not symmetric by design ends there, after
// n values. Then blocks of 16² values (a cache line of f32 across) against their mirror images, so
// that the column walk of one stays in the first-level cache; rows of blocks are shared by threads
// and end at the first difference. A matrix that is symmetric costs one load of every value.
#pragma once

#include <cstdint>

namespace apsp::base {

/// Whether data [n, n], rows `stride` values apart, equals its transpose bit by bit: +0 and −0
/// differ, a NaN equals itself. Requires: values of 1, 2, 4 or 8 bytes.
bool is_symmetric(const void* data, std::int64_t n, std::int64_t stride, int value_size,
                  int threads);

}  // namespace apsp::base
