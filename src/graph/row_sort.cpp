#include "graph/row_sort.hpp"

#include <algorithm>

namespace apsp::graph {
namespace {

constexpr std::size_t kMostRanked = 64;  // arcs of a row; the ranks that are taken fill one word
constexpr std::size_t kLanes = 4;        // of a vector that every processor has
using Lanes = std::int32_t __attribute__((vector_size(16)));

void sort_parallel_arcs(std::span<const Vertex> targets, std::span<double> weights) {
  for (std::size_t i = 0, j = 0; i < targets.size(); i = j) {
    while (j < targets.size() && targets[j] == targets[i]) ++j;
    std::sort(weights.begin() + static_cast<std::ptrdiff_t>(i),
              weights.begin() + static_cast<std::ptrdiff_t>(j));
  }
}

}  // namespace

void RowSort::sort(std::span<Vertex> targets, std::span<double> weights,
                   std::span<const std::uint16_t> row_of, std::span<std::int64_t> row_ends,
                   std::int64_t first_arc) {
  const std::size_t arcs = targets.size();
  ends_.assign(row_ends.size() + 1, 0);
  for (const std::uint16_t row : row_of) ++ends_[row + std::size_t{1}];
  for (std::size_t row = 1; row < ends_.size(); ++row) ends_[row] += ends_[row - 1];
  if (targets_.size() < arcs) {
    targets_.resize(arcs);
    weights_.resize(arcs);
  }
  for (std::size_t i = 0; i < arcs; ++i) {
    const std::uint32_t slot = ends_[row_of[i]]++;
    targets_[slot] = targets[i];
    weights_[slot] = weights[i];
  }
  std::size_t first = 0;
  for (std::size_t row = 0; row < row_ends.size(); ++row) {
    const std::size_t size = ends_[row] - first;
    sort_row(first, targets.subspan(first, size), weights.subspan(first, size));
    first += size;
    row_ends[row] = first_arc + static_cast<std::int64_t>(first);
  }
}

/// Sorts the arcs that stand from `first` on in `targets_` and `weights_`.
void RowSort::sort_row(std::size_t first, std::span<Vertex> targets, std::span<double> weights) {
  if (targets.size() <= kMostRanked && sort_by_ranks(first, targets, weights)) return;
  sort_by_keys(first, targets, weights);
  sort_parallel_arcs(targets, weights);
}

/// False if two targets are the same; what was written is then of no use.
bool RowSort::sort_by_ranks(std::size_t first, std::span<Vertex> targets,
                            std::span<double> weights) const {
  constexpr Vertex kSignBit = 0x80000000u;  // flipped, unsigned order becomes signed order
  alignas(Lanes) std::int32_t keys[kMostRanked];
  alignas(Lanes) std::int32_t ranks[kMostRanked];
  const std::size_t size = targets.size();
  for (std::size_t i = 0; i < size; ++i) {
    keys[i] = static_cast<std::int32_t>(targets_[first + i] ^ kSignBit);
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
    targets[rank] = targets_[first + i];
    weights[rank] = weights_[first + i];
  }
  return size == 0 || taken == ~std::uint64_t{0} >> (kMostRanked - size);
}

void RowSort::sort_by_keys(std::size_t first, std::span<Vertex> targets,
                           std::span<double> weights) {
  keys_.resize(targets.size());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    keys_[i] = std::uint64_t{targets_[first + i]} << 32 | i;
  }
  if (!std::is_sorted(keys_.begin(), keys_.end())) std::sort(keys_.begin(), keys_.end());
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    targets[i] = static_cast<Vertex>(keys_[i] >> 32);
    weights[i] = weights_[first + (keys_[i] & 0xFFFFFFFFu)];
  }
}

}  // namespace apsp::graph
