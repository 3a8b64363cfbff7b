// What a format cannot say, said in its comments, so that a graph survives being converted.
//
// A comment whose text begins with "apsp:" is an annotation:
//
//     apsp:directed | apsp:undirected    which the graph is
//     apsp:vertices N                    how many vertices there are, isolated ones included
//     apsp:first-id 0 | 1                the number that names the first vertex
//     apsp:label ID NAME                 the label of vertex ID, numbered as in the file's edges;
//                                        NAME runs to the line's end, with \\ \n \r as escapes
//
// An unknown annotation is an error. A format that counts from 1 does so whatever first-id says; an
// edge list numbers its vertices from first-id on.
#pragma once

#include <apsp/graph.hpp>

#include <optional>
#include <string>
#include <vector>

#include "io/output_file.hpp"
#include "io/plain_rows.hpp"
#include "io/text_cursor.hpp"

namespace apsp::io {

/// The number of the first vertex in a format that counts from 1.
inline constexpr Vertex kCountedFrom = 1;

class Annotations {
 public:
  std::optional<bool> directed;
  std::optional<std::int64_t> vertices;
  std::optional<Vertex> first_id;

  bool has_labels() const { return !labels_.empty(); }
  bool empty() const { return !directed && !vertices && !first_id && labels_.empty(); }
  /// Takes one line, whose comment begins behind the cursor. Other comments are skipped.
  void read_comment(TextCursor& cursor);
  /// Skips blank lines, and takes comments, which begin with `sign`; whether a row follows, which
  /// then begins at the cursor.
  bool find_row(TextCursor& cursor, char sign);

  /// What the reader's caller, the file, and else the format says.
  bool resolve_directed(const ReadOptions& options, bool otherwise) const {
    return options.directed.value_or(directed.value_or(otherwise));
  }

  /// Gives the builder its labels and first id. `base`: the number of vertex 0 in the file.
  /// Throws `Error` (input) for a label without a vertex, a vertex without one, or two of a kind,
  /// and where `apsp:vertices` contradicts `n`.
  void apply(const TextCursor& cursor, std::int64_t n, Vertex base, Vertex default_first_id,
             GraphBuilder& builder) const;

 private:
  struct VertexLabel {
    std::uint64_t id;
    const char* at;  // where it stands in the text
    std::string name;
  };
  std::vector<std::string> labels_in_order(const TextCursor& cursor, std::int64_t n,
                                           Vertex base) const;

  std::vector<VertexLabel> labels_;
  const char* vertices_at_ = nullptr;
};

/// The graph of rows between vertices that are counted from 1. Throws as `Annotations::apply`.
Graph build_counted(const TextCursor& cursor, const Annotations& annotations, std::int64_t n,
                    bool directed, const RowArcs& rows);

/// Writes annotations, one a line behind `sign` ("% ").
class AnnotationWriter {
 public:
  AnnotationWriter(OutputFile& out, std::string_view sign) : out_(out), sign_(sign) {}

  void directed(bool is_directed) {
    out_.put(sign_, is_directed ? "apsp:directed\n" : "apsp:undirected\n");
  }
  void vertices(std::int64_t n) { out_.put(sign_, "apsp:vertices ", n, '\n'); }
  /// The first id, if it is not `base`, and the labels of a format that counts from `base`.
  void names(const Graph& graph, Vertex base) {
    first_id(graph, base);
    labels(graph, base);
  }
  /// Only if it is not `otherwise`.
  void first_id(const Graph& graph, Vertex otherwise);
  /// None without labels. `base`: the number of vertex 0 in the file.
  void labels(const Graph& graph, Vertex base);

 private:
  OutputFile& out_;
  std::string_view sign_;
};

}  // namespace apsp::io
