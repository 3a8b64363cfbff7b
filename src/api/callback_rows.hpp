// Rows to a caller's function (SolveOptions::on_rows).
#pragma once

#include <algorithm>
#include <mutex>

#include "store/row_sink.hpp"

namespace apsp::api {

/// One call at a time. What the function throws comes from `take`.
class CallbackRows final : public store::RowSink {
 public:
  CallbackRows(std::int64_t n, ValueType type, const store::Selection& selection,
               std::function<void(const RowBlock&)> on_rows)
      : RowSink(n, type, selection), on_rows_(std::move(on_rows)) {}

  store::RowPreference preference() const override {
    constexpr std::int64_t kValues = 1 << 20;  // a block: few calls, and short times between two
    const std::int64_t block = kValues / std::max<std::int64_t>(1, columns());
    return {.rows = std::max<std::int64_t>(1, block), .one_caller = true, .beside = true};
  }
  store::RowTask task() const override { return {"handing on rows"}; }

 private:
  void accept(const RowBlock& block) override {
    const std::lock_guard lock(mutex_);
    on_rows_(block);
  }

  std::function<void(const RowBlock&)> on_rows_;
  std::mutex mutex_;
};

}  // namespace apsp::api
