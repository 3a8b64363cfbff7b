// apsp_store_sample DIRECTORY: writes matrices of every value type, as .npy, .zarr and compressed
// .zarr, whose entries follow from their places. tests/python/test_stores.py reads them with numpy
// and zarr-python.
#include <cstdio>
#include <string>

#include "support/sample_store.hpp"

namespace {

using namespace apsp;
using namespace apsp::store;

constexpr std::int64_t kTile = 8;
constexpr std::int64_t kSize = 2 * kTile + 3;

void write(const std::string& path, const Layout& layout, bool compress) {
  const auto store = create_store(path, layout, {compress});
  write_sample(*store);
  store->commit(sample_graph(layout.n, false, true), sample_metadata(layout.n));
}

void write_all(const std::string& directory) {
  for (const Semiring semiring : all_semirings()) {
    for (const ValueType type : all_value_types()) {
      if (!supported(semiring, type)) continue;
      const std::string stem =
          directory + "/" + std::string(apsp::name(semiring)) + "-" + std::string(apsp::name(type));
      Layout layout{kSize, type, semiring, kTile, {Plane::distance}};
      write(stem + ".npy", layout, false);
      layout.planes = {Plane::distance, Plane::predecessor, Plane::via, Plane::hops};
      write(stem + ".zarr", layout, false);
      write(stem + "-zstd.zarr", layout, true);
    }
  }
  const Layout empty{0, ValueType::f32, Semiring::min_plus, kTile, {Plane::distance}};
  write(directory + "/empty.npy", empty, false);
  write(directory + "/empty.zarr", empty, false);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
    return 2;
  }
  try {
    write_all(argv[1]);
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
