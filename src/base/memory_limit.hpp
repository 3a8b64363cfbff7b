// The memory that this process may keep, and what its work says that it will keep.
//
// Kept is what the system cannot take back: anonymous and shared pages. Mapped files are its cache.
#pragma once

#include <cstdint>
#include <string_view>

namespace apsp::base {

/// Bytes that this process keeps now; 0 if the system does not say.
std::int64_t kept_memory();

/// At most so many bytes for all that this process keeps; 0: no limit. `available_memory` respects
/// it from then on. For programs, which know what their user wants; a library passes numbers
/// instead.
void limit_memory(std::int64_t bytes);
std::int64_t memory_limit();

/// What the process will keep at its peak, and what it may keep; bytes.
struct MemoryUse {
  std::int64_t planned = 0;  ///< 0: nothing was said
  std::int64_t allowed = 0;
};

/// Throws `Error` (does_not_fit) if `more` bytes may not be kept besides what is kept now. `of` and
/// `way_out` are parts of the message. `most`: bytes that the caller grants the process; 0: the
/// limit above, or what is free. It is part of what was planned.
void require_memory(double more, std::string_view of, std::string_view way_out,
                    std::int64_t most = 0);

/// Says, before the work begins, that `more` bytes will be kept besides what is kept now. Throws
/// `Error` as above, and `OnlyPlanned` where nothing is to be done.
void plan_memory(double more, std::string_view of, std::string_view way_out, std::int64_t most = 0);
/// The same of a plan that counts the whole process.
void plan_memory_in_all(std::int64_t planned, std::string_view of, std::string_view way_out,
                        std::int64_t most = 0);

/// The most that was planned.
MemoryUse planned_memory();

/// The most bytes that this process kept while it measured the machine for the plan at hand; 0: it
/// measured nothing. A plan of the whole process includes them.
std::int64_t kept_by_measuring();
void note_kept_by_measuring(std::int64_t bytes);

/// From now on `plan_memory` only notes what it is told, and then throws `OnlyPlanned`: for a user
/// who asks for the plan.
void only_plan(bool only);
struct OnlyPlanned {};

}  // namespace apsp::base
