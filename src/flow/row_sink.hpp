// The interface between producers of distances and their consumers, the sinks. A producer pushes
// blocks of whole rows in any order and size from any number of threads; the result is the same to
// the last bit. A sink may accept rows in device memory.
#pragma once

#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "store/selection.hpp"
#include "store/store.hpp"

namespace apsp::kernels {
class ComputeDevice;
}

namespace apsp::flow {

/// Preferences only: a sink accepts any blocks.
struct RowPreference {
  std::int64_t rows = 1;
  std::int64_t band = 0;    ///< rows of a band, if the sink gathers whole bands; else 0
  bool one_caller = false;  ///< calls exclude each other or use threads of their own
  bool concurrent = false;  ///< a call uses at most one processor, so other sinks may run meanwhile
  bool in_place = false;    ///< rows are contiguous in memory and may be computed there
};

struct RowTask {
  std::string name;
  double units_a_row = 1;
  std::string_view unit = "row";
};

/// Consumes rows of one device, one thread at a time. Destroyed before the device.
class DeviceRowSink {
 public:
  virtual ~DeviceRowSink() = default;
  /// Requires: the rows do not change until this returns.
  virtual void take(const DeviceRowBlock& block) = 0;
  /// Called once, after the last `take`.
  virtual void finish() {}
};

class RowSink {
 public:
  /// Rows of a matrix of n vertices, or of a selection; its targets are the columns of every row.
  RowSink(std::int64_t n, ValueType type, const store::Selection& selection = {});
  virtual ~RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;

  /// Restricts the expected rows, by default all selected. Called before any `take`.
  void expect(std::span<const Vertex> sources);

  /// Reads the block until the call returns. Thread-safe. Throws `Error` (defect) for a row that is
  /// repeated or not expected or for another value type, and what the sink throws; then the sink is
  /// unusable.
  void take(const RowBlock& block);
  /// Whether rows in device memory go to `take_on_device` instead of `take`.
  virtual bool on_device() const { return false; }
  /// Requires: `on_device`. Throws `Error` (does_not_fit).
  virtual std::unique_ptr<DeviceRowSink> part_on(kernels::ComputeDevice&) { return nullptr; }
  void take_on_device(const DeviceRowBlock& block, DeviceRowSink& part);
  /// Whether producers may write rows directly into the destination instead of calling `take`.
  virtual bool has_buffers() const { return false; }
  /// Reserves output buffers for the rows of these vertices, each once. Requires: `has_buffers`.
  /// Thread-safe; throws as `take`.
  store::RowView reserve(std::span<const Vertex> sources, ValueType type);
  /// Completes rows whose buffers were reserved for the same `sources`.
  void commit(std::span<const Vertex> sources) { accept_reserved(sources); }
  /// Called once, after the last `take`. Throws `Error` (defect) if an expected row is missing, and
  /// what the sink throws.
  void finish();

  virtual RowPreference preference() const = 0;
  virtual RowTask task() const = 0;

 protected:
  std::int64_t rows() const { return sources_.count(); }
  std::int64_t columns() const { return columns_; }
  /// Requires: the selection has the source.
  std::int64_t row_of(Vertex source) const { return *sources_.of(source); }

 private:
  enum class Row : std::uint8_t { expected, taken, not_expected };

  /// Called by several threads at once; every expected row comes once.
  virtual void accept(const RowBlock& block) = 0;
  virtual store::RowView reserve_view(std::span<const Vertex>) { return {}; }
  virtual void accept_reserved(std::span<const Vertex>) {}
  void expect_now(std::span<const Vertex> sources, ValueType type);
  /// Called when all rows have come.
  virtual void complete() {}

  std::int64_t n_;
  ValueType type_;
  store::Positions sources_;
  std::int64_t columns_;
  std::unique_ptr<std::atomic<Row>[]> state_;  // [n]
};

}  // namespace apsp::flow
