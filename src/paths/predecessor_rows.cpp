#include "paths/predecessor_rows.hpp"

#include <algorithm>
#include <memory>

#include "base/rounded_up.hpp"

namespace apsp::paths {

PredecessorRows::PredecessorRows(const Graph& graph, store::Store& to, int threads)
    : RowSink(to.layout().n, to.layout().type, to.layout().selection),
      to_(to),
      bands_(to, store::Plane::predecessor, threads),
      trees_([&graph, &to] {
        return std::make_unique<PredecessorTree>(graph, to.layout().semiring, to.layout().type);
      }) {}

std::int64_t PredecessorRows::bytes(std::int64_t n, std::int64_t tile, int threads) {
  constexpr std::int64_t kVertexOfTree = 150;
  constexpr std::int64_t kValue = sizeof(std::int32_t);
  const std::int64_t side = std::min(tile, n);
  return flow::BandWriter::most_bands(threads) * side *
             base::rounded_up(n, std::max<std::int64_t>(side, 1)) * kValue +
         threads * n * kVertexOfTree;
}

void PredecessorRows::accept(const RowBlock& block) {
  if (block.predecessors != nullptr) {
    const std::int32_t* found = block.predecessors;
    for (const Vertex source : block.sources) {
      write(source, found);
      found += block.stride;
    }
    return;
  }
  trees_.use([&](PredecessorTree& tree) {
    const auto* distances = static_cast<const std::byte*>(block.values);
    for (const Vertex source : block.sources) {
      write(source, tree.of(source, distances).data());
      distances += block.stride * size_of(block.type);
    }
  });
}

template <class T>
void PredecessorRows::write(Vertex source, const T* found) {
  const std::int64_t row = row_of(source);
  const store::RowView view = bands_.reserve({&row, 1});
  std::byte* to = view.rows.front();
  for (std::int64_t col = 0; col < columns(); col += view.group, to += view.apart) {
    const std::int64_t end = std::min(col + view.group, columns());
    std::copy(found + col, found + end, reinterpret_cast<std::int32_t*>(to));
  }
  bands_.commit({&row, 1});
}

void PredecessorRows::complete() {
  bands_.finish();
  to_.flush();
}

}  // namespace apsp::paths
