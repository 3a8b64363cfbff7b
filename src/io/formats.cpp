// The table of formats, and recognition. Most formats have distinctive content: a banner, magic
// bytes, a problem line, bars, or a first word. METIS and edge lists consist of numbers, so the
// suffix decides.
#include "io/formats.hpp"
#include "graph/lengths.hpp"

#include <algorithm>
#include <cctype>
#include <limits>

#include "base/fail.hpp"
#include "base/utf8.hpp"
#include "graph/vertex_states.hpp"
#include "io/number.hpp"
#include "io/strengths.hpp"
#include "io/vertex_lists.hpp"

namespace apsp::io {

extern const Format matrix_market_format, dimacs_format, edge_list_format, metis_format,
    as_rel_format, numpy_format, graphml_format, gml_format, pajek_format, node_link_format,
    npz_format, matrix_format, osm_format;

namespace {

/// The order of `GraphFormat`; formats without an enumerator follow.
constexpr std::array kFormats = {
    &matrix_market_format, &dimacs_format,  &edge_list_format, &metis_format, &as_rel_format,
    &numpy_format,         &graphml_format, &gml_format,       &pajek_format, &node_link_format,
    &npz_format,           &matrix_format,  &osm_format};

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

std::optional<std::ptrdiff_t> first_name_not_utf8(const Graph& graph) {
  const auto labels = graph.labels();
  const auto bad = std::ranges::find_if_not(labels, base::is_utf8);
  return bad == labels.end() ? std::nullopt : std::optional(bad - labels.begin());
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
  if (compression_of(bytes) != Compression::none)
    base::fail_input(std::string(name), "an archive in an archive: unpack the outer one first");
  constexpr std::size_t kSample = 4096;
  if (text.substr(0, kSample).find('\0') != std::string_view::npos) {
    base::fail_input(std::string(name),
                     "not a graph in a known format: its first bytes are not text in UTF-8; a text "
                     "in another encoding needs its name (`encoding=UTF-16LE`)");
  }
  return format_of_suffix(name).value_or(GraphFormat::edge_list);
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
               "`weight` names a column of an edge list, or an attribute of edges in GraphML, GML, "
               "node-link JSON and OpenStreetMap's extracts, and {} is read as {}: leave it out",
               name, apsp::name(format));
  }
  if (!options.weight.empty() && options.columns) {
    base::fail(ErrorKind::usage, "`columns` and `weight` both name the weight: give one of them");
  }
  if (!options.lengths.empty() && (!options.coordinates.empty() || !options.reverse_cost.none())) {
    base::fail(ErrorKind::usage,
               "`lengths` is for strengths of edges, and `coordinates` and `reverse_cost` give "
               "lengths: leave one of them out");
  }
  if (!options.lengths.empty()) graph::LengthFormula{options.lengths};  // throws before reading
  require(options.columns.has_value(), edges, "`columns`", "edge lists");
  require(options.ids.has_value(), edges, "`ids`", "edge lists");
  require(!options.oneway.none(), edges, "`oneway`", "edge lists");
  require(!options.reverse_cost.none(), edges, "`reverse_cost`", "edge lists");
  if ((!options.profile.empty() || options.all_streets) && &format_of(format) != &osm_format) {
    base::fail(
        ErrorKind::usage,
        "`profile` and `all_streets` are for extracts of OpenStreetMap, and {} is read as {}: "
        "leave them out",
        name, apsp::name(format));
  }
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

bool has_integer_names(const Graph& graph) {
  if (graph.labels().empty()) return true;
  const auto n = static_cast<std::size_t>(graph::VertexStates(graph).vertices());
  return std::ranges::all_of(  // states are written as their vertices
      graph.labels().first(n),
      [](const std::string& label) { return integer_of(label).has_value(); });
}

void require_utf8_names(const Graph& graph, const std::string& path) {
  if (const auto bad = first_name_not_utf8(graph)) {
    base::fail(
        ErrorKind::usage,
        "{} holds texts in UTF-8, and vertex {} (from 0) has a name that is not: read the graph "
        "with `encoding`, such as `encoding=cp1252`",
        path, *bad);
  }
}

bool has_parallel_arcs(const Graph& graph) {
  if (graph.matrix() != nullptr) return false;
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    const auto targets = graph.targets(u);
    if (std::ranges::adjacent_find(targets) != targets.end()) return true;
  }
  return false;
}

std::optional<GraphHeader> header_before(const char* at, std::uint64_t vertices,
                                         std::uint64_t arcs) {
  if (at[-1] != '\n') return std::nullopt;
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  return GraphHeader{.vertices = static_cast<std::int64_t>(vertices),
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

// Reading: bytes, decompression, recognition, then the format's reader. Writing: a format's writer
// into an output file that appears when complete.
namespace apsp {
namespace {

io::FirstLook first_look(const std::string& name, const ReadOptions& options) {
  if (!options.on_header) return {};
  return [&](std::span<const char> first_bytes) {
    const auto header = io::peek_header(io::without_byte_order_mark(first_bytes), name, options);
    if (header) options.on_header(*header);
  };
}

/// Other programs and formats require names in UTF-8.
void require_readable_names(const Graph& graph, const std::string& name) {
  if (const auto bad = io::first_name_not_utf8(graph)) {
    base::fail_input(name,
                     "the name of vertex number {} is not UTF-8; say how the text is encoded "
                     "(`encoding=cp1252`, latin1, …)",
                     *bad);
  }
}

Graph parse_held(io::HeldBytes held, const std::string& name, const ReadOptions& options) {
  const auto read = [&](const io::Source& source) {
    const GraphFormat format =
        options.format ? *options.format : io::recognise(source.bytes, source.name);
    io::require_useful(options, format, source.name);
    Graph graph = io::format_of(format).read(source);
    require_readable_names(graph, source.name);
    if (!options.lengths.empty()) return io::with_lengths_of(source, graph, options.lengths);
    return graph;
  };
  const Graph graph =
      io::with_source(std::move(held), name, options, first_look(name, options), read);
  if (options.coordinates.empty()) return graph;
  return io::with_source(
      io::hold_input(options.coordinates, {}), io::display_name(options.coordinates), options, {},
      [&](const io::Source& places) { return io::with_great_circle_weights(graph, places); });
}

}  // namespace

Graph parse_graph(std::span<const char> bytes, const std::string& name,
                  const ReadOptions& options) {
  const Cancellable listening(options.control.cancellation);
  if (const io::FirstLook look = first_look(name, options)) look(bytes);
  return parse_held({bytes}, name, options);
}

Graph read_graph(const std::string& path, const ReadOptions& options) {
  const Cancellable listening(options.control.cancellation);
  const std::string shown = io::display_name(path);
  io::begin_temporary_bytes();
  return parse_held(io::hold_input(path, first_look(shown, options)), shown, options);
}

void write_graph(const Graph& graph, const std::string& path, std::optional<GraphFormat> format,
                 const Control& control) {
  const io::Format& chosen = io::format_of(format ? *format : io::output_format(path));
  if (chosen.write == nullptr) {
    base::fail(ErrorKind::usage, "the {} format can only be read, not written", chosen.name);
  }
  io::OutputFile out(path, io::compression_of_suffix(path), control);
  out.expect_rows(graph.vertex_count());
  chosen.write(graph, out);
  if (!io::plausible_vertex_count(static_cast<std::uint64_t>(graph.vertex_count()),
                                  out.bytes_put())) {
    base::fail(ErrorKind::usage,
               "{} vertices with so few edges that no reader would believe the file",
               graph.vertex_count());
  }
  out.commit();
}

}  // namespace apsp
