// What only a GPU can show, against the strict device, which does the same in textbook loops. The
// conformance suite runs on the GPU besides (conformance_gpu).
#include <fmt/format.h>
#include <apsp/graph.hpp>

#include "base/random.hpp"
#include "dense/device_buffer.hpp"
#include "dense/device_memory.hpp"
#include "dense/offload_plan.hpp"
#include "dense/reachable_bits.hpp"
#include "dense/streamed_memory.hpp"
#include "dense/transitive_closure.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "kernels/row_kernels.hpp"
#include "semiring/dispatch.hpp"
#include "support/device_values.hpp"
#include "support/on_gpu.hpp"
#include "support/strict/strict_device.hpp"
#include "support/test.hpp"
#include "support/watched.hpp"

namespace apsp::cuda_device_test {
namespace {

using kernels::ComputeDevice;
using kernels::Cycles;
using kernels::Range;
using kernels::Sign;
using kernels::View;

constexpr std::int64_t kStrictMemory = std::int64_t{256} << 20;

class CudaDevice : public OnGpu {};

/// One update on random operands; the operands' shapes follow from C's.
struct Product {
  std::int64_t rows, cols, depth;
  Range skipped_rows{}, skipped_cols{};
  std::int64_t triangle = 0;
  std::int64_t offset = 0;  // of C in its allocation, values: breaks its alignment
};

template <class T>
struct Planes {
  std::vector<T> values;
  std::vector<std::int32_t> via;
};

template <class S>
Planes<typename S::Value> run(ComputeDevice& device, const Product& p, std::uint64_t seed) {
  using T = typename S::Value;
  base::SplitMix64 random(seed);
  const auto matrix = [&](std::int64_t rows, std::int64_t cols) {
    std::vector<T> values(static_cast<std::size_t>(rows * cols));
    for (T& value : values) {
      value = random.below(4) == 0 ? S::zero() : static_cast<T>(random.below(100));
    }
    return values;
  };
  const auto queue = device.make_queue();
  const auto to_device = [&](std::vector<T>& values, std::int64_t rows, std::int64_t cols) {
    auto* const memory = device.allocate(rows * cols * static_cast<std::int64_t>(sizeof(T)));
    const View tile{memory, rows, cols, cols};
    device.copy_in(queue, tile, View{values.data(), rows, cols, cols}, sizeof(T));
    return tile;
  };
  const std::int64_t width = p.cols + p.offset;
  auto c = matrix(p.rows, width), a = matrix(p.rows, p.depth), b = matrix(p.depth, p.cols);
  const View dc = to_device(c, p.rows, width), da = to_device(a, p.rows, p.depth),
             db = to_device(b, p.depth, p.cols);
  std::vector<std::int32_t> via(c.size(), kernels::kNoVia);
  const View hv{via.data(), p.rows, width, width};
  const View dv{device.allocate(p.rows * width * 4), p.rows, width, width};
  device.copy_in(queue, dv, hv, 4);
  auto* const left = device.allocate(device.tiles().left_bytes(p.rows, p.depth));
  auto* const right = device.allocate(device.tiles().right_bytes(p.cols, p.depth));
  device.tiles().pack_left(queue, da, false, left);
  device.tiles().pack_right(queue, db, false, right);
  device.tiles().multiply_add(queue, {.c = part(dc, sizeof(T), 0, p.offset, p.rows, p.cols),
                                      .via = part(dv, 4, 0, p.offset, p.rows, p.cols),
                                      .left = left,
                                      .right = right,
                                      .depth = p.depth,
                                      .first_pivot = 1000,
                                      .skipped_rows = p.skipped_rows,
                                      .skipped_cols = p.skipped_cols,
                                      .triangle = p.triangle});
  device.copy_out(queue, View{c.data(), p.rows, width, width}, dc, sizeof(T));
  device.copy_out(queue, hv, dv, 4);
  device.synchronize(queue);
  return {std::move(c), std::move(via)};
}

TEST_F(CudaDevice, UpdatesAgreeWithTheStrictDevice) {
  const std::vector<Product> products = {
      {1, 1, 1},
      {64, 128, 16},
      {200, 333, 70},
      {200, 333, 70, {}, {}, 0, 1},
      {512, 512, 128, {128, 384}, {128, 384}},
      {300, 300, 64, {128, 300}, {0, 128}},
      {512, 512, 33, {}, {}, 256},
      {700, 700, 128, {128, 256}, {128, 256}, 128},
  };
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (!supported(semiring, type) || semiring == Semiring::or_and) continue;
      semiring::dispatch(semiring, type, [&]<class S>() {
        for (const Product& product : products) {
          if (watched() && product.rows > 300) continue;
          const auto gpu = apsp::gpu(semiring, type);
          const auto strict = kernels::strict::make_device(semiring, type, kStrictMemory);
          const auto got = run<S>(*gpu, product, 7), want = run<S>(*strict, product, 7);
          ASSERT_EQ(got.values, want.values)
              << name(semiring) << " " << name(type) << ", " << product.rows << " rows";
          ASSERT_EQ(got.via, want.via)
              << name(semiring) << " " << name(type) << ", " << product.rows << " rows";
        }
      });
    }
  }
}

