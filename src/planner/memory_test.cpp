// Memory plans on paper; tests/python/test_memory.py holds them against whole processes.
#include "planner/memory.hpp"
#include "planner/find_plan.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include "base/units.hpp"
#include "dense/transitive_closure.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp::planner {
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
  EXPECT_THAT(layout.planes, testing::ElementsAre(store::Plane::distance, store::Plane::predecessor,
                                                  store::Plane::via, store::Plane::hops));
  options.storage.output = "a.zarr";
  EXPECT_THAT(layout_in_memory(plan, options).planes,
              testing::ElementsAre(store::Plane::distance, store::Plane::via, store::Plane::hops));
}

/// What is asked for besides takes memory of its line, at least the bytes that it must hold, and no
/// other line less. `tests/python/test_memory.py` measures that the sums are enough.
TEST(MemoryPlan, EveryThingMoreTakesAtLeastWhatItHolds) {
  using Line = std::int64_t MemoryPlan::*;
  using Change = void (*)(SolveOptions&, Plan&);
  struct Case {
    const char* more;
    Plan plan;
    Line line;
    std::int64_t least;  // bytes
    Change change;
    Change before = [](SolveOptions&, Plan&) {};
  };
  const auto zarr = [](SolveOptions& o, Plan&) { o.storage.output = "a.zarr"; };
  const auto npy = [](SolveOptions& o, Plan&) { o.storage.output = "a.npy"; };
  const auto compressed = [](SolveOptions& o, Plan&) {
    o.storage.output = "a.zarr";
    o.storage.compress = true;
  };
  const auto verify = [](SolveOptions& o, Plan&) { o.question.verify = true; };
  const auto statistics = [](SolveOptions& o, Plan&) { o.question.statistics = true; };
  const auto predecessors = [](SolveOptions& o, Plan&) {
    o.storage.output = "a.npy";
    o.question.predecessors = true;
  };
  constexpr std::int64_t kChunkBytes = kChunk * kChunk * 4, kMatrix = kN * kN * 4;
  constexpr Line kRuntime = &MemoryPlan::runtime, kSolving = &MemoryPlan::solving,
                 kStatistics = &MemoryPlan::statistics, kStoring = &MemoryPlan::storing,
                 kChecking = &MemoryPlan::checking, kMatrixLine = &MemoryPlan::matrix;
  const Case cases[] = {
      {"threads", dense_plan(), kRuntime, 1, [](SolveOptions&, Plan& p) { ++p.threads; }},
      {"a .zarr", dense_plan(), kRuntime, 1, zarr},
      {"a chosen part", dense_plan(), kMatrixLine, 2 * 3 * 4,
       [](SolveOptions&, Plan& p) {
         p.selection = {{5, 6}, {1, 2, 3}};
       }},
      {"potentials", dense_plan(), kSolving, kN * 16,
       [](SolveOptions&, Plan& p) { p.signed_weights = std::make_shared<SignedWeights>(); }},
      {"statistics", dense_plan(), kStatistics, kN * kThreads * 4, statistics},
      {"threads that count", dense_plan(), kStatistics, kN * 4,
       [](SolveOptions&, Plan& p) { ++p.threads; }, statistics},
      {"a larger bound", rows_plan(true), kStatistics, kThreads * 16 * 1000,
       [](SolveOptions&, Plan& p) { p.distance_bound = 1999; }, statistics},
      {"statistics of rows that pass", rows_plan(false), kSolving, kN * kThreads * 4, statistics},
      {"bands of an .npy", rows_plan(false), kSolving, (kThreads + 1) * kChunk * kN * 4, npy},
      {"bands of a .zarr", rows_plan(false), kSolving, (kThreads + 1) * kChunk * kN * 4, zarr},
      {"chunks that are packed", rows_plan(false), kSolving, kThreads * kChunkBytes, compressed,
       zarr},
      {"chunks", dense_plan(), kStatistics, kThreads * kChunkBytes, zarr},
      {"chunks of the matrix that are packed", dense_plan(), kStoring, kThreads * kChunkBytes,
       compressed, zarr},
      {"predecessors of a file", dense_plan(), kStoring, kChunk * kN * 8, predecessors, npy},
      {"predecessors of rows", rows_plan(false), kSolving, kChunk * kN * 4, predecessors, npy},
      {"a check", dense_plan(), kChecking, kMatrix, verify},
      {"a check of predecessors", dense_plan(), kChecking, kMatrix,
       [](SolveOptions& o, Plan&) { o.question.predecessors = true; }, verify},
      {"a check of intermediate vertices", dense_plan(), kChecking, kMatrix,
       [](SolveOptions& o, Plan& p) {
         o.storage.output = "a.zarr";
         p.with_via = true;
       },
       [](SolveOptions& o, Plan&) {
         o.storage.output = "a.zarr";
         o.question.verify = true;
       }},
      {"a factor that is checked", rows_plan(false), kChecking, 7000 + 500,
       [](SolveOptions&, Plan& p) { p.keep = Keep::factor; }, verify},
  };
  for (const Case& of : cases) {
    SCOPED_TRACE(of.more);
    SolveOptions options = nothing_else();
    Plan plan = of.plan;
    of.before(options, plan);
    const MemoryPlan less = lines(options, plan);
    of.change(options, plan);
    const MemoryPlan more = lines(options, plan);
    EXPECT_GE(more.*of.line, less.*of.line + of.least);
    for (const Line line : {kRuntime, kSolving, kStatistics, kStoring, kChecking, kMatrixLine}) {
      EXPECT_GE(more.*line, less.*line);
    }
  }
}

