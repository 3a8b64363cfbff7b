// Where rows are to be written so that nobody need copy them: a matrix in memory, or the chunks of
// a file that are being filled.
#pragma once

#include <cstdint>
#include <vector>

namespace apsp::store {

/// Columns of a row lie in groups of `group`, the last one perhaps shorter; each begins `apart`
/// bytes behind the one before.
struct RowView {
  std::vector<std::byte*> rows{};  ///< where each row begins
  std::int64_t group = 1;          ///< columns
  std::int64_t apart = 0;          ///< bytes
};

}  // namespace apsp::store