TEST_F(CudaDevice, TellsWhetherAnEventIsReached) {
  const auto device = gpu(Semiring::min_plus, ValueType::f32, Sign::any);
  const auto queue = device->make_queue();
  constexpr std::int64_t kSide = 4096;
  std::byte* const c = device->allocate(kSide * kSide * 4);
  std::byte* const left = device->allocate(device->tiles().left_bytes(kSide, kSide));
  std::byte* const right = device->allocate(device->tiles().right_bytes(kSide, kSide));
  const std::vector<float> ones(kSide * kSide, 1);
  const View matrix{c, kSide, kSide, kSide};
  device->copy_in(queue, matrix, {ones.data(), kSide, kSide, kSide}, 4);
  device->tiles().pack_left(queue, matrix, false, left);
  device->tiles().pack_right(queue, matrix, false, right);
  device->synchronize(queue);
  for (int i = 0; i < 20; ++i) {  // some 200 ms
    device->tiles().multiply_add(queue,
                                 {.c = matrix, .left = left, .right = right, .depth = kSide});
  }
  const auto event = device->record(queue);
  EXPECT_FALSE(device->reached(event));
  device->await(event);
  EXPECT_TRUE(device->reached(event));
}

/// Rows too short for the copy engines: those that a kernel writes, and those that it cannot.
TEST_F(CudaDevice, TilesOfShortRowsLeaveForPinnedMemoryAndForOther) {
  constexpr std::int64_t kStride = 5000, kGuard = -7;
  const auto device = gpu(Semiring::min_plus, ValueType::i32);
  const kernels::QueueId queue = device->make_queue();
  for (const auto& [rows, cols, first] : std::vector<std::array<std::int64_t, 3>>{{512, 512, 8},
                                                                                  {512, 512, 7},
                                                                                  {511, 1024, 4},
                                                                                  {700, 500, 0},
                                                                                  {700, 501, 4},
                                                                                  {300, 1028, 4},
                                                                                  {40, 64, 0}}) {
    const std::int64_t there_stride = device->tiles().stride(cols);
    std::vector<std::int32_t> values(static_cast<std::size_t>(rows * there_stride));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int32_t>(i);
    const dense::DeviceBuffer memory(*device, rows * there_stride * 4);
    const View there{memory.data(), rows, cols, there_stride};
    device->copy_in(queue, there, View{values.data(), rows, cols, there_stride}, 4);
    for (const bool pinned : {false, true}) {
      std::vector<std::int32_t> host(static_cast<std::size_t>(rows * kStride), kGuard);
      const View whole{host.data(), rows, kStride, kStride};
      {
        const dense::PinnedMemory pages(*device, pinned ? whole : View{}, 4);
        device->copy_out(queue, kernels::part(whole, 4, 0, first, rows, cols), there, 4);
        device->synchronize(queue);
      }
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < kStride; ++j) {
          const bool inside = j >= first && j < first + cols;
          ASSERT_EQ(host[static_cast<std::size_t>(i * kStride + j)],
                    inside ? i * there_stride + j - first : kGuard)
              << rows << " x " << cols << " at " << first << ", pinned " << pinned;
        }
      }
    }
  }
}

TEST_F(CudaDevice, HasNoRowsOfBits) {
  const auto device = gpu(Semiring::or_and, ValueType::boolean);
  EXPECT_EQ(device->gathered_rows(), nullptr);
  EXPECT_EQ(device->searches(), nullptr);
  EXPECT_EQ(device->shortest_paths(), nullptr);
  EXPECT_EQ(device->counts(), nullptr);
}

