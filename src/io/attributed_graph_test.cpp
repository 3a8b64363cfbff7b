// GraphML, GML, Pajek and node-link JSON.

#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::attributed_graph_test {
namespace {

const std::string kGraphml =
    "<?xml version='1.0' encoding='utf-8'?>\n"
    "<!-- <node> -->\n"
    "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n"
    "<key id=\"d0\" for=\"edge\" attr.name=\"weight\" attr.type=\"double\"/>\n"
    "<key id=\"d1\" for=\"node\" attr.name=\"x\" attr.type=\"double\"><default>1</default></key>\n"
    "<graph edgedefault=\"undirected\">\n"
    "<node id=\"A &amp; &#66;&#x20AC;\"><data key=\"d1\">2</data></node><node id='C'/>\n"
    "<node id=\"D\"></node>\n"
    "<edge source=\"A &amp; B€\" target=\"C\"><data key=\"d0\">2.5</data></edge>\n"
    "<edge source=\"C\" target=\"D\"><data key=\"d0\"><![CDATA[4]]></data></edge>\n"
    "</graph></graphml>\n";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string graphml_failure(const std::string& what, const std::string& by) {
  return failing_at(replaced(kGraphml, what, by), "g.graphml");
}

TEST(Graphml, HasIdsForNamesAndAnAttributeForTheWeight) {
  const Graph graph = parse(kGraphml, "g");
  EXPECT_EQ(names(graph), "A & B€ C D");
  EXPECT_EQ(describe(graph), "undirected 0-1:2.5 1-2:4");
  EXPECT_THAT(graph.remarks(), IsEmpty());
  EXPECT_EQ(describe(parse(kGraphml, "g", {.directed = true})),
            "directed 0-1:2.5 1-0:2.5 1-2:4 2-1:4");
  EXPECT_EQ(describe(parse(replaced(kGraphml, "\"undirected", "\"directed"), "g")),
            "directed 0-1:2.5 1-2:4");
}

TEST(Graphml, DefaultsHoldWhereAnEdgeHasNoValue) {
  const std::string text =
      replaced(replaced(kGraphml, "\"double\"/>", "\"double\"><default>7</default></key>"),
               "><![CDATA[4]]></data>", "/>");
  EXPECT_EQ(failing_at(text, "g.graphml"), "10:45");
  EXPECT_EQ(describe(parse(replaced(text, "<data key=\"d0\"/>", ""), "g")),
            "undirected 0-1:2.5 1-2:7");
}

TEST(Graphml, EdgesOfBothKindsMakeADirectedGraph) {
  const Graph graph =
      parse(replaced(kGraphml, "target=\"D\"", "target=\"D\" directed=\"true\""), "g");
  EXPECT_EQ(describe(graph), "directed 0-1:2.5 1-0:2.5 1-2:4");
  EXPECT_THAT(graph.remarks(), ElementsAre(HasSubstr("directed and undirected edges")));
}

TEST(Graphml, NamesOfNumberedVerticesAreAnAttribute) {
  std::string text = kGraphml;
  for (const auto& [id, number] : {std::pair("A &amp; &#66;&#x20AC;", "n0"),
                                   {"'C'", "'n1'"},
                                   {"\"D\"", "\"n2\""},
                                   {"A &amp; B€", "n0"},
                                   {"\"C\"", "\"n1\""},
                                   {"\"C\"", "\"n1\""},
                                   {"\"D\"", "\"n2\""}}) {
    text = replaced(text, id, number);
  }
  EXPECT_EQ(names(parse(text, "g")), "n0 n1 n2");
  text = replaced(text, "attr.name=\"x\"", "attr.name=\"name\"");
  text = replaced(text, "<node id='n1'/>", "<node id='n1'><data key=\"d1\">Rome</data></node>");
  EXPECT_THAT(parse(text, "g").remarks(), ElementsAre(HasSubstr("named by their ids")));
  text = replaced(text, "\"n2\"></node>", "\"n2\"><data key=\"d1\">Oslo</data></node>");
  EXPECT_EQ(names(parse(text, "g")), "2 Rome Oslo");
}

TEST(Graphml, OtherNumbersAreNotGuessedToBeTheWeight) {
  const std::string text = replaced(kGraphml, "\"weight\"", "\"km\"");
  EXPECT_THAT(failure(text, "g"), HasSubstr("`weight=km`, or `weight=none`"));
  EXPECT_EQ(describe(parse(text, "g", {.weight = "km"})), "undirected 0-1:2.5 1-2:4");
  EXPECT_EQ(describe(parse(text, "g", {.weight = "none"})), "undirected 0-1:1 1-2:1");
  EXPECT_THAT(failure(text, "g", {.weight = "miles"}), HasSubstr("edges are: km"));
  EXPECT_THAT(failure(replaced(text, "\"double\"", "\"string\""), "g"), HasSubstr("`weight=km`"))
      << "OSMnx writes numbers as texts";
  const Graph words = parse(replaced(text, "2.5", "far"), "g");
  EXPECT_EQ(describe(words), "undirected 0-1:1 1-2:1");
  EXPECT_THAT(words.remarks(), ElementsAre(HasSubstr("every edge has weight 1")));
  EXPECT_EQ(error_of([] { parse("p sp 1 0\n", "e.gr", {.weight = "km"}); }).kind(),
            ErrorKind::usage);
}

TEST(Graphml, AttributesOfEdgesInTheirTagsAreData) {
  const std::string plain = replaced(kGraphml, "<data key=\"d0\">2.5</data>", "");
  const auto by_tags = [&](const std::string& first, const std::string& second) {
    const std::string data = "<data key=\"d0\"><![CDATA[4]]></data>";
    return replaced(replaced(replaced(plain, data, ""), "target=\"D\"", "target=\"D\" " + second),
                    "target=\"C\"", "target=\"C\" " + first);
  };
  EXPECT_EQ(describe(parse(by_tags("weight=\"3\"", "weight=\" 9 \""), "g")),
            "undirected 0-1:3 1-2:9");
  EXPECT_EQ(failing_at(by_tags("km=\"3\"", "km=\"9\""), "g"), "0:0");
  EXPECT_EQ(describe(parse(by_tags("km=\"3\"", "km=\"9\""), "g", {.weight = "km"})),
            "undirected 0-1:3 1-2:9");
  const std::string both = replaced(kGraphml, "target=\"C\"", "target=\"C\" weight=\"much\"");
  EXPECT_EQ(describe(parse(both, "g")), "undirected 0-1:2.5 1-2:4") << "declared data count";
  const std::string otherwise = "attr.type=\"double\"><default> 8\n</default></key>";
  EXPECT_EQ(describe(parse(replaced(plain, "attr.type=\"double\"/>", otherwise), "g")),
            "undirected 0-1:8 1-2:4");
  EXPECT_EQ(describe(parse(replaced(kGraphml, "2.5", "\n 2.5\t\n"), "g")),
            "undirected 0-1:2.5 1-2:4");
}

TEST(Attributed, DirectionsOfEdgesThatAreNotUsedAreSaid) {
  const Graph graph = parse(
      R"({"nodes": [{"id": 1}, {"id": 2}],
          "links": [{"source": 1, "target": 2, "weight": 3, "directed": true}]})",
      "g");
  EXPECT_EQ(describe(graph), "undirected 0-1:3");
  EXPECT_THAT(graph.remarks(), ElementsAre(HasSubstr("'directed' of edges is not used")));
}

