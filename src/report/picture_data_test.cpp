#include "report/markup.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

namespace apsp::report {
namespace {

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
}  // namespace apsp::report
