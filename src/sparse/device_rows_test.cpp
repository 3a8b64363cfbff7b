// Rows that leave a device, and counts of those that do not, against the textbook; the device is
// the strict one.
#include "sparse/device_rows.hpp"

#include "sparse/device_sweep.hpp"
#include "support/expected_counts.hpp"
#include "support/expected_rows.hpp"
#include "support/factor_of.hpp"
#include "support/random_graph.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"

namespace apsp::sparse::device_rows_test {
namespace {

constexpr std::int64_t kMemory = std::int64_t{64} << 20;

/// From all sources, `lanes` at a time.
flow::CountedDistances count_all(const Factor& factor, kernels::ComputeDevice& device,
                                 std::span<const Vertex> sources, std::int64_t lanes,
                                 std::int64_t limit) {
  const Control control;
  SourceBlocks blocks(sources, lanes, control);
  DeviceSweep sweep(factor, device, sources, lanes);
  return count_on_device(factor.tree().order(), device, sweep, blocks, limit);
}

TEST(DeviceRows, ComeInTheOrderOfTheirSourcesByVertexAndAreCounted) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .greatest = 30, .seed = 8});
  const std::vector<double> expected = expected_rows(graph, Semiring::min_plus, ValueType::u16);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::u16);
  std::vector<Vertex> sources;
  for (Vertex v = 0; v < 120; ++v) sources.push_back(v * 7 % 120);
  for (const DeviceRows& how : {DeviceRows{32, 5}, DeviceRows{64, 64}, DeviceRows{128, 1}}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kMemory);
    std::vector<Vertex> taken;
    const Control control;
    SourceBlocks blocks(sources, how.lanes, control);
    DeviceSweep sweep(factor, *device, sources, how.lanes);
    const auto counted = rows_from_device(
        factor.tree().order(), {}, ValueType::u16, *device, sweep, blocks, how, 4000,
        [&](std::span<const Vertex> some, const void* rows, std::int64_t stride) {
          for (std::size_t i = 0; i < some.size(); ++i) {
            const auto* const row =
                static_cast<const std::uint16_t*>(rows) + static_cast<std::int64_t>(i) * stride;
            for (std::size_t v = 0; v < 120; ++v) {
              const double value = row[v] == 0x7FFF ? no_path(Semiring::min_plus, ValueType::f64)
                                                    : static_cast<double>(row[v]);
              ASSERT_EQ(value, expected[some[i] * 120 + v]);
            }
            taken.push_back(some[i]);
          }
        });
    EXPECT_EQ(taken, sources);
    EXPECT_EQ(counted.to.size(), 120);
    EXPECT_EQ(counted.counts, count_all(factor, *device, sources, 32, 4000).counts);
  }
}

TEST(DeviceRows, AreTakenOnTheDeviceWithoutACopyToTheHost) {
  const Graph graph = random_graph({.n = 120, .arcs = 300, .least = 1, .greatest = 30, .seed = 8});
  const std::vector<double> expected = expected_rows(graph, Semiring::min_plus, ValueType::i32);
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const std::vector<Vertex>& sources = factor.tree().order().vertex_at;
  const auto none = static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
  for (const bool also_here : {false, true}) {
    const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
    const Control control;
    SourceBlocks blocks(sources, 32, control);
    DeviceSweep sweep(factor, *device, sources, 32);
    sweep.finish();
    const std::int64_t before = kernels::strict::copied_out(*device);
    std::vector<Vertex> taken, here;
    TakeRows take;
    if (also_here) {
      take = [&](std::span<const Vertex> some, const void*, std::int64_t) {
        here.insert(here.end(), some.begin(), some.end());
        EXPECT_EQ(here, taken) << "the device's side comes first";
      };
    }
    rows_from_device(
        factor.tree().order(), {}, ValueType::i32, *device, sweep, blocks, {32, 5}, 0, take,
        [&](std::span<const Vertex> some, kernels::View rows) {
          device->await(device->record(sweep.queue()));  // what is queued ahead leaves them alone
          ASSERT_EQ(rows.rows, std::ssize(some));
          ASSERT_EQ(rows.cols, 120);
          for (std::size_t i = 0; i < some.size(); ++i) {
            const auto* const row = static_cast<const std::int32_t*>(rows.data) +
                                    static_cast<std::int64_t>(i) * rows.stride;
            for (std::size_t v = 0; v < 120; ++v) {
              const double value = row[v] == none ? no_path(Semiring::min_plus, ValueType::f64)
                                                  : static_cast<double>(row[v]);
              ASSERT_EQ(value, expected[some[i] * 120 + v]);
            }
            taken.push_back(some[i]);
          }
        });
    EXPECT_EQ(taken, sources);
    EXPECT_EQ(kernels::strict::copied_out(*device) - before, also_here ? 120 * 120 * 4 : 0);
  }
}

TEST(DeviceRows, EndWithWhatTheirTakerThrows) {
  const Graph graph = random_graph({.n = 60, .arcs = 150, .least = 1, .greatest = 30, .seed = 9});
  const Factor factor = factor_of(graph, Semiring::max_min, ValueType::f32);
  const auto device = kernels::strict::make_device(Semiring::max_min, ValueType::f32, kMemory);
  const Control control;
  SourceBlocks blocks(factor.tree().order().vertex_at, 32, control);
  const Error error = error_of([&] {
    DeviceSweep sweep(factor, *device, blocks.sources(), 32);
    rows_from_device(factor.tree().order(), {}, ValueType::f32, *device, sweep, blocks, {32, 8}, 0,
                     [](std::span<const Vertex>, const void*, std::int64_t) {
                       throw Error(ErrorKind::input_output, "full");
                     });
  });
  EXPECT_EQ(error.kind(), ErrorKind::input_output);
}

