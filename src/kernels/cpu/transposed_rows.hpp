// Distances vertex by vertex into rows by source: what a sweep found, transposed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/contract.hpp"

namespace apsp::kernels::cpu {

/// Bytes [rows, bytes] go to `to` + where[i] × bytes, past the caches. Both begin on 64 bytes, and
/// rows are whole 64 bytes.
void spread_rows(const std::byte* from, std::span<const std::uint32_t> where, std::int64_t bytes,
                 std::byte* to);

/// to[i][j] ← entry (j, i) of `from` for i < count and j < from.rows. `from`: its rows begin on 64
/// bytes and are whole 64 bytes apart, `count` of their values and what fills 64 bytes are read.
/// to[i]: aligned for its values; on 64 bytes is faster. The calling thread alone; no overlap.
using TransposeRows = void (*)(ConstView from, void* const* to, std::int64_t count);

/// For values of 1, 2, 4 or 8 bytes.
TransposeRows transpose_rows(int value_size);

}  // namespace apsp::kernels::cpu
