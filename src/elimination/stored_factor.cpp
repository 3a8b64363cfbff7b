#include "elimination/stored_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cstring>
#include <string>

#include "elimination/tree_parts.hpp"

namespace apsp::elimination {
namespace {

constexpr std::string_view kFolder = "factor/";

std::string named(std::string_view part) { return std::string(kFolder) + std::string(part); }

[[noreturn]] void fail(const store::Store& stored, std::string_view part, const std::string& what) {
  throw Error::malformed({stored.array_path(named(part)), 0, 0}, what);
}

const store::Array& find(const std::vector<store::Array>& arrays, const store::Store& stored,
                         std::string_view part, ValueType type) {
  const auto at = std::find_if(arrays.begin(), arrays.end(), [&](const store::Array& array) {
    return array.name == named(part);
  });
  if (at == arrays.end()) fail(stored, part, "this array of the factor is missing");
  if (at->type != type) {
    fail(stored, part, fmt::format("holds {} instead of {}", name(at->type), name(type)));
  }
  return *at;
}

template <class T>
void write_numbers(std::string_view part, const char* dimension, const std::vector<T>& numbers,
                   store::Store& target) {
  static_assert(sizeof(T) == sizeof(Position));
  target.write_array({named(part), ValueType::i32, std::ssize(numbers), dimension}, numbers.data());
}

template <class T>
std::vector<T> read_numbers(std::string_view part, const std::vector<store::Array>& arrays,
                            const store::Store& stored) {
  static_assert(sizeof(T) == sizeof(Position));
  const store::Array& array = find(arrays, stored, part, ValueType::i32);
  std::vector<T> numbers(static_cast<std::size_t>(array.length));
  stored.read_array(array, numbers.data());
  return numbers;
}

/// visit(part, dimension, values, count) for each kind of values, supernode after supernode.
template <class AnyFactor, class F>
void for_each_kind(AnyFactor& factor, F&& visit) {
  const Tree& tree = factor.tree();
  visit("closed", "closed_entry", factor.all_closed(), tree.diagonal_entries());
  visit("up", "upper_entry", factor.all_up(), tree.upper_entries());
  if (factor.symmetric()) return;
  visit("down", "upper_entry", factor.all_down(), tree.upper_entries());
}

std::shared_ptr<const Tree> read_tree(const std::vector<store::Array>& arrays,
                                      const store::Store& stored, const Graph& graph) {
  TreeParts parts;
  parts.vertex_at = read_numbers<Vertex>("order", arrays, stored);
  parts.widths = read_numbers<Position>("width", arrays, stored);
  parts.structure_sizes = read_numbers<Position>("upper_count", arrays, stored);
  parts.upper = read_numbers<Position>("upper", arrays, stored);
  if (const auto fault = fault_of(parts, graph.vertex_count())) {
    fail(stored, fault->part, fault->what);
  }
  auto tree = std::make_shared<const Tree>(std::move(parts));
  if (!holds_arcs(*tree, graph)) {
    fail(stored, "upper", "does not join all arcs of the graph: a factor of another graph");
  }
  return tree;
}

}  // namespace

void write_factor(const Factor& factor, store::Store& target) {
  const TreeParts parts = parts_of(factor.tree());
  write_numbers("order", "position", parts.vertex_at, target);
  write_numbers("width", "supernode", parts.widths, target);
  write_numbers("upper_count", "supernode", parts.structure_sizes, target);
  write_numbers("upper", "upper", parts.upper, target);
  for_each_kind(factor, [&](std::string_view part, const char* dimension, const std::byte* values,
                            std::int64_t count) {
    target.write_array({named(part), factor.type(), count, dimension}, values);
  });
}

bool holds_factor(const store::Store& stored) {
  const std::vector<store::Array> arrays = stored.arrays();
  return std::any_of(arrays.begin(), arrays.end(),
                     [](const store::Array& array) { return array.name.starts_with(kFolder); });
}

std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph) {
  const std::vector<store::Array> arrays = stored.arrays();
  const auto tree = read_tree(arrays, stored, graph);
  const store::Layout& layout = stored.layout();
  // Nothing is taken for values before it is known that they are there.
  const bool symmetric = graph.symmetric();
  const auto require = [&](std::string_view part, std::int64_t count) {
    const std::int64_t length = find(arrays, stored, part, layout.type).length;
    if (length == count) return;
    fail(stored, part, fmt::format("has {} values instead of {}", length, count));
  };
  require("closed", tree->diagonal_entries());
  require("up", tree->upper_entries());
  if (!symmetric) {
    require("down", tree->upper_entries());
  } else if (std::any_of(arrays.begin(), arrays.end(),
                         [](const store::Array& array) { return array.name == named("down"); })) {
    fail(stored, "down", "the graph is symmetric, its factor has no such array");
  }
  auto factor = std::make_shared<Factor>(tree, layout.semiring, layout.type, symmetric);
  for_each_kind(*factor, [&](std::string_view part, const char*, std::byte* values, std::int64_t) {
    stored.read_array(find(arrays, stored, part, layout.type), values);
  });
  return factor;
}

}  // namespace apsp::elimination
