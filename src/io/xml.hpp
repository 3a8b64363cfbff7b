// A text in XML, read tag by tag: elements, attributes, and the text of elements without others. No
// document type with entities of its own, so nothing grows that a file holds.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/text_cursor.hpp"

namespace apsp::io {

/// Appends the character of "amp", "#38" or "#x26"; false: there is none.
bool append_entity(std::string& text, std::string_view entity);

class XmlReader {
 public:
  explicit XmlReader(const Source& source) : cursor_(source) {}

  enum class Tag { open, close, end };
  /// The next tag. An element without content is opened and closed. Throws `Error` (input) with
  /// line and column.
  Tag next();

  /// Of the tag: without the prefix of a namespace.
  std::string_view name() const { return name_; }
  /// Of an opened element; null: it has none of this name.
  const std::string* attribute(std::string_view name) const;
  const std::string& expect_attribute(std::string_view name) const;
  /// The characters between the last tag and this one.
  const std::string& text() const { return text_; }
  /// Where the tag begins.
  const char* at() const { return at_; }

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> message, Args&&... args) const {
    cursor_.fail(at_, message, std::forward<Args>(args)...);
  }

 private:
  std::string_view rest() const {
    return {cursor_.at(), static_cast<std::size_t>(cursor_.end() - cursor_.at())};
  }
  std::string_view take_until(std::string_view end);
  bool skip_markup();
  void skip_space();
  std::string_view take_name();
  void take_attributes();
  std::string decoded(std::string_view text) const;

  TextCursor cursor_;
  const char* at_ = nullptr;
  std::string_view name_;
  std::string text_;
  std::vector<std::pair<std::string_view, std::string>> attributes_;
  std::vector<std::string_view> open_;  // names of the elements that are open
  bool empty_ = false;                  // the element that was opened has no content
};

}  // namespace apsp::io
