// Rows from a source to several sinks, on several threads, in every order.
#include <apsp/graph.hpp>

#include "engine/row_producer.hpp"

#include "flow/store_rows.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "support/factor_of.hpp"
#include "support/invented_devices.hpp"
#include "support/mesh.hpp"
#include "support/test.hpp"

namespace apsp::engine::row_producer_test {
namespace {

/// The distance from s to t is 1000 s + t.
class InventedRows final : public flow::RowSource {
 public:
  InventedRows(std::int64_t n, std::int64_t block)
      : order_(static_cast<std::size_t>(n)), block_(block) {
    std::iota(order_.rbegin(), order_.rend(), Vertex{0});  // backwards
  }
  std::int64_t vertices() const override { return std::ssize(order_); }
  Semiring semiring() const override { return Semiring::min_plus; }
  ValueType type() const override { return ValueType::i32; }
  std::span<const Vertex> order() const override { return order_; }
  std::int64_t block_rows() const override { return block_; }
  std::int64_t worker_bytes() const override { return 0; }
  std::unique_ptr<Worker> worker() const override { return std::make_unique<Invented>(*this); }
  flow::RowAbilities abilities() const override { return {.views = fills}; }

  bool fills = false;
  Vertex fails_at = 1'000'000;

 private:
  struct Invented final : Worker {
    explicit Invented(const InventedRows& of) : of_(of) {}
    void compute(std::span<const Vertex> sources, void* rows, std::int64_t stride) override {
      EXPECT_LE(std::ssize(sources), of_.block_);
      for (std::size_t i = 0; i < sources.size(); ++i) {
        if (sources[i] == of_.fails_at) throw Error(ErrorKind::device, "broken");
        auto* const row = static_cast<std::int32_t*>(rows) + static_cast<std::int64_t>(i) * stride;
        for (std::int64_t t = 0; t < of_.vertices(); ++t) {
          row[t] = static_cast<std::int32_t>(1000 * sources[i] + t);
        }
      }
    }
    void compute_into(std::span<const Vertex> sources, const store::RowView& view,
                      flow::ColumnSink::Writer*) override {
      for (std::size_t i = 0; i < sources.size(); ++i) {
        compute(sources.subspan(i, 1), view.rows[i], of_.vertices());
      }
    }
    const InventedRows& of_;
  };

  std::vector<Vertex> order_;
  std::int64_t block_;
};

class Checked final : public flow::RowSink {
 public:
  explicit Checked(std::int64_t n) : RowSink(n, ValueType::i32) {}
  flow::RowPreference preference() const override { return {.band = band}; }
  flow::RowTask task() const override { return {"checking"}; }

  bool has_buffers() const override { return true; }

  std::int64_t band = 0;
  std::vector<Vertex> sources;  // in the order in which they came
  std::int64_t reserved = 0;    // of them
  bool finished = false;

 private:
  store::RowView reserve_view(std::span<const Vertex> sources) override {
    const std::lock_guard lock(mutex_);
    store::RowView view{.group = columns()};
    for (const Vertex s : sources) {
      std::vector<std::int32_t>& row = buffers_[s];
      row.resize(static_cast<std::size_t>(columns()), -1);
      view.rows.push_back(reinterpret_cast<std::byte*>(row.data()));
    }
    return view;
  }
  void accept_reserved(std::span<const Vertex> sources) override {
    for (const Vertex s : sources) {
      std::unique_lock lock(mutex_);
      const std::int32_t* const row = buffers_.at(s).data();
      ++reserved;
      lock.unlock();
      accept({{&s, 1}, row, columns(), ValueType::i32});
    }
  }
  void accept(const RowBlock& block) override {
    const std::lock_guard lock(mutex_);
    const auto* row = static_cast<const std::int32_t*>(block.values);
    for (const Vertex s : block.sources) {
      for (std::int64_t t = 0; t < rows(); ++t) EXPECT_EQ(row[t], 1000 * s + t);
      row += block.stride;
      sources.push_back(s);
    }
  }
  void complete() override { finished = true; }