TEST(Graphml, ErrorsNameTheirPlace) {
  EXPECT_EQ(graphml_failure("for=\"edge\"", "for=\"node\""), "9:58");
  EXPECT_EQ(graphml_failure("<data key=\"d0\">2.5</data>", ""), "9:1");
  EXPECT_EQ(graphml_failure("2.5", "2,5"), "9:58");
  EXPECT_EQ(graphml_failure("\"C\" target", "\"E\" target"), "10:1");
  EXPECT_EQ(graphml_failure("id='C'", "id='D'"), "8:1");
  EXPECT_EQ(graphml_failure("key=\"d0\">2", "key=\"d9\">2"), "9:58");
  EXPECT_EQ(graphml_failure("<node id='C'/>", "<hyperedge/>"), "7:64");
  EXPECT_EQ(graphml_failure("<node id='C'/>", "<node id='C'><graph/></node>"), "7:77");
  EXPECT_EQ(graphml_failure("target=\"D\"", "target=\"D\" sourceport=\"p\""), "10:1");
  EXPECT_EQ(graphml_failure("</graph>", "</graph><graph edgedefault='directed'></graph>"), "11:9");
  EXPECT_EQ(graphml_failure("</graph>", "</grap>"), "11:3");
  EXPECT_EQ(graphml_failure("</graph></graphml>", "</graph>"), "12:1");
  EXPECT_EQ(graphml_failure("&amp;", "&x;"), "7:13");
  EXPECT_EQ(graphml_failure("<!-- <node> -->", "<!DOCTYPE a [<!ENTITY b 'c'>]>"), "2:1");
}

