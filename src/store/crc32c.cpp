#include "store/crc32c.hpp"

#include <array>
#include <cstring>

#ifdef __x86_64__
#include <nmmintrin.h>
#endif

namespace apsp::store {
namespace {

using Tables = std::array<std::array<std::uint32_t, 256>, 8>;

/// kTables[k][b]: the checksum of byte b followed by k zero bytes.
constexpr Tables make_tables() {
  Tables tables = {};
  for (std::uint32_t b = 0; b < 256; ++b) {
    std::uint32_t crc = b;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78u : 0u);
    tables[0][b] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t b = 0; b < 256; ++b) {
      const std::uint32_t crc = tables[k - 1][b];
      tables[k][b] = (crc >> 8) ^ tables[0][crc & 0xFF];
    }
  }
  return tables;
}

constexpr Tables kTables = make_tables();

std::uint32_t crc32c_of_byte(std::uint32_t crc, std::byte b) {
  return (crc >> 8) ^ kTables[0][(crc ^ std::to_integer<std::uint32_t>(b)) & 0xFF];
}

std::uint64_t load(const std::byte* at) {
  std::uint64_t word = 0;
  std::memcpy(&word, at, sizeof(word));
  return word;
}

#ifdef __x86_64__
__attribute__((target("sse4.2"))) std::uint32_t crc32c_by_instruction(
    std::span<const std::byte> bytes) {
  std::uint64_t crc = 0xFFFFFFFFu;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) crc = _mm_crc32_u64(crc, load(bytes.data()));
  auto low = static_cast<std::uint32_t>(crc);
  for (const std::byte b : bytes) low = _mm_crc32_u8(low, std::to_integer<unsigned char>(b));
  return ~low;
}

constexpr std::size_t kRowsAtOnce = 4;

__attribute__((target("sse4.2"))) void four_rows_by_instruction(const std::byte* first,
                                                                std::int64_t stride,
                                                                std::int64_t row_bytes,
                                                                std::uint32_t* sums) {
  const std::byte *const a = first, *const b = a + stride, *const c = b + stride,
                         *const d = c + stride;
  std::uint64_t of_a = 0xFFFFFFFFu, of_b = of_a, of_c = of_a, of_d = of_a;
  std::int64_t at = 0;
  for (; at + 8 <= row_bytes; at += 8) {
    of_a = _mm_crc32_u64(of_a, load(a + at));
    of_b = _mm_crc32_u64(of_b, load(b + at));
    of_c = _mm_crc32_u64(of_c, load(c + at));
    of_d = _mm_crc32_u64(of_d, load(d + at));
  }
  const auto rest = [&](std::uint64_t crc, const std::byte* row) {
    auto low = static_cast<std::uint32_t>(crc);
    for (std::int64_t i = at; i < row_bytes; ++i) {
      low = crc32c_of_byte(low, row[i]);
    }
    return ~low;
  };
  sums[0] = rest(of_a, a);
  sums[1] = rest(of_b, b);
  sums[2] = rest(of_c, c);
  sums[3] = rest(of_d, d);
}
#endif

bool has_instruction() {
#ifdef __x86_64__
  static const bool has = __builtin_cpu_supports("sse4.2") != 0;
  return has;
#else
  return false;
#endif
}

}  // namespace

std::uint32_t crc32c_by_tables(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xFFFFFFFFu;
  for (; bytes.size() >= 8; bytes = bytes.subspan(8)) {
    const std::uint64_t word = load(bytes.data()) ^ crc;  // requires a little-endian machine
    crc = 0;
    for (std::size_t k = 0; k < 8; ++k) crc ^= kTables[7 - k][(word >> (8 * k)) & 0xFF];
  }
  for (const std::byte b : bytes) crc = crc32c_of_byte(crc, b);
  return ~crc;
}

std::uint32_t crc32c(std::span<const std::byte> bytes) {
#ifdef __x86_64__
  if (has_instruction()) return crc32c_by_instruction(bytes);
#endif
  return crc32c_by_tables(bytes);
}

void crc32c_of_rows(const std::byte* first, std::int64_t stride, std::int64_t row_bytes,
                    std::span<std::uint32_t> rows) {
  std::size_t i = 0;
#ifdef __x86_64__
  for (; has_instruction() && i + kRowsAtOnce <= rows.size(); i += kRowsAtOnce) {
    four_rows_by_instruction(first + static_cast<std::int64_t>(i) * stride, stride, row_bytes,
                             rows.data() + i);
  }
#endif
  for (; i < rows.size(); ++i) {
    rows[i] = crc32c(
        {first + static_cast<std::int64_t>(i) * stride, static_cast<std::size_t>(row_bytes)});
  }
}

}  // namespace apsp::store
