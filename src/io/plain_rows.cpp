#include "io/plain_rows.hpp"

#include <cstring>

#include "system/machine.hpp"
#include "system/threads.hpp"

namespace apsp::io {
/// One thread keeps the order of the file if that matters.
RowArcs::RowArcs(const Source& source, const RowSettings& settings, ReadPiece read_piece,
                 ReadPiece settle)
    : settings_(settings),
      read_piece_(std::move(read_piece)),
      settle_(std::move(settle)),
      threads_(system::thread_count(source.options.keep_order ? 1 : source.options.threads)),
      arcs_(std::make_shared<graph::ArcBuckets>(settings.mirrored, settings.vertices, threads_,
                                                source.options.keep_order)) {}

void RowArcs::cut(const TextCursor& cursor, std::size_t count) {
  if (pieces_.size() < count) pieces_.resize(count);
  const char* at = cursor.at();
  used_ = 0;
  for (; used_ < count && at != cursor.end(); ++used_) {
    const char* end = at + std::min<std::ptrdiff_t>(settings_.piece_bytes, cursor.end() - at);
    const void* const newline =
        std::memchr(end - 1, '\n', static_cast<std::size_t>(cursor.end() - end + 1));
    end = newline == nullptr ? cursor.end() : static_cast<const char*>(newline) + 1;
    Piece& piece = pieces_[used_];
    piece.edges.clear();
    piece.new_names.clear();
    piece.rows = 0;
    piece.greatest = 0;
    piece.begin = piece.reached = at;
    piece.end = at = end;
  }
}

template <class Work>
void RowArcs::for_each_piece(std::size_t count, const Work& work) {
  system::parallel_for(static_cast<std::int64_t>(count), threads_, [&](std::int64_t i, int member) {
    work(pieces_[static_cast<std::size_t>(i)], member);
  });
}

/// Sets the number of rows before each piece, assuming that all earlier ones are plain.
void RowArcs::number_rows() {
  if (used_ > 1) {
    for_each_piece(used_ - 1, [](Piece& piece, int) {
      piece.rows = static_cast<std::size_t>(std::count(piece.begin, piece.end, '\n'));
    });
  }
  std::size_t rows = rows_;
  for (std::size_t i = 0; i < used_; ++i) {
    pieces_[i].first_row = rows;
    rows += std::exchange(pieces_[i].rows, 0);
  }
}

/// The number of pieces up to and including the first incomplete one, with at most `most_rows` in
/// total. Later pieces are read again.
std::size_t RowArcs::plain_pieces(std::size_t most_rows) const {
  std::size_t rows = rows_, count = 0;
  while (count < used_) {
    const Piece& piece = pieces_[count];
    if (count > 0 && piece.rows > most_rows - rows) break;
    rows += piece.rows;
    ++count;
    if (piece.reached != piece.end) break;
  }
  return count;
}

bool RowArcs::append(TextCursor& cursor, std::size_t most_rows) {
  constexpr std::size_t kPiecesOfThread = 4;  // lets other threads take over from slow ones
  const char* const begin = cursor.at();
  const auto widest = threads_ > 1 ? kPiecesOfThread * static_cast<std::size_t>(threads_) : 1;
  for (std::size_t count = 1; !cursor.at_end(); count = widest) {
    cut(cursor, count);
    if (settings_.numbered) number_rows();
    for_each_piece(used_, [&](Piece& piece, int) {
      piece.most_rows = most_rows - rows_;
      read_piece_(piece);
    });
    const std::size_t plain = plain_pieces(most_rows);
    for (std::size_t i = 0; settle_ && i < plain; ++i) settle_(pieces_[i]);
    for_each_piece(plain, [&](Piece& piece, int member) {
      if (!piece.edges.empty()) arcs_->add(piece.edges, piece.greatest, member);
    });
    for (std::size_t i = 0; i < plain; ++i) rows_ += pieces_[i].rows;
    const Piece& last = pieces_[plain - 1];
    cursor.move_to(last.reached);
    if (last.reached != last.end) break;
    cursor.tick();
  }
  return cursor.at() != begin;
}

void RowArcs::read(TextCursor& cursor, std::size_t most_rows) {
  if (append(cursor, most_rows)) return;
  row_.edges.clear();
  row_.greatest = 0;
  read_row_(cursor, rows_, row_);
  add_row(row_);
}

void RowArcs::add_row(const RowEdges& row) {
  if (!row.edges.empty()) arcs_->add(row.edges, row.greatest);
  ++rows_;
}

}  // namespace apsp::io
