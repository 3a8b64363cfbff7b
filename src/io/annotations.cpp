#include "io/annotations.hpp"

#include <fmt/format.h>
#include <apsp/error.hpp>

#include <algorithm>

#include "base/numbers.hpp"

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
    if (c == '\\') {
      text += "\\\\";
    } else if (c == '\n') {
      text += "\\n";
    } else if (c == '\r') {
      text += "\\r";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::uint64_t Annotations::greatest_labelled() const {
  std::uint64_t greatest = 0;
  for (const Label& label : labels_) greatest = std::max(greatest, label.id);
  return greatest;
}

void Annotations::read_comment(TextCursor& cursor) {
  cursor.skip_blanks();
  const char* const start = cursor.at();
  const auto left = static_cast<std::size_t>(cursor.end() - start);
  if (std::string_view(start, std::min(left, kMark.size())) != kMark) {
    cursor.skip_line();
    return;
  }
  const std::string_view key = cursor.take_word().substr(kMark.size());
  if (key == "directed" || key == "undirected") {
    directed = key == "directed";
  } else if (key == "vertices") {
    cursor.skip_blanks();
    vertices_at_ = cursor.at();
    vertices = cursor.expect_vertex_count();
  } else if (key == "first-id") {
    cursor.skip_blanks();
    const char* const at = cursor.at();
    const std::uint64_t id = cursor.expect_unsigned("0 or 1");
    if (id > 1) cursor.fail(at, "the first id is 0 or 1");
    first_id = static_cast<Vertex>(id);
  } else if (key == "label") {
    cursor.skip_blanks();
    const char* const at = cursor.at();
    const std::uint64_t id = cursor.expect_unsigned("a vertex");
    if (!cursor.take(' ')) cursor.fail("expected a blank and the label behind the vertex");
    labels_.push_back({id, at, unescape(cursor, cursor.take_line())});
    return;
  } else {
    cursor.fail(start, fmt::format("unknown annotation '{}{}'; there are directed, undirected, "
                                   "vertices, first-id and label",
                                   kMark, key));
  }
  cursor.expect_line_end();
}

std::vector<std::string> Annotations::labels_in_order(const TextCursor& cursor, std::int64_t n,
                                                      Vertex base) const {
  const auto count = static_cast<std::size_t>(n);
  std::vector<const Label*> of_vertex(count, nullptr);
  for (const Label& label : labels_) {
    if (label.id < base || label.id - base >= count) {
      cursor.fail(label.at, fmt::format("a label for vertex {}, but the vertices are {} to {}",
                                        label.id, base, base + n - 1));
    }
    const Label*& slot = of_vertex[static_cast<std::size_t>(label.id - base)];
    if (slot != nullptr) {
      cursor.fail(label.at, fmt::format("a second label for vertex {}", label.id));
    }
    slot = &label;
  }
  const auto missing = std::find(of_vertex.begin(), of_vertex.end(), nullptr);
  if (missing != of_vertex.end()) {
    cursor.fail(labels_.front().at, fmt::format("some vertices have labels, but vertex {} has none",
                                                missing - of_vertex.begin() + base));
  }
  std::vector<const Label*> by_name = of_vertex;
  std::sort(by_name.begin(), by_name.end(), [](const Label* a, const Label* b) {
    return a->name < b->name || (a->name == b->name && a->at < b->at);
  });
  const auto twice =
      std::adjacent_find(by_name.begin(), by_name.end(),
                         [](const Label* a, const Label* b) { return a->name == b->name; });
  if (twice != by_name.end()) {
    cursor.fail(twice[1]->at,
                fmt::format("vertex {} already has the label '{}'", twice[0]->id, twice[0]->name));
  }
  std::vector<std::string> labels(count);
  for (std::size_t v = 0; v < count; ++v) labels[v] = of_vertex[v]->name;
  return labels;
}

void Annotations::apply(const TextCursor& cursor, std::int64_t n, Vertex base,
                        Vertex default_first_id, GraphBuilder& builder) const {
  if (vertices && *vertices != n) {
    cursor.fail(vertices_at_, fmt::format("{}, but the header says {}",
                                          base::counted(*vertices, "vertex", "vertices"), n));
  }
  builder.set_first_id(first_id.value_or(default_first_id));
  if (has_labels()) builder.set_labels(labels_in_order(cursor, n, base));
}

void AnnotationWriter::directed(bool is_directed) {
  out_.put(sign_);
  out_.put(is_directed ? "apsp:directed\n" : "apsp:undirected\n");
}

void AnnotationWriter::vertices(std::int64_t n) {
  out_.put(sign_);
  out_.put("apsp:vertices ");
  out_.put_integer(static_cast<std::uint64_t>(n));
  out_.put('\n');
}

void AnnotationWriter::first_id(const Graph& graph, Vertex otherwise) {
  if (graph.first_id() == otherwise) return;
  if (graph.first_id() > 1) {
    throw Error(ErrorKind::usage,
                fmt::format("the first vertex of the graph has the number {}; files begin with 0 "
                            "or 1",
                            graph.first_id()));
  }
  out_.put(sign_);
  out_.put("apsp:first-id ");
  out_.put_integer(graph.first_id());
  out_.put('\n');
}

void AnnotationWriter::labels(const Graph& graph, Vertex base) {
  std::uint64_t id = base;
  for (const std::string& label : graph.labels()) {
    out_.put(sign_);
    out_.put("apsp:label ");
    out_.put_integer(id++);
    out_.put(' ');
    out_.put(escape(label));
    out_.put('\n');
  }
}

}  // namespace apsp::io
