#include "io/number.hpp"

#include <sstream>

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::io::number_test {
namespace {

NumberFault fault_of(const std::string& text) {
  const char* at = text.data();
  double value = 0;
  return read_number(at, at + text.size(), value);
}

double value_of(const std::string& text) {
  const char* at = text.data();
  double value = std::nan("");
  EXPECT_EQ(read_number(at, at + text.size(), value), NumberFault::none) << text;
  EXPECT_EQ(at, text.data() + text.size()) << text;
  return value;
}

TEST(Number, ReadsWhatTheStandardLibraryReads) {
  std::istringstream texts(
      "0 -0 7 007 -12 3.25 .5 5. -.125 1e3 1E-3 0.1 0.3 1.7976931348623157e308 5e-324 "
      "9007199254740992 -9007199254740992 9007199254740993.0 0.000000000000000000000000000001 "
      "123456789012345678.25 0.12345678901234567890123 1234567.7654321 2.2250738585072014e-308");
  for (std::string text; texts >> text;) {
    EXPECT_EQ(value_of(text), std::strtod(text.c_str(), nullptr)) << text;
  }
  EXPECT_EQ(value_of("+7"), 7);
  EXPECT_EQ(value_of("+1e2"), 100);
}

TEST(Number, StopsBehindTheNumber) {
  const std::string text = "12abc";
  const char* at = text.data();
  double value = 0;
  EXPECT_EQ(read_number(at, at + text.size(), value), NumberFault::none);
  EXPECT_EQ(std::string(at), "abc");
}

TEST(Number, RefusesWhatIsNone) {
  for (const char* text : {"", "-", "+", ".", "x", "-x", "+-1", "--1", "e5", "-.e5"}) {
    EXPECT_EQ(fault_of(text), NumberFault::not_a_number) << text;
  }
  for (const char* text : {"inf", "-inf", "Infinity", "nan", "NaN(7)", "+INF"}) {
    EXPECT_EQ(fault_of(text), NumberFault::not_finite) << text;
  }
  for (const char* text : {"1e309", "-1e400", "1e-400"}) {
    EXPECT_EQ(fault_of(text), NumberFault::out_of_range) << text;
  }
  for (const char* text : {"9007199254740993", "-9007199254740993", "99999999999999999",
                           "18446744073709551617", "100000000000000000000000"}) {
    EXPECT_EQ(fault_of(text), NumberFault::inexact_integer) << text;
  }
}

TEST(Number, TakesLargeIntegersThatADoubleHolds) {
  EXPECT_EQ(value_of("9007199254740994"), 9007199254740994.0);
  EXPECT_EQ(value_of("100000000000000000"), 1e17);
  EXPECT_EQ(value_of("-00100000000000000000000"), -1e20);
  EXPECT_EQ(value_of("18446744073709551616"), 0x1p64);
  EXPECT_EQ(value_of("1" + std::string(22, '0')), 1e22);
}

TEST(Number, UnsignedSaturates) {
  const std::string text = "99999999999999999999 1";
  const char* at = text.data();
  std::uint64_t value = 0;
  EXPECT_TRUE(read_unsigned(at, at + text.size(), value));
  EXPECT_EQ(value, ~std::uint64_t{0});
  EXPECT_EQ(*at, ' ');
  EXPECT_FALSE(read_unsigned(at, at + 1, value));
}

TEST(Number, WhatIsWrittenIsReadBack) {
  base::SplitMix64 random(3);
  const auto expect_same = [](double value) {
    char text[32];
    const std::string written(text, format_number(text, value));
    EXPECT_EQ(value_of(written), value) << written;
  };
  for (int i = 0; i < 20000; ++i) {
    const double u = random.uniform();
    expect_same(u);
    expect_same(std::ldexp(u, static_cast<int>(random.below(2000)) - 1000));
    expect_same(-std::floor(std::ldexp(u, static_cast<int>(random.below(60)))));
  }
  for (const double value : {0.0, -1.0, 0x1p53, 0x1p53 + 2, -0x1p80, 1.7976931348623157e308, 5e-324,
                             1e22, 1e-7, 123456.75}) {
    expect_same(value);
  }
}

}  // namespace
}  // namespace apsp::io::number_test
