#include "io/zip.hpp"

#include <zlib.h>
#include <algorithm>
#include <cstring>

#include "base/fail.hpp"

namespace apsp::io {
namespace {

constexpr std::uint32_t kIn64Bits = 0xFFFFFFFF;  // the value is in the extra field
constexpr std::uint16_t kVersion = 45;           // ZIP64
constexpr std::uint16_t kWide = 1;               // the ZIP64 extra field

#pragma pack(push, 1)
struct Facts {  // common to both headers of a file
  std::uint16_t version = kVersion, flags = 0, method = 0, time = 0, date = 0x21;  // 1980-01-01
  std::uint32_t checksum = 0, packed = kIn64Bits, size = kIn64Bits;
  std::uint16_t name_bytes = 0, extra_bytes = 0;
};
struct LocalHeader {
  std::uint32_t signature = 0x04034B50;
  Facts facts;
};
struct DirectoryEntry {
  std::uint32_t signature = 0x02014B50;
  std::uint16_t made_by = kVersion;
  Facts facts;
  std::uint16_t comment_bytes = 0, disk = 0, attributes = 0;
  std::uint32_t outer_attributes = 0, header = kIn64Bits;
};
struct End64 {
  std::uint32_t signature = 0x06064B50;
  std::uint64_t bytes = 44;
  std::uint16_t made_by = kVersion, version = kVersion;
  std::uint32_t disk = 0, first_disk = 0;
  std::uint64_t count_here = 0, count = 0, directory_bytes = 0, directory = 0;
};
struct Locator {
  std::uint32_t signature = 0x07064B50, disk = 0;
  std::uint64_t end = 0;
  std::uint32_t disks = 1;
};
struct End {
  std::uint32_t signature = 0x06054B50;
  std::uint16_t disk = 0, first_disk = 0, count_here = 0, count = 0;
  std::uint32_t directory_bytes = kIn64Bits, directory = kIn64Bits;
  std::uint16_t comment_bytes = 0;
};
struct Extra {
  std::uint16_t kind = kWide, bytes = 0;
};
#pragma pack(pop)
static_assert(sizeof(LocalHeader) == 30 && sizeof(DirectoryEntry) == 46 && sizeof(End64) == 56 &&
              sizeof(Locator) == 20 && sizeof(End) == 22);

/// Reads records; throws `Error` (input) for positions outside the archive.
class ZipReader {
 public:
  ZipReader(std::string_view archive, const std::string& name) : archive_(archive), name_(name) {}

  [[noreturn]] void fail() const { base::fail_input(name_, "the zip archive is damaged"); }
  std::string_view bytes(std::uint64_t at, std::uint64_t count) const {
    if (at > archive_.size() || count > archive_.size() - at) fail();
    return archive_.substr(at, count);
  }
  template <class T>
  T value(std::uint64_t at) const {
    T value;
    std::memcpy(&value, bytes(at, sizeof(T)).data(), sizeof(T));
    return value;
  }
  template <class Record>
  Record record(std::uint64_t at) const {
    const Record record = value<Record>(at);
    if (record.signature != Record{}.signature) fail();
    return record;
  }

  std::pair<std::uint64_t, std::uint64_t> directory() const {
    const std::size_t at = archive_.rfind("PK\x05\x06");
    if (at == std::string_view::npos) fail();
    const End end = record<End>(at);
    if (at >= sizeof(Locator)) {
      const Locator locator = value<Locator>(at - sizeof(Locator));
      if (locator.signature == Locator{}.signature) {
        const End64 wide = record<End64>(locator.end);
        return {wide.directory, wide.count};
      }
    }
    return {end.directory, end.count};
  }

  ZipMember member(std::uint64_t& at) const {
    const DirectoryEntry entry = record<DirectoryEntry>(at);
    const Facts& facts = entry.facts;
    const std::uint64_t name = at + sizeof(entry),
                        end = name + facts.name_bytes + facts.extra_bytes;
    at = end + entry.comment_bytes;
    std::uint64_t extra = name + facts.name_bytes;
    const auto field = [&] { return value<Extra>(extra); };
    while (extra + sizeof(Extra) <= end && field().kind != kWide) {
      extra += sizeof(Extra) + field().bytes;
    }
    extra += sizeof(Extra);
    // The number, or the next value of the extra field.
    const auto wide = [&](std::uint32_t narrow) -> std::uint64_t {
      if (narrow != kIn64Bits) return narrow;
      extra += sizeof(std::uint64_t);
      return value<std::uint64_t>(extra - sizeof(std::uint64_t));
    };
    ZipMember member = {.name = std::string(bytes(name, facts.name_bytes)),
                        .method = static_cast<ZipMethod>(facts.method),
                        .encrypted = (facts.flags & 1) != 0,
                        .checksum = facts.checksum,
                        .size = wide(facts.size),
                        .packed = {}};
    const std::uint64_t packed = wide(facts.packed), header = wide(entry.header);
    if (member.name.ends_with('/')) return member;
    const Facts local = record<LocalHeader>(header).facts;
    member.packed =
        bytes(header + sizeof(LocalHeader) + local.name_bytes + local.extra_bytes, packed);
    return member;
  }

 private:
  std::string_view archive_;
  const std::string& name_;
};

template <class T>
std::string_view bytes_of(const T& record) {
  return {reinterpret_cast<const char*>(&record), sizeof(T)};
}

}  // namespace

std::string_view first_zip_name(std::string_view archive) {
  LocalHeader header;
  if (!archive.starts_with(kZipMagic) || archive.size() < sizeof(header)) return {};
  std::memcpy(&header, archive.data(), sizeof(header));
  return archive.substr(sizeof(header), header.facts.name_bytes);
}

std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name) {
  const ZipReader zip(archive, name);
  auto [at, count] = zip.directory();
  std::vector<ZipMember> members;
  for (; count > 0; --count) {
    ZipMember member = zip.member(at);
    // macOS adds a file of attributes for each file.
    const bool extra = member.name.ends_with('/') || member.name.starts_with("__MACOSX/");
    if (!extra) members.push_back(std::move(member));
  }
  return members;
}

void put_zip(OutputFile& out, std::span<const StoredFile> files) {
  std::string directory;
  for (const StoredFile& file : files) {
    const std::uint64_t sizes[] = {file.header.size() + file.values.size(),
                                   file.header.size() + file.values.size(), out.bytes_put()};
    Facts facts = {.name_bytes = static_cast<std::uint16_t>(file.name.size()),
                   .extra_bytes = sizeof(Extra) + 16};
    for (const std::string_view part : {std::string_view(file.header), file.values}) {
      facts.checksum = static_cast<std::uint32_t>(
          crc32_z(facts.checksum, reinterpret_cast<const Bytef*>(part.data()), part.size()));
    }
    out.put(bytes_of(LocalHeader{.facts = facts}), file.name, bytes_of(Extra{.bytes = 16}),
            bytes_of(sizes).substr(0, 16), file.header, file.values);
    facts.extra_bytes += 8;
    directory += bytes_of(DirectoryEntry{.facts = facts});
    directory += file.name;
    directory += bytes_of(Extra{.bytes = 24});
    directory += bytes_of(sizes);
  }
  const std::uint64_t begin = out.bytes_put(), count = files.size();
  const auto narrow = static_cast<std::uint16_t>(count);
  out.put(directory,
          bytes_of(End64{.count_here = count,
                         .count = count,
                         .directory_bytes = directory.size(),
                         .directory = begin}),
          bytes_of(Locator{.end = begin + directory.size()}),
          bytes_of(End{.count_here = narrow, .count = narrow}));
}

}  // namespace apsp::io
