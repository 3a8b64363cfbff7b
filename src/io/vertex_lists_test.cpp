// Lists of vertices, pairs, weights, changes, quantities and places, and errors in them.
#include "io/vertex_lists.hpp"

#include "io/npy.hpp"
#include "support/graph_of.hpp"
#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::vertex_lists_test {
namespace {

using Names = std::vector<std::string>;

Graph named() {
  return parse("Aachen,Bonn,30\nBonn,\"Köln, Deutz\",20\nBad Ems,source,1\nfrom,to,1\n", "g.csv",
               {.format = GraphFormat::edge_list, .columns = EdgeListColumns{1, 2, 3}});
}

/// A graph of 5 vertices, numbered from 0.
Graph five() { return graph_of(5, {{0, 1, 1}}); }

/// read(path) of a file with this text.
template <class Read>
auto of_file(const std::string& bytes, const Read& read) {
  const TemporaryFolder folder;
  write_bytes(folder / "list", bytes);
  return read(folder / "list");
}

/// The message of the input error of read(path).
template <class Read>
std::string fault(const std::string& bytes, const Read& read) {
  const Error error = error_of([&] { of_file(bytes, read); });
  EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
  return error.what();
}

/// "line:column" of the input error of read(path).
template <class Read>
std::string place_of_fault(const std::string& bytes, const Read& read) {
  const Error error = error_of([&] { of_file(bytes, read); });
  EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
  return fmt::format("{}:{}", error.location().line, error.location().column);
}

Names vertices_in(const std::string& text, const Graph& graph, const ListReading& reading = {}) {
  Names names;
  const auto read = [&](const std::string& path) { return read_vertices(path, graph, reading); };
  for (const Vertex v : of_file(text, read)) names.push_back(graph.name(v));
  return names;
}

TEST(VertexList, IsAVertexALineInItsOrder) {
  for (const char* const text :
       {"4\n0\n3\n", "4\r\n0\r\n\r\n3", "# some\nnode\n 4 \n% more\n0\n\n3\n", "4,9\n0,8\n3,7\n",
        "source,target\n4,9\n0,8\n3,7\n", "4 a\n0\tb\n3\n"}) {
    EXPECT_EQ(vertices_in(text, five()), (Names{"4", "0", "3"})) << text;
  }
}

TEST(VertexList, NamesVerticesAsTheGraphDoes) {
  EXPECT_EQ(vertices_in("Bad Ems\n\"Köln, Deutz\"\nAachen\n", named()),
            (Names{"Bad Ems", "Köln, Deutz", "Aachen"}));
  // A title that is also a vertex is a vertex.
  EXPECT_EQ(vertices_in("source\nBonn\n", named()), (Names{"source", "Bonn"}));
  EXPECT_EQ(vertices_in("K\xF6ln, Deutz\n", named(), {.encoding = "latin1"}), Names{"Köln, Deutz"});
  GraphBuilder builder(2, true);
  builder.set_labels({"the bridge \"at the old mill\"", "a"});
  EXPECT_EQ(vertices_in("a\n\"the bridge \"\"at the old mill\"\"\"\n", std::move(builder).build()),
            (Names{"a", "the bridge \"at the old mill\""}));
}

TEST(VertexList, NumbersMayHaveAPointAndRowsMayBeEmpty) {
  const Graph graph = parse("1 2\n2 100000\n", "e.txt");
  EXPECT_EQ(vertices_in("1.0\n,,\n2.00\n1e5\n", graph), (Names{"1", "2", "100000"}));
  const Graph signs = parse("a ;\na b\nb c\nb sep=;\n", "e.txt");
  EXPECT_EQ(vertices_in("a\n;\nsep=;\n", signs), (Names{"a", ";", "sep=;"}));
  const auto unknown = [](const std::string& text, const Graph& of) {
    return fault(text, [&](const std::string& path) { return read_vertices(path, of); });
  };
  EXPECT_THAT(unknown("1.5\n", graph), HasSubstr("unknown vertex '1.5'"));
  const Graph texts = parse("a 7\n7 b\n", "e.txt");
  EXPECT_EQ(vertices_in("7.0\n", texts), Names{"7"});
  EXPECT_THAT(unknown("007\n", texts), HasSubstr("unknown vertex '007'"));
}

TEST(VertexList, ErrorsSayWhere) {
  const auto read = [](const std::string& path) { return read_vertices(path, named()); };
  expect_failures(
      [&](const std::string& text) { return fault(text, read); },
      {{"# towns\nBonn\n  Trier\n", ":3:3: unknown vertex 'Trier'; vertices are Aachen"},
       {"Bonn\n\"Ko\xCC\x88ln, Deutz\"\n", "Ko\xCC\x88ln, Deutz'; 'Köln, Deutz' looks alike"},
       {"Bonn Aachen\n", ":1:6: 'Aachen' is a second vertex on its row"},
       {"# none\n", "no vertex is listed"},
       {"", "the file is empty"}});
  EXPECT_EQ(error_of([&] { read("/nowhere/at/all"); }).kind(), ErrorKind::input_output);
}

TEST(VertexList, AWordAboveVerticesIsATitleAndRepeatsAreRemarkedOn) {
  for (const char* const text :
       {"name\nBad Ems\nBonn\n", "Ort\nBad Ems\nBonn\n", "stop,rank\nBad Ems,1\nBonn,2\n",
        "rank,node\n1,Bad Ems\n2,Bonn\n"}) {
    EXPECT_EQ(vertices_in(text, named()), (Names{"Bad Ems", "Bonn"})) << text;
  }
  Remarks remarks;
  EXPECT_EQ(vertices_in("Ort\nBonn\nAachen\nBonn\n", named(), {.remarks = &remarks}),
            (Names{"Bonn", "Aachen"}));
  EXPECT_EQ(vertices_in("stop,rank\n4,1\n3,2\n", five()), (Names{"4", "3"}));
  EXPECT_THAT(remarks, ElementsAre(HasSubstr("the first row is taken as titles: 'Ort'"),
                                   HasSubstr("1 row named a vertex that was listed before, such as "
                                             "'Bonn'")));
}

TEST(VertexList, HasNamesOfPlacesWhereTheyAreAskedFor) {
  const auto names_in = [&](const std::string& text) {
    Names names;
    vertices_in(text, named(), {.names = &names});
    return names;
  };
  EXPECT_EQ(names_in("vertex,name\nBonn,West Clinic\nBad Ems,\"K, M\"\n"),
            (Names{"West Clinic", "K, M"}));
  EXPECT_EQ(names_in("name;beds;node\nA;3;Bonn\n"), Names{"A"});
  EXPECT_TRUE(names_in("name\nBonn\n").empty());
  EXPECT_TRUE(names_in("Bonn\nBad Ems\n").empty());
}

std::vector<VertexPair> pairs_in(const std::string& bytes, const Graph& graph) {
  return of_file(bytes, [&](const std::string& path) { return read_pairs(path, graph); });
}

/// "0-4 3-3": the pairs by the names of their ends.
std::string pairs_of(const std::string& bytes, const Graph& graph) {
  std::string text;
  for (const VertexPair& pair : pairs_in(bytes, graph)) {
    text += (text.empty() ? "" : " ") + graph.name(pair.from) + "-" + graph.name(pair.to);
  }
  return text;
}

TEST(PairList, IsCsvOrColumnsBetweenBlanks) {
  for (const char* const text :
       {"0,4\n3,3\n", "0 4\n3 3", "0\t4\r\n\r\n3\t3\r\n", "# pairs\nfrom,to\n0,4\n% more\n3,3\n",
        "source target\n 0 4\n 3 3\n", "from,to,distance\n0,4,7\n3,3,0\n",
        "\xEF\xBB\xBF"
        "0,4\n3,3\n"}) {
    EXPECT_EQ(pairs_of(text, five()), "0-4 3-3") << text;
  }
  EXPECT_EQ(pairs_of("from,to\n", five()), "");
}

TEST(PairList, TitlesSayWhichEndIsWhichUnlessTheyAreVertices) {
  for (const char* const text :
       {"O,D\nBonn,Aachen\n", "target,source\nAachen,Bonn\n", "Start,Ziel\nBonn,Aachen\n"}) {
    EXPECT_EQ(pairs_of(text, named()), "Bonn-Aachen") << text;
  }
  const Graph otherwise = parse("Aachen,Bonn,30\n", "g.csv");
  for (const char* const text : {"minutes,from,to\n7,Bonn,Aachen\n", "to\tfrom\nAachen\tBonn\n"}) {
    EXPECT_EQ(pairs_of(text, otherwise), "Bonn-Aachen") << text;
  }
  EXPECT_EQ(pairs_of("from,to\nBonn,\"Köln, Deutz\"\n", named()), "from-to Bonn-Köln, Deutz");
}

TEST(PairList, FurtherColumnsWithoutTitlesAreRemarkedOn) {
  for (const auto& [text, count] : {std::pair("0,4,7\n", 1), {"from,to,km\n0,4,7\n", 0}}) {
    Remarks remarks;
    of_file(text, [&](const std::string& path) {
      return read_pairs(path, five(), {.remarks = &remarks});
    });
    EXPECT_EQ(std::ssize(remarks), count) << text;
  }
}

TEST(PairList, ErrorsSayWhere) {
  const auto fails = [](const std::string& text) {
    return fault(text, [](const std::string& path) { return read_pairs(path, named()); });
  };
  expect_failures(fails, {{"from,to\nBonn,Aachen\nBonn,Trier\n", ":3:6: unknown vertex 'Trier'"},
                          {"Bonn\n", "one column: a pair is 'from to'"},
                          {"", "the file is empty"}});
  EXPECT_THAT(error_of([&] { pairs_in("1 2", graph_of(0, {})); }).what(),
              HasSubstr("the graph has none"));
  EXPECT_EQ(error_of([&] { read_pairs("/nowhere/at/all", named()); }).kind(),
            ErrorKind::input_output);
}

template <class T>
std::string array_file(const char* descr, const char* shape, const std::vector<T>& values) {
  return format_npy_header(descr, shape) +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

using Long = std::vector<std::int64_t>;

TEST(PairArray, HasIntegersInAnyOrderOfBytesAndColumns) {
  EXPECT_EQ(pairs_of(array_file<std::uint8_t>("|u1", "(3, 2)", {0, 4, 3, 3, 2, 0}), five()),
            "0-4 3-3 2-0");
  EXPECT_EQ(pairs_of(array_file<std::uint16_t>(">u2", "(1, 2)", {0x0100, 0x0400}), five()), "1-4");
  std::string columns = array_file<std::int32_t>("<i4", "(3, 2)", {0, 3, 2, 4, 3, 0});
  columns.replace(columns.find("False"), 5, "True ");
  EXPECT_EQ(pairs_of(columns, five()), "0-4 3-3 2-0");
  EXPECT_EQ(pairs_of(array_file("<i8", "(0, 2)", Long()), five()), "");
}

TEST(PairArray, NamesVerticesAsTheGraphDoes) {
  const Graph from_one = parse("p sp 3 1\na 1 2 5\n", "g.gr");
  EXPECT_EQ(pairs_of(array_file("<i8", "(1, 2)", Long{1, 3}), from_one), "1-3");
  const Graph labelled = parse("17,2093,4\nBonn,17,3\n", "g.csv");
  EXPECT_EQ(pairs_of(array_file("<i8", "(1, 2)", Long{2093, 17}), labelled), "2093-17");
}

TEST(PairArray, SaysWhatIsWrong) {
  const auto fails = [](const std::string& bytes) {
    return fault(bytes, [](const std::string& path) { return read_pairs(path, five()); });
  };
  const Long six = {0, 1, 2, 3, 4, 0};
  expect_failures(
      fails, {{array_file("<i8", "(2, 3)", six), "shape (k, 2)"},
              {array_file("<i8", "(6,)", six), "shape (6)"},
              {array_file("<i8", "(4, 2)", six), "48 bytes of values do not make an array"},
              {array_file("<i8", "(2, 2)", six), "48 bytes of values do not make an array"},
              {array_file("<f8", "(3, 2)", six), "type f8"},
              {array_file("<i8", "(1, 2)", Long{0, 5}), "row 0: unknown vertex 5 in a graph of 5"},
              {array_file("<i8", "(1, 2)", Long{-1, 0}), "unknown vertex -1"}});
  Cancellation cancellation;
  cancellation.request();
  const std::string bytes = array_file("<i8", "(3, 2)", six);
  EXPECT_EQ(error_of([&] {
              pairs_of_npy({bytes.data(), bytes.size()}, "p.npy", five(), {nullptr, &cancellation});
            }).kind(),
            ErrorKind::interrupted);
}

constexpr double kInfinite = std::numeric_limits<double>::infinity();

std::vector<double> weights_in(const std::string& bytes) {
  return of_file(bytes, [](const std::string& path) { return read_weight_list(path); });
}

TEST(WeightList, IsAWeightARowOfText) {
  for (const char* const text :
       {"3\n0.5\ninf\n-2\n", "minutes\n3\n0.5\ninf\n-2\n", "weight\n3\n0.5\nInfinity\n-2",
        "# night\n3\r\n\n0.5\n-inf\n-2\n"}) {
    EXPECT_THAT(weights_in(text), ElementsAre(3, 0.5, kInfinite, -2)) << text;
  }
  EXPECT_TRUE(weights_in("weight\n").empty());
}

TEST(WeightList, IsAnArrayOfRealNumbers) {
  EXPECT_THAT(weights_in(array_file<std::int8_t>("|i1", "(3,)", {1, 0, -100})),
              ElementsAre(1, 0, -100));
  EXPECT_THAT(weights_in(array_file<std::uint8_t>(">i2", "(2,)", {1, 2, 0, 3})),
              ElementsAre(258, 3));
  EXPECT_THAT(weights_in(array_file<float>("<f4", "(1,)", {static_cast<float>(kInfinite)})),
              ElementsAre(kInfinite));
}

TEST(WeightList, RefusesOtherArraysAndText) {
  const auto fails = [](const std::string& bytes) {
    return fault(bytes, [](const std::string& path) { return read_weight_list(path); });
  };
  expect_failures(
      fails, {{"", "the file is empty"},
              {"1\n2x\n", "'2x' is not a number"},
              {"1,2,3\n", "3 columns: a list of weights has one"},
              {array_file<double>("<f8", "(1, 2)", {1, 2}), "an array of shape (1, 2) is no list"},
              {array_file<double>("<f8", "(3,)", {1, 2}), "16 bytes of values do not make"},
              {array_file<std::uint8_t>("|b1", "(1,)", {1}), "truth values are no weights"},
              {array_file("<i8", "(1,)", Long{(1ll << 53) + 1}), "9007199254740993 is an integer"},
              {array_file<float>("<f4", "(2,)", {1, std::nanf("")}), "entry 1 (from 0) is nan"}});
}

TEST(WeightChanges, HaveColumnsInOrderOrByTheirTitles) {
  const Graph graph = graph_of(2, {{0, 1, 1}, {0, 1, 9}, {1, 0, 1}});
  const auto read = [&](const std::string& path) { return read_changes(path, graph); };
  const auto changes = [&](const std::string& text) {
    std::string all;
    for (const WeightChange& change : of_file(text, read)) {
      all += fmt::format(" {}-{}:{}", change.from, change.to, change.weight);
      if (change.old) all += fmt::format("/{}", *change.old);
    }
    return all;
  };
  EXPECT_EQ(changes("0,1,inf\n1,0,2.5\n"), " 0-1:inf 1-0:2.5");
  EXPECT_EQ(changes("weight,to,from,old\n4,0,1,2\n5,1,0,\n"), " 1-0:4/2 0-1:5");
  EXPECT_EQ(changes("from,to,weight,old\n0,1,inf,9\n0,1,2,\n"), " 0-1:inf/9 0-1:2");
  EXPECT_EQ(changes("old,from,to,weight\n9,0,1,4\n"), " 0-1:4/9");
  EXPECT_THAT(fault("0,1,2,closed\n", read), HasSubstr("'closed'"));
}

TEST(Lists, ACommentThatNamesAVertexIsRefused) {
  const Graph graph = parse("a,\"#love\",1\n\"#big city\",a,1\n", "g.csv");
  const auto vertices = [&](const std::string& path) { return read_vertices(path, graph); };
  const auto pairs = [&](const std::string& path) { return read_pairs(path, graph); };
  EXPECT_THAT(fault("#love\na\n", vertices), HasSubstr(":1:1: '#love' is a vertex"));
  EXPECT_EQ(place_of_fault("a\n#big city\n", vertices), "2:1");
  EXPECT_EQ(place_of_fault("from,to\n#love,a\n", pairs), "2:1");
  EXPECT_EQ(vertices_in("# love\n\"#love\"\n", graph), Names{"#love"});
}

TEST(Lists, RowsHaveAsManyColumnsAsTitles) {
  // R writes the names of rows without a title.
  const auto pairs = [](const std::string& path) { return read_pairs(path, five()); };
  EXPECT_THAT(fault("from to\n1 1 3\n2 3 4\n", pairs), HasSubstr(":2:5: 3 columns, but the first"));
  const auto places = [](const std::string& path) { return read_places(path, five(), {}); };
  EXPECT_EQ(place_of_fault("node lon lat\n1 0 7 8\n", places), "2:7");
}

TEST(Lists, TitlesOfEndsAreThoseOfEdgeLists) {
  const auto trips = [](const std::string& titles) {
    return of_file(titles + "\n3,1,5\n", [](const std::string& path) {
      return read_vertex_rows(path, five(), 2).vertices;
    });
  };
  for (const char* const titles :
       {"destination_id,origin_id,trips", "to_node,from_node,n", "v,u,n", "dst,src,n"}) {
    EXPECT_THAT(trips(titles), ElementsAre(1, 3)) << titles;
  }
  const auto turn = [](const std::string& text) {
    const Graph graph = graph_of(5, {{1, 2, 1}, {2, 3, 1}});
    return of_file(text, [&](const std::string& path) { return read_turns(path, graph).front(); });
  };
  EXPECT_EQ(turn("to_node,via_node,from_node,penalty\n3,2,1,9\n").from, 1u);
  EXPECT_THAT(fault("w,v,u,cost\n3,2,1,9\n",
                    [](const std::string& path) { return read_turns(path, five()); }),
              HasSubstr(":1:1: no column is titled via"));
}

TEST(Lists, TripsAndTurnsThatCannotBeAreRefusedWithTheirRow) {
  const auto trips = [](const std::string& path) { return read_vertex_rows(path, five(), 2); };
  EXPECT_EQ(place_of_fault("from,to,cars\n0,1,5\n1,2,-3\n", trips), "3:5");
  const auto turns = [](const std::string& path) {
    return read_turns(path, graph_of(3, {{0, 1, 1}, {1, 0, 1}}));
  };
  EXPECT_THAT(fault("from,via,to,cost\n0,1,0,5\n0,1,2,5\n", turns),
              HasSubstr(":3:7: the turn is over 1 → 2"));
  EXPECT_EQ(place_of_fault("from,via,to,cost\n0,1,0,-5\n", turns), "2:7");
}

TEST(Lists, FirstColumnsThatAreTakenAreSaid) {
  Remarks remarks;
  const auto first = [&](const std::string& path) {
    return read_vertex_rows(path, five(), 2, {.remarks = &remarks}).vertices;
  };
  EXPECT_THAT(of_file("end,begin,trips\n3,1,5\n", first), ElementsAre(3, 1));
  EXPECT_THAT(remarks, ElementsAre(HasSubstr("from and to are the first columns")));
  remarks.clear();
  EXPECT_EQ(vertices_in("trips,station\n1,4\n2,3\n", five(), {.remarks = &remarks}),
            (Names{"1", "2"}));
  EXPECT_THAT(remarks, testing::Contains(HasSubstr("vertices are the first column")));
}

TEST(Lists, PointsThatMayStandBetweenThousandsAreSaid) {
  const auto said = [](const std::string& text) {
    Remarks remarks;
    const auto read = [&](const std::string& path) {
      return read_quantities(path, five(), {.remarks = &remarks});
    };
    of_file(text, read);
    return remarks;
  };
  EXPECT_THAT(said("node;jobs\n1;1.500\n2;950\n"), ElementsAre(HasSubstr("taken as decimal")));
  EXPECT_THAT(said("node;jobs\n1;1.500\n2;2.25\n"), testing::IsEmpty());
  EXPECT_THAT(said("node,jobs\n1,1.500\n"), testing::IsEmpty());
}

TEST(Lists, MissingNumbersAndImpossibleDegreesAreNamed) {
  const auto weights = [](const std::string& path) { return read_quantities(path, five()); };
  EXPECT_THAT(fault("node,jobs\n1,NA\n", weights), HasSubstr(":2:3: 'NA' is a missing value"));
  const auto places = [](const std::string& path) { return read_places(path, five(), {}); };
  EXPECT_THAT(fault("node,lon,lat\n1,0,100\n", places),
              HasSubstr(":2:3: (0, 100) is no longitude"));
}

TEST(VertexQuantities, AreColumnsOfATable) {
  const auto quantities_of = [](const std::string& text) {
    return of_file(text, [](const std::string& path) {
      return read_quantities(path, graph_of(3, {{0, 1, 1}}));
    });
  };
  const VertexQuantities titled =
      quantities_of("vertex,jobs,\"people, all\"\n2,1.5,7\n0,2,0\n2,3,1\n");
  EXPECT_THAT(titled.titles, ElementsAre("jobs", "people, all"));
  EXPECT_THAT(titled.values, ElementsAre(2, 0, 4.5, 0, 0, 8));
  const VertexQuantities turned = quantities_of("jobs,node,people\n7,2,1\n");
  EXPECT_THAT(turned.titles, ElementsAre("jobs", "people"));
  EXPECT_THAT(turned.values, ElementsAre(0, 0, 7, 0, 0, 1));
  const VertexQuantities plain = quantities_of("# remark\n1 -4\n");
  EXPECT_THAT(plain.titles, ElementsAre("1"));
  EXPECT_THAT(plain.values, ElementsAre(0, -4, 0));
}

TEST(VertexQuantities, SayWhatIsWrongAndWhere) {
  const auto fails = [](const std::string& text) {
    return fault(text, [](const std::string& path) { return read_quantities(path, five()); });
  };
  expect_failures(fails, {{"0\n", "at least one number"},
                          {"2,1,1e308\n2,1,1e308\n", ":2:5: what the rows of '2' add up to"},
                          {"vertex,jobs\n", "no vertex is listed"},
                          {"0,1\n1,2,3\n", "3 columns, where the first row has 2"},
                          {"0,1\n7,2\n", "unknown vertex '7'"},
                          {"0,1\n1,many\n", "'many'"}});
}

Graph towns() { return parse("Aachen,Bonn,30\nBonn,\"Bad Ems\",20\n", "graph.csv"); }

Coordinates places_in(const std::string& text, const Graph& graph = towns()) {
  return parse_coordinates(text, "map.csv", graph);
}

TEST(CoordinateTable, IsARowAVertexInAnyOrder) {
  for (const char* const text :
       {"Bonn,2,20\n\"Bad Ems\",3,-30.5\nAachen,1,10\n",
        "Bonn 2 20\nAachen\t1 10 x\n\"Bad Ems\" 3 -30.5",
        "# a map\r\nname,x,y\r\nBonn,2,20\r\n\r\nAachen,1,10\r\nBad Ems,3,-30.5"}) {
    const Coordinates map = places_in(text);
    EXPECT_THAT(map.x, ElementsAre(1, 2, 3)) << text;
    EXPECT_THAT(map.y, ElementsAre(10, 20, -30.5)) << text;
    EXPECT_FALSE(map.degrees);
  }
  EXPECT_TRUE(places_in("# nobody\n", graph_of(0, {})).x.empty());
}

TEST(CoordinateTable, TitlesSayWhichColumnIsWhichAndWhetherTheyAreDegrees) {
  Remarks remarks;
  of_file("Aachen,6.1,50.8\nBonn,7.1,50.7\nBad Ems,7.7,50.3\n", [&](const std::string& path) {
    return read_places(path, towns(), {.remarks = &remarks});
  });
  EXPECT_THAT(remarks, ElementsAre(HasSubstr("titles (vertex,lon,lat)")));
  const Coordinates map = places_in("LAT,Longitude,town\n10,1,Aachen\n20,2,Bonn\n30,3,Bad Ems\n");
  EXPECT_THAT(map.x, ElementsAre(1, 2, 3));
  EXPECT_THAT(map.y, ElementsAre(10, 20, 30));
  EXPECT_TRUE(map.degrees);
  EXPECT_THAT(places_in("height,x,y,name\n5,1,10,Aachen\n6,2,20,Bonn\n7,3,30,Bad Ems\n").x,
              ElementsAre(1, 2, 3));
  const Coordinates globe =
      places_in("osmid,y,x\nAachen,50.8,6.1\nBonn,50.7,7.1\nBad Ems,50.3,7.7\n");
  EXPECT_THAT(globe.x, ElementsAre(6.1, 7.1, 7.7));
  EXPECT_TRUE(globe.degrees);
  for (const char* const other : {"osmid,y,x\nAachen,5629e3,294e3\nBonn,5e6,3e5\nBad Ems,5e6,4e5\n",
                                  "name,x,y\nAachen,6.1,50.8\nBonn,7.1,50.7\nBad Ems,7.7,50.3\n"}) {
    EXPECT_FALSE(places_in(other).degrees) << other;
  }
}

const std::string kArray = "%%MatrixMarket matrix array real general\n";

TEST(CoordinateTable, ReadsAMatrixMarketArrayAsDegrees) {
  const Coordinates map = places_in(kArray + "3 2\n6.1\n7.1\n7.7\n50.8\n50.7\n50.3\n");
  EXPECT_THAT(map.x, ElementsAre(6.1, 7.1, 7.7));
  EXPECT_THAT(map.y, ElementsAre(50.8, 50.7, 50.3));
  EXPECT_TRUE(map.degrees);
}

TEST(CoordinateTable, ErrorsSayWhere) {
  const auto fails = [](const std::string& text) {
    const Error error = error_of([&] { places_in(text); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return std::string(error.what());
  };
  expect_failures(fails, {{"Bonn,2,20\nTrier,3,3\n", "map.csv:2:1: unknown vertex 'Trier'"},
                          {"Bonn,2,20\nAachen,1\n", "map.csv:2:1: 2 of 3 columns: a row is"},
                          {"Bonn,2,east\n", "map.csv:1:8: 'east' is"},
                          {"Bonn;2,5;20\n", "map.csv:1:6: '2,5' is not a number: write a point"},
                          {"Bonn,2,nan\n", "map.csv:1:8: 'nan' is"},
                          {"Bonn,2,3\nBonn,2,3\n", "map.csv:2:1: the vertex 'Bonn' comes twice"},
                          {"Bonn,2,3\n", "map.csv:1:9: the place is missing for 2 of 3 vertices"},
                          {"# nobody\n", "the place is missing for 3 of 3 vertices"},
                          {"", "the file is empty"},
                          {kArray + "2 2\n0\n0\n0\n0\n", "2 coordinates for 3 vertices"},
                          {kArray + "2 3\n0\n0\n0\n0\n0\n0\n", ":2:1: coordinates are a"},
                          {kArray + "2 2\n0\n0\n0\n91\n", ":6:3: 91 degrees of latitude"},
                          {kArray + "2 2\n361\n0\n0\n1\n", ":3:4: 361 degrees of longitude"}});
}

Graph with_lengths(const std::string& graph, const std::string& array) {
  return of_file(kArray + array, [&](const std::string& path) {
    return parse(graph, "g.txt", {.coordinates = path});
  });
}

TEST(GreatCircles, AreWeightsOfTheSameGraph) {
  // A degree of the equator, a degree of a meridian, and half the way round the Earth.
  const double degree = 6371008.8 * 3.14159265358979323846 / 180;
  const Graph graph =
      with_lengths("0 1 9\n1 2 9\n0 3 9\n2 2 9\n", "4 2\n0\n1\n1\n180\n0\n0\n1\n0\n");
  EXPECT_FALSE(graph.directed());
  EXPECT_NEAR(graph.weights(0)[0], degree, 1e-6);
  EXPECT_NEAR(graph.weights(0)[1], 180 * degree, 1e-3);
  EXPECT_NEAR(graph.weights(2)[0], degree, 1e-6);
  EXPECT_EQ(graph.weights(2)[1], 0);
  const Graph named = with_lengths("# directed\nRome Oslo\n", "2 2\n12.5\n10.75\n41.9\n59.9\n");
  EXPECT_TRUE(named.directed());
  EXPECT_EQ(names(named), "Rome Oslo");
  EXPECT_NEAR(named.weights()[0], 2005e3, 10e3);
  EXPECT_ERROR(input, with_lengths("0 1\n", "3 2\n0\n0\n0\n0\n0\n0\n"));
}

}  // namespace
}  // namespace apsp::io::vertex_lists_test
