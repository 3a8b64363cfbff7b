#include "search/device_search.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "base/control.hpp"
#include "dense/device_blocks.hpp"
#include "graph/arc_walk.hpp"
#include "statistics/device_count.hpp"

namespace apsp::search {
namespace {

/// Vertices of the columns; empty: all vertices, in their order.
std::vector<Vertex> numbers_of_columns(const SearchedGraph& graph,
                                       const store::VertexList& columns) {
  if (columns.is_all()) return graph.numbers;
  std::vector<Vertex> numbers = columns.listed();
  for (Vertex& v : numbers) v = graph.number_of(v);
  return numbers;
}

std::vector<Vertex> numbers_of_sources(const SearchedGraph& graph,
                                       std::span<const Vertex> sources) {
  std::vector<Vertex> numbers(sources.begin(), sources.end());
  for (Vertex& v : numbers) v = graph.number_of(v);
  return numbers;
}

/// Two buffers of rows: searches write to one while the other is copied out.
class RowBuffers {
 public:
  RowBuffers(const SearchedGraph& graph, kernels::ComputeDevice& device,
             const store::VertexList& targets, const SearchBatches& how, SourceBlocks& blocks)
      : device_(device),
        blocks_(blocks),
        how_(how),
        columns_(targets.size(graph.vertices)),
        size_(size_of(graph.keys.type)),
        queue_(device.make_queue()) {
    for (StagedRows& buffer : buffers_) {
      buffer.rows = dense::DeviceBuffer(device, how.batch * columns_ * size_);
    }
    searches_.emplace(graph, device, queue_, blocks.sources(), targets, how);
  }
  ~RowBuffers() {
    searches_.reset();
    dense::drain(device_, queue_);
  }
  RowBuffers(const RowBuffers&) = delete;
  RowBuffers& operator=(const RowBuffers&) = delete;

  std::int64_t columns() const { return columns_; }

  /// Queues the copy of the next rows. Returns their sources; none: the rows have ended.
  std::span<const Vertex> issue(dense::RowPieces& copies) {
    if (begun_ == 0) search();
    if (left_ == 0) {
      if (taken_ == begun_) return {};
      left_ = std::ssize(buffer(taken_++).sources);
      search();  // during the copies; all copies out of its buffer are queued
    }
    StagedRows& from = buffer(taken_ - 1);
    const std::int64_t rows = std::ssize(from.sources), first = rows - left_;
    const std::int64_t count = std::min(how_.piece, left_);
    left_ -= count;
    from.copied =
        copies.copy(from.found, kernels::part(view(from, rows), size_, first, 0, count, columns_));
    return from.sources.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }

 private:
  struct StagedRows {
    dense::DeviceBuffer rows;  // [batch, columns]
    std::span<const Vertex> sources;
    kernels::EventId found = -1, copied = -1;
  };

  StagedRows& buffer(std::size_t block) { return buffers_[block % buffers_.size()]; }
  kernels::View view(const StagedRows& of, std::int64_t rows) const {
    return {of.rows.data(), rows, columns_, columns_};
  }
  /// Queues the searches of the next block of sources, if there is one.
  void search() {
    const auto block = blocks_.claim();
    if (!block) return;
    StagedRows& into = buffer(begun_++);
    dense::wait_for(device_, queue_, into.copied);
    into.sources = blocks_.sources().subspan(block->first, block->count);
    searches_->find(view(into, std::ssize(into.sources)), static_cast<std::int64_t>(block->first));
    into.found = device_.record(queue_);
  }

