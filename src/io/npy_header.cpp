// A reader for just the Python literals that NumPy puts into its header: strings, booleans and
// tuples of non-negative integers.
#include "io/npy_header.hpp"

#include <algorithm>
#include <charconv>

#include "base/fail.hpp"

namespace apsp::io {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kAlignment = 64;

class Literals {
 public:
  /// Of the dictionary; `data_offset` becomes the byte behind it.
  Literals(std::string_view bytes, const std::string& name, std::size_t& data_offset)
      : name_(name) {
    if (!has_npy_magic(bytes)) fail("the magic bytes are missing");
    const auto byte = [&](std::size_t i) {
      return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
    };
    if (bytes.size() < 12) fail("the file ends within it");
    const std::size_t version = byte(6);
    if (version < 1 || version > 3) fail("unknown version {}.{}", version, byte(7));
    const std::size_t start = version == 1 ? 10 : 12;
    std::size_t length = byte(8) | byte(9) << 8;
    if (version > 1) length |= byte(10) << 16 | byte(11) << 24;
    if (start + length > kNpyHeaderBytes) fail("it is longer than 64 KiB");
    if (start + length > bytes.size()) fail("the file ends within it");
    data_offset = start + length;
    text_ = bytes.substr(start, length);
  }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    base::fail_input(name_, "not a usable .npy header: {}",
                     fmt::format(what, std::forward<Args>(args)...));
  }

  bool take(char c) {
    skip_blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  void expect(char c) {
    if (!take(c)) fail("expected '{}'", c);
  }

  std::string_view string() {
    skip_blanks();
    if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) {
      fail("expected a quoted word (arrays of records are not graphs)");
    }
    const std::size_t end = text_.find(text_.front(), 1);
    if (end == std::string_view::npos) fail("a quotation mark is missing");
    const std::string_view word = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return word;
  }

  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"True", "False"}) {
      if (text_.substr(0, word.size()) != word) continue;
      text_.remove_prefix(word.size());
      return word == "True";
    }
    fail("fortran_order is neither True nor False");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> shape;
    expect('(');
    while (!take(')')) {
      skip_blanks();
      std::int64_t extent = 0;
      const auto [end, failure] =
          std::from_chars(text_.data(), text_.data() + text_.size(), extent);
      if (failure != std::errc() || extent < 0) fail("shape is not a tuple of sizes");
      text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
      shape.push_back(extent);
      if (!take(',')) {
        expect(')');
        break;
      }
    }
    return shape;
  }

  bool at_end() {
    skip_blanks();
    return text_.empty();
  }

 private:
  void skip_blanks() {
    const std::size_t first = text_.find_first_not_of(" \t\n");
    text_.remove_prefix(std::min(first, text_.size()));
  }

  std::string_view text_;
  const std::string& name_;
};

void read_descr(std::string_view descr, const Literals& literals, NpyHeader& header) {
  if (descr.size() < 3) literals.fail("unknown type '{}'", descr);
  const std::string_view digits = descr.substr(2);
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), header.item_size);
  const bool order_known = std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
  if (failure != std::errc() || end != digits.data() + digits.size() || !order_known ||
      header.item_size <= 0) {
    literals.fail("unknown type '{}'", descr);
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
  Literals literals({first_bytes.data(), first_bytes.size()}, name, header.data_offset);
  bool has_descr = false, has_order = false, has_shape = false;
  literals.expect('{');
  while (!literals.take('}')) {
    const std::string_view key = literals.string();
    literals.expect(':');
    if (key == "descr") {
      read_descr(literals.string(), literals, header);
      has_descr = true;
    } else if (key == "fortran_order") {
      header.fortran_order = literals.boolean();
      has_order = true;
    } else if (key == "shape") {
      header.shape = literals.shape();
      has_shape = true;
    } else {
      literals.fail("unknown key '{}'", key);
    }
    if (!literals.take(',')) {
      literals.expect('}');
      break;
    }
  }
  if (!has_descr || !has_order || !has_shape) {
    literals.fail("descr, fortran_order or shape is missing");
  }
  if (!literals.at_end()) literals.fail("text after the dictionary");
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

}  // namespace apsp::io