/// The copy engine once overwrote operands that were still being loaded: a few wrong values in
/// millions, in most solves of this size and type.
TEST_F(CudaDevice, SolvesAreTheSameInEveryType) {
  const std::int64_t kSide = watched() ? 330 : 2500;
  constexpr std::int64_t kInTiles = 128, kWhole = 2560;
  base::SplitMix64 random(3);
  std::vector<double> weights(static_cast<std::size_t>(kSide * kSide));
  for (double& weight : weights) weight = static_cast<double>(1 + random.below(100));
  for (std::int64_t i = 0; i < kSide; ++i) weights[static_cast<std::size_t>(i * kSide + i)] = 0;
  const auto solved = [&]<class T>(ValueType type, T, std::int64_t tile) {
    std::vector<T> matrix(weights.begin(), weights.end());
    const auto device = gpu(Semiring::min_plus, type);
    const Control control;
    const View whole{matrix.data(), kSide, kSide, kSide};
    dense::DeviceMemory(*device, {whole, sizeof(T), tile}, dense::Shape::full, Cycles::excluded,
                        control)
        .run();
    return std::vector<double>(matrix.begin(), matrix.end());
  };
  const std::vector<double> want = solved(ValueType::i32, std::int32_t{}, kInTiles);
  EXPECT_EQ(solved(ValueType::i32, std::int32_t{}, kWhole), want);
  for (int repetition = 0; repetition < (watched() ? 1 : 4); ++repetition) {
    for (const std::int64_t tile : {kInTiles, kWhole}) {
      EXPECT_EQ(solved(ValueType::f64, double{}, tile), want) << tile;
      EXPECT_EQ(solved(ValueType::f32, float{}, tile), want) << tile;
      EXPECT_EQ(solved(ValueType::u16, std::uint16_t{}, tile), want) << tile;
    }
  }
}

TEST_F(CudaDevice, ClosesGraphsInBits) {
  for (const std::int64_t n : sizes({1, 33, 500, 1025, 2100, 5000}, {1, 33, 500})) {
    const Graph graph = generate({.kind = GraphKind::gnp,
                                  .vertices = n,
                                  .probability = std::min(1.0, 1.2 / static_cast<double>(n)),
                                  .directed = true});
    std::vector<std::uint8_t> gpu(static_cast<std::size_t>(n * n)), cpu(gpu.size());
    dense::unpack(*dense::reachable_bits(graph, 2), {cpu.data(), n, n, n}, 2, {});
    const auto expect_same = [&](auto&& solve) {
      const auto device = apsp::gpu(Semiring::or_and, ValueType::boolean, Sign::any);
      dense::DeviceBits bits(n);
      bits.fill(graph, 2, {});
      solve(*device, bits.tiled());
      dense::unpack(bits, {gpu.data(), n, n, n}, 2, {});
      EXPECT_EQ(gpu, cpu) << n;
    };
    const Control control;
    expect_same([&](kernels::ComputeDevice& device, const dense::TiledMatrix& matrix) {
      dense::DeviceMemory(device, matrix, dense::Shape::full, Cycles::excluded, control).run();
    });
    // As one tile, which parts of several processes close.
    expect_same([&](kernels::ComputeDevice& device, const dense::TiledMatrix& matrix) {
      const auto queue = device.make_queue();
      const std::int64_t words = matrix.matrix.cols, stride = device.tiles().stride(words);
      const dense::DeviceBuffer memory(device, n * stride * 4),
          scratch(device, device.tiles().close_bytes(n));
      const View tile{memory.data(), n, words, stride};
      device.copy_in(queue, tile, matrix.matrix, 4);
      device.tiles().close(queue, tile, {}, Cycles::excluded, 0, scratch.data());
      device.copy_out(queue, matrix.matrix, tile, 4);
      device.synchronize(queue);
    });
    for (const std::int64_t more : {0, 1 << 18, 1 << 22}) {
      expect_same([&](kernels::ComputeDevice& device, const dense::TiledMatrix& matrix) {
        dense::OffloadProblem problem{.n = n,
                                      .value_size = matrix.value_size,
                                      .tile = matrix.tile,
                                      .columns_per_value = matrix.columns_per_value};
        problem.device_memory = dense::least_offload_bytes(problem, device.tiles()) + more;
        const dense::OffloadRates rates{.relaxations = 5e14, .in = 5e10, .out = 5e10, .both = 8e10};
        dense::StreamedMemory(device, dense::plan_offload(problem, rates, device.tiles()), matrix,
                              Cycles::excluded, control)
            .run();
      });
    }
  }
}

