// Pieces of a host matrix on their way through a device: copied in, worked on, copied out, each on
// its own queue, through a ring of buffers.
//
// A piece waits for its buffer's last copy out, and for the last copy out of its rows in earlier
// phases: the same piece may come by step after step. The host stays at most two rounds of the ring
// ahead of the device, so that it can report progress and be stopped.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "places/resident_matrix.hpp"

namespace apsp::places {

/// Lines of `kept` within `span`, counted from its beginning.
inline kernels::Range part_within(kernels::Range kept, kernels::Range span) {
  return {std::clamp(kept.begin, span.begin, span.end) - span.begin,
          std::clamp(kept.end, span.begin, span.end) - span.begin};
}

class TileStream {
 public:
  /// Rows × columns of the matrix. Columns in `skipped` are not copied: what the buffer holds in
  /// their place is unspecified. Columns in `transposed` are copied out a second time, transposed,
  /// to where they belong above the diagonal; this takes the next buffer, so that there must be
  /// two.
  struct StreamedBlock {
    kernels::Range rows, columns;
    kernels::Range skipped{};
    kernels::Range transposed{};
  };
  using Work = std::function<void(kernels::View values, kernels::View via)>;

  /// `buffer_values`: of one buffer. `host` should be pinned. `transport`: null, or its messages go
  /// on while the host waits.
  TileStream(kernels::ComputeDevice& device, const ResidentPlanes& host, std::int64_t buffers,
             std::int64_t buffer_values, Transport* transport = nullptr);
  ~TileStream();
  TileStream(const TileStream&) = delete;
  TileStream& operator=(const TileStream&) = delete;

  /// Pieces of one phase share no values with each other; they may share rows with pieces of
  /// earlier phases.
  void begin_phase();
  /// `work` gives orders to `queue`; `mark` is the relaxations done once this piece is through.
  void pass(const StreamedBlock& piece, kernels::QueueId queue, double mark, const Work& work);

  /// The greatest mark of the pieces that are through for certain.
  double reached() const { return reached_; }
  std::int64_t buffer_values() const { return buffer_values_; }
  kernels::QueueId in() const { return in_; }
  kernels::QueueId out() const { return out_; }

 private:
  struct StreamBuffer {
    DeviceBuffer values, via;
    kernels::EventId freed = -1, freed_before = -1;
    double mark = 0, mark_before = 0;

    /// `columns` and `stride`: values, of both planes the same.
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
  /// Reached when all pieces of these rows in earlier phases are out; −1: there were none.
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
  std::vector<kernels::EventId> outs_;  // of every piece so far
  std::vector<std::int64_t> last_out_;  // [rows / granule] index into outs_, −1: none
  std::vector<kernels::Range> phase_;   // rows of the last pieces in outs_, in order
  double reached_ = 0;
};

}  // namespace apsp::places
