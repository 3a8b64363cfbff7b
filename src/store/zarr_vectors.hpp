// Arrays of one dimension that a result holds beside its planes or in their place, whatever they
// mean (`Store::write_array`).
#pragma once

#include <string>

#include "store/store.hpp"
#include "store/zarr_group.hpp"

namespace apsp::store {

/// "folder/name", each as `is_array_name` wants it, of a length that has a place in a file.
bool is_vector(const Array& array);

/// The folder of its name becomes a group.
void write_vector(const ZarrGroup& group, const Array& array, const void* values);
/// Throws `Error` (input) if its zarr.json is not the one that must be there, or a chunk is
/// missing.
void require_vector(const ZarrGroup& group, const Array& array);
/// A chunk in memory at a time. Throws `Error` (input) if one is damaged.
void read_vector(const ZarrGroup& group, const Array& array, void* values);

}  // namespace apsp::store