  kernels::ComputeDevice& device_;
  SourceBlocks& blocks_;
  SearchBatches how_;
  std::int64_t columns_;
  int size_;  // of a value
  kernels::QueueId queue_;
  std::array<StagedRows, 2> buffers_;
  std::optional<DeviceSearches> searches_;
  std::size_t begun_ = 0, taken_ = 0;  // blocks
  std::int64_t left_ = 0;              // rows of the last taken one that are to be copied
};

/// Rows of a batch that are transposed and counted together: a whole strip of the count.
std::int64_t transposed_at_once(std::int64_t batch) { return std::min<std::int64_t>(batch, 512); }

/// Counts rows of a batch. Binned distances are transposed first, because they are counted by
/// sources, as those of sweeps are.
class CountedRows {
 public:
  CountedRows(const SearchedGraph& graph, kernels::ComputeDevice& device, kernels::QueueId queue,
              std::span<const Vertex> sources, std::int64_t batch,
              const statistics::CountMethod& way)
      : device_(device),
        queue_(queue),
        vertices_(graph.vertices),
        size_(size_of(graph.keys.type)),
        at_once_(way.binned ? transposed_at_once(batch) : 0),
        stride_(device.tiles().stride(at_once_)),
        all_(graph::all_vertices(graph.vertices)),
        labels_(device, way.binned ? std::vector(sources.begin(), sources.end()) : all_),
        transposed_(device, way.binned ? vertices_ * stride_ * size_ : 0),
        count_(way.binned
                   ? statistics::device_counter(device, queue, vertices_, all_, sources, way)
                   : statistics::device_counter(device, queue, vertices_, sources, all_, way)) {}

  void begin() {
    labels_.copy_in(device_, queue_);
    count_->begin();
  }
  /// Queues the count of rows of the sources from number `first` on.
  void add(kernels::View found, std::int64_t first) {
    if (at_once_ == 0) return count_->add(found, first, labels_.data(), 0);
    for (std::int64_t i = 0; i < found.rows; i += at_once_) {
      const std::int64_t rows = std::min(at_once_, found.rows - i);
      const kernels::View columns{transposed_.data(), vertices_, rows, stride_};
      device_.tiles().transpose(queue_, columns, kernels::part(found, size_, i, 0, rows, vertices_),
                                size_);
      count_->add(columns, 0, labels_.data() + first + i, first + i);
    }
  }
  flow::CountedDistances counted() { return count_->counted(); }

