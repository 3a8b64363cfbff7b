#include "io/parquet.hpp"

#include <fmt/format.h>
#include <zstd.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <iterator>
#include <limits>
#include <map>
#include <utility>
#ifdef APSP_WITH_SNAPPY
#include <snappy-c.h>
#endif

#include "base/control.hpp"
#include "base/fail.hpp"
#include "base/json.hpp"
#include "io/arrow_schema.hpp"
#include "io/column_table.hpp"
#include "io/compression.hpp"
#include "io/geometry.hpp"
#include "io/source.hpp"
#include "io/text_table.hpp"

namespace apsp::io {
namespace {

using nlohmann::json;

// Thrift's compact protocol, the encoding of Parquet's metadata.

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

/// A number, text, list or structure with numbered fields. A structure with a text has that
/// encoding.
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

std::int64_t take_zigzag(ParquetBytes& bytes) {
  const std::uint64_t zigzag = bytes.varint();
  return static_cast<std::int64_t>(zigzag >> 1) ^ -static_cast<std::int64_t>(zigzag & 1);
}

/// Throws `Error` (input) for damaged bytes and for maps, which Parquet does not use.
Thrift take_thrift(ParquetBytes& bytes, int type = Thrift::kStructure, int depth = 0) {
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

void append_varint(std::string& out, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(value | 0x80);
  out += static_cast<char>(value);
}

/// Requires: list elements have one type, and field numbers increase by at most 15.
void append_thrift(std::string& out, const Thrift& value) {
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
  } else if (value.type == Thrift::kStructure && !value.text.empty()) {
    out += value.text;
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

enum ValueType : std::int32_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kFloat = 4,
  kDouble = 5,
  kBytes = 6
};
enum Codec : std::int32_t { kNoCodec = 0, kSnappyCodec = 1, kGzipCodec = 2, kZstdCodec = 6 };
enum Encoding : std::int32_t {
  kPlainValues = 0,
  kOldDictionary = 2,
  kRunLengths = 3,
  kDictionary = 8
};
enum PageType : std::int32_t { kPageOfValues = 0, kPageOfDictionary = 2, kPageOfValues2 = 3 };

struct StoredColumn {
  std::string_view title;
  int type = kInt64;
  bool optional = false, is_unsigned = false;
  bool readable = true;  ///< flat, and of numbers, truth values, texts, or points and lines
  bool flat = true;      ///< a value a row, not a list or a structure
  bool wkb = false, points = false, degrees = true;  ///< of GeoParquet
  int scale = 0;  ///< of decimals: the number of digits after the point
  std::size_t leaves = 1;
};

/// Bytes of values in row order; null: missing.
using Cells = std::vector<std::string_view>;

#ifdef APSP_WITH_SNAPPY
bool unsnap(std::string_view packed, std::span<char> out) {
  std::size_t size = 0;
  return snappy_uncompressed_length(packed.data(), packed.size(), &size) == SNAPPY_OK &&
         size == out.size() &&
         snappy_uncompress(packed.data(), packed.size(), out.data(), &size) == SNAPPY_OK;
}
#endif

class ParquetReader {
 public:
  ParquetReader(std::string_view file, const std::string& name, const Control& control)
      : file_(file), name_(name), control_(control) {
    constexpr std::size_t kTail = 8;
    if (file.size() < kTail + 4 || !file.ends_with(kParquetMagic)) fail("is cut short");
    ParquetBytes tail(file.substr(file.size() - kTail), name);
    const auto length = tail.number<std::uint32_t>();
    if (length > file.size() - kTail) fail("is damaged");
    ParquetBytes footer(file.substr(file.size() - kTail - length, length), name);
    about_ = take_thrift(footer);
    read_schema();
  }

  void write(const std::function<void(std::string_view)>& put) {
    const bool directed = std::ranges::any_of(
        about_[5].list, [](const Thrift& pair) { return pair[1].text == kDirectedKey; });
    std::string text(directed ? kDirectedLine : "");
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      // The index of a pandas table has no title.
      const std::string_view title = columns_[i].title;
      const bool index = title.starts_with("__index_level_");
      text += i > 0 ? "," : "";
      text += index                ? ""
              : columns_[i].points ? columns_[i].degrees ? "lon,lat" : "x,y"
                                   : csv_field(std::string(title));
    }
    put(text + '\n');
    for (const Thrift& group : about_[4].list) write_group(group, put);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> what, Args&&... args) const {
    base::fail_input(name_, "the Parquet file {}", fmt::format(what, std::forward<Args>(args)...));
  }
  [[noreturn]] void refuse(std::string_view what) const {
    fail(
        "{}, which is not read. To convert it: python3 -c \"import pandas; "
        "pandas.read_parquet('{}').to_csv('{}.csv', index=False)\"",
        what, name_, name_);
  }

  void read_schema() {
    constexpr std::int64_t kText = 0, kDecimal = 5, kFirstUnsigned = 11, kLastUnsigned = 14,
                           kLastSigned = 18;
    constexpr int kString = 1, kInteger = 10;  // logical types
    const std::vector<Thrift>& schema = about_[2].list;
    for (std::size_t at = 1; at < schema.size();) {
      const Thrift& element = schema[at];
      StoredColumn column{.title = element[4].text,
                          .type = static_cast<int>(element[1].number),
                          .optional = element[3].number == 1};
      const std::int64_t kind = element.has(6) ? element[6].number : -1;
      const Thrift::Fields& logical = element[10].fields;
      column.is_unsigned = kind >= kFirstUnsigned && kind <= kLastUnsigned;
      if (kind == kDecimal) column.scale = static_cast<int>(element[7].number);
      if (logical.contains(kInteger)) column.is_unsigned = element[10][kInteger][2].number == 0;
      const bool is_number = (kind < 0 && logical.empty()) || logical.contains(kInteger) ||
                             (kind == kDecimal && column.scale >= 0 && column.scale < 19) ||
                             (kind >= kFirstUnsigned && kind <= kLastSigned);
      column.flat = element[5].number == 0 && element[3].number <= 1;
      column.readable =
          column.flat && (column.type == kBytes ? kind == kText || logical.contains(kString)
                                                : column.type > kBytes || is_number);
      std::int64_t open = 1;
      column.leaves = 0;
      for (; open > 0 && at < schema.size(); ++at) {
        open += schema[at][5].number - 1;
        column.leaves += schema[at][5].number == 0;
      }
      columns_.push_back(column);
    }
    if (columns_.empty()) fail("has no columns");
    for (const Thrift& pair : about_[5].list) {
      if (pair[1].text == kGeometryKey) read_geometry(base::parsed_json<json>(pair[2].text));
      if (pair[1].text == kArrowSchemaKey) leave_out_durations(duration_columns(pair[2].text));
    }
  }

  /// They are integers of a unit that Parquet does not tell.
  void leave_out_durations(const std::vector<std::string>& names) {
    for (StoredColumn& column : columns_) {
      column.readable &= !std::ranges::binary_search(names, column.title);
    }
  }

  void read_geometry(const json& about) {
    const auto of = [](const json& object, const std::string& key) {
      return object.is_object() ? object.value(key, json()) : json();
    };
    for (StoredColumn& column : columns_) {
      const json geometry = of(of(about, "columns"), std::string(column.title));
      column.wkb = column.flat && column.type == kBytes && of(geometry, "encoding") == "WKB";
      column.readable |= column.wkb;
      const json types = of(geometry, "geometry_types");
      const auto is_point = [](const json& type) {
        return type.is_string() && type.get<std::string>().starts_with("Point");
      };
      column.points = column.wkb && types.is_array() && !types.empty() &&
                      std::ranges::all_of(types, is_point) && !has_place_titles();
      const json code = of(of(of(geometry, "crs"), "id"), "code");
      column.degrees = !geometry.contains("crs") || code == 4326 || code == "CRS84";
    }
  }

  bool has_place_titles() const {
    return std::ranges::any_of(columns_, [](const StoredColumn& column) {
      const std::string title = lower_case(column.title);
      return title == "lon" || title == "x";
    });
  }

  void write_group(const Thrift& group, const std::function<void(std::string_view)>& put) {
    base::check_cancelled(control_);
    const std::int64_t rows = group[3].number;
    if (rows < 0 || !plausible_vertex_count(static_cast<std::uint64_t>(rows), file_.size())) {
      fail("announces {} rows in {} bytes", rows, file_.size());
    }
    rows_ = static_cast<std::size_t>(rows);
    pages_.clear();
    std::vector<Cells> cells;
    std::size_t chunk = 0;
    for (const StoredColumn& column : columns_) {
      if (chunk + column.leaves > group[1].list.size()) fail("is damaged");
      cells.push_back(column.readable ? read_chunk(column, group[1].list[chunk][3]) : Cells());
      chunk += column.leaves;
    }
    std::string text;
    for (std::size_t row = 0; row < rows_; ++row) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (i > 0) text += ',';
        columns_[i].wkb        ? append_geometry(columns_[i], cells[i][row], text)
        : columns_[i].readable ? append_cell(columns_[i], cells[i][row], text)
                               : static_cast<void>(text += kUnread);
      }
      text += '\n';
      constexpr std::size_t kAtOnce = std::size_t{1} << 16;
      if (text.size() >= kAtOnce || row + 1 == rows_) {
        put(text);
        text.clear();
      }
    }
  }

