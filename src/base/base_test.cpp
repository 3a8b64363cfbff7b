#include "base/byte_stream.hpp"
#include "base/control.hpp"
#include "base/random.hpp"
#include "base/units.hpp"
#include "support/test.hpp"

namespace apsp::base::base_test {
namespace {

TEST(Units, Bytes) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(std::int64_t{8} << 30), "8.0 GiB");
  EXPECT_EQ(parse_bytes("8GiB"), std::int64_t{8} << 30);
  EXPECT_EQ(parse_bytes("8 gb"), std::int64_t{8000000000});
  EXPECT_EQ(parse_bytes("0.5K"), 512);
  EXPECT_EQ(parse_bytes("77"), 77);
  for (const char* bad : {"", "x", "-1", "8 apples", "1e30", "nan"}) {
    EXPECT_EQ(parse_bytes(bad), std::nullopt) << bad;
  }
}

TEST(Units, WhatRoundsUpToTheNextUnitIsSaidInIt) {
  EXPECT_EQ(format_bytes((std::int64_t{1} << 20) - 1), "1.0 MiB");
  EXPECT_EQ(format_bytes((std::int64_t{1} << 20) - 100 * 1024), "924.0 KiB");
  EXPECT_EQ(format_si(999.7), "1 k");
  EXPECT_EQ(format_si(999'600'000), "1 G");
  EXPECT_EQ(format_si(-999.7), "-1 k");
  EXPECT_EQ(format_si(999.4), "999");
  EXPECT_EQ(format_seconds(0.00099996), "1.0 ms");
  EXPECT_EQ(format_seconds(0.99997), "1.00 s");
  EXPECT_EQ(format_seconds(59.997), "1 min 00 s");
  EXPECT_EQ(format_seconds(59.99), "59.99 s");
}

TEST(Units, FiniteNumbersAreTheWholeText) {
  EXPECT_EQ(base::parse_finite("-0.25"), -0.25);
  EXPECT_EQ(base::parse_finite("1e300"), 1e300);
  for (const char* const text : {"", " 1", "1 ", "1x", "nan", "inf", "-inf", "1e999", "0x10"}) {
    EXPECT_FALSE(base::parse_finite(text)) << text;
  }
}

TEST(Units, SecondsAndCounts) {
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(245), "4 min 05 s");
  EXPECT_EQ(format_seconds(7380), "2 h 03 min");
  EXPECT_EQ(format_seconds(345599), "95 h 59 min");
  EXPECT_EQ(format_seconds(345600), "4.0 days");
  EXPECT_EQ(format_seconds(1e9), "31.7 years");
  EXPECT_EQ(format_seconds(1e30), "3.17e+22 years");
  EXPECT_EQ(format_count(7434), "7,434");
  EXPECT_EQ(format_count(-1234567), "-1,234,567");
  EXPECT_EQ(format_count(12), "12");
  EXPECT_EQ(format_count(INT64_MIN), "-9,223,372,036,854,775,808");
  EXPECT_EQ(format_si(1.234e9), "1.23 G");
}

TEST(SplitMix64, IsTheSameEverywhere) {
  SplitMix64 random(1234567);
  EXPECT_EQ(random.next(), 6457827717110365317u);
  EXPECT_EQ(random.next(), 3203168211198807973u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(random.below(7), 7u);
    const double u = random.uniform();
    EXPECT_TRUE(u >= 0 && u < 1);
  }
}

TEST(Control, CancellationThrows) {
  Cancellation cancellation;
  const Control control{nullptr, &cancellation};
  EXPECT_NO_THROW(check_cancelled(control));
  cancellation.request();
  EXPECT_THROW(check_cancelled(control), Error);
}

TEST(Control, AThreadListensToTheNearestCallerWhoMayEndItsWork) {
  EXPECT_NO_THROW(check_cancelled()) << "nobody is listened to";
  Cancellation outer, inner;
  const Cancellable first(&outer);
  {
    const Cancellable second(&inner);
    outer.request();
    EXPECT_NO_THROW(check_cancelled());
    const Cancellable third(nullptr);
    inner.request();
    EXPECT_THROW(check_cancelled(), Error) << "who cannot ask for an end changes nothing";
  }
  EXPECT_THROW(check_cancelled(), Error);
  EXPECT_THROW(poll(64, 64), Error);
  EXPECT_NO_THROW(poll(65, 64));
}

/// Bytes of another process, which may have other memory or another version.
TEST(ByteReader, BelievesNoCountThatTheBytesCannotHold) {
  for (const std::uint64_t count : {std::uint64_t{2}, std::uint64_t{1} << 60, ~std::uint64_t{0}}) {
    ByteWriter writer;
    writer.put(count);
    writer.put(std::uint64_t{0});  // one empty text
    const ByteVector bytes = writer.take();
    std::vector<std::string> texts;
    EXPECT_EQ(error_of([&] { ByteReader(bytes).read(texts); }).kind(), ErrorKind::defect);
    std::vector<double> numbers;
    EXPECT_EQ(error_of([&] { ByteReader(bytes).read(numbers); }).kind(), ErrorKind::defect);
  }
}

TEST(Error, MalformedNamesThePlace) {
  const Error error = Error::malformed({"roads.gr", 12, 5}, "expected a vertex");
  EXPECT_STREQ(error.what(), "roads.gr:12:5: expected a vertex");
  EXPECT_EQ(error.location().line, 12);
  EXPECT_STREQ(Error::malformed({"x", 3, 0}, "m").what(), "x:3: m");
}

TEST(FormatValue, GroupsIntegersAndRoundsTheRest) {
  EXPECT_EQ(format_value(0), "0");
  EXPECT_EQ(format_value(7434), "7,434");
  EXPECT_EQ(format_value(-1234567), "-1,234,567");
  EXPECT_EQ(format_value(0.1), "0.1");
  EXPECT_EQ(format_value(1234.56789), "1234.57");
  EXPECT_EQ(format_value(-99999.5), "-99999.5");
  EXPECT_EQ(format_value(232952.4), "232,952");
  EXPECT_EQ(format_value(1843820.7), "1,843,821");
  EXPECT_EQ(format_value(1e20), "1e+20");
  EXPECT_EQ(format_value(std::numeric_limits<double>::infinity()), "inf");
}

TEST(FormatShare, RoundsNeitherToNothingNorToAll) {
  EXPECT_EQ(format_share(0, 10), "0 %");
  EXPECT_EQ(format_share(0, 0), "0 %");
  EXPECT_EQ(format_share(10, 10), "100 %");
  EXPECT_EQ(format_share(1, 3), "33.3 %");
  EXPECT_EQ(format_share(1, 1'000'000), "<0.01 %");
  EXPECT_EQ(format_share(999'999, 1'000'000), ">99.99 %");
  EXPECT_EQ(format_share(995, 1000), "99.50 %");
}

TEST(Counted, KnowsOneFromMany) {
  EXPECT_EQ(counted(1, "vertex", "vertices"), "1 vertex");
  EXPECT_EQ(counted(0, "vertex", "vertices"), "0 vertices");
  EXPECT_EQ(counted(1024, "vertex", "vertices"), "1,024 vertices");
}

}  // namespace
}  // namespace apsp::base::base_test
