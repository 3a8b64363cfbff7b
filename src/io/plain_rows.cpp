#include "io/plain_rows.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"

namespace apsp::io {
namespace {

constexpr std::size_t kPiecesOfThread = 4;  // so that a slow thread leaves its share to the others

void reserve(std::vector<Edge>& edges, std::size_t count) {
  edges.reserve(count);
  base::prefer_large_pages(edges.data(), edges.capacity() * sizeof(Edge));
}

/// Room for as many edges as the rows so far make likely.
void reserve_likely(std::vector<Edge>& edges, std::ptrdiff_t bytes_read, std::ptrdiff_t bytes) {
  const double rows_a_byte = static_cast<double>(edges.size()) / static_cast<double>(bytes_read);
  constexpr double kMargin = 1.05;
  reserve(edges, static_cast<std::size_t>(static_cast<double>(bytes) * rows_a_byte * kMargin));
}

}  // namespace

void reserve_edges(std::vector<Edge>& edges, std::uint64_t announced, const Source& source) {
  constexpr std::size_t kShortestRow = 3;  // "1 2", and a row of a matrix's pattern is no shorter
  reserve(edges, static_cast<std::size_t>(
                     std::min<std::uint64_t>(announced, source.bytes.size() / kShortestRow)));
}

PlainRows::PlainRows(std::function<void(Piece&)> read, int threads, std::ptrdiff_t piece_bytes)
    : read_(std::move(read)), threads_(base::thread_count(threads)), piece_bytes_(piece_bytes) {}

/// Cuts at most `count` pieces from the cursor on.
void PlainRows::cut(const TextCursor& cursor, std::size_t count) {
  pieces_.resize(count);
  const char* at = cursor.at();
  std::size_t used = 0;
  for (; used < count && at != cursor.end(); ++used) {
    const char* end = at + std::min<std::ptrdiff_t>(piece_bytes_, cursor.end() - at);
    const void* const newline =
        std::memchr(end - 1, '\n', static_cast<std::size_t>(cursor.end() - end + 1));
    end = newline == nullptr ? cursor.end() : static_cast<const char*>(newline) + 1;
    Piece& piece = pieces_[used];
    piece.edges.clear();
    piece.begin = piece.reached = at;
    piece.end = at = end;
  }
  pieces_.resize(used);
}

/// The first piece continues `edges` itself; the others' edges wait in buffers of their own.
void PlainRows::read_pieces(std::vector<Edge>& edges, std::size_t most_edges) {
  pieces_[0].edges.swap(edges);
  pieces_[0].most_edges = most_edges;
  std::exception_ptr failure;
  try {
    base::share_items(static_cast<std::int64_t>(pieces_.size()), threads_, [&](std::int64_t i) {
      Piece& piece = pieces_[static_cast<std::size_t>(i)];
      if (i > 0) piece.most_edges = most_edges;
      piece.greatest = 0;
      read_(piece);
    });
  } catch (...) {
    failure = std::current_exception();
  }
  pieces_[0].edges.swap(edges);
  if (failure) std::rethrow_exception(failure);
}

/// Puts the pieces together. False where one did not reach its end.
bool PlainRows::take_pieces(TextCursor& cursor, std::vector<Edge>& edges, std::size_t most_edges) {
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    if (i > 0) {
      // Where the edges end within a piece, it is read again as a first one.
      if (piece.edges.size() > most_edges - edges.size()) return true;
      edges.insert(edges.end(), piece.edges.begin(), piece.edges.end());
    }
    greatest_ = std::max(greatest_, piece.greatest);
    cursor.move_to(piece.reached);
    if (piece.reached != piece.end) return false;
  }
  return true;
}

void PlainRows::append(TextCursor& cursor, std::vector<Edge>& edges, std::size_t most_edges) {
  const char* const begin = cursor.at();
  const std::size_t edges_before = edges.size();
  const auto widest = threads_ > 1 ? kPiecesOfThread * static_cast<std::size_t>(threads_) : 1;
  std::size_t count = 1;  // a text that is not all rows is not read far ahead in vain
  while (!cursor.at_end()) {
    cut(cursor, count);
    read_pieces(edges, most_edges);
    if (!take_pieces(cursor, edges, most_edges)) return;
    cursor.tick();
    if (edges_before == 0 && count == 1 && most_edges == kUnlimited) {
      reserve_likely(edges, cursor.at() - begin, cursor.end() - begin);
    }
    count = widest;
  }
}

}  // namespace apsp::io
