// GraphML: XML with attributes of vertices and edges that <key> elements declare (Brandes,
// Eiglsperger, Herman, Himsolt, Marshall, "GraphML progress report", Graph Drawing 2001).
// Hyperedges, nested graphs and ports are errors; unknown elements are skipped.
#ifdef APSP_WITH_EXPAT
#include <expat.h>
#endif
#include <map>
#include <memory>

#include "base/fail.hpp"
#include "io/attributed_graph.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

#ifdef APSP_WITH_EXPAT
struct Key {
  std::string name, domain;

  bool is_of(std::string_view element) const { return domain == element || domain == "all"; }
};

class GraphmlReader {
 public:
  explicit GraphmlReader(const Source& source) : source_(source), graph_(source) {
    if (parser_ == nullptr) throw Error(ErrorKind::does_not_fit, "no memory to read XML");
    XML_SetUserData(parser_.get(), this);
    XML_SetElementHandler(
        parser_.get(),
        [](void* reader, const XML_Char* name, const XML_Char** attributes) {
          call(reader, &GraphmlReader::open, without_prefix(name), attributes);
        },
        [](void* reader, const XML_Char* name) {
          call(reader, &GraphmlReader::close, without_prefix(name));
        });
    XML_SetCharacterDataHandler(parser_.get(), [](void* reader, const XML_Char* text, int size) {
      static_cast<GraphmlReader*>(reader)->text_.append(text, static_cast<std::size_t>(size));
    });
  }

  Graph read() {
    std::string_view left = text_of(source_);
    // No entity is defined without the document type, and an undefined one is an error.
    if (const std::string_view type = first_word(left); type.starts_with("<!DOCTYPE")) {
      at_ = type.data();
      const std::size_t size = type.find('>');
      if (type.substr(0, size).find('[') != type.npos) {
        fail("a document type with entities is not read");
      }
      left = type.substr(std::min(size, type.size() - 1) + 1);
    }
    begin_ = left.data();
    constexpr std::size_t kAtOnce = std::size_t{1} << 20;
    do {
      const std::string_view part = left.substr(0, kAtOnce);
      left.remove_prefix(part.size());
      parse(part, left.empty());
      source_.progress.reached(source_.bytes.size() - left.size());
    } while (!left.empty());
    if (graphs_ == 0) fail("the file has no <graph>");
    // igraph and yEd number their vertices, and igraph keeps names as an attribute.
    const bool numbered = graph_.every_id([](std::string_view id) {
      return id.size() > 1 && id[0] == 'n' && integer_of(id.substr(1)).has_value();
    });
    return graph_.build(directed_,
                        numbered ? AttributedGraph::Names::labels : AttributedGraph::Names::ids);
  }