/// A queue on which nothing was found yet.
class NothingFound final : public dense::DeviceBlocks {
 public:
  explicit NothingFound(kernels::ComputeDevice& device) : queue_(device.make_queue()) {}
  void begin(std::span<const Vertex>) override {}
  kernels::QueueId queue() const override { return queue_; }
  kernels::ConstView distances() const override { return {}; }
  const std::uint32_t* column_labels() const override { return nullptr; }
  void end() override {}
  void finish() override {}

 private:
  kernels::QueueId queue_;
};

TEST(DeviceRows, GiveAllMemoryBackWhereSomeIsMissing) {
  const Order order = natural_order(60);
  constexpr DeviceRows kHow{32, 8};
  const std::int64_t memory = kHow.device_bytes(60, ValueType::u16) - 1;
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, memory);
  NothingFound found(*device);
  SourceBlocks blocks(order.vertex_at, kHow.lanes, Control());
  EXPECT_ERROR(does_not_fit,
               rows_from_device(order, {}, ValueType::u16, *device, found, blocks, kHow, 0, {}));
  EXPECT_EQ(device->memory_free(), memory) << "memory of a queued copy is not given back";
}

void expect_counted(const Graph& graph, ValueType type, std::int64_t lanes) {
  const Factor factor = factor_of(graph, Semiring::min_plus, type);
  const auto device = kernels::strict::make_device(Semiring::min_plus, type, kMemory);
  expect_counts(count_all(factor, *device, factor.tree().order().vertex_at, lanes, 4000),
                expected_rows(graph, Semiring::min_plus, type),
                static_cast<std::size_t>(graph.vertex_count()));
}

TEST(DeviceCount, IsThatOfTheTextbooksRows) {
  for (const ValueType type : {ValueType::u16, ValueType::i32}) {
    for (const bool directed : {false, true}) {
      for (const std::int64_t n : {1, 2, 61, 100}) {
        for (const double least : {0.0, 1.0}) {
          expect_counted(random_graph(n, n * 3 / 2, least, 60, {.directed = directed, .seed = 11}),
                         type, 32);
        }
      }
    }
  }
}

TEST(DeviceCount, AddsUpTotalsThatItFetchedBefore) {
  const Graph graph = random_graph({.n = 100, .arcs = 200, .least = 1, .greatest = 60, .seed = 12});
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const std::vector<Vertex>& sources = factor.tree().order().vertex_at;
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  const auto counted = [&](std::int64_t most) {
    DeviceSweep sweep(factor, *device, sources, 16);
    const auto count =
        statistics::device_counter(*device, sweep.queue(), 100, sources, sources, 4000, most);
    count->begin();
    for (std::size_t first = 0; first < 100; first += 16) {
      const auto some = std::span(sources).subspan(first, std::min<std::size_t>(16, 100 - first));
      sweep.begin(some);
      count->add(sweep.distances(), 0, sweep.column_labels(), static_cast<std::int64_t>(first));
      sweep.end();
    }
    flow::CountedDistances all = count->counted();
    sweep.finish();
    return all;
  };
  const flow::CountedDistances at_once = counted(100), fetched = counted(40);
  EXPECT_EQ(fetched.counts, at_once.counts);
  for (std::size_t v = 0; v < 100; ++v) {
    const auto& [sum, reciprocals, reached] = fetched.to[v];
    EXPECT_EQ(sum, at_once.to[v].sum);
    EXPECT_EQ(reciprocals.high, at_once.to[v].reciprocals.high);
    EXPECT_EQ(reciprocals.low, at_once.to[v].reciprocals.low);
    EXPECT_EQ(reached, at_once.to[v].reached);
    EXPECT_LT(reciprocals.low, std::int64_t{1} << 41) << "carried";
    EXPECT_GE(reciprocals.low, 0);
  }
}

TEST(DeviceCount, LetsNoRowLeaveTheDevice) {
  const Graph graph = random_graph({.n = 120, .arcs = 400, .least = 1, .greatest = 30, .seed = 11});
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::u16);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::u16, kMemory);
  constexpr std::int64_t kLimit = 500;
  count_all(factor, *device, factor.tree().order().vertex_at, 32, kLimit);
  // What statistics and the most central vertices are made of: totals to each vertex, the greatest
  // distance from it, and how often each distance is found.
  EXPECT_EQ(kernels::strict::copied_out(*device),
            120 * std::int64_t{sizeof(kernels::RowTotals)} + 120 * 8 + (kLimit + 1) * 8);
}

TEST(DeviceCount, FindsADistanceBeyondItsLimit) {
  const Graph graph = random_graph({.n = 30, .arcs = 90, .least = 50, .greatest = 60, .seed = 3});
  const Factor factor = factor_of(graph, Semiring::min_plus, ValueType::i32);
  const auto device = kernels::strict::make_device(Semiring::min_plus, ValueType::i32, kMemory);
  EXPECT_ERROR(defect, count_all(factor, *device, factor.tree().order().vertex_at, 32, 55));
}

}  // namespace
}  // namespace apsp::sparse::device_rows_test
