// Which format a file is in. Four formats betray themselves: Matrix Market by its banner, NumPy by
// its magic bytes, DIMACS by its problem line, CAIDA by its bars. METIS and edge lists are both
// nothing but numbers, so there the suffix decides.
#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>

#include "io/formats.hpp"
#include "io/npy_header.hpp"
#include "io/number.hpp"

namespace apsp::io {
namespace {

struct Suffix {
  std::string_view text;
  GraphFormat format;
};

constexpr std::array kSuffixes = {
    Suffix{".mtx", GraphFormat::matrix_market}, Suffix{".gr", GraphFormat::dimacs},
    Suffix{".txt", GraphFormat::edge_list},     Suffix{".csv", GraphFormat::edge_list},
    Suffix{".tsv", GraphFormat::edge_list},     Suffix{".el", GraphFormat::edge_list},
    Suffix{".edges", GraphFormat::edge_list},   Suffix{".cedge", GraphFormat::edge_list},
    Suffix{".graph", GraphFormat::metis},       Suffix{".metis", GraphFormat::metis},
    Suffix{".npy", GraphFormat::numpy},
};

bool ends_with(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() &&
         std::equal(suffix.rbegin(), suffix.rend(), name.rbegin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

std::string_view without_compression(std::string_view name) {
  for (const std::string_view suffix : {".gz", ".zst"}) {
    if (ends_with(name, suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

/// The first line that does not begin with one of `signs`, and is not blank.
std::string_view first_line_without(std::string_view text, std::string_view signs) {
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    if (!line.empty() && signs.find(line.front()) == std::string_view::npos) return line;
  }
  return {};
}

/// "p sp 3 4" behind nothing but lines that begin with c.
bool is_dimacs(std::string_view text) {
  std::string_view line = first_line_without(text, "c");
  if (line.substr(0, 2) != "p ") return false;
  line.remove_prefix(2);
  while (!line.empty() && is_blank(line.front())) line.remove_prefix(1);
  return line.substr(0, 3) == "sp " || line.substr(0, 3) == "sp\t";
}

/// "1|2|-1" or "1|2|0", perhaps with more behind another bar.
bool is_as_rel(std::string_view text) {
  const std::string_view line = first_line_without(text, "#");
  const char* at = line.data();
  const char* const end = at + line.size();
  std::uint64_t number = 0;
  for (int field = 0; field < 2; ++field) {
    if (!read_unsigned(at, end, number) || at == end || *at++ != '|') return false;
  }
  if (at != end && *at == '-') ++at;
  return read_unsigned(at, end, number) && number <= 1 && (at == end || *at == '|') &&
         line.find_first_of(" \t,;") == std::string_view::npos;
}

}  // namespace

bool has_matrix_market_banner(std::string_view text) {
  constexpr std::string_view kBanner = "%%matrixmarket";
  return text.size() >= kBanner.size() && ends_with(text.substr(0, kBanner.size()), kBanner);
}

std::optional<GraphFormat> format_of_suffix(std::string_view name) {
  const std::string_view plain = without_compression(name);
  for (const Suffix& suffix : kSuffixes) {
    if (ends_with(plain, suffix.text)) return suffix.format;
  }
  return std::nullopt;
}

GraphFormat output_format(std::string_view name) {
  if (const auto format = format_of_suffix(name)) return *format;
  throw Error(
      ErrorKind::usage,
      fmt::format("no format for '{}': name one, or use a suffix such as .mtx, .gr, .txt, .csv, "
                  ".graph or .npy",
                  name));
}

char separator_of_suffix(std::string_view name) {
  const std::string_view plain = without_compression(name);
  return ends_with(plain, ".csv") ? ',' : ends_with(plain, ".tsv") ? '\t' : ' ';
}

Compression compression_of_suffix(std::string_view name) {
  if (ends_with(name, ".gz")) return Compression::gzip;
  if (ends_with(name, ".zst")) return Compression::zstd;
  return Compression::none;
}

GraphFormat recognise(std::span<const char> bytes, std::string_view name) {
  const std::string_view text(bytes.data(), bytes.size());
  if (has_npy_magic(bytes)) return GraphFormat::numpy;
  if (has_matrix_market_banner(text)) return GraphFormat::matrix_market;
  if (is_dimacs(text)) return GraphFormat::dimacs;
  if (is_as_rel(text)) return GraphFormat::as_rel;
  if (const auto format = format_of_suffix(name)) return *format;
  constexpr std::size_t kSample = 4096;
  if (text.substr(0, kSample).find('\0') != std::string_view::npos) {
    throw Error::malformed({std::string(name), 0, 0},
                           "this is no graph in a known format (its first bytes are no text)");
  }
  return GraphFormat::edge_list;
}

}  // namespace apsp::io

namespace apsp {
namespace {

constexpr std::array<std::string_view, 6> kFormatNames = {"matrix-market", "dimacs", "edge-list",
                                                          "metis",         "as-rel", "numpy"};

}  // namespace

std::string_view name(GraphFormat format) { return kFormatNames[static_cast<std::size_t>(format)]; }

std::optional<GraphFormat> parse_graph_format(std::string_view text) {
  const auto at = std::find(kFormatNames.begin(), kFormatNames.end(), text);
  if (at == kFormatNames.end()) return std::nullopt;
  return static_cast<GraphFormat>(at - kFormatNames.begin());
}

}  // namespace apsp
