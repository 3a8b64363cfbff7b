#include "io/zip.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "base/fail.hpp"

namespace apsp::io {
namespace {

constexpr std::uint32_t kIn64Bits = 0xFFFFFFFF;  // the number is in the extra field

/// Fields of an archive, least byte first. Whatever lies outside of it is an error.
class ZipFields {
 public:
  ZipFields(std::string_view archive, const std::string& name) : archive_(archive), name_(name) {}

  [[noreturn]] void fail() const { base::fail_input(name_, "the zip archive is damaged"); }
  std::string_view bytes(std::uint64_t at, std::uint64_t count) const {
    if (at > archive_.size() || count > archive_.size() - at) fail();
    return archive_.substr(at, count);
  }
  template <class T>
  T number(std::uint64_t at) const {
    T value;
    std::memcpy(&value, bytes(at, sizeof(T)).data(), sizeof(T));
    return value;
  }
  void require(std::uint64_t at, std::string_view signature) const {
    if (bytes(at, signature.size()) != signature) fail();
  }
  std::string_view archive() const { return archive_; }

 private:
  std::string_view archive_;
  const std::string& name_;
};

struct Directory {
  std::uint64_t begin = 0, count = 0;
};

Directory find_directory(const ZipFields& zip) {
  constexpr std::string_view kEnd = "PK\x05\x06", kLocator = "PK\x06\x07", kEnd64 = "PK\x06\x06";
  constexpr std::uint64_t kEndBytes = 22, kLocatorBytes = 20;
  const std::size_t end = zip.archive().rfind(kEnd);
  if (end == std::string_view::npos) zip.fail();
  zip.bytes(end, kEndBytes);
  if (end >= kLocatorBytes && zip.bytes(end - kLocatorBytes, 4) == kLocator) {
    const auto end64 = zip.number<std::uint64_t>(end - kLocatorBytes + 8);
    zip.require(end64, kEnd64);
    return {zip.number<std::uint64_t>(end64 + 48), zip.number<std::uint64_t>(end64 + 32)};
  }
  return {zip.number<std::uint32_t>(end + 16), zip.number<std::uint16_t>(end + 10)};
}

/// A number of the directory, or the next one of the extra field with numbers of 64 bits.
class WideNumbers {
 public:
  WideNumbers(const ZipFields& zip, std::uint64_t extra, std::uint64_t extra_end) : zip_(zip) {
    constexpr std::uint16_t kWide = 1;
    while (extra + 4 <= extra_end && zip.number<std::uint16_t>(extra) != kWide) {
      extra += 4 + zip.number<std::uint16_t>(extra + 2);
    }
    next_ = extra + 4;
  }
  std::uint64_t number(std::uint32_t narrow) {
    if (narrow != kIn64Bits) return narrow;
    const auto wide = zip_.number<std::uint64_t>(next_);
    next_ += sizeof(wide);
    return wide;
  }

 private:
  const ZipFields& zip_;
  std::uint64_t next_;
};

/// The packed bytes, behind a header of their own.
std::string_view packed_bytes(const ZipFields& zip, std::uint64_t header, std::uint64_t count) {
  constexpr std::uint64_t kHeaderBytes = 30;
  zip.require(header, kZipMagic);
  const std::uint64_t names = std::uint64_t{zip.number<std::uint16_t>(header + 26)} +
                              zip.number<std::uint16_t>(header + 28);
  return zip.bytes(header + kHeaderBytes + names, count);
}

}  // namespace

std::string_view first_zip_name(std::string_view archive) {
  constexpr std::size_t kHeaderBytes = 30;
  if (!archive.starts_with(kZipMagic) || archive.size() < kHeaderBytes) return {};
  std::uint16_t length = 0;
  std::memcpy(&length, archive.data() + 26, sizeof(length));
  return archive.substr(kHeaderBytes, length);
}

std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name) {
  constexpr std::uint64_t kEntryBytes = 46;
  const ZipFields zip(archive, name);
  const Directory directory = find_directory(zip);
  std::vector<ZipMember> members;
  std::uint64_t at = directory.begin;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    zip.require(at, "PK\x01\x02");
    const auto name_bytes = zip.number<std::uint16_t>(at + 28);
    const auto extra_bytes = zip.number<std::uint16_t>(at + 30);
    ZipMember member;
    member.name = zip.bytes(at + kEntryBytes, name_bytes);
    member.encrypted = (zip.number<std::uint16_t>(at + 8) & 1) != 0;
    member.method = static_cast<ZipMethod>(zip.number<std::uint16_t>(at + 10));
    member.checksum = zip.number<std::uint32_t>(at + 16);
    const std::uint64_t extra = at + kEntryBytes + name_bytes;
    WideNumbers wide(zip, extra, extra + extra_bytes);  // in the order of the extra field
    member.size = wide.number(zip.number<std::uint32_t>(at + 24));
    const std::uint64_t packed = wide.number(zip.number<std::uint32_t>(at + 20));
    const std::uint64_t header = wide.number(zip.number<std::uint32_t>(at + 42));
    at = extra + extra_bytes + zip.number<std::uint16_t>(at + 32);
    // macOS adds a file of attributes for each file.
    if (member.name.ends_with('/') || member.name.starts_with("__MACOSX/")) continue;
    member.packed = packed_bytes(zip, header, packed);
    members.push_back(std::move(member));
  }
  return members;
}

}  // namespace apsp::io
