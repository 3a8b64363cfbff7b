// What Arrow says of the columns of a Parquet file and Parquet cannot: its types have no durations.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace apsp::io {

/// The key of the schema in the metadata of a Parquet file.
inline constexpr std::string_view kArrowSchemaKey = "ARROW:schema";

/// Returns the names of the columns that hold durations. `encoded`: a message of Arrow's IPC format
/// with a schema, in base64. A damaged one names none.
std::vector<std::string> duration_columns(std::string_view encoded);

}  // namespace apsp::io
