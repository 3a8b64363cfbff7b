// One check of checks.hpp; APSP_FUZZ_CHECK names it.
#include "fuzz/checks.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  apsp::fuzz::APSP_FUZZ_CHECK(data, size);
  return 0;
}
