// The dictionary is JSON after quotation marks, words and tuples are translated.
#include "io/npy.hpp"

#include <charconv>

#include "base/joined.hpp"
#include "base/json.hpp"

namespace apsp::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

[[noreturn]] void fail_header(const std::string& name, std::string_view what) {
  base::fail_input(name, "not a usable .npy header: {}", what);
}

/// Returns the dictionary's text and sets `data_offset` to the byte after it.
std::string_view dictionary_of(std::string_view bytes, const std::string& name,
                               std::size_t& data_offset) {
  if (!has_npy_magic(bytes)) fail_header(name, "the magic bytes are missing");
  if (bytes.size() < 12) fail_header(name, "the file ends within it");
  const auto byte = [&](std::size_t i) {
    return std::size_t{static_cast<unsigned char>(bytes[i])};
  };
  const std::size_t version = byte(6), start = version == 1 ? 10 : 12;
  if (version < 1 || version > 3) fail_header(name, fmt::format("unknown version {}", version));
  const std::size_t length =
      byte(8) | byte(9) << 8 | (version > 1 ? byte(10) << 16 | byte(11) << 24 : 0);
  data_offset = start + length;
  if (data_offset > kNpyHeaderBytes) fail_header(name, "it is longer than 64 KiB");
  if (data_offset > bytes.size()) fail_header(name, "the file ends within it");
  return bytes.substr(start, length);
}

std::string as_json(std::string_view python) {
  std::string json;
  char quote = '\0';
  for (const char c : python) {
    if (quote != '\0' || c == '\'' || c == '"') {
      const bool mark = quote == '\0' || c == quote;
      json += mark ? '"' : c;
      if (mark) quote = quote == '\0' ? c : '\0';
    } else if (c == ')' || c == '}') {
      json.resize(json.find_last_not_of(" \t\n") + 1);
      if (json.ends_with(',')) json.pop_back();
      json += c == ')' ? ']' : c;
    } else {
      json += c == '(' ? '[' : c == 'T' ? 't' : c == 'F' ? 'f' : c;
    }
  }
  return json;
}

void read_descr(const nlohmann::json& value, const std::string& name, NpyHeader& header) {
  if (!value.is_string())
    fail_header(name, "the type is no word: arrays of records are not graphs");
  const std::string descr = value.get<std::string>();
  const char* const end = descr.data() + descr.size();
  const auto number =
      std::from_chars(descr.data() + std::min<std::size_t>(2, descr.size()), end, header.item_size);
  if (number.ec != std::errc() || number.ptr != end || header.item_size <= 0 ||
      std::string_view("<>=|").find(descr[0]) == std::string_view::npos) {
    fail_header(name, fmt::format("unknown type '{}'", descr));
  }
  header.kind = descr[1];
  header.swapped = descr[0] == '>' && header.item_size > 1;
}

}  // namespace

bool has_npy_magic(std::span<const char> bytes) {
  return std::string_view(bytes.data(), bytes.size()).starts_with(kMagic);
}

NpyHeader parse_npy_header(std::span<const char> first_bytes, const std::string& name) {
  NpyHeader header;
  const std::string_view text =
      dictionary_of({first_bytes.data(), first_bytes.size()}, name, header.data_offset);
  if (const std::size_t last = text.find_last_not_of(" \t\n");
      text.find('}') < last && last != text.npos) {
    fail_header(name, "text after the dictionary");
  }
  const nlohmann::json dictionary = base::parsed_json(as_json(text));
  if (!dictionary.is_object()) {
    fail_header(name, "expected '{' and a dictionary whose words are in quotation marks");
  }
  for (const auto& [key, value] : dictionary.items()) {
    if (key == "descr") {
      read_descr(value, name, header);
    } else if (key == "fortran_order") {
      if (!value.is_boolean()) fail_header(name, "fortran_order is neither True nor False");
      header.fortran_order = value.get<bool>();
    } else if (key == "shape") {
      for (const nlohmann::json& extent : value) {
        header.shape.push_back(extent.is_number_unsigned() ? extent.get<std::int64_t>() : -1);
      }
      if (!value.is_array() ||
          std::ranges::any_of(header.shape, [](auto size) { return size < 0; })) {
        fail_header(name, "shape is not a tuple of sizes");
      }
    } else {
      fail_header(name, fmt::format("unknown key '{}'", key));
    }
  }
  if (dictionary.size() < 3) fail_header(name, "descr, fortran_order or shape is missing");
  return header;
}

std::string format_npy_header(std::string_view descr, std::string_view shape) {
  std::string dictionary =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr, shape);
  const std::size_t prefix = kMagic.size() + 4;
  const std::size_t unpadded = prefix + dictionary.size() + 1;
  dictionary.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  dictionary += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(dictionary.size() & 0xFF),
             static_cast<char>(dictionary.size() >> 8)};
  return header + dictionary;
}

std::string format_npy_header(std::string_view descr, std::int64_t rows, std::int64_t cols) {
  return format_npy_header(descr, fmt::format("({}, {})", rows, cols));
}

void require_values(const NpyHeader& header, std::span<const char> bytes, const std::string& name) {
  const std::uint64_t present = bytes.size() - header.data_offset;
  // A character of 'U' has four bytes.
  const auto item = static_cast<std::uint64_t>(header.item_size) * (header.kind == 'U' ? 4 : 1);
  std::uint64_t left = present / item;
  bool fits = present % item == 0, empty = false;
  for (const std::int64_t extent : header.shape) {
    empty = empty || extent == 0;
    const auto count = static_cast<std::uint64_t>(std::max<std::int64_t>(extent, 1));
    fits = fits && left % count == 0;
    left /= count;
  }
  if (empty ? present == 0 : fits && left == 1) return;
  base::fail_input(name, "{} bytes of values do not make an array of shape ({}) of {}-byte values",
                   present, base::joined(header.shape, ", "), item);
}

NpyArray::NpyArray(HeldBytes held, std::string name)
    : held_(std::move(held)),
      name_(std::move(name)),
      header_(parse_npy_header(held_.bytes, name_)) {
  require_values(header_, held_.bytes, name_);
}

std::int64_t NpyArray::size() const {
  std::int64_t product = 1;
  for (const std::int64_t extent : header_.shape) product *= extent;
  return product;
}

std::string NpyArray::shape() const {
  return fmt::format("({})", base::joined(header_.shape, ", "));
}

std::int64_t NpyArray::index(std::int64_t i) const {
  return with_value(i, [&](auto value) -> std::int64_t {
    if constexpr (std::is_integral_v<decltype(value)>) return static_cast<std::int64_t>(value);
    base::fail_input(name_, "indices are integers, not {}", type_name(header_));
  });
}

double NpyArray::number(std::int64_t i) const {
  return with_value(i, [&](auto value) {
    const auto number = static_cast<double>(weight_of(value));
    if (!exact_in_f8(value)) {
      base::fail_input(name_, "entry {} (from 0): {} is an integer beyond 2^53", i,
                       weight_of(value));
    }
    if (std::isnan(number))
      base::fail_input(name_, "entry {} (from 0) is nan, which is no weight", i);
    return number;
  });
}

}  // namespace apsp::io
