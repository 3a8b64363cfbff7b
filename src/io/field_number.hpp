// A field of a row as a number.
#pragma once

#include <fmt/format.h>

#include "io/edge_list_rows.hpp"
#include "io/number.hpp"

namespace apsp::io {

/// Throws `Error` (input), with the place of the field, if it is no finite number.
inline double field_number(const TextCursor& cursor, const EdgeListField& field) {
  const char* at = field.text.data();
  const char* const end = at + field.text.size();
  double value = 0;
  const NumberFault fault = read_number(at, end, value);
  if (fault == NumberFault::none && at == end) return value;
  cursor.fail(field.at, fmt::format("'{}' {}", field.text, describe(field.text, fault)));
}

}  // namespace apsp::io
