#include "io/arrow_schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace apsp::io::arrow_schema_test {
namespace {

using testing::ElementsAre;

// Of pyarrow 26: from and to (int64), took (duration in ms), weight (float64).
constexpr std::string_view kSchema =
    "/////xgBAAAQAAAAAAAKAAwABgAFAAgACgAAAAABBAAMAAAACAAIAAAABAAIAAAABAAAAAQAAACsAAAAbAAAADwAAA"
    "AEAAAAdP///wAAAQMQAAAAIAAAAAQAAAAAAAAABgAAAHdlaWdodAAAAAAGAAgABgAGAAAAAAACAKj///8AAAESEAAA"
    "ABwAAAAEAAAAAAAAAAQAAAB0b29rAAAAAAQABAAEAAAA1P///wAAAQIQAAAAFAAAAAQAAAAAAAAAAgAAAHRvAADA//"
    "//AAAAAUAAAAAQABQACAAGAAcADAAAABAAEAAAAAAAAQIQAAAAIAAAAAQAAAAAAAAABAAAAGZyb20AAAAACAAMAAgA"
    "BwAIAAAAAAAAAUAAAAAAAAAA";

TEST(ArrowSchema, NamesColumnsOfDurations) {
  EXPECT_THAT(duration_columns(kSchema), ElementsAre("took"));
}

TEST(ArrowSchema, DamagedOneTakesNoMoreMemoryThanItHas) {
  const auto bytes_of = [](std::string_view schema) {
    std::size_t bytes = 0;
    for (const std::string& name : duration_columns(schema)) bytes += name.size();
    return bytes;
  };
  for (std::size_t size = 0; size < kSchema.size(); ++size) {
    EXPECT_LE(bytes_of(kSchema.substr(0, size)), 4U) << size;
  }
  for (std::size_t at = 0; at < kSchema.size(); ++at) {
    std::string damaged(kSchema);
    damaged[at] = '/';
    EXPECT_LE(bytes_of(damaged), 2 * kSchema.size()) << at;
  }
}

}  // namespace
}  // namespace apsp::io::arrow_schema_test