  Cells read_chunk(const StoredColumn& column, const Thrift& about) {
    const std::int64_t first = about.has(11) ? about[11].number : about[9].number;
    if (first < 0 || first > std::ssize(file_)) fail("is damaged");
    ParquetBytes bytes(file_.substr(static_cast<std::size_t>(first)), name_);
    Cells cells, dictionary;
    while (cells.size() < rows_) {
      const Thrift page = take_thrift(bytes);
      const std::string_view packed = bytes.take(static_cast<std::uint64_t>(page[3].number));
      const std::int64_t type = page[1].number;
      if (type != kPageOfValues && type != kPageOfDictionary && type != kPageOfValues2) continue;
      const Thrift& head = page[type == kPageOfValues ? 5 : type == kPageOfDictionary ? 7 : 8];
      const auto count = static_cast<std::uint64_t>(head[1].number);
      const auto size = static_cast<std::uint64_t>(page[2].number);
      // Version 2 pages begin with uncompressed levels.
      const bool second = type == kPageOfValues2,
                 is_packed = !second || !head.has(7) || head[7].number != 0;
      const std::uint64_t before = second ? static_cast<std::uint64_t>(head[5].number) : 0;
      if (before > packed.size() || before > size || (second && head[6].number != 0)) bytes.fail();
      ParquetBytes values(unpacked(packed.substr(before), size - before,
                                   is_packed ? about[4].number : std::int64_t{kNoCodec}),
                          name_);
      if (type == kPageOfDictionary) {
        take_plain(column, values, count, dictionary);
        continue;
      }
      std::string_view levels = packed.substr(0, before);
      if (!second && column.optional) levels = values.take(values.number<std::uint32_t>());
      take_values(column, head[second ? 4 : 2].number, levels, values, count, dictionary, cells);
    }
    if (cells.size() != rows_) bytes.fail();
    return cells;
  }

