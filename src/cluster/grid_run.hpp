// Floyd-Warshall over a graph on a grid of processes: the part of one process.
//
// A process stores only its own tiles (dense/resident_matrix.hpp), fills them from the graph, and
// solves on the host's threads or on a GPU (`GridDevice`), through which a large part streams. Rows
// are then assembled, one band of the output's tiles at a time, by the process of their sinks: band
// b by process b mod processes. Memory in addition to the part: its panels, and a band of rows.
// Intermediate vertices are a second part, which the solve does not exchange.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include "cluster/band_distribution.hpp"
#include "cluster/checkpoints.hpp"
#include "cluster/direct_transport.hpp"
#include "cluster/grid_device.hpp"
#include "cluster/grid_finish.hpp"
#include "cluster/processes.hpp"
#include "cluster/relay_transport.hpp"
#include "dense/resident_matrix.hpp"
#include "dense/tiled_matrix.hpp"
#include "flow/row_sink.hpp"
#include "planner/plan.hpp"
#include "store/disk_matrix.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::cluster {

struct GridShape {
  int rows = 1, cols = 1;
  RelayTransport::Options transport{};
  dense::Schedule schedule = dense::Schedule::overlapped;
  bool offload = false;  // parts stay in host memory and stream through GPUs
};

class GridRun {
 public:
  /// Requires: the plan is Floyd-Warshall's, with the tile and threads of a process. Throws `Error`
  /// (does_not_fit).
  GridRun(Processes& processes, const GridShape& shape, const planner::Plan& plan);

  /// Bytes of a process without the graph, at most. `hops`: `count_edges` is called.
  static std::int64_t bytes(const GridShape& shape, const planner::Plan& plan, bool hops = false);
  /// Bytes of a copy of its part, which is written while it solves.
  static std::int64_t copy_bytes(const GridShape& shape, const planner::Plan& plan);

  /// Collective: panels go from device to device; each process needs a GPU of its own. Throws
  /// `Error` (device); devices that cannot reach each other are reported by `solve`.
  void connect(DeviceLinks& links);
  /// Instead, for processes that share a GPU and use it in turns; null: not shared.
  void take_turns(std::unique_ptr<DeviceTurns> turns) { turns_ = std::move(turns); }

  /// Local. Throws `Error` (interrupted).
  void fill(const Graph& graph, const Control& control);
  /// Instead: values by `fill_row`, count of row `row` from column `col` on, called by all threads.
  /// Local. Throws `Error` (interrupted).
  using FillRow =
      std::function<void(std::int64_t row, std::int64_t col, std::int64_t count, void* values)>;
  void fill(const FillRow& fill_row, const Control& control);
  /// Instead: this process's tiles of a checkpoint. Throws `Error` (input_output, interrupted).
  void read(const store::DiskMatrix& matrix, const Control& control);
  /// Collective. Starts from the checkpoint that was read, or the beginning. `checkpoints`: may be
  /// null. Throws, in all processes, `Error`: negative_cycle, interrupted, input_output.
  void solve(const Control& control, Checkpoints* checkpoints = nullptr);
  /// Collective, after `solve`, with intermediate vertices (grid_finish.hpp). Throws, in all
  /// processes, `Error` (input).
  void count_edges();

  /// The part of this process; after `solve`, distances.
  HeldPlanes held() const {
    return {plan_.n, rows_, columns_, plan_.semiring, plan_.type, held_, via_};
  }
  const BandDistribution& bands() const { return bands_; }
  /// Receives [rows, n] of another plane than the distances, from row `first` on.
  using TakePlane = std::function<void(store::Plane plane, std::int64_t first, std::int64_t rows,
                                       const void* values)>;
  /// Collective: sends every band to the sinks of its process, which are not finished. `planes`:
  /// receives the other planes. Throws, in all processes, `Error`: that of a sink.
  void push_rows(std::span<flow::RowSink* const> sinks, const TakePlane& planes = {});

 private:
  dense::BlockCyclic row_distribution(int process) const {
    return {shape_.rows, process / shape_.cols};
  }
  dense::BlockCyclic column_distribution(int process) const {
    return {shape_.cols, process % shape_.cols};
  }
  /// A row of a band, and a process's part of it.
  struct HeldRow {
    std::int64_t in_band = 0, held = 0;
  };
  struct HeldTile {
    store::Block block;  // of the matrix
    kernels::View values;
    std::int64_t before;  // values of the tiles before it, as if contiguous
  };
  void for_each_tile(int threads, const std::function<void(const HeldTile&)>& each) const;
  void for_each_solved_tile(int threads, const std::function<void(const HeldTile&)>& each) const;
  bool run_page(const Control& control, const dense::GridPart& part);
  kernels::View copy_of(const HeldTile& held);
  void write_tile(store::DiskMatrix& matrix, const store::Block& block,
                  const kernels::View& values) const;
  std::int64_t tile() const { return std::get<planner::DensePlan>(plan_.method).tile; }
  void take_checkpoint(Checkpoints& checkpoints);
  std::unique_ptr<dense::Transport> make_transport();
  std::vector<HeldRow> held_rows(int process, std::int64_t band) const;
  std::int64_t part_bytes(int process, std::int64_t rows, std::int64_t size) const;
  void place_part(int process, std::int64_t band, const std::byte* part, std::int64_t size);
  void exchange_band(const dense::TiledMatrix& held, std::int64_t first_band, std::int64_t bands,
                     int turn);
  void put_back_diagonals();
  void give_band(std::int64_t band, std::span<flow::RowSink* const> sinks);

  Processes& processes_;
  GridShape shape_;
  const planner::Plan& plan_;
  dense::BlockCyclic rows_, columns_;
  BandDistribution bands_;
  system::AlignedMemory memory_;
  dense::TiledMatrix held_;
  system::AlignedMemory via_memory_;
  dense::TiledMatrix via_{};  // int32; no data: not tracked
  system::AlignedMemory hops_memory_;
  dense::TiledMatrix hops_{};  // the same; no data: not counted
  GridDevice device_;
  std::unique_ptr<DeviceBroadcasts> broadcasts_;  // null: panels go by communicator
  std::unique_ptr<DeviceTurns> turns_;
  std::future<void> taking_leave_;         // a thread that ends the broadcasts
  dense::Tile first_ = dense::kFirstTile;  // earlier steps are done
  system::AlignedMemory copy_;             // the part's tiles, contiguous, for a checkpoint
  system::AlignedMemory band_;             // [chunk, n] of a plane
  system::AlignedMemory picked_;           // [chunk, targets], if some columns are chosen
  std::vector<base::ByteVector> parts_;    // [processes] of that band
  std::vector<base::ByteVector> leaving_;  // of the bands of others
};

}  // namespace apsp::cluster
