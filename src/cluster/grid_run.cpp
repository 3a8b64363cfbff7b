#include "cluster/grid_run.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <utility>

#include "base/control.hpp"
#include "cluster/streamed_part.hpp"
#include "dense/negative_cycle.hpp"
#include "graph/adjacency_matrix.hpp"
#include "kernels/transpose.hpp"
#include "store/tiling.hpp"
#include "system/pool.hpp"
#include "system/threads.hpp"

namespace apsp::cluster {
namespace {

using dense::BlockCyclic;
using dense::LocalIndex;
using dense::Tile;

constexpr int kViaSize = sizeof(std::int32_t);

std::int64_t widest_value(const planner::Plan& plan) {
  return std::max(size_of(plan.type), plan.with_via ? kViaSize : 0);
}

std::vector<graph::Stretch> stretches(const BlockCyclic& distribution, std::int64_t n,
                                      std::int64_t tile) {
  std::vector<graph::Stretch> all;
  const std::int64_t held = distribution.vertices(n, tile);
  for (std::int64_t first = 0; first < held; first += tile) {
    const std::int64_t there = distribution.vertex(LocalIndex(first), tile);
    all.push_back({first, there, std::min(tile, held - first)});
  }
  return all;
}

void copy_values(std::byte* to, std::int64_t at, const std::byte* from, std::int64_t from_at,
                 std::int64_t count, std::int64_t size) {
  if (count == 0) return;  // without columns there is no memory
  std::memcpy(to + at * size, from + from_at * size, static_cast<std::size_t>(count * size));
}

void copy_tile(const kernels::View& to, const kernels::View& from, std::int64_t size) {
  store::copy_rows(static_cast<std::byte*>(to.data), to.stride * size,
                   static_cast<const std::byte*>(from.data), from.stride * size, from.rows,
                   from.cols * size);
}

}  // namespace

GridRun::GridRun(Processes& processes, const GridShape& shape, const planner::Plan& plan)
    : processes_(processes),
      shape_(shape),
      plan_(plan),
      rows_(row_distribution(processes.rank())),
      columns_(column_distribution(processes.rank())),
      bands_{plan, processes.size()},
      device_(plan) {
  const std::int64_t rows = rows_.vertices(plan.n, plan.tile());
  const std::int64_t cols = columns_.vertices(plan.n, plan.tile());
  const std::int64_t stride = device_.device().tiles().stride(cols);
  memory_ = system::AlignedMemory(std::max<std::int64_t>(rows * stride * size_of(plan.type), 1));
  held_ = {{memory_.data(), rows, cols, stride}, size_of(plan.type), plan.tile()};
  if (plan.with_via) {
    via_memory_ = system::AlignedMemory(std::max<std::int64_t>(rows * cols * kViaSize, 1));
    std::fill_n(via_memory_.as<std::int32_t>(), rows * cols, kernels::kNoVia);
    via_ = {{via_memory_.data(), rows, cols, cols}, kViaSize, plan.tile()};
  }
  device_.take(held_, via_);
  const std::int64_t band = std::min(plan.chunk, plan.sources());
  band_ = system::AlignedMemory(band * plan.n * widest_value(plan));
  if (!plan.selection.targets.is_all()) {
    picked_ = system::AlignedMemory(band * plan.targets() * size_of(plan.type));
  }
  parts_.resize(static_cast<std::size_t>(processes.size()));
  leaving_.resize(static_cast<std::size_t>(processes.size()));
}

std::int64_t GridRun::bytes(const GridShape& shape, const planner::Plan& plan, bool hops) {
  const std::int64_t size = size_of(plan.type);
  const std::int64_t rows = BlockCyclic{shape.rows, 0}.vertices(plan.n, plan.tile());
  const std::int64_t cols = BlockCyclic{shape.cols, 0}.vertices(plan.n, plan.tile());
  constexpr std::int64_t kCopies = 3;  // of a band: assembled, received, sent
  const std::int64_t picked = plan.selection.targets.is_all() ? 0 : plan.targets();
  const std::int64_t transposed = plan.shape == dense::Shape::full ? 1 : 2;
  const std::int64_t tiles =
      transposed * plan.threads * plan.tile() * plan.tile() * size;  // of a checkpoint
  const std::int64_t mirrored =
      plan.shape == dense::Shape::full
          ? 0
          : mirror_bytes({{nullptr, rows, cols, cols}, size_of(plan.type), plan.tile()});
  const std::int64_t via = plan.with_via ? rows * cols * kViaSize : 0;
  const std::int64_t counted =
      hops ? rows * cols * kViaSize + hop_counting_bytes(plan.n, rows, cols, plan.tile()) : 0;
  return GridDevice::bytes(plan, rows, cols) + via + counted + tiles + mirrored +
         std::min(plan.chunk, plan.sources()) *
             (kCopies * plan.n * widest_value(plan) + picked * size);
}

std::int64_t GridRun::copy_bytes(const GridShape& shape, const planner::Plan& plan) {
  return BlockCyclic{shape.rows, 0}.vertices(plan.n, plan.tile()) *
         BlockCyclic{shape.cols, 0}.vertices(plan.n, plan.tile()) * size_of(plan.type);
}

void GridRun::fill(const Graph& graph, const Control& control) {
  first_ = dense::kFirstTile;
  const std::vector<graph::Stretch> across = stretches(columns_, plan_.n, tile());
  if (const WeightMatrix* const weights = graph.matrix()) {
    return graph::copy_weight_part(*weights, plan_.semiring, plan_.type,
                                   stretches(rows_, plan_.n, tile()), across, held_.matrix,
                                   plan_.threads, control);
  }
  const std::int64_t size = held_.value_size, n = plan_.n;
  system::Pool<base::ByteVector> lines(
      [&] { return std::make_unique<base::ByteVector>(static_cast<std::size_t>(n * size)); });
  auto* const data = static_cast<std::byte*>(held_.matrix.data);
  system::parallel_for(held_.n(), plan_.threads, [&](std::int64_t i) {
    lines.use([&](base::ByteVector& line) {
      graph::fill_adjacency_rows(graph, plan_.semiring, plan_.type,
                                 rows_.vertex(LocalIndex(i), tile()), {line.data(), 1, n, n}, 1,
                                 control);
      for (const auto& [here, there, count] : across) {
        copy_values(data, i * held_.matrix.stride + here, line.data(), there, count, size);
      }
    });
  });
}

void GridRun::fill(const FillRow& fill_row, const Control& control) {
  first_ = dense::kFirstTile;
  const std::vector<graph::Stretch> across = stretches(columns_, plan_.n, tile());
  auto* const data = static_cast<std::byte*>(held_.matrix.data);
  system::parallel_for(held_.n(), plan_.threads, [&](std::int64_t i) {
    base::check_cancelled(control);
    const std::int64_t row = rows_.vertex(LocalIndex(i), tile());
    for (const auto& [here, there, count] : across) {
      fill_row(row, there, count, data + (i * held_.matrix.stride + here) * held_.value_size);
    }
  });
}

void GridRun::for_each_tile(int threads, const std::function<void(const HeldTile&)>& each) const {
  const std::int64_t tile = this->tile(), across = (held_.matrix.cols + tile - 1) / tile;
  system::parallel_for(held_.tiles() * across, threads, [&](std::int64_t t) {
    const Tile ti(t / across), tj(t % across);
    const std::int64_t row = held_.row(ti), col = held_.column(tj);
    const kernels::View values = held_.at(ti, tj);
    each({{rows_.vertex(LocalIndex(row), tile), columns_.vertex(LocalIndex(col), tile), values.rows,
           values.cols},
          values,
          row * held_.matrix.cols + values.rows * col});
  });
}

/// A symmetric matrix is solved only below the diagonal.
void GridRun::for_each_solved_tile(int threads,
                                   const std::function<void(const HeldTile&)>& each) const {
  for_each_tile(threads, [&](const HeldTile& held) {
    const bool above = held.block.row < held.block.col;
    if (plan_.shape != dense::Shape::symmetric || !above) each(held);
  });
}

void GridRun::read(const store::DiskMatrix& matrix, const Control& control) {
  for_each_tile(plan_.threads, [&](const HeldTile& held) {
    const store::Block& block = held.block;
    base::check_cancelled(control);
    base::ByteVector tile(static_cast<std::size_t>(block.rows * block.cols * held_.value_size));
    matrix.read_block(store::DiskMatrix::Generation::current, block, tile.data(), block.cols);
    copy_tile(held.values, {tile.data(), block.rows, block.cols, block.cols}, held_.value_size);
  });
  first_ = Tile((matrix.checkpoint()->pivots + tile() - 1) / tile());
}

/// Tiles below the diagonal are also written transposed above it, so that any grid can resume.
void GridRun::write_tile(store::DiskMatrix& matrix, const store::Block& block,
                         const kernels::View& values) const {
  matrix.write_block(block, values.data, values.stride);
  if (plan_.shape != dense::Shape::symmetric || block.row == block.col) return;
  base::ByteVector transposed(static_cast<std::size_t>(block.rows * block.cols * held_.value_size));
  kernels::transpose({transposed.data(), block.cols, block.rows, block.rows}, values,
                     held_.value_size);
  matrix.write_block({block.col, block.row, block.cols, block.rows}, transposed.data(), block.rows);
}

kernels::View GridRun::copy_of(const HeldTile& held) {
  return {copy_.data() + held.before * held_.value_size, held.values.rows, held.values.cols,
          held.values.cols};
}

/// Writes this process's tiles into the next generation; while the solve continues, from a copy, by
/// the calling thread.
void GridRun::take_checkpoint(Checkpoints& checkpoints) {
  const bool in_background = checkpoints.in_background();
  const auto keep_copy = [this] {
    copy_.require(held_.matrix.rows * held_.matrix.cols * held_.value_size);
    for_each_solved_tile(plan_.threads, [this](const HeldTile& held) {
      copy_tile(copy_of(held), held.values, held_.value_size);
    });
  };
  checkpoints.take(first_.number() * tile(), keep_copy, [this, in_background](auto& matrix) {
    matrix.set_checksum_columns(tile());
    for_each_solved_tile(in_background ? 1 : plan_.threads, [&](const HeldTile& held) {
      write_tile(matrix, held.block, in_background ? copy_of(held) : held.values);
    });
  });
}

void GridRun::connect(DeviceLinks& links) {
  processes_.communicate(
      [&] { broadcasts_ = links.connect(device_.device(), processes_.communicator()); });
}

std::unique_ptr<dense::Transport> GridRun::make_transport() {
  kernels::ComputeDevice& device = device_.device();
  Communicator& communicator = processes_.communicator();
  if (broadcasts_ != nullptr) {
    return std::make_unique<DirectTransport>(device, communicator, *broadcasts_);
  }
  RelayTransport::Options options = shape_.transport;
  options.cuda_aware = options.cuda_aware && plan_.on_device;
  options.turns = turns_.get();
  return std::make_unique<RelayTransport>(device, communicator, options);
}

/// Runs the driver from the first step that is not done. Returns whether it ended for a checkpoint.
bool GridRun::run_page(const Control& control, const dense::GridPart& part) {
  const auto run = [&](auto& matrix, const auto&... planes) {
    try {
      matrix.solve(planes..., first_);
    } catch (...) {
      part.transport->fail();  // before the matrix waits for its queues
      throw;
    }
    first_ = matrix.reached();
    return matrix.was_cut();
  };
  kernels::ComputeDevice& device = device_.device();
  if (device_.streams()) {
    device_.copy_in(part, first_, false);
    StreamedPart matrix(device, plan_.on_device->offload, device_.part(), plan_.cycles, &control,
                        part);
    return run(matrix);
  }
  dense::ResidentMatrix matrix(device, device_.part(), plan_.shape, plan_.cycles, &control, part);
  return run(matrix, device_.planes(),
             device_.copy_in(part, first_, plan_.shape == dense::Shape::full));
}

void GridRun::solve(const Control& control, Checkpoints* checkpoints) {
  constexpr std::int64_t kNone = INT64_MAX;
  kernels::ComputeDevice& device = device_.device();
  if (broadcasts_ != nullptr) processes_.run_local([&] { broadcasts_->await_ready(); });
  std::unique_ptr<dense::Transport> transport = make_transport();
  dense::GridPart part{plan_.n, rows_, columns_, transport.get(), shape_.schedule};
  if (checkpoints != nullptr) part.cut_due = [checkpoints] { return checkpoints->due(); };
  std::int64_t pivot = kNone;
  bool ended = false, cut = true;
  while (cut) {
    processes_.communicate([&] {
      cut = run_page(control, part);
      device_.copy_out();
      const std::int64_t mine = device.tiles().take_pivot();
      pivot = transport->least(mine < 0 ? kNone : mine);
      ended = transport->least(base::cancelled(control) ? 0 : 1) == 0;
    });
    if (pivot != kNone || ended) break;
    if (cut) take_checkpoint(*checkpoints);
  }
  transport.reset();
  if (broadcasts_ != nullptr) {
    const system::BlockedSignals blocked;
    taking_leave_ =
        std::async(std::launch::async, [left = std::move(broadcasts_)]() mutable { left.reset(); });
  }
  if (checkpoints != nullptr) checkpoints->finish();
  copy_ = {};
  if (pivot != kNone) dense::throw_negative_cycle(pivot);
  if (ended) throw Error(ErrorKind::interrupted, "interrupted");
  if (plan_.shape == dense::Shape::symmetric) {
    processes_.communicate([&] { mirror_grid(processes_, held_, rows_, columns_, plan_.threads); });
  }
  put_back_diagonals();
}

void GridRun::count_edges() {
  hops_ = via_;
  processes_.run_local([&] {
    hops_memory_ = system::AlignedMemory(
        std::max<std::int64_t>(via_.matrix.rows * via_.matrix.cols * kViaSize, 1));
    hops_.matrix.data = hops_memory_.data();
  });
  count_hops(processes_, held(), hops_.matrix, plan_.threads);
}

/// Resets the diagonal to the empty path if rounding improved it.
void GridRun::put_back_diagonals() {
  for (std::int64_t i = 0; i < held_.n(); ++i) {
    const std::int64_t vertex = rows_.vertex(LocalIndex(i), tile());
    if (!columns_.mine(Tile(vertex / tile()))) continue;
    const std::int64_t j = columns_.held(vertex, tile()).number();
    graph::put_back_diagonal(plan_.semiring, plan_.type,
                             kernels::part(held_.matrix, held_.value_size, i, j, 1, 1));
    if (plan_.with_via) {
      via_memory_.as<std::int32_t>()[i * via_.matrix.stride + j] = kernels::kNoVia;
    }
  }
}

std::vector<GridRun::HeldRow> GridRun::held_rows(int process, std::int64_t band) const {
  const BlockCyclic distribution = row_distribution(process);
  const std::vector<Vertex> rows = bands_.rows(band);
  std::vector<HeldRow> held;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!distribution.mine(Tile(rows[i] / tile()))) continue;
    held.push_back({static_cast<std::int64_t>(i), distribution.held(rows[i], tile()).number()});
  }
  return held;
}

