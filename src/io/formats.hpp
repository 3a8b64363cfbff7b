// The formats of graph files. A format is a `Format` at the end of its source and an entry in the
// table of formats.cpp, which determines recognition, `format`, help and messages.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "io/output_file.hpp"
#include "io/source.hpp"

namespace apsp::io {

struct Format {
  std::string_view name;  ///< as users write it: "edge-list"
  /// Lower case, the usual one first; empty if the format is only found by content.
  std::array<std::string_view, 6> suffixes = {};
  /// Whether a text is certainly of this format. Null: the suffix decides.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Throws `Error` (input) with file, line and column.
  Graph (*read)(const Source& source) = nullptr;
  /// Throws `Error` (usage) if the format cannot hold the graph. Null: read-only.
  void (*write)(const Graph& graph, OutputFile& out) = nullptr;
  /// Whether edges have named attributes, from which `ReadOptions::weight` chooses.
  bool has_attributes = false;
  /// The size according to the first bytes, without `GraphHeader::format`. Empty if the reader will
  /// report an error. Null: the format does not tell.
  std::optional<GraphHeader> (*peek)(const Source& first_bytes) = nullptr;
};

const Format& format_of(GraphFormat format);

/// Decides by certain content, else by the suffix of `name`, else edge list. Throws `Error` (input)
/// for binary data of no known format.
GraphFormat recognise(std::span<const char> bytes, std::string_view name);

/// The output format for the suffix of `name`, ignoring .gz and .zst. Throws `Error` (usage) for an
/// unknown suffix.
GraphFormat output_format(std::string_view name);

/// Ignores the case of `name`. Requires: `suffix` is in lower case.
bool has_suffix(std::string_view name, std::string_view suffix);

/// The size of a graph according to the first bytes of its file. Empty for edge lists and archives
/// (unpack them first).
std::optional<GraphHeader> peek_header(std::span<const char> first_bytes, const std::string& name,
                                       const ReadOptions& options);

/// Throws `Error` (usage) for an option that applies to another format.
void require_useful(const ReadOptions& options, GraphFormat format, const std::string& name);

inline std::string_view text_of(const Source& source) {
  return {source.bytes.data(), source.bytes.size()};
}
/// The first line that is neither blank nor begins with `sign`, without surrounding blanks.
std::string_view first_line_without(std::string_view text, char sign);
/// A header that ends at `at`; empty if its line is cut. Larger numbers of arcs are clamped to
/// int64.
std::optional<GraphHeader> header_before(const char* at, std::uint64_t vertices,
                                         std::uint64_t arcs);

/// O(n + m). False for a matrix.
bool has_parallel_arcs(const Graph& graph);

/// Whether all names are 64-bit integers in canonical form, which typed outputs store as numbers.
/// O(n) with labels.
bool has_integer_names(const Graph& graph);

/// Throws `Error` (usage) for the first label that is not UTF-8, which UTF-8 formats cannot hold.
/// O(bytes of the labels). `path`: the output, for the message.
void require_utf8_names(const Graph& graph, const std::string& path);

/// Calls visit(u, v, weight) once per edge, sorted by u, then v: all arcs of a directed graph,
/// those with u ≤ v of an undirected one. Calls end_row() after each u.
template <class Visit, class EndRow = void (*)()>
void for_each_edge(
    const Graph& graph, const Visit& visit, const EndRow& end_row = [] {}) {
  for (Vertex u = 0; u < graph.vertex_count(); ++u) {
    graph.for_each_arc(u, [&](Vertex v, double weight) {
      if (graph.directed() || u <= v) visit(u, v, weight);
    });
    end_row();
  }
}

}  // namespace apsp::io
