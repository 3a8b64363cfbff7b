#include "flow/row_sink.hpp"

#include "base/fail.hpp"

namespace apsp::flow {

RowSink::RowSink(std::int64_t n, ValueType type, const store::Selection& selection)
    : n_(n),
      type_(type),
      sources_(n, selection.sources),
      columns_(selection.targets.size(n)),
      state_(std::make_unique<std::atomic<Row>[]>(static_cast<std::size_t>(n))) {
  if (!selection.sources.is_all()) expect(selection.sources.listed());
}

void RowSink::expect(std::span<const Vertex> sources) {
  for (std::atomic<Row>& state : std::span(state_.get(), static_cast<std::size_t>(n_))) {
    state.store(Row::not_expected, std::memory_order_relaxed);
  }
  for (const Vertex source : sources) {
    state_[source].store(Row::expected, std::memory_order_relaxed);
  }
}

void RowSink::take(const RowBlock& block) {
  expect_now(block.sources, block.type);
  if (!block.sources.empty()) accept(block);
}

void RowSink::take_on_device(const DeviceRowBlock& block, DeviceRowSink& part) {
  expect_now(block.sources, block.type);
  if (!block.sources.empty()) part.take(block);
}

store::RowView RowSink::reserve(std::span<const Vertex> sources, ValueType type) {
  expect_now(sources, type);
  return reserve_view(sources);
}

void RowSink::expect_now(std::span<const Vertex> sources, ValueType type) {
  if (type != type_) {
    base::fail(ErrorKind::defect, "{}: rows of {} where rows of {} were expected", task().name,
               name(type), name(type_));
  }
  for (const Vertex source : sources) {
    if (source >= n_) {
      base::fail(ErrorKind::defect, "{}: row {} of a matrix of {}", task().name, source, n_);
    }
    const Row before = state_[source].exchange(Row::taken, std::memory_order_relaxed);
    if (before == Row::expected) continue;
    base::fail(ErrorKind::defect, "{}: row {} {}", task().name, source,
               before == Row::taken ? "was given twice" : "was not expected");
  }
}

void RowSink::finish() {
  for (std::int64_t row = 0; row < n_; ++row) {
    const auto& state = state_[static_cast<std::size_t>(row)];
    if (state.load(std::memory_order_relaxed) != Row::expected) continue;
    base::fail(ErrorKind::defect, "{}: row {} is missing", task().name, row);
  }
  complete();
}

}  // namespace apsp::flow
