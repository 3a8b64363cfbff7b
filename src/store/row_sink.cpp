#include "store/row_sink.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

namespace apsp::store {

RowSink::RowSink(std::int64_t n, ValueType type)
    : n_(n),
      type_(type),
      taken_(std::make_unique<std::atomic<bool>[]>(static_cast<std::size_t>(n))) {}

void RowSink::take(const RowBlock& block) {
  if (block.type != type_) {
    throw Error(ErrorKind::defect, fmt::format("{}: rows of {} where {} was to come", task().name,
                                               name(block.type), name(type_)));
  }
  for (const Vertex source : block.sources) {
    if (source >= n_) {
      throw Error(ErrorKind::defect,
                  fmt::format("{}: row {} of a matrix of {}", task().name, source, n_));
    }
    if (taken_[source].exchange(true, std::memory_order_relaxed)) {
      throw Error(ErrorKind::defect, fmt::format("{}: row {} came twice", task().name, source));
    }
  }
  if (!block.sources.empty()) accept(block);
}

void RowSink::finish() {
  for (std::int64_t row = 0; row < n_; ++row) {
    if (taken_[static_cast<std::size_t>(row)].load(std::memory_order_relaxed)) continue;
    throw Error(ErrorKind::defect, fmt::format("{}: row {} never came", task().name, row));
  }
  complete();
}

}  // namespace apsp::store
