#include "support/strict/strict_search.hpp"

#include <fmt/format.h>
#include <limits>

#include "support/strict/strict_misuse.hpp"

namespace apsp::kernels::strict {
namespace {

/// Rising offsets, and ends of arcs that are vertices: of arcs of `arc_size` bytes that begin with
/// them.
void check_arcs(const char* operation, std::int64_t n, const std::uint32_t* first,
                std::int64_t arc_count, const void* arcs, int arc_size) {
  for (std::int64_t v = 0; v < n; ++v) {
    if (first[v] > first[v + 1]) misuse(fmt::format("{}: offsets do not rise", operation));
  }
  if (first[n] != arc_count) misuse(fmt::format("{}: offsets do not end with the arcs", operation));
  for (std::int64_t a = 0; a < arc_count; ++a) {
    std::uint32_t end;
    std::memcpy(&end, static_cast<const std::byte*>(arcs) + a * arc_size, sizeof end);
    if (end >= n) misuse(fmt::format("{}: an arc to vertex {} of {}", operation, end, n));
  }
}

void read_array(Memory& memory, const Accessor& who, const void* first, std::int64_t count,
                int size, const char* operand) {
  if (count > 0) memory.read(who, {first, 1, count, count}, size, operand);
}

}  // namespace

void check(const Operations& operations, const SearchedRows& rows) {
  require(operations.search_row != nullptr, "search_rows: values are bits");
  require(rows.vertices <= kSearchedNumbers && rows.arc_count <= kSearchedNumbers,
          "search_rows: too many vertices or arcs");
  require(rows.columns != nullptr || rows.rows.cols == rows.vertices,
          "search_rows: columns that are neither listed nor all vertices");
  require(rows.potentials == nullptr || operations.search_reduced_row != nullptr,
          "search_rows: potentials, and values that hold no sums of both signs");
  require(rows.step >= 0 && rows.searches > 0, "search_rows: the step, or no search at a time");
}

void search_rows(Memory& memory, const Accessor& who, const Operations& operations,
                 const SearchedRows& rows) {
  const View& out = rows.rows;
  const std::int64_t n = rows.vertices;
  if (out.rows == 0 || out.cols == 0) return;
  const bool reduced = rows.potentials != nullptr;
  const int key = reduced ? operations.reduced_size : operations.value_size;
  const int arc = reduced ? operations.reduced_arc_size : operations.arc_size;
  read_array(memory, who, rows.sources, out.rows, sizeof(std::uint32_t), "sources");
  read_array(memory, who, rows.first, n + 1, sizeof(std::uint32_t), "first");
  read_array(memory, who, rows.arcs, rows.arc_count, arc, "arcs");
  if (reduced) read_array(memory, who, rows.potentials, n, sizeof(double), "potentials");
  if (rows.columns != nullptr) {
    read_array(memory, who, rows.columns, out.cols, sizeof(std::uint32_t), "columns");
    for (std::int64_t j = 0; j < out.cols; ++j) {
      require(rows.columns[j] < n, "search_rows: a column that is no vertex");
    }
  }
  check_arcs("search_rows", n, rows.first, rows.arc_count, rows.arcs, arc);
  const std::int64_t scratch = search_bytes(n, rows.searches, key);
  memory.write(who, View{rows.scratch, 1, scratch, scratch}, 1, "scratch");
  memory.write(who, out, operations.value_size, "rows");
  const auto search = reduced ? operations.search_reduced_row : operations.search_row;
  for (std::int64_t i = 0; i < out.rows; ++i) {
    require(rows.sources[i] < n, "search_rows: a source that is no vertex");
    search(part(out, operations.value_size, i, 0, 1, out.cols), rows.sources[i], rows);
  }
}

void check(const Operations& operations, const SearchedLevels& levels) {
  require(operations.search_column != nullptr, "search_levels: hops are those of shortest paths");
  require(levels.hops.cols <= kLevelSources, "search_levels: too many sources");
}

void search_levels(Memory& memory, const Accessor& who, const Operations& operations,
                   const SearchedLevels& levels) {
  const View& out = levels.hops;
  const std::int64_t n = out.rows;
  if (n == 0 || out.cols == 0) return;
  constexpr int kNumber = sizeof(std::uint32_t);
  read_array(memory, who, levels.sources, out.cols, kNumber, "sources");
  read_array(memory, who, levels.first, n + 1, kNumber, "first");
  read_array(memory, who, levels.before, levels.arc_count, kNumber, "before");
  check_arcs("search_levels", n, levels.first, levels.arc_count, levels.before, kNumber);
  const std::int64_t scratch = level_bytes(n, out.cols, levels.most);
  memory.write(who, View{levels.scratch, 1, scratch, scratch}, 1, "scratch");
  memory.write(who, out, operations.value_size, "hops");
  for (std::int64_t j = 0; j < out.cols; ++j) {
    require(levels.sources[j] < n, "search_levels: a source that is no vertex");
    const std::int64_t greatest =
        operations.search_column(part(out, operations.value_size, 0, j, n, 1), levels.sources[j],
                                 levels.first, levels.before);
    require(greatest <= levels.most, "search_levels: a path of more arcs than the most");
  }
}

void check(const Operations& operations, const SearchedPredecessors& rows) {
  require(operations.search_predecessors != nullptr, "search_predecessors: values are bits");
  require(rows.searches > 0, "search_predecessors: no search at a time");
  require(rows.distances.rows == rows.predecessors.rows &&
              rows.distances.cols == rows.predecessors.cols,
          "search_predecessors: distances of another shape");
}

void search_predecessors(Memory& memory, const Accessor& who, const Operations& operations,
                         const SearchedPredecessors& rows) {
  const View& out = rows.predecessors;
  const std::int64_t n = out.cols;
  if (out.rows == 0 || n == 0) return;
  constexpr int kNumber = sizeof(std::uint32_t);
  read_array(memory, who, rows.sources, out.rows, kNumber, "sources");
  read_array(memory, who, rows.first, n + 1, kNumber, "first");
  read_array(memory, who, rows.arcs, rows.arc_count, operations.arc_size, "arcs");
  check_arcs("search_predecessors", n, rows.first, rows.arc_count, rows.arcs, operations.arc_size);
  memory.read(who, rows.distances, operations.value_size, "distances");
  read_array(memory, who, rows.torn, 1, kNumber, "torn");
  memory.write(who, View{rows.torn, 1, 1, 1}, kNumber, "torn");
  const std::int64_t scratch = predecessor_bytes(n, rows.searches);
  memory.write(who, View{rows.scratch, 1, scratch, scratch}, 1, "scratch");
  const int size = predecessor_size(n);
  memory.write(who, out, size, "predecessors");
  for (std::int64_t i = 0; i < out.rows; ++i) {
    require(rows.sources[i] < n, "search_predecessors: a source that is no vertex");
    const bool whole = operations.search_predecessors(
        part(out, size, i, 0, 1, n), part(rows.distances, operations.value_size, i, 0, 1, n),
        rows.sources[i], rows.first, rows.arcs);
    if (!whole) ++*rows.torn;
  }
}

void check(const NearSearches& searches) {
  require(searches.searches > 0 && searches.listed > 0, "search_near: no search, or no list");
  require(searches.limit >= 0 && (!searches.whole || searches.limit < (1 << 30)),
          "search_near: the limit");
  require(searches.most_pairs >= searches.vertices, "search_near: no room for a row");
}

namespace {

/// The keys of what is near, `none` elsewhere: first come, first looked at.
template <class K>
std::vector<K> near_keys(const NearSearches& p, std::uint32_t source, K none) {
  std::vector<K> keys(static_cast<std::size_t>(p.vertices), none);
  keys[source] = 0;
  std::vector<std::uint32_t> queue = {source};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (std::uint32_t a = p.first[queue[i]]; a < p.first[queue[i] + 1]; ++a) {
      const auto& arc = reinterpret_cast<const SearchArc<K>*>(p.arcs)[a];
      const K through = keys[queue[i]] + arc.weight;
      if (static_cast<double>(through) > p.limit || through >= keys[arc.to]) continue;
      keys[arc.to] = through;
      queue.push_back(arc.to);
    }
  }
  return keys;
}

template <class K>
void near_row(const NearSearches& p, std::int64_t row) {
  const K none = std::numeric_limits<K>::max();
  const std::vector<K> keys = near_keys<K>(p, p.sources[row], none);
  const auto reached = std::ssize(keys) - std::count(keys.begin(), keys.end(), none);
  p.begin[row] = -1;
  if (reached > p.listed) {
    p.found[row] = kTooManyInRow;
    return;
  }
  const auto begin = static_cast<std::int64_t>(*p.pairs);
  *p.pairs += static_cast<std::uint64_t>(reached);
  p.found[row] = kNoRoomForRow;
  if (begin + reached > p.most_pairs) return;
  p.begin[row] = begin;
  p.found[row] = static_cast<std::int32_t>(reached);
  std::int64_t at = begin + reached;  // backwards: rows come in no order
  for (std::size_t v = 0; v < keys.size(); ++v) {
    if (keys[v] == none) continue;
    p.targets[--at] = static_cast<std::uint32_t>(v);
    reinterpret_cast<K*>(p.distances)[at] = keys[v];
  }
}

}  // namespace