std::int64_t GridRun::part_bytes(int process, std::int64_t rows, std::int64_t size) const {
  return rows * column_distribution(process).vertices(plan_.n, tile()) * size;
}

void GridRun::place_part(int process, std::int64_t band, const std::byte* part, std::int64_t size) {
  const BlockCyclic columns = column_distribution(process);
  const std::vector<graph::Stretch> across = stretches(columns, plan_.n, tile());
  const std::vector<HeldRow> rows = held_rows(process, band);
  const std::int64_t width = columns.vertices(plan_.n, tile());
  system::parallel_for(std::ssize(rows), plan_.threads, [&](std::int64_t i) {
    const std::int64_t row = rows[static_cast<std::size_t>(i)].in_band;
    for (const auto& [here, there, count] : across) {
      copy_values(band_.data(), row * plan_.n + there, part, i * width + here, count, size);
    }
  });
}

/// Assembles bands [first_band, first_band + bands) of a plane, in the first of as many processes.
void GridRun::exchange_band(const dense::TiledMatrix& held, std::int64_t first_band,
                            std::int64_t bands, int turn) {
  const int rank = processes_.rank();
  const std::int64_t size = held.value_size, cols = held.matrix.cols;
  const auto* const data = static_cast<const std::byte*>(held.matrix.data);
  if (rank < bands) {
    for (int from = 0; from < processes_.size(); ++from) {
      auto& part = parts_[static_cast<std::size_t>(from)];
      const std::int64_t rows = std::ssize(held_rows(from, first_band + rank));
      part.resize(static_cast<std::size_t>(part_bytes(from, rows, size)));
      if (from != rank) processes_.receive(from, turn, part);
    }
  }
  for (int to = 0; to < bands; ++to) {
    const std::vector<HeldRow> rows = held_rows(rank, first_band + to);
    auto& part = (to == rank ? parts_ : leaving_)[static_cast<std::size_t>(to)];
    part.resize(static_cast<std::size_t>(part_bytes(rank, std::ssize(rows), size)));
    for (std::int64_t i = 0; const HeldRow& row : rows) {
      copy_values(part.data(), i++ * cols, data, row.held * held.matrix.stride, cols, size);
    }
    if (to != rank) processes_.send(to, turn, part);
  }
  processes_.finish();
  if (rank >= bands) return;
  for (int from = 0; from < processes_.size(); ++from) {
    place_part(from, first_band + rank, parts_[static_cast<std::size_t>(from)].data(), size);
  }
}