  void take_values(const StoredColumn& column, std::int64_t encoding, std::string_view levels,
                   ParquetBytes& values, std::uint64_t count, const Cells& dictionary,
                   Cells& cells) {
    if (count == 0 || count > rows_ - cells.size()) values.fail();
    std::vector<std::uint32_t> present(count, 1);
    if (column.optional) {
      ParquetBytes bytes(levels, name_);
      present = take_runs(bytes, 1, count);
    }
    const auto there = static_cast<std::uint64_t>(std::ranges::count(present, 1U));
    Cells found;
    if (encoding == kDictionary || encoding == kOldDictionary) {
      const int width = there > 0 ? values.number<std::uint8_t>() : 0;
      for (const std::uint32_t index : take_runs(values, width, there)) {
        if (index >= dictionary.size()) values.fail();
        found.push_back(dictionary[index]);
      }
    } else if (encoding == kPlainValues) {
      take_plain(column, values, there, found);
    } else if (encoding == kRunLengths && column.type == kBoolean) {
      values.number<std::uint32_t>();  // the length of the levels
      for (const std::uint32_t bit : take_runs(values, 1, there)) found.push_back(truth(bit));
    } else {
      refuse(fmt::format("has values of the encoding {}", encoding));
    }
    auto next = found.begin();
    for (const std::uint32_t is_present : present) {
      cells.push_back(is_present != 0 ? *next++ : std::string_view());
    }
  }

