#include "store/disk_use.hpp"

#include <algorithm>
#include <cmath>

#include "store/zarr_graph.hpp"
#include "store/zarr_group.hpp"

namespace apsp::store {
namespace {

/// Clamps totals that overflow.
std::int64_t whole_bytes(double bytes) {
  constexpr double kMost = 0x1p62;
  return static_cast<std::int64_t>(std::min(bytes, kMost));
}

double file_bytes(double bytes) {
  constexpr double kBlock = 4096;
  return std::ceil(bytes / kBlock) * kBlock;
}

constexpr double kBytesOfDocument = 3 * 4096;
constexpr double kBytesOfChecksum = 4;

std::int64_t chunk_count(std::int64_t length, std::int64_t chunk) {
  return (length + chunk - 1) / chunk;
}

/// Chunks at edges are full-sized. A string takes four bytes and its characters.
double array_bytes(const ChunkGrid& grid, int value_size, double characters = 0) {
  double count = 1, values = 1;
  for (std::size_t side = 0; side < grid.shape.size(); ++side) {
    count *= static_cast<double>(chunk_count(grid.shape[side], grid.chunk[side]));
    values *= static_cast<double>(grid.chunk[side]);
  }
  const double size = value_size > 0 ? value_size : 4;
  const double more = value_size > 0 ? 0 : characters + 4096 * count;
  return kBytesOfDocument + count * file_bytes(values * size + kBytesOfChecksum) + more;
}

double vector_bytes(std::int64_t length, int value_size, double characters = 0) {
  return array_bytes(vector_grid(length), value_size, characters);
}

}  // namespace

std::int64_t graph_bytes_on_disk(const Graph& graph) {
  const std::int64_t n = graph.vertex_count(), arcs = graph.arc_count();
  double bytes = kBytesOfDocument;
  if (is_stored_as_matrix(graph)) {
    bytes += vector_bytes(n * n, size_of(graph.matrix()->type));
  } else {
    bytes += vector_bytes(n + 1, 8) + vector_bytes(arcs, 4) + vector_bytes(arcs, 8);
  }
  if (!graph.labels().empty()) {
    double characters = 0;
    for (const std::string& label : graph.labels()) {
      characters += static_cast<double>(label.size());
    }
    bytes += vector_bytes(n, 0, characters);
  }
  return whole_bytes(bytes);
}

namespace {

double npy_bytes(const Layout& layout) {
  constexpr double kHeader = 128;
  return file_bytes(kHeader + static_cast<double>(layout.rows()) *
                                  static_cast<double>(layout.cols()) *
                                  value_size(layout, Plane::distance));
}

double zarr_bytes(const Layout& layout, const AdditionalArrays& additional) {
  constexpr double kRoot = 32 * 1024, kLineOfJournal = 24, kChecksumText = 8;
  double bytes = kRoot + static_cast<double>(additional.graph);
  for (const Array& array : additional.arrays) {
    bytes += vector_bytes(array.length, size_of(array.type)) +
             kChecksumText * static_cast<double>(chunk_count(array.length, kArrayChunk));
  }
  const ChunkGrid grid = plane_grid(layout);
  for (const Plane plane : layout.planes) {
    bytes += array_bytes(grid, value_size(layout, plane)) +
             kLineOfJournal * static_cast<double>(chunk_count(grid.shape[0], grid.chunk[0]));
  }
  bytes += static_cast<double>(additional.vertex_values) * vector_bytes(layout.n, 8);
  if (!layout.selection.sources.is_all()) bytes += vector_bytes(layout.rows(), 4);
  if (!layout.selection.targets.is_all()) bytes += vector_bytes(layout.cols(), 4);
  return bytes;
}

}  // namespace

std::int64_t result_bytes_on_disk(const std::string& path, const Layout& layout,
                                  const AdditionalArrays& additional) {
  return whole_bytes(is_zarr(path) ? zarr_bytes(layout, additional) : npy_bytes(layout));
}

}  // namespace apsp::store
