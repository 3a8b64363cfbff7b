#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string kGeneral = "%%MatrixMarket matrix coordinate real general\n";
const std::string kSymmetric = "%%MatrixMarket matrix coordinate real symmetric\n";
const std::string kArray = "%%MatrixMarket matrix array real general\n";

std::string text_of(const std::string& text, const ReadOptions& options = {}) {
  return describe(parse(text, "m.mtx", options));
}
std::string fails(const std::string& text) { return failure(text, "m.mtx"); }

TEST(MatrixMarket, GeneralIsDirectedAndCountsFromOne) {
  const Graph graph =
      parse(kGeneral + "% words\n\n3 3 4\n1 2 5\n2 1 -0.5\n1 2 4\n3 3 0\n", "m.mtx");
  EXPECT_EQ(describe(graph), "directed 0-1:4 0-1:5 1-0:-0.5 2-2:0");
  EXPECT_EQ(names(graph), "1 2 3");
  EXPECT_EQ(graph.loop_count(), 1);
}

TEST(MatrixMarket, SymmetricIsUndirected) {
  const std::string text = kSymmetric + "3 3 3\n2 1 5\n3 1 6\n3 3 1\n";
  EXPECT_EQ(text_of(text), "undirected 0-1:5 0-2:6 2-2:1");
  EXPECT_EQ(text_of(text, {.directed = true}), "directed 0-1:5 0-2:6 1-0:5 2-0:6 2-2:1");
  EXPECT_EQ(text_of(kGeneral + "2 2 2\n1 2 5\n2 1 5\n", {.directed = false}),
            "undirected 0-1:5 0-1:5");
}

TEST(MatrixMarket, BannerInAnyCaseWithAnyBlanks) {
  EXPECT_EQ(text_of("%%MATRIXmarket  Matrix\tCOORDINATE Pattern GENERAL\r\n2 2 1\r\n 1\t2 \r\n"),
            "directed 0-1:1");
  EXPECT_EQ(text_of("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 -7"),
            "directed 0-1:-7");
  EXPECT_EQ(text_of("\xEF\xBB\xBF" + kGeneral + "1 1 0\n"), "directed");
}

TEST(MatrixMarket, ArraysGoColumnByColumn) {
  EXPECT_EQ(text_of(kArray + "2 2\n0\n3\n0\n7\n"), "directed 0-1:0 1-0:3");
  EXPECT_EQ(text_of(kArray + "2 2\n-1\n3\n2\n-2\n"), "directed 0-0:-1 0-1:2 1-0:3 1-1:-2");
  EXPECT_EQ(text_of("%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n2\n0\n3\n0\n"),
            "undirected 0-1:1 0-2:2 1-2:3");
  EXPECT_EQ(text_of(kArray + "0 0\n"), "directed");
}

TEST(MatrixMarket, RefusesBannersItCannotMean) {
  EXPECT_THAT(fails("1 2\n"), StartsWith("m.mtx:1:1: a Matrix Market file begins with"));
  const auto banner = [](const char* words) {
    return "%%MatrixMarket " + std::string(words) + "\n1 1 0\n";
  };
  EXPECT_THAT(fails(banner("vector coordinate real general")), StartsWith("m.mtx:1:16: expected"));
  EXPECT_THAT(fails(banner("matrix sparse real general")), StartsWith("m.mtx:1:23: expected"));
  EXPECT_THAT(fails(banner("matrix coordinate complex general")),
              StartsWith("m.mtx:1:34: complex"));
  EXPECT_THAT(fails(banner("matrix coordinate quaternion general")), StartsWith("m.mtx:1:34: "));
  EXPECT_THAT(fails(banner("matrix coordinate real skew-symmetric")),
              StartsWith("m.mtx:1:39: a skew-symmetric"));
  EXPECT_THAT(fails(banner("matrix coordinate real hermitian")), HasSubstr("hermitian"));
  EXPECT_THAT(fails(banner("matrix coordinate real odd")), StartsWith("m.mtx:1:39: expected"));
  EXPECT_THAT(fails(banner("matrix array pattern general")), StartsWith("m.mtx:1:29: an array"));
  EXPECT_THAT(fails(banner("matrix coordinate real general extra")),
              StartsWith("m.mtx:1:47: expected the end of the line"));
}

