// A factor in a file of its own, whole or with other parts.
#pragma once

#include <memory>
#include <string>

#include "sparse/factor.hpp"
#include "sparse/stored_factor.hpp"
#include "store/store.hpp"
#include "support/memory_file_system.hpp"

namespace apsp::sparse {

inline store::Layout layout_of(const Factor& factor) {
  return {.n = factor.tree().vertices(),
          .type = factor.type(),
          .semiring = factor.semiring(),
          .planes = {}};
}

inline void write_factor_file(store::FileSystem& files, const std::string& path,
                              const Factor& factor, const Graph& graph, bool compress = false) {
  const auto target = store::create_store(path, layout_of(factor), {compress, &files});
  write_factor(factor, *target);
  target->commit(graph, {});
}

/// The values of `factor` under another tree, each chunk's checksum right.
inline void write_factor_parts(store::FileSystem& files, const std::string& path,
                               const Factor& factor, const TreeParts& parts, const Graph& graph) {
  const auto target = store::create_store(path, layout_of(factor), {false, &files});
  const auto numbers = [&](const char* name, const auto& values) {
    target->write_array({std::string("factor/") + name, ValueType::i32, std::ssize(values)},
                        values.data());
  };
  numbers("order", parts.vertex_at);
  numbers("width", parts.widths);
  numbers("structure_size", parts.structure_sizes);
  numbers("upper", parts.upper);
  const Tree& tree = factor.tree();
  const auto values = [&](const char* name, const std::byte* data, std::int64_t count) {
    target->write_array({std::string("factor/") + name, factor.type(), count}, data);
  };
  values("closed", factor.all_closed(), tree.diagonal_entries());
  values("up", factor.all_up(), tree.upper_entries());
  values("down", factor.all_down(), tree.upper_entries());
  target->commit(graph, {});
}

}  // namespace apsp::sparse
