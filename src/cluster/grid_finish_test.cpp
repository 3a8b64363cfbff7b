// Edges are counted behind planted intermediate vertices, and vertices that lead in a circle are
// refused, by threads that stand for processes.
#include "cluster/grid_finish.hpp"

#include "support/test.hpp"
#include "support/thread_communicator.hpp"

namespace apsp::cluster::grid_finish_test {
namespace {

using dense::BlockCyclic;
using dense::LocalIndex;

constexpr std::int64_t kN = 5, kTile = 2;
constexpr float kNone = std::numeric_limits<float>::infinity();

/// [kN, kN] distances and intermediate vertices of edges i → i + 1.
struct Planes {
  std::vector<float> values = std::vector<float>(kN * kN, kNone);
  std::vector<std::int32_t> via = std::vector<std::int32_t>(kN * kN, kernels::kNoVia);

  Planes() {
    for (std::int64_t i = 0; i < kN; ++i) {
      for (std::int64_t j = i; j < kN; ++j) put(i, j, static_cast<float>(j - i), j - 1);
    }
  }
  void put(std::int64_t i, std::int64_t j, float value, std::int64_t middle) {
    const auto at = static_cast<std::size_t>(i * kN + j);
    values[at] = value;
    via[at] = i < middle && middle < j ? static_cast<std::int32_t>(middle) : kernels::kNoVia;
  }
};

/// The counts of all processes put together, [kN, kN].
std::vector<std::int32_t> counted(const Planes& planes, int rows, int cols) {
  std::vector<std::int32_t> all(kN * kN, -7);
  std::vector<std::string> errors;
  std::mutex mutex;
  ThreadPost post(rows, cols);
  run_grid(
      post,
      [&](int row, int col) {
        ThreadCommunicator communicator(post, row, col);
        Processes processes(communicator);
        const BlockCyclic down{rows, row}, across{cols, col};
        const std::int64_t height = down.vertices(kN, kTile), width = across.vertices(kN, kTile);
        const auto size = static_cast<std::size_t>(height * width);
        std::vector<float> values(size);
        std::vector<std::int32_t> via(size), hops(size);
        const auto each_pair = [&](auto&& take) {
          for (std::int64_t i = 0; i < height; ++i) {
            for (std::int64_t j = 0; j < width; ++j) {
              take(static_cast<std::size_t>(i * width + j),
                   static_cast<std::size_t>(down.vertex(LocalIndex(i), kTile) * kN +
                                            across.vertex(LocalIndex(j), kTile)));
            }
          }
        };
        each_pair([&](std::size_t held, std::size_t whole) {
          values[held] = planes.values[whole];
          via[held] = planes.via[whole];
        });
        const kernels::View value_view{values.data(), height, width, width};
        const HeldPlanes held{kN,
                              down,
                              across,
                              Semiring::min_plus,
                              ValueType::f32,
                              {value_view, sizeof(float), kTile},
                              {{via.data(), height, width, width}, sizeof(std::int32_t), kTile}};
        count_hops(processes, held, {hops.data(), height, width, width}, 2);
        const std::lock_guard lock(mutex);
        each_pair([&](std::size_t mine, std::size_t whole) { all[whole] = hops[mine]; });
      },
      [&](const std::string& what) {
        const std::lock_guard lock(mutex);
        errors.push_back(what);
      });
  if (!errors.empty()) throw Error(ErrorKind::input, errors.front());
  return all;
}

TEST(GridHops, CountEdgesBehindIntermediateVertices) {
  const Planes planes;
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 1}, {2, 2}, {3, 2}}) {
    const std::vector<std::int32_t> hops = counted(planes, rows, cols);
    for (std::int64_t i = 0; i < kN; ++i) {
      for (std::int64_t j = 0; j < kN; ++j) {
        EXPECT_EQ(hops[static_cast<std::size_t>(i * kN + j)], j < i ? -1 : j - i)
            << i << " to " << j << " on " << rows << " x " << cols;
      }
    }
  }
}

/// 0 → 3 by way of 2, and 0 → 2 by way of 3.
TEST(GridHops, RefuseACircle) {
  Planes planes;
  planes.values[3 * kN + 2] = 1;
  planes.via[0 * kN + 2] = 3;
  for (const auto& [rows, cols] : {std::pair{1, 1}, {1, 2}, {2, 2}}) {
    EXPECT_ERROR(input, counted(planes, rows, cols));
  }
}

}  // namespace
}  // namespace apsp::cluster::grid_finish_test
