#include "io/npy.hpp"
#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::numpy_test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

template <class T>
std::string npy(const char* descr, std::int64_t n, const std::vector<T>& values) {
  std::string bytes = format_npy_header(descr, n, n);
  bytes.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
  return bytes;
}

std::string fails(const std::string& bytes, const ReadOptions& options = {}) {
  return failure(bytes, "m.npy", options);
}

TEST(Numpy, InfinityIsNoEdgeAndZeroIsOne) {
  const Graph graph =
      parse(npy<float>("<f4", 3, {0, 2.5, kInfinity, 0, 7, -1, kInfinity, 4, -2}), "m.npy");
  EXPECT_EQ(describe(graph), "directed 0-1:2.5 1-0:0 1-2:-1 2-1:4 2-2:-2");
  EXPECT_EQ(names(graph), "0 1 2");
}

TEST(Numpy, ReadsEveryType) {
  EXPECT_EQ(describe(parse(npy<double>("<f8", 2, {0, 0.1, kInfinity, 0}), "m")),
            "directed 0-1:0.1");
  EXPECT_EQ(describe(parse(npy<std::int32_t>("<i4", 2, {0, -5, (1 << 30) - 1, 0}), "m")),
            "directed 0-1:-5");
  EXPECT_EQ(describe(parse(npy<std::uint16_t>("<u2", 2, {0, 32766, 32767, 0}), "m")),
            "directed 0-1:32766");
  EXPECT_EQ(describe(parse(npy<std::uint8_t>("|b1", 2, {0, 1, 0, 1}), "m")), "directed 0-1:1");
  EXPECT_EQ(describe(parse(npy<std::int8_t>("|i1", 2, {-3, 127, -128, 5}), "m")),
            "directed 0-0:-3 0-1:127 1-0:-128");
  EXPECT_EQ(describe(parse(npy<std::uint8_t>("|u1", 2, {0, 255, 0, 0}), "m")),
            "directed 0-1:255 1-0:0");
  EXPECT_EQ(describe(parse(npy<std::int16_t>("<i2", 2, {0, 32767, -32768, 0}), "m")),
            "directed 0-1:32767 1-0:-32768");
  EXPECT_EQ(describe(parse(npy<std::uint32_t>("<u4", 2, {0, 4294967295u, 1073741823, 0}), "m")),
            "directed 0-1:4294967295 1-0:1073741823");
  EXPECT_EQ(describe(parse(npy<std::int64_t>("<i8", 2, {0, 5000000000, -(1ll << 53), 0}), "m")),
            "directed 0-1:5000000000 1-0:-9007199254740992");
  EXPECT_EQ(describe(parse(npy<std::uint64_t>("<u8", 2, {0, 1ull << 53, 7, 0}), "m")),
            "directed 0-1:9007199254740992 1-0:7");
  for (const char* const other : {"<U1", "<c8", "<f16", "|V4", "<M8"}) {
    EXPECT_THAT(fails(npy<double>(other, 1, {0})), HasSubstr("are not read; booleans, integers"));
  }
}

TEST(Numpy, HalfFloatsAreExact) {
  // 1.5, the least subnormal, 65504, infinity, −0.25, the least normal
  const Graph graph =
      parse(npy<std::uint16_t>("<f2", 3, {0, 0x3E00, 0x0001, 0x7BFF, 0, 0x7C00, 0xB400, 0x0400, 0}),
            "m.npy");
  EXPECT_EQ(describe(graph),
            fmt::format("directed 0-1:1.5 0-2:{} 1-0:65504 2-0:-0.25 2-1:{}", 0x1p-24, 0x1p-14));
  EXPECT_THAT(fails(npy<std::uint16_t>("<f2", 2, {0, 0, 0x7E01, 0})), HasSubstr("[1, 0] (row"));
  EXPECT_THAT(fails(npy<std::uint16_t>("<f2", 2, {0, 0xFC00, 0, 0})), HasSubstr("[0, 1] (row"));
}

template <class T>
std::string swapped_npy(const char* descr, std::int64_t n, std::vector<T> values) {
  for (T& value : values) {
    auto* const bytes = reinterpret_cast<char*>(&value);
    std::reverse(bytes, bytes + sizeof(T));
  }
  return npy(descr, n, values);
}

TEST(Numpy, BigEndianValuesMeanTheSame) {
  EXPECT_EQ(describe(parse(swapped_npy<float>(">f4", 2, {0, 0.5, kInfinity, 0}), "m")),
            "directed 0-1:0.5");
  EXPECT_EQ(describe(parse(swapped_npy<double>(">f8", 2, {0, 0.1, -2, 0}), "m")),
            "directed 0-1:0.1 1-0:-2");
  EXPECT_EQ(describe(parse(swapped_npy<std::int32_t>(">i4", 2, {0, -5, (1 << 30) - 1, 0}), "m")),
            "directed 0-1:-5");
  EXPECT_EQ(describe(parse(swapped_npy<std::uint16_t>(">u2", 2, {0, 258, 32767, 0}), "m")),
            "directed 0-1:258");
  EXPECT_EQ(describe(parse(swapped_npy<std::int64_t>(">i8", 2, {0, -7, 1ll << 40, 0}), "m")),
            "directed 0-1:-7 1-0:1099511627776");
}

