#include "io/annotations.hpp"

#include <algorithm>
#include <tuple>

#include "base/fail.hpp"
#include "base/units.hpp"

namespace apsp::io {
namespace {

constexpr std::string_view kMark = "apsp:";

std::string unescape(const TextCursor& cursor, std::string_view text) {
  std::string name;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      name += text[i];
      continue;
    }
    const char escaped = i + 1 < text.size() ? text[i + 1] : '\0';
    if (escaped != '\\' && escaped != 'n' && escaped != 'r') {
      cursor.fail(text.data() + i, "a backslash in a label begins one of \\\\, \\n, \\r");
    }
    name += escaped == 'n' ? '\n' : escaped == 'r' ? '\r' : '\\';
    ++i;
  }
  return name;
}

std::string escape(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '\\' || c == '\n' || c == '\r') text += '\\';
    text += c == '\n' ? 'n' : c == '\r' ? 'r' : c;
  }
  return text;
}

}  // namespace

bool Annotations::take(TextCursor& cursor) {
  const char* const start = TextCursor(cursor).next();
  if (!std::string_view(start, static_cast<std::size_t>(cursor.end() - start)).starts_with(kMark))
    return false;
  const std::string_view key = cursor.take_word().substr(kMark.size());
  if (key == "directed" || key == "undirected") {
    directed = key == "directed";
  } else if (key == "vertices") {
    vertices_at_ = cursor.next();
    vertices = cursor.expect_vertex_count();
  } else if (key == "first-id") {
    const char* const at = cursor.next();
    const std::uint64_t id = cursor.expect_unsigned("0 or 1");
    if (id > 1) cursor.fail(at, "the first id is 0 or 1");
    first_id = static_cast<Vertex>(id);
  } else if (key == "label") {
    const char* const at = cursor.next();
    const std::uint64_t id = cursor.expect_unsigned("a vertex");
    if (!cursor.take(' ')) cursor.fail_here("expected a blank and the label after the vertex");
    labels_.push_back({id, at, unescape(cursor, cursor.take_line())});
    return true;
  } else {
    cursor.fail(
        start,
        "unknown annotation '{}{}'; choose directed, undirected, vertices, first-id or label",
        kMark, key);
  }
  cursor.expect_line_end();
  return true;
}

bool Annotations::find_row(TextCursor& cursor, char sign) {
  while (!cursor.at_end()) {
    if (cursor.peek() != '\n' && !cursor.take(sign)) return true;
    if (!take(cursor)) cursor.skip_line();
  }
  return false;
}

std::vector<std::string> Annotations::labels_in_order(const TextCursor& cursor, std::int64_t n,
                                                      Vertex base) const {
  const auto count = static_cast<std::size_t>(n);
  std::vector<const VertexLabel*> of_vertex(count, nullptr);
  for (const VertexLabel& label : labels_) {
    if (label.id < base || label.id - base >= count) {
      cursor.fail(label.at, "a label for vertex {}, but the vertices are {} to {}", label.id, base,
                  base + n - 1);
    }
    const VertexLabel*& slot = of_vertex[static_cast<std::size_t>(label.id - base)];
    if (slot != nullptr) cursor.fail(label.at, "a second label for vertex {}", label.id);
    slot = &label;
  }
  const auto missing = std::ranges::find(of_vertex, nullptr);
  if (missing != of_vertex.end()) {
    cursor.fail(labels_.front().at, "some vertices have labels, but vertex {} has none",
                missing - of_vertex.begin() + base);
  }
  std::vector<const VertexLabel*> by_name = of_vertex;
  std::ranges::sort(by_name, {},
                    [](const VertexLabel* label) { return std::tie(label->name, label->at); });
  const auto twice = std::ranges::adjacent_find(by_name, {}, &VertexLabel::name);
  if (twice != by_name.end()) {
    cursor.fail(twice[1]->at, "vertex {} already has the label '{}'", twice[0]->id, twice[0]->name);
  }
  std::vector<std::string> labels(count);
  for (std::size_t v = 0; v < count; ++v) labels[v] = of_vertex[v]->name;
  return labels;
}

void Annotations::apply(const TextCursor& cursor, std::int64_t n, Vertex base,
                        GraphBuilder& builder) const {
  if (vertices && *vertices != n) {
    cursor.fail(vertices_at_, "{}, but the header says {}",
                base::counted(*vertices, "vertex", "vertices"), n);
  }
  builder.set_first_id(first_id.value_or(base));
  if (has_labels()) builder.set_labels(labels_in_order(cursor, n, base));
}

void read_announced_rows(TextCursor& cursor, Annotations& annotations, char sign, RowArcs& rows,
                         std::uint64_t count, const char* one, const char* many) {
  while (annotations.find_row(cursor, sign)) {
    const char* const at = cursor.at();
    rows.read(cursor, count);
    if (rows.rows() > count) cursor.fail(at, "one {} more than the {} announced", one, count);
  }
  if (rows.rows() != count) {
    cursor.fail_at_end("the file ends after {} of {}", rows.rows(),
                       base::counted(static_cast<std::int64_t>(count), one, many));
  }
}

Graph build_numbered(const TextCursor& cursor, const Annotations& annotations, bool directed,
                     std::int64_t n, Vertex base, std::shared_ptr<graph::ArcBuckets> arcs,
                     Vertex arcs_from) {
  GraphBuilder builder(n, directed);
  builder.set_threads(cursor.source().options.threads);
  if (arcs != nullptr) builder.set_arcs(std::move(arcs), arcs_from);
  annotations.apply(cursor, n, base, builder);
  return std::move(builder).build();
}

void put_names(OutputFile& out, std::string_view sign, const Graph& graph, Vertex usual,
               Vertex base) {
  if (graph.first_id() > 1) {
    base::fail(ErrorKind::usage,
               "the first vertex of the graph has the number {}; files begin with 0 or 1",
               graph.first_id());
  }
  if (graph.first_id() != usual) out.put(sign, "apsp:first-id ", graph.first_id(), '\n');
  std::uint64_t id = base;
  for (const std::string& label : graph.labels()) {
    out.put(sign, "apsp:label ", id++, ' ', escape(label), '\n');
  }
}

}  // namespace apsp::io
