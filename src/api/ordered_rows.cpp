#include "api/ordered_rows.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "engine/row_producer.hpp"
#include "engine/solve_graph.hpp"
#include "sparse/factor_rows.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::api {
namespace {

/// The caller shows the progress of all parts.
Control without_progress(const Control& control) { return {nullptr, control.cancellation}; }

class MatrixRows final : public OrderedRows {
 public:
  MatrixRows(const Result::State& state, const store::VertexList& targets, int threads,
             const Control& control)
      : state_(state),
        threads_(system::thread_count(threads)),
        control_(without_progress(control)) {
    for (std::int64_t i = 0; i < targets.size(state.graph.vertex_count()); ++i) {
      columns_.push_back(state.column_of(targets.at(i)));
    }
  }
  Semiring semiring() const override { return state_.layout.semiring; }
  ValueType type() const override { return state_.layout.type; }
  std::int64_t block() const override { return 1; }

  void give(std::span<const Vertex> sources, flow::RowSink& sink) override {
    std::vector<std::pair<std::int64_t, Vertex>> rows;  // adjacent rows share chunks of a file
    for (const Vertex source : sources) rows.emplace_back(state_.row_of(source), source);
    std::sort(rows.begin(), rows.end());
    system::parallel_for(std::ssize(rows), threads_, [&](std::int64_t item) {
      base::check_cancelled(control_);
      const auto& [row, source] = rows[static_cast<std::size_t>(item)];
      give_row(row, source, sink);
    });
    sink.finish();
  }

 private:
  void give_row(std::int64_t row, const Vertex& source, flow::RowSink& sink) const {
    const store::Store& store = state_.matrix();
    const std::int64_t columns = state_.columns->count();
    const auto bytes = static_cast<std::size_t>(size_of(type()));
    std::vector<std::byte> whole(static_cast<std::size_t>(columns) * bytes);
    std::vector<std::byte> wanted(columns_.size() * bytes);
    store.read(store::Plane::distance, {row, 0, 1, columns}, whole.data(), columns);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      std::memcpy(wanted.data() + i * bytes,
                  whole.data() + static_cast<std::size_t>(columns_[i]) * bytes, bytes);
    }
    sink.take({{&source, 1}, wanted.data(), std::ssize(columns_), type()});
  }

  const Result::State& state_;
  int threads_;
  Control control_;
  std::vector<std::int64_t> columns_;
};

class ComputedRows : public OrderedRows {
 public:
  void give(std::span<const Vertex> sources, flow::RowSink& sink) override {
    flow::RowSink* const only = &sink;
    producer().rows(sources, {&only, 1}, nullptr);
    sink.finish();
  }

 private:
  virtual engine::RowProducer& producer() = 0;
};

class RowsOfFactor final : public ComputedRows {
 public:
  RowsOfFactor(const Result::State& state, const store::VertexList& targets, int threads,
               const Control& control)
      : control_(without_progress(control)),
        threads_(system::thread_count(threads)),
        rows_(state.rows_to(targets)),
        producer_(engine::rows_on_host(*rows_, threads_, control_)) {}
  Semiring semiring() const override { return rows_->semiring(); }
  ValueType type() const override { return rows_->type(); }
  std::int64_t block() const override { return rows_->block_rows() * threads_; }

 private:
  engine::RowProducer& producer() override { return *producer_; }

  Control control_;
  int threads_;
  std::unique_ptr<flow::RowSource> rows_;
  std::unique_ptr<engine::RowProducer> producer_;
};

class RowsOfPlan final : public ComputedRows {
 public:
  RowsOfPlan(const Graph& graph, const planner::Plan& plan, const Control& control)
      : plan_(plan), control_(without_progress(control)) {
    engine::require_defined(graph, plan, control);
    rows_ = engine::planned_rows(graph, plan, plan.on_device ? control_ : control);
    if (!plan.on_device) {
      rows_.producer = engine::rows_on_host(*rows_.source, plan.threads, control_);
    }
  }
  Semiring semiring() const override { return plan_.semiring; }
  ValueType type() const override { return plan_.type; }
  std::int64_t block() const override {
    const std::int64_t rows = rows_.producer->block_rows(plan_.sources(), 1);
    return plan_.on_device ? rows : rows * plan_.threads;
  }

 private:
  engine::RowProducer& producer() override { return *rows_.producer; }

  const planner::Plan& plan_;
  Control control_;
  engine::PlannedRows rows_;
};

}  // namespace

std::unique_ptr<OrderedRows> rows_of(const Result::State& state, const store::VertexList& targets,
                                     int threads, const Control& control) {
  state.matrix();
  if (state.factor == nullptr) {
    return std::make_unique<MatrixRows>(state, targets, threads, control);
  }
  return std::make_unique<RowsOfFactor>(state, targets, threads, control);
}

std::unique_ptr<OrderedRows> rows_of(const Graph& graph, const planner::Plan& plan,
                                     const Control& control) {
  return std::make_unique<RowsOfPlan>(graph, plan, control);
}

SolveOptions for_answers(SolveOptions solving, Keep keep) {
  solving.storage.output.clear();
  solving.storage.keep = keep;
  solving.storage.stored = Keep::automatic;
  solving.question.predecessors = solving.question.via = solving.question.hops =
      solving.question.statistics = solving.question.verify = false;
  solving.question.pairs = 0;
  solving.consumer = {};
  return solving;
}

}  // namespace apsp::api
