// Reachability as planned: on the host and on strict devices, resident and streamed, to bytes and
// in bits.
#include <apsp/graph.hpp>

#include "dense/reachable_bits.hpp"
#include "engine/run.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/invented_devices.hpp"
#include "support/test.hpp"
#include "support/textbook.hpp"

namespace apsp::engine::closure_test {
namespace {

constexpr std::uint8_t kUntouched = 77;
constexpr int kThreads = 2;

Graph random_graph(std::int64_t n, bool directed) {
  return generate({.kind = GraphKind::gnp,
                   .vertices = n,
                   .probability = 0.01,
                   .directed = directed,
                   .seed = 5});
}

/// Of the host where `devices` is 0; memory 0: all that there is.
planner::Plan plan_of(std::int64_t n, int devices, std::int64_t memory = 0) {
  const auto find = [=] {
    std::vector<planner::DeviceFacts> all;
    for (int i = 0; i < devices; ++i) all.push_back(planner::invented_h200(i));
    return planner::invented_devices(std::move(all));
  };
  std::vector<int> ordinals(static_cast<std::size_t>(devices));
  std::iota(ordinals.begin(), ordinals.end(), 0);
  return planner::plan_matrix({.n = n,
                               .kernel = {Semiring::or_and, ValueType::boolean},
                               .memory = memory,
                               .threads = kThreads},
                              {devices > 0 ? Device::cuda : Device::cpu, ordinals}, find);
}

/// A matrix of bytes whose rows lie further apart than they are long.
struct Bytes {
  explicit Bytes(std::int64_t side)
      : n(side), stride(n + 3), data(static_cast<std::size_t>(n * stride + 1), kUntouched) {}
  kernels::View tile() { return {data.data(), n, n, stride}; }
  std::uint8_t& at(std::int64_t i, std::int64_t j) {
    return data[static_cast<std::size_t>(i * stride + j)];
  }

  std::int64_t n, stride;
  std::vector<std::uint8_t> data;
};

void expect_closure(Bytes& reach, const std::vector<double>& expected) {
  for (std::int64_t i = 0; i < reach.n; ++i) {
    for (std::int64_t j = 0; j < reach.stride; ++j) {
      const double truth =
          j < reach.n ? expected[static_cast<std::size_t>(i * reach.n + j)] : kUntouched;
      ASSERT_EQ(reach.at(i, j), truth) << "n " << reach.n << ", row " << i << ", column " << j;
    }
  }
}

void expect_closed(const planner::Plan& plan, const Graph& graph,
                   const std::vector<double>& expected) {
  Bytes reach(plan.n);
  const auto on_device = run(plan, {reach.tile()}, {}, &graph);
  EXPECT_EQ(on_device.has_value(), plan.on_device.has_value());
  expect_closure(reach, expected);
}

TEST(Closure, ResidentAgreesWithTheTextbook) {
  for (const std::int64_t n : {0, 1, 31, 32, 33, 100, 257, 1100}) {
    for (const bool directed : {false, true}) {
      const Graph graph = random_graph(n, directed);
      const auto expected = verifier::floyd_warshall(graph, Semiring::or_and);
      for (const int devices : {0, 1, 2, 6}) {
        expect_closed(plan_of(n, devices), graph, expected);
      }
    }
  }
}

TEST(Closure, StreamedAgreesWithTheTextbook) {
  for (const std::int64_t n : {600, 640, 1025, 1100}) {
    const Graph graph = random_graph(n, true);
    const auto expected = verifier::floyd_warshall(graph, Semiring::or_and);
    for (const int devices : {1, 2}) {
      const std::int64_t whole = plan_of(n, devices).on_device->bytes;
      for (const std::int64_t memory : {whole - 1, whole / 2, whole / 3}) {
        SCOPED_TRACE(testing::Message() << n << " on " << devices << ", " << memory);
        const planner::Plan plan = plan_of(n, devices, memory);
        EXPECT_TRUE(plan.on_device->streamed);
        EXPECT_LE(plan.on_device->bytes, memory);
        EXPECT_EQ(plan.on_device->shape, dense::Shape::full);
        expect_closed(plan, graph, expected);
      }
    }
  }
}

TEST(Closure, TakesBytesInPlace) {
  for (const std::int64_t n : {0, 1, 33, 257, 513}) {
    const Graph graph = random_graph(n, true);
    const auto expected = verifier::floyd_warshall(graph, Semiring::or_and);
    for (const int devices : {0, 1}) {
      for (const std::int64_t memory : {std::int64_t{0}, std::int64_t{600000}}) {
        Bytes reach(n);
        for (std::int64_t i = 0; i < n; ++i) {
          for (std::int64_t j = 0; j < n; ++j) reach.at(i, j) = 0;
          // Any byte but 0 is an arc.
          for (const Vertex target : graph.targets(static_cast<Vertex>(i))) {
            reach.at(i, target) = 200;
          }
        }
        run(plan_of(n, devices, memory), {reach.tile()}, {});
        expect_closure(reach, expected);
      }
    }
  }
}

TEST(Closure, TooLittleMemorySaysTheLeastThatWorks) {
  EXPECT_ERROR(does_not_fit, plan_of(1100, 1, 1000));
}

TEST(Closure, StopsWhenAsked) {
  Cancellation cancellation;
  cancellation.request();
  const Graph graph = random_graph(600, true);
  for (const int devices : {0, 1}) {
    EXPECT_ERROR(interrupted, close(plan_of(600, devices), graph, {nullptr, &cancellation}));
  }
}

TEST(Closure, BitsAreAMatrixToReadFrom) {
  constexpr std::int64_t kN = 600;
  const Graph graph = random_graph(kN, true);
  const auto expected = verifier::floyd_warshall(graph, Semiring::or_and);
  const auto expect_read = [&](const store::Store& closed, store::Block block) {
    std::vector<std::uint8_t> read(static_cast<std::size_t>(block.rows * (block.cols + 1)));
    closed.read(store::Plane::distance, block, read.data(), block.cols + 1);
    for (std::int64_t i = 0; i < block.rows; ++i) {
      for (std::int64_t j = 0; j < block.cols; ++j) {
        ASSERT_EQ(read[static_cast<std::size_t>(i * (block.cols + 1) + j)],
                  expected[static_cast<std::size_t>((block.row + i) * kN + block.col + j)]);
      }
    }
  };
  for (const int devices : {0, 1}) {
    const dense::ClosedStore closed(close(plan_of(kN, devices), graph, {}).bits, 64, kThreads);
    EXPECT_EQ(closed.layout().n, kN);
    EXPECT_EQ(closed.data(store::Plane::distance), nullptr);
    expect_read(closed, {0, 0, kN, kN});
    expect_read(closed, {599, 0, 1, kN});
    expect_read(closed, {7, 511, 20, 89});
    expect_read(closed, {0, 599, 0, 1});
    EXPECT_EQ(error_of([&] {
                std::uint8_t value = 0;
                closed.read(store::Plane::distance, {600, 0, 1, 1}, &value, 1);
              }).kind(),
              ErrorKind::usage);
  }
}

}  // namespace
}  // namespace apsp::engine::closure_test
