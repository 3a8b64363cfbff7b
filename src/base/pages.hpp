// Memory pages and the system that lends them.
#pragma once

#include <cstdint>

namespace apsp::base {

/// Gives the pages of bytes [begin, end) of `data`, a file's mapping, back to the system: they no
/// longer count as this process's memory, and are read from the file (most often still cached) if
/// touched again. One fault maps a window of 64 KiB, or a large page of 2 MiB. So the pages just
/// before `begin`, which a fault may have mapped again, are given back too; the window that holds
/// the last byte stays. Requires: `data` up to `end` lies in one read-only mapping of a file.
void release_mapped(const void* data, std::int64_t begin, std::int64_t end);

/// Gives back the whole pages inside a range that is never read again: what they held is lost.
/// Requires: the range is memory of this process alone.
void discard(void* first, std::int64_t bytes);

/// Asks for the pages of fresh memory at once: a third less than one fault a page, which costs more
/// than clearing it. Requires: the range is memory of this process alone.
void touch(void* first, std::int64_t bytes);

}  // namespace apsp::base
