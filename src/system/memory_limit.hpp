// Limit and plans of this process's memory that the system cannot reclaim (not mapped files).
#pragma once

#include <cstdint>
#include <string_view>

namespace apsp::system {

/// Bytes of such memory now; 0 if unknown.
std::int64_t kept_memory();

/// Limit in bytes, also for `available_memory`; 0: none. Programs call it; libraries pass numbers
/// instead.
void limit_memory(std::int64_t bytes);
std::int64_t memory_limit();

/// Planned peak and limit of memory, in bytes.
struct MemoryUse {
  std::int64_t planned = 0;  ///< 0: no plan
  std::int64_t allowed = 0;
};

/// Throws `Error` (does_not_fit) if `more` bytes in addition to the present ones exceed the limit.
/// `of` and `way_out` are parts of the message. `most`: limit of the caller in bytes; 0: the limit
/// above, or what is free.
void require_memory(double more, std::string_view of, std::string_view way_out,
                    std::int64_t most = 0);

/// Announces that work needs `more` bytes. Throws `Error` as above, and `OnlyPlanned`
/// (`only_plan`).
void plan_memory(double more, std::string_view of, std::string_view way_out, std::int64_t most = 0);
/// The same with the planned memory of the whole process.
void plan_memory_in_all(std::int64_t planned, std::string_view of, std::string_view way_out,
                        std::int64_t most = 0);

/// The largest plan.
MemoryUse planned_memory();

/// Peak memory of measurements for the present plan, in bytes, part of a plan of the whole process.
std::int64_t kept_by_measuring();
void note_kept_by_measuring(std::int64_t bytes);

/// If set, `plan_memory` only notes the plan and throws `OnlyPlanned`.
void only_plan(bool only);
struct OnlyPlanned {};

}  // namespace apsp::system
