#include "io/graph_header.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <limits>

#include "io/decompress.hpp"
#include "io/formats.hpp"
#include "io/matrix_market_header.hpp"
#include "io/npy_header.hpp"
#include "io/number.hpp"

namespace apsp::io {
namespace {

constexpr auto kMostVertices = std::uint64_t{std::numeric_limits<Vertex>::max()};

GraphHeader header_of(GraphFormat format, std::uint64_t vertices, std::uint64_t arcs) {
  GraphHeader header;
  header.format = format;
  header.vertices = static_cast<std::int64_t>(vertices);
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  header.arcs = static_cast<std::int64_t>(std::min(arcs, kMost));
  return header;
}

std::optional<GraphHeader> peek_numpy(std::span<const char> bytes, const std::string& name) {
  const NpyHeader npy = parse_npy_header(bytes, name);
  if (npy.shape.size() != 2 || npy.shape[0] != npy.shape[1]) return std::nullopt;
  GraphHeader header;
  header.format = GraphFormat::numpy;
  header.vertices = npy.shape[0];
  header.matrix = true;
  return header;
}

std::optional<GraphHeader> peek_matrix_market(std::span<const char> bytes, const std::string& name,
                                              const ReadOptions& options) {
  const Control silent;
  ReadProgress progress(silent, bytes.size());
  const Source source{bytes, name, options, progress, {}, true};
  TextCursor cursor(source);
  Annotations annotations;
  const MatrixMarketHeader read = read_matrix_market_header(cursor, annotations);
  if (read.rows != read.cols) return std::nullopt;
  const bool both = read.symmetric && !read.array;
  GraphHeader header = header_of(GraphFormat::matrix_market, static_cast<std::uint64_t>(read.rows),
                                 both ? 2 * read.entries : read.entries);
  header.matrix = read.array;
  return header;
}

/// The two numbers on the first line that does not begin with `sign`, behind `prefix`.
std::optional<GraphHeader> peek_numbers(std::string_view text, char sign, std::string_view prefix,
                                        GraphFormat format, std::uint64_t arcs_each) {
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
  if (vertices > kMostVertices) return std::nullopt;
  return header_of(format, vertices, edges * arcs_each);
}

}  // namespace

std::optional<GraphHeader> peek_header(std::span<const char> first_bytes, const std::string& name,
                                       const ReadOptions& options) {
  if (compression_of(first_bytes) != Compression::none) return std::nullopt;
  const std::string_view text(first_bytes.data(), first_bytes.size());
  try {
    switch (options.format ? *options.format : recognise(first_bytes, name)) {
      case GraphFormat::numpy:
        return peek_numpy(first_bytes, name);
      case GraphFormat::matrix_market:
        return peek_matrix_market(first_bytes, name, options);
      case GraphFormat::dimacs:
        return peek_numbers(text, 'c', "p sp", GraphFormat::dimacs, 1);
      case GraphFormat::metis:
        return peek_numbers(text, '%', "", GraphFormat::metis, 2);
      default:
        return std::nullopt;
    }
  } catch (const Error&) {
    return std::nullopt;  // the reader says it better
  }
}

}  // namespace apsp::io
