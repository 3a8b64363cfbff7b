// The operations of searches.hpp, near_searches.hpp and predecessors.hpp, one source after another,
// and every way to misuse them as an error.
#pragma once

#include "support/strict/strict_memory.hpp"
#include "support/strict/strict_operations.hpp"

namespace apsp::kernels::strict {

/// Checked when it is given; throws `Error` (device).
void check(const Operations& operations, const SearchedRows& rows);
/// Run, and checked against what memory holds by then.
void search_rows(Memory& memory, const Accessor& who, const Operations& operations,
                 const SearchedRows& rows);

void check(const Operations& operations, const SearchedLevels& levels);
void search_levels(Memory& memory, const Accessor& who, const Operations& operations,
                   const SearchedLevels& levels);

void check(const Operations& operations, const SearchedPredecessors& rows);
void search_predecessors(Memory& memory, const Accessor& who, const Operations& operations,
                         const SearchedPredecessors& rows);

void check(const NearSearches& searches);
void search_near(Memory& memory, const Accessor& who, const NearSearches& searches);

}  // namespace apsp::kernels::strict
