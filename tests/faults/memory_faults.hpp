// Allocations that fail on purpose: all of operator new, aligned memory of the C library, and
// anonymous mappings. Whoever links memory_faults.cpp, or loads it with LD_PRELOAD, has them
// counted.
#pragma once

extern "C" {

/// The allocation `at` (from 0, counted from now) fails; `onwards`: all later ones do too. −1:
/// none.
void apsp_memory_arm(long at, int onwards);
/// Allocations since `apsp_memory_arm`.
long apsp_memory_count();
/// Blocks of operator new that have not been freed.
long apsp_memory_live();
}
