// What the machine offers: memory, cores, names.
#pragma once

#include <cstdint>
#include <string>

#include "base/processors.hpp"

namespace apsp::base {

/// Bytes that can still be used without swapping, the limits of all control groups respected;
/// caches that the system can take back count as free.
std::int64_t available_memory();
/// Bytes of the machine, or of the smallest control group around this process.
std::int64_t total_memory();
/// Bytes of this process by their name in Linux's /proc/self/status: "VmRSS", resident now, or
/// "VmHWM", the most that ever was, pages of mapped files included; 0 if the system does not say.
std::int64_t process_memory(const std::string& key);
std::string cpu_name();
/// Bytes of a core's first-level data cache; 32 KiB where the system does not say.
std::int64_t level1_cache_bytes();

}  // namespace apsp::base