 private:
  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    graph_.fail(at_, message, std::forward<Args>(args)...);
  }

  static std::string_view without_prefix(std::string_view name) {
    return name.substr(name.find(':') + 1);  // without the namespace
  }

  /// Stores exceptions, which must not pass through the parser.
  template <class Handler, class... Args>
  static void call(void* self, const Handler& handler, Args... args) {
    auto& reader = *static_cast<GraphmlReader*>(self);
    if (reader.failure_ != nullptr) return;
    try {
      reader.at_ = reader.begin_ + XML_GetCurrentByteIndex(reader.parser_.get());
      (reader.*handler)(args...);
      reader.text_.clear();
    } catch (...) {
      reader.failure_ = std::current_exception();
      XML_StopParser(reader.parser_.get(), XML_FALSE);
    }
  }

  void parse(std::string_view part, bool last) {
    if (XML_Parse(parser_.get(), part.data(), static_cast<int>(part.size()), last) != 0) return;
    if (failure_ != nullptr) std::rethrow_exception(failure_);
    at_ = begin_ + XML_GetCurrentByteIndex(parser_.get());
    const XML_Error code = XML_GetErrorCode(parser_.get());
    if (code == XML_ERROR_NO_MEMORY) throw std::bad_alloc();
    if (code == XML_ERROR_TAG_MISMATCH) fail("the tag closes no open element");
    if (code == XML_ERROR_UNDEFINED_ENTITY) {  // the position is within the tag
      const auto is_defined = [](std::string_view left) {
        constexpr std::string_view kDefined[] = {"#", "lt;", "gt;", "amp;", "quot;", "apos;"};
        return std::ranges::any_of(kDefined, [&](auto name) { return left.starts_with(name); });
      };
      const char* const end = source_.bytes.data() + source_.bytes.size();
      const auto next = [&] { return at_ = std::find(at_, end, '&'); };
      while (next() != end && is_defined({at_ + 1, end})) ++at_;
    }
    if (code == XML_ERROR_UNDEFINED_ENTITY || code == XML_ERROR_BAD_CHAR_REF) {
      fail("no character of XML");
    }
    const bool ends = code == XML_ERROR_NO_ELEMENTS || code == XML_ERROR_UNCLOSED_TOKEN ||
                      code == XML_ERROR_UNCLOSED_CDATA_SECTION;
    if (ends && !open_.empty()) fail("the file ends inside of <{}>", open_.back());
    fail("no XML: {}", XML_ErrorString(code));
  }

  void open(std::string_view name, const XML_Char** attributes) {
    open_.emplace_back(name);
    attributes_ = attributes;
    if (name == "key") {
      declare_key();
    } else if (name == "graph") {
      begin_graph();
    } else if (name == "node") {
      id_ = expect_attribute("id");
      node_at_ = at_;
    } else if (name == "edge") {
      begin_edge();
    } else if (name == "data") {
      data_key_ = expect_attribute("key");
    } else if (name == "hyperedge" || name == "port") {
      fail("<{}> is not read: only edges between two vertices are", name);
    }
  }

  void close(std::string_view name) {
    open_.pop_back();
    if (name == "data") return take_data();
    if (name == "default" && key_ != nullptr && key_->is_of("edge") && key_->name != "id") {
      graph_.set_default(key_->name, text_);
    } else if (name == "node") {
      graph_.add_vertex(id_, label_, node_at_);
      label_.clear();
      node_at_ = nullptr;
    } else if (name == "edge") {
      end_edge();
    } else if (name == "key") {
      key_ = nullptr;
    }
  }

  const char* attribute(std::string_view name) const {
    const XML_Char** at = attributes_;
    while (*at != nullptr && name != *at) at += 2;
    return *at != nullptr ? at[1] : nullptr;
  }
  const char* expect_attribute(std::string_view name) const {
    const char* const value = attribute(name);
    if (value == nullptr) fail("<{}> has no '{}'", open_.back(), name);
    return value;
  }

  void declare_key() {
    const char* const id = expect_attribute("id");
    const char *const name = attribute("attr.name"), *const domain = attribute("for");
    key_ = &keys_[id];
    *key_ = {name != nullptr ? name : id, domain != nullptr ? domain : "all"};
  }

  void begin_graph() {
    if (node_at_ != nullptr || in_edge_) fail("graphs inside of a vertex or edge are not read");
    if (++graphs_ > 1) fail("the file holds several graphs, and one is read");
    directed_ = is_directed(expect_attribute("edgedefault"));
  }

  bool is_directed(std::string_view word) const {
    if (word == "directed" || word == "true") return true;
    if (word == "undirected" || word == "false") return false;
    fail("'{}' says no direction: directed or undirected does", word);
  }

  void begin_edge() {
    if (attribute("sourceport") != nullptr || attribute("targetport") != nullptr) {
      fail("edges between ports are not read");
    }
    const char* const word = attribute("directed");
    const auto directed = word != nullptr ? std::optional(is_directed(word)) : std::nullopt;
    graph_.add_edge(expect_attribute("source"), expect_attribute("target"), directed, at_);
    in_edge_ = true;
    edge_at_ = at_;
    // Attributes of other names are data, except those of other namespaces.
    constexpr std::string_view kOwn[] = {"id", "source", "target", "directed"};
    for (const XML_Char** at = attributes_; *at != nullptr; at += 2) {
      const std::string_view name = at[0];
      if (std::ranges::find(kOwn, name) == std::end(kOwn) && name.find(':') == name.npos)
        in_tag_[at[0]] = at[1];
    }
  }

  /// Takes those attributes in the tag of the edge that no <data> gave.
  void end_edge() {
    in_edge_ = false;
    for (const auto& [name, value] : in_tag_) graph_.set(name, value, edge_at_);
    in_tag_.clear();
  }

  void take_data() {
    const auto key = keys_.find(data_key_);
    if (key == keys_.end()) fail("no <key> declares '{}'", data_key_);
    const Key& of = key->second;
    if (in_edge_ && !of.is_of("edge"))
      fail("an edge has data of the key '{}', which is for=\"{}\"", data_key_, of.domain);
    if (in_edge_) {
      in_tag_.erase(of.name);
      graph_.set(of.name, text_, at_);
    }
    if (node_at_ != nullptr && of.name == "name") label_ = text_;
  }

  const Source& source_;
  AttributedGraph graph_;
  const std::unique_ptr<XML_ParserStruct, decltype(&XML_ParserFree)> parser_{
      XML_ParserCreate("UTF-8"), &XML_ParserFree};
  std::exception_ptr failure_;
  const char *begin_ = nullptr, *at_ = nullptr;  // the parsed text, and the current tag
  std::string text_;                             // between the last two tags
  std::vector<std::string> open_;
  const XML_Char** attributes_ = nullptr;
  std::map<std::string, Key, std::less<>> keys_;
  Key* key_ = nullptr;
  bool directed_ = false, in_edge_ = false;
  int graphs_ = 0;
  std::string id_, label_, data_key_;
  const char *node_at_ = nullptr, *edge_at_ = nullptr;
  std::map<std::string, std::string> in_tag_;  // attributes of the edge
};

#endif

Graph read_graphml(const Source& source) {
#ifdef APSP_WITH_EXPAT
  return GraphmlReader(source).read();
#else
  base::fail_input(source.name,
                   "this build does not read GraphML: build with expat (Debian: libexpat1-dev), or "
                   "write the graph as GML");
#endif
}

bool is_graphml(std::string_view text) {
  const std::string_view begin = first_word(text);
  return begin.starts_with('<') &&
         begin.substr(0, begin.find_first_of(" \t\r\n>")).ends_with("graphml");
}

}  // namespace

extern const Format graphml_format = {.name = "graphml",
                                      .suffixes = {".graphml"},
                                      .recognises = is_graphml,
                                      .read = read_graphml,
                                      .has_attributes = true};

}  // namespace apsp::io
