#include "cluster/shared_rows.hpp"

#include <algorithm>

#include "base/byte_stream.hpp"

namespace apsp::cluster {

std::vector<std::int64_t> SharedRows::joined(std::vector<std::int64_t> mine) {
  std::vector<std::int64_t> all;
  for (const std::vector<std::int64_t>& theirs : processes_.gather_values(mine)) {
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  base::ByteWriter writer;
  writer.put(all);
  const base::ByteVector of_first = processes_.share(writer.take());
  base::ByteReader reader(of_first);
  return reader.get_all<std::int64_t>();
}

int SharedRows::around(int steps) const {
  const int size = processes_.size();
  return ((processes_.rank() + steps) % size + size) % size;
}

void SharedRows::pass(std::span<const std::byte> to_next, std::span<std::byte> from_previous) {
  // Few enough pieces that all of them are under way at once.
  constexpr std::int64_t kPieces = 32, kMost = std::int64_t{64} << 20;
  const auto most = static_cast<std::size_t>(
      std::min(kMost, kPieces * std::min(kMost, processes_.communicator().most_bytes())));
  while (!to_next.empty() || !from_previous.empty()) {
    const std::size_t out = std::min(most, to_next.size()),
                      in = std::min(most, from_previous.size());
    processes_.receive(around(-1), 0, from_previous.first(in));
    processes_.send(around(1), 0, to_next.first(out));
    processes_.finish();
    from_previous = from_previous.subspan(in);
    to_next = to_next.subspan(out);
  }
}

void SharedRows::gather_around(const Pieces& pieces, int ahead) {
  for (int step = 0; step + 1 < processes_.size(); ++step) {
    const auto piece = [&](int before) {
      return pieces[static_cast<std::size_t>(around(ahead - before))];
    };
    pass(piece(step), piece(step + 1));
  }
}

void SharedRows::complete(std::span<const Vertex> vertices, std::byte* values,
                          std::int64_t row_bytes) {
  Pieces pieces;
  for (std::size_t process = 0; process + 1 < begins_.size(); ++process) {
    const auto place = [&](std::int64_t row) {
      return std::lower_bound(vertices.begin(), vertices.end(), row) - vertices.begin();
    };
    const std::int64_t first = place(begins_[process]), end = place(begins_[process + 1]);
    pieces.emplace_back(values + first * row_bytes,
                        static_cast<std::size_t>((end - first) * row_bytes));
  }
  gather_around(pieces, 0);
}

void SharedRows::add_up(std::span<std::byte> values, int value_size, const Plus& plus) {
  const auto size = static_cast<std::size_t>(processes_.size());
  const std::size_t count = values.size() / static_cast<std::size_t>(value_size);
  Pieces pieces;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t first = i * count / size, end = (i + 1) * count / size;
    pieces.push_back(values.subspan(first * static_cast<std::size_t>(value_size),
                                    (end - first) * static_cast<std::size_t>(value_size)));
    longest = std::max(longest, pieces.back().size());
  }
  base::ByteVector memory(longest);
  for (int step = 0; step + 1 < processes_.size(); ++step) {
    const auto from_previous = pieces[static_cast<std::size_t>(around(-step - 1))];
    const auto other = std::span(memory).first(from_previous.size());
    pass(pieces[static_cast<std::size_t>(around(-step))], other);
    plus(from_previous, other);
  }
  gather_around(pieces, 1);  // the sum of the next piece is complete here
}

}  // namespace apsp::cluster
