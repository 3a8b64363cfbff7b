#include "store/disk_matrix.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "base/fail.hpp"
#include "store/tiling.hpp"
#include "store/zarr_graph.hpp"

namespace apsp::store {

DamagedMatrix::DamagedMatrix(std::string place)
    : Error(ErrorKind::input,
            place + "; apsp clean removes what is left of this run, and `overwrite` starts over"),
      place_(std::move(place)) {}

DiskMatrix::DiskMatrix(FileSystem& files, const std::string& output, const JournalHead& head,
                       const Graph& graph)
    : Store(head.layout), files_(files), together_(head.layout.tile) {
  require_layout(layout_);
  const std::string target = files.resolve(without_last_slashes(output));
  partial_ = claim_partial(files, target);
  try {
    files.make_directory(partial_.path);
    if (files.kind(target) != FileKind::none) files.restrict_to_owner(partial_.path);
    for (const int generation : {0, 1}) open_new(generation);
    write_graph(ZarrGroup(files, partial_.path, false), graph);
    ledger_ = std::make_unique<Journal>(files, partial_.path, head);
    // After a power cut, what is synced must have its name too.
    files.sync_names(partial_.path);
    files.sync_names(parent_of(partial_.path));
  } catch (...) {
    discard_partial(files, std::move(partial_));
    throw;
  }
}

DiskMatrix::DiskMatrix(FileSystem& files, const Resumable& from, const JournalHead& head)
    : Store(head.layout), files_(files), together_(head.layout.tile) {
  TakenUp taken = take_up(files, from, head);
  partial_ = std::move(taken.partial);
  try {
    open_again(taken.contents);
  } catch (...) {
    partial_.claim->abandon();
    throw;
  }
}

DiskMatrix::DiskMatrix(Joined, FileSystem& files, const std::string& place, const Layout& layout,
                       const std::optional<Cut>& cut)
    : Store(layout), files_(files), partial_{place, nullptr}, cut_(cut), together_(layout.tile) {
  if (files.kind(place) != FileKind::directory) throw not_shared(place);
  for (const int generation : {0, 1}) {
    // Of a matrix that is solved only one is left.
    if (files.kind(path(generation)) == FileKind::file) open_old(generation);
  }
}

DiskMatrix::~DiskMatrix() {
  if (ledger_ == nullptr) return;  // another process's, or there is none
  if (!done_with_ && cut_ && cut_->pivots > 0) {
    partial_.claim->abandon();
  } else {
    discard_partial(files_, std::move(partial_));
  }
}

std::int64_t DiskMatrix::bytes() const {
  return matrix_bytes(layout_.n, layout_.n * size_of(layout_.type));
}

std::int64_t DiskMatrix::bytes_with_sums(std::int64_t together) const {
  const std::int64_t parts = (layout_.n + together - 1) / together;
  return bytes() + kTogetherBytes + matrix_bytes(layout_.n, parts * kSumBytes);
}

std::string DiskMatrix::path(int generation) const {
  return join(partial_.path, fmt::format("generation-{}", generation));
}

/// Every process writes down the same.
void DiskMatrix::note_checksum_columns(File& file, std::int64_t columns) const {
  file.out->write(bytes(), std::as_bytes(std::span(&columns, 1)));
  file.together = columns;
}

void DiskMatrix::open_new(int generation) {
  File& file = generations_[static_cast<std::size_t>(generation)];
  file.out = files_.create(path(generation));
  file.out->reserve(bytes_with_sums(together_));
  file.in = files_.open(path(generation));
  note_checksum_columns(file, together_);
}

void DiskMatrix::open_old(int generation) {
  File& file = generations_[static_cast<std::size_t>(generation)];
  file.in = files_.open(path(generation));
  const std::int64_t size = file.in->size();
  if (size >= bytes() + kTogetherBytes) {
    file.in->read(bytes(), std::as_writable_bytes(std::span(&file.together, 1)));
  }
  const bool sensible = file.together > 0 && file.together <= std::max(layout_.n, layout_.tile);
  if (!sensible || size < bytes_with_sums(file.together)) {
    base::fail_input(
        path(generation),
        "{} bytes where {} and checksums should be; apsp clean removes what is left of "
        "this run",
        size, bytes());
  }
  file.out = files_.reopen(path(generation), size);
}

void DiskMatrix::open_again(const JournalContents& contents) {
  cut_ = contents.cut;
  if (!cut_) base::fail_input(join(partial_.path, kLedgerName), "no step is complete");
  const int current = cut_->generation;
  if (files_.kind(path(current)) == FileKind::none) {
    base::fail_input(path(current),
                     "this file is missing; apsp clean removes what is left of this run, and "
                     "`overwrite` starts over");
  }
  open_old(current);
  ledger_ = std::make_unique<Journal>(files_, partial_.path, contents);
  files_.remove_all(path(1 - current));
  if (cut_->pivots == layout_.n) return;
  open_new(1 - current);
  files_.sync_names(partial_.path);
}

void DiskMatrix::begin_again() {
  const int next = number(Generation::next);
  if (file(Generation::next).out != nullptr) return;
  ledger_ != nullptr ? open_new(next) : open_old(next);
}

void DiskMatrix::set_checksum_columns(std::int64_t columns) {
  together_ = std::clamp<std::int64_t>(columns, 1, std::max<std::int64_t>(1, layout_.n));
  File& next = generations_[static_cast<std::size_t>(number(Generation::next))];
  if (next.out != nullptr && next.together != together_) note_checksum_columns(next, together_);
}

int DiskMatrix::number(Generation generation) const {
  const int current = cut_ ? cut_->generation : 1;
  return generation == Generation::current ? current : 1 - current;
}

const DiskMatrix::File& DiskMatrix::file(Generation generation) const {
  return generations_[static_cast<std::size_t>(number(generation))];
}

void DiskMatrix::flush() { file(Generation::next).out->sync(); }

void DiskMatrix::commit_step(std::int64_t pivots) {
  const Cut cut{pivots, number(Generation::next)};
  if (ledger_ != nullptr) {
    flush();
    ledger_->note(cut);
  }
  cut_ = cut;
  if (pivots < layout_.n) return set_checksum_columns(together_);
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
  throw Error(ErrorKind::usage, "a matrix that is solved on disk is not a result");
}

}  // namespace apsp::store
