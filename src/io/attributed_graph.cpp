#include "io/attributed_graph.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <set>
#include <unordered_map>

#include "base/fail.hpp"
#include "base/joined.hpp"
#include "base/json.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

constexpr std::string_view kWeight = "weight";

std::string_view without_space(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
  return text.substr(0, text.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace

void AttributedGraph::fail_at(const char* at, const std::string& message) const {
  if (at != nullptr) cursor_.fail(at, "{}", message);
  throw Error::malformed({cursor_.source().name}, message);
}

void AttributedGraph::add_vertex(std::string_view id, std::string_view label, const char* at) {
  const Vertex vertex = ids_.intern(id, VertexNames::hash(id), at);
  declared_.resize(ids_.count());
  labels_.resize(ids_.count());
  if (declared_[vertex]) fail(at, "the vertex '{}' is declared twice", id);
  declared_[vertex] = true;
  labels_[vertex] = label;
}

void AttributedGraph::add_edge(std::string_view from, std::string_view to,
                               std::optional<bool> directed, const char* at) {
  const Vertex u = ids_.intern(from, VertexNames::hash(from), at);
  edges_.push_back({u, ids_.intern(to, VertexNames::hash(to), at), directed, at});
}

AttributedGraph::Attribute& AttributedGraph::attribute(std::string_view name) {
  const auto found = attributes_.find(name);
  return found != attributes_.end() ? found->second : attributes_[std::string(name)];
}

void AttributedGraph::set(std::string_view name, std::string_view value, const char* at) {
  Attribute& of = attribute(name);
  value = without_space(value);
  double number = 0;
  if (read_whole_number(value, number) == NumberFault::none) {
    of.values.emplace_back(edges_.size() - 1, number);
  } else if (of.fault_value.empty()) {
    of.fault = at;
    of.fault_value = value.empty() ? " " : value;
  }
}

void AttributedGraph::set_default(std::string_view name, std::string_view value) {
  Attribute& of = attribute(name);
  double number = 0;
  if (read_whole_number(without_space(value), number) == NumberFault::none) of.otherwise = number;
}

bool AttributedGraph::every_id(bool (*holds)(std::string_view)) const {
  for (Vertex v = 0; v < ids_.count(); ++v) {
    if (!holds(ids_.text(v))) return false;
  }
  return true;
}

std::string AttributedGraph::edge_text(std::size_t edge) const {
  const End& end = edges_[edge];
  return fmt::format("the edge from '{}' to '{}'", ids_.text(end.from), ids_.text(end.to));
}

const AttributedGraph::Attribute* AttributedGraph::weight_attribute() {
  const std::string& asked = cursor_.source().options.weight;
  const auto wanted = attributes_.find(asked.empty() ? kWeight : std::string_view(asked));
  if (wanted != attributes_.end()) return &wanted->second;
  std::vector<std::string_view> all, numbers;
  for (const auto& [name, of] : attributes_) {
    all.push_back(name);
    if (of.fault_value.empty()) numbers.push_back(name);
  }
  if (asked == kNoWeight || (asked.empty() && all.empty())) return nullptr;
  if (!asked.empty()) {
    fail(nullptr, "no edge has the attribute '{}'; the attributes of edges are: {}", asked,
         all.empty() ? "none" : base::joined(all, ", "));
  }
  if (numbers.empty()) {
    remark("no attribute of the edges is a number: every edge has weight 1");
    return nullptr;
  }
  fail(nullptr,
       "edges have numbers, but no 'weight': say `weight={}`, or `weight=none` for paths of fewest "
       "edges",
       base::joined(numbers, "`, or `weight="));
}

std::vector<double> AttributedGraph::weights() {
  const Attribute* const of = weight_attribute();
  std::vector<double> weights(edges_.size(), 1);
  if (of == nullptr) return weights;
  if (!of->fault_value.empty()) {
    double number = 0;
    const NumberFault fault = read_whole_number(of->fault_value, number);
    fail(of->fault, "the weight '{}' {}", of->fault_value, describe(of->fault_value, fault));
  }
  using Value = std::pair<std::size_t, double>;
  const auto twice = std::ranges::adjacent_find(of->values, {}, &Value::first);
  if (twice != of->values.end())
    fail(edges_[twice->first].at, "{} has two weights", edge_text(twice->first));
  std::ranges::fill(weights, of->otherwise);
  for (const auto& [edge, weight] : of->values) weights[edge] = weight;
  const auto none = std::ranges::find_if(weights, [](double weight) { return std::isnan(weight); });
  if (none == weights.end()) return weights;
  const auto edge = static_cast<std::size_t>(none - weights.begin());
  fail(edges_[edge].at, "{} has no weight, and other edges have one", edge_text(edge));
}

void AttributedGraph::require_declared() const {
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    for (const Vertex end : {edges_[i].from, edges_[i].to}) {
      if (end < declared_.size() && declared_[end]) continue;
      fail(edges_[i].at, "{} ends at a vertex that the file does not declare: '{}'", edge_text(i),
           ids_.text(end));
    }
  }
}

bool AttributedGraph::resolve_direction(bool directed) {
  bool any_directed = false, any_undirected = false;
  for (End& edge : edges_) {
    edge.directed = edge.directed.value_or(directed);
    (*edge.directed ? any_directed : any_undirected) = true;
  }
  const auto& asked = cursor_.source().options.directed;
  if (any_directed && any_undirected && !asked) {
    remark("the file has directed and undirected edges: undirected ones are taken both ways");
  }
  return asked.value_or(any_directed || (directed && !any_undirected));
}

std::vector<std::string> AttributedGraph::names_of_vertices(Names names) {
  std::vector<std::string> ids;
  for (Vertex v = 0; v < ids_.count(); ++v) ids.emplace_back(ids_.text(v));
  const std::set<std::string_view> distinct(labels_.begin(), labels_.end());
  const bool some = distinct.size() > 1 || !distinct.contains("");
  if (names == Names::ids || !some) return ids;
  if (distinct.size() == labels_.size() && !distinct.contains("")) return std::move(labels_);
  remark("vertices are named by their ids: their labels are not distinct, or some have none");
  return ids;
}

Graph AttributedGraph::build(bool directed, Names names) {
  require_declared();
  const std::vector<double> weight = weights();
  const bool one_way = resolve_direction(directed);
  for (const char* const name : {"oneway", "directed"}) {
    if (!one_way && attributes_.contains(name))
      remark(fmt::format("the attribute '{}' of edges is not used: all lead both ways", name));
  }
  std::vector<std::string> labels = names_of_vertices(names);
  std::vector<Vertex> place(labels.size());
  std::iota(place.begin(), place.end(), Vertex{0});
  if (std::ranges::all_of(labels, is_integer_id)) place = sort_integers(labels);
  GraphBuilder builder(static_cast<std::int64_t>(ids_.count()), one_way);
  builder.set_threads(cursor_.source().options.threads);
  builder.reserve(std::ssize(edges_));
  for (std::size_t i = 0; i < edges_.size(); ++i) {
    const Vertex u = place[edges_[i].from], v = place[edges_[i].to];
    builder.add_edge(u, v, weight[i]);
    if (one_way && !*edges_[i].directed && u != v) builder.add_edge(v, u, weight[i]);
  }
  name_vertices(builder, std::move(labels));
  Graph graph = base::of_file(cursor_.source().name, [&] { return std::move(builder).build(); });
  for (std::string& text : remarks_) graph = graph.with_remark(std::move(text));
  cursor_.source().progress.reached(cursor_.source().bytes.size());
  return graph;
}

// GML: nested lists of keys and values (Himsolt, "GML: a portable graph file format", 1997).
// Vertices are named by labels if all have distinct ones, as in NetworkX, else by ids.
namespace {

bool append_entity(std::string& text, std::string_view entity) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed) {
    if (entity == name) return text += character, true;
  }
  const bool hexadecimal = entity.starts_with("#x");
  if (!entity.starts_with('#')) return false;
  entity.remove_prefix(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const char* const end = entity.data() + entity.size();
  const auto [at, failure] = std::from_chars(entity.data(), end, code, hexadecimal ? 16 : 10);
  if (failure != std::errc() || at != end || code == 0 || code > 0x10FFFF) return false;
  // JSON escapes, or a surrogate pair, that must be a character.
  const std::string low = fmt::format("\\u{:04x}", code < 0x10000 ? code : 0xDC00 | (code & 0x3FF));
  const std::string high = code < 0x10000 ? "" : fmt::format("\\u{:04x}", 0xD7C0 + (code >> 10));
  const nlohmann::json character = base::parsed_json('"' + high + low + '"');
  if (character.is_string()) text += character.get<std::string>();
  return character.is_string();
}

class GmlReader {
 public:
  explicit GmlReader(const Source& source) : cursor_(source), graph_(source) {}

  Graph read() {
    bool found = false;
    while (next()) {
      if (key_ != "graph" || !value_.opens()) {
        skip_value();
        continue;
      }
      if (found) cursor_.fail(at_, "the file holds several graphs, and one is read");
      found = true;
      read_graph();
    }
    if (!found) cursor_.fail_at_end("the file has no 'graph ['");
    return graph_.build(directed_, AttributedGraph::Names::labels);
  }

 private:
  struct Token {
    std::string_view text = {};
    bool quoted = false;

    bool opens() const { return !quoted && text == "["; }
    bool closes() const { return !quoted && (text == "]" || text.empty()); }
    bool is_key() const {
      const bool number =
          text.find_first_of("0123456789") <= 1 && text.find_first_of("+-.0123456789") == 0;
      return !quoted && !number && !opens();
    }
  };
  struct Attribute {
    std::string key, value;
    const char* at;
  };

  bool next() {
    const Token key = take_token();
    at_ = token_at_;
    if (key.closes()) return false;
    if (!key.is_key()) cursor_.fail(at_, "expected a key, found '{}'", key.text);
    key_ = lower_case(key.text);
    value_ = take_token();
    if (value_.closes()) cursor_.fail(at_, "the key '{}' has no value", key.text);
    return true;
  }

  void skip_value() {
    for (std::size_t depth = value_.opens() ? 1 : 0; depth > 0;) {
      const Token token = take_token();
      if (token_at_ == cursor_.end()) cursor_.fail(at_, "this list does not end");
      depth += token.opens() ? 1 : 0;
      depth -= token.closes() ? 1 : 0;
    }
  }

  template <class Visit>
  void read_list(const Visit& visit) {
    const char* const begin = at_;
    while (next()) visit();
    if (token_at_ == cursor_.end()) cursor_.fail(begin, "this list does not end");
  }

  void read_graph() {
    read_list([&] {
      if ((key_ == "node" || key_ == "edge") && value_.opens()) {
        read_part(key_ == "node");
      } else if (key_ == "directed" && !value_.opens()) {
        if (value_.text != "0" && value_.text != "1") cursor_.fail(at_, "directed is 0 or 1");
        directed_ = value_.text == "1";
      } else {
        skip_value();
      }
    });
  }

  void read_part(bool vertex) {
    const char* const at = at_;
    std::vector<Attribute> list;
    read_list([&] {
      if (key_ == "graph") cursor_.fail(at_, "graphs inside of a vertex or edge are not read");
      if (value_.opens()) return skip_value();
      list.push_back({key_, plain(value_.text), at_});
    });
    const auto value = [&](std::string_view key) -> std::string_view {
      const auto found = std::ranges::find(list, key, &Attribute::key);
      if (found != list.end()) return found->value;
      if (key != "label" && key != "name") cursor_.fail(at, "there is no '{}' here", key);
      return {};
    };
    const std::string_view label = value("label");  // igraph writes names as "name"
    if (vertex) return graph_.add_vertex(value("id"), label.empty() ? value("name") : label, at);
    graph_.add_edge(value("source"), value("target"), std::nullopt, at);
    for (const auto& [key, text, place] : list) {
      if (key == "source" || key == "target" || key == "id" || key == "key") continue;
      graph_.set(key, text, place);
    }
  }

  std::string plain(std::string_view left) const {
    std::string text;
    while (!left.empty()) {
      const std::size_t ampersand = std::min(left.find('&'), left.size());
      text += left.substr(0, ampersand);
      left.remove_prefix(ampersand);
      if (left.empty()) break;
      const std::size_t end = left.find(';');
      const std::string_view name = left.substr(1, std::min(end, left.size()) - 1);
      const bool entity = end != left.npos && append_entity(text, name);
      const auto is_letter = [](unsigned char c) { return std::isalpha(c) != 0; };
      if (!entity && end != left.npos && !name.empty() && std::ranges::all_of(name, is_letter))
        cursor_.fail(at_, "&{}; is not read: write this character in UTF-8", name);
      if (!entity) text += '&';
      left.remove_prefix(entity ? end + 1 : 1);
    }
    return text;
  }

  Token take_token() {
    cursor_.tick();
    while (cursor_.peek() == '#' || (cursor_.peek() == '\n' && !cursor_.at_end()))
      cursor_.skip_line();
    token_at_ = cursor_.at();
    const std::string_view left(token_at_, static_cast<std::size_t>(cursor_.end() - token_at_));
    const bool quoted = left.starts_with('"');
    std::size_t size = quoted ? left.find('"', 1) : left.find_first_of(" \t\r\n[]\"#");
    if (quoted && size == left.npos) cursor_.fail(token_at_, "the quotation mark is not closed");
    if (size == 0) size = 1;
    const std::string_view text = left.substr(quoted ? 1 : 0, size - (quoted ? 1 : 0));
    cursor_.move_to(text.data() + text.size() + (quoted ? 1 : 0));
    return {text, quoted};
  }

  TextCursor cursor_;
  AttributedGraph graph_;
  std::string key_;
  Token value_;
  const char* at_ = nullptr;
  const char* token_at_ = nullptr;
  bool directed_ = false;
};

bool is_gml(std::string_view text) {
  text = text.substr(0, 4096);
  for (std::size_t at = 0; (at = text.find("graph", at)) != text.npos; at += 5) {
    const std::string_view before = text.substr(0, at);
    const std::size_t line = before.find_last_not_of(" \t");
    const std::size_t after = text.find_first_not_of(" \t\r\n", at + 5);
    if ((line == before.npos || before[line] == '\n') && after != text.npos && text[after] == '[') {
      return true;
    }
  }
  return false;
}

}  // namespace

