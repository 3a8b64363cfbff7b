#include "engine/near_on_devices.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>

#include "base/units.hpp"
#include "system/threads.hpp"

namespace apsp::engine {
namespace {

template <class K>
class RowWriter {
 public:
  explicit RowWriter(flow::ColumnSink& columns) : part_(columns.part()) {}

  void give(Vertex source, std::span<const Vertex> targets, const K* distances) {
    if (std::is_sorted(targets.begin(), targets.end())) {
      distances_.assign(distances, distances + targets.size());
      return part_.take_row(source, targets, distances_);
    }
    row_.clear();
    for (std::size_t i = 0; i < targets.size(); ++i) row_.emplace_back(targets[i], distances[i]);
    std::sort(row_.begin(), row_.end());
    vertices_.clear();
    distances_.clear();
    for (const auto& [v, distance] : row_) {
      vertices_.push_back(v);
      distances_.push_back(static_cast<double>(distance));
    }
    part_.take_row(source, vertices_, distances_);
  }

 private:
  flow::ColumnSink::Writer& part_;
  std::vector<std::pair<Vertex, K>> row_;
  std::vector<Vertex> vertices_;
  std::vector<double> distances_;
};

template <class K>
class RowGiver {
 public:
  RowGiver(flow::ColumnSink& columns, int threads) : threads_(threads) {
    for (int i = 0; i < threads; ++i) writers_.emplace_back(columns);
  }
  void operator()(const near::NearRowsFound& rows) {
    const auto* const distances = reinterpret_cast<const K*>(rows.distances);
    system::parallel_for(std::ssize(rows.sources), threads_, [&](std::int64_t row, int member) {
      const auto i = static_cast<std::size_t>(row);
      if (rows.found[i] < 0) return;
      writers_[static_cast<std::size_t>(member)].give(
          rows.sources[i], {rows.targets + rows.begin[i], static_cast<std::size_t>(rows.found[i])},
          distances + rows.begin[i]);
    });
  }

 private:
  int threads_;
  std::deque<RowWriter<K>> writers_;
};

}  // namespace

NearOnDevices::NearOnDevices(const Graph& graph, ValueType type, double limit,
                             planner::NamedDevice devices, std::int64_t sources, double reached,
                             int threads)
    : devices_(std::move(devices)),
      threads_(threads),
      graph_(graph, type, limit),
      bytes_(planner::allowed_device_bytes(0, devices_.taken)),
      how_(near::NearBatches::fitting(bytes_, sources, graph.vertex_count(),
                                      graph_.arcs.arc_count(), graph_.whole, reached)) {
  if (how_.rows > 0 || sources == 0) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("a search among {} vertices does not fit into {} of {}: use `device=cpu`",
                          base::format_count(graph.vertex_count()), base::format_bytes(bytes_),
                          planner::title(devices_.taken.front())));
}

std::vector<Vertex> NearOnDevices::give(std::span<const Vertex> sources, flow::ColumnSink& columns,
                                        const Control& control) const {
  std::vector<Vertex> left;
  if (sources.empty()) return left;
  search::SourceBlocks blocks(sources, how_.rows, control);
  std::mutex mutex;
  const auto count = static_cast<int>(devices_.taken.size());
  const auto each = [&](int number) {
    const ValueType type = graph_.whole ? ValueType::i32 : ValueType::f64;
    const auto device =
        devices_.devices.open(devices_.taken[static_cast<std::size_t>(number)].ordinal,
                              Semiring::min_plus, type, kernels::Sign::non_negative, bytes_);
    near::DeviceNear near(graph_, how_, *device);
    const int threads = std::max(1, threads_ / count);
    const auto run = [&](auto give) {
      return near.run(blocks, [&](const near::NearRowsFound& rows) { give(rows); });
    };
    const std::vector<Vertex> too_many = graph_.whole
                                             ? run(RowGiver<std::uint32_t>(columns, threads))
                                             : run(RowGiver<double>(columns, threads));
    const std::lock_guard lock(mutex);
    left.insert(left.end(), too_many.begin(), too_many.end());
  };
  system::on_threads(count, each, [&] { blocks.stop(); });
  return left;
}

}  // namespace apsp::engine
