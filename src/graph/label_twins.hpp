// Labels that look alike because one is written with combining marks and the other is not: "é" as
// one character (Unicode's normal form C), or as "e" and an accent (normal form D).
#pragma once

#include <apsp/graph.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace apsp::graph {

/// Two labels that are probably the same text in different normal forms: they differ, one of them
/// has combining marks, and they are equal if each character with marks, and each character that
/// is not ASCII, is replaced by one sign. O(bytes of the labels).
std::optional<std::pair<Vertex, Vertex>> find_label_twins(std::span<const std::string> labels);

/// The end of a message that no label is `name`: which label probably is `name` in the other normal
/// form. Empty if none is. O(bytes of the labels).
std::string note_on_twin(std::span<const std::string> labels, std::string_view name);

}  // namespace apsp::graph
