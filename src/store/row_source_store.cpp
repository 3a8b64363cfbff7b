#include "store/row_source_store.hpp"

#include <algorithm>
#include <apsp/error.hpp>
#include <cstring>
#include <numeric>

#include "base/machine.hpp"
#include "base/team.hpp"
#include "store/tiling.hpp"

namespace apsp::store {
namespace {

constexpr std::size_t kKeptRows = 8;

[[noreturn]] void refuse() {
  throw Error(ErrorKind::usage, "distances that are computed when asked for cannot be written to");
}

}  // namespace

RowSourceStore::RowSourceStore(const RowSource& source)
    : Store({.n = source.vertices(), .type = source.type(), .semiring = source.semiring()}),
      source_(source),
      benches_([&source] {
        return std::make_unique<Bench>(Bench{source.worker(), {}});
      }) {}

RowSourceStore::Values RowSourceStore::kept(Vertex vertex) const {
  const std::lock_guard lock(mutex_);
  const auto at = std::find_if(kept_.begin(), kept_.end(),
                               [&](const Kept& one) { return one.vertex == vertex; });
  return at == kept_.end() ? nullptr : at->values;
}

RowSourceStore::Values RowSourceStore::row(Vertex vertex) const {
  if (Values values = kept(vertex)) return values;
  auto values = std::make_shared<std::vector<std::byte>>(
      static_cast<std::size_t>(layout_.n * size_of(layout_.type)));
  benches_.lend([&](Bench& bench) {
    bench.worker->compute({&vertex, 1}, values->data(), layout_.n);
  });
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kKeptRows) kept_.pop_front();
  kept_.push_back({vertex, values});
  return values;
}

void RowSourceStore::read_rows(Block block, std::byte* out, std::int64_t stride) const {
  const std::int64_t size = size_of(layout_.type), n = layout_.n;
  std::vector<Vertex> sources(static_cast<std::size_t>(block.rows));
  std::iota(sources.begin(), sources.end(), static_cast<Vertex>(block.row));
  const std::int64_t rows = source_.block_rows();
  const std::int64_t blocks = (block.rows + rows - 1) / rows;
  base::share_items(blocks, static_cast<int>(std::min<std::int64_t>(base::thread_count(0), blocks)),
                    [&](std::int64_t item) {
                      const std::int64_t first = item * rows;
                      const std::int64_t count = std::min(rows, block.rows - first);
                      const auto of = std::span(sources).subspan(static_cast<std::size_t>(first),
                                                                 static_cast<std::size_t>(count));
                      std::byte* const to = out + first * stride * size;
                      benches_.lend([&](Bench& bench) {
                        if (block.cols == n) return bench.worker->compute(of, to, stride);
                        bench.rows.resize(static_cast<std::size_t>(count * n * size));
                        bench.worker->compute(of, bench.rows.data(), n);
                        copy_rows(to, stride * size, bench.rows.data() + block.col * size, n * size,
                                  count, block.cols * size);
                      });
                    });
}

void RowSourceStore::read(Plane plane, Block block, void* out, std::int64_t stride) const {
  require_readable(*this, plane, block);
  if (block.rows == 0 || block.cols == 0) return;
  if (block.rows > 1) return read_rows(block, static_cast<std::byte*>(out), stride);
  const auto source = static_cast<Vertex>(block.row);
  // Never from a kept row where the source gives pairs: the two may differ by rounding, and what a
  // pair gives must not depend on what was asked before.
  if (block.cols == 1 && source_.pair(source, static_cast<Vertex>(block.col), out)) return;
  const std::int64_t size = size_of(layout_.type);
  const Values values = row(source);
  std::memcpy(out, values->data() + block.col * size, static_cast<std::size_t>(block.cols * size));
}

void RowSourceStore::write(Plane, Block, const void*, std::int64_t) { refuse(); }
void RowSourceStore::commit(const Graph&, const Metadata&) { refuse(); }

}  // namespace apsp::store