void GridRun::give_band(std::int64_t band, std::span<flow::RowSink* const> sinks) {
  const std::vector<Vertex> rows = bands_.rows(band);
  const auto count = std::ssize(rows);
  const std::vector<Vertex>& targets = plan_.selection.targets.listed();
  system::parallel_for(targets.empty() ? 0 : count, plan_.threads, [&](std::int64_t row) {
    std::int64_t to = row * std::ssize(targets);
    for (const Vertex target : targets) {
      copy_values(picked_.data(), to++, band_.data(), row * plan_.n + target, 1, held_.value_size);
    }
  });
  const std::byte* const values = targets.empty() ? band_.data() : picked_.data();
  for (flow::RowSink* const sink : sinks) {
    const flow::RowPreference preference = sink->preference();
    const std::int64_t step = preference.one_caller ? count : preference.rows;
    system::parallel_for((count + step - 1) / step, plan_.threads, [&](std::int64_t item) {
      const std::int64_t first = item * step, length = std::min(step, count - first);
      sink->take({.sources = std::span(rows).subspan(static_cast<std::size_t>(first),
                                                     static_cast<std::size_t>(length)),
                  .values = values + first * plan_.targets() * held_.value_size,
                  .stride = plan_.targets(),
                  .type = plan_.type});
    });
  }
}

void GridRun::push_rows(std::span<flow::RowSink* const> sinks, const TakePlane& planes) {
  std::exception_ptr failure;  // of a sink; the others continue until all know of it
  int turn = 0;
  for (std::int64_t first = 0; first < bands_.count(); first += processes_.size()) {
    const std::int64_t count = std::min<std::int64_t>(processes_.size(), bands_.count() - first);
    const std::int64_t mine = first + processes_.rank();
    const auto feed = [&](const dense::TiledMatrix& held, const std::function<void()>& give) {
      processes_.communicate([&] { exchange_band(held, first, count, turn++); });
      if (failure || processes_.rank() >= count) return;
      try {
        give();
      } catch (...) {
        failure = std::current_exception();
      }
    };
    feed(held_, [&] { give_band(mine, sinks); });
    const std::pair<store::Plane, const dense::TiledMatrix*> besides[] = {
        {store::Plane::via, &via_}, {store::Plane::hops, &hops_}};
    for (const auto& [plane, held] : besides) {
      if (held->matrix.data == nullptr) continue;
      feed(*held, [&, plane = plane] {
        planes(plane, mine * plan_.chunk, std::ssize(bands_.rows(mine)), band_.data());
      });
    }
  }
  processes_.run_local([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace apsp::cluster