TEST(Graphml, IsReadBehindADocumentTypeAndInSeveralParts) {
  const std::string typed =
      replaced(kGraphml, "<!-- <node> -->", "<!DOCTYPE graphml SYSTEM \"graphml.dtd\">");
  EXPECT_EQ(describe(parse(typed, "g.graphml")), "undirected 0-1:2.5 1-2:4");
  EXPECT_EQ(failing_at(replaced(typed, "&amp;", "&x;"), "g.graphml"), "7:13");
  EXPECT_EQ(failing_at(replaced(typed, "&amp;", "&amp;&amp"), "g.graphml"), "7:22");
  EXPECT_EQ(graphml_failure("2.5", "2 & 5"), "9:58");
  EXPECT_EQ(failing_at(kGraphml.substr(0, kGraphml.find("2.5")), "g.graphml"), "9:55");
  constexpr std::size_t kPart = std::size_t{1} << 20;  // where parts are cut: in a tag, a text, ...
  for (std::size_t i = 0; i < kGraphml.size(); i += 5) {
    const std::string comment = "<!--" + std::string(kPart - i, ' ') + "-->";
    const std::string text = replaced(kGraphml, "<!-- <node> -->", comment);
    ASSERT_EQ(describe(parse(text, "g")), "undirected 0-1:2.5 1-2:4") << i;
  }
  const std::string long_text =
      replaced(kGraphml, "<!-- <node> -->", "<!--" + std::string(3 * kPart, ' ') + "-->");
  EXPECT_EQ(failing_at(replaced(long_text, "2.5", "2,5"), "g.graphml"), "9:58");
}

const std::string kGml =
    "Creator \"a [ b\"\n# graph\ngraph [\n  directed 1\n"
    "  node [ id 7 label \"New &quot;York&quot;\" graphics [ x 1.5 y 2 ] ]\n"
    "  node [ id 3 label \"Rome\" ]\n"
    "  edge [ value 2 source 7 target 3 ]\n  edge [\n source 3 target 7 value 1.5e1 ]\n]\n";

TEST(Gml, HasLabelsForNames) {
  const std::string text = replaced(replaced(kGml, "value", "weight"), "value", "weight");
  const Graph graph = parse(text, "g");
  EXPECT_EQ(names(graph), "New \"York\" Rome");
  EXPECT_EQ(describe(graph), "directed 0-1:2 1-0:15");
  const Graph ids = parse(replaced(text, "label \"Rome\"", ""), "g");
  EXPECT_EQ(names(ids), "3 7") << "in the order of integers";
  EXPECT_EQ(describe(ids), "directed 0-1:15 1-0:2");
  EXPECT_THAT(ids.remarks(), ElementsAre(HasSubstr("named by their ids")));
  EXPECT_THAT(failure(kGml, "g"), HasSubstr("`weight=value`"));
  EXPECT_THAT(failure(replaced(text, "&quot;", "&eacute;"), "g"),
              HasSubstr("&eacute; is not read"));
  EXPECT_EQ(names(parse(replaced(replaced(text, "label", "name"), "label", "name"), "g")),
            names(graph))
      << "as igraph writes them";
}

