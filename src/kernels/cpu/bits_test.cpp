#include "kernels/cpu/bits.hpp"

#include "base/random.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/cpu/inner_loops.hpp"
#include "support/test.hpp"

namespace apsp::kernels::cpu::bits_test {
namespace {

constexpr double kDensities[] = {0, 0.001, 0.05, 0.5, 1};

/// Lines of 512 random bits, 0 beyond `columns`.
std::vector<BitLine> random_lines(std::int64_t rows, std::int64_t columns, double density,
                                  base::SplitMix64& random) {
  std::vector<BitLine> lines;
  lines.reserve(static_cast<std::size_t>(rows) + 1);  // a non-null address also for no rows
  lines.resize(static_cast<std::size_t>(rows), BitLine{});
  for (BitLine& line : lines) {
    for (std::int64_t j = 0; j < columns; ++j) {
      const bool bit = static_cast<double>(random.below(1000)) < 1000 * density;
      line.words[j / 64] |= std::uint64_t{bit} << j % 64;
    }
  }
  return lines;
}

bool get(const BitLine& line, std::int64_t j) { return (line.words[j / 64] >> j % 64 & 1) != 0; }

void join(BitLine& line, const BitLine& other) {
  for (std::int64_t v = 0; v < BitLine::kWords; ++v) line.words[v] |= other.words[v];
}

void expect_same(const std::vector<BitLine>& lines, const std::vector<BitLine>& expected) {
  ASSERT_EQ(lines.size(), expected.size());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (std::int64_t v = 0; v < BitLine::kWords; ++v) {
      ASSERT_EQ(lines[i].words[v], expected[i].words[v]) << "row " << i << ", word " << v;
    }
  }
}

class BitKernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    force_instruction_set(GetParam());
    operations_ = bit_operations();
  }
  void TearDown() override { force_instruction_set(std::nullopt); }

  BitOperations operations_{};
  base::SplitMix64 random_{11};
};

TEST_P(BitKernels, MultiplyAdd) {
  for (const std::int64_t rows : {0, 1, 63, 64, 65, 200, 513}) {
    for (const std::int64_t words : {0, 1, 3, 8}) {
      for (const double density : kDensities) {
        const auto a = random_lines(rows, 64 * words, density, random_);
        const auto b = random_lines(64 * words, 512, density, random_);
        auto c = random_lines(rows + 1, 512, 0.05, random_);
        auto expected = c;
        for (std::size_t i = 0; i < a.size(); ++i) {
          for (std::size_t k = 0; k < b.size(); ++k) {
            if (get(a[i], static_cast<std::int64_t>(k))) join(expected[i], b[k]);
          }
        }
        operations_.multiply_add(c.data(), rows, BitWords::of(a.data()), b.data(), words);
        expect_same(c, expected);
      }
    }
  }
}

/// Leftovers of other kernels in the thread's buffers do not change a product.
TEST_P(BitKernels, TakeNothingFromBuffersThatWereUsed) {
  constexpr std::int64_t kBytes = 1 << 16;
  std::fill_n(packing_buffer<std::byte>(0, kBytes), kBytes, std::byte{0xff});
  const auto a = random_lines(64, 64, 0.05, random_);
  const auto b = random_lines(64, 512, 0.05, random_);
  std::vector<BitLine> c(64, BitLine{}), expected = c;
  for (std::size_t i = 0; i < 64; ++i) {
    for (std::size_t k = 0; k < 64; ++k) {
      if (get(a[i], static_cast<std::int64_t>(k))) join(expected[i], b[k]);
    }
  }
  operations_.multiply_add(c.data(), 64, BitWords::of(a.data()), b.data(), 1);
  expect_same(c, expected);
}

TEST_P(BitKernels, CloseLeavesTheLinesAroundATileAsTheyAre) {
  for (const std::int64_t rows : {64, 192}) {
    const auto tile = random_lines(rows, rows, 0.02, random_);
    auto all = random_lines(rows + 128, 512, 0.05, random_);
    std::copy(tile.begin(), tile.end(), all.begin() + 64);
    const auto before = all;
    operations_.close(all.data() + 64, rows);
    const auto of = [](const auto& lines, std::int64_t from) {
      return std::vector(lines.begin() + from, lines.begin() + from + 64);
    };
    expect_same(of(all, 0), of(before, 0));
    expect_same(of(all, rows + 64), of(before, rows + 64));
  }
}

TEST_P(BitKernels, CloseAndMultiplyInPlace) {
  for (const std::int64_t rows : {0, 64, 128, 192, 512}) {
    for (const double density : kDensities) {
      auto d = random_lines(rows, rows, density / 20, random_);
      for (std::int64_t i = 0; i < rows; ++i) {
        d[static_cast<std::size_t>(i)].words[i / 64] |= std::uint64_t{1} << i % 64;
      }
      auto expected = d;
      for (std::size_t k = 0; k < d.size(); ++k) {
        for (BitLine& line : expected) {
          if (get(line, static_cast<std::int64_t>(k))) join(line, expected[k]);
        }
      }
      operations_.close(d.data(), rows);
      expect_same(d, expected);

      auto panel = random_lines(rows, 512, density, random_);
      auto product = panel;
      for (std::size_t i = 0; i < d.size(); ++i) {
        for (std::size_t k = 0; k < d.size(); ++k) {
          if (get(d[i], static_cast<std::int64_t>(k))) join(product[i], panel[k]);
        }
      }
      operations_.multiply_add(panel.data(), rows, BitWords::of(d.data()), panel.data(), rows / 64);
      expect_same(panel, product);
    }
  }
}

TEST_P(BitKernels, PackAndUnpackKeepToTheirBytes) {
  for (const std::int64_t count : {0, 1, 7, 63, 64, 65, 127, 128, 129, 191, 257, 511, 512}) {
    std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_.below(3));
    BitLine line;
    for (std::uint64_t& word : line.words) word = ~std::uint64_t{0};
    operations_.pack(bytes.data(), count, &line);
    std::vector<std::uint8_t> out(static_cast<std::size_t>(count) + 1, 77);
    operations_.unpack(&line, count, out.data());
    for (std::int64_t j = 0; j < BitLine::kColumns; ++j) {
      const bool bit = j < count && bytes[static_cast<std::size_t>(j)] != 0;
      ASSERT_EQ(get(line, j), bit) << count << ": " << j;
      if (j < count) {
        ASSERT_EQ(out[static_cast<std::size_t>(j)], bit) << count << ": " << j;
      }
    }
    EXPECT_EQ(out.back(), 77);
  }
}

TEST(BitMatrix, KeepsEveryBitInItsPlace) {
  for (const std::int64_t n : {0, 1, 64, 513, 1030}) {
    BitMatrix matrix(n);
    EXPECT_EQ(matrix.rows() % 64, 0);
    for (std::int64_t i = 0; i < n; ++i) matrix.set(i, i * 7 % n);
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        const BitLine& line = *matrix.line(i, j / BitLine::kColumns);
        ASSERT_EQ(get(line, j % BitLine::kColumns), j == i * 7 % n);
      };
    }
  }
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, BitKernels, testing::ValuesIn(instruction_sets()),
                         [](const testing::TestParamInfo<std::string>& each) {
                           return each.param;
                         });

}  // namespace
}  // namespace apsp::kernels::cpu::bits_test
