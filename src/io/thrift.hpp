// Thrift's compact protocol, the encoding of Parquet's metadata.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/fail.hpp"

namespace apsp::io {

/// Reads bytes from the front. Throws `Error` (input) at the end.
class ParquetBytes {
 public:
  ParquetBytes(std::string_view bytes, const std::string& name) : left_(bytes), name_(name) {}

  [[noreturn]] void fail() const { base::fail_input(name_, "the Parquet file is damaged"); }
  std::string_view left() const { return left_; }
  std::string_view take(std::uint64_t count) {
    if (count > left_.size()) fail();
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = number<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
  }

 private:
  std::string_view left_;
  const std::string& name_;
};

/// A number, text, list or structure with numbered fields.
struct Thrift {
  enum Type {
    kTrue = 1,
    kFalse,
    kByte,
    kI16,
    kI32,
    kI64,
    kDouble,
    kText,
    kList,
    kSet,
    kMap,
    kStructure
  };
  using List = std::vector<Thrift>;
  using Fields = std::map<int, Thrift>;

  Thrift() = default;
  Thrift(std::int32_t value) : type(kI32), number(value) {}
  Thrift(std::int64_t value) : type(kI64), number(value) {}
  Thrift(std::string_view value) : type(kText), text(value) {}
  Thrift(List values) : type(kList), list(std::move(values)) {}
  Thrift(Fields values) : fields(std::move(values)) {}

  int type = kStructure;
  std::int64_t number = 0;
  std::string_view text;
  List list;
  Fields fields;

  /// Returns an empty structure, whose number is 0, for a missing field.
  const Thrift& operator[](int field) const {
    static const Thrift none;
    const auto found = fields.find(field);
    return found == fields.end() ? none : found->second;
  }
  bool has(int field) const { return fields.contains(field); }
};

inline std::int64_t take_zigzag(ParquetBytes& bytes) {
  const std::uint64_t zigzag = bytes.varint();
  return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
}

/// Throws `Error` (input) for damaged bytes and for maps, which Parquet does not use.
inline Thrift take_thrift(ParquetBytes& bytes, int type = Thrift::kStructure, int depth = 0) {
  constexpr int kDeepest = 16;
  if (depth > kDeepest) bytes.fail();
  Thrift value;
  value.type = type;
  if (type == Thrift::kTrue || type == Thrift::kFalse) {
    value.number = type == Thrift::kTrue;
  } else if (type == Thrift::kByte || type == Thrift::kDouble) {
    bytes.take(type == Thrift::kByte ? 1 : sizeof(double));  // not used here
  } else if (type > Thrift::kByte && type < Thrift::kDouble) {
    value.number = take_zigzag(bytes);
  } else if (type == Thrift::kText) {
    value.text = bytes.take(bytes.varint());
  } else if (type == Thrift::kList || type == Thrift::kSet) {
    const auto head = bytes.number<std::uint8_t>();
    const int kind = head & 15;
    for (std::uint64_t count = head >> 4 == 15 ? bytes.varint() : head >> 4; count > 0; --count) {
      // Every element takes a byte; a boolean's type is its value.
      const int own = kind <= Thrift::kFalse ? bytes.number<std::uint8_t>() : kind;
      value.list.push_back(take_thrift(bytes, own, depth + 1));
    }
  } else if (type == Thrift::kStructure) {
    for (int field = 0;;) {
      const auto head = bytes.number<std::uint8_t>();
      if (head == 0) break;
      field = head >> 4 != 0 ? field + (head >> 4) : static_cast<int>(take_zigzag(bytes));
      value.fields[field] = take_thrift(bytes, head & 15, depth + 1);
    }
  } else {
    bytes.fail();
  }
  return value;
}

inline void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Requires: list elements have one type, and field numbers increase by at most 15.
inline void append_thrift(std::string& out, const Thrift& value) {
  if (value.type == Thrift::kText) {
    append_varint(out, value.text.size());
    out += value.text;
  } else if (value.type == Thrift::kList) {
    constexpr std::size_t kInOneByte = 15;
    const std::size_t size = value.list.size();
    const int type = size == 0 ? Thrift::kStructure : value.list.front().type;
    out += static_cast<char>(std::min(size, kInOneByte) << 4 | static_cast<std::size_t>(type));
    if (size >= kInOneByte) append_varint(out, size);
    for (const Thrift& element : value.list) append_thrift(out, element);
  } else if (value.type == Thrift::kStructure) {
    int last = 0;
    for (const auto& [field, element] : value.fields) {
      out += static_cast<char>((field - last) << 4 | element.type);
      append_thrift(out, element);
      last = field;
    }
    out += '\0';
  } else {
    append_varint(out, static_cast<std::uint64_t>(value.number) << 1 ^
                           static_cast<std::uint64_t>(value.number >> 63));
  }
}

}  // namespace apsp::io
