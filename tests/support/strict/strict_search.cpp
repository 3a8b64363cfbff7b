#include "support/strict/strict_kernels.hpp"

#include <fmt/format.h>
#include <limits>

#include "support/strict/strict_misuse.hpp"

namespace apsp::kernels::strict {
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

namespace {

void check(const Operations& operations, const SearchedRows& rows) {
  require(rows.vertices <= kSearchedNumbers && rows.arc_count <= kSearchedNumbers,
          "search_rows: too many vertices or arcs");
  require(rows.columns != nullptr || rows.rows.cols == rows.vertices,
          "search_rows: columns that are neither listed nor all vertices");
  require(rows.potentials == nullptr || operations.search_reduced_row != nullptr,
          "search_rows: potentials, and values that hold no sums of both signs");
  require(rows.step >= 0 && rows.searches > 0, "search_rows: the step, or no search at a time");
}

void search_rows(const Access& at, const Operations& operations, const SearchedRows& rows) {
  const View& out = rows.rows;
  const std::int64_t n = rows.vertices;
  if (out.rows == 0 || out.cols == 0) return;
  const bool reduced = rows.potentials != nullptr;
  const int key = reduced ? operations.reduced_size : operations.value_size;
  const int arc = reduced ? operations.reduced_arc_size : operations.arc_size;
  at.read_array(rows.sources, out.rows, sizeof(std::uint32_t), "sources");
  at.read_array(rows.first, n + 1, sizeof(std::uint32_t), "first");
  at.read_array(rows.arcs, rows.arc_count, arc, "arcs");
  if (reduced) at.read_array(rows.potentials, n, sizeof(double), "potentials");
  if (rows.columns != nullptr) {
    at.read_array(rows.columns, out.cols, sizeof(std::uint32_t), "columns");
    for (std::int64_t j = 0; j < out.cols; ++j) {
      require(rows.columns[j] < n, "search_rows: a column that is no vertex");
    }
  }
  check_arcs("search_rows", n, rows.first, rows.arc_count, rows.arcs, arc);
  const std::int64_t scratch = search_bytes(n, rows.searches, key);
  at.write(View{rows.scratch, 1, scratch, scratch}, 1, "scratch");
  at.write(out, operations.value_size, "rows");
  const auto search = reduced ? operations.search_reduced_row : operations.search_row;
  for (std::int64_t i = 0; i < out.rows; ++i) {
    require(rows.sources[i] < n, "search_rows: a source that is no vertex");
    search(part(out, operations.value_size, i, 0, 1, out.cols), rows.sources[i], rows);
  }
}

void check(const SearchedPredecessors& rows) {
  require(rows.searches > 0, "search_predecessors: no search at a time");
  require(rows.distances.rows == rows.predecessors.rows &&
              rows.distances.cols == rows.predecessors.cols,
          "search_predecessors: distances of another shape");
}

void search_predecessors(const Access& at, const Operations& operations,
                         const SearchedPredecessors& rows) {
  const View& out = rows.predecessors;
  const std::int64_t n = out.cols;
  if (out.rows == 0 || n == 0) return;
  constexpr int kNumber = sizeof(std::uint32_t);
  at.read_array(rows.sources, out.rows, kNumber, "sources");
  at.read_array(rows.first, n + 1, kNumber, "first");
  at.read_array(rows.arcs, rows.arc_count, operations.arc_size, "arcs");
  check_arcs("search_predecessors", n, rows.first, rows.arc_count, rows.arcs, operations.arc_size);
  at.read(rows.distances, operations.value_size, "distances");
  at.read_array(rows.torn, 1, kNumber, "torn");
  at.write(View{rows.torn, 1, 1, 1}, kNumber, "torn");
  const std::int64_t scratch = predecessor_bytes(n, rows.searches);
  at.write(View{rows.scratch, 1, scratch, scratch}, 1, "scratch");
  const int size = predecessor_size(n);
  at.write(out, size, "predecessors");
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

void search_near(const Access& at, const Operations&, const NearSearches& p) {
  if (p.rows == 0) return;
  constexpr int kNumber = sizeof(std::uint32_t);
  const int key = p.whole ? 4 : 8, arc = p.whole ? 8 : 16;
  at.read_array(p.sources, p.rows, kNumber, "sources");
  at.read_array(p.first, p.vertices + 1, kNumber, "first");
  at.read_array(p.arcs, p.arc_count, arc, "arcs");
  check_arcs("search_near", p.vertices, p.first, p.arc_count, p.arcs, arc);
  at.read_array(p.pairs, 1, sizeof(std::uint64_t), "pairs");
  at.write_array(p.pairs, 1, sizeof(std::uint64_t), "pairs");
  at.write_array(p.targets, p.most_pairs, kNumber, "targets");
  at.write_array(p.distances, p.most_pairs, key, "distances");
  at.write_array(p.begin, p.rows, sizeof(std::int64_t), "begin");
  at.write_array(p.found, p.rows, kNumber, "found");
  at.write_array(p.scratch, near_bytes(p.vertices, p.listed, p.searches, p.whole), 1, "scratch");
  for (std::int64_t row = 0; row < p.rows; ++row) {
    require(p.sources[row] < p.vertices, "search_near: a source that is no vertex");
    if (p.whole) {
      near_row<std::uint32_t>(p, row);
    } else {
      near_row<double>(p, row);
    }
  }
}

class Searches final : public SearchKernels {
 public:
  explicit Searches(Core& core) : core_(core) {}

  void search_rows(QueueId queue, const SearchedRows& rows) override {
    check(core_.operations, rows);
    core_.give(queue, "search_rows", strict::search_rows, rows);
  }
  void search_near(QueueId queue, const NearSearches& searches) override {
    check(searches);
    core_.give(queue, "search_near", strict::search_near, searches);
  }
  void search_predecessors(QueueId queue, const SearchedPredecessors& rows) override {
    check(rows);
    core_.give(queue, "search_predecessors", strict::search_predecessors, rows);
  }

 private:
  Core& core_;
};

}  // namespace

std::unique_ptr<SearchKernels> make_searches(Core& core) {
  return std::make_unique<Searches>(core);
}

}  // namespace apsp::kernels::strict
