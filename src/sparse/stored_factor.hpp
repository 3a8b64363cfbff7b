// A factor as arrays of a store (docs/stores.md).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sparse/factor.hpp"
#include "store/store.hpp"

namespace apsp::sparse {

/// Returns the parts from which the same tree is made again, even if a later version orders
/// differently.
TreeParts parts_of(const Tree& tree);

// Arrays of a stored factor are named by their part: "order", "width", ….

/// Sizes of the row structures, by supernode.
inline constexpr std::string_view kStructureSizes = "structure_size";

/// Throws `Error` (input) that names the array.
[[noreturn]] void fail_part(const store::Store& stored, std::string_view part,
                            const std::string& what);
bool holds_part(const store::Store& stored, std::string_view part);
/// Throws `Error` (input) if the array is missing or has another type.
store::Array array_of(const store::Store& stored, std::string_view part, ValueType type);
/// Throws `Error` (input) unless the array has this type and length.
void require_length(const store::Store& stored, std::string_view part, ValueType type,
                    std::int64_t count);
/// Throws `Error` (input) unless widths are positive and match the layout, and counts match the row
/// structures.
void require_sizes(const store::Store& stored, const std::vector<Position>& widths,
                   const std::vector<Position>& counts);
template <class T>
std::vector<T> read_numbers(const store::Store& stored, std::string_view part) {
  static_assert(sizeof(T) == sizeof(Position));
  const store::Array array = array_of(stored, part, ValueType::i32);
  std::vector<T> numbers(static_cast<std::size_t>(array.length));
  stored.read_array(array, numbers.data());
  return numbers;
}
/// Returns the tree of these parts over n vertices. Throws `Error` (input) if they make none.
std::shared_ptr<const Tree> checked_tree(const store::Store& stored, TreeParts parts,
                                         std::int64_t n);

/// Returns the arrays of a factor of this tree, in the order in which they are written.
std::vector<store::Array> stored_arrays(const Tree& tree, ValueType type, bool symmetric);

/// Writes the factor; `target` is not committed. Throws as `Store::write_array`, and `Error`
/// (interrupted).
void write_factor(const Factor& factor, store::Store& target, const Control& control = {});

bool holds_factor(const store::Store& stored);

/// Returns the tree of the stored factor, checked as by `read_factor`.
std::shared_ptr<const Tree> read_tree(const store::Store& stored, const Graph& graph);

/// Returns the stored factor of `graph`. Its arrays are checked: they must make a tree that joins
/// every arc of the graph. Throws `Error`: input (damaged, or of another graph; names the array),
/// input_output, does_not_fit.
std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph);
/// The same with a tree that was read before.
std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph,
                                          std::shared_ptr<const Tree> tree);

}  // namespace apsp::sparse
