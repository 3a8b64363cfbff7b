#include "near/near_pairs.hpp"

#include <algorithm>
#include <utility>

#include "semiring/dispatch.hpp"
#include "system/threads.hpp"

namespace apsp::near {

using Pair = std::pair<Vertex, double>;

/// Results of one thread, in pieces of consecutive rows.
struct NearPairs::Found {
  struct Row {
    Vertex source;
    std::size_t pairs;
  };
  struct Piece {
    std::vector<Row> rows;
    std::vector<Vertex> targets;    // [pairs]
    std::vector<double> distances;  // [pairs]
  };
  /// Pairs of a piece, which is freed once it has been copied.
  static constexpr std::size_t kPairs = std::size_t{1} << 20;

  Piece& piece_for(std::size_t pairs) {
    if (pieces.empty() || pieces.back().targets.size() + pairs > kPairs) {
      pieces.emplace_back();
      pieces.back().targets.reserve(std::max(kPairs, pairs));
      pieces.back().distances.reserve(std::max(kPairs, pairs));
    }
    return pieces.back();
  }
  void add(Vertex source, std::span<const Pair> row) {
    Piece& piece = piece_for(row.size());
    piece.rows.push_back({source, row.size()});
    for (const auto& [target, distance] : row) {
      piece.targets.push_back(target);
      piece.distances.push_back(distance);
    }
  }

  std::deque<Piece> pieces;
};

template <class T>
class NearPairs::Gatherer final : public flow::ColumnSink::Writer {
 public:
  Gatherer(Found& found, double limit) : found_(found), limit_(limit) {}

  void begin(std::span<const Vertex> sources) override {
    sources_ = sources;
    if (rows_.size() < sources.size()) rows_.resize(sources.size());
  }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const T* row = static_cast<const T*>(values);
    for (const Vertex to : vertices) {
      for (std::size_t i = 0; i < sources_.size(); ++i) {
        const auto distance = static_cast<double>(row[i]);
        if (distance <= limit_ && sources_[i] != to) rows_[i].emplace_back(to, distance);
      }
      row += lanes;
    }
  }
  void end() override {
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      std::sort(rows_[i].begin(), rows_[i].end());
      found_.add(sources_[i], rows_[i]);
      rows_[i].clear();
    }
  }
  void take_row(Vertex source, std::span<const Vertex> vertices,
                std::span<const double> distances) override {
    Found::Piece& piece = found_.piece_for(vertices.size());
    const std::size_t before = piece.targets.size();
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      if (distances[i] > limit_ || vertices[i] == source) continue;
      piece.targets.push_back(vertices[i]);
      piece.distances.push_back(distances[i]);
    }
    piece.rows.push_back({source, piece.targets.size() - before});
  }

 private:
  Found& found_;
  double limit_;
  std::span<const Vertex> sources_;
  std::vector<std::vector<Pair>> rows_;  // [sources]
};

NearPairs::NearPairs(std::int64_t vertices, ValueType type, double limit)
    : vertices_(vertices), type_(type), limit_(std::min(limit, largest_distance(type))) {}

NearPairs::~NearPairs() = default;

flow::ColumnSink::Writer& NearPairs::part() {
  const std::lock_guard lock(mutex_);
  Found& found = found_.emplace_back();
  semiring::dispatch(Semiring::min_plus, type_, [&]<class S>() {
    writers_.push_back(std::make_unique<Gatherer<typename S::Value>>(found, limit_));
  });
  return *writers_.back();
}

SparseDistances NearPairs::rows(std::span<const Vertex> sources, int threads) {
  SparseDistances all;
  all.vertices = vertices_;
  std::vector<Vertex> row_of(static_cast<std::size_t>(vertices_));
  for (std::size_t i = 0; i < sources.size(); ++i) row_of[sources[i]] = static_cast<Vertex>(i);
  all.row_begin.assign(sources.size() + 1, 0);
  std::vector<Found::Piece*> pieces;
  for (Found& found : found_) {
    for (Found::Piece& piece : found.pieces) {
      pieces.push_back(&piece);
      for (const auto& [source, pairs] : piece.rows) {
        all.row_begin[row_of[source] + 1] = static_cast<std::int64_t>(pairs);
      }
    }
  }
  for (std::size_t i = 0; i < sources.size(); ++i) all.row_begin[i + 1] += all.row_begin[i];
  all.targets.resize(static_cast<std::size_t>(all.row_begin.back()));
  all.distances.resize(all.targets.size());
  system::parallel_for(std::ssize(pieces), threads, 1, [&](std::int64_t i) {
    const Found::Piece piece = std::move(*pieces[static_cast<std::size_t>(i)]);
    std::size_t from = 0;
    for (const auto& [source, pairs] : piece.rows) {
      const std::int64_t to = all.row_begin[row_of[source]];
      std::copy_n(piece.targets.data() + from, pairs, all.targets.data() + to);
      std::copy_n(piece.distances.data() + from, pairs, all.distances.data() + to);
      from += pairs;
    }
  });
  return all;
}

}  // namespace apsp::near