TEST(Gml, ErrorsNameTheirPlace) {
  const auto fails = [](const std::string& what, const std::string& by) {
    return failing_at(replaced(kGml, what, by), "g.gml");
  };
  EXPECT_EQ(fails("id 3", ""), "6:3");
  EXPECT_EQ(fails("target 3 ]", "target 9 ]"), "7:3");
  EXPECT_EQ(fails("directed 1", "directed yes"), "4:3");
  EXPECT_EQ(fails("\"Rome\"", "\"Rome"), "6:21");
  EXPECT_EQ(fails(" ]\n]\n", " ]\n"), "3:1");
  EXPECT_EQ(fails("id 3", "id ]"), "6:10");
  EXPECT_EQ(fails("id 3", "5 3"), "6:10");
  EXPECT_EQ(fails("id 3", "id 3 graph [ ]"), "6:15");
  EXPECT_EQ(failing_at(kGml + "graph [ ]", "g.gml"), "11:1");
  EXPECT_EQ(failing_at("node [ ]", "g.gml"), "1:9");
}

const std::string kPajek =
    "% words\n*Vertices 4\n1 \"New York\" 0.1 0.2 ellipse\n2 Rome\n4 \"Oslo\"\n\n"
    "*Arcs\n1 2 3.5 c Blue\n2 4\n*Edges\n1 4 2\n*arcslist\n4 2 1\n";

TEST(Pajek, ArcsAndEdgesMakeADirectedGraph) {
  const Graph graph = parse(kPajek, "g");
  EXPECT_EQ(describe(graph), "directed 0-1:3.5 0-3:2 1-3:1 3-0:1 3-0:2 3-1:1");
  EXPECT_EQ(names(graph), "1 2 3 4") << "vertex 3 has no label";
  EXPECT_EQ(graph.remarks().size(), 2u);
  const Graph labelled = parse(replaced(kPajek, "4 \"Oslo\"", "3 Bern\n4 \"Oslo\""), "g");
  EXPECT_EQ(names(labelled), "New York Rome Bern Oslo");
  EXPECT_EQ(describe(parse("*Vertices 2\n*Edges\n1 2 5\n", "g")), "undirected 0-1:5");
  EXPECT_EQ(describe(parse("*Vertices 2\n*Edges\n1 2\n", "g")), "undirected 0-1:1");
}

TEST(Pajek, ShapesAndParametersFollowNames) {
  for (const char* const rest :
       {"ellipse", "Box ic Red", "ic Red bc Blue", "x_fact 2", "0.5 0.5", "0.5", "[1-5]",
        "0.1 0.2 0.5 custom ic Red", "0.5 0.5 diamond phi 3"}) {
    const std::string text =
        "*Vertices 2\n1 a " + std::string(rest) + "\n2 \"b c\" 7\n*Edges\n1 2 5\n";
    EXPECT_EQ(names(parse(text, "g.net")), "a b c") << rest;
  }
}

TEST(Pajek, ZerosOfAMatrixAreNoEdges) {
  const Graph graph = parse("*Vertices 2\n*Matrix\n0 3\n0 0\n", "g");
  EXPECT_EQ(describe(graph), "directed 0-1:3");
  EXPECT_THAT(graph.remarks(), ElementsAre(HasSubstr("zeros of *Matrix")));
}

