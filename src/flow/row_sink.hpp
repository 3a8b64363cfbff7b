// The interface between producers of distances and those who take them: sinks.
//
// A producer gives blocks of whole rows: any rows, in any order, in blocks of any size, from as
// many threads as it likes. A sweep over a sparse graph, several GPUs or a cluster can promise no
// more; Floyd-Warshall feeds its matrix to sinks in the same way (drive.hpp). A sink's result does
// not depend on the order, not in one bit. Sinks are: statistics/statistics_pass, flow/store_rows
// (files, memory), reference/row_verifier, api/caller_rows. A sink may take rows on a device,
// where a GPU has found them: then they are copied to the host for other sinks alone.
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

/// Which blocks suit a sink best, for a producer that can choose. A sink takes any blocks.
struct RowPreference {
  std::int64_t rows = 1;    ///< rows in a block
  std::int64_t band = 0;    ///< rows of a band, if the sink gathers bands until they are full; or 0
  bool one_caller = false;  ///< calls would wait for each other, or a call has its own threads
  bool beside = false;      ///< a call takes one processor or less: others are served meanwhile
  bool in_place = false;    ///< rows lie one behind the other in memory, and may be computed there
};

/// How a sink's progress is shown to the user.
struct RowTask {
  std::string name;        ///< "statistics"
  double units_a_row = 1;  ///< of progress
  std::string_view unit = "row";
};

class RowSink {
 public:
  /// For the rows of a matrix of n vertices: of all, or of a selection, whose targets are the
  /// columns of every row then.
  RowSink(std::int64_t n, ValueType type, const store::Selection& selection = {});
  virtual ~RowSink() = default;
  RowSink(const RowSink&) = delete;
  RowSink& operator=(const RowSink&) = delete;

  /// Only rows of these vertices will come; without this call, all selected. Before any `take`.
  void expect(std::span<const Vertex> sources);

  /// Any number of threads at once. The block is read until the call returns. Throws `Error`
  /// (defect) for a row that was taken before, that is not expected or does not exist, or another
  /// type of value; what the sink throws. After a throw the sink is of no use.
  void take(const RowBlock& block);
  /// Takes rows of one device, from one thread at a time. It ends before the device does.
  class DevicePart {
   public:
    virtual ~DevicePart() = default;
    /// The rows are complete, and stay as they are until this returns.
    virtual void take(const DeviceRowBlock& block) = 0;
    /// Once, after the last `take`.
    virtual void finish() {}
  };
  /// Whether it takes rows on the device that finds them. Then they come to `take_on_device` alone,
  /// which is as `take`.
  virtual bool on_device() const { return false; }
  /// The part that takes those of a device. Throws `Error` (does_not_fit). Requires: `on_device`.
  virtual std::unique_ptr<DevicePart> part_on(kernels::ComputeDevice&) { return nullptr; }
  void take_on_device(const DeviceRowBlock& block, DevicePart& part);
  /// Whether rows may also be written to where they belong, without `take`.
  virtual bool lends() const { return false; }
  /// Room for the rows of these vertices, which then come once. Requires: `lends`. From any thread,
  /// and throws, as `take`.
  store::RowView lend(std::span<const Vertex> sources, ValueType type);
  /// The room of these rows has been filled. `sources`: as given to `lend`.
  void give_back(std::span<const Vertex> sources) { accept_lent(sources); }
  /// Ends the sink: once, after the last `take` is complete. Throws `Error` (defect) if a row that
  /// is expected was never taken; what the sink throws.
  void finish();

  virtual RowPreference preference() const = 0;
  virtual RowTask task() const = 0;

 protected:
  /// Rows and columns of the selection.
  std::int64_t rows() const { return sources_.count(); }
  std::int64_t columns() const { return columns_; }
  /// Which row of the selection is the source's. Requires: it is one of the selection.
  std::int64_t row_of(Vertex source) const { return *sources_.of(source); }

 private:
  enum class Row : std::uint8_t { expected, taken, not_expected };

  /// Every row that is expected comes once; calls of several threads at once.
  virtual void accept(const RowBlock& block) = 0;
  virtual store::RowView make_view(std::span<const Vertex>) { return {}; }
  virtual void accept_lent(std::span<const Vertex>) {}
  void expect_now(std::span<const Vertex> sources, ValueType type);
  /// All rows have come.
  virtual void complete() {}

  std::int64_t n_;
  ValueType type_;
  store::Positions sources_;
  std::int64_t columns_;
  std::unique_ptr<std::atomic<Row>[]> state_;  // [n]
};

}  // namespace apsp::flow
