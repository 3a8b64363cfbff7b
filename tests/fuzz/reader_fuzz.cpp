// One reader; APSP_FUZZ_FORMAT names its format.
#include "round_trip.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  apsp::fuzz::check_reader(data, size, apsp::GraphFormat::APSP_FUZZ_FORMAT);
  return 0;
}
