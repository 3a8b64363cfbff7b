#include "engine/grid_run.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <numeric>

#include "algorithms/adjacency_matrix.hpp"
#include "base/control.hpp"
#include "base/lender.hpp"
#include "base/team.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "places/negative_cycle.hpp"

namespace apsp::engine {
namespace {

using places::Deal;
using places::Tile;

kernels::TileOperations operations_of(const planner::Plan& plan) {
  return kernels::cpu::operations(plan.kernel_semiring(), plan.type, plan.sign);
}

std::unique_ptr<kernels::ComputeDevice> host_of(const planner::Plan& plan, int threads) {
  return kernels::host::make_device(operations_of(plan), std::nullopt, plan.tile, threads);
}

/// How many rows of those before vertex `v` a member holds.
std::int64_t held_before(const Deal& deal, std::int64_t tile, std::int64_t v) {
  const Tile t(v / tile);
  return deal.before(t) * tile + (deal.mine(t) ? v % tile : 0);
}

/// each(first column here, first column of the matrix, columns) for every tile of columns held.
template <class F>
void for_each_stretch(const Deal& columns, std::int64_t n, std::int64_t tile, F&& each) {
  const std::int64_t held = columns.vertices(n, tile);
  for (std::int64_t first = 0; first < held; first += tile) {
    each(first, columns.vertex(first, tile), std::min(tile, held - first));
  }
}

void copy_values(std::byte* to, std::int64_t at, const std::byte* from, std::int64_t from_at,
                 std::int64_t count, std::int64_t size) {
  std::memcpy(to + at * size, from + from_at * size, static_cast<std::size_t>(count * size));
}

}  // namespace

GridRun::GridRun(Processes& processes, const GridShape& shape, const planner::Plan& plan)
    : processes_(processes), shape_(shape), plan_(plan), device_(host_of(plan, plan.threads)) {
  const std::int64_t rows = rows_dealt(processes.me()).vertices(plan.n, plan.tile);
  const std::int64_t cols = columns_dealt(processes.me()).vertices(plan.n, plan.tile);
  const std::int64_t stride = device_->stride(cols);
  memory_ = {*device_, rows * stride * size_of(plan.type)};
  held_ = {{memory_.data(), rows, cols, stride}, size_of(plan.type), plan.tile};
  band_ = base::AlignedMemory(std::min(plan.chunk, plan.n) * plan.n * size_of(plan.type));
  parts_.resize(static_cast<std::size_t>(processes.count()));
  leaving_.resize(static_cast<std::size_t>(processes.count()));
}

GridRun::~GridRun() = default;

std::int64_t GridRun::bytes(const GridShape& shape, const planner::Plan& plan) {
  const auto device = host_of(plan, 1);
  const std::int64_t size = size_of(plan.type);
  const std::int64_t rows = Deal{shape.rows, 0}.vertices(plan.n, plan.tile);
  const std::int64_t cols = Deal{shape.cols, 0}.vertices(plan.n, plan.tile);
  const std::int64_t panels =
      2 * (device->left_bytes(rows, plan.tile) + device->right_bytes(cols, plan.tile));
  constexpr std::int64_t kCopies = 3;  // of a band: put together, coming, leaving
  return rows * device->stride(cols) * size + panels +
         kCopies * std::min(plan.chunk, plan.n) * plan.n * size;
}

void GridRun::fill(const Graph& graph, const Control& control) {
  const Deal rows = rows_dealt(processes_.me()), columns = columns_dealt(processes_.me());
  const std::int64_t size = held_.value_size, n = plan_.n;
  base::Lender<base::ByteVector> lines(
      [&] { return std::make_unique<base::ByteVector>(static_cast<std::size_t>(n * size)); });
  auto* const data = static_cast<std::byte*>(held_.matrix.data);
  base::share_items(held_.n(), plan_.threads, [&](std::int64_t i) {
    lines.lend([&](base::ByteVector& line) {
      algorithms::fill_adjacency_rows(graph, plan_.semiring, plan_.type, rows.vertex(i, plan_.tile),
                                      {line.data(), 1, n, n}, 1, control);
      for_each_stretch(columns, n, plan_.tile, [&](auto here, auto there, auto count) {
        copy_values(data, i * held_.matrix.stride + here, line.data(), there, count, size);
      });
    });
  });
}

void GridRun::solve(const Control& control) {
  std::int64_t pivot = 0;
  bool ended = false;
  constexpr std::int64_t kNone = INT64_MAX;
  processes_.apart([&] {
    places::RelayTransport transport(*device_, processes_.mail(), shape_.transport);
    const places::GridPart part{plan_.n, rows_dealt(processes_.me()),
                                columns_dealt(processes_.me()), &transport};
    {
      places::ResidentMatrix matrix(*device_, held_, places::Shape::full, plan_.cycles, &control,
                                    part);
      matrix.solve({.values = held_});
    }
    const std::int64_t mine = device_->take_pivot();
    pivot = transport.least(mine < 0 ? kNone : mine);
    ended = transport.least(base::cancelled(control) ? 0 : 1) == 0;
  });
  if (pivot != kNone) places::throw_negative_cycle(pivot);
  if (ended) throw Error(ErrorKind::interrupted, "interrupted");
  const Deal rows = rows_dealt(processes_.me()), columns = columns_dealt(processes_.me());
  // The empty path again, where a cycle was rounded to something better.
  for (std::int64_t i = 0; i < held_.n(); ++i) {
    const std::int64_t vertex = rows.vertex(i, plan_.tile);
    if (!columns.mine(Tile(vertex / plan_.tile))) continue;
    algorithms::put_back_diagonal(plan_.semiring, plan_.type,
                                  kernels::part(held_.matrix, held_.value_size, i,
                                                held_before(columns, plan_.tile, vertex), 1, 1));
  }
}

std::int64_t GridRun::bands() const { return (plan_.n + plan_.chunk - 1) / plan_.chunk; }

std::vector<std::int64_t> GridRun::bands_of(int process, bool first_alone) const {
  std::vector<std::int64_t> list;
  if (first_alone && process > 0) return list;
  for (std::int64_t band = process; band < bands(); band += first_alone ? 1 : processes_.count()) {
    list.push_back(band);
  }
  return list;
}

std::vector<Vertex> GridRun::rows_of(std::span<const std::int64_t> bands) const {
  std::vector<Vertex> rows;
  for (const std::int64_t band : bands) {
    const std::int64_t end = std::min((band + 1) * plan_.chunk, plan_.n);
    for (std::int64_t v = band * plan_.chunk; v < end; ++v) rows.push_back(static_cast<Vertex>(v));
  }
  return rows;
}

GridRun::Rows GridRun::held_rows(int process, std::int64_t band) const {
  const Deal deal = rows_dealt(process);
  return {held_before(deal, plan_.tile, band * plan_.chunk),
          held_before(deal, plan_.tile, std::min((band + 1) * plan_.chunk, plan_.n))};
}

/// What a process holds of a band.
std::int64_t GridRun::part_bytes(int process, std::int64_t band) const {
  const Rows rows = held_rows(process, band);
  return (rows.end - rows.begin) * columns_dealt(process).vertices(plan_.n, plan_.tile) *
         held_.value_size;
}

/// A process's part of a band, packed, into the rows of that band.
void GridRun::place_part(int process, std::int64_t band, const std::byte* part,
                         std::byte* rows) const {
  const Deal rows_dealt = this->rows_dealt(process), columns = columns_dealt(process);
  const Rows held = held_rows(process, band);
  const std::int64_t width = columns.vertices(plan_.n, plan_.tile);
  base::share_items(held.end - held.begin, plan_.threads, [&](std::int64_t i) {
    const std::int64_t row = rows_dealt.vertex(held.begin + i, plan_.tile) - band * plan_.chunk;
    for_each_stretch(columns, plan_.n, plan_.tile, [&](auto here, auto there, auto count) {
      copy_values(rows, row * plan_.n + there, part, i * width + here, count, held_.value_size);
    });
  });
}

/// Bands [first_band, first_band + bands) are put together by the first of as many processes.
void GridRun::exchange_band(std::int64_t first_band, std::int64_t bands, int turn) {
  const int me = processes_.me();
  const std::int64_t size = held_.value_size, cols = held_.matrix.cols;
  const auto* const data = static_cast<const std::byte*>(held_.matrix.data);
  if (me < bands) {
    for (int from = 0; from < processes_.count(); ++from) {
      auto& part = parts_[static_cast<std::size_t>(from)];
      part.resize(static_cast<std::size_t>(part_bytes(from, first_band + me)));
      if (from != me) processes_.receive(from, turn, part);
    }
  }
  for (int to = 0; to < bands; ++to) {
    const Rows rows = held_rows(me, first_band + to);
    auto& part = (to == me ? parts_ : leaving_)[static_cast<std::size_t>(to)];
    part.resize(static_cast<std::size_t>(part_bytes(me, first_band + to)));
    for (std::int64_t i = rows.begin; i < rows.end; ++i) {
      copy_values(part.data(), (i - rows.begin) * cols, data, i * held_.matrix.stride, cols, size);
    }
    if (to != me) processes_.send(to, turn, part);
  }
  processes_.finish();
  if (me >= bands) return;
  for (int from = 0; from < processes_.count(); ++from) {
    place_part(from, first_band + me, parts_[static_cast<std::size_t>(from)].data(), band_.data());
  }
}

void GridRun::give_band(std::int64_t band, std::span<store::RowSink* const> sinks) const {
  const std::vector<Vertex> rows = rows_of({&band, 1});
  const auto count = std::ssize(rows);
  for (store::RowSink* const sink : sinks) {
    const store::RowWish wish = sink->wish();
    const std::int64_t step = wish.one_caller || wish.band > 0 ? count : wish.rows;
    base::share_items((count + step - 1) / step, plan_.threads, [&](std::int64_t item) {
      const std::int64_t first = item * step, length = std::min(step, count - first);
      sink->take({.sources = std::span(rows).subspan(static_cast<std::size_t>(first),
                                                     static_cast<std::size_t>(length)),
                  .values = band_.data() + first * plan_.n * held_.value_size,
                  .stride = plan_.n,
                  .type = plan_.type});
    });
  }
}

void GridRun::give_rows(std::span<store::RowSink* const> sinks, bool first_alone) {
  const std::int64_t at_once = first_alone ? 1 : processes_.count();
  std::exception_ptr failure;  // of my sinks: the others go on until all know of it
  int turn = 0;
  for (std::int64_t first = 0; first < bands(); first += at_once, ++turn) {
    const std::int64_t count = std::min(at_once, bands() - first);
    processes_.apart([&] { exchange_band(first, count, turn); });
    if (failure || processes_.me() >= count) continue;
    try {
      give_band(first + processes_.me(), sinks);
    } catch (...) {
      failure = std::current_exception();
    }
  }
  processes_.together([&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace apsp::engine
