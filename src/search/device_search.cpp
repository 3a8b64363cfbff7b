#include "search/device_search.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "base/control.hpp"
#include "places/device_array.hpp"
#include "places/row_pieces.hpp"
#include "search/device_searches.hpp"

namespace apsp::search {
namespace {

using kernels::RowTotals;
using places::DeviceArray;

std::vector<Vertex> all_vertices(std::int64_t n) {
  std::vector<Vertex> all(static_cast<std::size_t>(n));
  std::iota(all.begin(), all.end(), Vertex{0});
  return all;
}

store::CountedDistances counted(std::span<const Vertex> targets,
                                const std::vector<RowTotals>& totals,
                                const std::vector<std::uint64_t>& greatest,
                                const std::vector<std::uint64_t>& counts) {
  if (counts.back() != 0) throw Error(ErrorKind::defect, "a distance lies beyond its bound");
  store::CountedDistances all;
  all.to.resize(greatest.size());
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const RowTotals& row = totals[i];
    all.to[targets[i]] = {row.sum, row.high, row.low, static_cast<std::uint32_t>(row.reached)};
  }
  for (const std::uint64_t key : greatest) {
    all.from.push_back(key == 0 ? store::CountedDistances::From{}
                                : store::CountedDistances::From{true, kernels::greatest_of(key),
                                                                kernels::label_of(key)});
  }
  all.counts.assign(counts.begin(), counts.end() - 1);
  return all;
}

/// Two buffers of rows: one is searched into while the other is copied out.
class RowBuffers {
 public:
  RowBuffers(const Graph& graph, Semiring semiring, ValueType type, kernels::ComputeDevice& device,
             std::span<const Vertex> sources, const SearchBatches& how)
      : device_(device),
        how_(how),
        n_(graph.vertex_count()),
        sources_(std::ssize(sources)),
        size_(size_of(type)),
        queue_(device.make_queue()) {
    for (Buffer& buffer : buffers_) {
      buffer.rows = places::DeviceBuffer(device, how.batch * n_ * size_);
    }
    searches_.emplace(graph, semiring, type, Direction::kept, device, queue_, sources, how.searches,
                      how.step);
  }
  ~RowBuffers() {
    searches_.reset();
    places::drain(device_, queue_);
  }
  RowBuffers(const RowBuffers&) = delete;
  RowBuffers& operator=(const RowBuffers&) = delete;

  /// Queues the copy of rows [first, first + count), which lie in one batch.
  void issue(std::int64_t first, std::int64_t count, places::RowPieces& copies) {
    const std::int64_t batch = first / how_.batch, begin = batch * how_.batch;
    if (first == begin) {
      if (batch == 0) search(0);
      search(batch + 1);
    }
    Buffer& from = buffer(batch);
    from.copied =
        copies.copy(from.found, kernels::part(view(batch), size_, first - begin, 0, count, n_));
  }

 private:
  struct Buffer {
    places::DeviceBuffer rows;  // [batch, n]
    kernels::EventId found = -1, copied = -1;
  };

  Buffer& buffer(std::int64_t batch) { return buffers_[static_cast<std::size_t>(batch % 2)]; }
  kernels::View view(std::int64_t batch) {
    const std::int64_t rows = std::min(how_.batch, sources_ - batch * how_.batch);
    return {buffer(batch).rows.data(), rows, n_, n_};
  }
  /// All copies out of the buffer that it takes are queued by then.
  void search(std::int64_t batch) {
    if (batch * how_.batch >= sources_) return;
    Buffer& into = buffer(batch);
    if (into.copied >= 0) device_.wait(queue_, into.copied);
    searches_->find(view(batch), batch * how_.batch);
    into.found = device_.record(queue_);
  }

  kernels::ComputeDevice& device_;
  SearchBatches how_;
  std::int64_t n_, sources_;
  int size_;  // of a value
  kernels::QueueId queue_;
  std::array<Buffer, 2> buffers_;
  std::optional<DeviceSearches> searches_;
};

}  // namespace

std::int64_t SearchBatches::bytes_of_counts(std::int64_t vertices, std::int64_t arcs,
                                            ValueType type, std::int64_t limit) const {
  constexpr std::int64_t kRowPadding = 128;
  return DeviceSearches::bytes(vertices, arcs, vertices, type, searches) +
         batch * (vertices * size_of(type) + kRowPadding) +
         vertices * std::int64_t{sizeof(RowTotals) + sizeof(std::uint64_t) + sizeof(Vertex)} +
         (limit + 1) * std::int64_t{sizeof(std::uint64_t)};
}

std::int64_t SearchBatches::bytes_of_rows(std::int64_t vertices, std::int64_t arcs,
                                          std::int64_t sources, ValueType type) const {
  return DeviceSearches::bytes(vertices, arcs, sources, type, searches) +
         2 * batch * vertices * size_of(type);
}

