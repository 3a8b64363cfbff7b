#include "cli/option_values.hpp"

#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::cli::option_values_test {
namespace {

using testing::Pair;

std::string usage_error(const std::function<void()>& call) {
  const Error error = error_of(call);
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  return error.what();
}

TEST(IntegerValue, TakesWholeNumbersOnly) {
  EXPECT_EQ(integer_value("--threads", "4", 1), 4);
  for (const char* wrong : {"", "0", "-1", "4x", "1.5", "99999999999999999999"}) {
    usage_error([&] { integer_value("--threads", wrong, 1); });
  }
}

TEST(CountValue, TakesWhatAnIntHolds) {
  EXPECT_EQ(count_value("--grid", "2147483647"), 2147483647);
  for (const char* wrong : {"", "0", "-1", "2x", "2147483648", "4294967297"}) {
    usage_error([&] { count_value("--grid", wrong); });
  }
}

TEST(SeedValue, TakesSixtyFourBits) {
  EXPECT_EQ(seed_value("--seed", "18446744073709551615"), 18446744073709551615u);
  usage_error([] { seed_value("--seed", "-1"); });
}

TEST(RealValue, TakesFiniteNumbersOnly) {
  EXPECT_EQ(real_value("--radius", "0.25"), 0.25);
  for (const char* wrong : {"", "inf", "nan", "1,5"}) {
    usage_error([&] { real_value("--radius", wrong); });
  }
}

TEST(ByteValue, TakesSizes) {
  EXPECT_EQ(byte_value("--memory", "8GiB"), std::int64_t{8} << 30);
  for (const char* wrong : {"", "0", "8 elephants", "-1GiB"}) {
    usage_error([&] { byte_value("--memory", wrong); });
  }
}

TEST(RangeValue, TakesTwoNumbersOrOne) {
  EXPECT_THAT(range_value("--weights", "1:100"), Pair(1, 100));
  EXPECT_THAT(range_value("--weights", "-5:0.5"), Pair(-5, 0.5));
  EXPECT_THAT(range_value("--weights", "7"), Pair(7, 7));
  for (const char* wrong : {"", ":", "5:1", "1:", "1-5", "1:inf"}) {
    usage_error([&] { range_value("--weights", wrong); });
  }
}

TEST(ListValue, TakesNumbersBetweenCommas) {
  EXPECT_THAT(list_value("--rmat", "0.45,0.22,0.22,0.11"), ElementsAre(0.45, 0.22, 0.22, 0.11));
  for (const char* wrong : {"", "1,", "1,,2", "1;2"}) {
    usage_error([&] { list_value("--rmat", wrong); });
  }
}

TEST(DeviceValue, TakesNamesAndNumbers) {
  const auto value = [](const char* text) { return device_value("--device", text); };
  EXPECT_EQ(value("auto").device, Device::automatic);
  EXPECT_EQ(value("cpu").device, Device::cpu);
  EXPECT_EQ(value("cuda").device, Device::cuda);
  EXPECT_TRUE(value("cuda").ordinals.empty());
  EXPECT_EQ(value("cuda:3").device, Device::cuda);
  EXPECT_THAT(value("cuda:3").ordinals, ElementsAre(3));
  EXPECT_THAT(value("cuda:0,12").ordinals, ElementsAre(0, 12));
  EXPECT_EQ(value("cuda:all").device, Device::cuda);
  EXPECT_THAT(value("cuda:all").ordinals, ElementsAre(kAllGpus));
  for (const char* wrong : {"cuda:", "cuda:-1", "cuda:0,", "cuda:a", "cuda:1x", "cpu:0", "auto:1",
                            "auto:all", "cuda:all,1", "cuda:0,all", "cuda:99999999999"}) {
    usage_error([&] { value(wrong); });
  }
  usage_error([&] { value("cdua"); });
}

TEST(Choose, NamesWhatIsAllowedAndTheNearest) {
  const Choices<int> choices = {{"auto", 0}, {"f32", 1}, {"f64", 2}};
  EXPECT_EQ(choose("--dtype", "f64", choices), 2);
  EXPECT_EQ(placeholder(choices), "auto|f32|f64");
  EXPECT_EQ(usage_error([&] { choose("--dtype", "f23", choices); }),
            "--dtype takes auto, f32 or f64, not 'f23'; did you mean 'f32'?");
}

Graph towns() {
  GraphBuilder builder(4);
  builder.add_edge(0, 1);
  builder.set_labels({"Aachen", "Bonn", "Deutz, Köln", "Ems"});
  return std::move(builder).build();
}

std::vector<Vertex> chosen(const std::string& text, const Graph& graph, std::uint64_t seed = 1,
                           const std::string& option = "--sources") {
  return chosen_vertices({option, text}, graph, seed);
}

void refusal(const std::string& text, const Graph& graph) {
  EXPECT_ERROR(usage, chosen(text, graph));
}

TEST(VertexChoice, OfAListKeepsItsOrder) {
  const Graph graph = towns();
  EXPECT_EQ(chosen("Ems,Aachen", graph), (std::vector<Vertex>{3, 0}));
  EXPECT_EQ(chosen("Deutz, Köln", graph), (std::vector<Vertex>{2}));
  EXPECT_TRUE(chosen("", graph).empty());
}

TEST(VertexChoice, OfAFileIsAVertexALine) {
  const TemporaryFolder folder;
  const std::string path = folder / "some.txt";
  std::ofstream(path) << "# towns\nDeutz, Köln\nBonn\n";
  EXPECT_EQ(chosen("@" + path, towns()), (std::vector<Vertex>{2, 1}));
  std::ofstream(path) << "Bonn\nTrier\n";
  const Error error = error_of([&] { chosen("@" + path, towns()); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.location().line, 2);
  EXPECT_EQ(error.location().column, 1);
}

TEST(VertexChoice, AtRandomIsDistinctRisingAndRepeatable) {
  GraphBuilder builder(1000);
  const Graph graph = std::move(builder).build();
  const std::vector<Vertex> some = chosen("random:100", graph);
  EXPECT_EQ(some.size(), 100u);
  EXPECT_TRUE(std::is_sorted(some.begin(), some.end()));
  EXPECT_EQ(std::set<Vertex>(some.begin(), some.end()).size(), 100u);
  EXPECT_EQ(chosen("random:100", graph), some);
  EXPECT_NE(chosen("random:100", graph, 2), some);
  EXPECT_NE(chosen("random:100", graph, 1, "--targets"), some);
  EXPECT_EQ(chosen("random:1000", graph).size(), 1000u);
}

TEST(VertexChoice, RefusesWhatIsNotThereComesTwiceOrIsTooMuch) {
  const Graph graph = towns();
  refusal("Bonn,Trier", graph);
  refusal("Bonn,Ems,Bonn", graph);
  refusal("Bonn,,Ems", graph);
  refusal("Bonn,", graph);
  refusal("random:5", graph);
  refusal("random:0", graph);
  refusal("random:many", graph);
  refusal("1", Graph());
}

}  // namespace

}  // namespace apsp::cli::option_values_test
