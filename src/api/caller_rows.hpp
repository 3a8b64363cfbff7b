// Rows to a caller: to a function (SolveOptions::on_rows, on_device_rows), or into memory
// (SolveOptions::into).
#pragma once

#include <algorithm>
#include <mutex>

#include "base/fail.hpp"
#include "flow/row_sink.hpp"

namespace apsp::api {

/// One call at a time. What the function throws comes from `take`.
class CallbackRows final : public flow::RowSink {
 public:
  CallbackRows(std::int64_t n, ValueType type, const store::Selection& selection,
               std::function<void(const RowBlock&)> on_rows)
      : RowSink(n, type, selection), on_rows_(std::move(on_rows)) {}

  flow::RowPreference preference() const override {
    constexpr std::int64_t kValues = 1 << 20;  // a block: few calls, and short times between two
    const std::int64_t block = kValues / std::max<std::int64_t>(1, columns());
    return {.rows = std::max<std::int64_t>(1, block), .one_caller = true, .beside = true};
  }
  flow::RowTask task() const override { return {"handing on rows"}; }

 private:
  void accept(const RowBlock& block) override {
    const std::lock_guard lock(mutex_);
    on_rows_(block);
  }

  std::function<void(const RowBlock&)> on_rows_;
  std::mutex mutex_;
};

/// The same on the device that finds them.
class DeviceCallbackRows final : public flow::RowSink {
 public:
  DeviceCallbackRows(std::int64_t n, ValueType type, const store::Selection& selection,
                     std::function<void(const DeviceRowBlock&)> on_rows)
      : RowSink(n, type, selection), on_rows_(std::move(on_rows)) {}

  flow::RowPreference preference() const override { return {.one_caller = true}; }
  flow::RowTask task() const override { return {"handing on rows"}; }
  bool on_device() const override { return true; }
  std::unique_ptr<DevicePart> part_on(kernels::ComputeDevice&) override {
    return std::make_unique<CallbackPart>(*this);
  }

 private:
  class CallbackPart final : public DevicePart {
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
    base::fail(ErrorKind::defect, "rows of the host come to who takes them on a device");
  }

  std::function<void(const DeviceRowBlock&)> on_rows_;
  std::mutex mutex_;
};

/// As f64. All threads write at once, each its own rows: nobody waits. Values of f64 are written
/// where they belong by whoever finds them; narrower ones are widened on their way.
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
  bool lends() const override { return type_ == ValueType::f64; }

 private:
  static constexpr std::int64_t kRowsAtOnce = 64;  // as into memory of our own (store_rows.cpp)

  double* row_at(Vertex source) const {
    return into_.values + row_of(source) * (into_.stride == 0 ? columns() : into_.stride);
  }

  void accept(const RowBlock& block) override;

  store::RowView make_view(std::span<const Vertex> sources) override {
    store::RowView room{.group = std::max<std::int64_t>(1, columns())};
    for (const Vertex source : sources) {
      room.rows.push_back(reinterpret_cast<std::byte*>(row_at(source)));
    }
    return room;
  }

  ValueType type_;
  Semiring semiring_;
  store::Positions targets_;
  RowsInto into_;
};

}  // namespace apsp::api
