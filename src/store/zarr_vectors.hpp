// Arrays of one dimension that a result holds beside its planes, or in their place: `source` and
// `target`, which say whose rows and columns the planes have, and what `Store::write_array` is
// given.
#pragma once

#include <cstdint>

#include "store/selection.hpp"
#include "store/store.hpp"
#include "store/zarr_group.hpp"

namespace apsp::store {

/// Nothing is written for all vertices.
void write_selection(const ZarrGroup& group, const Selection& selection);

/// `sources`, `targets`: how many there are; 0: all. `n`: vertices. Throws `Error` (input) if the
/// arrays are damaged, or name a vertex twice or one that there is not.
Selection read_selection(const ZarrGroup& group, std::int64_t n, std::int64_t sources,
                         std::int64_t targets);

/// "folder/name", each as `is_array_name` wants it, of a length that has a place in a file.
bool is_vector(const Array& array);

/// The folder of its name becomes a group. Returns the checksums of its chunks.
Checksums write_vector(const ZarrGroup& group, const Array& array, const void* values);
/// Throws `Error` (input) if its zarr.json is not the one that must be there, or a chunk is
/// missing.
void require_vector(const ZarrGroup& group, const Array& array);
/// A chunk in memory at a time. Throws `Error` (input) if one is damaged.
void read_vector(const ZarrGroup& group, const Array& array, void* values);
/// The same of one chunk.
void read_vector_chunk(const ZarrGroup& group, const Array& array, std::int64_t index,
                       void* values);

}  // namespace apsp::store
