#include "io/plain_rows.hpp"

#include <cstring>

#include "system/threads.hpp"

namespace apsp::io {
namespace {

constexpr std::size_t kPiecesOfThread = 4;  // lets other threads take over from slow ones

}  // namespace

PlainRows::PlainRows(ReadPiece read, TakeEdges take, int threads, bool numbered,
                     std::ptrdiff_t piece_bytes)
    : read_(std::move(read)),
      take_(std::move(take)),
      threads_(system::thread_count(threads)),
      numbered_(numbered),
      piece_bytes_(piece_bytes) {}

void PlainRows::cut(const TextCursor& cursor, std::size_t count) {
  if (pieces_.size() < count) pieces_.resize(count);
  const char* at = cursor.at();
  used_ = 0;
  for (; used_ < count && at != cursor.end(); ++used_) {
    const char* end = at + std::min<std::ptrdiff_t>(piece_bytes_, cursor.end() - at);
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
void PlainRows::for_each_piece(std::size_t count, const Work& work) {
  system::parallel_for(static_cast<std::int64_t>(count), threads_, [&](std::int64_t i, int member) {
    work(pieces_[static_cast<std::size_t>(i)], member);
  });
}

/// Sets the number of rows before each piece, assuming that all earlier ones are plain.
void PlainRows::number_rows() {
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

/// The number of pieces up to and including the first incomplete one, with at most `most_edges` in
/// total. Later pieces are read again.
std::size_t PlainRows::plain_pieces(std::size_t most_edges) const {
  std::size_t edges = edges_, count = 0;
  while (count < used_) {
    const Piece& piece = pieces_[count];
    if (count > 0 && piece.edges.size() > most_edges - edges) break;
    edges += piece.edges.size();
    ++count;
    if (piece.reached != piece.end) break;
  }
  return count;
}

void PlainRows::append(TextCursor& cursor, std::size_t most_edges) {
  const auto widest = threads_ > 1 ? kPiecesOfThread * static_cast<std::size_t>(threads_) : 1;
  std::size_t count = 1;
  while (!cursor.at_end()) {
    cut(cursor, count);
    if (numbered_) number_rows();
    for_each_piece(used_, [&](Piece& piece, int) {
      piece.most_edges = most_edges - edges_;
      read_(piece);
    });
    const std::size_t plain = plain_pieces(most_edges);
    for (std::size_t i = 0; settle_ && i < plain; ++i) settle_(pieces_[i]);
    for_each_piece(plain, [&](Piece& piece, int member) {
      if (!piece.edges.empty()) take_(piece, member);
    });
    for (std::size_t i = 0; i < plain; ++i) {
      edges_ += pieces_[i].edges.size();
      rows_ += pieces_[i].rows;
    }
    const Piece& last = pieces_[plain - 1];
    cursor.move_to(last.reached);
    if (last.reached != last.end) return;
    cursor.tick();
    count = widest;
  }
}

}  // namespace apsp::io
