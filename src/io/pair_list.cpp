#include "io/pair_list.hpp"

#include <optional>

#include "io/edge_list_rows.hpp"
#include "io/field_number.hpp"
#include "io/named_vertex.hpp"
#include "io/with_source.hpp"

namespace apsp::io {
namespace {

using Fields = std::vector<EdgeListField>;

class PairReader {
 public:
  PairReader(const Source& source, const Graph& graph) : cursor_(source), graph_(graph) {}

  std::vector<VertexPair> pairs() {
    std::vector<VertexPair> pairs;
    for_each_row(2, "one column: a pair is 'from to', or 'from,to'", [&](const Fields& fields) {
      pairs.push_back({vertex(fields[0]), vertex(fields[1])});
    });
    return pairs;
  }

  std::vector<Edge> edges() {
    std::vector<Edge> edges;
    for_each_row(
        3, "no weight: a row is 'from to weight', or 'from,to,weight'", [&](const Fields& fields) {
          edges.push_back({vertex(fields[0]), vertex(fields[1]), field_number(cursor_, fields[2])});
        });
    return edges;
  }

 private:
  /// take(fields) for each row but titles. Fails with `too_few` on one of fewer columns.
  template <class F>
  void for_each_row(std::size_t columns, const char* too_few, F&& take) {
    for (bool first = true; begin_row(); first = false) {
      const Fields& fields = splitter_->split(cursor_);
      if (fields.size() < columns) cursor_.fail(fields.front().at, too_few);
      if (!first || !is_header(fields)) take(fields);
    }
  }
  /// On to the next line that holds a row; false: there is none.
  bool begin_row() {
    if (!find_row(cursor_)) return false;
    if (!splitter_) {
      TextCursor ahead = cursor_;
      splitter_.emplace(separator_of(ahead.take_line()));
    }
    return true;
  }
  bool is_header(const Fields& fields) const {
    return is_column_title(fields[0].text) && is_column_title(fields[1].text) &&
           !(graph_.find(fields[0].text) && graph_.find(fields[1].text));
  }
  Vertex vertex(const EdgeListField& field) const {
    return named_vertex(cursor_, field.at, field.text, graph_);
  }

  TextCursor cursor_;
  const Graph& graph_;
  std::optional<RowSplitter> splitter_;
};

/// of(reader) of a text that is held.
template <class F>
auto read_held(HeldBytes held, const std::string& name, const Graph& graph, const Control& control,
               F&& of) {
  return with_text(std::move(held), name, control,
                   [&](const Source& source) { return of(PairReader(source, graph)); });
}

std::vector<VertexPair> take_pairs(PairReader reader) { return reader.pairs(); }
std::vector<Edge> take_edges(PairReader reader) { return reader.edges(); }

}  // namespace

std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const Control& control) {
  return read_held(hold_input(path, {}), display_name(path), graph, control, take_pairs);
}

std::vector<VertexPair> parse_pairs(std::span<const char> text, const std::string& name,
                                    const Graph& graph, const Control& control) {
  return read_held({text}, name, graph, control, take_pairs);
}

std::vector<Edge> read_weights(const std::string& path, const Graph& graph,
                               const Control& control) {
  return read_held(hold_input(path, {}), display_name(path), graph, control, take_edges);
}

std::vector<Edge> parse_weights(std::span<const char> text, const std::string& name,
                                const Graph& graph, const Control& control) {
  return read_held({text}, name, graph, control, take_edges);
}

}  // namespace apsp::io