extern const Format gml_format = {
    .name = "gml",
    .suffixes = {".gml"},
    .recognises = is_gml,
    .read = [](const Source& source) { return GmlReader(source).read(); },
    .has_attributes = true};

// Pajek (Mrvar and Batagelj, Pajek reference manual, section 5.3): *Vertices numbers and names the
// vertices; *Arcs and *Edges have rows "from to weight", *Arcslist and *Edgeslist "from to to …",
// *Matrix a row of numbers per vertex, 0 for no arc. A file with arcs and edges is directed, and
// its edges go both ways.
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

  /// Whether a name without quotation marks goes on in this text. Two or three coordinates, a
  /// shape, the name of a parameter or an interval of times may follow it, or one number with a
  /// point, a weight.
  static bool continues(std::string_view text) {
    constexpr std::string_view kWords[] = {
        "ellipse", "box",    "diamond", "triangle", "cross", "empty", "house", "man", "woman",
        "s_size",  "x_fact", "y_fact",  "phi",      "r",     "q",     "ic",    "bc",  "bw",
        "lc",      "la",     "lr",      "lphi",     "fos",   "font",  "lp",    "url"};
    const std::vector<std::string_view> words = words_between(" \t\r", text);
    const auto word = std::ranges::find_if_not(words, is_number_text);
    if (word != words.begin() || words.empty())
      return word - words.begin() == 1 && integer_of(words.front());
    const auto c = static_cast<unsigned char>(word->front());
    return (std::isalpha(c) != 0 || c >= 0x80) &&
           std::ranges::find(kWords, lower_case(*word)) == std::end(kWords);
  }

  std::string take_label() {
    if (cursor_.peek() == '\n') return {};
    const char* const at = cursor_.at();
    if (!cursor_.take('"')) {
      std::string label(cursor_.take_word());
      if (!continues(TextCursor(cursor_).take_line())) return label;
      cursor_.fail(at, "a name of several words, such as '{} …', is in quotation marks", label);
    }
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

// Node-link JSON of NetworkX and D3: {"directed": …, "nodes": [{"id": …}, …], "links" or "edges":
// [{"source": …, "target": …, "weight": …}, …]}. Ids are texts or integers.
namespace {

using nlohmann::json;

class NodeLinkReader {
 public:
  explicit NodeLinkReader(const Source& source) : source_(source), graph_(source) {}

  Graph read() {
    const json document = parsed();
    const json& nodes = list(document, "nodes");
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      graph_.add_vertex(id(nodes[i], "id", "node", i), "", nullptr);
    }
    const bool edges = document.contains("edges");
    if (edges && document.contains("links")) {
      base::fail_input(source_.name, "JSON with a list 'edges' and a list 'links': leave one out");
    }
    const json& links = list(document, edges ? "edges" : "links");
    for (std::size_t i = 0; i < links.size(); ++i) add_edge(links[i], i);
    const json directed = document.value("directed", json(false));
    if (!directed.is_boolean()) base::fail_input(source_.name, "'directed' is true or false");
    return graph_.build(directed.get<bool>());
  }

 private:
  json parsed() const {
    json document = base::parsed_json(text_of(source_));
    if (!document.is_object() || !document.contains("nodes") || document.contains("adjacency"))
      refuse_foreign(text_of(source_), source_.name);
    if (document.is_discarded())
      base::fail_input(source_.name,
                       "no JSON: the text is damaged, holds NaN, or is nested too deeply");
    return document;
  }

  const json& list(const json& document, const char* name) const {
    if (document.is_object() && document.contains(name) && document[name].is_array()) {
      return document[name];
    }
    base::fail_input(
        source_.name,
        "JSON without a list '{}': a graph is read in NetworkX's node-link form (nodes and links), "
        "which networkx.node_link_data makes",
        name);
  }

  std::string id(const json& object, const char* key, const char* what, std::size_t i) {
    if (!object.is_object() || !object.contains(key))
      base::fail_input(source_.name, "{} {} (from 0) has no '{}'", what, i, key);
    const json& value = object[key];
    if (!value.is_string() && !value.is_number_integer())
      base::fail_input(source_.name, "{} {} (from 0): '{}' is neither a text nor an integer", what,
                       i, key);
    std::string text = value.is_string() ? value.get<std::string>() : base::json_text(value);
    const bool first = texts_.emplace(text, value.is_string()).first->second;
    if (first == value.is_string()) return text;
    base::fail_input(source_.name,
                     "{} {} (from 0): the text \"{}\" and the number {} are two vertices in "
                     "NetworkX: write ids of one kind",
                     what, i, text, text);
  }

  void add_edge(const json& edge, std::size_t i) {
    graph_.add_edge(id(edge, "source", "edge", i), id(edge, "target", "edge", i), std::nullopt,
                    nullptr);
    for (const auto& [key, value] : edge.items()) {
      if (key == "source" || key == "target" || key == "key" || key == "id") continue;
      if (key == kWeight && value.is_null()) graph_.set_default(key, "");  // a missing weight
      if (value.is_null()) continue;
      graph_.set(key, value.is_string() ? value.get<std::string>() : base::json_text(value),
                 nullptr);
    }
  }

  const Source& source_;
  AttributedGraph graph_;
  std::unordered_map<std::string, bool> texts_;  ///< whether an id is a text
};

}  // namespace

extern const Format node_link_format = {
    .name = "node-link",
    .suffixes = {".json"},
    .recognises = [](std::string_view text) { return first_word(text).starts_with('{'); },
    .read = [](const Source& source) { return NodeLinkReader(source).read(); },
    .has_attributes = true};

}  // namespace apsp::io
