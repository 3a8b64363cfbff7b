// Memory plans on paper; tests/python/test_memory.py holds them against whole processes.
#include "planner/memory.hpp"
#include "planner/find_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include "base/units.hpp"
#include "support/error_of.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

TEST(MemoryPlan, TheLargestOfItsTimesIsItsPeak) {
  MemoryPlan memory{.runtime = 1, .graph = 10, .matrix = 100, .reading = 50};
  EXPECT_EQ(memory.peak(), 111);
  memory.reading = 500;
  EXPECT_EQ(memory.peak(), 501);
  memory.statistics = 600;
  memory.solving = 700;
  memory.storing = 650;
  EXPECT_EQ(memory.peak(), 811);
  memory.ordering = 850;
  EXPECT_EQ(memory.peak(), 861) << "before there is a matrix";
  memory.checking = 900;
  EXPECT_EQ(memory.peak(), 1011);
  memory.matrix_kept = false;
  EXPECT_EQ(memory.peak(), 911);
}

Graph dense_graph(std::int64_t n, std::int64_t memory) {
  WeightMatrix matrix;
  auto values = std::make_shared<std::vector<float>>(static_cast<std::size_t>(n * n), 0.5f);
  matrix.n = n;
  matrix.data = values->data();
  matrix.owner = values;
  matrix.memory = memory;
  GraphBuilder builder(n);
  builder.set_matrix(std::move(matrix));
  return std::move(builder).build();
}

TEST(MemoryPlan, AMatrixInAFileTakesLittleMoreThanItsBytes) {
  const SolveOptions options{
      .device = Device::cpu, .memory = std::int64_t{1} << 40, .statistics = false};
  const std::int64_t bytes = 2000 * 2000 * 4;
  const Plan in_file = make_plan(dense_graph(2000, 0), options);
  const Plan in_memory = make_plan(dense_graph(2000, bytes), options);
  EXPECT_EQ(in_memory.bytes - in_file.bytes, bytes);
  EXPECT_GE(in_file.bytes, bytes);
  // Besides panels, a twentieth of large matrices (`choose_tile`), and what any process takes.
  const MemoryPlan memory = plan_memory(dense_graph(2000, 0), options, in_file);
  EXPECT_LE(memory.graph + memory.matrix, bytes + bytes / 50);
  EXPECT_EQ(in_file.bytes, memory.runtime + memory.graph + memory.matrix + memory.solving);
}

TEST(MemoryPlan, EveryPlaneIsCounted) {
  const Graph graph = dense_graph(500, 0);
  SolveOptions options{.device = Device::cpu, .memory = std::int64_t{1} << 40};
  const auto matrix = [&] { return plan_memory(graph, options, make_plan(graph, options)).matrix; };
  const std::int64_t distances = matrix();
  options.via = true;
  EXPECT_EQ(matrix(), 2 * distances);
  options.hops = true;
  EXPECT_EQ(matrix(), 3 * distances);
}

TEST(RoomFor, CountsWhatAnyProcessTakesAndNamesNoSizeThatIsNoHelp) {
  EXPECT_EQ(room_for(1, 100, {.threads = 1}, ValueType::u16), "");
  EXPECT_EQ(room_for(8 * kMiB, 100, {.threads = 1}, ValueType::u16), "");
  EXPECT_THAT(room_for(10 * kMiB, 2000, {.threads = 1}, ValueType::u16),
              HasSubstr("a matrix of about 886 vertices"));
  EXPECT_THAT(room_for(10 * kMiB, 2000, {.threads = 1, .via = true}, ValueType::u16),
              HasSubstr("a matrix of about 512 vertices"));
  EXPECT_EQ(room_for(10 * kMiB, 800, {.threads = 1}, ValueType::u16), "");
}

/// A dense graph, and what its header says of it.
GraphHeader header_of(const Graph& graph) {
  GraphHeader header;
  header.vertices = graph.vertex_count();
  header.arcs = graph.arc_count();
  return header;
}

