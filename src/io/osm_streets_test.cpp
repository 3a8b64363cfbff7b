// Extracts are written by libosmium from its text format (OPL): an object a line.
#include "io/osm_streets.hpp"

#include "io/street_lines.hpp"
#include "io/vertex_lists.hpp"
#include "support/graph_text.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

#ifdef APSP_WITH_OSMIUM
#include <osmium/io/opl_input.hpp>
#include <osmium/io/pbf_output.hpp>
#endif

namespace apsp::io::osm_streets_test {
namespace {

#ifdef APSP_WITH_OSMIUM

std::string bytes_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The bytes of an extract, or of a history.
std::string extract_of(const std::string& opl, bool history = false) {
  const TemporaryFolder folder;
  const std::string path = folder / "made.osm.pbf";
  osmium::io::Reader reader(osmium::io::File(opl.data(), opl.size(), "opl"));
  osmium::io::File file(path);
  file.set_has_multiple_object_versions(history);
  osmium::io::Writer writer(file);
  while (osmium::memory::Buffer buffer = reader.read()) writer(std::move(buffer));
  writer.close();
  return bytes_of(path);
}

/// Nodes 1 … `count` in a row, a hundredth of a degree apart, northwards.
std::string nodes(int count) {
  std::string opl;
  for (int i = 1; i <= count; ++i)
    opl += "n" + std::to_string(i) + " x25 y60." + (i < 10 ? "0" : "") + std::to_string(i) + "\n";
  return opl;
}

std::string way(int id, const std::string& refs, const std::string& tags = "highway=residential") {
  return "w" + std::to_string(id) + " T" + tags + " N" + refs + "\n";
}

ReadOptions options_of(const std::string& profile, bool all = true) {
  ReadOptions options{.profile = profile, .all_streets = all};
  return options;
}

StreetNetwork network_of(const std::string& opl, const ReadOptions& options) {
  const TemporaryFolder folder;
  const std::string path = folder / "made.osm.pbf";
  write_bytes(path, extract_of(opl));
  return read_street_network(path, options);
}

/// "1>2 2>1": arcs by names, in the order of their ends.
std::string arcs_of(const Graph& graph) {
  std::string text;
  graph.visit_all([&](Vertex u, Vertex v, double) {
    text += (text.empty() ? "" : " ") + graph.name(u) + ">" + graph.name(v);
  });
  return text;
}

std::string turns_of(const StreetNetwork& network) {
  std::string text;
  for (const Turn& turn : network.forbidden) {
    EXPECT_EQ(turn.cost, std::numeric_limits<double>::infinity());
    text += (text.empty() ? "" : " ") + network.graph.name(turn.from) + ">" +
            network.graph.name(turn.via) + ">" + network.graph.name(turn.to);
  }
  return text;
}

std::string remarks_of(const Graph& graph) {
  std::string text;
  for (const std::string& remark : graph.remarks()) text += remark + "\n";
  return text;
}

constexpr double kHundredth = 6371008.8 * 0.01 * M_PI / 180;  // metres of 0.01° northwards

TEST(OsmStreets, AreCutWhereWaysMeet) {
  const StreetNetwork network =
      network_of(nodes(6) + way(1, "n1,n2,n3,n4") + way(2, "n5,n3,n6"), options_of("car"));
  EXPECT_EQ(arcs_of(network.graph), "1>3 3>1 3>4 3>5 3>6 4>3 5>3 6>3");
  ASSERT_EQ(network.streets.size(), 4);
  EXPECT_NEAR(network.streets[0].metres, 2 * kHundredth, 1e-6);
  EXPECT_EQ(network.streets[0].count, 3);
  const Vertex one = *network.graph.find("1"), three = *network.graph.find("3");
  EXPECT_NEAR(network.at.y[three], 60.03, 1e-12);
  EXPECT_NEAR(network.at.x[one], 25, 1e-12);
  network.graph.for_each_arc_between(
      one, three, [&](double seconds) { EXPECT_NEAR(seconds, 2 * kHundredth / (30 / 3.6), 1e-6); });
  EXPECT_EQ(remarks_of(network.graph), "");
}

TEST(OsmStreets, AreCutWhereAWayMeetsItself) {
  EXPECT_EQ(arcs_of(network_of(nodes(5) + way(1, "n1,n2,n3,n4,n2,n5"), options_of("car")).graph),
            "1>2 2>1 2>2 2>2 2>5 5>2");
  EXPECT_EQ(
      arcs_of(network_of(nodes(4) + way(1, "n1,n2,n3,n1") + way(2, "n2,n2,n4"), options_of("car"))
                  .graph),
      "1>2 1>2 2>1 2>1 2>4 4>2");
}

TEST(OsmStreets, HaveDirectionsAndSpeeds) {
  ReadOptions metres = options_of("car");
  metres.weight = "metres";
  const Graph graph =
      network_of(nodes(3) + way(1, "n1,n2", "highway=primary,oneway=yes,maxspeed=36") +
                     way(2, "n2,n3", "highway=primary,oneway=-1") +
                     way(3, "n1,n3", "highway=footway") +
                     way(4, "n1,n3", "highway=primary,oneway=reversible"),
                 metres)
          .graph;
  EXPECT_EQ(arcs_of(graph), "1>2 3>2");
  graph.visit_all([](Vertex, Vertex, double weight) { EXPECT_NEAR(weight, kHundredth, 1e-6); });
  EXPECT_THAT(remarks_of(graph), testing::HasSubstr("1 way whose direction changes"));
}

TEST(OsmStreets, KeepTheLargestStrongComponent) {
  const std::string opl = nodes(8) + way(1, "n1,n2") + way(2, "n2,n3") + way(3, "n5,n6") +
                          way(4, "n3,n4", "highway=primary,oneway=yes");
  const StreetNetwork largest = network_of(opl, options_of("car", false));
  EXPECT_EQ(arcs_of(largest.graph), "1>2 2>1 2>3 3>2");
  EXPECT_EQ(largest.streets.size(), 2);
  EXPECT_THAT(remarks_of(largest.graph), testing::HasSubstr("3 of 6 crossings"));
  EXPECT_EQ(arcs_of(network_of(opl, options_of("car")).graph), "1>2 2>1 2>3 3>2 3>4 5>6 6>5");
}

TEST(OsmStreets, EndWhereNodesAreMissing) {
  const StreetNetwork network = network_of(
      "n1 x25 y60\nn2 x25 y60.01\nn4 x25 y60.03\nn5 x25 y60.04\n" + way(1, "n1,n2,n3,n4,n5,n6"),
      options_of("foot"));
  EXPECT_EQ(arcs_of(network.graph), "1>2 2>1 4>5 5>4");
  EXPECT_THAT(remarks_of(network.graph), testing::HasSubstr("lacks 2 nodes"));
}

/// A crossing 5 of four streets to 1, 2, 3 and 4 with these restrictions.
StreetNetwork crossing(const std::string& relations, const std::string& profile = "car") {
  return network_of("n1 x25 y60.1\nn2 x25.1 y60\nn3 x25 y59.9\nn4 x24.9 y60\nn5 x25 y60\n" +
                        way(1, "n1,n5") + way(2, "n5,n2") + way(3, "n3,n5") + way(4, "n4,n5") +
                        relations,
                    options_of(profile));
}

TEST(OsmStreets, ForbidTurns) {
  const std::string left = "r1 Ttype=restriction,restriction=no_left_turn";
  EXPECT_EQ(turns_of(crossing(left + " Mw1@from,n5@via,w2@to\n")), "1>5>2");
  EXPECT_EQ(turns_of(crossing(left + " Mw1@from,n5@via,w2@to\n", "foot")), "");
  EXPECT_EQ(turns_of(crossing(left + ",except=bicycle Mw1@from,n5@via,w2@to\n", "bike")), "");
  EXPECT_EQ(turns_of(crossing("r1 Ttype=restriction,restriction=only_straight_on "
                              "Mw1@from,n5@via,w3@to\n")),
            "1>5>1 1>5>2 1>5>4");
  EXPECT_EQ(turns_of(crossing("r1 Ttype=restriction,restriction=no_u_turn "
                              "Mw1@from,n5@via,w1@to\n")),
            "1>5>1");
  EXPECT_EQ(
      turns_of(crossing("r1 Ttype=restriction,restriction=no_exit "
                        "Mw1@from,n5@via,w2@to,w3@to\nr2 "
                        "Ttype=restriction,restriction=no_right_turn Mw1@from,n5@via,w2@to\n")),
      "1>5>2 1>5>3");
}

TEST(OsmStreets, CountRestrictionsThatNoTableHolds) {
  const std::pair<const char*, const char*> cases[] = {
      {"r1 Ttype=restriction,restriction=no_left_turn Mw1@from,w3@via,w2@to\n",
       "1 by way of other ways, 0 without"},
      {"r1 Ttype=restriction,restriction=no_left_turn Mw1@from,w2@to\n",
       "0 by way of other ways, 1 without"},
      {"r1 Ttype=restriction,restriction=only_left_turn Mw1@from,n5@via,w2@to,w3@to\n",
       "0 by way of other ways, 1 without"}};
  for (const auto& [relation, words] : cases) {
    const StreetNetwork network = crossing(relation);
    EXPECT_EQ(turns_of(network), "");
    EXPECT_THAT(remarks_of(network.graph), testing::HasSubstr(words));
  }
  const StreetNetwork through =
      network_of(nodes(4) + way(1, "n1,n2,n3") + way(2, "n2,n4") +
                     "r1 Ttype=restriction,restriction=no_left_turn Mw1@from,n2@via,w2@to\n",
                 options_of("car"));
  EXPECT_EQ(turns_of(through), "");
  EXPECT_THAT(remarks_of(through.graph), testing::HasSubstr("1 without"));
  for (const char* const other :
       {"r1 Ttype=restriction,restriction=no_left_turn Mw7@from,n5@via,w2@to\n",
        "r1 Ttype=restriction,restriction=no_left_turn Mw1@from,n9@via,w2@to\n",
        "r1 Ttype=restriction,restriction=stop Mw1@from,n5@via,w2@to\n",
        "r1 Ttype=route,restriction=no_left_turn Mw1@from,n5@via,w2@to\n"}) {
    EXPECT_EQ(turns_of(crossing(other)), "");
    EXPECT_EQ(remarks_of(crossing(other).graph), "");
  }
}

TEST(OsmStreets, TablesAreReadAsTheNetwork) {
  const TemporaryFolder folder;
  const StreetNetwork network =
      network_of(nodes(6) + way(1, "n1,n2,n3", "highway=primary,name=A%20%%2c%%20%B,maxspeed=70") +
                     way(2, "n5,n3,n6", "highway=primary,oneway=yes"),
                 options_of("car"));
  for (const char* const name : {"roads.csv", "roads.parquet", "roads.csv.gz"}) {
    const std::string path = folder / name;
    write_streets(network, path, {});
    const Graph again = read_graph(path, {.weight = "seconds"});
    EXPECT_TRUE(again.directed()) << name;
    EXPECT_EQ(again.digest(), network.graph.digest()) << name;
    EXPECT_ERROR(input, read_graph(path));  // seconds or metres
    const Coordinates at = read_coordinates(path, again);
    EXPECT_EQ(at.x, network.at.x);
    EXPECT_EQ(at.y, network.at.y);
    EXPECT_TRUE(at.degrees);
    const StreetLines lines = read_street_lines(path, again, {});
    const auto line = lines.between(*again.find("3"), *again.find("1"));
    ASSERT_EQ(line.size(), 3) << name;
    EXPECT_EQ(line[1].second, network.nodes_at.y[network.nodes[1]]);
    EXPECT_EQ(line[0].second, at.y[*again.find("3")]);
  }
  EXPECT_THAT(bytes_of(folder / "roads.csv"), testing::HasSubstr("\"A , B\""));
}

TEST(OsmStreets, ForbiddenTurnsAreReadAsTurns) {
  const TemporaryFolder folder;
  const StreetNetwork network =
      crossing("r1 Ttype=restriction,restriction=only_straight_on Mw1@from,n5@via,w3@to\n");
  write_forbidden_turns(network, folder / "turns.csv", {});
  const std::vector<Turn> turns = read_turns(folder / "turns.csv", network.graph);
  ASSERT_EQ(turns.size(), 3);
  EXPECT_EQ(with_turns(network.graph, {.turns = turns}).vertex_count() > 5, true);
}

TEST(OsmStreets, AreAGraphsFile) {
  const std::string bytes =
      extract_of(nodes(3) + way(1, "n1,n2,n3") +
                 "r1 Ttype=restriction,restriction=no_u_turn Mw1@from,n3@via,w1@to\n");
  const Graph graph = parse_graph(bytes, "city.osm.pbf", options_of("foot"));
  EXPECT_EQ(arcs_of(graph), "1>3 3>1");
  EXPECT_THAT(remarks_of(parse_graph(bytes, "city.osm.pbf", options_of("car"))),
              testing::HasSubstr("1 turn is not forbidden"));
  const Coordinates at = parse_coordinates(bytes, "city.osm.pbf", graph);
  EXPECT_NEAR(at.y[1], 60.03, 1e-9);
  EXPECT_ERROR(input,
               parse_coordinates(bytes, "city.osm.pbf",
                                 parse_graph(std::string("1 9\n"), "edges.txt")));  // no node 9
  EXPECT_ERROR(input, parse_coordinates(bytes, "city.osm.pbf",
                                        parse_graph(std::string("1 A\n"), "edges.txt")));
}

TEST(OsmStreets, ErrorsNameTheirCause) {
  const std::string good = extract_of(nodes(3) + way(1, "n1,n2,n3"));
  const auto read = [](const std::string& bytes, const ReadOptions& options) {
    return parse_graph(bytes, "city.osm.pbf", options);
  };
  ReadOptions weight = options_of("car"), undirected = options_of("car"),
              columns = options_of("car");
  weight.weight = "minutes";
  undirected.directed = false;
  columns.columns = EdgeListColumns{};
  EXPECT_ERROR(usage, read(good, {}));
  EXPECT_ERROR(usage, read(good, options_of("lorry")));
  EXPECT_ERROR(usage, read(good, weight));
  EXPECT_ERROR(usage, read(good, undirected));
  EXPECT_ERROR(usage, read(good, columns));
  EXPECT_ERROR(usage, parse_graph(std::string("1 2\n"), "edges.txt", options_of("car")));
  const auto fails = [&](const std::string& bytes) {
    const Error error = error_of([&] { read(bytes, options_of("car")); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return std::string(error.what());
  };
  expect_failures(fails, {{extract_of(nodes(3)), "no street"},
                          {extract_of(way(1, "n1,n2,n3")), "no street"},
                          {extract_of(nodes(2) + way(1, "n1,n2", "highway=footway")), "no street"},
                          {extract_of(nodes(3) + way(1, "n1,n2"), true), "history"}});
  for (std::size_t size = 20; size < good.size(); size += 7) {
    EXPECT_THAT(fails(good.substr(0, size)), testing::HasSubstr("city.osm.pbf"));
  }
  for (std::size_t at = 0; at < good.size(); ++at) {  // an error, or another network
    std::string damaged = good;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x41);
    try {
      read(damaged, options_of("car"));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
    }
  }
}

#else

TEST(OsmStreets, NeedLibosmium) {
  const std::string bytes = std::string("\0\0\0\x0e\n\x09OSMHeader  ", 17);
  EXPECT_ERROR(input, parse_graph(bytes, "city.osm.pbf", {.profile = "car"}));
}

#endif

}  // namespace
}  // namespace apsp::io::osm_streets_test
