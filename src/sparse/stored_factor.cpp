#include "sparse/stored_factor.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <numeric>
#include <utility>

#include "sparse/arc_assembly.hpp"

#include "base/control.hpp"

namespace apsp::sparse {
namespace {

constexpr std::string_view kFolder = "factor/";

std::string named(std::string_view part) { return std::string(kFolder) + std::string(part); }

[[noreturn]] void fail(const store::Store& stored, std::string_view part, const std::string& what) {
  fail_part(stored, part, what);
}

// Each check throws `Error` (input) that names the array and what is wrong with it. Linear time.

void require_order(const store::Store& stored, const std::vector<Vertex>& vertex_at,
                   std::int64_t n) {
  if (std::ssize(vertex_at) != n) {
    fail(stored, "order", fmt::format("has {} vertices instead of {}", vertex_at.size(), n));
  }
  std::vector<bool> seen(vertex_at.size());
  for (const Vertex v : vertex_at) {
    if (v >= seen.size()) fail(stored, "order", fmt::format("vertex {} in a graph of {}", v, n));
    if (seen[v]) fail(stored, "order", fmt::format("vertex {} is listed twice", v));
    seen[v] = true;
  }
}

void require_widths(const store::Store& stored, const std::vector<Position>& widths,
                    std::int64_t n) {
  std::int64_t sum = 0;
  for (const Position width : widths) {
    if (width < 1) fail(stored, "width", fmt::format("a supernode of width {}", width));
    sum += width;
  }
  if (sum == n) return;
  fail(stored, "width", fmt::format("supernodes of {} vertices in all instead of {}", sum, n));
}

void require_counts(const store::Store& stored, const std::vector<Position>& counts,
                    std::size_t supernodes) {
  if (counts.size() != supernodes) {
    fail(stored, kStructureSizes,
         fmt::format("has {} supernodes instead of {}", counts.size(), supernodes));
  }
  std::int64_t sum = 0;
  for (const Position count : counts) {
    if (count < 0) {
      fail(stored, kStructureSizes, fmt::format("{} vertices above a supernode", count));
    }
    sum += count;
  }
  const std::int64_t listed = array_of(stored, "upper", ValueType::i32).length;
  if (sum == listed) return;
  fail(stored, "upper", fmt::format("has {} positions instead of {}", listed, sum));
}

void require_uppers(const store::Store& stored, const TreeParts& parts, std::int64_t n) {
  std::int64_t end = 0;
  std::size_t at = 0;
  for (std::size_t s = 0; s < parts.widths.size(); ++s) {
    end += parts.widths[s];
    std::int64_t least = end;
    for (const std::size_t last = at + static_cast<std::size_t>(parts.structure_sizes[s]);
         at < last; ++at) {
      const Position p = parts.upper[at];
      if (p < least || p >= n) {
        fail(stored, "upper",
             fmt::format("position {} is not an upper one of supernode {}, or is "
                         "at a wrong place",
                         p, s));
      }
      least = std::int64_t{p} + 1;
    }
  }
}

/// Each subtree must be a run of supernodes, and a row structure be within the parent and its row
/// structure.
void require_ancestors(const store::Store& stored, const Tree& tree) {
  std::vector<SupernodeId> path;
  for (SupernodeId s = tree.supernodes() - 1; s >= 0; --s) {
    while (!path.empty() && path.back() != tree.parent(s)) path.pop_back();
    if (path.empty() && tree.parent(s) >= 0) {
      fail(stored, "upper", fmt::format("supernode {} is not next to its subtree", s));
    }
    path.push_back(s);
  }
  std::vector<SupernodeId> joined(static_cast<std::size_t>(tree.vertices()), -1);
  const Children children = children_of(tree);
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    for (const Position p : tree.upper(s)) at(joined, p) = s;
    for (const SupernodeId child : children.of(s)) {
      for (const Position p : tree.upper(child)) {
        if (p < tree.first(s + 1) || at(joined, p) == s) continue;
        fail(stored, "upper",
             fmt::format("position {} of supernode {} is none of its parent's", p, child));
      }
    }
  }
}

template <class F>
void for_each_kind(Factor& factor, F&& visit) {
  visit("closed", factor.all_closed());
  visit("up", factor.all_up());
  if (!factor.symmetric()) visit("down", factor.all_down());
}

}  // namespace

void fail_part(const store::Store& stored, std::string_view part, const std::string& what) {
  throw Error::malformed({stored.array_path(named(part)), 0, 0}, what);
}

bool holds_part(const store::Store& stored, std::string_view part) {
  return std::ranges::count(stored.arrays(), named(part), &store::Array::name) > 0;
}

store::Array array_of(const store::Store& stored, std::string_view part, ValueType type) {
  const std::vector<store::Array> arrays = stored.arrays();
  const auto at = std::ranges::find(arrays, named(part), &store::Array::name);
  if (at == arrays.end()) fail(stored, part, "this array of the factor is missing");
  if (at->type != type) {
    fail(stored, part, fmt::format("holds {} instead of {}", name(at->type), name(type)));
  }
  return *at;
}

