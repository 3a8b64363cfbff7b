// Pieces of a host matrix that pass through a device: copied in, updated, copied out, each on its
// own queue, through a ring of buffers.
//
// A piece waits for its buffer's last copy out, and for the last copy out of its rows in earlier
// phases. The host stays at most two rounds of the ring ahead of the device, so that it can report
// progress and be stopped.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "dense/resident_matrix.hpp"

namespace apsp::dense {

/// Returns the part of `kept` within `span`, counted from the beginning of `span`.
inline kernels::Range part_within(kernels::Range kept, kernels::Range span) {
  return {std::clamp(kept.begin, span.begin, span.end) - span.begin,
          std::clamp(kept.end, span.begin, span.end) - span.begin};
}

class TileStream {
 public:
  /// Rows × columns of the matrix. Columns in `skipped` are not copied: their values in the buffer
  /// are unspecified. Columns in `transposed` are copied out a second time, transposed, to their
  /// mirror image above the diagonal. Requires then: two buffers.
  struct StreamedBlock {
    kernels::Range rows, columns;
    kernels::Range skipped{};
    kernels::Range transposed{};
  };
  using Work = std::function<void(kernels::View values, kernels::View via)>;

  /// `buffer_values`: values of one buffer. `host` should be pinned. `transport`: advances messages
  /// while the host waits, or null.
  TileStream(kernels::ComputeDevice& device, const ResidentPlanes& host, std::int64_t buffers,
             std::int64_t buffer_values, Transport* transport = nullptr);
  ~TileStream();
  TileStream(const TileStream&) = delete;
  TileStream& operator=(const TileStream&) = delete;

  /// Begins a phase, whose pieces share no values. They may share rows with earlier phases.
  void begin_phase();
  /// Passes a piece; `work` gives orders to `queue`. `mark`: relaxations done after this piece.
  void pass(const StreamedBlock& piece, kernels::QueueId queue, double mark, const Work& work);

  /// The greatest mark of pieces that are known to be complete.
  double reached() const { return reached_; }
  std::int64_t buffer_values() const { return buffer_values_; }
  kernels::QueueId in() const { return in_; }
  kernels::QueueId out() const { return out_; }

 private:
  struct StreamBuffer {
    DeviceBuffer values, via;
    kernels::EventId freed = -1, freed_before = -1;
    double mark = 0, mark_before = 0;

    /// `columns` and `stride`: values, the same in both planes.
    TilePlanes planes(std::int64_t rows, std::int64_t columns, std::int64_t stride) const {
      const bool tracked = via.data() != nullptr;
      return {{values.data(), rows, columns, stride},
              tracked ? kernels::View{via.data(), rows, columns, stride} : kernels::View{}};
    }
    void free_at(kernels::EventId event, double reached) {
      freed_before = freed;
      mark_before = mark;
      freed = event;
      mark = reached;
    }
  };

  void copy(const StreamedBlock& piece, const TilePlanes& planes, bool in) const;
  void copy_out_transposed(const StreamedBlock& piece, kernels::QueueId queue,
                           const TilePlanes& planes);
  /// The event after which all pieces of these rows in earlier phases are out; −1: there are none.
  kernels::EventId rows_out(kernels::Range rows) const;
  std::size_t unit(std::int64_t row) const { return static_cast<std::size_t>(row / granule_); }

  kernels::ComputeDevice& device_;
  kernels::TileKernels& tiles_ = device_.tiles();
  ResidentPlanes host_;
  std::int64_t buffer_values_;
  std::int64_t granule_;
  Transport* transport_;
  kernels::QueueId in_, out_;
  std::vector<StreamBuffer> slots_;
  std::size_t next_ = 0;
  std::vector<kernels::EventId> outs_;  // copies out of all pieces so far
  std::vector<std::int64_t> last_out_;  // [rows / granule] index into outs_, −1: none
  std::vector<kernels::Range> phase_;   // rows of the last pieces in outs_, in order
  double reached_ = 0;
};

}  // namespace apsp::dense