 private:
  kernels::ComputeDevice& device_;
  kernels::QueueId queue_;
  std::int64_t vertices_;
  int size_;  // of a value
  std::int64_t at_once_, stride_;
  std::vector<Vertex> all_;
  dense::DeviceArray<Vertex> labels_;  // of columns that are counted
  dense::DeviceBuffer transposed_;     // [vertices, at_once]
  std::unique_ptr<statistics::DeviceCounter> count_;
};

}  // namespace

DeviceSearches::DeviceSearches(const SearchedGraph& graph, kernels::ComputeDevice& device,
                               kernels::QueueId queue, std::span<const Vertex> sources,
                               const store::VertexList& columns, const SearchBatches& how)
    : graph_(graph),
      device_(device),
      queue_(queue),
      how_(how),
      first_(device, graph.first),
      arcs_(device, graph.arcs),
      potentials_(device, graph.potentials),
      sources_(device, numbers_of_sources(graph, sources)),
      listed_(numbers_of_columns(graph, columns)),
      columns_(device, listed_),
      scratch_(device, kernels::search_bytes(graph.vertices, how.searches, graph.keys.bytes())) {
  first_.copy_in(device, queue);
  arcs_.copy_in(device, queue);
  potentials_.copy_in(device, queue);
  sources_.copy_in(device, queue);
  columns_.copy_in(device, queue);
}

std::int64_t DeviceSearches::bytes(std::int64_t vertices, std::int64_t arcs, std::int64_t sources,
                                   std::int64_t columns, const SearchKeys& keys,
                                   std::int64_t searches) {
  constexpr std::int64_t kNumber = sizeof(std::uint32_t);
  return SearchedGraph::bytes(vertices, arcs, keys) + (sources + columns) * kNumber +
         kernels::search_bytes(vertices, searches, keys.bytes());
}

void DeviceSearches::find(kernels::View rows, std::int64_t begin) {
  kernels_.search_rows(queue_, {.rows = rows,
                                .vertices = graph_.vertices,
                                .sources = sources_.data() + begin,
                                .columns = columns_.data(),
                                .first = first_.data(),
                                .arcs = arcs_.data(),
                                .arc_count = graph_.arc_count(),
                                .potentials = potentials_.data(),
                                .step = graph_.step,
                                .searches = how_.searches,
                                .scratch = scratch_.data(),
                                .shared_memory = how_.shared_memory,
                                .arcs_kept = how_.arcs_kept});
}

std::int64_t SearchBatches::bytes_of_counts(std::int64_t vertices, std::int64_t arcs,
                                            const SearchKeys& keys,
                                            const statistics::CountMethod& way) const {
  constexpr std::int64_t kRowPadding = 128;
  const auto matrix = [&](std::int64_t rows, std::int64_t columns) {
    return rows * (columns * size_of(keys.type) + kRowPadding);
  };
  return DeviceSearches::bytes(vertices, arcs, vertices, vertices, keys, searches) +
         matrix(batch, vertices) + (way.binned ? matrix(vertices, transposed_at_once(batch)) : 0) +
         statistics::device_count_bytes(vertices, vertices, way);
}

std::int64_t SearchBatches::bytes_of_rows(std::int64_t vertices, std::int64_t arcs,
                                          std::int64_t sources, std::int64_t columns,
                                          const SearchKeys& keys) const {
  return DeviceSearches::bytes(vertices, arcs, sources, columns, keys, searches) +
         2 * batch * columns * size_of(keys.type);
}

std::int64_t SearchBatches::host_bytes(std::int64_t columns, ValueType type) const {
  return dense::RowPieces::bytes(piece, columns, size_of(type));
}

flow::CountedDistances count_by_searches(const SearchedGraph& graph, kernels::ComputeDevice& device,
                                         const SearchBatches& how, SourceBlocks& blocks,
                                         const statistics::CountMethod& way) {
  const std::int64_t n = graph.vertices;
  const kernels::QueueId queue = device.make_queue();
  const std::int64_t stride = device.tiles().stride(n);
  dense::DeviceBuffer rows(device, how.batch * stride * size_of(graph.keys.type));
  CountedRows count(graph, device, queue, blocks.sources(), how.batch, way);
  DeviceSearches searches(graph, device, queue, blocks.sources(), {}, how);
  count.begin();  // `searches`, which ends first, waits for the copies
  kernels::EventId before = -1;
  while (const auto block = blocks.claim()) {
    const auto first = static_cast<std::int64_t>(block->first);
    const kernels::View found{rows.data(), static_cast<std::int64_t>(block->count), n, stride};
    searches.find(found, first);
    count.add(found, first);
    if (before >= 0) device.await(before);
    before = device.record(queue);
    blocks.advance(block->count);
  }
  return count.counted();
}

void rows_by_searches(const SearchedGraph& graph, kernels::ComputeDevice& device,
                      const store::VertexList& targets, const SearchBatches& how,
                      SourceBlocks& blocks, const TakeRows& take,
                      const dense::TakeOnDevice& on_device) {
  std::vector<std::span<const Vertex>> pieces;
  RowBuffers rows(graph, device, targets, how, blocks);
  dense::RowPieces copies(device, take ? how.piece : 0, rows.columns(), size_of(graph.keys.type));
  // Searches write to a buffer again once all of its rows are copied, or taken on the device.
  const std::size_t ahead = on_device ? 1 : dense::RowPieces::kSlots;
  copies.pass_on(
      [&](std::size_t) {
        const std::span<const Vertex> sources = rows.issue(copies);
        if (!sources.empty()) pieces.push_back(sources);
        return !sources.empty();
      },
      [&](std::size_t i, const void* values) {
        base::check_cancelled(blocks.control());
        if (on_device) on_device(pieces[i], copies.on_device(i));
        if (take) take(pieces[i], values, rows.columns());
        blocks.advance(pieces[i].size());
      },
      ahead);
}

}  // namespace apsp::search
