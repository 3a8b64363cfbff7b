#include "graph/row_sort.hpp"

#include <algorithm>
#include <cmath>

namespace apsp::graph {
namespace {

constexpr std::size_t kMostRanked = 64;  // arcs of a row; the ranks that are taken fill one word
constexpr std::size_t kLanes = 4;        // of a vector that every processor has
using Lanes = std::int32_t __attribute__((vector_size(16)));

/// False if two targets are the same; what was written is then of no use.
template <class Record>
bool sort_by_ranks(std::span<const Record> arcs, Vertex* targets, double* weights) {
  constexpr Vertex kSignBit = 0x80000000u;  // flipped, unsigned order becomes signed order
  alignas(Lanes) std::int32_t keys[kMostRanked];
  alignas(Lanes) std::int32_t ranks[kMostRanked];
  const std::size_t size = arcs.size();
  for (std::size_t i = 0; i < size; ++i) {
    keys[i] = static_cast<std::int32_t>(arcs[i].to() ^ kSignBit);
  }
  for (std::size_t i = size; i % kLanes != 0; ++i) keys[i] = 0;
  for (std::size_t i = 0; i < size; i += kLanes) {
    const Lanes mine = *reinterpret_cast<const Lanes*>(keys + i);
    Lanes smaller = {};
    for (std::size_t j = 0; j < size; ++j) smaller -= mine > (Lanes{} + keys[j]);
    *reinterpret_cast<Lanes*>(ranks + i) = smaller;
  }
  std::uint64_t taken = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const auto rank = static_cast<std::size_t>(ranks[i]);
    taken |= std::uint64_t{1} << rank;
    targets[rank] = arcs[i].to();
    weights[rank] = arcs[i].weight();
  }
  return size == 0 || taken == ~std::uint64_t{0} >> (kMostRanked - size);
}

template <class Record>
void sort_row(std::span<Record> arcs, Vertex* targets, double* weights) {
  if (arcs.size() <= kMostRanked && sort_by_ranks<Record>(arcs, targets, weights)) return;
  if (!std::is_sorted(arcs.begin(), arcs.end())) std::sort(arcs.begin(), arcs.end());
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    targets[i] = arcs[i].to();
    weights[i] = arcs[i].weight();
  }
}

/// In two halves, as the next maximum waits for the one before.
double largest_magnitude(std::span<const double> weights) {
  double even = 0, odd = 0;
  std::size_t i = 0;
  for (; i + 1 < weights.size(); i += 2) {
    even = std::max(even, std::abs(weights[i]));
    odd = std::max(odd, std::abs(weights[i + 1]));
  }
  if (i < weights.size()) even = std::max(even, std::abs(weights[i]));
  return std::max(even, odd);
}

}  // namespace

/// `ends_` becomes where each row begins.
void RowSort::count_rows(std::span<const ArcChunk* const> chunks, Vertex first_row,
                         std::size_t rows) {
  ends_.assign(rows + 1, 0);
  for (const ArcChunk* chunk : chunks) {
    chunk->for_each_arc([first_row, ends = ends_.data() + 1](Vertex row, Vertex, auto) {
      ++ends[row - first_row];
    });
  }
  for (std::size_t row = 1; row < ends_.size(); ++row) ends_[row] += ends_[row - 1];
}

void RowSort::sort(std::span<const ArcChunk* const> chunks, Vertex first_row, Vertex first_id,
                   const RowsPart& part) {
  count_rows(chunks, first_row, part.ends.size());
  const auto scatter_to = [&](auto* arcs) {
    return [first_row, first_id, ends = ends_.data(), arcs](Vertex row, Vertex to, auto weight) {
      arcs[ends[row - first_row]++] = {to - first_id, weight};
    };
  };
  const bool whole = std::all_of(chunks.begin(), chunks.end(),
                                 [](const ArcChunk* chunk) { return chunk->is_whole(); });
  if (whole) {
    if (whole_.size() < part.targets.size()) whole_.resize(part.targets.size());
    const auto scatter = scatter_to(whole_.data());
    for (const ArcChunk* chunk : chunks) chunk->for_each_whole_arc(scatter);
    return sort_rows(whole_, part);
  }
  if (real_.size() < part.targets.size()) real_.resize(part.targets.size());
  const auto scatter = scatter_to(real_.data());
  for (const ArcChunk* chunk : chunks) {
    chunk->for_each_arc(
        [&](Vertex row, Vertex to, auto weight) { scatter(row, to, static_cast<double>(weight)); });
  }
  sort_rows(real_, part);
}

template <class Record>
void RowSort::sort_rows(std::vector<Record>& arcs, const RowsPart& part) {
  std::size_t first = 0;
  for (std::size_t row = 0; row < part.ends.size(); ++row) {
    const std::size_t size = ends_[row] - first;
    sort_row(std::span<Record>(arcs).subspan(first, size), part.targets.data() + first,
             part.weights.data() + first);
    part.largest[row] = largest_magnitude(part.weights.subspan(first, size));
    first += size;
    part.ends[row] = part.first_arc + static_cast<std::int64_t>(first);
  }
}

}  // namespace apsp::graph
