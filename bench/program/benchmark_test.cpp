// The benchmark of the CPU, and that of a GPU on a device that is none: every part is measured and
// checked, and wrong results are noticed.
#include "program/benchmark.hpp"

#include "base/json.hpp"
#include "dense/device_memory.hpp"
#include "program/benchmark_expected.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::bench::benchmark_test {
namespace {

using kernels::View;

std::unique_ptr<kernels::ComputeDevice> make_strict(const BenchmarkKernel& kernel) {
  constexpr std::int64_t kMemory = std::int64_t{1} << 30;
  return kernel == kReach ? kernels::strict::make_bit_device(kMemory)
                          : kernels::strict::make_device(kernel.semiring, kernel.type, kMemory);
}

DeviceUnderTest strict_device() {
  kernels::cuda::DeviceFacts facts;
  facts.name = "strict";
  facts.capability = 90;
  facts.driver = "0.0";
  return {facts, make_strict,
          [](const BenchmarkKernel& kernel) { return kernel == kReach ? 0 : 1e12; }};
}

constexpr std::int64_t kSide = 96, kDepth = 64;

TEST(DeviceBenchmark, MeasuresAndChecksEveryPart) {
  const DeviceExtent extent{kSide, kDepth, {40, 150}, {}, 2};
  const BenchmarkReport report = measure_device({.threads = 2}, strict_device(), extent);
  expect_whole(report, extent);
  EXPECT_EQ(report.peaks.size(), 5u) << "packed bits have none";
  EXPECT_EQ(report.products.front().share_of_peak, rate(report.products.front()) / 1e12);
  std::set<ValueType> types;
  for (const SolveRow& row : report.solves) {
    types.insert(row.kernel.type);
    const bool plain = row.kernel == kMain && row.shape == dense::Shape::full && !row.via;
    EXPECT_EQ(row.against_plain > 0, !plain) << name_of(row.kernel) << ", n " << row.n;
  }
  EXPECT_EQ(types.size(), 5u);
  const nlohmann::json json = to_json(report);
  EXPECT_EQ(json["device"]["name"], "strict");
  EXPECT_EQ(json["solves"].size(), report.solves.size());
  EXPECT_EQ(json["correct"], true);
}

TEST(DeviceBenchmark, ARowThatFailsSaysWhyAndOthersAreMeasured) {
  DeviceUnderTest device = strict_device();
  device.make = [](const BenchmarkKernel& kernel) {
    if (kernel.type == ValueType::f64) throw Error(ErrorKind::device, "no such kernel");
    return make_strict(kernel);
  };
  const BenchmarkReport report =
      measure_device({.threads = 2}, device, {kSide, kDepth, {40}, {}, 2});
  EXPECT_FALSE(report.correct);
  for (const SolveRow& row : report.solves) {
    EXPECT_EQ(row.verdict.correct, row.kernel.type != ValueType::f64);
    EXPECT_EQ(row.verdict.error, row.verdict.correct ? "" : "no such kernel");
  }
  EXPECT_EQ(to_json(report)["products"][4]["error"], "no such kernel");
}

TEST(DeviceBenchmark, ComparesTilesWithTheOneThatIsChosen) {
  const BenchmarkReport report =
      measure_device({.threads = 2}, strict_device(), {kSide, kDepth, {150}, {32, 64}, 1});
  EXPECT_TRUE(report.correct);
  ASSERT_EQ(report.solves.size(), 3u);
  EXPECT_EQ(report.solves[0].tile, 32);
  EXPECT_EQ(report.solves[1].tile, 64);
  EXPECT_TRUE(report.solves[2].chosen);
  EXPECT_TRUE(report.products.empty());
}

TEST(HostBenchmark, EveryTileIsSolvedAndChecked) {
  const BenchmarkReport report =
      measure_host({.vertices = {100, 65}, .tiles = {16, 48, 16, 4000}, .threads = 2});
  EXPECT_TRUE(report.correct);
  for (const std::int64_t n : {100, 65}) {
    std::set<std::int64_t> tiles;
    int chosen = 0;
    for (const SolveRow& row : report.solves) {
      if (row.n != n) continue;
      EXPECT_TRUE(tiles.insert(row.tile).second) << row.tile << " twice";
      EXPECT_EQ(row.samples.size(), 21u);
      EXPECT_GT(rate(row), 0);
      chosen += row.chosen ? 1 : 0;
    }
    EXPECT_EQ(chosen, 1);
    for (const std::int64_t tile : {16, 48}) EXPECT_TRUE(tiles.contains(tile)) << tile;
    EXPECT_LE(*tiles.rbegin(), std::max<std::int64_t>(n, 64)) << "no tile beyond the matrix";
  }
}

TEST(Benchmark, EndsWhenTheCallerAsks) {
  Cancellation cancellation;
  cancellation.request();
  const BenchmarkOptions options{.vertices = {100}, .control = {nullptr, &cancellation}};
  const auto kind = [](const auto& act) { return error_of(act).kind(); };
  EXPECT_EQ(kind([&] { measure_host(options); }), ErrorKind::interrupted);
  EXPECT_EQ(kind([&] {
              measure_device(options, strict_device(), {kSide, kDepth, {40}, {}, 2});
            }),
            ErrorKind::interrupted);
}

/// A solved matrix of values or bits, and its check after a change.
template <class T>
struct Solved {
  Solved(const BenchmarkKernel& kernel, std::int64_t vertices, bool tracks_via = false)
      : n(vertices),
        graph({.semiring = kernel.semiring,
               .type = kernel.type,
               .n = n,
               .seed = 5,
               .bits = kernel == kReach}) {
    const int columns = kernel == kReach ? 32 : 1;
    const std::int64_t width = (n + columns - 1) / columns;
    values.resize(static_cast<std::size_t>(n * width));
    via.assign(tracks_via ? static_cast<std::size_t>(n * n) : 0, kernels::kNoVia);
    matrix = {values.data(), n, width, width};
    graph.fill(matrix, 2);
    EXPECT_FALSE(right()) << "nothing is solved";
    if (tracks_via) via_matrix = {via.data(), n, n, n};
    const auto device = make_strict(kernel);
    const Control control;
    dense::TiledMatrix tiled_via{};
    if (tracks_via) tiled_via = {via_matrix, 4, 32};
    dense::DeviceMemory(*device, {matrix, int{sizeof(T)}, columns == 32 ? 128 : 32, columns},
                        dense::Shape::full, kernels::Cycles::excluded, control, tiled_via)
        .run();
    EXPECT_TRUE(right());
  }
  bool right() const { return graph.check(matrix, via_matrix, 2).correct; }

