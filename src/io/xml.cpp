#include "io/xml.hpp"

#include <algorithm>
#include <charconv>

namespace apsp::io {
namespace {

bool is_space(char c) { return is_blank(c) || c == '\n'; }

std::string_view without_prefix(std::string_view name) {
  const std::size_t colon = name.find(':');
  return colon == name.npos ? name : name.substr(colon + 1);
}

/// A character in UTF-8; false: there is none of this number.
bool append_character(std::string& text, std::uint32_t code) {
  if (code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  const auto tail = [&](int shift) { text += static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += static_cast<char>(0xC0 | code >> 6);
    tail(0);
  } else if (code < 0x10000) {
    text += static_cast<char>(0xE0 | code >> 12);
    tail(6), tail(0);
  } else {
    text += static_cast<char>(0xF0 | code >> 18);
    tail(12), tail(6), tail(0);
  }
  return true;
}

}  // namespace

bool append_entity(std::string& text, std::string_view entity) {
  constexpr std::pair<std::string_view, char> kNamed[] = {
      {"lt", '<'}, {"gt", '>'}, {"amp", '&'}, {"quot", '"'}, {"apos", '\''}};
  for (const auto& [name, character] : kNamed) {
    if (entity == name) return text += character, true;
  }
  if (!entity.starts_with('#')) return false;
  const bool hexadecimal = entity.starts_with("#x");
  entity.remove_prefix(hexadecimal ? 2 : 1);
  std::uint32_t code = 0;
  const char* const end = entity.data() + entity.size();
  const auto [at, failure] = std::from_chars(entity.data(), end, code, hexadecimal ? 16 : 10);
  return failure == std::errc() && at == end && append_character(text, code);
}

std::string XmlReader::decoded(std::string_view text) const {
  std::string plain;
  while (true) {
    const std::size_t ampersand = text.find('&');
    plain += text.substr(0, ampersand);
    if (ampersand == text.npos) return plain;
    const std::size_t end = text.find(';', ampersand);
    if (end == text.npos ||
        !append_entity(plain, text.substr(ampersand + 1, end - ampersand - 1))) {
      cursor_.fail(text.data() + ampersand, "no character of XML");
    }
    text.remove_prefix(end + 1);
  }
}

std::string_view XmlReader::take_until(std::string_view end) {
  const std::string_view left = rest();
  const std::size_t size = left.find(end);
  if (size == left.npos) fail("the file ends inside of this");
  cursor_.move_to(left.data() + size + end.size());
  return left.substr(0, size);
}

void XmlReader::skip_space() {
  const std::string_view left = rest();
  const auto* const stop = std::ranges::find_if_not(left, is_space);
  cursor_.move_to(left.data() + (stop - left.begin()));
}

/// Comments, instructions and the document type; the text of a CDATA section is kept.
bool XmlReader::skip_markup() {
  const std::string_view left = rest();
  if (left.starts_with("<!--")) {
    take_until("-->");
  } else if (left.starts_with("<?")) {
    take_until("?>");
  } else if (left.starts_with("<![CDATA[")) {
    text_ += take_until("]]>").substr(9);
  } else if (left.starts_with("<!DOCTYPE")) {
    if (take_until(">").find('[') != left.npos) fail("a document type with entities is not read");
  } else {
    return false;
  }
  return true;
}

std::string_view XmlReader::take_name() {
  const std::string_view left = rest();
  const auto* const stop = std::ranges::find_if(
      left, [](char c) { return is_space(c) || c == '>' || c == '/' || c == '=' || c == '<'; });
  const std::string_view name = left.substr(0, static_cast<std::size_t>(stop - left.begin()));
  if (name.empty()) cursor_.fail_here("expected a name of XML");
  cursor_.move_to(left.data() + name.size());
  return name;
}

void XmlReader::take_attributes() {
  attributes_.clear();
  while (true) {
    skip_space();
    empty_ = cursor_.take('/');
    if (cursor_.take('>')) return;
    if (empty_ || cursor_.at_end()) fail("the tag does not end");
    const std::string_view name = take_name();
    skip_space();
    if (!cursor_.take('=')) cursor_.fail_here("expected '=' after the name of an attribute");
    skip_space();
    const std::string_view quote = rest().substr(0, 1);
    if (quote != "\"" && quote != "'") cursor_.fail_here("expected a value in quotation marks");
    cursor_.move_to(cursor_.at() + 1);
    attributes_.emplace_back(name, decoded(take_until(quote)));
  }
}

XmlReader::Tag XmlReader::next() {
  cursor_.tick();
  text_.clear();
  if (empty_) {
    empty_ = false;
    open_.pop_back();
    return Tag::close;
  }
  while (true) {
    const std::string_view left = rest();
    const std::string_view characters = left.substr(0, left.find('<'));
    at_ = characters.data() + characters.size();
    cursor_.move_to(at_);
    text_ += decoded(characters);
    if (cursor_.at_end()) break;
    if (!skip_markup()) {
      cursor_.take('<');
      const bool closes = cursor_.take('/');
      const std::string_view full = take_name();
      name_ = without_prefix(full);
      if (!closes) {
        take_attributes();
        open_.push_back(full);
        return Tag::open;
      }
      if (open_.empty() || open_.back() != full) fail("</{}> closes no open element", full);
      open_.pop_back();
      skip_space();
      if (!cursor_.take('>')) cursor_.fail_here("expected '>'");
      return Tag::close;
    }
  }
  if (!open_.empty()) fail("the file ends inside of <{}>", open_.back());
  return Tag::end;
}

const std::string* XmlReader::attribute(std::string_view name) const {
  const auto found =
      std::ranges::find(attributes_, name, &decltype(attributes_)::value_type::first);
  return found == attributes_.end() ? nullptr : &found->second;
}

const std::string& XmlReader::expect_attribute(std::string_view name) const {
  const std::string* const value = attribute(name);
  if (value == nullptr) fail("<{}> has no '{}'", name_, name);
  return *value;
}

}  // namespace apsp::io
