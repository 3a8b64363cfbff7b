// Sinks that pass rows to a caller's function or into a caller's memory (SolveOptions).
#pragma once

#include <algorithm>
#include <mutex>

#include "base/fail.hpp"
#include "flow/row_sink.hpp"

namespace apsp::api {

/// Makes one call at a time. `take` throws what the function throws.
class CallbackRows final : public flow::RowSink {
 public:
  CallbackRows(std::int64_t n, ValueType type, const store::Selection& selection,
               std::function<void(const RowBlock&)> on_rows)
      : RowSink(n, type, selection), on_rows_(std::move(on_rows)) {}

  flow::RowPreference preference() const override {
    constexpr std::int64_t kValues = 1 << 20;  // a block: few calls at short intervals
    const std::int64_t block = kValues / std::max<std::int64_t>(1, columns());
    return {.rows = std::max<std::int64_t>(1, block), .one_caller = true, .concurrent = true};
  }
  flow::RowTask task() const override { return {"passing rows to the caller"}; }

 private:
  void accept(const RowBlock& block) override {
    const std::lock_guard lock(mutex_);
    on_rows_(block);
  }

  std::function<void(const RowBlock&)> on_rows_;
  std::mutex mutex_;
};

/// The same for rows that stay on the device that computed them.
class DeviceCallbackRows final : public flow::RowSink {
 public:
  DeviceCallbackRows(std::int64_t n, ValueType type, const store::Selection& selection,
                     std::function<void(const DeviceRowBlock&)> on_rows)
      : RowSink(n, type, selection), on_rows_(std::move(on_rows)) {}

  flow::RowPreference preference() const override { return {.one_caller = true}; }
  flow::RowTask task() const override { return {"passing rows to the caller"}; }
  bool on_device() const override { return true; }
  std::unique_ptr<flow::DeviceRowSink> part_on(kernels::ComputeDevice&) override {
    return std::make_unique<CallbackPart>(*this);
  }

 private:
  class CallbackPart final : public flow::DeviceRowSink {
   public:
    explicit CallbackPart(DeviceCallbackRows& of) : of_(of) {}
    void take(const DeviceRowBlock& block) override {
      const std::lock_guard lock(of_.mutex_);
      of_.on_rows_(block);
    }

   private:
    DeviceCallbackRows& of_;
  };

  void accept(const RowBlock&) override {
    base::fail(ErrorKind::defect, "a caller of rows on a device gets rows of the host");
  }

  std::function<void(const DeviceRowBlock&)> on_rows_;
  std::mutex mutex_;
};

/// Writes rows as f64 into the caller's memory; producers write f64 rows there directly.
class CallerRows final : public flow::RowSink {
 public:
  CallerRows(std::int64_t n, ValueType type, Semiring semiring, const store::Selection& selection,
             const RowsInto& into)
      : RowSink(n, type, selection),
        type_(type),
        semiring_(semiring),
        targets_(n, selection.targets),
        into_(into) {}

  flow::RowPreference preference() const override { return {.rows = kRowsAtOnce}; }
  flow::RowTask task() const override { return {"copying rows"}; }
  bool has_buffers() const override { return type_ == ValueType::f64; }

 private:
  static constexpr std::int64_t kRowsAtOnce = 64;  // same as for our own memory (store_rows.cpp)

  double* row_at(Vertex source) const {
    return into_.values + row_of(source) * (into_.stride == 0 ? columns() : into_.stride);
  }

  void accept(const RowBlock& block) override;

  store::RowView reserve_view(std::span<const Vertex> sources) override {
    store::RowView view{.group = std::max<std::int64_t>(1, columns())};
    for (const Vertex source : sources) {
      view.rows.push_back(reinterpret_cast<std::byte*>(row_at(source)));
    }
    return view;
  }

  ValueType type_;
  Semiring semiring_;
  store::Positions targets_;
  RowsInto into_;
};

}  // namespace apsp::api
