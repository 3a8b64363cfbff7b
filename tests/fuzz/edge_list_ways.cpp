#include "edge_list_ways.hpp"

#include <apsp/error.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "io/edge_list_rows.hpp"
#include "report.hpp"

namespace apsp::fuzz {
namespace {

using namespace apsp::io;
using NamedArc = std::tuple<std::string, std::string, double>;  // from, to, weight

/// All arcs, in an order that does not depend on how the vertices are numbered.
template <class NameOf>
std::vector<NamedArc> named_arcs(const graph::ArcBuckets& arcs, const NameOf& name_of) {
  std::vector<NamedArc> all;
  for (const graph::ArcChunk* chunk : arcs.chunks()) {
    chunk->for_each_arc([&](Vertex from, Vertex to, auto weight) {
      all.emplace_back(name_of(from), name_of(to), static_cast<double>(weight));
    });
  }
  std::sort(all.begin(), all.end());
  return all;
}

void compare_ways(const Source& source) {
  TextCursor cursor(source);
  EdgeListComments comments;
  const auto layout = find_layout(cursor, comments);
  if (!layout || layout->matrix || layout->bipartite_offset != 0) return;
  TextCursor again = cursor;
  EdgeListComments comments_again = comments;
  const auto numbered = read_numbered_rows(cursor, *layout, false, comments);
  if (numbered == nullptr) return;
  const NamedRows named = read_named_rows(again, *layout, false, comments_again);
  const auto number = [](Vertex id) { return std::to_string(id); };
  const auto name = [&](Vertex v) { return std::string(named.names.text(v)); };
  if (named_arcs(*numbered, number) == named_arcs(*named.arcs, name)) return;
  report("the two ways through an edge list give different arcs");
}

}  // namespace

void check_edge_list_ways(const std::uint8_t* data, std::size_t size) {
  ReadOptions options{.threads = 1};
  const std::string name = "input";
  ReadProgress progress(options.control, size);
  const Source source{{reinterpret_cast<const char*>(data), size}, name, options, progress};
  try {
    compare_ways(source);
  } catch (const Error&) {
    // A malformed row or comment, which `check_reader` looks at.
  }
}

}  // namespace apsp::fuzz
