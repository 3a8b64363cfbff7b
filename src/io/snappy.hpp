// Snappy's block format, unpacked (google/snappy, format_description.txt): a length, then literals
// and copies of what came before.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace apsp::io {

/// Fills `out`, whose size must be that of the text. False: the bytes are damaged.
inline bool unsnap(std::string_view in, std::string& out) {
  std::uint64_t size = 0;
  for (int shift = 0;; shift += 7) {
    if (in.empty() || shift > 28) return false;
    const auto byte = static_cast<unsigned char>(in[0]);
    in.remove_prefix(1);
    size |= std::uint64_t{byte & 0x7FU} << shift;
    if (byte < 0x80) break;
  }
  if (size != out.size()) return false;
  std::size_t made = 0;
  const auto take = [&](std::size_t bytes, std::size_t& value) {
    if (in.size() < bytes) return false;
    value = 0;
    std::memcpy(&value, in.data(), bytes);  // least byte first
    in.remove_prefix(bytes);
    return true;
  };
  while (!in.empty()) {
    std::size_t tag = 0, length = 0, offset = 0;
    take(1, tag);
    length = (tag >> 2) + 1;
    if ((tag & 3) == 0) {
      if (length > 60) {
        if (!take(length - 60, length)) return false;
        ++length;
      }
      if (length > in.size() || length > out.size() - made) return false;
      std::memcpy(out.data() + made, in.data(), length);
      in.remove_prefix(length);
      made += length;
      continue;
    }
    if ((tag & 3) == 1) {
      length = (tag >> 2 & 7) + 4;
      if (!take(1, offset)) return false;
      offset |= tag >> 5 << 8;
    } else if (!take((tag & 3) == 2 ? 2 : 4, offset)) {
      return false;
    }
    if (offset == 0 || offset > made || length > out.size() - made) return false;
    for (; length > 0; --length, ++made) out[made] = out[made - offset];  // they may overlap
  }
  return made == size;
}

}  // namespace apsp::io