  static std::string_view truth(std::uint32_t bit) { return {bit != 0 ? "\1" : "\0", 1}; }

  void take_plain(const StoredColumn& column, ParquetBytes& bytes, std::uint64_t count,
                  Cells& cells) {
    if (count > bytes.left().size() * 8) bytes.fail();
    const std::uint64_t width = column.type == kInt32 || column.type == kFloat ? 4 : 8;
    for (std::uint64_t i = 0; i < count; ++i) {
      if (column.type == kBytes) {
        cells.push_back(bytes.take(bytes.number<std::uint32_t>()));
      } else if (column.type == kBoolean) {
        cells.push_back(truth(static_cast<unsigned char>(bytes.left()[i / 8]) >> i % 8 & 1));
      } else if (column.type == kInt32 || column.type == kFloat || column.type == kInt64 ||
                 column.type == kDouble) {
        cells.push_back(bytes.take(width));
      } else {
        refuse(fmt::format("has values of the type {} in '{}'", column.type, column.title));
      }
    }
  }

  /// Decodes the hybrid of runs and bit-packed values of `width` bits.
  static std::vector<std::uint32_t> take_runs(ParquetBytes& bytes, int width, std::uint64_t count) {
    if (width > 32) bytes.fail();
    std::vector<std::uint32_t> values;
    while (values.size() < count) {
      const std::uint64_t head = bytes.varint(), left = count - values.size();
      if ((head & 1) == 0) {
        std::uint32_t value = 0;
        const std::string_view raw = bytes.take(static_cast<std::uint64_t>(width + 7) / 8);
        std::memcpy(&value, raw.data(), raw.size());
        if (head == 0 || std::uint64_t{value} >> width != 0) bytes.fail();
        values.insert(values.end(), std::min(head >> 1, left), value);
        continue;
      }
      const std::uint64_t groups = head >> 1;
      if (groups > bytes.left().size() + 1) bytes.fail();
      const std::string_view raw = bytes.take(groups * static_cast<std::uint64_t>(width));
      for (std::uint64_t i = 0; i < std::min(groups * 8, left); ++i) {
        std::uint32_t value = 0;
        for (int bit = 0; bit < width; ++bit) {
          const std::uint64_t at =
              i * static_cast<std::uint64_t>(width) + static_cast<unsigned>(bit);
          value |= (static_cast<unsigned char>(raw[at / 8]) >> at % 8 & 1U) << bit;
        }
        values.push_back(value);
      }
      if (groups == 0) bytes.fail();
    }
    return values;
  }

  /// The unpacked bytes of a page, valid until the next row group.
  std::string_view unpacked(std::string_view packed, std::uint64_t size, std::int64_t codec) {
    constexpr std::uint64_t kAlwaysGranted = std::uint64_t{64} << 20, kMostGrowth = 1100;
    if (size > std::max(kAlwaysGranted, kMostGrowth * packed.size())) fail("is damaged");
    if (codec == kNoCodec) return packed;
    std::string& page = pages_.emplace_back(size, '\0');
    bool whole = false;
    if (codec == kGzipCodec || codec == kZstdCodec) {
      const auto archive = codec == kGzipCodec ? Compression::gzip : Compression::zstd;
      whole = unpack_exactly(archive, packed, page);
    } else if (codec == kSnappyCodec) {
#ifdef APSP_WITH_SNAPPY
      whole = unsnap(packed, page);
#else
      refuse("is packed by snappy, whose library this build has not (Debian: libsnappy-dev)");
#endif
    } else {
      refuse(fmt::format("is packed by the codec {}", codec));
    }
    if (!whole) fail("is damaged");
    return page;
  }

