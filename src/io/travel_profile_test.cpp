#include "io/travel_profile.hpp"

#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::travel_profile_test {
namespace {

using Tags = std::map<std::string, std::string>;

TagOf tag_in(const Tags& tags) {
  return [&tags](const char* key) {
    const auto found = tags.find(key);
    return found == tags.end() ? nullptr : found->second.c_str();
  };
}

/// Forward and backward.
std::pair<double, double> speeds(const char* profile, const Tags& tags) {
  const TravelSpeeds found = read_profile(profile, {}).speeds(tag_in(tags));
  return {found.forward, found.backward};
}

std::string restriction(const char* profile, Tags tags) {
  tags.emplace("restriction", "no_left_turn");
  return std::string(read_profile(profile, {}).restriction(tag_in(tags)));
}

TravelProfile parse_profile(const std::string& text) {
  return with_source({text}, "mine.profile", {}, {},
                     [](const Source& source) { return TravelProfile(source); });
}

using Pair = std::pair<double, double>;
constexpr Pair kClosed = {0, 0};

TEST(TravelProfile, ReadsPostedSpeeds) {
  const std::pair<const char*, double> known[] = {
      {"50", 50}, {"50 km/h", 50}, {"50km/h", 50}, {"30 mph", 48.28032}, {"walk", 6}, {"7.5", 7.5}};
  for (const auto& [text, kmh] : known) EXPECT_DOUBLE_EQ(speed_of_tag(text, 6), kmh) << text;
  for (const char* const text :
       {"", "none", "signals", "FI:urban", "50;30", "50 knots", "-5", "inf", "nan", "0"}) {
    EXPECT_EQ(speed_of_tag(text, 6), 0) << text;
  }
}

TEST(TravelProfile, SetsOrLowersSpeeds) {
  EXPECT_EQ(speeds("car", {{"highway", "residential"}}), Pair(30, 30));
  EXPECT_EQ(speeds("car", {{"highway", "residential"}, {"maxspeed", "40"}}), Pair(40, 40));
  EXPECT_EQ(speeds("car", {{"highway", "residential"}, {"maxspeed", "FI:urban"}}), Pair(30, 30));
  EXPECT_EQ(speeds("car", {{"highway", "primary"}, {"maxspeed:forward", "40"}}), Pair(40, 65));
  EXPECT_EQ(
      speeds("car", {{"highway", "primary"}, {"maxspeed", "80"}, {"maxspeed:backward", "60"}}),
      Pair(80, 60));
  EXPECT_EQ(speeds("bike", {{"highway", "primary"}, {"maxspeed", "80"}}), Pair(18, 18));
  EXPECT_EQ(speeds("bike", {{"highway", "primary"}, {"maxspeed", "10"}}), Pair(10, 10));
  EXPECT_EQ(speeds("foot", {{"highway", "primary"}, {"maxspeed", "3"}}), Pair(5, 5));
}

TEST(TravelProfile, OneWayStreetsHaveOneDirection) {
  const Tags street = {{"highway", "residential"}};
  const auto with = [&](Tags more) {
    more.merge(Tags(street));
    return more;
  };
  for (const char* const yes : {"yes", "true", "1"}) {
    EXPECT_EQ(speeds("car", with({{"oneway", yes}})), Pair(30, 0));
  }
  EXPECT_EQ(speeds("car", with({{"oneway", "-1"}})), Pair(0, 30));
  EXPECT_EQ(speeds("car", with({{"oneway", "no"}})), Pair(30, 30));
  EXPECT_EQ(speeds("car", with({{"oneway", "reversible"}})), kClosed);
  EXPECT_EQ(speeds("car", with({{"junction", "roundabout"}})), Pair(30, 0));
  EXPECT_EQ(speeds("car", with({{"junction", "circular"}, {"oneway", "no"}})), Pair(30, 30));
  EXPECT_EQ(speeds("car", with({{"oneway", "yes"}, {"oneway:bicycle", "no"}})), Pair(30, 0));
  EXPECT_EQ(speeds("car", {{"highway", "motorway"}}), Pair(110, 0));
  EXPECT_EQ(speeds("bike", with({{"oneway", "yes"}})), Pair(18, 0));
  EXPECT_EQ(speeds("bike", with({{"oneway", "yes"}, {"oneway:bicycle", "no"}})), Pair(18, 18));
  EXPECT_EQ(speeds("bike", with({{"oneway", "yes"}, {"cycleway", "opposite_lane"}})), Pair(18, 18));
  EXPECT_EQ(speeds("bike", with({{"oneway", "yes"}, {"cycleway:left", "opposite"}})), Pair(18, 18));
  EXPECT_EQ(speeds("bike", with({{"oneway", "yes"}, {"cycleway", "lane"}})), Pair(18, 0));
  EXPECT_EQ(speeds("foot", with({{"oneway", "yes"}, {"junction", "roundabout"}})), Pair(5, 5));
  EXPECT_TRUE(read_profile("car", {})
                  .speeds(tag_in({{"highway", "primary"}, {"oneway", "reversible"}}))
                  .reversible);
}

TEST(TravelProfile, TheMostSpecialTagOfAccessDecides) {
  EXPECT_EQ(speeds("car", {{"highway", "footway"}}), kClosed);
  EXPECT_EQ(speeds("car", {{"highway", "proposed"}}), kClosed);
  EXPECT_EQ(speeds("car", {}), kClosed);
  EXPECT_EQ(speeds("car", {{"highway", "service"}, {"access", "private"}}), kClosed);
  EXPECT_EQ(speeds("car", {{"highway", "service"}, {"access", "destination"}}), Pair(15, 15));
  EXPECT_EQ(speeds("car", {{"highway", "service"}, {"access", "no"}, {"vehicle", "yes"}}),
            Pair(15, 15));
  EXPECT_EQ(speeds("car", {{"highway", "service"}, {"motorcar", "no"}, {"access", "yes"}}),
            kClosed);
  EXPECT_EQ(speeds("foot", {{"highway", "service"}, {"vehicle", "no"}}), Pair(5, 5));
  EXPECT_EQ(speeds("foot", {{"highway", "pedestrian"}, {"area", "yes"}}), kClosed);
  EXPECT_EQ(speeds("bike", {{"highway", "footway"}}), kClosed);
  EXPECT_EQ(speeds("bike", {{"highway", "footway"}, {"access", "yes"}}), kClosed);
  EXPECT_EQ(speeds("bike", {{"highway", "footway"}, {"bicycle", "yes"}}), Pair(6, 6));
  EXPECT_EQ(speeds("bike", {{"highway", "footway"}, {"bicycle", "dismount"}}), kClosed);
  EXPECT_EQ(speeds("bike", {{"highway", "footway"}, {"access", "no"}, {"bicycle", "yes"}}),
            Pair(6, 6));
}

TEST(TravelProfile, ObeysRestrictions) {
  EXPECT_EQ(restriction("car", {}), "no_left_turn");
  EXPECT_EQ(restriction("bike", {}), "no_left_turn");
  EXPECT_EQ(restriction("foot", {}), "");
  EXPECT_EQ(restriction("bike", {{"except", "bus; bicycle"}}), "");
  EXPECT_EQ(restriction("car", {{"except", "bus;bicycle"}}), "no_left_turn");
  EXPECT_EQ(restriction("car", {{"restriction:motorcar", "only_straight_on"}}), "only_straight_on");
  EXPECT_EQ(restriction("bike", {{"restriction:motorcar", "only_straight_on"}}), "no_left_turn");
}

TEST(TravelProfile, IsReadFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder / "mine.profile";
  std::ofstream(path)
      << "# mine\r\nspeed path 4 # slow\n\nmaxspeed limit\nwalk 3\naccess access foot\ndeny no\n";
  EXPECT_EQ(speeds(path.c_str(), {{"highway", "path"}, {"maxspeed", "walk"}}), Pair(3, 3));
  EXPECT_EQ(speeds(path.c_str(), {{"highway", "path"}, {"foot", "no"}}), kClosed);
  EXPECT_ERROR(usage, read_profile("lorry", {}));
}

TEST(TravelProfile, ErrorsNameTheLine) {
  const auto fails = [](const std::string& text) {
    const Error error = error_of([&] { parse_profile(text); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return std::string(error.what());
  };
  expect_failures(fails, {{"speed path\n", ":1:7: "},
                          {"speed\n", ":1:1: "},
                          {"speed path fast\n", ":1:12: "},
                          {"speed path 0\n", ":1:12: "},
                          {"speed path -4\n", ":1:12: "},
                          {"speed path 4km/h\n", ":1:12: "},
                          {"speed path 4 perhaps\n", ":1:14: "},
                          {"\nmaxspeed maybe\n", ":2:1: "},
                          {"maxspeed\n", ":1:1: "},
                          {"walk slowly\n", ":1:6: "},
                          {"walk 3 4\n", ":1:8: "},
                          {"speed path 4\ndenied no\n", ":2:1: "},
                          {"# nothing\n", "mine.profile"}});
}

}  // namespace
}  // namespace apsp::io::travel_profile_test
