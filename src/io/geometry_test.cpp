#include "io/geometry.hpp"
#include "support/test.hpp"

namespace apsp::io::geometry_test {
namespace {

const Geometry kPoint{{{{1.5, -2}}}};
const Geometry kLine{{{{0, 1}, {2, 3}}}};
const Geometry kLines{{{{0, 1}, {2, 3}}, {{4, 5}, {6, 7}}}, true};

TEST(Geometry, IsGeoJson) {
  EXPECT_EQ(geojson_of(kPoint), R"({"type": "Point", "coordinates": [1.5, -2]})");
  EXPECT_EQ(geojson_of(kLine), R"({"type": "LineString", "coordinates": [[0, 1], [2, 3]]})");
  EXPECT_EQ(geojson_of(kLines),
            R"({"type": "MultiLineString", "coordinates": [[[0, 1], [2, 3]], [[4, 5], [6, 7]]]})");
  EXPECT_EQ(geojson_of({{}, true}), R"({"type": "MultiLineString", "coordinates": []})");
}

TEST(Geometry, IsWkt) {
  EXPECT_EQ(wkt_of(kPoint), "POINT (1.5 -2)");
  EXPECT_EQ(wkt_of(kLine), "LINESTRING (0 1, 2 3)");
  EXPECT_EQ(wkt_of(kLines), "MULTILINESTRING ((0 1, 2 3), (4 5, 6 7))");
  EXPECT_EQ(wkt_of({{}, true}), "MULTILINESTRING EMPTY");
}

TEST(Geometry, IsReadBackFromWkbButForSeveralLines) {
  for (const Geometry* const geometry : {&kPoint, &kLine}) {
    const auto found = geometry_of_wkb(wkb_of(*geometry));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->lines, geometry->lines);
  }
  EXPECT_FALSE(geometry_of_wkb(wkb_of(kLines)));
}

TEST(Geometry, OfDamagedWkbIsNone) {
  const std::string line = wkb_of(kLine);
  for (std::size_t size = 0; size < line.size(); ++size) {
    EXPECT_FALSE(geometry_of_wkb(std::string_view(line).substr(0, size))) << size;
  }
  EXPECT_FALSE(geometry_of_wkb(line + '\0'));
  for (const std::size_t at : {0, 1, 4, 5, 8}) {  // order, type, count
    std::string bad = line;
    bad[at] = '\x7F';
    EXPECT_FALSE(geometry_of_wkb(bad)) << at;
  }
}

}  // namespace
}  // namespace apsp::io::geometry_test