TEST(MatrixMarket, RefusesWrongSizes) {
  EXPECT_THAT(fails(kGeneral), StartsWith("m.mtx:1:46: the size line is missing"));
  EXPECT_THAT(fails(kGeneral + "2 3 0\n"), StartsWith("m.mtx:2:1: a matrix of 2 rows and 3"));
  EXPECT_THAT(fails(kArray + "9 2\n"), HasSubstr("`coordinates`"));
  EXPECT_THAT(fails(kGeneral + "2 2\n"), StartsWith("m.mtx:2:4: expected the number of entries"));
  EXPECT_THAT(fails(kGeneral + "-2 2 1\n"), StartsWith("m.mtx:2:1: expected the number of vert"));
  EXPECT_THAT(fails(kGeneral + "2 2 9223372036854775808\n1 2 3\n"),
              StartsWith("m.mtx:2:5: the nu"));
  EXPECT_THAT(fails(kGeneral + "2 2 2\n1 2 3\n\n"), StartsWith("m.mtx:3:6: the file ends after 1"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 3\n2 1 3\n"), StartsWith("m.mtx:4:1: one entry more"));
  EXPECT_THAT(fails(kArray + "2 2\n1\n2\n3\n"), StartsWith("m.mtx:5:2: the file ends before"));
  EXPECT_THAT(fails(kArray + "1 1\n1\n2\n"), StartsWith("m.mtx:4:1: one entry more"));
}

TEST(MatrixMarket, AHeaderAloneGetsNoMemory) {
  EXPECT_THAT(fails(kGeneral + "1000000000 1000000000 1\n1 1 1\n"),
              StartsWith("m.mtx:2:1: the file announces 1000000000 vertices and has only"));
  EXPECT_THAT(fails(kGeneral + "4294967296 4294967296 1\n"), HasSubstr("at most 4294967295"));
  EXPECT_THAT(fails(kGeneral + "9 9 1000000000000000000\n"), HasSubstr("ends after 0"));
  EXPECT_EQ(parse(kGeneral + "1000000 1000000 0\n", "m.mtx").vertex_count(), 1000000);
  EXPECT_THAT(fails(kArray + "1000000 1000000\n1\n"), StartsWith("m.mtx:3:2: the file ends"));
}

TEST(MatrixMarket, RefusesWrongEntries) {
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 3 5\n"), StartsWith("m.mtx:3:3: vertex '3' is outside 1"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n0 1 5\n"), StartsWith("m.mtx:3:1: vertex '0' is outside"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 x 5\n"), StartsWith("m.mtx:3:3: expected a vertex"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 99999999999999999999 5\n"), StartsWith("m.mtx:3:3: "));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2\n"), StartsWith("m.mtx:3:4: expected a weight"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 inf\n"), StartsWith("m.mtx:3:5: the weight 'inf'"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 nan\n"), HasSubstr("is not finite"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 1e999\n"), HasSubstr("does not fit"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 9007199254740993\n"), HasSubstr("beyond 2^53"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 3x\n"), StartsWith("m.mtx:3:5: the weight '3x' is no"));
  EXPECT_THAT(fails(kGeneral + "2 2 1\n1 2 3 4\n"), StartsWith("m.mtx:3:7: expected the end"));
  EXPECT_THAT(fails(kSymmetric + "2 2 1\n1 2 3\n"), StartsWith("m.mtx:3:1: entry (1, 2) of a sym"));
  EXPECT_THAT(fails("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 1.5\n"),
              StartsWith("m.mtx:3:5: 1.5 in a file of integers"));
}

class Coordinates : public testing::Test {
 protected:
  Graph read(const std::string& graph, const std::string& array) {
    write_bytes(folder_ / "xy.mtx", kArray + array);
    return parse(graph, "g.txt", {.coordinates = folder_ / "xy.mtx"});
  }
  std::string message(const std::string& array) {
    const Error error = error_of([&] { read("0 1\n", array); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return std::string(error.what()).substr(folder_.path().size() + 1);
  }
  TemporaryFolder folder_;
};

TEST_F(Coordinates, GiveGreatCircleLengths) {
  // A degree of the equator, a degree of a meridian, and half the way round the Earth.
  const double degree = 6371008.8 * 3.14159265358979323846 / 180;
  const Graph graph = read("0 1 9\n1 2 9\n0 3 9\n2 2 9\n", "4 2\n0\n1\n1\n180\n0\n0\n1\n0\n");
  EXPECT_FALSE(graph.directed());
  EXPECT_NEAR(graph.weights(0)[0], degree, 1e-6);
  EXPECT_NEAR(graph.weights(0)[1], 180 * degree, 1e-3);
  EXPECT_NEAR(graph.weights(2)[0], degree, 1e-6);
  EXPECT_EQ(graph.weights(2)[1], 0);
}

TEST_F(Coordinates, KeepDirectionAndLabels) {
  const Graph graph = read("# directed\nRome Oslo\n", "2 2\n12.5\n10.75\n41.9\n59.9\n");
  EXPECT_TRUE(graph.directed());
  EXPECT_EQ(names(graph), "Rome Oslo");
  EXPECT_NEAR(graph.weights()[0], 2005e3, 10e3);
}

TEST_F(Coordinates, MustBeOneAVertexInDegrees) {
  EXPECT_THAT(message("3 2\n0\n0\n0\n0\n0\n0\n"), StartsWith("xy.mtx: 3 coordinates for 2"));
  EXPECT_THAT(message("2 3\n0\n0\n0\n0\n0\n0\n"), StartsWith("xy.mtx:2:1: coordinates are a"));
  EXPECT_THAT(message("2 2\n0\n0\n0\n91\n"), StartsWith("xy.mtx:6:3: 91 degrees of latitude"));
  EXPECT_THAT(message("2 2\n361\n0\n0\n1\n"), StartsWith("xy.mtx:3:4: 361 degrees of longitude"));
}

}  // namespace
}  // namespace apsp::io
