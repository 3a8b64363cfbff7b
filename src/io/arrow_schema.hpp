// The schema of Arrow in a Parquet file. It tells durations from integers, for which Parquet has
// one type.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apsp::io {

/// The key of the schema in the metadata of a Parquet file.
inline constexpr std::string_view kArrowSchemaKey = "ARROW:schema";

/// Returns the sorted names of the columns that hold durations. `encoded`: a message of Arrow's IPC
/// format with a schema, in base64. Names of a damaged one may be wrong; together they are no
/// larger than the message and one name.
std::vector<std::string> duration_columns(std::string_view encoded);

}  // namespace apsp::io