TEST(Numpy, IntegersThatNoDoubleHoldsAreRefusedWithTheirPlace) {
  const std::int64_t beyond = (1ll << 53) + 1;
  expect_failures([](const std::string& text) { return fails(text); },
                  {{npy<std::int64_t>("<i8", 2, {0, 1, beyond, 0}),
                    "the entry [1, 0] (row, column; counted from 0) is an integer beyond 2^53"},
                   {npy<std::int64_t>("<i8", 2, {0, -beyond, 1, 0}), "[0, 1]"},
                   {npy<std::uint64_t>("<u8", 2, {0, ~0ull, 1, 0}), "[0, 1]"}});
  std::string columns = npy<std::int64_t>("<i8", 2, {0, 1, beyond, 0});
  columns.replace(columns.find("False"), 5, "True ");
  EXPECT_THAT(fails(columns), HasSubstr("[0, 1]"));
}

TEST(Numpy, WhatOthersMayMeanByAnIntegerIsRemarkedOn) {
  const auto remarks = [](const std::string& bytes) {
    const Graph graph = parse(bytes, "m.npy");
    return std::vector<std::string>(graph.remarks().begin(), graph.remarks().end());
  };
  const std::pair<std::string, const char*> edges[] = {
      {npy<std::uint16_t>("<u2", 2, {0, 65535, 7, 0}),
       "entries of 65,535, the greatest value of u2, are edges"},
      {npy<std::int32_t>("<i4", 2, {0, 2147483647, 7, 0}),
       "entries of 2,147,483,647, the greatest value of i4, are"},
      {npy<std::int16_t>("<i2", 2, {0, 32767, 7, 0}),
       "entries of 32,767, the greatest value of i2, are edges"},
      {npy<float>("<f4", 2, {0, 0, 7, 0}), "entries of 0 are edges of that weight"},
      {npy<std::int8_t>("|i1", 2, {0, -1, 7, 0}), "entries of -1 are edges of that weight"}};
  for (const auto& [bytes, words] : edges) {
    EXPECT_THAT(remarks(bytes), ElementsAre(HasSubstr(words)));
  }
  EXPECT_THAT(remarks(npy<std::uint16_t>("<u2", 2, {0, 32767, 7, 0})),
              ElementsAre("1 entry of 32,767, which means no path in u2, is not an edge"));
  EXPECT_THAT(remarks(npy<std::int32_t>("<i4", 2, {-1, 1073741823, 1073741823, 0})),
              ElementsAre("2 entries of 1,073,741,823, which means no path in i4, are not edges"));
  EXPECT_THAT(remarks(npy<std::uint16_t>("<u2", 2, {0, 5, 7, 0})), IsEmpty());
  EXPECT_THAT(remarks(npy<float>("<f4", 2, {0, kInfinity, 7, 0})), IsEmpty());
}

TEST(Numpy, FortranOrderIsTransposed) {
  std::string bytes = npy<float>("<f4", 2, {0, 1, 2, 0});
  const std::size_t at = bytes.find("False");
  bytes.replace(at, 5, "True ");
  EXPECT_EQ(describe(parse(bytes, "m.npy")), "directed 0-1:2 1-0:1");
}

TEST(Numpy, UndirectedNeedsASymmetricMatrix) {
  const ReadOptions undirected = {.directed = false};
  EXPECT_EQ(describe(parse(npy<float>("<f4", 2, {-1, 3, 3, 0}), "m.npy", undirected)),
            "undirected 0-0:-1 0-1:3");
  EXPECT_THAT(fails(npy<float>("<f4", 2, {0, 3, 4, 0}), undirected),
              HasSubstr("[0, 1] and [1, 0]"));
}

TEST(Numpy, NotANumberHasARowAndAColumn) {
  expect_failures([](const std::string& text) { return fails(text); },
                  {{npy<float>("<f4", 2, {0, 1, kNaN, 0}), "[1, 0] (row, column"},
                   {npy<float>("<f4", 2, {0, -kInfinity, 1, 0}), "[0, 1]"},
                   {npy<float>("<f4", 1, {kNaN}), "[0, 0]"}});
}

TEST(Numpy, ShapeAndBytesMustAgree) {
  expect_failures([](const std::string& text) { return fails(text); },
                  {{npy<float>("<f4", 2, {0, 1, 2}), "12 bytes of values"},
                   {npy<float>("<f4", 2, {0, 1, 2, 0, 0}), "20 bytes of values"},
                   {format_npy_header("<f4", 2, 3), "shape (2, 3) is not a graph"},
                   {format_npy_header("<f4", 3000000000, 3000000000), "0 bytes"}});
  EXPECT_EQ(parse(format_npy_header("<f4", 0, 0), "m.npy").vertex_count(), 0);
}

TEST(Numpy, WrittenMatricesHoldTheGraph) {
  const TemporaryFolder folder;
  const Graph graph = parse("# directed\n0 1 0\n1 2 -4\n2 0 3\n3 3 -1\n", "g.txt");
  write_graph(graph, folder / "m.npy");
  EXPECT_EQ(read_graph(folder / "m.npy").digest(), graph.digest());
  EXPECT_EQ(read_bytes(folder / "m.npy").size(), 128 + 16 * sizeof(float));

  const Graph fine = parse("0 1 0.1\n", "g.txt");
  write_graph(fine, folder / "m.npy.zst");
  EXPECT_EQ(read_graph(folder / "m.npy.zst", {.directed = false}).digest(), fine.digest());
}

TEST(Numpy, RefusesToWriteWhatAMatrixCannotHold) {
  const TemporaryFolder folder;
  for (const char* text : {"a b 1\n", "0 1 5\n0 1 6\n"}) {
    EXPECT_ERROR(usage, write_graph(parse(text, "g.txt"), folder / "m.npy")) << text;
  }
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace apsp::io::numpy_test
