// The formats of graph files: what each needs to be found, read and written.
//
// A format is a `Format` at the end of its own file and one entry in the table of formats.cpp, from
// which recognition, `--format`, help and messages follow.
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
  /// Lower case, the usual one first, empty ones behind; none: the format is found by content.
  std::array<std::string_view, 6> suffixes = {};
  /// Whether a text is unmistakably of this format. Null: its suffix decides.
  bool (*recognises)(std::string_view text) = nullptr;
  /// Throws `Error` (input) with file, line and column.
  Graph (*read)(const Source& source) = nullptr;
  /// Throws `Error` (usage) where the format cannot hold the graph. Null: it is only read.
  void (*write)(const Graph& graph, OutputFile& out) = nullptr;
  /// Whether edges have named attributes, of which `ReadOptions::weight` chooses one.
  bool has_attributes = false;
  /// The size that the first bytes of a file tell, without `GraphHeader::format`. Empty for what
  /// the reader will refuse, with a better message. Null: they never tell.
  std::optional<GraphHeader> (*peek)(const Source& first_bytes) = nullptr;
};

const Format& format_of(GraphFormat format);

/// By content if that is unmistakable, else by the suffix of `name`, else an edge list.
/// Throws `Error` (input) for bytes that are not text and of no known format.
GraphFormat recognise(std::span<const char> bytes, std::string_view name);

/// The format that a graph is written in, by the suffix of `name` (without .gz or .zst). Throws
/// `Error` (usage) where no format has that suffix.
GraphFormat output_format(std::string_view name);

/// `suffix` is in lower case, `name` in any.
bool has_suffix(std::string_view name, std::string_view suffix);

/// The size of a graph, as far as the first bytes of its file tell it. Empty for edge lists and
/// archives (look at what they unpack to).
std::optional<GraphHeader> peek_header(std::span<const char> first_bytes, const std::string& name,
                                       const ReadOptions& options);

/// Throws `Error` (usage) for an option that says how another format than this one is read.
void require_useful(const ReadOptions& options, GraphFormat format, const std::string& name);

// For recognising and peeking.

inline std::string_view text_of(const Source& source) {
  return {source.bytes.data(), source.bytes.size()};
}
/// The first line that is not blank and does not begin with `sign`; without blanks at its ends.
std::string_view first_line_without(std::string_view text, char sign);
/// The two numbers behind `prefix` on the first line that does not begin with `sign`: vertices, and
/// edges of `arcs_each` arcs.
std::optional<GraphHeader> peek_numbers(std::string_view text, char sign, std::string_view prefix,
                                        std::uint64_t arcs_each);
/// A header whose number of arcs may be beyond what can be counted.
GraphHeader header_of(std::uint64_t vertices, std::uint64_t arcs);

// For writing.

/// Calls visit(u, v, weight) for every edge once, by rising u, then v: all arcs of a directed
/// graph, those with u ≤ v of an undirected one. end_row() after those of each u.
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
