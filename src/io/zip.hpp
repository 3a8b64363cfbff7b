// ZIP archives (PKWARE's APPNOTE 6.3, §4.3; sizes of 64 bits as in §4.5.3): the directory is read,
// and files are written without being compressed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/output_file.hpp"

namespace apsp::io {

inline constexpr std::string_view kZipMagic = "PK\x03\x04";

/// How the bytes of a member are packed; others are not read.
enum class ZipMethod : std::uint16_t { stored = 0, deflated = 8 };

struct ZipMember {
  std::string name;
  ZipMethod method = ZipMethod::stored;
  bool encrypted = false;
  std::uint32_t checksum = 0;  ///< CRC-32 of the unpacked bytes
  std::uint64_t size = 0;
  std::string_view packed;
};

/// The files of an archive, without folders. Throws `Error` (input) that names `name` for a damaged
/// directory.
std::vector<ZipMember> zip_members(std::string_view archive, const std::string& name);

/// The name in the first header of an archive; empty where there is none.
std::string_view first_zip_name(std::string_view archive);

struct StoredFile {
  std::string name, header;
  std::string_view values;
};
/// Writes an archive, which does not depend on the clock.
void put_zip(OutputFile& out, std::span<const StoredFile> files);

}  // namespace apsp::io
