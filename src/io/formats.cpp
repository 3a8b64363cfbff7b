// The table of formats, and recognition. Most formats have distinctive content: a banner, magic
// bytes, a problem line, bars, or a first word. METIS and edge lists consist of numbers, so the
// suffix decides.
#include "io/formats.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/fail.hpp"
#include "io/number.hpp"

namespace apsp::io {

extern const Format matrix_market_format, dimacs_format, edge_list_format, metis_format,
    as_rel_format, numpy_format, graphml_format, gml_format, pajek_format, node_link_format,
    npz_format, matrix_format;

namespace {

/// The order of `GraphFormat`; formats without an enumerator follow.
constexpr std::array kFormats = {&matrix_market_format, &dimacs_format, &edge_list_format,
                                 &metis_format,         &as_rel_format, &numpy_format,
                                 &graphml_format,       &gml_format,    &pajek_format,
                                 &node_link_format,     &npz_format,    &matrix_format};

template <class Holds>
std::optional<GraphFormat> find_format(const Holds& holds) {
  const auto at =
      std::ranges::find_if(kFormats, [&](const Format* format) { return holds(*format); });
  if (at == kFormats.end()) return std::nullopt;
  return static_cast<GraphFormat>(at - kFormats.begin());
}

std::optional<GraphFormat> format_of_suffix(std::string_view name) {
  const std::string_view plain = without_compression(name);
  return find_format([&](const Format& format) {
    return std::ranges::any_of(format.suffixes, [&](std::string_view suffix) {
      return !suffix.empty() && has_suffix(plain, suffix);
    });
  });
}

}  // namespace

const Format& format_of(GraphFormat format) {
  return *kFormats.at(static_cast<std::size_t>(format));
}

bool has_suffix(std::string_view name, std::string_view suffix) {
  return name.size() >= suffix.size() &&
         std::equal(suffix.rbegin(), suffix.rend(), name.rbegin(), [](char a, char b) {
           return a == std::tolower(static_cast<unsigned char>(b));
         });
}

GraphFormat output_format(std::string_view name) {
  if (const auto format = format_of_suffix(name)) return *format;
  std::string known;
  for (const Format* const format : kFormats) {
    for (const std::string_view suffix : format->suffixes) {
      if (!suffix.empty()) known += (known.empty() ? "" : ", ") + std::string(suffix);
    }
  }
  base::fail(ErrorKind::usage, "no format for '{}': name one, or use a suffix of {}", name, known);
}

GraphFormat recognise(std::span<const char> bytes, std::string_view name) {
  const std::string_view text(bytes.data(), bytes.size());
  const auto by_content = find_format([&](const Format& format) {
    return format.recognises != nullptr && format.recognises(text);
  });
  if (by_content) return *by_content;
  refuse_foreign(text, name);
  if (const auto format = format_of_suffix(name)) return *format;
  constexpr std::size_t kSample = 4096;
  if (text.substr(0, kSample).find('\0') != std::string_view::npos) {
    base::fail_input(std::string(name),
                     "not a graph in a known format (its first bytes are not text)");
  }
  return GraphFormat::edge_list;
}

std::optional<GraphHeader> peek_header(std::span<const char> first_bytes, const std::string& name,
                                       const ReadOptions& options) {
  if (compression_of(first_bytes) != Compression::none) return std::nullopt;
  const Control silent;
  ReadProgress progress(silent, first_bytes.size());
  try {
    const GraphFormat format = options.format ? *options.format : recognise(first_bytes, name);
    const auto peek = format_of(format).peek;
    if (peek == nullptr) return std::nullopt;
    std::optional<GraphHeader> header = peek({first_bytes, name, options, progress, {}, true});
    if (header) header->format = format;
    return header;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void require_useful(const ReadOptions& options, GraphFormat format, const std::string& name) {
  const auto require = [&](bool given, GraphFormat use, std::string_view option,
                           std::string_view what) {
    if (!given || format == use) return;
    base::fail(ErrorKind::usage,
               "{} is for {}, and {} is read as {}: leave it out, or add `format={}`", option, what,
               name, apsp::name(format), apsp::name(use));
  };
  const GraphFormat edges = GraphFormat::edge_list;
  if (!options.weight.empty() && format != edges && !format_of(format).has_attributes) {
    base::fail(ErrorKind::usage,
               "`weight` names a column of an edge list, or an attribute of edges in GraphML, GML "
               "and node-link JSON, and {} is read as {}: leave it out",
               name, apsp::name(format));
  }
  if (!options.weight.empty() && options.columns) {
    base::fail(ErrorKind::usage, "`columns` and `weight` both name the weight: give one of them");
  }
  require(options.columns.has_value(), edges, "`columns`", "edge lists");
  require(options.ids.has_value(), edges, "`ids`", "edge lists");
  require(!options.oneway.none(), edges, "`oneway`", "edge lists");
  require(!options.reverse_cost.none(), edges, "`reverse_cost`", "edge lists");
  require(options.as_rel.has_value(), GraphFormat::as_rel, "`as_rel`", "CAIDA's relations");
  if (format == edges) return;
  require(options.separator.has_value(), GraphFormat::matrix, "`separator`",
          "edge lists and matrices of text");
  require(options.zero_is_edge.has_value(), GraphFormat::matrix, "`zero`", "matrices of text");
}

std::string_view first_line_without(std::string_view text, char sign) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::string_view content = without_blanks(line);
    if (!content.empty() && content.front() != sign) return content;
  }
  return {};
}

std::optional<GraphHeader> peek_numbers(std::string_view text, char sign, std::string_view prefix,
                                        std::uint64_t arcs_each) {
  while (!text.empty() && (text.front() == sign || text.front() == '\n')) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  if (text.substr(0, prefix.size()) != prefix) return std::nullopt;
  const char* at = text.data() + prefix.size();
  const char* const end = text.data() + text.size();
  std::uint64_t vertices = 0, edges = 0;
  skip_blanks(at, end);
  if (!read_unsigned(at, end, vertices)) return std::nullopt;
  skip_blanks(at, end);
  if (!read_unsigned(at, end, edges) || at == end) return std::nullopt;
  if (vertices > std::numeric_limits<Vertex>::max()) return std::nullopt;
  return header_of(vertices, edges * arcs_each);
}

GraphHeader header_of(std::uint64_t vertices, std::uint64_t arcs) {
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return {.vertices = static_cast<std::int64_t>(vertices),
          .arcs = static_cast<std::int64_t>(std::min(arcs, kMost))};
}

}  // namespace apsp::io

namespace apsp {

std::span<const GraphFormat> all_graph_formats() {
  static const auto all = [] {
    std::array<GraphFormat, io::kFormats.size()> formats;
    for (std::size_t i = 0; i < formats.size(); ++i) formats[i] = static_cast<GraphFormat>(i);
    return formats;
  }();
  return all;
}

std::string_view name(GraphFormat format) { return io::format_of(format).name; }

std::optional<GraphFormat> parse_graph_format(std::string_view text) {
  return io::find_format([&](const io::Format& format) { return format.name == text; });
}

}  // namespace apsp
