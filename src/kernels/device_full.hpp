// The error of exhausted device memory, as distinct from host memory.
#pragma once

#include <apsp/error.hpp>
#include <string>

namespace apsp::kernels {

class DeviceFull : public Error {
 public:
  explicit DeviceFull(const std::string& message) : Error(ErrorKind::does_not_fit, message) {}
};

}  // namespace apsp::kernels
