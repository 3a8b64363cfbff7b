#include "query/predecessor_rows.hpp"

#include <algorithm>
#include <memory>

#include "base/rounded_up.hpp"

namespace apsp::query {

PredecessorRows::TreeWorker::TreeWorker(const Graph& graph, const store::Layout& layout)
    : tree(graph, layout), row(static_cast<std::size_t>(layout.n)) {}

PredecessorRows::PredecessorRows(const Graph& graph, store::Store& to, int threads)
    : RowSink(to.layout().n, to.layout().type),
      to_(to),
      bands_(to, store::Plane::predecessor, threads),
      workers_([&graph, &to] { return std::make_unique<TreeWorker>(graph, to.layout()); }) {}

std::int64_t PredecessorRows::bytes(std::int64_t n, std::int64_t tile, int threads) {
  constexpr std::int64_t kVertexOfTree = 150;
  constexpr std::int64_t kValue = sizeof(std::int32_t);
  const std::int64_t side = std::min(tile, n);
  return store::BandWriter::most_bands(threads) * side *
             base::rounded_up(n, std::max<std::int64_t>(side, 1)) * kValue +
         threads * n * (kVertexOfTree + kValue);
}

void PredecessorRows::accept(const RowBlock& block) {
  workers_.lend([&](TreeWorker& worker) {
    const auto* distances = static_cast<const std::byte*>(block.values);
    for (const Vertex source : block.sources) {
      worker.tree.write(source, distances, worker.row.data());
      const auto row = static_cast<std::int64_t>(source);
      const store::RowView room = bands_.room({&row, 1});
      std::byte* to = room.rows.front();
      for (std::int64_t col = 0; col < columns(); col += room.group, to += room.apart) {
        const std::int64_t end = std::min(col + room.group, columns());
        std::copy(worker.row.begin() + col, worker.row.begin() + end,
                  reinterpret_cast<std::int32_t*>(to));
      }
      bands_.filled({&row, 1});
      distances += block.stride * size_of(block.type);
    }
  });
}

void PredecessorRows::complete() {
  bands_.finish();
  to_.flush();
}

}  // namespace apsp::query
