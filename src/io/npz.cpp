// Compressed sparse rows as SciPy stores them: an .npz, which is a ZIP archive of .npy arrays
// (PKWARE's APPNOTE 6.3, §4.3; sizes of 64 bits as in §4.5.3). Arrays are stored, not compressed.

#include <fmt/format.h>
#include <zlib.h>
#include <algorithm>
#include <apsp/near.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/npy_header.hpp"
#include "io/output_file.hpp"

namespace apsp {
namespace {

using io::OutputFile;

/// Fields of a ZIP archive, least byte first.
class Record {
 public:
  template <class T>
  Record& add(std::uint64_t value) {
    for (std::size_t byte = 0; byte < sizeof(T); ++byte) {
      bytes_.push_back(static_cast<char>(value >> (8 * byte) & 0xFF));
    }
    return *this;
  }
  Record& add(std::string_view text) {
    bytes_ += text;
    return *this;
  }
  std::string_view bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

/// One array of the archive: an .npy.
struct ZipMember {
  std::string name;
  std::string header;  // of the .npy
  std::string_view values;
  std::uint64_t begin = 0;  // in the archive
  std::uint32_t checksum = 0;

  std::uint64_t bytes() const { return header.size() + values.size(); }
};

std::uint32_t crc_of(std::uint32_t crc, std::string_view bytes) {
  constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
  while (!bytes.empty()) {
    const std::string_view part = bytes.substr(0, kMost);
    crc = static_cast<std::uint32_t>(
        crc32(crc, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size())));
    bytes.remove_prefix(part.size());
  }
  return crc;
}

/// `shape`: "(3,)".
ZipMember member(std::string name, std::string_view type, const std::string& shape,
                 std::string_view values) {
  ZipMember made{std::move(name), io::format_npy_header(type, shape), values};
  made.checksum = crc_of(crc_of(0, made.header), values);
  return made;
}

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <class T>
ZipMember list(std::string name, std::string_view type, const std::vector<T>& values) {
  return member(std::move(name), type, fmt::format("({},)", values.size()),
                bytes_of(std::span(values)));
}

constexpr std::uint32_t kIn64Bits = 0xFFFFFFFF;  // the size stands in the extra field
constexpr std::uint16_t kVersion = 45;           // of sizes in 64 bits
constexpr std::uint16_t kDate = 0x21;            // 1980-01-01: no archive depends on the clock

/// What both headers of a member begin with, behind their signatures.
void add_common(Record& record, const ZipMember& of, std::uint16_t extra) {
  record.add<std::uint16_t>(kVersion).add<std::uint16_t>(0).add<std::uint16_t>(0);
  record.add<std::uint16_t>(0).add<std::uint16_t>(kDate).add<std::uint32_t>(of.checksum);
  record.add<std::uint32_t>(kIn64Bits).add<std::uint32_t>(kIn64Bits);
  record.add<std::uint16_t>(of.name.size()).add<std::uint16_t>(extra);
}

void put_member(OutputFile& file, ZipMember& of) {
  of.begin = file.bytes_put();
  Record header;
  header.add("PK\x03\x04");
  add_common(header, of, 20);
  header.add(of.name).add<std::uint16_t>(1).add<std::uint16_t>(16);
  header.add<std::uint64_t>(of.bytes()).add<std::uint64_t>(of.bytes());
  file.put(header.bytes(), of.header, of.values);
}

Record directory_entry(const ZipMember& of) {
  Record entry;
  entry.add("PK\x01\x02").add<std::uint16_t>(kVersion);
  add_common(entry, of, 28);
  entry.add<std::uint16_t>(0).add<std::uint16_t>(0).add<std::uint16_t>(0).add<std::uint32_t>(0);
  entry.add<std::uint32_t>(kIn64Bits).add(of.name).add<std::uint16_t>(1).add<std::uint16_t>(24);
  entry.add<std::uint64_t>(of.bytes()).add<std::uint64_t>(of.bytes()).add<std::uint64_t>(of.begin);
  return entry;
}

void put_directory(OutputFile& file, std::span<const ZipMember> members) {
  const std::uint64_t begin = file.bytes_put();
  for (const ZipMember& of : members) file.put(directory_entry(of).bytes());
  const std::uint64_t end = file.bytes_put(), count = members.size();
  Record last;
  last.add("PK\x06\x06").add<std::uint64_t>(44);
  last.add<std::uint16_t>(kVersion).add<std::uint16_t>(kVersion);
  last.add<std::uint32_t>(0).add<std::uint32_t>(0);
  last.add<std::uint64_t>(count).add<std::uint64_t>(count);
  last.add<std::uint64_t>(end - begin).add<std::uint64_t>(begin);
  last.add("PK\x06\x07").add<std::uint32_t>(0).add<std::uint64_t>(end).add<std::uint32_t>(1);
  last.add("PK\x05\x06").add<std::uint32_t>(0);
  last.add<std::uint16_t>(count).add<std::uint16_t>(count);
  last.add<std::uint32_t>(kIn64Bits).add<std::uint32_t>(kIn64Bits).add<std::uint16_t>(0);
  file.put(last.bytes());
}

}  // namespace

void write_npz(const SparseDistances& pairs, const std::string& path, const Control& control) {
  const std::vector<std::int64_t> shape = {std::ssize(pairs.row_begin) - 1, pairs.vertices};
  // SciPy wants one type for both arrays of indices: 32 bits where these hold all of them.
  constexpr std::int64_t kMost = std::int64_t{1} << 31;
  const bool narrow = std::ssize(pairs.targets) < kMost && pairs.vertices < kMost;
  std::vector<std::int32_t> begins;
  std::vector<std::int64_t> targets;
  if (narrow) {
    begins.assign(pairs.row_begin.begin(), pairs.row_begin.end());
  } else {
    targets.assign(pairs.targets.begin(), pairs.targets.end());
  }
  const std::span narrow_targets(reinterpret_cast<const std::int32_t*>(pairs.targets.data()),
                                 pairs.targets.size());
  const std::string length = fmt::format("({},)", pairs.targets.size());
  ZipMember members[] = {
      narrow ? member("indices.npy", "<i4", length, bytes_of(narrow_targets))
             : list("indices.npy", "<i8", targets),
      narrow ? list("indptr.npy", "<i4", begins) : list("indptr.npy", "<i8", pairs.row_begin),
      member("format.npy", "|S3", "()", "csr"), list("shape.npy", "<i8", shape),
      list("data.npy", "<f8", pairs.distances)};
  OutputFile file(path, io::Compression::none, control);
  for (ZipMember& of : members) put_member(file, of);
  put_directory(file, members);
  file.commit();
}

}  // namespace apsp
