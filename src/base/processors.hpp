// How many processors this process may really use: its affinity mask, and the share of time that
// its control groups grant it. A container with 2 of 64 processors' time that starts 64 threads
// spends most of it stopped in the middle of tasks that all wait for.
#pragma once

#include <filesystem>

namespace apsp::base {

/// The processors' time that the control groups of this process grant it, the least of nested ones,
/// rounded up, at least 1; 0: there is no limit. `root`: where /proc and /sys are.
int granted_processors(const std::filesystem::path& root = "/");

/// The number of threads that parallel work will use: `requested` if positive, else the limit
/// below, else OMP_NUM_THREADS where it is set, else the processors that this process may run on,
/// as many as it is granted.
int thread_count(int requested);

/// The same without request and limit: what this machine and process offer.
int offered_threads();

/// At most so many threads for all work of this process that asks for no number of its own; 0: no
/// limit. For programs, which know what their user wants; a library passes numbers instead.
void limit_threads(int threads);

}  // namespace apsp::base
