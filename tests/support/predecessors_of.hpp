// The plane of predecessors of a stored result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "store/store.hpp"

namespace apsp {

/// [n, n]; empty where the file holds none.
inline std::vector<std::int32_t> predecessors_of(const std::string& path) {
  const auto store = store::open_store(path);
  if (!store->holds(store::Plane::predecessor)) return {};
  const std::int64_t n = store->layout().n;
  std::vector<std::int32_t> found(static_cast<std::size_t>(n * n));
  store->read(store::Plane::predecessor, {0, 0, n, n}, found.data(), n);
  return found;
}

}  // namespace apsp
