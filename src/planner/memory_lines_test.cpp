// Each line of a memory plan by itself: what one more thread, plane or selection adds. Bytes are
// those that the structures named beside them take.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include "base/units.hpp"
#include "places/transitive_closure.hpp"
#include "planner/memory.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"

namespace apsp::planner {
namespace {

using testing::HasSubstr;

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

SolveOptions nothing_else() { return {.statistics = false}; }
SolveOptions to_zarr() { return {.output = "a.zarr", .statistics = false}; }

MemoryPlan lines(const SolveOptions& options, const Plan& plan) {
  return plan_memory(GraphSize{.bytes = 10 * kMiB, .arcs = 200'000, .integral = true}, options,
                     plan);
}

TEST(MemoryLines, ALayoutIsThatOfItsPlan) {
  Plan plan = dense_plan();
  plan.semiring = Semiring::max_min;
  plan.selection.sources = {1, 2};
  plan.with_via = true;
  SolveOptions options;
  options.predecessors = options.hops = true;
  const store::Layout layout = layout_of(plan, options);
  EXPECT_EQ(layout.n, kN);
  EXPECT_EQ(layout.type, ValueType::i32);
  EXPECT_EQ(layout.semiring, Semiring::max_min);
  EXPECT_EQ(layout.tile, kChunk);
  EXPECT_EQ(layout.rows(), 2);
  EXPECT_THAT(layout.planes, testing::ElementsAre(store::Plane::distance, store::Plane::predecessor,
                                                  store::Plane::via, store::Plane::hops));
  options.output = "a.zarr";
  EXPECT_THAT(layout_in_memory(plan, options).planes,
              testing::ElementsAre(store::Plane::distance, store::Plane::via, store::Plane::hops));
}

TEST(MemoryLines, RuntimeIsThatOfThreadsAndOfCompression) {
  EXPECT_EQ(lines(nothing_else(), dense_plan()).runtime, 8 * kMiB + kThreads * kMiB / 2);
  EXPECT_EQ(lines(to_zarr(), dense_plan()).runtime, 12 * kMiB + kThreads * kMiB / 2);
}

TEST(MemoryLines, AnArcTakesSixteenBytesMoreWhileItIsRead) {
  EXPECT_EQ(lines(nothing_else(), dense_plan()).reading, 10 * kMiB + 200'000 * 16);
  const GraphSize matrix{.bytes = 10 * kMiB, .arcs = 200'000, .matrix = true};
  EXPECT_EQ(plan_memory(matrix, nothing_else(), dense_plan()).reading, 10 * kMiB);
}

TEST(MemoryLines, AChosenPartRestsBesideTheMatrixOfAll) {
  Plan plan = dense_plan();
  const std::int64_t all = lines(nothing_else(), plan).matrix;
  EXPECT_GE(all, kN * kN * 4);
  plan.selection = {{5, 6}, {1, 2, 3}};
  EXPECT_EQ(lines(nothing_else(), plan).matrix, all + 2 * 64) << "rows begin a cache line";
  // Bands of it are picked out for sinks: two rows of three columns, twice.
  EXPECT_EQ(lines(nothing_else(), plan).statistics, 2 * 2 * 3 * 4);
  EXPECT_EQ(lines(to_zarr(), plan).statistics, kThreads * 2 * 3 * 4 + 2 * 2 * 3 * 4);
}

TEST(MemoryLines, SignedWeightsHavePotentialsAndRowsThatAreChecked) {
  Plan plan = dense_plan();
  const std::int64_t without = lines(nothing_else(), plan).solving;
  plan.signed_weights = std::make_shared<SignedWeights>();
  EXPECT_EQ(lines(nothing_else(), plan).solving, without + kN * (16 + 16 * 8));
}

TEST(MemoryLines, StatisticsOfReachabilityCountFourBytesAVertexAndThread) {
  for (const int threads : {1, 5}) {
    EXPECT_EQ(statistics_bytes(kN, ValueType::boolean, true, false, 1, threads),
              kN * (threads * 4 + 9 + 24 + 6 + 56));
  }
}

// A count, slices of 8 bytes of both sums, eccentricities and what is found of each vertex. Besides
// a counter for each cell (statistics/histogram_bins.hpp): 2^19 of a relative width below 0 and
// above, an integer each, and one for no path.
TEST(MemoryLines, StatisticsHaveACounterForEachCell) {
  const auto of_cells = [](ValueType type, bool integral, bool negative, double bound) {
    const std::int64_t slices = type == ValueType::i32 ? 1 + 3 : 3 + 3;
    return statistics_bytes(kN, type, integral, negative, bound, kThreads) -
           kN * (kThreads * (4 + 8 * slices) + 9 + 24 + 6 + 56);
  };
  constexpr std::int64_t kCoarse = 256 << 11;
  EXPECT_EQ(of_cells(ValueType::f64, false, true, 1e6), kThreads * 8 * (2 * kCoarse + 1));
  for (const bool integral : {false, true}) {
    EXPECT_EQ(of_cells(ValueType::i32, integral, true, 99'999),
              kThreads * 8 * (2 * (kCoarse + 100'000) + 1));
  }
  EXPECT_EQ(of_cells(ValueType::f32, true, true, 10), kThreads * 8 * (2 * (kCoarse + 32768) + 1));
  EXPECT_EQ(of_cells(ValueType::f32, true, true, 1e9),
            kThreads * 8 * (2 * (kCoarse + (1 << 21)) + 1));
  // Without negative weights the cells below 0 are touched only where a large page begins above.
  EXPECT_EQ(of_cells(ValueType::f64, false, true, 1) - of_cells(ValueType::f64, false, false, 1),
            kThreads * (8 * kCoarse - 2 * kMiB));
}

TEST(MemoryLines, TablesOfDistancesThatComeVertexByVertexGrowWithTheBound) {
  const auto tables = [](double bound, Semiring semiring, ValueType type, bool integral) {
    const GraphSize graph{.integral = integral};
    const auto statistics = [&](Plan plan) {
      plan.semiring = semiring;
      plan.type = type;
      plan.distance_bound = bound;
      return plan_memory(graph, {}, plan).statistics;
    };
    return statistics(rows_plan(true)) - statistics(dense_plan());
  };
  EXPECT_EQ(tables(999, Semiring::min_plus, ValueType::i32, true), kThreads * 16 * 1000);
  EXPECT_EQ(tables(999, Semiring::min_plus, ValueType::i32, false), kThreads * 16 * 1000);
  EXPECT_EQ(tables(999, Semiring::min_plus, ValueType::f32, true), kThreads * 16 * 1000);
  EXPECT_EQ(tables(999, Semiring::max_min, ValueType::i32, true), kThreads * 32 * 1000);
  EXPECT_EQ(tables(131'071, Semiring::min_plus, ValueType::i32, true), kThreads * 16 * 131'072);
  EXPECT_EQ(tables(131'072, Semiring::min_plus, ValueType::i32, true), kThreads * 4 * 131'073);
  EXPECT_EQ(tables(1e9, Semiring::max_min, ValueType::i32, true), kThreads * 4 * 2'097'152);
  EXPECT_EQ(tables(999, Semiring::min_plus, ValueType::f32, false), 0);
  EXPECT_EQ(tables(1, Semiring::or_and, ValueType::boolean, true), 0);
}

TEST(MemoryLines, RowsThatPassHaveTheirStatisticsWhileTheySolve) {
  SolveOptions options;
  const MemoryPlan kept = lines(options, rows_plan(true));
  EXPECT_EQ(kept.solving, 7000 + 500);
  const MemoryPlan passed = lines(options, rows_plan(false));
  EXPECT_EQ(passed.statistics, 0);
  EXPECT_EQ(passed.storing, 0);
  EXPECT_EQ(passed.solving, 7000 + 500 + 20 + kept.statistics);
  EXPECT_EQ(passed.matrix, 0);
  // Each thread fills a band of tiles, and one is written meanwhile.
  options.output = "a.npy";
  const std::int64_t bands = (kThreads + 1) * kChunk * kN * 4;
  EXPECT_EQ(lines(options, rows_plan(false)).solving, passed.solving + bands);
  Plan small = rows_plan(false);
  small.chunk = 2 * kN;
  EXPECT_EQ(lines(options, small).solving, passed.solving + (kThreads + 1) * kN * kN * 4);
}

TEST(MemoryLines, AZarrIsWrittenInWholeChunks) {
  Plan plan = rows_plan(false);
  plan.n = 2500;  // three chunks a side
  const std::int64_t chunk = kChunk * kChunk * 4, of_graph = 2 * 200'000 * 8;
  SolveOptions options = to_zarr();
  const std::int64_t of_source = 7000 + 500 + 20;
  const std::int64_t bands = (kThreads + 1) * 3 * chunk;
  EXPECT_EQ(lines(options, plan).solving, of_source + bands + 2 * kThreads * chunk + of_graph);
  options.compress = true;
  EXPECT_EQ(lines(options, plan).solving,
            of_source + bands + 4 * kThreads * chunk + 3 * 200'000 * 8);
  options.compress = false;
  plan.stored = Keep::factor;
  EXPECT_EQ(lines(options, plan).solving, of_source + of_graph);
}

TEST(MemoryLines, ChunksOfAZarrAreFilledByEachThread) {
  const std::int64_t chunk = kChunk * kChunk * 4;
  SolveOptions options = to_zarr();
  EXPECT_EQ(lines(options, dense_plan()).statistics, kThreads * chunk);
  EXPECT_EQ(lines(options, dense_plan()).storing, kThreads * chunk + 2 * 200'000 * 8);
  options.compress = true;
  EXPECT_EQ(lines(options, dense_plan()).statistics, 2 * kThreads * chunk);
  EXPECT_EQ(lines(options, dense_plan()).storing, 2 * kThreads * chunk + 3 * 200'000 * 8);
  options.output = "a.npy";
  EXPECT_EQ(lines(options, dense_plan()).statistics, 0);
  EXPECT_EQ(lines(options, dense_plan()).storing, 0);
}

TEST(MemoryLines, ChunksOfIntermediateVerticesTakeFourBytesAPair) {
  Plan plan = dense_plan();
  plan.type = ValueType::u16;
  plan.with_via = true;
  SolveOptions options = to_zarr();
  options.via = true;
  const auto storing = [&] { return plan_memory(GraphSize{}, options, plan).storing; };
  EXPECT_EQ(storing(), kThreads * kChunk * kChunk * 4);
  options.compress = true;
  EXPECT_EQ(storing(), 2 * kThreads * kChunk * kChunk * 4);
}

TEST(MemoryLines, PredecessorsForAFileAreMadeABandAtATime) {
  SolveOptions options = nothing_else();
  options.output = "a.npy";
  options.predecessors = true;
  const std::int64_t trees = kThreads * kN * 150;
  EXPECT_EQ(lines(options, dense_plan()).storing, kChunk * kN * (4 + 4) + trees);
  Plan small = dense_plan();
  small.chunk = 2 * kN;
  EXPECT_EQ(lines(options, small).storing, kN * kN * (4 + 4) + trees);
}

TEST(MemoryLines, PredecessorsThatComeWithRowsFillBandsOfTheirOwn) {
  SolveOptions options = nothing_else();
  options.output = "a.npy";
  Plan plan = rows_plan(false);
  plan.on_device = DevicePlan{};
  const std::int64_t without = lines(options, plan).solving;
  options.predecessors = true;
  const std::int64_t bands = (kThreads + 1) * kChunk * kN * 4;
  EXPECT_EQ(lines(options, plan).solving, without + bands + kThreads * kN * 150);
  plan.rows()->uses.finds_predecessors = true;  // rows of 16 sources are widened
  EXPECT_EQ(lines(options, plan).solving, without + bands + kThreads * 16 * kN * 4);
  options.resume = true;  // rows that are there come without predecessors
  EXPECT_EQ(lines(options, plan).solving, without + bands + kThreads * kN * 150);
}

TEST(MemoryLines, ReachabilityIsSolvedInBits) {
  Plan plan = dense_plan();
  plan.semiring = Semiring::or_and;
  plan.type = ValueType::boolean;
  const std::int64_t bits = places::transitive_closure_bytes(kN);
  const std::int64_t panels = places::transitive_closure_panel_bytes(kN);
  EXPECT_EQ(lines(nothing_else(), plan).solving, panels + bits);
  plan.keep = Keep::statistics;
  EXPECT_EQ(lines(nothing_else(), plan).solving, panels);
  EXPECT_EQ(lines(nothing_else(), plan).matrix, bits);
  // Bands are widened from bits to bytes when the solve is over.
  EXPECT_EQ(lines(nothing_else(), plan).statistics, kChunk * kN);
  plan.selection = {{5, 6}, {1, 2, 3}};
  EXPECT_EQ(lines(nothing_else(), plan).statistics, 2 * 3 + kN);
}

TEST(MemoryLines, AVerifierHoldsRowsAndReadsPlanesAgain) {
  SolveOptions options = nothing_else();
  EXPECT_EQ(lines(options, dense_plan()).checking, 0);
  options.verify = true;
  const std::int64_t rows = kN * kN * 4, workers = kN * (88 + kThreads * 24);
  EXPECT_EQ(lines(options, dense_plan()).checking, rows + workers);
  options.predecessors = true;
  EXPECT_EQ(lines(options, dense_plan()).checking, 2 * rows + workers);
  options.predecessors = false;
  options.output = "a.zarr";
  Plan plan = dense_plan();
  const std::int64_t chunk = kChunk * kChunk * 8;
  EXPECT_EQ(lines(options, plan).checking, 2 * rows + workers + chunk);
  plan.with_via = true;
  EXPECT_EQ(lines(options, plan).checking, 2 * rows + workers + chunk + kN * kN * (4 + 4));
  options.hops = true;
  EXPECT_EQ(lines(options, plan).checking, 2 * rows + workers + chunk + kN * kN * (4 + 4 + 4));
  // Of a large matrix, 256 MiB of rows, and as much of chunks.
  plan = dense_plan();
  plan.n = 10'000;
  options.hops = false;
  EXPECT_EQ(lines(options, plan).checking, 512 * kMiB + 10'000 * (88 + kThreads * 24) + chunk);
}

TEST(MemoryLines, AVerifierIsBesideAMatrixThatIsKept) {
  Plan plan = dense_plan();
  for (const Keep keep : {Keep::matrix, Keep::statistics}) {
    plan.keep = keep;
    EXPECT_EQ(lines({.verify = true}, plan).matrix_kept, keep == Keep::matrix);
  }
}

TEST(MemoryLines, AVerifierReadsAFactorAgain) {
  SolveOptions options = nothing_else();
  options.verify = true;
  Plan plan = rows_plan(false);
  const std::int64_t without = lines(options, plan).checking;
  plan.keep = Keep::factor;
  EXPECT_EQ(lines(options, plan).checking, without + 7000 + 500);
  plan.stored = Keep::factor;
  EXPECT_EQ(lines(options, plan).checking, without + 2 * 7000 + 500);
}

TEST(MemoryLines, WhatIsAskedForIsWhatMayBeUsed) {
  EXPECT_EQ(allowed_bytes({.memory = 12345}), 12345);
  EXPECT_EQ(allowed_bytes({.memory = 1}), 1);
  EXPECT_EQ(allowed_disk({.disk = 54321}), 54321);
  EXPECT_EQ(allowed_disk({.disk = 1}), 1);
  EXPECT_GT(allowed_bytes({}), kMiB);
  EXPECT_GT(allowed_disk({.output = "a.zarr"}), 0);
  EXPECT_EQ(allowed_disk({.output = "/no/such/folder/a.zarr"}),
            std::numeric_limits<std::int64_t>::max());
}

TEST(MemoryLines, SizesOfAGraphAreThoseOfItsWeights) {
  const auto negative = [](double least) {
    return size_of(graph_of(2, {{0, 1, least}, {1, 0, 9}})).negative;
  };
  EXPECT_TRUE(negative(-1));
  EXPECT_FALSE(negative(0));
}

/// Of one column the tiles of a .zarr have one.
TEST(MemoryLines, BandsOfAChosenColumnAreAsNarrow) {
  Plan plan = dense_plan();
  plan.selection = {{5, 6}, {1}};
  const std::int64_t none = lines(nothing_else(), plan).statistics;
  EXPECT_EQ(none, 2 * 2 * 4);
  EXPECT_EQ(lines(to_zarr(), plan).statistics, 2 * 2 * 4 + kThreads * 2 * 4);
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

TEST(MemoryLines, WhatIsEnoughForAHeaderCountsItsArcsAndTheWidestType) {
  GraphHeader header;
  header.vertices = 4000;
  header.arcs = 10'000'000;  // of both directions, in 28 bytes while they are read
  SolveOptions options{.algorithm = Algorithm::floyd_warshall, .threads = 2, .memory = kMiB};
  const std::int64_t enough = enough_for(header, options);
  const std::int64_t reading = 20'000'000 * 28, matrix = 4000 * 4000 * 8;
  // Names, and what weights of both signs take.
  const std::int64_t exact = 9 * kMiB + reading + 4000 * (256 + 144);
  EXPECT_GE(enough, exact);
  EXPECT_LT(enough, exact + kMiB);
  EXPECT_GE(enough, 20'000'000 * 12 + matrix);
  EXPECT_GE(enough, reading);
  EXPECT_LT(enough, reading + matrix);
  header.arcs = 3'000'000;
  const std::int64_t of_f64 = enough_for(header, options);
  EXPECT_GE(of_f64, 6'000'000 * 12 + matrix);
  options.value_type = ValueType::u16;
  EXPECT_LT(enough_for(header, options), of_f64 - matrix / 2);
  // Reachability is solved in bits beside its bytes.
  options.value_type.reset();
  options.semiring = Semiring::or_and;
  options.keep = Keep::matrix;
  header.arcs = 2'500'000;
  const std::int64_t of_bytes = enough_for(header, options);
  EXPECT_GE(of_bytes, 5'000'000 * 12 + 4000 * 4000 + places::transitive_closure_bytes(4000));
  options.keep = Keep::statistics;
  EXPECT_NO_THROW(require_room(header, [&] {
    SolveOptions bits = options;
    bits.memory = 2 * kMiB;  // 4,000² bits
    return bits;
  }()));
  options.keep = Keep::automatic;
  EXPECT_THROW(require_room(header,
                            [&] {
                              SolveOptions bytes = options;
                              bytes.memory = 15 * kMiB;
                              return bytes;
                            }()),
               Error);
}

/// Pages of a matrix in a file count while it is stored; edges have no such file.
TEST(MemoryLines, WhatIsEnoughForAHeaderCountsItsFileWhereItIsAMatrix) {
  GraphHeader header;
  header.vertices = 4000;
  header.arcs = 3'000'000;
  SolveOptions options{
      .algorithm = Algorithm::floyd_warshall, .threads = 2, .memory = kMiB, .statistics = false};
  const std::int64_t unstored = enough_for(header, options);
  options.output = "a.zarr";
  options.disk = 1;
  const std::int64_t stored = enough_for(header, options);
  EXPECT_LT(stored, unstored + 6'000'000 * 12);
  options.tile = 8;  // chunks take no memory then
  EXPECT_GE(stored, enough_for(header, options) + 2 * 1024 * 1024 * 4);
  options.tile = 0;
  header.matrix = true;
  EXPECT_GE(enough_for(header, options), 3 * 4000 * 4000 * 8) << "the file, its pages, distances";
}

TEST(MemoryLines, WhatIsEnoughForAHeaderCountsThreadsAndBits) {
  GraphHeader header;
  header.vertices = 20'000;
  header.arcs = 2'500'000;
  SolveOptions options{
      .algorithm = Algorithm::floyd_warshall, .threads = 2, .memory = kMiB, .statistics = false};
  options.semiring = Semiring::or_and;
  const auto enough = [&](Keep keep, int threads) {
    options.keep = keep;
    options.threads = threads;
    return enough_for(header, options);
  };
  EXPECT_LT(enough(Keep::statistics, 2), enough(Keep::matrix, 2) - 20'000 * 20'000 / 2);
  EXPECT_GE(enough(Keep::matrix, 102), enough(Keep::matrix, 2) + 100 * kMiB / 2 - kMiB);
}

TEST(MemoryLines, RoomForCountsThePlanes) {
  const std::int64_t runtime = 8 * kMiB + 2 * kMiB / 2, side = 1000;
  const auto room = [&](std::int64_t bytes, bool via, bool hops) {
    return room_for(runtime + bytes, 2000, {.threads = 2, .via = via, .hops = hops},
                    ValueType::u16);
  };
  for (const bool via : {false, true}) {
    EXPECT_THAT(room(side * side * 10, via, true), HasSubstr("about 1,000 vertices"));
    EXPECT_THAT(room(side * side * 10 - 1, via, true), HasSubstr("about 999 vertices"));
  }
  EXPECT_THAT(room(side * side * 6, true, false), HasSubstr("about 1,000 vertices"));
  EXPECT_THAT(room(side * side * 6 - 1, true, false), HasSubstr("about 999 vertices"));
}

TEST(MemoryLines, RoomForIsNamedFromTwoVerticesOn) {
  const std::int64_t runtime = 8 * kMiB + 2 * kMiB / 2;
  const auto room = [&](std::int64_t pairs, std::int64_t n) {
    return room_for(runtime + pairs * 2, n, {.threads = 2}, ValueType::u16);
  };
  EXPECT_EQ(room(3, 100), "");
  EXPECT_THAT(room(4, 100), HasSubstr("about 2 vertices"));
  EXPECT_THAT(room(4, 3), HasSubstr("about 2 vertices"));
  EXPECT_EQ(room(4, 2), "");
}

TEST(MemoryLines, AGraphThatIsReadInAMomentIsNotRefusedByItsHeader) {
  GraphHeader header;
  const SolveOptions options{.algorithm = Algorithm::floyd_warshall, .memory = 1};
  const auto refused = [&] {
    const Error error = error_of([&] { require_room(header, options); });
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit);
    EXPECT_THAT(error.what(), HasSubstr("only the header was read"));
  };
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