  std::mutex mutex_;
  std::map<Vertex, std::vector<std::int32_t>> buffers_;
};

void produce(const flow::RowSource& source, std::span<const Vertex> vertices, RowSinks sinks,
             std::int64_t band, int threads, const Control& control) {
  for (flow::RowSink* const sink : sinks) {
    if (auto* const checked = dynamic_cast<Checked*>(sink)) checked->band = band;
  }
  EXPECT_FALSE(rows_on_host(source, threads, control)->rows(vertices, sinks, nullptr));
  for (flow::RowSink* const sink : sinks) sink->finish();
}

void produce(const flow::RowSource& source, RowSinks sinks, std::int64_t band, int threads,
             const Control& control) {
  produce(source, store::VertexList().of(source.vertices()), sinks, band, threads, control);
}

TEST(RowsOnHost, GivesEveryRowToEverySink) {
  for (const std::int64_t n : {0, 1, 5, 64, 130}) {
    for (const int threads : {1, 3}) {
      for (const std::int64_t band : {0, 1, 40}) {
        Checked first(n), second(n);
        flow::RowSink* const sinks[] = {&first, &second};
        produce(InventedRows(n, 16), sinks, band, threads, {});
        EXPECT_TRUE(first.finished && second.finished);
        EXPECT_EQ(std::ssize(first.sources), n);
      }
    }
  }
}

TEST(RowsOnHost, AreWrittenToWhereTheyAreKeptIfOneSinkTakesThem) {
  InventedRows source(130, 16);
  source.fills = true;
  for (const int threads : {1, 3}) {
    Checked one(130), first(130), second(130);
    flow::RowSink* const alone[] = {&one};
    flow::RowSink* const both[] = {&first, &second};
    produce(source, alone, 40, threads, {});
    produce(source, both, 40, threads, {});
    EXPECT_TRUE(one.finished && first.finished && second.finished);
    EXPECT_EQ(std::ssize(one.sources), 130);
    EXPECT_EQ(one.reserved, 130);
    EXPECT_EQ(first.reserved + second.reserved, 0);
  }
}

TEST(RowsOnHost, KeepsToTheSourcesOrderAndToBands) {
  Checked any(100), banded(100);
  flow::RowSink* const one[] = {&any};
  flow::RowSink* const other[] = {&banded};
  produce(InventedRows(100, 16), one, 0, 1, {});
  EXPECT_TRUE(std::is_sorted(any.sources.rbegin(), any.sources.rend()));
  produce(InventedRows(100, 16), other, 32, 1, {});
  for (std::size_t i = 0; i < 100; ++i) {
    EXPECT_EQ(banded.sources[i] / 32, i / 32);
    if (i % 32 != 0) {
      EXPECT_LT(banded.sources[i], banded.sources[i - 1]);
    }
  }
}

TEST(RowsOnHost, GivesSomeRowsAsTheSourceLikesThemOrInBandsOfTheList) {
  const std::vector<Vertex> some = {70, 3, 99, 50, 4, 0, 88};
  for (const int threads : {1, 3}) {
    for (const std::int64_t band : {0, 3, 7, 100}) {
      Checked sink(100);
      sink.expect(some);
      flow::RowSink* const sinks[] = {&sink};
      produce(InventedRows(100, 2), some, sinks, band, threads, {});
      EXPECT_TRUE(sink.finished);
      EXPECT_EQ(sink.sources.size(), some.size());
      if (threads > 1) continue;
      const std::vector<Vertex> as_liked = {99, 88, 70, 50, 4, 3, 0};
      const std::vector<Vertex> banded = {99, 70, 3, 50, 4, 0, 88};
      EXPECT_EQ(sink.sources, band == 3 ? banded : as_liked);
    }
  }
  Checked none(100);
  none.expect({});
  flow::RowSink* const sinks[] = {&none};
  produce(InventedRows(100, 16), {}, sinks, 0, 2, {});
  EXPECT_TRUE(none.finished);
}

TEST(RowsOnHost, EndsWithTheErrorOfASourceOrWhereTheCallerAsks) {
  InventedRows source(100, 8);
  source.fails_at = 50;
  Checked sink(100);
  flow::RowSink* const sinks[] = {&sink};
  EXPECT_ERROR(device, produce(source, sinks, 0, 2, {}));
  EXPECT_FALSE(sink.finished);
  Cancellation cancellation;
  cancellation.request();
  EXPECT_ERROR(interrupted, produce(InventedRows(100, 8), sinks, 0, 2, {nullptr, &cancellation}));
}

TEST(RowsOnHost, AreComputedInTheirPlaceInAMatrixInMemory) {
  constexpr std::int64_t kN = 70;
  for (const bool fills : {false, true}) {
    InventedRows source(kN, 16);
    source.fills = fills;
    const auto matrix = store::make_memory_store({.n = kN, .type = ValueType::i32, .tile = 16});
    flow::StoreRows rows(*matrix, 3);
    flow::RowSink* const only[] = {&rows};
    produce(source, only, 0, 3, {});
    const auto* const values =
        static_cast<const std::int32_t*>(matrix->data(store::Plane::distance));
    for (std::int64_t s = 0; s < kN; ++s) {
      for (std::int64_t t = 0; t < kN; ++t) {
        EXPECT_EQ(values[s * matrix->stride() + t], 1000 * s + t);
      }
    }
  }
}

TEST(RowsOnHost, SharesFewSourcesAmongAllThreadsOfAllProcesses) {
  const InventedRows source(100, 16);
  const Control control;
  const auto rows = rows_on_host(source, 2, control);
  EXPECT_EQ(rows->block_rows(100, 1), 16);
  EXPECT_EQ(rows->block_rows(100, 4), 13);
  EXPECT_EQ(rows->block_rows(3, 4), 1);
  EXPECT_EQ(rows->block_rows(0, 1), 1);
}

TEST(PlannedRows, HaveTheSameFactorWhereADeviceClosesWideSupernodes) {
  const Graph graph =
      generate({.kind = GraphKind::rmat, .vertices = 700, .edges = 8000, .directed = false});
  SolveOptions options;
  options.method.algorithm = Algorithm::nested_dissection;
  options.machine.device = Device::cuda;
  options.storage.keep = Keep::statistics;
  planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
  ASSERT_TRUE(plan.rows() && plan.on_device);
  planner::SweepsOnDevice& sweeps = *std::get<planner::RowsByFactor>(plan.rows()->by).on_device;
  EXPECT_EQ(sweeps.closed_from, 0) << "too narrow";
  const auto here = planned_rows(graph, plan, {}).factor;
  const sparse::Tree& tree = *plan.rows()->tree();
  sweeps.closed_from = tree.width(tree.supernodes() - 1);
  sweeps.closed_tile = 16;
  EXPECT_GT(sweeps.closed_from, 60);
  const auto there = planned_rows(graph, plan, {}).factor;
  const auto bytes = static_cast<std::size_t>(tree.diagonal_entries() * size_of(plan.type));
  EXPECT_EQ(std::memcmp(here->all_closed(), there->all_closed(), bytes), 0);

  plan.on_device->bytes_allowed = 1000;  // someone else has taken the remainder
  EXPECT_THROW(planned_rows(graph, plan, {}), Error);
}

TEST(PlannedRows, HaveTheSameFactorWhereADeviceTakesFronts) {
  for (const bool directed : {false, true}) {
    const Graph graph = mesh(8, directed);
    SolveOptions options;
    options.method.algorithm = Algorithm::nested_dissection;
    options.machine.device = Device::cuda;
    options.storage.keep = Keep::factor;
    options.question.statistics = false;
    options.machine.threads = 2;
    planner::Plan plan = planner::find_plan(graph, options, planner::one_device);
    ASSERT_TRUE(plan.rows() && plan.on_device);
    EXPECT_FALSE(plan.rows()->uses.computes_rows);
    planner::SweepsOnDevice& sweeps = *std::get<planner::RowsByFactor>(plan.rows()->by).on_device;
    EXPECT_TRUE(sweeps.fronts.empty()) << "too small";
    const auto here = planned_rows(graph, plan, {});
    ASSERT_TRUE(here.made_on);
    const sparse::Tree& tree = *plan.rows()->tree();
    for (sparse::SupernodeId s = 0; s < tree.supernodes(); ++s) {
      if (tree.width(s) >= 8) sweeps.fronts.push_back(s);
    }
    EXPECT_GT(sweeps.fronts.size(), 3);
    sweeps.closed_tile = 16;
    const auto there = planned_rows(graph, plan, {});
    sparse::expect_same_bytes(*here.factor, *there.factor);
    EXPECT_GT(there.made_on->seconds, 0);
    EXPECT_EQ(there.made_on->name, "NVIDIA H200");
  }
}

}  // namespace
}  // namespace apsp::engine::row_producer_test