void search_near(Memory& memory, const Accessor& who, const NearSearches& p) {
  if (p.rows == 0) return;
  constexpr int kNumber = sizeof(std::uint32_t);
  const int key = p.whole ? 4 : 8, arc = p.whole ? 8 : 16;
  const auto write = [&](void* first, std::int64_t count, int size, const char* operand) {
    memory.write(who, View{first, 1, count, count}, size, operand);
  };
  read_array(memory, who, p.sources, p.rows, kNumber, "sources");
  read_array(memory, who, p.first, p.vertices + 1, kNumber, "first");
  read_array(memory, who, p.arcs, p.arc_count, arc, "arcs");
  check_arcs("search_near", p.vertices, p.first, p.arc_count, p.arcs, arc);
  read_array(memory, who, p.pairs, 1, sizeof(std::uint64_t), "pairs");
  write(p.pairs, 1, sizeof(std::uint64_t), "pairs");
  write(p.targets, p.most_pairs, kNumber, "targets");
  write(p.distances, p.most_pairs, key, "distances");
  write(p.begin, p.rows, sizeof(std::int64_t), "begin");
  write(p.found, p.rows, kNumber, "found");
  write(p.scratch, near_bytes(p.vertices, p.listed, p.searches, p.whole), 1, "scratch");
  for (std::int64_t row = 0; row < p.rows; ++row) {
    require(p.sources[row] < p.vertices, "search_near: a source that is no vertex");
    if (p.whole) {
      near_row<std::uint32_t>(p, row);
    } else {
      near_row<double>(p, row);
    }
  }
}

}  // namespace apsp::kernels::strict
