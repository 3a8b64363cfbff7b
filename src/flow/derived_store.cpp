#include "flow/derived_store.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "store/tiling.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::flow {
namespace {

template <class T>
void gather(const std::byte* from, std::span<const Vertex> columns, std::byte* to) {
  for (const Vertex column : columns) {
    std::memcpy(to, from + column * std::int64_t{sizeof(T)}, sizeof(T));
    to += sizeof(T);
  }
}

store::Layout of(store::Layout whole, store::Selection selection) {
  whole.selection = std::move(selection);
  return whole;
}

constexpr std::size_t kKeptRows = 8;

}  // namespace

void gather_columns(const std::byte* from, std::span<const Vertex> columns, std::int64_t size,
                    std::byte* to) {
  switch (size) {
    case 1:
      return gather<std::uint8_t>(from, columns, to);
    case 2:
      return gather<std::uint16_t>(from, columns, to);
    case 4:
      return gather<std::uint32_t>(from, columns, to);
    default:
      return gather<std::uint64_t>(from, columns, to);
  }
}

SelectedStore::SelectedStore(const store::Store& whole, store::Selection selection)
    : DerivedStore(of(whole.layout(), std::move(selection))), whole_(whole) {}

void SelectedStore::read(store::Plane plane, store::Block block, void* out,
                         std::int64_t stride) const {
  store::require_readable(*this, plane, block);
  if (block.rows == 0 || block.cols == 0) return;
  const std::int64_t n = layout_.n, size = store::value_size(layout_, plane);
  const std::span<const Vertex> targets = layout_.selection.targets.listed();
  const bool whole_rows = layout_.selection.targets.is_all();
  std::vector<std::byte> row(static_cast<std::size_t>(whole_rows ? 0 : n * size));
  auto* to = static_cast<std::byte*>(out);
  for (std::int64_t i = 0; i < block.rows; ++i, to += stride * size) {
    const std::int64_t source = layout_.source(block.row + i);
    if (whole_rows) {
      whole_.read(plane, {source, block.col, 1, block.cols}, to, block.cols);
      continue;
    }
    whole_.read(plane, {source, 0, 1, n}, row.data(), n);
    gather_columns(
        row.data(),
        targets.subspan(static_cast<std::size_t>(block.col), static_cast<std::size_t>(block.cols)),
        size, to);
  }
}

RowSourceStore::RowSourceStore(const RowSource& source)
    : DerivedStore({.n = source.vertices(), .type = source.type(), .semiring = source.semiring()}),
      source_(source),
      benches_([&source] {
        return std::make_unique<Bench>(Bench{source.worker(), {}});
      }) {}

RowSourceStore::Values RowSourceStore::kept(Vertex vertex) const {
  const std::lock_guard lock(mutex_);
  const auto at = std::ranges::find(kept_, vertex, &Kept::vertex);
  return at == kept_.end() ? nullptr : at->values;
}

RowSourceStore::Values RowSourceStore::row(Vertex vertex) const {
  if (Values values = kept(vertex)) return values;
  auto values = std::make_shared<std::vector<std::byte>>(
      static_cast<std::size_t>(layout_.n * size_of(layout_.type)));
  if (!source_.row_by(system::thread_count(0), vertex, values->data())) {
    benches_.use([&](Bench& bench) {
      bench.worker->compute({&vertex, 1}, values->data(), layout_.n);
    });
  }
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kKeptRows) kept_.pop_front();
  kept_.push_back({vertex, values});
  return values;
}

void RowSourceStore::read_rows(store::Block block, std::byte* out, std::int64_t stride) const {
  const std::int64_t size = size_of(layout_.type), n = layout_.n;
  std::vector<Vertex> sources(static_cast<std::size_t>(block.rows));
  std::iota(sources.begin(), sources.end(), static_cast<Vertex>(block.row));
  const std::int64_t rows = source_.block_rows();
  const std::int64_t blocks = (block.rows + rows - 1) / rows;
  const auto compute = [&](std::int64_t item) {
    const std::int64_t first = item * rows, count = std::min(rows, block.rows - first);
    const auto of = std::span(sources).subspan(static_cast<std::size_t>(first),
                                               static_cast<std::size_t>(count));
    std::byte* const to = out + first * stride * size;
    benches_.use([&](Bench& bench) {
      if (block.cols == n) return bench.worker->compute(of, to, stride);
      bench.rows.resize(static_cast<std::size_t>(count * n * size));
      bench.worker->compute(of, bench.rows.data(), n);
      store::copy_rows(to, stride * size, bench.rows.data() + block.col * size, n * size, count,
                       block.cols * size);
    });
  };
  const std::int64_t threads = std::min<std::int64_t>(system::thread_count(0), blocks);
  system::parallel_for(blocks, static_cast<int>(threads), compute);
}

void RowSourceStore::read(store::Plane plane, store::Block block, void* out,
                          std::int64_t stride) const {
  store::require_readable(*this, plane, block);
  if (block.rows == 0 || block.cols == 0) return;
  if (block.rows > 1) return read_rows(block, static_cast<std::byte*>(out), stride);
  const auto source = static_cast<Vertex>(block.row);
  // A kept row is not used if the source computes pairs: both may differ by rounding, and the value
  // of a pair must not depend on earlier reads.
  if (block.cols == 1 && source_.pair(source, static_cast<Vertex>(block.col), out)) return;
  const std::int64_t size = size_of(layout_.type);
  const Values values = row(source);
  std::memcpy(out, values->data() + block.col * size, static_cast<std::size_t>(block.cols * size));
}

}  // namespace apsp::flow
