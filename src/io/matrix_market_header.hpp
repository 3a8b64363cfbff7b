// The banner and the size line of a Matrix Market file.
// Format: Boisvert, Pozo, Remington: "The Matrix Market Exchange Formats" (NISTIR 5935, 1996).
#pragma once

#include "io/annotations.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {

struct MatrixMarketHeader {
  enum class Field { real, integer, pattern };

  bool array = false;  ///< dense, column by column
  bool symmetric = false;
  Field field = Field::real;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::uint64_t entries = 0;      ///< coordinate only
  const char* size_at = nullptr;  ///< where the size line begins
};

/// Throws `Error` (input); complex, skew-symmetric and hermitian matrices are no graphs.
MatrixMarketHeader read_matrix_market_header(TextCursor& cursor, Annotations& annotations);

/// Skips blank lines, blanks and comments; whether a number may follow.
bool find_matrix_market_entry(TextCursor& cursor, Annotations& annotations);

}  // namespace apsp::io
