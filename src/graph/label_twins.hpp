// Labels that look alike because one is written with combining marks and the other is not: "é" as
// one character (Unicode's normal form C), or as "e" and an accent (normal form D).
#pragma once

#include <apsp/graph.hpp>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace apsp::graph {

/// Two labels that are probably the same text in different normal forms: they differ, one of them
/// has combining marks, and they are equal if each character with marks, and each character that
/// is not ASCII, is replaced by one sign. O(bytes of the labels).
std::optional<std::pair<Vertex, Vertex>> find_label_twins(std::span<const std::string> labels);

}  // namespace apsp::graph
