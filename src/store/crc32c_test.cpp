#include "store/crc32c.hpp"

#include "base/random.hpp"
#include "support/test.hpp"

namespace apsp::store::crc32c_test {
namespace {

std::uint32_t of(std::string_view text) { return crc32c(std::as_bytes(std::span(text))); }

TEST(Crc32c, HasTheValuesOfTheStandard) {  // RFC 3720, B.4, and the usual check value
  EXPECT_EQ(of(""), 0u);
  EXPECT_EQ(of("123456789"), 0xE3069283u);
  EXPECT_EQ(of(std::string(32, '\0')), 0x8A9136AAu);
  EXPECT_EQ(of(std::string(32, '\xFF')), 0x62A8AB43u);
  std::string rising;
  for (char c = 0; c < 32; ++c) rising.push_back(c);
  EXPECT_EQ(of(rising), 0x46DD794Eu);
}

TEST(Crc32c, TablesAndInstructionAgreeAtEveryLengthAndAlignment) {
  base::SplitMix64 random(7);
  std::vector<std::byte> bytes(300);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random.next());
  for (std::size_t start = 0; start < 9; ++start) {
    for (std::size_t size = 0; size + start <= bytes.size(); ++size) {
      const std::span part(bytes.data() + start, size);
      ASSERT_EQ(crc32c(part), crc32c_by_tables(part)) << start << " " << size;
    }
  }
}

TEST(Crc32c, SeesEveryFlippedBit) {
  std::vector<std::byte> bytes(64, std::byte{0x5A});
  const std::uint32_t whole = crc32c(bytes);
  for (std::size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_NE(crc32c(bytes), whole);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

TEST(Crc32c, OfRowsIsThatOfEach) {
  std::vector<std::byte> bytes(7 * 40);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i * 37 % 251);
  for (const std::int64_t row_bytes : {0, 1, 7, 8, 15, 39}) {
    std::vector<std::uint32_t> sums(7);
    crc32c_of_rows(bytes.data(), 40, row_bytes, sums);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::span row(bytes.data() + 40 * i, static_cast<std::size_t>(row_bytes));
      EXPECT_EQ(sums[i], crc32c(row)) << i << ", " << row_bytes;
    }
  }
}

}  // namespace
}  // namespace apsp::store::crc32c_test
