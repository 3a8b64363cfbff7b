// A row of a matrix of bytes.
#pragma once

#include <cstdint>

#include "kernels/contract.hpp"

namespace apsp::places {

inline std::uint8_t* byte_row(kernels::View bytes, std::int64_t i) {
  return static_cast<std::uint8_t*>(bytes.data) + i * bytes.stride;
}

}  // namespace apsp::places
