// What a result is said to take on a disk is what its files take.
#include "store/disk_use.hpp"

#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::disk_use_test {
namespace {

std::int64_t bytes_of_files_below(const std::string& path) {
  namespace fs = std::filesystem;
  if (!fs::is_directory(path)) return static_cast<std::int64_t>(fs::file_size(path));
  std::int64_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) bytes += static_cast<std::int64_t>(entry.file_size());
  }
  return bytes;
}

TEST(DiskUse, CountsEveryFileOfAResult) {
  const TemporaryFolder folder;
  for (const std::int64_t n : {1, 7, 300}) {
    for (const std::int64_t tile : {16, 128, 1024}) {
      for (const bool labelled : {false, true}) {
        Layout layout{.n = n, .type = ValueType::i32, .tile = tile};
        layout.planes.push_back(Plane::via);
        const Graph graph = sample_graph(n, true, labelled);
        const std::string path = folder / "r.zarr";
        const auto store = create_store(path, layout);
        write_sample(*store);
        std::vector<std::int32_t> values(static_cast<std::size_t>(3 * n));
        const Array array{"factor/order", ValueType::i32, 3 * n};
        store->write_array(array, values.data());
        const std::vector<double> found(static_cast<std::size_t>(n));
        store->commit(graph, {"{}", {{"eccentricity", found}, {"closeness", found}}});
        const std::int64_t said = result_bytes_on_disk(
            path, layout,
            {.graph = graph_bytes_on_disk(graph), .arrays = {&array, 1}, .vertex_values = 2});
        const std::int64_t taken = bytes_of_files_below(path);
        EXPECT_GE(said, taken) << n << " " << tile;
        const std::int64_t files = 40 + 2 * ((n + tile - 1) / tile) * ((n + tile - 1) / tile);
        EXPECT_LE(said, taken + files * 3 * 4096) << n << " " << tile;
      }
    }
  }
}

TEST(DiskUse, CountsSomeRowsAndAnArrayWithoutAGraph) {
  Layout layout{.n = 1000, .type = ValueType::u16, .tile = 256};
  layout.selection.sources = std::vector<Vertex>{3, 5, 7};
  EXPECT_GE(result_bytes_on_disk("a.npy", layout, {}), 128 + 3 * 1000 * 2);
  EXPECT_LE(result_bytes_on_disk("a.npy", layout, {}), 128 + 3 * 1000 * 2 + 4096);
  const std::int64_t with_graph = result_bytes_on_disk("a.zarr", layout, {.graph = 1 << 20});
  EXPECT_EQ(with_graph - result_bytes_on_disk("a.zarr", layout, {}), 1 << 20);
}

}  // namespace
}  // namespace apsp::store::disk_use_test
