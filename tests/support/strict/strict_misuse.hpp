// Errors of the strict device for operations that break the contract.
#pragma once

#include <apsp/error.hpp>
#include <string>

namespace apsp::kernels::strict {

/// Throws `Error` (device).
[[noreturn]] inline void misuse(const std::string& message) {
  throw Error(ErrorKind::device, "strict device: " + message);
}

inline void require(bool condition, const char* message) {
  if (!condition) misuse(message);
}

}  // namespace apsp::kernels::strict