TEST(RequireRoom, NamesMemoryThatIsEnoughWhateverTheWeightsAre) {
  for (const bool real : {false, true}) {
    GenerateOptions dense;
    dense.vertices = 1600;
    dense.probability = 0.6;
    dense.real_weights = real;
    const Graph graph = generate(dense);
    for (const bool verify : {false, true}) {
      SolveOptions options{.algorithm = Algorithm::floyd_warshall,
                           .device = Device::cpu,
                           .threads = 2,
                           .memory = 1 * kMiB,
                           .verify = verify};
      const std::string text = error_of([&] { require_room(header_of(graph), options); }).what();
      EXPECT_THAT(text, HasSubstr("only the header was read"));
      const std::string words = "`memory=";
      const std::size_t at = text.find(words);
      ASSERT_NE(at, std::string::npos) << text;
      const std::size_t from = at + words.size();
      options.memory = base::parse_bytes(text.substr(from, text.find('`', from) - from)).value();
      EXPECT_NO_THROW(require_room(header_of(graph), options));
      EXPECT_TRUE(find_plan(graph, options).fits()) << text;
    }
  }
}

TEST(RequireRoom, LetsSmallGraphsBeReadSoThatTheirPlanSaysWhatTheyNeed) {
  GraphHeader header;
  header.vertices = 100;
  header.arcs = 400;
  EXPECT_NO_THROW(require_room(header, {.memory = 1}));
  header.vertices = 10'000'000;  // which no machine has room for
  EXPECT_THROW(require_room(header, {.algorithm = Algorithm::floyd_warshall, .memory = 1}), Error);
}

TEST(RequireRoom, RefusesByTheHeaderAlone) {
  GraphHeader header;
  header.vertices = 1'000'000;
  header.arcs = 3'000'000;
  EXPECT_NO_THROW(require_room(header, {.memory = 1000 * kMiB}));  // solved without a matrix
  EXPECT_THROW(
      require_room(header, {.algorithm = Algorithm::floyd_warshall, .memory = 1000 * kMiB}), Error);
  // Predecessors in memory need the matrix beside them; in a file they are found from its rows.
  EXPECT_THROW(require_room(header, {.memory = 1000 * kMiB, .predecessors = true}), Error);
  EXPECT_NO_THROW(
      require_room(header, {.memory = 1000 * kMiB, .output = "x.zarr", .predecessors = true}));
  header.matrix = true;
  SolveOptions options;
  options.memory = 1000 * kMiB;
  const Error error = error_of([&] { require_room(header, options); });
  EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
  header.vertices = 20'000;  // 763 MiB as u16, which its weights may allow
  EXPECT_NO_THROW(require_room(header, options));
  options.value_type = ValueType::f64;
  EXPECT_THROW(require_room(header, options), Error);
  options.value_type.reset();
  options.via = true;
  EXPECT_THROW(require_room(header, options), Error);
  header.vertices = 0;
  EXPECT_NO_THROW(require_room(header, options));
}

/// The disk holds the matrix twice: while it is solved, and as it is stored.
TEST(RequireRoom, LetsAMatrixThroughThatMayRestOnTheDisk) {
  GraphHeader header;
  header.vertices = 1'000'000;
  header.arcs = 3'000'000;
  SolveOptions options{.algorithm = Algorithm::floyd_warshall, .memory = 1000 * kMiB};
  options.output = "x.zarr";
  options.disk = 4'000'000'000'000;  // of u16
  EXPECT_NO_THROW(require_room(header, options));
  SolveOptions other = options;
  other.disk -= 1;
  EXPECT_THROW(require_room(header, other), Error);
  other = options;
  other.via = true;
  EXPECT_THROW(require_room(header, other), Error);
  other = options;
  other.semiring = Semiring::or_and;
  other.keep = Keep::matrix;
  EXPECT_THROW(require_room(header, other), Error);
}

}  // namespace
}  // namespace apsp::planner
