// GraphML: a graph in XML, whose vertices and edges have attributes that <key> elements declare
// (Brandes, Eiglsperger, Herman, Himsolt, Marshall, "GraphML progress report", Graph Drawing 2001).
// NetworkX, igraph, Gephi, yEd and OSMnx write it. Hyperedges, nested graphs and ports are errors;
// what else other programs add is skipped.
#include <map>

#include "io/attributed_graph.hpp"
#include "io/formats.hpp"
#include "io/xml.hpp"

namespace apsp::io {
namespace {

/// What a <key> declares.
struct Key {
  std::string name, domain;  // "node", "edge", "all", …

  bool is_of(std::string_view element) const { return domain == element || domain == "all"; }
};

class GraphmlReader {
 public:
  explicit GraphmlReader(const Source& source) : xml_(source), graph_(source) {}

  Graph read() {
    for (XmlReader::Tag tag = xml_.next(); tag != XmlReader::Tag::end; tag = xml_.next()) {
      tag == XmlReader::Tag::open ? open() : close();
    }
    if (graphs_ == 0) xml_.fail("the file has no <graph>");
    // igraph and yEd number their vertices, and igraph keeps the names as an attribute.
    const bool numbered = graph_.every_id([](std::string_view id) {
      return id.size() > 1 && id[0] == 'n' && integer_of(id.substr(1)).has_value();
    });
    return graph_.build(directed_,
                        numbered ? AttributedGraph::Names::labels : AttributedGraph::Names::ids);
  }

 private:
  void open() {
    const std::string_view name = xml_.name();
    if (name == "key") {
      declare_key();
    } else if (name == "graph") {
      begin_graph();
    } else if (name == "node") {
      id_ = xml_.expect_attribute("id");
      at_ = xml_.at();
    } else if (name == "edge") {
      begin_edge();
    } else if (name == "data") {
      data_key_ = xml_.expect_attribute("key");
    } else if (name == "hyperedge" || name == "port") {
      xml_.fail("<{}> is not read: only edges between two vertices are", name);
    }
  }

  void close() {
    const std::string_view name = xml_.name();
    if (name == "data") return take_data();
    if (name == "default" && key_ != nullptr && key_->is_of("edge") && key_->name != "id") {
      graph_.set_default(key_->name, xml_.text());
    } else if (name == "node") {
      graph_.add_vertex(id_, label_, at_);
      label_.clear();
      at_ = nullptr;
    } else if (name == "edge") {
      in_edge_ = false;
    } else if (name == "key") {
      key_ = nullptr;
    }
  }

  void declare_key() {
    const auto text = [&](std::string_view name, const char* otherwise) {
      const std::string* const value = xml_.attribute(name);
      return value != nullptr ? *value : std::string(otherwise);
    };
    const std::string& id = xml_.expect_attribute("id");
    key_ = &keys_[id];
    *key_ = {text("attr.name", id.c_str()), text("for", "all")};
  }

  void begin_graph() {
    if (at_ != nullptr || in_edge_) xml_.fail("graphs inside of a vertex or edge are not read");
    if (++graphs_ > 1) xml_.fail("the file holds several graphs, and one is read");
    directed_ = is_directed(xml_.expect_attribute("edgedefault"));
  }

  bool is_directed(std::string_view word) const {
    if (word == "directed" || word == "true") return true;
    if (word == "undirected" || word == "false") return false;
    xml_.fail("'{}' says no direction: directed or undirected does", word);
  }

  void begin_edge() {
    if (xml_.attribute("sourceport") != nullptr || xml_.attribute("targetport") != nullptr) {
      xml_.fail("edges between ports are not read");
    }
    const std::string* const word = xml_.attribute("directed");
    const auto directed = word != nullptr ? std::optional(is_directed(*word)) : std::nullopt;
    graph_.add_edge(xml_.expect_attribute("source"), xml_.expect_attribute("target"), directed,
                    xml_.at());
    in_edge_ = true;
  }

  void take_data() {
    const auto key = keys_.find(data_key_);
    if (key == keys_.end()) xml_.fail("no <key> declares '{}'", data_key_);
    const Key& of = key->second;
    if (in_edge_ && of.is_of("edge")) graph_.set(of.name, xml_.text(), xml_.at());
    if (at_ != nullptr && of.name == "name") label_ = xml_.text();
  }

  XmlReader xml_;
  AttributedGraph graph_;
  std::map<std::string, Key, std::less<>> keys_;
  Key* key_ = nullptr;  // that is open
  bool directed_ = false, in_edge_ = false;
  int graphs_ = 0;
  std::string id_, label_, data_key_;  // of the open vertex, and of the open <data>
  const char* at_ = nullptr;           // where the open vertex begins
};

/// The name of the first element may have the prefix of a namespace.
bool is_graphml(std::string_view text) {
  const std::string_view begin = first_word(text);
  return begin.starts_with('<') &&
         begin.substr(0, begin.find_first_of(" \t\r\n>")).ends_with("graphml");
}

}  // namespace

extern const Format graphml_format = {
    .name = "graphml",
    .suffixes = {".graphml"},
    .recognises = is_graphml,
    .read = [](const Source& source) { return GraphmlReader(source).read(); },
    .has_attributes = true};

}  // namespace apsp::io
