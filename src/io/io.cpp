// Reading: bytes, decompression, recognition, then the format's reader. Writing: a format's writer
// into an output file that appears when complete.
#include <algorithm>
#include <apsp/io.hpp>

#include "base/fail.hpp"
#include "base/utf8.hpp"
#include "io/coordinates.hpp"
#include "io/formats.hpp"

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
  const auto labels = graph.labels();
  const auto bad = std::ranges::find_if_not(labels, base::is_utf8);
  if (bad == labels.end()) return;
  base::fail_input(name,
                   "the name of vertex number {} is not UTF-8; say how the text is encoded "
                   "(`encoding=cp1252`, latin1, …)",
                   bad - labels.begin());
}

Graph parse_held(io::HeldBytes held, const std::string& name, const ReadOptions& options) {
  const auto read = [&](const io::Source& source) {
    const GraphFormat format =
        options.format ? *options.format : io::recognise(source.bytes, source.name);
    io::require_useful(options, format, source.name);
    Graph graph = io::format_of(format).read(source);
    require_readable_names(graph, source.name);
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
