// GML: nested lists of keys and values (Himsolt, "GML: a portable graph file format", 1997).
// Vertices are named by labels if all have distinct ones, as in NetworkX, else by ids.
#include <charconv>

#include "base/json.hpp"
#include "io/attributed_graph.hpp"
#include "io/formats.hpp"

namespace apsp::io {
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
      if (key != "label") cursor_.fail(at, "there is no '{}' here", key);
      return {};
    };
    if (vertex) return graph_.add_vertex(value("id"), value("label"), at);
    graph_.add_edge(value("source"), value("target"), std::nullopt, at);
    for (const auto& [key, text, place] : list) {
      if (key == "source" || key == "target" || key == "id" || key == "key") continue;
      graph_.set(key, text, place);
    }
  }

  static std::string plain(std::string_view left) {
    std::string text;
    while (!left.empty()) {
      const std::size_t ampersand = std::min(left.find('&'), left.size());
      text += left.substr(0, ampersand);
      left.remove_prefix(ampersand);
      if (left.empty()) break;
      const std::size_t end = left.find(';');
      const bool entity = end != left.npos && append_entity(text, left.substr(1, end - 1));
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

}  // namespace apsp::io
