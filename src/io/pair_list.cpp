#include "io/pair_list.hpp"

#include <optional>

#include "io/edge_list_rows.hpp"
#include "io/named_vertex.hpp"
#include "io/with_source.hpp"

namespace apsp::io {
namespace {

using Fields = std::vector<EdgeListField>;

class PairReader {
 public:
  PairReader(const Source& source, const Graph& graph) : cursor_(source), graph_(graph) {}

  std::vector<VertexPair> read() {
    while (begin_row()) {
      const Fields& fields = splitter_->split(cursor_);
      if (fields.size() < 2) {
        cursor_.fail(fields.front().at, "one column: a pair is 'from to', or 'from,to'");
      }
      const bool titles = !any_row_ && is_header(fields);
      any_row_ = true;
      if (!titles) pairs_.push_back({vertex(fields[0]), vertex(fields[1])});
    }
    return std::move(pairs_);
  }

 private:
  /// On to the next line that holds a row; false: there is none.
  bool begin_row() {
    for (;; cursor_.skip_line()) {
      const char next = cursor_.peek();
      if (cursor_.at_end()) return false;
      if (next != '\n' && !begins_comment(next)) break;
    }
    if (!splitter_) {
      TextCursor ahead = cursor_;
      splitter_.emplace(has_comma_outside_quotes(ahead.take_line()));
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
  bool any_row_ = false;
  std::vector<VertexPair> pairs_;
};

std::vector<VertexPair> read_held(HeldBytes held, const std::string& name, const Graph& graph,
                                  const Control& control) {
  ReadOptions options;
  options.control = control;
  return with_source(std::move(held), name, options, {},
                     [&](const Source& source) { return PairReader(source, graph).read(); });
}

}  // namespace

std::vector<VertexPair> read_pairs(const std::string& path, const Graph& graph,
                                   const Control& control) {
  return read_held(hold_input(path, {}), display_name(path), graph, control);
}

std::vector<VertexPair> parse_pairs(std::span<const char> text, const std::string& name,
                                    const Graph& graph, const Control& control) {
  return read_held({text}, name, graph, control);
}

}  // namespace apsp::io
