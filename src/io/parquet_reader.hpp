// Tables in Parquet, as apsp, pandas, polars and DuckDB write them (Apache Parquet Format 2.10):
// flat columns, plain or by dictionary, not packed or packed by snappy, gzip or zstd.
//
// A table becomes the text that the same table has as CSV, so that its columns, vertices and
// missing values are read by the rules of all tables. Texts are in quotation marks, missing values
// are empty.
#pragma once

#include <apsp/progress.hpp>
#include <functional>
#include <string>
#include <string_view>

namespace apsp::io {

inline constexpr std::string_view kParquetMagic = "PAR1";

/// Calls put(text) with parts of the CSV. Throws `Error`: input (damaged, or written in a way that
/// is not read; begins with `name`), interrupted, what `put` throws. `file`: all bytes.
void parquet_as_csv(std::string_view file, const std::string& name, const Control& control,
                    const std::function<void(std::string_view)>& put);

}  // namespace apsp::io
