// A factor as arrays of a store, and back whole or in parts (docs/stores.md).
#pragma once

#include <apsp/graph.hpp>
#include <apsp/statistics.hpp>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "elimination/factor.hpp"
#include "store/store.hpp"

namespace apsp::elimination {

/// The parts of a tree, from which the same tree is made again, whatever order and rules for
/// supernodes a later program has.
TreeParts parts_of(const Tree& tree);

// Arrays of a stored factor by their part: "order", "width", …

/// Part: the sizes of the row structures, by supernode.
inline constexpr std::string_view kStructureSizes = "structure_size";

/// Throws `Error` (input) that names the array.
[[noreturn]] void fail_part(const store::Store& stored, std::string_view part,
                            const std::string& what);
bool holds_part(const store::Store& stored, std::string_view part);
/// Throws `Error` (input) where it is missing or has another type.
store::Array array_of(const store::Store& stored, std::string_view part, ValueType type);
/// The same for another length.
void require_length(const store::Store& stored, std::string_view part, ValueType type,
                    std::int64_t count);
/// Supernodes have vertices, all of them together those of the layout, and as many upper positions
/// as there are. Throws `Error` (input).
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
/// The tree of parts of such sizes, over n vertices. Throws `Error` (input) where they make none.
std::shared_ptr<const Tree> checked_tree(const store::Store& stored, TreeParts parts,
                                         std::int64_t n);

/// The arrays of a factor of this tree, in the order in which they are written.
std::vector<store::Array> stored_arrays(const Tree& tree, ValueType type, bool symmetric);

/// Before `target.commit`. Throws as `Store::write_array`, and `Error` (interrupted).
void write_factor(const Factor& factor, store::Store& target, const Control& control = {});

bool holds_factor(const store::Store& stored);

/// The tree of the factor that `stored` holds, checked as below.
std::shared_ptr<const Tree> read_tree(const store::Store& stored, const Graph& graph);

/// The factor that `stored` holds, of the graph stored with it. Nothing that could lead a query
/// astray is believed: the arrays must make a tree that joins every arc of the graph. Throws
/// `Error`: input (damaged, or of another graph; names the array), input_output, does_not_fit.
std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph);
/// The same where its tree was read before.
std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph,
                                          std::shared_ptr<const Tree> tree);

}  // namespace apsp::elimination
