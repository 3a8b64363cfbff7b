#include "io/arrow_schema.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace apsp::io {
namespace {

/// Reads up to the first character that is none of base64.
std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == kDigits.npos) break;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

/// A FlatBuffer (Google, 2014). Values beyond its end are 0, and place 0 holds no table.
struct FlatBuffer {
  std::string_view bytes;

  template <class T>
  T number(std::size_t place) const {
    T value{};
    if (place < bytes.size() && bytes.size() - place >= sizeof(T))
      std::memcpy(&value, bytes.data() + place, sizeof(T));
    return value;
  }
  /// Returns the place that the relative offset at `place` names.
  std::size_t target(std::size_t place) const { return place + number<std::uint32_t>(place); }
  /// Returns the place of a field of a table; 0: it is absent.
  std::size_t field(std::size_t table, std::size_t index) const {
    const std::size_t of_fields =
        table - static_cast<std::size_t>(std::int64_t{number<std::int32_t>(table)});
    const std::size_t entry = 4 + 2 * index;
    if (entry + 2 > number<std::uint16_t>(of_fields)) return 0;
    const auto offset = number<std::uint16_t>(of_fields + entry);
    return offset == 0 ? 0 : table + offset;
  }
  std::string text(std::size_t place) const {
    const std::size_t begin = target(place) + 4;
    const auto size = number<std::uint32_t>(begin - 4);
    return begin < bytes.size() ? std::string(bytes.substr(begin, size)) : std::string();
  }
};

}  // namespace

std::vector<std::string> duration_columns(std::string_view encoded) {
  // Indices of fields and the number of a type, of Message.fbs and Schema.fbs.
  constexpr std::size_t kHeader = 2, kFields = 1, kName = 0, kType = 2;
  constexpr std::uint8_t kDuration = 18;
  constexpr std::uint32_t kMark = 0xFFFFFFFF;  // before the size of the message, since Arrow 0.15
  const std::string message = from_base64(encoded);
  std::vector<std::string> names;
  const std::size_t prefix = FlatBuffer{message}.number<std::uint32_t>(0) == kMark ? 8 : 4;
  if (message.size() <= prefix) return names;
  const FlatBuffer buffer{std::string_view(message).substr(prefix)};
  const std::size_t header = buffer.field(buffer.target(0), kHeader);
  const std::size_t fields = buffer.field(buffer.target(header), kFields);
  if (header == 0 || fields == 0) return names;
  const std::size_t list = buffer.target(fields);
  const std::size_t count =
      std::min<std::size_t>(buffer.number<std::uint32_t>(list), buffer.bytes.size() / 4);
  std::size_t bytes = 0;  // of all names, which a sound message has room for
  for (std::size_t i = 0; i < count && bytes <= message.size(); ++i) {
    const std::size_t column = buffer.target(list + 4 + 4 * i);
    const std::size_t type = buffer.field(column, kType);
    if (type == 0 || buffer.number<std::uint8_t>(type) != kDuration) continue;
    names.push_back(buffer.text(buffer.field(column, kName)));
    bytes += names.back().size();
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace apsp::io
