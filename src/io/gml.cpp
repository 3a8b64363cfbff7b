// GML: a graph as nested lists of keys and values (Himsolt, "GML: a portable graph file format",
// 1997). NetworkX, igraph, Gephi and Newman's collection of networks have it. Vertices are named by
// their labels, as NetworkX does, where all have one and no two the same; else by their ids.
#include <charconv>

#include "base/json.hpp"
#include "io/attributed_graph.hpp"
#include "io/formats.hpp"

namespace apsp::io {
namespace {

struct Token {
  enum class Kind { word, number, text, open, close, end };
  Kind kind = Kind::end;
  std::string_view text;  // without quotation marks
};

/// Appends the character of "amp", "#38" or "#x26"; false: there is none.
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
  // An escape of JSON, or a pair of them, which must be a character.
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
      if (key_ == "graph" && value_.kind == Token::Kind::open) {
        if (found) cursor_.fail(at_, "the file holds several graphs, and one is read");
        found = true;
        read_graph();
      } else {
        skip_value();
      }
    }
    if (!found) cursor_.fail_at_end("the file has no 'graph ['");
    return graph_.build(directed_, AttributedGraph::Names::labels);
  }

 private:
  struct Attribute {
    std::string key, value;
    const char* at;
  };

  /// A key and its value; false at the end of the list.
  bool next() {
    const Token key = take_token();
    at_ = token_at_;
    if (key.kind == Token::Kind::close || key.kind == Token::Kind::end) return false;
    if (key.kind != Token::Kind::word) cursor_.fail(at_, "expected a key, found '{}'", key.text);
    key_ = lower_case(key.text);
    value_ = take_token();
    if (value_.kind == Token::Kind::close || value_.kind == Token::Kind::end) {
      cursor_.fail(at_, "the key '{}' has no value", key.text);
    }
    return true;
  }

  void skip_value() {
    std::size_t depth = value_.kind == Token::Kind::open ? 1 : 0;
    while (depth > 0) {
      const Token token = take_token();
      if (token.kind == Token::Kind::end) cursor_.fail(at_, "this list does not end");
      if (token.kind == Token::Kind::open) ++depth;
      if (token.kind == Token::Kind::close) --depth;
    }
  }

  /// All single values of the list that was opened.
  std::vector<Attribute> take_list() {
    const char* const begin = at_;
    std::vector<Attribute> list;
    while (next()) {
      if (key_ == "graph") cursor_.fail(at_, "graphs inside of a vertex or edge are not read");
      if (value_.kind == Token::Kind::open) {
        skip_value();
      } else {
        list.push_back({key_, plain(value_), at_});
      }
    }
    require_closed(begin);
    return list;
  }

  void read_graph() {
    const char* const begin = at_;
    while (next()) {
      const char* const at = at_;
      const bool list = value_.kind == Token::Kind::open;
      if (key_ == "node" && list) {
        add_vertex(take_list(), at);
      } else if (key_ == "edge" && list) {
        add_edge(take_list(), at);
      } else if (key_ == "directed" && !list) {
        if (value_.text != "0" && value_.text != "1") cursor_.fail(at, "directed is 0 or 1");
        directed_ = value_.text == "1";
      } else {
        skip_value();
      }
    }
    require_closed(begin);
  }
  void require_closed(const char* begin) const {
    if (token_at_ == cursor_.end()) cursor_.fail(begin, "this list does not end");
  }

  std::string take(const std::vector<Attribute>& list, const char* key, const char* at) const {
    for (const Attribute& attribute : list) {
      if (attribute.key == key) return attribute.value;
    }
    cursor_.fail(at, "there is no '{}' here", key);
  }

  void add_vertex(const std::vector<Attribute>& list, const char* at) {
    const auto label = std::ranges::find(list, "label", &Attribute::key);
    graph_.add_vertex(take(list, "id", at), label == list.end() ? "" : label->value, at);
  }

  void add_edge(const std::vector<Attribute>& list, const char* at) {
    graph_.add_edge(take(list, "source", at), take(list, "target", at), std::nullopt, at);
    for (const Attribute& attribute : list) {
      const std::string& key = attribute.key;
      if (key == "source" || key == "target" || key == "id" || key == "key") continue;
      graph_.set(key, attribute.value, attribute.at);
    }
  }

  std::string plain(const Token& token) const {
    std::string text;
    for (std::string_view left = token.text; !left.empty();) {
      const std::size_t ampersand = std::min(left.find('&'), left.size());
      text += left.substr(0, ampersand);
      left.remove_prefix(ampersand);
      if (left.empty()) break;
      const std::size_t end = left.find(';');
      const bool entity = end != left.npos && append_entity(text, left.substr(1, end - 1));
      if (!entity) text += '&';  // older files have it as it is
      left.remove_prefix(entity ? end + 1 : 1);
    }
    return text;
  }

  Token take_token() {
    cursor_.tick();
    while (true) {
      const char sign = cursor_.peek();
      if (sign == '#') {
        cursor_.skip_line();
      } else if (sign != '\n' || !cursor_.take('\n')) {
        break;
      }
    }
    token_at_ = cursor_.at();
    if (cursor_.at_end()) return {};
    if (cursor_.take('[')) return {Token::Kind::open, "["};
    if (cursor_.take(']')) return {Token::Kind::close, "]"};
    const std::string_view left(token_at_, static_cast<std::size_t>(cursor_.end() - token_at_));
    if (left.starts_with('"')) {
      const std::size_t size = left.find('"', 1);
      if (size == left.npos) cursor_.fail(token_at_, "the quotation mark is not closed");
      cursor_.move_to(token_at_ + size + 1);
      return {Token::Kind::text, left.substr(1, size - 1)};
    }
    const std::string_view word = left.substr(0, left.find_first_of(" \t\r\n[]\"#"));
    cursor_.move_to(token_at_ + word.size());
    const bool number =
        word.find_first_of("0123456789") <= 1 && word.find_first_of("+-.0123456789") == 0;
    return {number ? Token::Kind::number : Token::Kind::word, word};
  }

  TextCursor cursor_;
  AttributedGraph graph_;
  std::string key_;
  Token value_;
  const char* at_ = nullptr;        // of the key
  const char* token_at_ = nullptr;  // of the last token
  bool directed_ = false;
};

/// Whether a line near the beginning is "graph [", the list of which all others are parts.
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

}  // namespace apsp::io
