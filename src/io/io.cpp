// The way in and the way out: bytes, decompression, recognition, then the reader; and a writer
// behind an output file that appears when complete.
#include <fmt/format.h>
#include <apsp/error.hpp>
#include <apsp/io.hpp>

#include "io/formats.hpp"
#include "io/graph_header.hpp"
#include "io/with_source.hpp"

namespace apsp {
namespace {

Graph read_in_format(const io::Source& source, GraphFormat format) {
  switch (format) {
    case GraphFormat::matrix_market:
      return io::read_matrix_market(source);
    case GraphFormat::dimacs:
      return io::read_dimacs(source);
    case GraphFormat::metis:
      return io::read_metis(source);
    case GraphFormat::as_rel:
      return io::read_as_rel(source);
    case GraphFormat::numpy:
      return io::read_numpy(source);
    default:
      return io::read_edge_list(source);
  }
}

/// Tells the caller what the header says, before the rest is read.
io::FirstLook first_look(const std::string& name, const ReadOptions& options) {
  if (!options.on_header) return {};
  return [&](std::span<const char> first_bytes) {
    const auto header = io::peek_header(io::without_byte_order_mark(first_bytes), name, options);
    if (header) options.on_header(*header);
  };
}

Graph with_weights_from(const std::string& path, const Graph& graph, const ReadOptions& options) {
  const std::string shown = io::display_name(path);
  return io::with_source(io::hold_input(path, {}), shown, options, first_look(shown, options),
                         [&](const io::Source& source) {
                           return io::with_great_circle_weights(graph, io::read_coordinates(source),
                                                                shown);
                         });
}

Graph parse_held(io::HeldBytes held, const std::string& name, const ReadOptions& options) {
  const auto read = [&](const io::Source& source) {
    const GraphFormat format =
        options.format ? *options.format : io::recognise(source.bytes, source.name);
    io::require_useful(options, format, source.name);
    return read_in_format(source, format);
  };
  Graph graph = io::with_source(std::move(held), name, options, first_look(name, options), read);
  if (options.coordinates.empty()) return graph;
  return with_weights_from(options.coordinates, graph, options);
}

void write_in_format(const Graph& graph, GraphFormat format, char separator, io::OutputFile& out) {
  switch (format) {
    case GraphFormat::matrix_market:
      return io::write_matrix_market(graph, out);
    case GraphFormat::dimacs:
      return io::write_dimacs(graph, out);
    case GraphFormat::metis:
      return io::write_metis(graph, out);
    case GraphFormat::numpy:
      return io::write_numpy(graph, out);
    case GraphFormat::as_rel:
      throw Error(ErrorKind::usage,
                  "the as-rel format holds relations, not weights; it can only be read");
    default:
      return io::write_edge_list(graph, out, separator);
  }
}

}  // namespace

void io::require_useful(const ReadOptions& options, GraphFormat format, const std::string& name) {
  const auto require = [&](bool given, GraphFormat use, std::string_view option,
                           std::string_view what) {
    if (!given || format == use) return;
    throw Error(ErrorKind::usage,
                fmt::format("{} is for {}, and {} is read as {}: leave it out, or say --format {}",
                            option, what, name, apsp::name(format), apsp::name(use)));
  };
  require(options.columns.has_value(), GraphFormat::edge_list, "--columns", "edge lists");
  require(options.as_rel.has_value(), GraphFormat::as_rel, "--as-rel", "CAIDA's relations");
}

Graph parse_graph(std::span<const char> bytes, const std::string& name,
                  const ReadOptions& options) {
  if (const io::FirstLook look = first_look(name, options)) look(bytes);
  return parse_held({bytes}, name, options);
}

Graph read_graph(const std::string& path, const ReadOptions& options) {
  const std::string shown = io::display_name(path);
  return parse_held(io::hold_input(path, first_look(shown, options)), shown, options);
}

void write_graph(const Graph& graph, const std::string& path, std::optional<GraphFormat> format,
                 const Control& control) {
  if (!format) format = io::output_format(path);
  io::OutputFile out(path, io::compression_of_suffix(path), control);
  out.expect_rows(graph.vertex_count());
  write_in_format(graph, *format, io::separator_of_suffix(path), out);
  if (!io::plausible_vertex_count(static_cast<std::uint64_t>(graph.vertex_count()),
                                  out.bytes_put())) {
    throw Error(ErrorKind::usage,
                fmt::format("{} vertices with so few edges that no reader would believe the file",
                            graph.vertex_count()));
  }
  out.commit();
}

}  // namespace apsp
