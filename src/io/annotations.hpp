// Annotations in comments preserve what a format cannot express.
//
// A comment whose text begins with "apsp:" is an annotation:
//
//     apsp:directed | apsp:undirected    the direction of the graph
//     apsp:vertices N                    the number of vertices, including isolated ones
//     apsp:first-id 0 | 1                the number of the first vertex
//     apsp:label ID NAME                 the label of vertex ID, numbered as in the file's edges;
//                                        NAME extends to the line end, with \\ \n \r as escapes
//
// An unknown annotation is an error. Formats that count from 1 do so whatever first-id says; edge
// lists number vertices from first-id.
#pragma once

#include <apsp/graph.hpp>

#include <optional>
#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "io/plain_rows.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {

inline constexpr Vertex kCountedFrom = 1;

class Annotations {
 public:
  std::optional<bool> directed;
  std::optional<std::int64_t> vertices;
  std::optional<Vertex> first_id;

  bool has_labels() const { return !labels_.empty(); }
  bool empty() const { return !directed && !vertices && !first_id && labels_.empty(); }
  /// Reads one line, whose comment begins at the cursor. Returns false, without moving, for a
  /// comment that is no annotation.
  bool take(TextCursor& cursor);
  /// Skips blank lines and reads comments, which begin with `sign`. Returns whether a row follows,
  /// which then begins at the cursor.
  bool find_row(TextCursor& cursor, char sign);

  /// The direction that the options state, else the file, else `otherwise`.
  bool resolve_directed(const ReadOptions& options, bool otherwise) const {
    return options.directed.value_or(directed.value_or(otherwise));
  }

  /// Gives the builder labels and first id. `base`: the number of vertex 0 in the file. Throws
  /// `Error` (input) for a label without a vertex, a vertex without a label, duplicates, and if
  /// `apsp:vertices` contradicts `n`.
  void apply(const TextCursor& cursor, std::int64_t n, Vertex base, GraphBuilder& builder) const;

 private:
  struct VertexLabel {
    std::uint64_t id;
    const char* at;
    std::string name;
  };
  std::vector<std::string> labels_in_order(const TextCursor& cursor, std::int64_t n,
                                           Vertex base) const;

  std::vector<VertexLabel> labels_;
  const char* vertices_at_ = nullptr;
};

/// Reads the `count` rows that a header announces, between comments that begin with `sign`. `one`,
/// `many`: words for them. Throws `Error` (input) for more or fewer rows.
void read_announced_rows(TextCursor& cursor, Annotations& annotations, char sign, RowArcs& rows,
                         std::uint64_t count, const char* one, const char* many);

/// The graph of vertices that the file numbers from `base`, and of arcs whose ends count from
/// `arcs_from`; `arcs` may be null. Throws as `Annotations::apply`.
Graph build_numbered(const TextCursor& cursor, const Annotations& annotations, bool directed,
                     std::int64_t n, Vertex base, std::shared_ptr<graph::ArcBuckets> arcs,
                     Vertex arcs_from = 0);

/// Writes the first id unless it is `usual`, and labels of vertices numbered from `base`, each on a
/// line after `sign` ("% ").
void put_names(OutputFile& out, std::string_view sign, const Graph& graph, Vertex usual,
               Vertex base);

}  // namespace apsp::io
