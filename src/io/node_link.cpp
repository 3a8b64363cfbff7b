// Node-link JSON of NetworkX and D3: {"directed": …, "nodes": [{"id": …}, …], "links" or "edges":
// [{"source": …, "target": …, "weight": …}, …]}. Ids are texts or integers.
#include "base/fail.hpp"
#include "base/json.hpp"
#include "io/attributed_graph.hpp"
#include "io/formats.hpp"

namespace apsp::io {
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
    const json& links = list(document, document.contains("edges") ? "edges" : "links");
    for (std::size_t i = 0; i < links.size(); ++i) add_edge(links[i], i);
    const json directed = document.value("directed", json(false));
    if (!directed.is_boolean()) fail("'directed' is true or false");
    return graph_.build(directed.get<bool>());
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    base::fail_input(source_.name, message, std::forward<Args>(args)...);
  }

  json parsed() const {
    json document = base::parsed_json(text_of(source_));
    if (document.is_discarded()) fail("no JSON: the text is damaged, or nested too deeply");
    return document;
  }

  const json& list(const json& document, const char* name) const {
    if (document.is_object() && document.contains(name) && document[name].is_array()) {
      return document[name];
    }
    fail(
        "JSON without a list '{}': a graph is read in NetworkX's node-link form (nodes and links), "
        "which networkx.node_link_data makes",
        name);
  }

  std::string id(const json& object, const char* key, const char* what, std::size_t i) const {
    if (!object.is_object() || !object.contains(key))
      fail("{} {} (from 0) has no '{}'", what, i, key);
    const json& value = object[key];
    if (value.is_string()) return value.get<std::string>();
    if (value.is_number_integer()) return base::json_text(value);
    fail("{} {} (from 0): '{}' is neither a text nor an integer", what, i, key);
  }

  void add_edge(const json& edge, std::size_t i) {
    graph_.add_edge(id(edge, "source", "edge", i), id(edge, "target", "edge", i), std::nullopt,
                    nullptr);
    for (const auto& [key, value] : edge.items()) {
      if (key == "source" || key == "target" || key == "key" || key == "id") continue;
      if (value.is_number()) graph_.set(key, base::json_text(value), nullptr);
      if (value.is_string()) graph_.set(key, value.get<std::string>(), nullptr);
    }
  }

  const Source& source_;
  AttributedGraph graph_;
};

}  // namespace

extern const Format node_link_format = {
    .name = "node-link",
    .suffixes = {".json"},
    .recognises =
        [](std::string_view text) {
          const std::string_view begin = first_word(text);
          return begin.starts_with('{') || begin.starts_with("[{");
        },
    .read = [](const Source& source) { return NodeLinkReader(source).read(); },
    .has_attributes = true};

}  // namespace apsp::io