/// Closes a tile by its kernels, or as a whole in one launch.
void close(ComputeDevice& device, kernels::QueueId queue, View tile, std::int64_t first_pivot,
           bool whole) {
  kernels::TileKernels& tiles = device.tiles();
  std::byte* const scratch =
      device.allocate(whole ? tiles.whole_bytes(tile.rows) : tiles.close_bytes(tile.rows));
  if (whole) {
    tiles.close_whole(queue, tile, {}, Cycles::possible, first_pivot, scratch);
  } else {
    tiles.close(queue, tile, {}, Cycles::possible, first_pivot, scratch);
  }
}

/// Their values change sign on the way to the kernels and back.
TEST_F(CudaDevice, LongestPathsHaveOneZero) {
  const float none = -std::numeric_limits<float>::infinity();
  const auto device = gpu(Semiring::max_plus, ValueType::f32, Sign::any);
  const auto queue = device->make_queue();
  for (const bool whole : {false, true}) {
    std::vector<float> matrix = {0, 3, none, none, 0, -3, none, none, 0};
    float* const values = to_device(*device, queue, matrix);
    close(*device, queue, {values, 3, 3, 3}, 0, whole);
    fetch(*device, queue, matrix, values);
    EXPECT_THAT(matrix, ElementsAre(0, 3, 0, none, 0, -3, none, none, 0));
    for (const std::size_t zero : {0, 2, 4, 8}) EXPECT_FALSE(std::signbit(matrix[zero])) << zero;
  }
}

TEST_F(CudaDevice, FindsTheFirstPivotOnANegativeCycle) {
  const auto device = gpu(Semiring::min_plus, ValueType::i32, Sign::any);
  const auto queue = device->make_queue();
  constexpr std::int64_t kSide = 300;
  std::vector<std::int32_t> matrix(kSide * kSide, (1 << 30) - 1);
  for (std::int64_t i = 0; i < kSide; ++i) matrix[static_cast<std::size_t>(i * kSide + i)] = 0;
  matrix[190 * kSide + 200] = 3;
  matrix[200 * kSide + 190] = -4;
  for (const bool whole : {false, true}) {
    close(*device, queue, {to_device(*device, queue, matrix), kSide, kSide, kSide}, 50, whole);
    device->synchronize(queue);
    EXPECT_EQ(device->tiles().take_pivot(), 250);
    EXPECT_EQ(device->tiles().take_pivot(), -1);
  }
}

TEST_F(CudaDevice, KeepsToItsMemory) {
  const auto device = kernels::cuda::make_device(0, Semiring::min_plus, ValueType::f32, Sign::any,
                                                 std::int64_t{1} << 20);
  std::byte* const half = device->allocate(1 << 19);
  EXPECT_ERROR(does_not_fit, device->allocate(1 << 20));
  device->release(half);
  EXPECT_NE(device->allocate(1 << 20), nullptr);
}

TEST_F(CudaDevice, RefusesWhatIsNotInGranules) {
  const auto device = gpu(Semiring::min_plus, ValueType::u16);
  EXPECT_EQ(device->tiles().granule(), 128);
  EXPECT_THROW(run<semiring::MinPlus<std::uint16_t>>(*device, {256, 256, 16, {}, {64, 128}}, 1),
               Error);
}

TEST_F(CudaDevice, SaysHowItSharesAProductOut) {
  const auto device = gpu(Semiring::min_plus, ValueType::f32);
  const auto words = [&](std::int64_t side) {
    kernels::Update update;
    update.c = {nullptr, side, side, side};
    return device->tiles().configuration(update);
  };
  EXPECT_THAT(words(16384), StartsWith("64 × 128 words a block"));
  EXPECT_THAT(words(128), StartsWith("64 × 64 words a block"));
  const auto bits = gpu(Semiring::or_and, ValueType::boolean, Sign::any);
  EXPECT_EQ(bits->tiles().configuration({}), "") << "there is one way";
}

TEST_F(CudaDevice, NamesADeviceThatIsNotThere) {
  EXPECT_ERROR(device,
               kernels::cuda::make_device(99, Semiring::min_plus, ValueType::f32, Sign::any));
}

}  // namespace
}  // namespace apsp::cuda_device_test
