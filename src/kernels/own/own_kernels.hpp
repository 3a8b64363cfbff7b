// Tile operations of a user-defined semiring, around its register tile (apsp/semiring.hpp).
//
// This code knows only the size of a value: panels are packed, loops go around the register tile,
// and tiles are closed by halves, as in kernels/cpu. The caller's code is called once for a
// register tile of up to 192 steps; a call costs nanoseconds where the work takes a microsecond.
// The semiring is a value, not a type, so this is compiled once for all of them; `TileOperations`
// has no field for it.
//
// Packed left operand A [m, depth]: slivers of `rows` rows, each [depth, rows]. Packed right
// operand B [depth, n]: strips of `cols` columns, each [depth, cols]. Padding: zero.
#pragma once

#include <apsp/semiring.hpp>
#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::kernels::own {

std::int64_t left_bytes(const detail::OwnKernels& s, std::int64_t rows, std::int64_t depth);
std::int64_t right_bytes(const detail::OwnKernels& s, std::int64_t cols, std::int64_t depth);

/// a [m, depth]; b [depth, n]; buffers are 64-byte aligned.
void pack_left(const detail::OwnKernels& s, ConstView a, void* out);
void pack_right(const detail::OwnKernels& s, ConstView b, void* out);

/// C ← C ⊕ A ⊗ B; left: [c.rows, depth], right: [depth, c.cols], both packed.
void multiply_add(const detail::OwnKernels& s, View c, const void* left, const void* right,
                  std::int64_t depth);

/// D ← D*. Returns the first pivot whose cycle is better than the empty path, or −1.
std::int64_t close(const detail::OwnKernels& s, View d);

}  // namespace apsp::kernels::own
