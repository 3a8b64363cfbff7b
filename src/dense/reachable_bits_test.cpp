#include "dense/reachable_bits.hpp"

#include "support/test.hpp"

#include <apsp/graph.hpp>

namespace apsp::dense::reachable_bits_test {
namespace {

/// Bytes of which every third is not 0.
std::vector<std::uint8_t> thirds(std::int64_t n) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n * n));
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 3 == 0 ? 200 : 0;
  return bytes;
}

TEST(DeviceBits, BytesGoInAndComeOutWithTheDiagonal) {
  for (const std::int64_t n : {0, 1, 31, 32, 33, 511, 512, 513, 1025}) {
    std::vector<std::uint8_t> bytes = thirds(n);
    DeviceBits bits(n);
    bits.fill(kernels::View{bytes.data(), n, n, n}, 2, {});
    constexpr std::uint8_t kMargin = 77;
    std::vector<std::uint8_t> row(static_cast<std::size_t>(n + 1), kMargin);
    for (std::int64_t i = 0; i < n; ++i) {
      bits.unpack(i, row.data());
      for (std::int64_t j = 0; j < n; ++j) {
        const bool one = i == j || bytes[static_cast<std::size_t>(i * n + j)] != 0;
        ASSERT_EQ(row[static_cast<std::size_t>(j)], one) << n << ": " << i << ", " << j;
      }
      ASSERT_EQ(row.back(), kMargin);
    }
  }
}

TEST(DeviceBits, WordsAreThoseOfADevice) {
  constexpr std::int64_t kN = 70;
  std::vector<std::uint8_t> bytes = thirds(kN);
  DeviceBits bits(kN);
  bits.fill(kernels::View{bytes.data(), kN, kN, kN}, 1, {});
  const TiledMatrix tiled = bits.tiled();
  EXPECT_EQ(tiled.matrix.rows, kN);
  EXPECT_EQ(tiled.matrix.cols, 3);
  EXPECT_EQ(tiled.tile, kDeviceClosureTile);
  EXPECT_GE(DeviceBits::bytes_for(kN), kN * tiled.matrix.stride * 4);
  std::vector<std::uint32_t> words(3);
  for (std::int64_t i = 0; i < kN; ++i) {
    bytes[static_cast<std::size_t>(i * (kN + 1))] = 1;
    pack_bits(bytes.data() + i * kN, kN, words.data());
    const auto* const held = static_cast<const std::uint32_t*>(tiled.matrix.data);
    for (std::int64_t w = 0; w < 3; ++w) {
      ASSERT_EQ(held[i * tiled.matrix.stride + w], words[static_cast<std::size_t>(w)]);
    }
  }
}

TEST(DeviceBits, StopsWhenAsked) {
  Cancellation cancellation;
  cancellation.request();
  const Graph graph = generate({.vertices = 100});
  DeviceBits bits(graph.vertex_count());
  EXPECT_EQ(error_of([&] {
              bits.fill(graph, 2, {nullptr, &cancellation});
            }).kind(),
            ErrorKind::interrupted);
}

}  // namespace
}  // namespace apsp::dense::reachable_bits_test
