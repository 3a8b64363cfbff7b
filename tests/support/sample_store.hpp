// Matrices, graphs and metadata to store: every entry follows from its place, so a block can be
// checked without the whole.
#pragma once

#include <apsp/graph.hpp>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "semiring/dispatch.hpp"
#include "store/store.hpp"

namespace apsp::store {

/// A value that every type can hold; no path at about every seventh place.
template <class S>
typename S::Value sample_distance(std::int64_t i, std::int64_t j) {
  const std::int64_t mixed = i * 131 + j * 31 + i * j;
  if (mixed % 7 == 3) return S::zero();
  if constexpr (sizeof(typename S::Value) == 1) return static_cast<typename S::Value>(mixed % 2);
  return static_cast<typename S::Value>(mixed % 9973);
}

inline std::int32_t sample_integer(Plane plane, std::int64_t i, std::int64_t j) {
  return static_cast<std::int32_t>((i * 17 + j * 5 + static_cast<int>(plane)) % 1009) - 1;
}

/// [block.rows, stride] values of `plane`; what lies between columns and stride is 0xEE.
inline std::vector<std::byte> sample_block(const Layout& layout, Plane plane, Block block,
                                           std::int64_t stride) {
  const std::int64_t size = value_size(layout, plane);
  std::vector<std::byte> bytes(static_cast<std::size_t>(block.rows * stride * size),
                               std::byte{0xEE});
  const auto put = [&](std::int64_t i, std::int64_t j, auto value) {
    std::memcpy(bytes.data() + (i * stride + j) * size, &value, sizeof(value));
  };
  for (std::int64_t i = 0; i < block.rows; ++i) {
    for (std::int64_t j = 0; j < block.cols; ++j) {
      if (plane == Plane::distance) {
        semiring::dispatch(layout.semiring, layout.type, [&]<class S>() {
          put(i, j, sample_distance<S>(block.row + i, block.col + j));
        });
      } else {
        put(i, j, sample_integer(plane, block.row + i, block.col + j));
      }
    }
  }
  return bytes;
}

inline std::vector<std::byte> read_block(const Store& store, Plane plane, Block block,
                                         std::int64_t stride) {
  const auto size = block.rows * stride * value_size(store.layout(), plane);
  std::vector<std::byte> bytes(static_cast<std::size_t>(size), std::byte{0xEE});
  store.read(plane, block, bytes.data(), stride);
  return bytes;
}

inline Block whole(const Layout& layout) { return {0, 0, layout.n, layout.n}; }

/// Writes all planes, one block each.
inline void write_sample(Store& store) {
  const Layout& layout = store.layout();
  for (const Plane plane : layout.planes) {
    store.write(plane, whole(layout), sample_block(layout, plane, whole(layout), layout.n).data(),
                layout.n);
  }
}

inline bool holds_sample(const Store& store) {
  const Layout& layout = store.layout();
  for (const Plane plane : layout.planes) {
    if (read_block(store, plane, whole(layout), layout.n) !=
        sample_block(layout, plane, whole(layout), layout.n)) {
      return false;
    }
  }
  return true;
}

/// A ring with chords, loops and parallel arcs of different weights.
inline Graph sample_graph(std::int64_t n, bool directed, bool labelled) {
  GraphBuilder builder(n, directed);
  const auto count = static_cast<Vertex>(n);
  for (Vertex v = 0; v < count; ++v) {
    builder.add_edge(v, (v + 1) % count, 1.5 + v);
    builder.add_edge(v, (v * 7 + 3) % count, -0.25);
    if (v % 3 == 0) builder.add_edge(v, (v + 1) % count, 0.5);
    if (v % 4 == 0) builder.add_edge(v, v, 2);
  }
  builder.set_first_id(1);
  if (labelled) {
    std::vector<std::string> labels;
    for (Vertex v = 0; v < count; ++v) labels.push_back("vertex №" + std::to_string(v * v));
    if (!labels.empty()) labels.front() = "";  // the empty label is one, too
    builder.set_labels(std::move(labels));
  }
  return std::move(builder).build();
}

inline Metadata sample_metadata(std::int64_t n) {
  Metadata metadata;
  metadata.attributes = R"({"z":1,"a":[0.1,1e+300,-3,null,true],"text":"ü \"x\""})";
  for (const char* name : {"eccentricity", "closeness"}) {
    std::vector<double> values;
    for (std::int64_t v = 0; v < n; ++v) values.push_back(static_cast<double>(v) / 3 + name[0]);
    metadata.vertex_values.push_back({name, std::move(values)});
  }
  return metadata;
}

}  // namespace apsp::store