TEST(MemoryPlan, AnArcTakesMoreWhileItIsReadUnlessItIsOfAMatrix) {
  EXPECT_GE(lines(nothing_else(), dense_plan()).reading, 10 * kMiB + 200'000 * 12);
  const GraphSize matrix{.bytes = 10 * kMiB, .arcs = 200'000, .matrix = true};
  EXPECT_EQ(plan_memory(matrix, nothing_else(), dense_plan()).reading, 10 * kMiB);
}

TEST(MemoryPlan, RowsThatPassNeedNoMatrixAndNoLinesAfterwards) {
  const MemoryPlan passed = lines({}, rows_plan(false)), kept = lines({}, rows_plan(true));
  EXPECT_EQ(passed.matrix, 0);
  EXPECT_EQ(passed.statistics, 0);
  EXPECT_EQ(passed.storing, 0);
  EXPECT_GE(passed.solving, kept.solving + kept.statistics);
  EXPECT_GE(kept.matrix, kN * kN * 4);
}

TEST(MemoryPlan, PiecesAreNoLargerThanWhatIsThere) {
  const auto storing = [](std::int64_t chunk, SolveOptions options) {
    Plan plan = dense_plan();
    plan.chunk = chunk;
    options.question.statistics = false;
    return lines(options, plan).storing;
  };
  const SolveOptions trees{.question = {.predecessors = true}, .storage = {.output = "a.npy"}};
  EXPECT_EQ(storing(2 * kN, trees), storing(kN, trees));
  Plan rows = rows_plan(false);
  rows.chunk = kN;
  const std::int64_t whole = lines({.storage = {.output = "a.npy"}}, rows).solving;
  rows.chunk = 2 * kN;
  EXPECT_EQ(lines({.storage = {.output = "a.npy"}}, rows).solving, whole);
  Plan large = dense_plan();
  large.n = 100'000;  // of which a part is checked at a time
  EXPECT_LT(lines({.question = {.statistics = false, .verify = true}}, large).checking,
            large.n * large.n * 4 / 10);
}

/// statistics/histogram_bins.hpp: a counter for each cell and thread, cells below 0 only where they
/// may be touched.
TEST(MemoryPlan, CountersGrowWithTheBoundUpToTheirMost) {
  const auto of = [](ValueType type, bool integral, bool negative, double bound) {
    return statistics_bytes(kN, type, integral, negative, bound, kThreads);
  };
  for (const ValueType type : {ValueType::i32, ValueType::f32}) {
    EXPECT_LT(of(type, true, true, 40'000), of(type, true, true, 400'000));
    EXPECT_EQ(of(type, true, true, 1e9), of(type, true, true, 1e12));
    EXPECT_LT(of(type, true, false, 1e9), of(type, true, true, 1e9));
  }
  EXPECT_EQ(of(ValueType::f64, false, true, 1e6), of(ValueType::f64, false, true, 1));
  const auto tables = [](double bound, Semiring semiring, ValueType type, bool integral) {
    const auto statistics = [&](Plan plan) {
      plan.semiring = semiring;
      plan.type = type;
      plan.distance_bound = bound;
      return plan_memory(GraphSize{.integral = integral}, {}, plan).statistics;
    };
    return statistics(rows_plan(true)) - statistics(dense_plan());
  };
  EXPECT_GE(tables(131'071, Semiring::min_plus, ValueType::i32, true), kThreads * 16 * 131'072);
  EXPECT_LE(tables(1e9, Semiring::max_min, ValueType::i32, true), kThreads * 16 * kMiB);
  EXPECT_EQ(tables(999, Semiring::min_plus, ValueType::f32, false), 0);
  EXPECT_EQ(tables(1, Semiring::or_and, ValueType::boolean, true), 0);
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

TEST(RequireRoom, WhatIsEnoughForAHeaderCountsItsArcsAndTheWidestType) {
  GraphHeader header{.vertices = 4000};
  header.arcs = 10'000'000;  // of both directions, in 28 bytes while they are read
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.threads = 2, .memory = kMiB}};
  const std::int64_t enough = enough_for(header, options);
  const std::int64_t reading = 20'000'000 * 28, matrix = 4000 * 4000 * 8;
  EXPECT_GE(enough, 20'000'000 * 12 + matrix);
  EXPECT_GE(enough, reading);
  EXPECT_LT(enough, reading + matrix);
  header.arcs = 3'000'000;
  const std::int64_t of_f64 = enough_for(header, options);
  EXPECT_GE(of_f64, 6'000'000 * 12 + matrix);
  options.method.value_type = ValueType::u16;
  EXPECT_LT(enough_for(header, options), of_f64 - matrix / 2);
  // Reachability is solved in bits beside its bytes.
  options.method.value_type.reset();
  options.question.semiring = Semiring::or_and;
  options.storage.keep = Keep::matrix;
  header.arcs = 2'500'000;
  const std::int64_t of_bytes = enough_for(header, options);
  EXPECT_GE(of_bytes, 5'000'000 * 12 + 4000 * 4000 + dense::transitive_closure_bytes(4000));
  options.storage.keep = Keep::statistics;
  EXPECT_NO_THROW(require_room(header, [&] {
    SolveOptions bits = options;
    bits.machine.memory = 2 * kMiB;  // 4,000² bits
    return bits;
  }()));
  options.storage.keep = Keep::automatic;
  EXPECT_THROW(require_room(header,
                            [&] {
                              SolveOptions bytes = options;
                              bytes.machine.memory = 15 * kMiB;
                              return bytes;
                            }()),
               Error);
}

/// Pages of a matrix in a file count while it is stored; edges have no such file.
TEST(RequireRoom, WhatIsEnoughForAHeaderCountsItsFileWhereItIsAMatrix) {
  GraphHeader header{.vertices = 4000, .arcs = 3'000'000};
  SolveOptions options{.question = {.statistics = false},
                       .method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.threads = 2, .memory = kMiB}};
  const std::int64_t unstored = enough_for(header, options);
  options.storage.output = "a.zarr";
  options.storage.disk = 1;
  const std::int64_t stored = enough_for(header, options);
  EXPECT_LT(stored, unstored + 6'000'000 * 12);
  options.method.tile = 8;  // chunks take no memory then
  EXPECT_GE(stored, enough_for(header, options) + 2 * 1024 * 1024 * 4);
  options.method.tile = 0;
  header.matrix = true;
  EXPECT_GE(enough_for(header, options), 3 * 4000 * 4000 * 8) << "the file, its pages, distances";
}

TEST(RequireRoom, WhatIsEnoughForAHeaderCountsThreadsAndBits) {
  GraphHeader header{.vertices = 20'000, .arcs = 2'500'000};
  SolveOptions options{.question = {.statistics = false},
                       .method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.threads = 2, .memory = kMiB}};
  options.question.semiring = Semiring::or_and;
  const auto enough = [&](Keep keep, int threads) {
    options.storage.keep = keep;
    options.machine.threads = threads;
    return enough_for(header, options);
  };
  EXPECT_LT(enough(Keep::statistics, 2), enough(Keep::matrix, 2) - 20'000 * 20'000 / 2);
  EXPECT_GE(enough(Keep::matrix, 102), enough(Keep::matrix, 2) + 100 * kMiB / 2 - kMiB);
}

TEST(RequireRoom, NamesMemoryThatIsEnoughWhateverTheWeightsAre) {
  for (const bool real : {false, true}) {
    const Graph graph = generate({.vertices = 1600, .probability = 0.6, .real_weights = real});
    for (const bool verify : {false, true}) {
      SolveOptions options{.question = {.verify = verify},
                           .method = {.algorithm = Algorithm::floyd_warshall},
                           .machine = {.device = Device::cpu, .threads = 2, .memory = 1 * kMiB}};
      options.machine.memory = enough_for(header_of(graph), options);
      EXPECT_NO_THROW(require_room(header_of(graph), options));
      EXPECT_TRUE(find_plan(graph, options).fits());
    }
  }
}

TEST(RequireRoom, LetsSmallGraphsBeReadSoThatTheirPlanSaysWhatTheyNeed) {
  GraphHeader header{.vertices = 100, .arcs = 400};
  EXPECT_NO_THROW(require_room(header, {.machine = {.memory = 1}}));
  header.vertices = 10'000'000;  // which no machine has room for
  EXPECT_THROW(require_room(header, {.method = {.algorithm = Algorithm::floyd_warshall},
                                     .machine = {.memory = 1}}),
               Error);
}

TEST(RequireRoom, RefusesByTheHeaderAlone) {
  GraphHeader header{.vertices = 1'000'000, .arcs = 3'000'000};
  EXPECT_NO_THROW(
      require_room(header, {.machine = {.memory = 1000 * kMiB}}));  // solved without a matrix
  EXPECT_THROW(require_room(header, {.method = {.algorithm = Algorithm::floyd_warshall},
                                     .machine = {.memory = 1000 * kMiB}}),
               Error);
  // Predecessors in memory need the matrix beside them; in a file they are found from its rows.
  EXPECT_THROW(require_room(header, {.question = {.predecessors = true},
                                     .machine = {.memory = 1000 * kMiB}}),
               Error);
  EXPECT_NO_THROW(require_room(header, {.question = {.predecessors = true},
                                        .machine = {.memory = 1000 * kMiB},
                                        .storage = {.output = "x.zarr"}}));
  header.matrix = true;
  SolveOptions options{.machine = {.memory = 1000 * kMiB}};
  EXPECT_ERROR(does_not_fit, require_room(header, options));
  header.vertices = 20'000;  // 763 MiB as u16, which its weights may allow
  EXPECT_NO_THROW(require_room(header, options));
  options.method.value_type = ValueType::f64;
  EXPECT_THROW(require_room(header, options), Error);
  options.method.value_type.reset();
  options.question.via = true;
  EXPECT_THROW(require_room(header, options), Error);
  header.vertices = 0;
  EXPECT_NO_THROW(require_room(header, options));
}

/// The disk holds the matrix twice: while it is solved, and as it is stored.
TEST(RequireRoom, LetsAMatrixThroughThatMayRestOnTheDisk) {
  GraphHeader header{.vertices = 1'000'000, .arcs = 3'000'000};
  SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                       .machine = {.memory = 1000 * kMiB}};
  options.storage.output = "x.zarr";
  options.storage.disk = 4'000'000'000'000;  // of u16
  EXPECT_NO_THROW(require_room(header, options));
  SolveOptions other = options;
  other.storage.disk -= 1;
  EXPECT_THROW(require_room(header, other), Error);
  other = options;
  other.question.via = true;
  EXPECT_THROW(require_room(header, other), Error);
  other = options;
  other.question.semiring = Semiring::or_and;
  other.storage.keep = Keep::matrix;
  EXPECT_THROW(require_room(header, other), Error);
}

TEST(RequireRoom, AGraphThatIsReadInAMomentIsNotRefusedByItsHeader) {
  GraphHeader header;
  const SolveOptions options{.method = {.algorithm = Algorithm::floyd_warshall},
                             .machine = {.memory = 1}};
  const auto refused = [&] { EXPECT_ERROR(does_not_fit, require_room(header, options)); };
  header.vertices = 2000;
  header.arcs = 64 * kMiB / 28 / 2;
  EXPECT_NO_THROW(require_room(header, options));
  header.arcs += 1;
  refused();
  header.matrix = true;
  header.vertices = 2896;  // 64 MiB of doubles
  EXPECT_NO_THROW(require_room(header, options));
  header.vertices = 2897;
  refused();
}

}  // namespace
}  // namespace apsp::planner
