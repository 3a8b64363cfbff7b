#include <gmock/gmock.h>

#include <cstring>
#include <limits>
#include <vector>

#include "io/npy_header.hpp"
#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;

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
  EXPECT_THAT(fails(npy<double>("<i8", 1, {0})), HasSubstr("values of type i8 are not read; f4"));
  EXPECT_THAT(fails(npy<double>("<i8", 1, {0})), HasSubstr("save it with .astype('<i4')"));
  EXPECT_THAT(fails(npy<double>("<U1", 1, {0})), HasSubstr("values of type U1 are not read"));
  EXPECT_THAT(fails(npy<double>(">f8", 1, {0})), HasSubstr("big-endian"));
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
  EXPECT_THAT(fails(npy<float>("<f4", 2, {0, 1, kNaN, 0})), HasSubstr("[1, 0] (row, column"));
  EXPECT_THAT(fails(npy<float>("<f4", 2, {0, -kInfinity, 1, 0})), HasSubstr("[0, 1]"));
  EXPECT_THAT(fails(npy<float>("<f4", 1, {kNaN})), HasSubstr("[0, 0]"));
}

TEST(Numpy, ShapeAndBytesMustAgree) {
  EXPECT_THAT(fails(npy<float>("<f4", 2, {0, 1, 2})), HasSubstr("12 bytes of values"));
  EXPECT_THAT(fails(npy<float>("<f4", 2, {0, 1, 2, 0, 0})), HasSubstr("20 bytes of values"));
  EXPECT_THAT(fails(format_npy_header("<f4", 2, 3)), HasSubstr("shape (2, 3) is no graph"));
  EXPECT_THAT(fails(format_npy_header("<f4", 3000000000, 3000000000)), HasSubstr("0 bytes"));
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
    const Error error = error_of([&] { write_graph(parse(text, "g.txt"), folder / "m.npy"); });
    EXPECT_EQ(error.kind(), ErrorKind::usage) << text;
    EXPECT_THAT(error.what(), HasSubstr(".mtx, .gr and .txt can"));
  }
  EXPECT_EQ(folder.entries(), 0);
}

}  // namespace
}  // namespace apsp::io
