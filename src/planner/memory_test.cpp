// Memory plans on paper; tests/python/test_memory.py holds them against whole processes.
#include "planner/memory.hpp"

#include "planner/find_plan.hpp"

#include <apsp/graph.hpp>

#include "base/units.hpp"
#include "dense/transitive_closure.hpp"
#include "support/graph_of.hpp"
#include "support/test.hpp"
#include "verifier/row_proofs.hpp"

namespace apsp::planner::memory_test {
namespace {

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

constexpr std::int64_t kN = 3000, kChunk = 1000;
constexpr int kThreads = 3;

/// A matrix of i32 in memory, solved by the CPU.
Plan dense_plan() {
  Plan plan;
  plan.method = DensePlan{96};
  plan.n = kN;
  plan.type = ValueType::i32;
  plan.threads = kThreads;
  plan.chunk = kChunk;
  plan.distance_bound = 999;
  return plan;
}

/// Rows that are passed on as they come, or that fill a matrix.
Plan rows_plan(bool keeps_matrix) {
  Plan plan = dense_plan();
  RowsPlan rows;
  rows.uses.keeps_matrix = keeps_matrix;
  rows.costs.source_bytes = 7000;
  rows.costs.worker_bytes = 500;
  rows.costs.block_bytes = 20;
  plan.method = rows;
  if (!keeps_matrix) plan.keep = Keep::statistics;
  return plan;
}

SolveOptions nothing_else() { return {.question = {.statistics = false}}; }

MemoryPlan lines(const SolveOptions& options, const Plan& plan) {
  return plan_memory(GraphSize{.bytes = 10 * kMiB, .arcs = 200'000, .integral = true}, options,
                     plan);
}

TEST(MemoryPlan, CountsProofsOfRowsOnlyWhereRowsCanBeProven) {
  const auto bytes = [](Semiring semiring, bool negative, std::int64_t n = kN) {
    return row_checks_bytes(n, semiring, negative, kThreads);
  };
  const std::int64_t proofs = kN * kThreads * verifier::kProofBytesAVertex;
  const std::int64_t without = bytes(Semiring::min_plus, false) - proofs;
  EXPECT_EQ(bytes(Semiring::min_plus, true), without);
  for (const Semiring semiring : {Semiring::max_plus, Semiring::min_max, Semiring::or_and}) {
    EXPECT_EQ(bytes(semiring, false), without) << name(semiring);
  }
  const std::int64_t large = verifier::kMostProvable + 1;
  EXPECT_EQ(bytes(Semiring::min_plus, false, large), bytes(Semiring::min_plus, true, large));
}

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

TEST(MemoryPlan, ALayoutIsThatOfItsPlan) {
  Plan plan = dense_plan();
  plan.semiring = Semiring::max_min;
  plan.selection.sources = {1, 2};
  plan.with_via = true;
  SolveOptions options;
  options.question.predecessors = options.question.hops = true;
  const store::Layout layout = layout_of(plan, options);
  EXPECT_EQ(layout.n, kN);
  EXPECT_EQ(layout.type, ValueType::i32);
  EXPECT_EQ(layout.semiring, Semiring::max_min);
  EXPECT_EQ(layout.tile, kChunk);
  EXPECT_EQ(layout.rows(), 2);
  EXPECT_THAT(layout.planes, ElementsAre(store::Plane::distance, store::Plane::predecessor,
                                         store::Plane::via, store::Plane::hops));
  options.storage.output = "a.zarr";
  EXPECT_THAT(layout_in_memory(plan, options).planes,
              ElementsAre(store::Plane::distance, store::Plane::via, store::Plane::hops));
}

TEST(MemoryPlan, RowsThatPassNeedNoMatrixAndNoLinesAfterwards) {
  const MemoryPlan passed = lines({}, rows_plan(false)), kept = lines({}, rows_plan(true));
  EXPECT_EQ(passed.matrix, 0);
  EXPECT_EQ(passed.statistics, 0);
  EXPECT_EQ(passed.storing, 0);
  EXPECT_GE(passed.solving, kept.solving + kept.statistics);
  EXPECT_GE(kept.matrix, kN * kN * 4);
}

TEST(MemoryPlan, ReachabilityIsSolvedInBits) {
  Plan plan = dense_plan();
  plan.semiring = Semiring::or_and;
  plan.type = ValueType::boolean;
  const std::int64_t bits = dense::transitive_closure_bytes(kN);
  EXPECT_GE(lines(nothing_else(), plan).solving, bits);
  EXPECT_GE(lines(nothing_else(), plan).matrix, kN * kN);
  plan.keep = Keep::statistics;
  EXPECT_LT(lines(nothing_else(), plan).solving, bits);
  EXPECT_EQ(lines(nothing_else(), plan).matrix, bits);
}

TEST(MemoryPlan, WhatIsAskedForIsWhatMayBeUsed) {
  EXPECT_EQ(allowed_bytes({.machine = {.memory = 12345}}), 12345);
  EXPECT_EQ(allowed_bytes({.machine = {.memory = 1}}), 1);
  EXPECT_EQ(allowed_disk({.storage = {.disk = 54321}}), 54321);
  EXPECT_EQ(allowed_disk({.storage = {.disk = 1}}), 1);
  EXPECT_GT(allowed_bytes({}), kMiB);
  EXPECT_GT(allowed_disk({.storage = {.output = "a.zarr"}}), 0);
  EXPECT_EQ(allowed_disk({.storage = {.output = "/no/such/folder/a.zarr"}}),
            std::numeric_limits<std::int64_t>::max());
}

TEST(MemoryPlan, SizesOfAGraphAreThoseOfItsWeights) {
  const auto negative = [](double least) {
    return size_of(graph_of(2, {{0, 1, least}, {1, 0, 9}})).negative;
  };
  EXPECT_TRUE(negative(-1));
  EXPECT_FALSE(negative(0));
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
  const SolveOptions options{.question = {.statistics = false},
                             .machine = {.device = Device::cpu, .memory = std::int64_t{1} << 40}};
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
  SolveOptions options{.machine = {.device = Device::cpu, .memory = std::int64_t{1} << 40}};
  const auto matrix = [&] { return plan_memory(graph, options, make_plan(graph, options)).matrix; };
  const std::int64_t distances = matrix();
  options.question.via = true;
  EXPECT_EQ(matrix(), 2 * distances);
  options.question.hops = true;
  EXPECT_EQ(matrix(), 3 * distances);
}

TEST(RoomFor, NamesAMatrixThatTheMemoryHoldsOrNone) {
  const auto named = [](std::int64_t bytes, std::int64_t n, SolveOptions options) {
    options.machine.threads = 1;
    const std::string text = room_for(bytes, n, options, ValueType::u16);
    return text.empty() ? 0 : std::stoll(text.substr(text.find("about ") + 6));
  };
  EXPECT_EQ(named(1, 100, {}), 0);
  EXPECT_EQ(named(8 * kMiB, 100, {}), 0);
  EXPECT_EQ(named(10 * kMiB, 800, {}), 0) << "all of it";
  const std::int64_t room = named(10 * kMiB, 2000, {});
  EXPECT_LE(room * room * 2, 10 * kMiB);
  EXPECT_GE(room * room * 2, kMiB);
  const std::int64_t with_via = named(10 * kMiB, 2000, {.question = {.via = true}});
  EXPECT_NEAR(static_cast<double>(room * room * 2), static_cast<double>(with_via * with_via * 6),
              0.02 * kMiB);
}

/// A dense graph, and what its header says of it.
GraphHeader header_of(const Graph& graph) {
  GraphHeader header{.vertices = graph.vertex_count(), .arcs = graph.arc_count()};
  return header;
}

/// The bytes of --memory in the refusal of a header.
std::int64_t enough_for(const GraphHeader& header, const SolveOptions& options) {
  const std::string text = error_of([&] { require_room(header, options); }).what();
  const std::size_t at = text.find("`memory=");
  EXPECT_NE(at, std::string::npos) << text;
  if (at == std::string::npos) return 0;
  const std::size_t from = at + std::string("`memory=").size();
  return base::parse_bytes(text.substr(from, text.find('`', from) - from)).value();
}

/// The plan of the graph fits the memory that the refusal of its header names, whatever is asked
/// for besides; and u16 takes less than any type may.
TEST(RequireRoom, NamesMemoryThatIsEnoughWhateverTheWeightsAre) {
  using Change = void (*)(SolveOptions&);
  const Change changes[] = {[](SolveOptions&) {},
                            [](SolveOptions& o) { o.question.verify = true; },
                            [](SolveOptions& o) { o.question.hops = true; },
                            [](SolveOptions& o) { o.machine.threads = 40; },
                            [](SolveOptions& o) { o.storage.output = "a.zarr"; },
                            [](SolveOptions& o) {
                              o.question.semiring = Semiring::or_and;
                              o.storage.keep = Keep::matrix;
                            }};
  for (const bool real : {false, true}) {
    const Graph graph = generate({.vertices = 1600, .probability = 0.6, .real_weights = real});
    for (const Change change : changes) {
      SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                           .machine = {.device = Device::cpu, .threads = 2, .memory = 1 * kMiB},
                           .storage = {.disk = 1}};
      change(options);
      options.machine.memory = enough_for(header_of(graph), options);
      EXPECT_NO_THROW(require_room(header_of(graph), options));
      EXPECT_TRUE(find_plan(graph, options).fits_memory());
    }
  }
  GraphHeader header{.vertices = 4000, .arcs = 3'000'000};
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.threads = 2, .memory = kMiB}};
  const std::int64_t any = enough_for(header, options);
  options.method.value_type = ValueType::u16;
  EXPECT_LT(enough_for(header, options), any - 4000 * 4000 * 4);
  options.method.value_type.reset();
  options.storage = {.output = "a.zarr", .disk = 1};
  header.matrix = true;
  EXPECT_GE(enough_for(header, options), 3 * 4000 * 4000 * 8) << "the file, its pages, distances";
}

