// Pajek (Mrvar and Batagelj, Pajek reference manual, section 5.3): *Vertices numbers and names the
// vertices; *Arcs and *Edges have rows "from to weight", *Arcslist and *Edgeslist "from to to …",
// *Matrix a row of numbers per vertex, 0 for no arc. A file with arcs and edges is directed, and
// its edges go both ways.
#include "io/attributed_graph.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

class PajekReader {
 public:
  explicit PajekReader(const Source& source) : cursor_(source), graph_(source) {}

  Graph read() {
    while (next_row()) {
      if (cursor_.peek() != '*') {
        cursor_.fail(cursor_.at(), "expected a section, such as *Vertices");
      }
      read_section();
    }
    if (n_ < 0) cursor_.fail_at_end("the file has no *Vertices");
    graph_.set_default("weight", "1");
    return graph_.build(directed_, AttributedGraph::Names::labels);
  }

 private:
  bool next_row() {
    while (!cursor_.at_end()) {
      const char sign = cursor_.peek();
      const std::string_view left(cursor_.at(),
                                  static_cast<std::size_t>(cursor_.end() - cursor_.at()));
      if (sign != '\n' && sign != '%' && !left.starts_with("/*")) break;
      cursor_.skip_line();
    }
    return !cursor_.at_end();
  }
  bool next_of_section() { return next_row() && cursor_.peek() != '*'; }

  void read_section() {
    const char* const at = cursor_.at();
    const std::string word = lower_case(cursor_.take_word());
    if (word == "*vertices") return read_vertices(at);
    if (word == "*network") return cursor_.skip_line();
    if (word == "*partition" || word == "*vector" || word == "*permutation" || word == "*cluster") {
      graph_.remark("the section " + word + " is skipped");
      cursor_.skip_line();
      while (next_of_section()) cursor_.skip_line();
      return;
    }
    const bool rows = word == "*arcs" || word == "*edges";
    const bool lists = word == "*arcslist" || word == "*edgeslist";
    if (!rows && !lists && word != "*matrix") cursor_.fail(at, "the section {} is not read", word);
    if (n_ < 0) cursor_.fail(at, "{} comes before *Vertices", word);
    require_one_relation(at);
    const bool arcs = !word.starts_with("*edges");
    directed_ = directed_ || arcs;
    if (word == "*matrix") return read_matrix();
    while (next_of_section()) rows ? read_edge(arcs) : read_list(arcs);
  }

  /// "*Arcs :2 "word"" begins another relation.
  void require_one_relation(const char* at) {
    const std::string_view rest = without_blanks(cursor_.take_line());
    const std::string_view relation = rest.substr(0, rest.find_first_of(" \t"));
    if (!relation.starts_with(':')) return;
    if (!relation_.empty() && relation_ != relation) {
      cursor_.fail(at, "the file has several relations, and one is read: leave the others out");
    }
    relation_ = relation;
  }

  void read_vertices(const char* at) {
    if (n_ >= 0) cursor_.fail(at, "the file holds several networks, and one is read");
    n_ = cursor_.expect_vertex_count();
    if (cursor_.peek() != '\n') cursor_.expect_unsigned("the number of vertices of the first kind");
    cursor_.expect_line_end();
    std::vector<std::string> labels(static_cast<std::size_t>(n_));
    std::vector<const char*> places(labels.size(), at);
    while (next_of_section()) {
      const char* const row = cursor_.at();
      const Vertex v = cursor_.expect_vertex(n_);
      if (places[v] != at) cursor_.fail(row, "vertex {} is declared twice", v + 1);
      places[v] = row;
      labels[v] = take_label();
      cursor_.skip_line();
    }
    for (std::size_t v = 0; v < labels.size(); ++v) {
      graph_.add_vertex(std::to_string(v + 1), labels[v], places[v]);
    }
  }

  std::string take_label() {
    if (cursor_.peek() == '\n') return {};
    const char* const at = cursor_.at();
    if (!cursor_.take('"')) return std::string(cursor_.take_word());
    const std::string_view left(at + 1, static_cast<std::size_t>(cursor_.end() - at - 1));
    const std::size_t size = left.find_first_of("\"\n");
    if (size == left.npos || left[size] == '\n') {
      cursor_.fail(at, "the quotation mark is not closed");
    }
    return std::string(left.substr(0, size));
  }

  std::string take_end() { return std::to_string(std::uint64_t{cursor_.expect_vertex(n_)} + 1); }

  void read_edge(bool arc) {
    const char* const at = cursor_.at();
    const std::string from = take_end(), to = take_end();
    graph_.add_edge(from, to, arc, at);
    if (cursor_.peek() != '\n') {
      const char* const weight = cursor_.at();
      cursor_.expect_weight();
      graph_.set("weight", {weight, static_cast<std::size_t>(cursor_.at() - weight)}, weight);
    }
    cursor_.skip_line();
  }

  void read_list(bool arcs) {
    const char* const at = cursor_.at();
    const std::string from = take_end();
    while (cursor_.peek() != '\n') graph_.add_edge(from, take_end(), arcs, at);
    cursor_.expect_line_end();
  }

  void read_matrix() {
    for (std::int64_t row = 1; row <= n_; ++row) {
      if (!next_of_section()) cursor_.fail_at_end("*Matrix ends before row {}", row);
      for (std::int64_t column = 1; column <= n_; ++column) {
        const char* const at = cursor_.next();
        if (cursor_.expect_weight() == 0) continue;
        graph_.add_edge(std::to_string(row), std::to_string(column), true, at);
        graph_.set("weight", {at, static_cast<std::size_t>(cursor_.at() - at)}, at);
      }
      cursor_.expect_line_end();
    }
    graph_.remark("zeros of *Matrix are no edges");
  }

  TextCursor cursor_;
  AttributedGraph graph_;
  std::int64_t n_ = -1;
  bool directed_ = false;
  std::string relation_;
};

bool is_pajek(std::string_view text) {
  const std::string word = lower_case(first_line_without(text, '%').substr(0, 10));
  return word.starts_with("*vertices") || word.starts_with("*network");
}

}  // namespace

extern const Format pajek_format = {
    .name = "pajek",
    .suffixes = {".net", ".paj"},
    .recognises = is_pajek,
    .read = [](const Source& source) { return PajekReader(source).read(); }};

}  // namespace apsp::io
