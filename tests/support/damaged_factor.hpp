// A graph, its factor in a file, and ways to damage it.
#pragma once

#include <span>
#include <string>

#include "support/factor_file.hpp"
#include "support/factor_of.hpp"
#include "support/random_graph.hpp"
#include "support/test.hpp"

namespace apsp::sparse {

/// A graph whose factor has more than a chunk of values.
inline Graph graph_of_chunks() {
  GraphBuilder builder(1500, false);
  for (Vertex v = 0; v < 1500; ++v) {
    for (Vertex w = v + 1; w < 1500; ++w) builder.add_edge(v, w, 1 + (v * w) % 90);
  }
  return std::move(builder).build();
}

/// `ask` reads the file as the subject of a test does.
class DamagedFactor : public testing::Test {
 protected:
  static constexpr const char* kPath = "a.zarr";

  DamagedFactor() { write_factor_file(files_, kPath, factor_, graph_); }

  virtual void ask() = 0;
  std::string content(const std::string& path) const { return files_.contents().at(path); }
  void replace(const std::string& path, const std::string& content) {
    files_.remove_all(path);
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }
  /// The same file with other parts, each chunk's checksum right.
  void write_parts(const TreeParts& parts) {
    write_factor_parts(files_, kPath, factor_, parts, graph_);
  }
  /// The file that the input error names.
  std::string failure() {
    const Error error = error_of([&] { ask(); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.location().file;
  }
  std::string failure_with(const std::function<void(TreeParts&)>& change) {
    TreeParts parts = parts_of(factor_.tree());
    change(parts);
    write_parts(parts);
    return failure();
  }
  /// A flipped bit in any chunk is an error that names the chunk; `step`: bytes between the bits.
  void expect_flips_are_found(std::size_t step) {
    int chunks = 0;
    for (const auto& [path, good] : std::map(files_.contents())) {
      if (!path.starts_with("a.zarr/factor/") || path.find("/c/") == std::string::npos ||
          path.ends_with('/')) {
        continue;
      }
      ++chunks;
      for (std::size_t i = 0; i < good.size(); i += step) {
        std::string bad = good;
        bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
        replace(path, bad);
        ASSERT_EQ(failure(), path);
      }
      replace(path, good);
    }
    EXPECT_EQ(chunks, 7);
  }

  store::MemoryFileSystem files_;
  Graph graph_ = random_graph({.n = 60, .arcs = 150, .least = 1, .greatest = 9});
  Factor factor_ = factor_of(graph_, Semiring::min_plus, ValueType::i32);
};

}  // namespace apsp::sparse