  void append_geometry(const StoredColumn& column, std::string_view cell, std::string& text) const {
    const auto found = geometry_of_wkb(cell);
    if (column.points) {
      const bool is_point = found && found->lines[0].size() == 1;
      if (!is_point && cell.data() != nullptr) fail("is damaged: '{}' has no point", column.title);
      if (is_point)
        text += fmt::format("{},{}", found->lines[0][0].first, found->lines[0][0].second);
      else
        text += ',';
    } else if (cell.data() != nullptr) {
      text += '"' + (found ? wkt_of(*found) : "neither point nor line") + '"';
    }
  }

  static void append_cell(const StoredColumn& column, std::string_view cell, std::string& text) {
    const auto value = [&]<class T>(T number) {
      std::memcpy(&number, cell.data(), sizeof(T));
      return number;
    };
    if (cell.data() == nullptr) return;
    const std::size_t first = text.size();
    if (column.type == kBytes) {
      text += '"';
      for (const char c : cell) text.append(c == '"' ? 2 : 1, c);
      text += '"';
    } else if (column.type == kBoolean) {
      text += cell[0] != '\0' ? "true" : "false";
    } else if (column.type == kInt32) {
      text += column.is_unsigned ? std::to_string(value(std::uint32_t{}))
                                 : std::to_string(value(std::int32_t{}));
    } else if (column.type == kInt64) {
      text += column.is_unsigned ? std::to_string(value(std::uint64_t{}))
                                 : std::to_string(value(std::int64_t{}));
    } else {
      const double number = column.type == kFloat ? double{value(float{})} : value(double{});
      const double most = column.type == kFloat ? 0x1p24 : 0x1p53;
      text += fmt::format("{}", number);
      const bool short_integer =
          std::abs(number) >= most && text.find_first_of("ein", first) == text.npos;
      if (short_integer) text += kOfFloat;
    }
    if (column.scale == 0) return;
    const auto scale = static_cast<std::size_t>(column.scale);
    const std::size_t digits = first + (text[first] == '-' ? 1 : 0), count = text.size() - digits;
    if (count <= scale) text.insert(digits, scale + 1 - count, '0');
    text.insert(text.size() - scale, 1, '.');
  }

  std::string_view file_;
  const std::string& name_;
  const Control& control_;
  Thrift about_;
  std::vector<StoredColumn> columns_;
  std::size_t rows_ = 0;
  std::deque<std::string> pages_;
};

}  // namespace

void parquet_as_csv(std::string_view file, const std::string& name, const Control& control,
                    const std::function<void(std::string_view)>& put) {
  ParquetReader(file, name, control).write(put);
}

namespace {

/// Pages have at most 2^31 − 1 bytes.
constexpr std::size_t kMostPageBytes = std::numeric_limits<std::int32_t>::max();

std::int32_t type_of(ColumnKind kind) {
  return kind == ColumnKind::text || kind == ColumnKind::geometry ? kBytes
         : kind == ColumnKind::whole                              ? kInt64
         : kind == ColumnKind::real32                             ? kFloat
                                                                  : kDouble;
}

Thrift schema_of(const TableColumn& column) {
  Thrift::Fields element = {{1, type_of(column.kind)},
                            {3, std::int32_t{0}},  // required
                            {4, std::string_view(column.title)}};
  if (column.kind == ColumnKind::text) {
    element[6] = std::int32_t{0};                 // UTF-8
    element[10] = Thrift::Fields{{1, Thrift()}};  // STRING
  }
  return element;
}

std::string encoded(const Thrift& value) {
  std::string bytes;
  append_thrift(bytes, value);
  return bytes;
}

}  // namespace

ParquetWriter::ParquetWriter(OutputFile& file, std::vector<TableColumn> columns)
    : file_(file), columns_(std::move(columns)), values_(columns_.size()) {
  constexpr std::int64_t kGroupValues = std::int64_t{1} << 22;  // 32 MiB of numbers
  most_rows_ =
      std::max<std::int64_t>(1, kGroupValues / std::max<std::int64_t>(1, std::ssize(columns_)));
  file_.put(kParquetMagic);
}

