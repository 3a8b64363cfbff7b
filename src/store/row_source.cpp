#include "store/row_source.hpp"

#include <apsp/error.hpp>

#include <algorithm>

namespace apsp::store {

void RowSource::Worker::compute_columns(std::span<const Vertex>, ColumnSink::Writer&, bool) {
  throw Error(ErrorKind::defect, "this source gives no columns");
}

void RowSource::Worker::compute_both(std::span<const Vertex> sources, void* rows,
                                     std::int64_t stride, ColumnSink::Writer& part) {
  compute(sources, rows, stride);
  compute_columns(sources, part, false);
}

std::vector<Vertex> in_bands(std::span<const Vertex> order, std::span<const Vertex> vertices,
                             std::int64_t band) {
  std::vector<Vertex> place(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<Vertex>(i);
  std::vector<Vertex> banded(vertices.begin(), vertices.end());
  const auto count = std::ssize(banded);
  if (band == 0) band = std::max<std::int64_t>(1, count);
  for (std::int64_t first = 0; first < count; first += band) {
    std::sort(banded.begin() + first, banded.begin() + std::min(first + band, count),
              [&](Vertex a, Vertex b) { return place[a] < place[b]; });
  }
  return banded;
}

void RowSource::Worker::compute_into(std::span<const Vertex>, const RowView&, ColumnSink::Writer*) {
  throw Error(ErrorKind::defect, "this source fills no rooms");
}

}  // namespace apsp::store
