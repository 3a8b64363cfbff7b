// The memory of a device is spent. Whoever drives it can tell that from the host's memory.
#pragma once

#include <apsp/error.hpp>
#include <string>

namespace apsp::kernels {

class DeviceFull : public Error {
 public:
  explicit DeviceFull(const std::string& message) : Error(ErrorKind::does_not_fit, message) {}
};

}  // namespace apsp::kernels