void require_length(const store::Store& stored, std::string_view part, ValueType type,
                    std::int64_t count) {
  const std::int64_t length = array_of(stored, part, type).length;
  if (length == count) return;
  fail(stored, part, fmt::format("has {} values instead of {}", length, count));
}

void require_sizes(const store::Store& stored, const std::vector<Position>& widths,
                   const std::vector<Position>& counts) {
  require_widths(stored, widths, stored.layout().n);
  require_counts(stored, counts, widths.size());
}

TreeParts parts_of(const Tree& tree) {
  TreeParts parts;
  parts.vertex_at = tree.order().vertex_at;
  for (SupernodeId s = 0; s < tree.supernodes(); ++s) {
    const auto upper = tree.upper(s);
    parts.widths.push_back(tree.width(s));
    parts.structure_sizes.push_back(static_cast<Position>(upper.size()));
    parts.upper.insert(parts.upper.end(), upper.begin(), upper.end());
  }
  return parts;
}

std::vector<store::Array> stored_arrays(const Tree& tree, ValueType type, bool symmetric) {
  const std::int64_t supernodes = tree.supernodes();
  const auto array = [&](std::string_view part, ValueType of, std::int64_t length,
                         const char* dimension) {
    return store::Array{named(part), of, length, dimension};
  };
  std::vector<store::Array> arrays = {
      array("order", ValueType::i32, tree.vertices(), "position"),
      array("width", ValueType::i32, supernodes, "supernode"),
      array(kStructureSizes, ValueType::i32, supernodes, "supernode"),
      array("upper", ValueType::i32, tree.upper_begin(tree.supernodes()), "upper"),
      array("closed", type, tree.diagonal_entries(), "closed_entry"),
      array("up", type, tree.upper_entries(), "upper_entry")};
  if (!symmetric) arrays.push_back(array("down", type, tree.upper_entries(), "upper_entry"));
  return arrays;
}

void write_factor(const Factor& factor, store::Store& target, const Control& control) {
  const std::vector<store::Array> arrays =
      stored_arrays(factor.tree(), factor.type(), factor.symmetric());
  const TreeParts parts = parts_of(factor.tree());
  const void* const values[] = {
      parts.vertex_at.data(), parts.widths.data(), parts.structure_sizes.data(),
      parts.upper.data(),     factor.all_closed(), factor.all_up(),
      factor.all_down()};
  const auto bytes = [](const store::Array& array) {
    return static_cast<double>(array.length * size_of(array.type));
  };
  const double all =
      std::accumulate(arrays.begin(), arrays.end(), 0.0,
                      [&](double sum, const store::Array& array) { return sum + bytes(array); });
  base::ProgressTask progress(control, "storing the factor", all, "byte");
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    base::check_cancelled(control);
    target.write_array(arrays[i], values[i]);
    progress.advance(bytes(arrays[i]));
  }
}

bool holds_factor(const store::Store& stored) {
  const std::vector<store::Array> arrays = stored.arrays();
  return std::any_of(arrays.begin(), arrays.end(),
                     [](const store::Array& array) { return array.name.starts_with(kFolder); });
}

std::shared_ptr<const Tree> checked_tree(const store::Store& stored, TreeParts parts,
                                         std::int64_t n) {
  require_order(stored, parts.vertex_at, n);
  require_uppers(stored, parts, n);
  auto tree = std::make_shared<const Tree>(std::move(parts));
  require_ancestors(stored, *tree);
  return tree;
}

std::shared_ptr<const Tree> read_tree(const store::Store& stored, const Graph& graph) {
  TreeParts parts;
  parts.vertex_at = read_numbers<Vertex>(stored, "order");
  parts.widths = read_numbers<Position>(stored, "width");
  parts.structure_sizes = read_numbers<Position>(stored, kStructureSizes);
  require_sizes(stored, parts.widths, parts.structure_sizes);
  parts.upper = read_numbers<Position>(stored, "upper");
  auto tree = checked_tree(stored, std::move(parts), graph.vertex_count());
  if (!holds_arcs(*tree, graph)) {
    fail(stored, "upper", "does not join all arcs of the graph: a factor of another graph");
  }
  return tree;
}

std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph) {
  return read_factor(stored, graph, read_tree(stored, graph));
}

std::shared_ptr<const Factor> read_factor(const store::Store& stored, const Graph& graph,
                                          std::shared_ptr<const Tree> tree) {
  const store::Layout& layout = stored.layout();
  // Checks the arrays before memory is allocated for their values.
  const bool symmetric = graph.symmetric();
  require_length(stored, "closed", layout.type, tree->diagonal_entries());
  require_length(stored, "up", layout.type, tree->upper_entries());
  if (!symmetric) {
    require_length(stored, "down", layout.type, tree->upper_entries());
  } else if (holds_part(stored, "down")) {
    fail(stored, "down", "the graph is symmetric, its factor has no such array");
  }
  auto factor = std::make_shared<Factor>(std::move(tree), layout.semiring, layout.type, symmetric);
  for_each_kind(*factor, [&](std::string_view part, std::byte* values) {
    stored.read_array(array_of(stored, part, layout.type), values);
  });
  return factor;
}

}  // namespace apsp::sparse