TEST(RequireRoom, RefusesByTheHeaderAloneWhatFitsNeitherMemoryNorDisk) {
  const GraphHeader sparse{.vertices = 1'000'000, .arcs = 3'000'000};
  const GraphHeader small{.vertices = 100, .arcs = 400}, huge{.vertices = 10'000'000, .arcs = 400};
  constexpr std::int64_t kSoon = 64 * kMiB / 28 / 2;  // arcs that are read in a moment
  const auto matrix = [](std::int64_t n) { return GraphHeader{.vertices = n, .matrix = true}; };
  constexpr MethodOptions kMatrix{.algorithm = Algorithm::floyd_warshall};
  const MachineOptions little{.memory = 1}, some{.memory = 1000 * kMiB};
  // The disk holds the matrix twice: while it is solved, and as it is stored.
  const StorageOptions disk{.output = "x.zarr", .disk = 4'000'000'000'000},
      less{.output = "x.zarr", .disk = 4'000'000'000'000 - 1},
      kept{.output = "x.zarr", .keep = Keep::matrix, .disk = 4'000'000'000'000};
  struct Case {
    GraphHeader header;
    SolveOptions options;
    bool refused;
  };
  const Case cases[] = {
      {small, {.machine = little}, false},
      {huge, {.method = kMatrix, .machine = little}, true},
      {sparse, {.machine = some}, false},
      {sparse, {.method = kMatrix, .machine = some}, true},
      {sparse, {.question = {.predecessors = true}, .machine = some}, true},
      {sparse, {.question = {.predecessors = true}, .machine = some, .storage = disk}, false},
      {matrix(1'000'000), {.machine = some}, true},
      {matrix(20'000), {.machine = some}, false},  // 763 MiB as u16
      {matrix(20'000), {.method = {.value_type = ValueType::f64}, .machine = some}, true},
      {matrix(20'000), {.question = {.via = true}, .machine = some}, true},
      {matrix(0), {.question = {.via = true}, .machine = some}, false},
      {sparse, {.method = kMatrix, .machine = some, .storage = disk}, false},
      {sparse, {.method = kMatrix, .machine = some, .storage = less}, true},
      {sparse,
       {.question = {.via = true}, .method = kMatrix, .machine = some, .storage = disk},
       true},
      {sparse,
       {.question = {.semiring = Semiring::or_and},
        .method = kMatrix,
        .machine = some,
        .storage = kept},
       true},
      {sparse, {.method = kMatrix, .machine = some, .storage = kept}, true},
      {{.vertices = 2000, .arcs = kSoon}, {.method = kMatrix, .machine = little}, false},
      {{.vertices = 2000, .arcs = kSoon + 1}, {.method = kMatrix, .machine = little}, true},
      {matrix(2896), {.method = kMatrix, .machine = little}, false},  // 64 MiB of doubles
      {matrix(2897), {.method = kMatrix, .machine = little}, true},
  };
  for (const Case& of : cases) {
    const std::size_t number = static_cast<std::size_t>(&of - cases);
    if (of.refused) {
      EXPECT_EQ(error_of([&] { require_room(of.header, of.options); }).kind(),
                ErrorKind::does_not_fit)
          << number;
    } else {
      EXPECT_NO_THROW(require_room(of.header, of.options)) << number;
    }
  }
}

}  // namespace
}  // namespace apsp::planner::memory_test