std::int64_t ParquetWriter::put_page(const std::string& values) {
  packed_.resize(std::max(packed_.size(), ZSTD_compressBound(values.size())));
  // Half the bytes of level 1 in half the time where numbers of 8 bytes repeat (bench/attempts.md).
  constexpr int kLevel = 3;
  const std::size_t size =
      ZSTD_compress(packed_.data(), packed_.size(), values.data(), values.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw std::bad_alloc();
  const std::string_view packed(packed_.data(), size);
  if (values.size() > kMostPageBytes || size > kMostPageBytes) {
    base::fail(ErrorKind::does_not_fit,
               "{}: the names of {} rows take more than 2 GiB, which "
               "Parquet does not hold: write a .csv",
               file_.name(), rows_);
  }
  const Thrift::Fields levels = {
      {1, static_cast<std::int32_t>(rows_)}, {2, kPlainValues}, {3, kRunLengths}, {4, kRunLengths}};
  const std::string header = encoded(Thrift::Fields{{1, kPageOfValues},
                                                    {2, static_cast<std::int32_t>(values.size())},
                                                    {3, static_cast<std::int32_t>(size)},
                                                    {5, levels}});
  file_.put(header, packed);
  return std::ssize(header);
}

void ParquetWriter::note_type_of(std::string_view wkb) {
  constexpr const char* kTypes[] = {"Geometry", "Point",      "LineString",
                                    "Polygon",  "MultiPoint", "MultiLineString"};
  geometry_types_.insert(kTypes[static_cast<unsigned char>(wkb[1])]);
}

void ParquetWriter::end_group() {
  Thrift::List chunks;
  std::int64_t plain_bytes = 0;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto begin = static_cast<std::int64_t>(file_.bytes_put());
    const std::int64_t plain = put_page(values_[i]) + std::ssize(values_[i]);
    const Thrift::Fields about = {{1, type_of(columns_[i].kind)},
                                  {2, Thrift::List{kPlainValues}},
                                  {3, Thrift::List{std::string_view(columns_[i].title)}},
                                  {4, kZstdCodec},
                                  {5, rows_},
                                  {6, plain},
                                  {7, static_cast<std::int64_t>(file_.bytes_put()) - begin},
                                  {9, begin}};
    chunks.push_back(Thrift::Fields{{2, begin}, {3, about}});
    plain_bytes += plain;
    values_[i].clear();
  }
  groups_.push_back(encoded(Thrift::Fields{{1, std::move(chunks)}, {2, plain_bytes}, {3, rows_}}));
  all_rows_ += std::exchange(rows_, 0);
}

void ParquetWriter::finish(bool directed) {
  if (rows_ > 0) end_group();
  Thrift::List schema = {Thrift::Fields{{4, std::string_view("schema")},
                                        {5, static_cast<std::int32_t>(columns_.size())}}};
  for (const TableColumn& column : columns_) schema.push_back(schema_of(column));
  Thrift::List groups(groups_.size());
  for (std::size_t i = 0; i < groups.size(); ++i) groups[i].text = groups_[i];
  Thrift::Fields about = {{1, std::int32_t{2}},
                          {2, std::move(schema)},
                          {3, all_rows_},
                          {4, std::move(groups)},
                          {6, std::string_view("apsp")}};
  Thrift::List keys;
  if (directed) keys.push_back(Thrift::Fields{{1, kDirectedKey}});
  const auto geometry = std::ranges::find(columns_, ColumnKind::geometry, &TableColumn::kind);
  std::string of_geometry;
  if (geometry != columns_.end()) {
    const json of = {{"encoding", "WKB"}, {"geometry_types", geometry_types_}};
    of_geometry = base::json_text(json{{"version", "1.1.0"},
                                       {"primary_column", geometry->title},
                                       {"columns", {{geometry->title, of}}}});
    keys.push_back(Thrift::Fields{{1, kGeometryKey}, {2, std::string_view(of_geometry)}});
  }
  if (!keys.empty()) about[5] = std::move(keys);
  const std::string text = encoded(about);
  const auto length = static_cast<std::uint32_t>(text.size());
  file_.put(text, std::string_view(reinterpret_cast<const char*>(&length), sizeof(length)),
            kParquetMagic);
}

}  // namespace apsp::io