TEST(Pajek, ErrorsNameTheirPlace) {
  for (const auto& [text, place] :
       {std::pair("*Vertices 2\n*Arcs\n1 3\n", "3:3"),
        {"*Vertices 2\n1 a\n1 b\n", "3:1"},
        {"*Vertices 2\n1 \"a\n", "2:3"},
        {"*Vertices 2\n1 New York\n2 Oslo\n", "2:3"},
        {"*Vertices 2\n1 Route 66\n2 Oslo\n", "2:3"},
        {"*Vertices 2\n1 Gate 2 West\n2 Oslo\n", "2:3"},
        {"*Vertices 2\n1 New Ålesund\n2 Oslo\n", "2:3"},
        {"*Vertices 2\n*Arcs\n1 2 c Blue\n", "3:5"},
        {"*Arcs\n1 2\n", "1:1"},
        {"*Vertices 9\n*Tqueries\n", "2:1"},
        {"*Vertices 2\n*Arcs :1 \"a\"\n1 2\n*Arcs :2 \"b\"\n2 1\n", "4:1"},
        {"*Vertices 2\n*Vertices 2\n", "2:1"},
        {"*Vertices 3000000000\n", "1:11"}}) {
    EXPECT_EQ(failing_at(text, "g.net"), place) << text;
  }
}

const std::string kNodeLink =
    R"({"directed": true, "multigraph": false, "graph": {}, "nodes": [{"id": 2}, {"id": "b\u00e9"}],)"
    R"( "links": [{"source": 2, "target": "bé", "weight": 2.5, "key": 0}]})";

TEST(NodeLink, HasIdsOfTextsAndIntegers) {
  const Graph graph = parse(kNodeLink, "g");
  EXPECT_EQ(names(graph), "2 bé");
  EXPECT_EQ(describe(graph), "directed 0-1:2.5");
  EXPECT_EQ(describe(parse(replaced(kNodeLink, "links", "edges"), "g")), "directed 0-1:2.5");
  EXPECT_THAT(parse(replaced(kNodeLink, "\"weight\": 2.5", "\"osmid\": [1, 2]"), "g").remarks(),
              ElementsAre(HasSubstr("no attribute of the edges is a number")));
  const auto with = [](const char* what, const char* by) { return replaced(kNodeLink, what, by); };
  expect_failures([](const std::string& text) { return failure(text, "g.json"); },
                  {{with("\"source\": 2", "\"source\": 3"), "'3'"},
                   {with("\"source\": 2", "\"source\": 2.5"), "edge 0 (from 0): 'source'"},
                   {with("{\"id\": 2}", "{\"name\": 2}"), "node 0 (from 0) has no 'id'"},
                   {with("\"weight\": 2.5", "\"value\": 2.5"), "`weight=value`"},
                   {with("2.5", "true"), "the weight 'true' is not a number"},
                   {with("2.5", "[2.5]"), "the weight '[2.5]' is not a number"},
                   {with("\"nodes\"", "\"features\""), "without a list 'nodes'"},
                   {with("\"links\"", "\"edges\": [], \"links\""), "'edges' and a list 'links'"},
                   {with("]}", "]"), "no JSON"},
                   {"{\"a\": " + std::string(100000, '['), "no JSON"}});
}

/// Vertices 0 … n−1 or 1 … n in any order need no labels.
TEST(Attributed, IntegersAreInOrder) {
  const Graph graph = parse(
      "graph [ node [ id 2 ] node [ id 1 ] node [ id 3 ] edge [ source 1 target 2 ] "
      "edge [ source 3 target 3 ] ]",
      "g.gml");
  EXPECT_THAT(graph.labels(), IsEmpty());
  EXPECT_EQ(graph.first_id(), 1u);
  EXPECT_EQ(describe(graph), "undirected 0-1:1 2-2:1");
}

