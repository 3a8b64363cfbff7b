#include "search/device_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "graph/arc_walk.hpp"
#include "places/device_blocks.hpp"
#include "search/device_count.hpp"
#include "semiring/dispatch.hpp"
#include "semiring/semirings.hpp"

namespace apsp::search {

std::int64_t arc_bytes(ValueType type) {
  return type == ValueType::f64 ? sizeof(kernels::SearchArc<double>)
                                : sizeof(kernels::SearchArc<float>);
}

namespace {

/// Where each vertex's arcs begin, [n + 1]; without loops, which no path needs.
std::vector<std::uint32_t> offsets_of(const Graph& graph, Direction direction) {
  std::vector<std::uint32_t> first(static_cast<std::size_t>(graph.vertex_count()) + 1);
  graph.visit_all([&](Vertex from, Vertex to, double) {
    if (from != to) ++first[(direction == Direction::kept ? from : to) + std::size_t{1}];
  });
  std::partial_sum(first.begin(), first.end(), first.begin());
  return first;
}

/// Bytes of `SearchArc`, each at its place.
std::vector<std::byte> arcs_of(const Graph& graph, Semiring semiring, ValueType type,
                               Direction direction, const std::vector<std::uint32_t>& first) {
  std::vector<std::byte> bytes(first.back() * static_cast<std::size_t>(arc_bytes(type)));
  std::vector<std::uint32_t> next(first.begin(), first.end() - 1);
  semiring::dispatch(semiring, type, [&]<class S>() {
    auto* const arcs = reinterpret_cast<kernels::SearchArc<typename S::Value>*>(bytes.data());
    graph.visit_all([&](Vertex from, Vertex to, double weight) {
      if (from == to) return;
      if (direction == Direction::reversed) std::swap(from, to);
      arcs[next[from]++] = {to, semiring::weight_as<S>(weight + 0.0)};  // one zero only
    });
  });
  return bytes;
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

ArcRows arcs_for_device(const Graph& graph, Semiring semiring, ValueType type,
                        Direction direction) {
  ArcRows found{offsets_of(graph, direction), {}};
  found.arcs = arcs_of(graph, semiring, type, direction, found.first);
  return found;
}

DeviceSearches::DeviceSearches(const Graph& graph, Semiring semiring, ValueType type,
                               Direction direction, kernels::ComputeDevice& device,
                               kernels::QueueId queue, std::span<const Vertex> sources,
                               std::int64_t searches, double step)
    : device_(device),
      queue_(queue),
      searches_(searches),
      step_(step),
      first_(device, offsets_of(graph, direction)),
      arcs_(device, arcs_of(graph, semiring, type, direction, first_.host())),
      sources_(device, {sources.begin(), sources.end()}),
      scratch_(device, kernels::search_bytes(graph.vertex_count(), searches)) {
  first_.copy_in(device, queue);
  arcs_.copy_in(device, queue);
  sources_.copy_in(device, queue);
}

std::int64_t DeviceSearches::bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                   ValueType type, std::int64_t searches) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  return (vertices + 1 + sources) * kNumber + arcs * arc_bytes(type) +
         kernels::search_bytes(vertices, searches);
}

void DeviceSearches::find(kernels::View rows, std::int64_t begin) {
  device_.search_rows(queue_, {.rows = rows,
                               .sources = sources_.data() + begin,
                               .first = first_.data(),
                               .arcs = arcs_.data(),
                               .arc_count = std::int64_t{first_.host().back()},
                               .step = step_,
                               .searches = searches_,
                               .scratch = scratch_.data()});
}

std::int64_t SearchBatches::bytes_of_counts(std::int64_t vertices, std::int64_t arcs,
                                            ValueType type, std::int64_t limit) const {
  constexpr std::int64_t kRowPadding = 128;
  return DeviceSearches::bytes(vertices, arcs, vertices, type, searches) +
         batch * (vertices * size_of(type) + kRowPadding) +
         DeviceCount::device_bytes(vertices, vertices, limit);
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
  const std::vector<Vertex> all = graph::all_vertices(n);
  places::DeviceArray<Vertex> labels(device, all);
  DeviceCount count(device, queue, n, targets, all, limit);
  // Counts add up the distances to a vertex: those are found from it on against the arcs.
  DeviceSearches searches(graph, Semiring::min_plus, type,
                          graph.symmetric() ? Direction::kept : Direction::reversed, device, queue,
                          targets, how.searches, how.step);
  labels.copy_in(device, queue);  // `searches`, which ends first, waits for the copies
  count.begin();
  base::ProgressTask progress(control, "solving", static_cast<double>(rows_found), "row");
  kernels::EventId before = -1;
  for (std::int64_t first = 0; first < rows_found; first += how.batch) {
    base::check_cancelled(control);
    const std::int64_t batch = std::min(how.batch, rows_found - first);
    const kernels::View found{rows.data(), batch, n, stride};
    searches.find(found, first);
    count.add(found, first, labels.data(), 0);
    if (before >= 0) device.await(before);
    before = device.record(queue);
    progress.advance(static_cast<double>(batch));
  }
  return count.counted();
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