std::int64_t SearchBatches::host_bytes(std::int64_t vertices, ValueType type) const {
  return places::RowPieces::bytes(piece, vertices, size_of(type));
}

store::CountedDistances count_by_searches(const Graph& graph, ValueType type,
                                          kernels::ComputeDevice& device,
                                          std::span<const Vertex> targets, const SearchBatches& how,
                                          std::int64_t limit, const Control& control) {
  const std::int64_t n = graph.vertex_count(), rows_found = std::ssize(targets);
  const kernels::QueueId queue = device.make_queue();
  const std::int64_t stride = device.stride(n);
  places::DeviceBuffer rows(device, how.batch * stride * size_of(type));
  const auto zeros = [](std::int64_t count) {
    return std::vector<std::uint64_t>(static_cast<std::size_t>(count));
  };
  DeviceArray<RowTotals> totals(device, std::vector<RowTotals>(targets.size()));
  DeviceArray<std::uint64_t> greatest(device, zeros(n)), counts(device, zeros(limit + 1));
  DeviceArray<Vertex> row_labels(device, {targets.begin(), targets.end()});
  DeviceArray<Vertex> labels(device, all_vertices(n));
  // Counts add up the distances to a vertex: those are found from it on against the arcs.
  DeviceSearches searches(graph, Semiring::min_plus, type,
                          graph.symmetric() ? Direction::kept : Direction::reversed, device, queue,
                          targets, how.searches, how.step);
  // All memory is claimed; `searches`, which ends first, waits for these copies too.
  totals.copy_in(device, queue);
  greatest.copy_in(device, queue);
  counts.copy_in(device, queue);
  row_labels.copy_in(device, queue);
  labels.copy_in(device, queue);
  base::ProgressTask progress(control, "solving", static_cast<double>(rows_found), "row");
  kernels::EventId before = -1;
  for (std::int64_t first = 0; first < rows_found; first += how.batch) {
    base::check_cancelled(control);
    const std::int64_t count = std::min(how.batch, rows_found - first);
    const kernels::View found{rows.data(), count, n, stride};
    searches.find(found, first);
    device.count_rows(queue, {.x = found,
                              .row_labels = row_labels.data() + first,
                              .column_labels = labels.data(),
                              .totals = totals.data() + first,
                              .greatest = greatest.data(),
                              .counts = counts.data(),
                              .limit = limit});
    if (before >= 0) device.await(before);
    before = device.record(queue);
    progress.advance(static_cast<double>(count));
  }
  totals.copy_out(device, queue);
  greatest.copy_out(device, queue);
  counts.copy_out(device, queue);
  device.synchronize(queue);
  return counted(targets, totals.host(), greatest.host(), counts.host());
}

void rows_by_searches(const Graph& graph, Semiring semiring, ValueType type,
                      kernels::ComputeDevice& device, std::span<const Vertex> sources,
                      const SearchBatches& how, const TakeRows& take, const Control& control) {
  struct SourceRange {
    std::int64_t first, count;
  };
  const std::int64_t n = graph.vertex_count(), all = std::ssize(sources);
  std::vector<SourceRange> pieces;
  for (std::int64_t batch = 0; batch < all; batch += how.batch) {
    const std::int64_t end = std::min(batch + how.batch, all);
    for (std::int64_t first = batch; first < end; first += how.piece) {
      pieces.push_back({first, std::min(how.piece, end - first)});
    }
  }
  RowBuffers rows(graph, semiring, type, device, sources, how);
  places::RowPieces copies(device, how.piece, n, size_of(type));
  base::ProgressTask progress(control, "solving", static_cast<double>(all), "row");
  copies.pass_on(
      [&](std::size_t i) {
        if (i == pieces.size()) return false;
        rows.issue(pieces[i].first, pieces[i].count, copies);
        return true;
      },
      [&](std::size_t i, const void* values) {
        base::check_cancelled(control);
        take(sources.subspan(static_cast<std::size_t>(pieces[i].first),
                             static_cast<std::size_t>(pieces[i].count)),
             values, n);
        progress.advance(static_cast<double>(pieces[i].count));
      });
}

double search_step(const Graph& graph) {
  const auto n = static_cast<double>(graph.vertex_count());
  const auto m = static_cast<double>(graph.arc_count());
  if (m == 0) return 1;
  double sum = 0;
  graph.visit_all([&](Vertex, Vertex, double weight) { sum += std::abs(weight); });
  const double mean = sum / m, degree = m / n;
  constexpr double kFewArcs = 4, kOfFewArcs = 32, kOfADegree = 3.2;
  return mean * (degree < kFewArcs ? kOfFewArcs : kOfADegree / degree);
}

}  // namespace apsp::search