  std::int64_t n;
  RandomGraph graph;
  std::vector<T> values;
  std::vector<std::int32_t> via;
  View matrix{}, via_matrix{};
};

template <class T>
void expect_wrong_entries_noticed(ValueType type) {
  Solved<T> solved({Semiring::min_plus, type, kernels::Sign::any}, 70);
  for (const T difference : {T(-1), T(1)}) {
    solved.values[13 * 70 + 7] += difference;  // of a row whose every value is compared
    EXPECT_FALSE(solved.right()) << name(type);
    solved.values[13 * 70 + 7] -= difference;
  }
  solved.values[33 * 70 + 7] += T(1);  // longer than a path of two arcs
  EXPECT_FALSE(solved.right()) << name(type);
}

TEST(RandomGraphCheck, NoticesAWrongEntry) {
  expect_wrong_entries_noticed<float>(ValueType::f32);
  expect_wrong_entries_noticed<std::uint16_t>(ValueType::u16);
  expect_wrong_entries_noticed<std::int32_t>(ValueType::i32);
}

TEST(RandomGraphCheck, NoticesAWrongIntermediateVertex) {
  Solved<float> solved(kMain, 50, true);
  for (const std::int32_t wrong : {std::int32_t{-2}, std::int32_t{0}, std::int32_t{49}}) {
    const std::int32_t right = std::exchange(solved.via[3 * 50 + 4], wrong);
    EXPECT_EQ(solved.right(), right == wrong) << wrong;
    solved.via[3 * 50 + 4] = right;
  }
}

TEST(RandomGraphCheck, NoticesAWrongBit) {
  Solved<std::uint32_t> solved(kReach, 300);
  solved.values[0] ^= 1u << 5;
  EXPECT_FALSE(solved.right());
}

TEST(DeviceBenchmark, SizesFollowTheExtentAndTheDevicesMemory) {
  BenchmarkOptions options{.extent = BenchmarkExtent::quick};
  const std::int64_t large = std::int64_t{140} << 30, small = std::int64_t{8} << 30;
  EXPECT_THAT(device_extent(options, large).vertices, testing::ElementsAre(1024, 2048, 4096));
  options.extent = BenchmarkExtent::full;
  EXPECT_EQ(device_extent(options, large).vertices.back(), 32768);
  EXPECT_EQ(device_extent(options, small).vertices.back(), 16384);
  EXPECT_EQ(device_extent(options, small).product_side, 16384);
  options.vertices = {7, 9};
  EXPECT_THAT(device_extent(options, large).vertices, testing::ElementsAre(7, 9));
}

TEST(DeviceBenchmark, WithoutADeviceItSaysSo) {
  const Error error = error_of([] { cuda_device(1000); });
  EXPECT_EQ(error.kind(), ErrorKind::device);
  EXPECT_THAT(error.what(), testing::HasSubstr("--device"));
}

}  // namespace
}  // namespace apsp::bench::benchmark_test
