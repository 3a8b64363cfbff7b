#include "cli/option_values.hpp"

#include <gmock/gmock.h>

#include <functional>

#include "support/error_of.hpp"

namespace apsp::cli {
namespace {

using testing::ElementsAre;
using testing::Pair;

std::string usage_error(const std::function<void()>& call) {
  const Error error = error_of(call);
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  return error.what();
}

TEST(IntegerValue, TakesWholeNumbersOnly) {
  EXPECT_EQ(integer_value("--threads", "4", 1), 4);
  for (const char* wrong : {"", "0", "-1", "4x", "1.5", "99999999999999999999"}) {
    usage_error([&] { integer_value("--threads", wrong, 1); });
  }
}

TEST(CountValue, TakesWhatAnIntHolds) {
  EXPECT_EQ(count_value("--grid", "2147483647"), 2147483647);
  for (const char* wrong : {"", "0", "-1", "2x", "2147483648", "4294967297"}) {
    usage_error([&] { count_value("--grid", wrong); });
  }
}

TEST(SeedValue, TakesSixtyFourBits) {
  EXPECT_EQ(seed_value("--seed", "18446744073709551615"), 18446744073709551615u);
  usage_error([] { seed_value("--seed", "-1"); });
}

TEST(RealValue, TakesFiniteNumbersOnly) {
  EXPECT_EQ(real_value("--radius", "0.25"), 0.25);
  for (const char* wrong : {"", "inf", "nan", "1,5"}) {
    usage_error([&] { real_value("--radius", wrong); });
  }
}

TEST(ByteValue, TakesSizes) {
  EXPECT_EQ(byte_value("--memory", "8GiB"), std::int64_t{8} << 30);
  for (const char* wrong : {"", "0", "8 elephants", "-1GiB"}) {
    usage_error([&] { byte_value("--memory", wrong); });
  }
}

TEST(RangeValue, TakesTwoNumbersOrOne) {
  EXPECT_THAT(range_value("--weights", "1:100"), Pair(1, 100));
  EXPECT_THAT(range_value("--weights", "-5:0.5"), Pair(-5, 0.5));
  EXPECT_THAT(range_value("--weights", "7"), Pair(7, 7));
  for (const char* wrong : {"", ":", "5:1", "1:", "1-5", "1:inf"}) {
    usage_error([&] { range_value("--weights", wrong); });
  }
}

TEST(ListValue, TakesNumbersBetweenCommas) {
  EXPECT_THAT(list_value("--rmat", "0.45,0.22,0.22,0.11"), ElementsAre(0.45, 0.22, 0.22, 0.11));
  for (const char* wrong : {"", "1,", "1,,2", "1;2"}) {
    usage_error([&] { list_value("--rmat", wrong); });
  }
}

TEST(DeviceValue, TakesNamesAndNumbers) {
  const auto value = [](const char* text) { return device_value("--device", text); };
  EXPECT_EQ(value("auto").device, Device::automatic);
  EXPECT_EQ(value("cpu").device, Device::cpu);
  EXPECT_EQ(value("cuda").device, Device::cuda);
  EXPECT_TRUE(value("cuda").ordinals.empty());
  EXPECT_EQ(value("cuda:3").device, Device::cuda);
  EXPECT_THAT(value("cuda:3").ordinals, ElementsAre(3));
  EXPECT_THAT(value("cuda:0,12").ordinals, ElementsAre(0, 12));
  EXPECT_EQ(value("cuda:all").device, Device::cuda);
  EXPECT_THAT(value("cuda:all").ordinals, ElementsAre(kAllGpus));
  for (const char* wrong : {"cuda:", "cuda:-1", "cuda:0,", "cuda:a", "cuda:1x", "cpu:0", "auto:1",
                            "auto:all", "cuda:all,1", "cuda:0,all", "cuda:99999999999"}) {
    usage_error([&] { value(wrong); });
  }
  usage_error([&] { value("cdua"); });
}

TEST(Choose, NamesWhatIsAllowedAndTheNearest) {
  const Choices<int> choices = {{"auto", 0}, {"f32", 1}, {"f64", 2}};
  EXPECT_EQ(choose("--dtype", "f64", choices), 2);
  EXPECT_EQ(placeholder(choices), "auto|f32|f64");
  EXPECT_EQ(usage_error([&] { choose("--dtype", "f23", choices); }),
            "--dtype takes auto, f32 or f64, not 'f23'; did you mean 'f32'?");
}

}  // namespace
}  // namespace apsp::cli
