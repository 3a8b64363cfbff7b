#include "eccentricities/searcher.hpp"

#include <algorithm>
#include <apsp/semiring.hpp>

#include "base/control.hpp"
#include "system/threads.hpp"

namespace apsp::eccentricities {
namespace {

std::size_t vertices_of_round(int threads, std::size_t ways) {
  return std::max<std::size_t>(1, static_cast<std::size_t>(threads) / ways);
}

template <class T>
void widen(const void* values, std::size_t count, double* into) {
  std::copy_n(static_cast<const T*>(values), count, into);
}

}  // namespace

Searcher::Searcher(RowSources rows, int threads)
    : rows_(std::move(rows)), threads_(threads), members_(static_cast<std::size_t>(threads)) {}

std::size_t Searcher::round_size() const { return vertices_of_round(threads_, ways()); }

double Searcher::bytes(std::int64_t vertices, bool symmetric, int threads) {
  const std::size_t ways = symmetric ? 1 : 2;
  const auto rows = static_cast<double>(vertices_of_round(threads, ways) * ways);
  return 2 * rows * sizeof(double) * static_cast<double>(vertices);
}

void Searcher::compute(std::size_t way, std::span<const Vertex> vertices, Member& member,
                       double* distances) {
  const flow::RowSource& rows = source(way);
  const std::int64_t n = rows.vertices(), count = std::ssize(vertices) * n;
  auto& worker = member.workers[way];
  if (worker == nullptr) worker = rows.worker();
  if (rows.type() == ValueType::f64) return worker->compute(vertices, distances, n);
  member.values.require(count * size_of(rows.type()));
  worker->compute(vertices, member.values.data(), n);
  const auto values = static_cast<std::size_t>(count);
  if (rows.type() == ValueType::u16) {
    widen<std::uint16_t>(member.values.data(), values, distances);
  } else {
    widen<std::int32_t>(member.values.data(), values, distances);
  }
}

void Searcher::search(std::span<const Vertex> vertices, Bounds& bounds) {
  const auto n = static_cast<std::size_t>(rows_.from->vertices());
  const std::size_t share = (vertices.size() * ways() + static_cast<std::size_t>(threads_) - 1) /
                            static_cast<std::size_t>(threads_);
  struct Block {
    std::size_t way, first, count;
  };
  std::vector<Block> blocks;
  for (std::size_t way = 0; way < ways(); ++way) {
    distances_[way].resize(std::max(distances_[way].size(), vertices.size() * n));
    const std::size_t rows =
        std::clamp(share, std::size_t{1}, static_cast<std::size_t>(source(way).block_rows()));
    for (std::size_t first = 0; first < vertices.size(); first += rows) {
      blocks.push_back({way, first, std::min(rows, vertices.size() - first)});
    }
  }
  system::parallel_for(std::ssize(blocks), threads_, 1, [&](std::int64_t item, int member) {
    const auto& [way, first, count] = blocks[static_cast<std::size_t>(item)];
    compute(way, vertices.subspan(first, count), members_[static_cast<std::size_t>(member)],
            distances_[way].data() + first * n);
  });
  std::vector<Searched> found;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const std::span<const double> from(distances_[0].data() + i * n, n);
    found.push_back(
        {vertices[i], from, rows_.to ? std::span(distances_[1].data() + i * n, n) : from});
  }
  bounds.add(found);
}

}  // namespace apsp::eccentricities
