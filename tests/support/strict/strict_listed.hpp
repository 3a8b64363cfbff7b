// The operations of listed_rows.hpp in textbook loops, and every way to misuse them as an error.
#pragma once

#include "support/strict/strict_memory.hpp"
#include "support/strict/strict_operations.hpp"

namespace apsp::kernels::strict {

/// Checked when they are given; throw `Error` (device).
void check(const Operations& operations, const ListedProduct& product);
void check(const Operations& operations, const RowCount& count);
void check(const Operations& operations, const DistanceCount& count);

/// Run, and checked against what memory holds by then.
void multiply_listed(Memory& memory, const Accessor& who, const Operations& operations,
                     const ListedProduct& product);
void begin_rows(Memory& memory, const Accessor& who, const Operations& operations, View rows,
                const std::int32_t* columns);
void count_rows(Memory& memory, const Accessor& who, const Operations& operations,
                const RowCount& count);
void count_distances(Memory& memory, const Accessor& who, const Operations& operations,
                     const DistanceCount& count);
void transpose_rows(Memory& memory, const Accessor& who, const Operations& operations,
                    const TransposedRows& transposed);

}  // namespace apsp::kernels::strict
