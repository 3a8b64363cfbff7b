#include "io/parquet.hpp"

#include <zstd.h>
#include <algorithm>
#include <limits>

#include "base/fail.hpp"
#include "io/thrift.hpp"

namespace apsp::io {
namespace {

// Words of the format.
constexpr std::int32_t kDataPage = 0, kPlain = 0, kLevelsRle = 3, kZstd = 6, kRequired = 0,
                       kUtf8 = 0;
/// A page has at most 2^31 − 1 bytes.
constexpr std::size_t kMostPageBytes = std::numeric_limits<std::int32_t>::max();

Thrift schema_of(const ParquetColumn& column) {
  Thrift::Fields element = {{1, static_cast<std::int32_t>(column.type)},
                            {3, kRequired},
                            {4, std::string_view(column.title)}};
  if (column.type == ParquetType::text) {
    element[6] = kUtf8;
    element[10] = Thrift::Fields{{1, Thrift()}};  // STRING
  }
  return element;
}

std::string encoded(const Thrift& value) {
  std::string bytes;
  append_thrift(bytes, value);
  return bytes;
}

}  // namespace

ParquetWriter::ParquetWriter(OutputFile& file, std::vector<ParquetColumn> columns)
    : file_(file), columns_(std::move(columns)), values_(columns_.size()) {
  constexpr std::int64_t kGroupValues = std::int64_t{1} << 22;  // 32 MiB of numbers
  most_rows_ =
      std::max<std::int64_t>(1, kGroupValues / std::max<std::int64_t>(1, std::ssize(columns_)));
  file_.put(kParquetMagic);
}

ParquetWriter::Chunk ParquetWriter::put_chunk(const std::string& values) {
  std::string packed(ZSTD_compressBound(values.size()), '\0');
  constexpr int kFast = 1;
  const std::size_t size =
      ZSTD_compress(packed.data(), packed.size(), values.data(), values.size(), kFast);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  packed.resize(size);
  if (values.size() > kMostPageBytes || packed.size() > kMostPageBytes) {
    base::fail(ErrorKind::does_not_fit,
               "{}: the names of {} rows take more than 2 GiB, which "
               "Parquet does not hold: write a .csv",
               file_.name(), rows_);
  }
  const Thrift::Fields levels = {
      {1, static_cast<std::int32_t>(rows_)}, {2, kPlain}, {3, kLevelsRle}, {4, kLevelsRle}};
  const std::string header = encoded(Thrift::Fields{{1, kDataPage},
                                                    {2, static_cast<std::int32_t>(values.size())},
                                                    {3, static_cast<std::int32_t>(packed.size())},
                                                    {5, levels}});
  const auto begin = static_cast<std::int64_t>(file_.bytes_put());
  file_.put(header, packed);
  return {begin, std::ssize(header) + std::ssize(values), std::ssize(header) + std::ssize(packed)};
}

void ParquetWriter::end_group() {
  Group group{rows_, {}};
  for (std::string& values : values_) {
    group.chunks.push_back(put_chunk(values));
    values.clear();
  }
  groups_.push_back(std::move(group));
  rows_ = 0;
}

std::string ParquetWriter::footer() const {
  Thrift::List schema = {Thrift::Fields{{4, std::string_view("schema")},
                                        {5, static_cast<std::int32_t>(columns_.size())}}};
  for (const ParquetColumn& column : columns_) schema.push_back(schema_of(column));
  Thrift::List groups;
  std::int64_t rows = 0;
  for (const Group& group : groups_) {
    Thrift::List chunks;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Chunk& at = group.chunks[i];
      const Thrift::Fields about = {{1, static_cast<std::int32_t>(columns_[i].type)},
                                    {2, Thrift::List{kPlain}},
                                    {3, Thrift::List{std::string_view(columns_[i].title)}},
                                    {4, kZstd},
                                    {5, group.rows},
                                    {6, at.plain_bytes},
                                    {7, at.bytes},
                                    {9, at.begin}};
      chunks.push_back(Thrift::Fields{{2, at.begin}, {3, about}});
      bytes += at.plain_bytes;
    }
    groups.push_back(Thrift::Fields{{1, std::move(chunks)}, {2, bytes}, {3, group.rows}});
    rows += group.rows;
  }
  return encoded(Thrift::Fields{{1, std::int32_t{2}},
                                {2, std::move(schema)},
                                {3, rows},
                                {4, std::move(groups)},
                                {6, std::string_view("apsp")}});
}

void ParquetWriter::finish() {
  if (rows_ > 0) end_group();
  const std::string text = footer();
  const auto length = static_cast<std::uint32_t>(text.size());
  file_.put(text, std::string_view(reinterpret_cast<const char*>(&length), sizeof(length)),
            kParquetMagic);
}

}  // namespace apsp::io
