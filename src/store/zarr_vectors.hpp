// One-dimensional arrays of a result: the selected vertices, and those of `Store::write_array`.
#pragma once

#include <cstdint>

#include "store/selection.hpp"
#include "store/store.hpp"
#include "store/zarr_group.hpp"

namespace apsp::store {

/// Writes no array for a list of all vertices.
void write_selection(const ZarrGroup& group, const Selection& selection);

/// `sources`, `targets`: lengths of the lists; 0: all. Throws `Error` (input) if an array is
/// damaged, repeats a vertex or has one not below `n`.
Selection read_selection(const ZarrGroup& group, std::int64_t n, std::int64_t sources,
                         std::int64_t targets);

bool is_vector(const Array& array);

/// Returns the checksums of the chunks.
Checksums write_vector(const ZarrGroup& group, const Array& array, const void* values);
/// Throws `Error` (input) if its zarr.json differs from the expected one or a chunk is missing.
void require_vector(const ZarrGroup& group, const Array& array);
/// One chunk is in memory at a time. Throws `Error` (input) if a chunk is damaged.
void read_vector(const ZarrGroup& group, const Array& array, void* values);
void read_vector_chunk(const ZarrGroup& group, const Array& array, std::int64_t index,
                       void* values);

}  // namespace apsp::store
