// What the machine offers: memory, cores, names.
#pragma once

#include <cstdint>
#include <string>

#include "base/processors.hpp"

namespace apsp::base {

/// Bytes that can still be used without swapping, the control group's limit respected.
std::int64_t available_memory();
std::int64_t total_memory();
std::string cpu_name();
/// Bytes of a core's first-level data cache; 32 KiB where the system does not say.
std::int64_t level1_cache_bytes();

}  // namespace apsp::base
