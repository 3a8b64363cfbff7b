#include "store/disk_matrix.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/control.hpp"
#include "base/fail.hpp"
#include "store/crc32c.hpp"
#include "store/tiling.hpp"
#include "store/zarr_graph.hpp"
#include "system/threads.hpp"

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
    journal_ = std::make_unique<Journal>(files, partial_.path, head);
    // After a power cut, synced files must have their names too.
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
                       const std::optional<Checkpoint>& checkpoint)
    : Store(layout),
      files_(files),
      partial_{place, nullptr},
      checkpoint_(checkpoint),
      together_(layout.tile) {
  if (files.kind(place) != FileKind::directory) throw not_shared(place);
  for (const int generation : {0, 1}) {
    if (files.kind(path(generation)) == FileKind::file) open_old(generation);
  }
}

DiskMatrix::~DiskMatrix() {
  if (journal_ == nullptr) return;  // another process's, or none
  if (!done_with_ && checkpoint_ && checkpoint_->pivots > 0) {
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

/// Every process writes the same value.
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
  checkpoint_ = contents.checkpoint;
  if (!checkpoint_) base::fail_input(join(partial_.path, kJournalName), "no step is complete");
  const int current = checkpoint_->generation;
  if (files_.kind(path(current)) == FileKind::none) {
    base::fail_input(path(current),
                     "this file is missing; apsp clean removes what is left of this run, and "
                     "`overwrite` starts over");
  }
  open_old(current);
  journal_ = std::make_unique<Journal>(files_, partial_.path, contents);
  files_.remove_all(path(1 - current));
  if (checkpoint_->pivots == layout_.n) return;
  open_new(1 - current);
  files_.sync_names(partial_.path);
}

void DiskMatrix::begin_again() {
  const int next = number(Generation::next);
  if (file(Generation::next).out != nullptr) return;
  journal_ != nullptr ? open_new(next) : open_old(next);
}

void DiskMatrix::set_checksum_columns(std::int64_t columns) {
  together_ = std::clamp<std::int64_t>(columns, 1, std::max<std::int64_t>(1, layout_.n));
  File& next = generations_[static_cast<std::size_t>(number(Generation::next))];
  if (next.out != nullptr && next.together != together_) note_checksum_columns(next, together_);
}

int DiskMatrix::number(Generation generation) const {
  const int current = checkpoint_ ? checkpoint_->generation : 1;
  return generation == Generation::current ? current : 1 - current;
}

const DiskMatrix::File& DiskMatrix::file(Generation generation) const {
  return generations_[static_cast<std::size_t>(number(generation))];
}

void DiskMatrix::flush() { file(Generation::next).out->sync(); }

void DiskMatrix::commit_step(std::int64_t pivots) {
  const Checkpoint checkpoint{pivots, number(Generation::next)};
  if (journal_ != nullptr) {
    flush();
    journal_->note(checkpoint);
  }
  checkpoint_ = checkpoint;
  if (pivots < layout_.n) return set_checksum_columns(together_);
  generations_[static_cast<std::size_t>(1 - checkpoint.generation)] = {};
  if (journal_ != nullptr) files_.discard(path(1 - checkpoint.generation));
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

namespace {

std::span<std::byte> bytes_at(void* at, std::int64_t bytes) {
  return {static_cast<std::byte*>(at), static_cast<std::size_t>(bytes)};
}
std::span<const std::byte> bytes_at(const void* at, std::int64_t bytes) {
  return {static_cast<const std::byte*>(at), static_cast<std::size_t>(bytes)};
}

/// Rows that fit in the second-level cache and are worth a system call.
std::int64_t rows_at_once(std::int64_t row_bytes) {
  constexpr std::int64_t kBytes = std::int64_t{1} << 19;
  return std::max<std::int64_t>(1, kBytes / row_bytes);
}

}  // namespace

std::int64_t DiskMatrix::offset(std::int64_t band, std::int64_t row) const {
  return (layout_.n * first_column(band) + row * columns(band)) * size_of(layout_.type);
}

std::int64_t DiskMatrix::sum_offset(const File& file, Columns columns, std::int64_t row) const {
  return bytes() + kTogetherBytes + (columns.first / file.together * layout_.n + row) * kSumBytes;
}

template <class Visit>
void DiskMatrix::for_each_band(Columns of, const Visit& visit) const {
  const std::int64_t end = of.first + of.count;
  for (std::int64_t col = of.first; col < end;) {
    const std::int64_t band = col / layout_.tile, first = col - first_column(band);
    const std::int64_t count = std::min(columns(band) - first, end - col);
    visit(band, first, count, col - of.first);
    col += count;
  }
}

void DiskMatrix::read_checked(Generation generation, Columns of, std::int64_t row,
                              std::int64_t rows, std::byte* out, std::int64_t stride) const {
  const File& from = file(generation);
  const std::int64_t size = size_of(layout_.type);
  const auto visit = [&](std::int64_t band, std::int64_t first, std::int64_t count,
                         std::int64_t at) {
    if (count == columns(band)) {
      return from.in->read_rows(offset(band, row), out + at * size, stride * size, count * size,
                                rows);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      from.in->read(offset(band, row + i) + first * size,
                    bytes_at(out + (i * stride + at) * size, count * size));
    }
  };
  for_each_band(of, visit);
  std::vector<std::uint32_t> computed(static_cast<std::size_t>(rows)), stored(computed.size());
  crc32c_of_rows(out, stride * size, of.count * size, computed);
  from.in->read(sum_offset(from, of, row), std::as_writable_bytes(std::span(stored)));
  const auto [differs, other] = std::mismatch(computed.begin(), computed.end(), stored.begin());
  if (differs == computed.end()) return;
  throw DamagedMatrix(fmt::format(
      "{}: columns {} to {} of row {} are not what was written (checksum stored {:08x}, computed "
      "{:08x})",
      path(number(generation)), of.first, of.first + of.count - 1,
      row + (differs - computed.begin()), *other, *differs));
}

void DiskMatrix::read_block(Generation generation, Block block, void* out,
                            std::int64_t stride) const {
  const std::int64_t size = size_of(layout_.type), end = block.col + block.cols;
  const std::int64_t together = file(generation).together;
  std::vector<std::byte> whole;
  for (std::int64_t first = block.col / together * together; first < end; first += together) {
    const Columns part{first, std::min(together, layout_.n - first)};
    const std::int64_t from = std::max(first, block.col);
    const std::int64_t count = std::min(first + part.count, end) - from;
    const std::int64_t high = rows_at_once(part.count * size);
    for (std::int64_t i = 0; i < block.rows; i += high) {
      const std::int64_t rows = std::min(high, block.rows - i);
      std::byte* const to = static_cast<std::byte*>(out) + (i * stride + from - block.col) * size;
      if (count == part.count) {
        read_checked(generation, part, block.row + i, rows, to, stride);
        continue;
      }
      whole.resize(static_cast<std::size_t>(rows * part.count * size));
      read_checked(generation, part, block.row + i, rows, whole.data(), part.count);
      copy_rows(to, stride * size, whole.data() + (from - first) * size, part.count * size, rows,
                count * size);
    }
  }
}

void DiskMatrix::write_summed(Columns of, std::int64_t row, std::int64_t rows, const std::byte* in,
                              std::int64_t stride) {
  const std::int64_t size = size_of(layout_.type);
  const File& to = file(Generation::next);
  std::vector<std::uint32_t> sums(static_cast<std::size_t>(rows));
  crc32c_of_rows(in, stride * size, of.count * size, sums);
  const auto visit = [&](std::int64_t band, std::int64_t first, std::int64_t count,
                         std::int64_t at) {
    if (count == columns(band)) {
      return to.out->write_rows(offset(band, row), in + at * size, stride * size, count * size,
                                rows);
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      to.out->write(offset(band, row + i) + first * size,
                    bytes_at(in + (i * stride + at) * size, count * size));
    }
  };
  for_each_band(of, visit);
  to.out->write(sum_offset(to, of, row), std::as_bytes(std::span(sums)));
}

void DiskMatrix::write_block(Block block, const void* in, std::int64_t stride) {
  const std::int64_t size = size_of(layout_.type), end = block.col + block.cols;
  const std::int64_t together = file(Generation::next).together;
  if (block.col % together != 0 || (end % together != 0 && end != layout_.n)) {
    throw Error(ErrorKind::defect, "a part of what has its checksums together was written");
  }
  for (std::int64_t first = block.col; first < end; first += together) {
    const Columns part{first, std::min(together, end - first)};
    const std::int64_t high = rows_at_once(part.count * size);
    for (std::int64_t i = 0; i < block.rows; i += high) {
      write_summed(part, block.row + i, std::min(high, block.rows - i),
                   static_cast<const std::byte*>(in) + (i * stride + first - block.col) * size,
                   stride);
    }
  }
}

void DiskMatrix::check(int threads, const Control& control) const {
  const File& from = file(Generation::current);
  const std::int64_t size = size_of(layout_.type), n = layout_.n;
  base::ProgressTask progress(control, "checking what is complete", static_cast<double>(n),
                              "column");
  system::parallel_for((n + from.together - 1) / from.together, threads, [&](std::int64_t item) {
    const Columns part{item * from.together, std::min(from.together, n - item * from.together)};
    const std::int64_t high = rows_at_once(part.count * size);
    std::vector<std::byte> values(static_cast<std::size_t>(high * part.count * size));
    for (std::int64_t row = 0; row < n; row += high) {
      base::check_cancelled(control);
      read_checked(Generation::current, part, row, std::min(high, n - row), values.data(),
                   part.count);
    }
    progress.advance(static_cast<double>(part.count));
  });
}

}  // namespace apsp::store
