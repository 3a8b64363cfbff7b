// Reachability in packed bits on a device, behind the same face as the other back ends: host tiles
// are of bytes, and are packed into words of 32 vertices on the way in.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "conformance/back_ends.hpp"
#include "kernels/device.hpp"

namespace apsp::conformance {

/// A back end that knows or-and over `bool` alone.
BackEnd bit_back_end(const std::string& name,
                     std::function<std::unique_ptr<kernels::ComputeDevice>()> make);

}  // namespace apsp::conformance
