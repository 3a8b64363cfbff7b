#include "store/disk_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <span>
#include <utility>

#include "store/tiling.hpp"
#include "store/zarr_graph.hpp"

namespace apsp::store {
namespace {

std::span<std::byte> bytes_at(void* at, std::int64_t bytes) {
  return {static_cast<std::byte*>(at), static_cast<std::size_t>(bytes)};
}
std::span<const std::byte> bytes_at(const void* at, std::int64_t bytes) {
  return {static_cast<const std::byte*>(at), static_cast<std::size_t>(bytes)};
}

}  // namespace

DiskMatrix::DiskMatrix(FileSystem& files, const std::string& output, const LedgerHead& head,
                       const Graph& graph)
    : Store(head.layout), files_(files) {
  require_layout(layout_);
  base::Partial partial = claim_partial(files, output);
  claim_ = std::move(partial.claim);
  partial_ = std::move(partial.path);
  try {
    files.make_directory(partial_);
    for (const int generation : {0, 1}) open_new(generation);
    write_graph(ZarrGroup(files, partial_, false), graph);
    ledger_ = std::make_unique<RowLedger>(files, partial_, head);
    // After a power cut, what is synced must have its name too.
    files.sync_names(partial_);
    files.sync_names(parent_of(partial_));
  } catch (const Error&) {
    files.discard(partial_);
    throw;
  }
}

DiskMatrix::DiskMatrix(FileSystem& files, const Resumable& from, const LedgerHead& head)
    : Store(head.layout), files_(files) {
  TakenUp taken = take_up(files, from, head);
  claim_ = std::move(taken.partial.claim);
  partial_ = std::move(taken.partial.path);
  try {
    open_again(taken.contents);
  } catch (const Error&) {
    claim_->abandon();
    throw;
  }
}

DiskMatrix::DiskMatrix(Joined, FileSystem& files, const std::string& place, const Layout& layout,
                       const std::optional<Cut>& cut)
    : Store(layout), files_(files), partial_(place), cut_(cut) {
  for (const int generation : {0, 1}) {
    // Of a matrix that is solved only one is left.
    if (files.kind(path(generation)) != FileKind::file) continue;
    File& file = generations_[static_cast<std::size_t>(generation)];
    file.out = files.reopen(path(generation), bytes());
    file.in = files.open(path(generation));
  }
}

std::unique_ptr<DiskMatrix> DiskMatrix::joined(FileSystem& files, const std::string& place,
                                               const Layout& layout,
                                               const std::optional<Cut>& cut) {
  if (files.kind(place) != FileKind::directory) throw not_shared(place);
  return std::unique_ptr<DiskMatrix>(new DiskMatrix(Joined{}, files, place, layout, cut));
}

DiskMatrix::~DiskMatrix() {
  if (ledger_ == nullptr) return;  // another process's, or there is none
  if (!done_with_ && cut_ && cut_->pivots > 0) {
    claim_->abandon();
  } else {
    files_.discard(partial_);
  }
}

std::int64_t DiskMatrix::bytes() const {
  return matrix_bytes(layout_.n, layout_.n * size_of(layout_.type));
}

std::string DiskMatrix::path(int generation) const {
  return join(partial_, fmt::format("generation-{}", generation));
}

void DiskMatrix::open_new(int generation) {
  File& file = generations_[static_cast<std::size_t>(generation)];
  file.out = files_.create(path(generation));
  file.out->reserve(bytes());
  file.in = files_.open(path(generation));
}

void DiskMatrix::open_again(const LedgerContents& contents) {
  cut_ = contents.cut;
  if (!cut_) throw Error::malformed({join(partial_, kLedgerName), 0, 0}, "no step is complete");
  const int current = cut_->generation;
  File& file = generations_[static_cast<std::size_t>(current)];
  file.in = files_.open(path(current));
  if (file.in->size() != bytes()) {
    throw Error::malformed({path(current), 0, 0},
                           fmt::format("{} bytes where {} should be; apsp clean removes what is "
                                       "left of this run",
                                       file.in->size(), bytes()));
  }
  file.out = files_.reopen(path(current), bytes());
  ledger_ = std::make_unique<RowLedger>(files_, partial_, contents);
  files_.remove_all(path(1 - current));
  if (cut_->pivots == layout_.n) return;
  open_new(1 - current);
  files_.sync_names(partial_);
}

int DiskMatrix::number(Generation generation) const {
  const int current = cut_ ? cut_->generation : 1;
  return generation == Generation::current ? current : 1 - current;
}

const DiskMatrix::File& DiskMatrix::file(Generation generation) const {
  return generations_[static_cast<std::size_t>(number(generation))];
}

std::int64_t DiskMatrix::offset(std::int64_t band, std::int64_t row) const {
  return (layout_.n * first_column(band) + row * columns(band)) * size_of(layout_.type);
}

void DiskMatrix::read_band(Generation generation, std::int64_t band, std::int64_t row,
                           std::int64_t rows, void* out) const {
  file(generation)
      .in->read(offset(band, row), bytes_at(out, rows * columns(band) * size_of(layout_.type)));
}

void DiskMatrix::write_band(std::int64_t band, std::int64_t row, std::int64_t rows,
                            const void* in) {
  file(Generation::next)
      .out->write(offset(band, row), bytes_at(in, rows * columns(band) * size_of(layout_.type)));
}

template <class Visit>
void DiskMatrix::for_each_band(const Block& block, const Visit& visit) const {
  const std::int64_t end = block.col + block.cols;
  for (std::int64_t col = block.col; col < end;) {
    const std::int64_t band = col / layout_.tile, first = col - first_column(band);
    const std::int64_t count = std::min(columns(band) - first, end - col);
    visit(band, first, count, col - block.col);
    col += count;
  }
}

void DiskMatrix::read_block(Generation generation, Block block, void* out,
                            std::int64_t stride) const {
  const std::int64_t size = size_of(layout_.type);
  for_each_band(
      block, [&](std::int64_t band, std::int64_t first, std::int64_t count, std::int64_t at) {
        if (count == columns(band) && stride == count) {
          return read_band(generation, band, block.row, block.rows, out);
        }
        for (std::int64_t i = 0; i < block.rows; ++i) {
          file(generation)
              .in->read(
                  offset(band, block.row + i) + first * size,
                  bytes_at(static_cast<std::byte*>(out) + (i * stride + at) * size, count * size));
        }
      });
}

void DiskMatrix::write_block(Block block, const void* in, std::int64_t stride) {
  const std::int64_t size = size_of(layout_.type);
  for_each_band(
      block, [&](std::int64_t band, std::int64_t first, std::int64_t count, std::int64_t at) {
        if (count == columns(band) && stride == count) {
          return write_band(band, block.row, block.rows, in);
        }
        for (std::int64_t i = 0; i < block.rows; ++i) {
          file(Generation::next)
              .out->write(offset(band, block.row + i) + first * size,
                          bytes_at(static_cast<const std::byte*>(in) + (i * stride + at) * size,
                                   count * size));
        }
      });
}

void DiskMatrix::flush() { file(Generation::next).out->sync(); }

void DiskMatrix::commit_step(std::int64_t pivots) {
  const Cut cut{pivots, number(Generation::next)};
  if (ledger_ != nullptr) {
    flush();
    ledger_->note(cut);
  }
  cut_ = cut;
  if (pivots < layout_.n) return;
  generations_[static_cast<std::size_t>(1 - cut.generation)] = {};
  if (ledger_ != nullptr) files_.discard(path(1 - cut.generation));
}

void DiskMatrix::read(Plane plane, Block block, void* out, std::int64_t stride) const {
  require_readable(*this, plane, block);
  read_block(Generation::current, block, out, stride);
}

void DiskMatrix::write(Plane, Block, const void*, std::int64_t) {
  throw Error(ErrorKind::usage, "a matrix that is solved on disk is written step by step");
}

void DiskMatrix::commit(const Graph&, const Metadata&) {
  throw Error(ErrorKind::usage, "a matrix that is solved on disk is no result");
}

}  // namespace apsp::store
