// Sizes of tests on a GPU: the usual ones, or fewer and smaller where a tool looks at every access
// and takes hundreds of times as long (APSP_SANITIZED in the environment). With such a tool, and
// under QEMU, the addresses of a process cannot be limited.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <vector>

namespace apsp {

inline bool watched() { return std::getenv("APSP_SANITIZED") != nullptr; }

inline std::vector<std::int64_t> sizes(std::initializer_list<std::int64_t> usual,
                                       std::initializer_list<std::int64_t> under_watch) {
  return watched() ? under_watch : usual;
}

}  // namespace apsp
