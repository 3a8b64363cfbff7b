#include "report/markup.hpp"

#include "support/test.hpp"

#include <zlib.h>

namespace apsp::report::markup_test {
namespace {

TEST(Escaped, WritesSignsOfTheMarkupOut) {
  EXPECT_EQ(escaped("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(escaped("Köln → 東京 🚲"), "Köln → 東京 🚲");
  EXPECT_EQ(escaped("a\tb\nc"), "a\tb\nc");
}

TEST(Escaped, ReplacesWhatIsNoCharacter) {
  const std::string replaced = "\xEF\xBF\xBD";
  for (const char* const bad : {"\x01", "\xff", "\xc0", "\x80", "\xed\xa0\x80", "\xef\xbf\xbf",
                                "\xe2\x82", "\xc1\x81", "\xf5\x80\x80\x80"}) {
    const std::string text = escaped(std::string("a") + bad);
    EXPECT_EQ(text.substr(0, 4), "a" + replaced) << testing::PrintToString(bad);
  }
  EXPECT_EQ(escaped(std::string("\0", 1)), replaced);
  EXPECT_EQ(escaped("\xffz"), replaced + "z");
}

TEST(Number, KeepsItsWholeValueForPrograms) {
  EXPECT_EQ(number(0.1), "<data value=\"0.1\">0.1</data>");
  EXPECT_EQ(number(1234567, "mean"), "<data id=\"mean\" value=\"1234567\">1,234,567</data>");
  EXPECT_EQ(number(1.0 / 3), "<data value=\"0.3333333333333333\">0.333333</data>");
  EXPECT_EQ(count(7434, "edges"), "<data id=\"edges\" value=\"7434\">7,434</data>");
}

TEST(Scale, HasClassesOfEqualWidth) {
  const std::vector<double> values = {0, 10, 5, std::nan(""),
                                      std::numeric_limits<double>::infinity()};
  const Scale scale(values, 10);
  EXPECT_EQ(scale.class_of(0), 0);
  EXPECT_EQ(scale.class_of(4.9), 4);
  EXPECT_EQ(scale.class_of(10), 9);
  EXPECT_EQ(scale.class_of(99), 9);
  EXPECT_EQ(scale.class_of(-99), 0);
  EXPECT_EQ(scale.class_of(std::nan("")), -1);
  EXPECT_EQ(scale.class_of(std::numeric_limits<double>::infinity()), -1);
  EXPECT_FALSE(scale.goes_below() || scale.goes_above());
}

TEST(Scale, OfOneValueOrNoneStillHasAnAnswer) {
  EXPECT_EQ(Scale(std::vector<double>{7, 7}, 16).class_of(7), 8);
  const Scale none(std::vector<double>{std::nan("")}, 16);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.class_of(1), -1);
  EXPECT_EQ(legend(none, "nothing"), "");
}

TEST(Scale, OfManyLeavesAFewFarValuesToItsEnds) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i);
  values.push_back(1e9);
  const Scale scale(values, 16);
  EXPECT_TRUE(scale.goes_above());
  EXPECT_LT(scale.high(), 1000);
  EXPECT_EQ(scale.class_of(1e9), 15);
  EXPECT_EQ(scale.class_of(500), 8);
  EXPECT_THAT(legend(scale, "Far"), HasSubstr("≥ "));
}

TEST(Scale, HasAClassForValuesHoweverFar) {
  std::vector<double> values(400, 1);
  std::iota(values.begin(), values.begin() + 100, 1);
  values.back() = 1e300;
  values.front() = -1e300;
  const Scale scale(values, 16);
  EXPECT_EQ(scale.class_of(1e300), 15);
  EXPECT_EQ(scale.class_of(-1e300), 0);
  const double most = std::numeric_limits<double>::max();
  const Scale widest(std::vector<double>{-most, 0, most}, 16);
  EXPECT_EQ(widest.class_of(-most), 0);
  EXPECT_EQ(widest.class_of(0), 8);
  EXPECT_EQ(widest.class_of(most), 15);
}

TEST(Scale, OfValuesThatAreNearlyAllTheSameTakesTheirEnds) {
  std::vector<double> values(1000, 3.0);
  values.push_back(4);
  const Scale scale(values, 16);
  EXPECT_EQ(scale.low(), 3);
  EXPECT_EQ(scale.high(), 4);
}

TEST(Base64, IsThatOfTheStandardsExamples) {  // RFC 4648, §10
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(base64(std::string("\xff\x00\xfe", 3)), "/wD+");
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  }
  return value;
}

struct Chunk {
  std::string type, content;
};

/// The chunks of a PNG, whose checksums must be right.
std::vector<Chunk> chunks_of(const std::string& bytes) {
  EXPECT_EQ(bytes.substr(0, 8), "\x89PNG\r\n\x1a\n");
  std::vector<Chunk> chunks;
  for (std::size_t at = 8; at + 12 <= bytes.size();) {
    const std::size_t length = number_at(bytes, at);
    chunks.push_back({bytes.substr(at + 4, 4), bytes.substr(at + 8, length)});
    const std::string checked = bytes.substr(at + 4, length + 4);
    EXPECT_EQ(number_at(bytes, at + 8 + length),
              crc32(0, reinterpret_cast<const Bytef*>(checked.data()),
                    static_cast<uInt>(checked.size())));
    at += length + 12;
  }
  return chunks;
}

TEST(Png, HoldsThePixelsRowByRow) {
  const std::vector<std::uint8_t> pixels = {0, 1, 2, 2, 1, 0};
  const std::vector<Colour> palette = {{0, 0, 0}, {255, 0, 7}, {1, 2, 3}};
  const std::vector<Chunk> chunks = chunks_of(png(pixels, 3, 2, palette));
  ASSERT_EQ(chunks.size(), 5u);
  EXPECT_EQ(chunks[0].type, "IHDR");
  EXPECT_EQ(chunks[0].content,
            std::string("\x00\x00\x00\x03\x00\x00\x00\x02\x08\x03\x00\x00\x00", 13));
  EXPECT_EQ(chunks[1].type, "PLTE");
  EXPECT_EQ(chunks[1].content, std::string("\x00\x00\x00\xff\x00\x07\x01\x02\x03", 9));
  EXPECT_EQ(chunks[2].type, "tRNS");
  EXPECT_EQ(chunks[2].content, std::string(1, '\0'));
  EXPECT_EQ(chunks[3].type, "IDAT");
  std::string rows(64, 'x');
  uLongf length = rows.size();
  ASSERT_EQ(uncompress(reinterpret_cast<Bytef*>(rows.data()), &length,
                       reinterpret_cast<const Bytef*>(chunks[3].content.data()),
                       chunks[3].content.size()),
            Z_OK);
  EXPECT_EQ(rows.substr(0, length), std::string("\x00\x00\x01\x02\x00\x02\x01\x00", 8));
  EXPECT_EQ(chunks[4].type, "IEND");
}

}  // namespace

}  // namespace apsp::report::markup_test
