#include "graph/label_twins.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <unordered_map>

#include "base/utf8.hpp"

namespace apsp::graph {
namespace {

/// Whether a combining mark (U+0300 to U+036F, U+3099, U+309A) begins at `at`.
bool is_mark(std::string_view text, std::size_t at) {
  const std::string_view two = text.substr(at, 2), three = text.substr(at, 3);
  return (two >= "\xCC\x80" && two < "\xCD\xB0") || three == "\xE3\x82\x99" ||
         three == "\xE3\x82\x9A";
}

bool has_marks(std::string_view text) {
  if (base::is_ascii(text)) return false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (static_cast<unsigned char>(text[at]) >= 0xCC && is_mark(text, at)) return true;
  }
  return false;
}

std::string outline(std::string_view text) {
  constexpr char kOther = 1;
  std::string signs;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    if (byte < 0x80) {
      signs += text[at];
    } else if (byte >= 0xC0) {  // the first byte of a character
      if (is_mark(text, at) && !signs.empty()) signs.pop_back();
      signs += kOther;
    }
  }
  return signs;
}

}  // namespace

std::optional<std::pair<Vertex, Vertex>> find_label_twins(std::span<const std::string> labels) {
  std::unordered_map<std::string, Vertex> marked;
  for (std::size_t v = 0; v < labels.size(); ++v) {
    if (has_marks(labels[v])) marked.emplace(outline(labels[v]), static_cast<Vertex>(v));
  }
  for (std::size_t v = 0; v < labels.size() && !marked.empty(); ++v) {
    if (has_marks(labels[v])) continue;
    const auto found = marked.find(outline(labels[v]));
    if (found != marked.end()) return std::pair(found->second, static_cast<Vertex>(v));
  }
  return std::nullopt;
}

std::string note_on_twin(std::span<const std::string> labels, std::string_view name) {
  if (base::is_ascii(name)) return {};
  const bool marked = has_marks(name);
  const auto twin = std::ranges::find_if(labels, [&, wanted = outline(name)](const auto& label) {
    return has_marks(label) != marked && outline(label) == wanted;
  });
  if (twin == labels.end()) return {};
  return fmt::format(
      "; '{}' looks alike, and is written with{} combining marks (Unicode normal form {})", *twin,
      marked ? "out" : "", marked ? 'C' : 'D');
}

}  // namespace apsp::graph
