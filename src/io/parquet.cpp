#include "io/parquet.hpp"

#include <zstd.h>
#include <algorithm>
#include <limits>

#include "base/fail.hpp"
#include "io/parquet_reader.hpp"

namespace apsp::io {
namespace {

/// A structure of Thrift's compact protocol: fields by rising numbers, integers in zigzag.
class Thrift {
 public:
  void number(int field, std::int32_t value) { begin(field, kI32).zigzag(value); }
  void number(int field, std::int64_t value) { begin(field, kI64).zigzag(value); }
  void text(int field, std::string_view value) { begin(field, kBinary).bytes(value); }
  void structure(int field, const Thrift& value) {
    begin(field, kStructure);
    out_ += value.done();
  }
  void numbers(int field, const std::vector<std::int32_t>& values) {
    begin(field, kList).list(values.size(), kI32);
    for (const std::int32_t value : values) zigzag(value);
  }
  void texts(int field, const std::vector<std::string>& values) {
    begin(field, kList).list(values.size(), kBinary);
    for (const std::string& value : values) bytes(value);
  }
  void structures(int field, const std::vector<Thrift>& values) {
    begin(field, kList).list(values.size(), kStructure);
    for (const Thrift& value : values) out_ += value.done();
  }
  std::string done() const { return out_ + '\0'; }

 private:
  enum Type { kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStructure = 12 };

  Thrift& begin(int field, Type type) {
    out_ += static_cast<char>((field - last_) << 4 | type);
    last_ = field;
    return *this;
  }
  void list(std::size_t size, Type type) {
    constexpr std::size_t kInOneByte = 15;
    out_ += static_cast<char>(std::min(size, kInOneByte) << 4 | static_cast<std::size_t>(type));
    if (size >= kInOneByte) varint(size);
  }
  void zigzag(std::int64_t value) {
    varint(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void bytes(std::string_view value) {
    varint(value.size());
    out_ += value;
  }
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }

  std::string out_;
  int last_ = 0;
};

// Words of the format.
constexpr std::int32_t kDataPage = 0, kPlain = 0, kLevelsRle = 3, kZstd = 6, kRequired = 0,
                       kUtf8 = 0;
/// A page has at most 2^31 − 1 bytes.
constexpr std::size_t kMostPageBytes = std::numeric_limits<std::int32_t>::max();

Thrift schema_of(const ParquetColumn& column) {
  Thrift element;
  element.number(1, static_cast<std::int32_t>(column.type));
  element.number(3, kRequired);
  element.text(4, column.title);
  if (column.type == ParquetType::text) {
    element.number(6, kUtf8);
    Thrift logical;
    logical.structure(1, {});  // STRING
    element.structure(10, logical);
  }
  return element;
}

}  // namespace

class ParquetWriter::Zstd {
 public:
  std::string_view compress(std::string_view values) {
    room_.resize(ZSTD_compressBound(values.size()));
    constexpr int kFast = 1;
    const std::size_t bytes = ZSTD_compressCCtx(context_.get(), room_.data(), room_.size(),
                                                values.data(), values.size(), kFast);
    if (ZSTD_isError(bytes) != 0) throw std::bad_alloc();
    return {room_.data(), bytes};
  }

 private:
  std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context_{ZSTD_createCCtx(), &ZSTD_freeCCtx};
  std::string room_;
};

ParquetWriter::ParquetWriter(OutputFile& file, std::vector<ParquetColumn> columns)
    : file_(file),
      columns_(std::move(columns)),
      values_(columns_.size()),
      zstd_(std::make_unique<Zstd>()) {
  constexpr std::int64_t kGroupValues = std::int64_t{1} << 22;  // 32 MiB of numbers
  most_rows_ =
      std::max<std::int64_t>(1, kGroupValues / std::max<std::int64_t>(1, std::ssize(columns_)));
  file_.put(kParquetMagic);
}

ParquetWriter::~ParquetWriter() = default;

ParquetWriter::Chunk ParquetWriter::put_chunk(const std::string& values) {
  const std::string_view packed = zstd_->compress(values);
  if (values.size() > kMostPageBytes || packed.size() > kMostPageBytes) {
    base::fail(ErrorKind::does_not_fit,
               "{}: the names of {} rows take more than 2 GiB, which "
               "Parquet does not hold: write a .csv",
               file_.name(), rows_);
  }
  Thrift levels;
  levels.number(1, static_cast<std::int32_t>(rows_));
  levels.number(2, kPlain);
  levels.number(3, kLevelsRle);
  levels.number(4, kLevelsRle);
  Thrift page;
  page.number(1, kDataPage);
  page.number(2, static_cast<std::int32_t>(values.size()));
  page.number(3, static_cast<std::int32_t>(packed.size()));
  page.structure(5, levels);
  const std::string header = page.done();
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
  Thrift root;
  root.text(4, "schema");
  root.number(5, static_cast<std::int32_t>(columns_.size()));
  std::vector<Thrift> schema = {root};
  for (const ParquetColumn& column : columns_) schema.push_back(schema_of(column));
  std::vector<Thrift> groups;
  std::int64_t rows = 0;
  for (const Group& group : groups_) {
    std::vector<Thrift> chunks;
    std::int64_t bytes = 0;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const Chunk& at = group.chunks[i];
      Thrift about;
      about.number(1, static_cast<std::int32_t>(columns_[i].type));
      about.numbers(2, {kPlain});
      about.texts(3, {columns_[i].title});
      about.number(4, kZstd);
      about.number(5, group.rows);
      about.number(6, at.plain_bytes);
      about.number(7, at.bytes);
      about.number(9, at.begin);
      Thrift chunk;
      chunk.number(2, at.begin);
      chunk.structure(3, about);
      chunks.push_back(chunk);
      bytes += at.plain_bytes;
    }
    Thrift whole;
    whole.structures(1, chunks);
    whole.number(2, bytes);
    whole.number(3, group.rows);
    groups.push_back(whole);
    rows += group.rows;
  }
  Thrift file;
  file.number(1, std::int32_t{2});
  file.structures(2, schema);
  file.number(3, rows);
  file.structures(4, groups);
  file.text(6, "apsp");
  return file.done();
}

void ParquetWriter::finish() {
  if (rows_ > 0) end_group();
  const std::string text = footer();
  const auto length = static_cast<std::uint32_t>(text.size());
  file_.put(text, std::string_view(reinterpret_cast<const char*>(&length), sizeof(length)),
            kParquetMagic);
}

}  // namespace apsp::io
