// Whatever the bytes are: archives are unpacked, formats recognised.
#include "round_trip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  apsp::fuzz::check_reader(data, size, std::nullopt);
  return 0;
}