TEST(Foreign, FormatsAreNamedWithAWayToConvert) {
  const auto fails = [](const std::string& text, const std::string& name = "x.y") {
    return failure(text, name);
  };
  EXPECT_THAT(fails("<?xml version='1.0'?>\n<gexf version='1.2'>"),
              StartsWith("x.y: GEXF is not read. To convert it: python3 -c \"import networkx"));
  for (const char* text :
       {"digraph { a -> b }", "/* c */ strict graph g {\n a -- b\n}", "graph{}"}) {
    EXPECT_THAT(fails(text), StartsWith("x.y: DOT is not read")) << text;
  }
  EXPECT_THAT(fails("#/a/b.py\n# GMT Sat Nov 28\n# \n0 1 2\n"), HasSubstr("read_adjlist('x.y', "));
  EXPECT_THAT(fails("#/a/b.py\n# GMT Sat Nov 28\n# \n0 1\n1 {}\n"), HasSubstr("read_multiline"));
  for (const char* text : {"PAR1 x 3\n", "FEA1 x\n", "graph theory 5\n{a} b 3\n", "BZh x 1\n"}) {
    EXPECT_GT(parse(text, "e.txt").edge_count(), 0) << "names: " << text;
  }
  expect_failures(fails, {{"\x89HDF\r\n\x1A\n", "HDF5 is not read"},
                          {"MATLAB 5.0 MAT-file", "loadmat('x.y')"},
                          {"# c\na b {'weight': 2}\nb c {}\n", "nx.read_edgelist('x.y', "},
                          {"a b {}\n", "nx.read_edgelist('x.y', "},
                          {"c x\nc\np edge 2 1\ne 1 2\n", "awk"},
                          {"NAME: x\nDIMENSION: 2\nEDGE_WEIGHT_TYPE: EXPLICIT\n", "tsplib95"},
                          {"\x80\x04\x95rest", "pickle"},
                          {"dl n=3 format = edgelist1\ndata:\n1 2 5\n", "Read_DL('x.y')"},
                          {"DL\nN = 3\nDATA:\n0 1 0\n", "Read_DL('x.y')"},
                          {"c x\nt links init\na 1 2 1.0 c 1 1 1 0 0 0\n", "EMME"},
                          {"{\"source\": \"A\"}\n\n{\"source\": \"B\"}\n", "json.loads(row)"},
                          {"{\"type\": \"FeatureCollection\", \"features\": []}", "GeoJSON"},
                          {"{\"elements\": {\"nodes\": []}}", "nx.cytoscape_graph"},
                          {"{\"nodes\": [], \"adjacency\": []}", "nx.adjacency_graph"},
                          {"{\"graph\": {\"edges\": [{\"metadata\": {}}]}}", "JSON Graph Format"},
                          {"33D32945 STP File\nSECTION Graph\nNodes 3\n", "SteinLib is not read"},
                          {"[\n {\"source\": \"A\"}]", "pandas.DataFrame(json.load(open('x.y', "},
                          {"<osm version='0.6'>", "osmium cat"},
                          {"p aux sp co 1\nv 1 -73 41\n", "vertex,lon,lat"},
                          {"LEDA.GRAPH\nstring\ndouble\n-2\n", "LEDA is not read"},
                          {"WeightedAdjacencyGraph\n1\n0\n0\n", "PBBS or Ligra is not read"},
                          {"EdgeArray\n0 1\n", "tail -n +2 'x.y'"},
                          {"<net><edge from='1' to='2'/></net>", "XML is not read"},
                          {"<table border='1'>\n<tr></tr>", "XML is not read"},
                          {std::string(257, 'a') + "ustar", "tar is not read"}});
  EXPECT_THAT(fails("# a\nb 3\n", "x.lgl"), HasSubstr("Read_Lgl('x.lgl', directed=False)"));
  EXPECT_THAT(fails("1 A\n2 B\n#\n1 2\n", "x.tgf"), HasSubstr("sed '1,/^#/d' 'x.tgf'"));
  EXPECT_EQ(parse("dl n\nn x\n", "x.y").edge_count(), 2) << "names";
}

}  // namespace
}  // namespace apsp::io::attributed_graph_test
