#include "sparse/stored_paths.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "sparse/factor_query.hpp"
#include "sparse/stored_factor.hpp"

namespace apsp::sparse {
namespace {

constexpr std::size_t kMarkEach = 1024;

/// An array that is read in ascending order, one chunk in memory at a time.
class ArrayInParts {
 public:
  ArrayInParts(const store::Store& stored, store::Array array)
      : stored_(stored),
        array_(std::move(array)),
        size_(size_of(array_.type)),
        chunk_(std::min(array_.length, store::kArrayChunk) * size_) {}

  void read(std::int64_t first, std::int64_t count, void* to) {
    auto* out = static_cast<std::byte*>(to);
    while (count > 0) {
      const std::int64_t index = first / store::kArrayChunk, skipped = first % store::kArrayChunk;
      if (index != held_) {
        held_ = -1;
        stored_.read_array_chunk(array_, index, chunk_.data());
        held_ = index;
      }
      const std::int64_t some = std::min(count, store::kArrayChunk - skipped);
      std::memcpy(out, chunk_.data() + skipped * size_, static_cast<std::size_t>(some * size_));
      out += some * size_;
      first += some;
      count -= some;
    }
  }

 private:
  const store::Store& stored_;
  store::Array array_;
  std::int64_t size_;
  system::AlignedMemory chunk_;
  std::int64_t held_ = -1;
};

}  // namespace

void StoredPaths::StoredSupernode::step(Position next_width, Position next_above) {
  ++supernode;
  first += width;
  upper += above;
  up += std::int64_t{width} * above;
  closed += std::int64_t{width} * width;
  width = next_width;
  above = next_above;
}

bool StoredPaths::reads(const store::Store& stored) {
  const std::vector<store::Array> arrays = stored.arrays();
  return holds_factor(stored) && std::ranges::all_of(arrays, [](const store::Array& array) {
           return array.length == 0 || !array.checksums.empty();
         });
}

StoredPaths::StoredPaths(const store::Store& stored)
    : stored_(stored), symmetric_(!holds_part(stored, "down")) {
  vertex_at_ = read_numbers<Vertex>(stored, "order");
  widths_ = read_numbers<Position>(stored, "width");
  counts_ = read_numbers<Position>(stored, kStructureSizes);
  const std::int64_t n = stored.layout().n;
  if (std::ssize(vertex_at_) != n) {
    fail_part(stored, "order",
              std::to_string(vertex_at_.size()) + " vertices instead of " + std::to_string(n));
  }
  require_sizes(stored, widths_, counts_);
  StoredSupernode place;
  for (std::size_t s = 0; s < widths_.size(); ++s) {
    if (s == 0) {
      place.width = widths_[0];
      place.above = counts_[0];
    } else {
      place.step(widths_[s], counts_[s]);
    }
    if (s % kMarkEach == 0) marks_.push_back(place);
  }
  place.step(0, 0);
  require_lengths(place);
}

void StoredPaths::require_lengths(const StoredSupernode& end) const {
  const ValueType type = stored_.layout().type;
  require_length(stored_, "upper", ValueType::i32, end.upper);
  require_length(stored_, "closed", type, end.closed);
  require_length(stored_, "up", type, end.up);
  if (!symmetric_) require_length(stored_, "down", type, end.up);
}

/// Searches the order once for all ends, a block in the first-level cache at a time.
std::vector<Position> StoredPaths::positions_of(std::span<const Vertex> ends) const {
  constexpr std::size_t kBlock = 4096;
  std::vector<Position> positions(ends.size(), -1);
  for (std::size_t begin = 0; begin < vertex_at_.size(); begin += kBlock) {
    const auto block =
        std::span(vertex_at_).subspan(begin, std::min(kBlock, vertex_at_.size() - begin));
    for (std::size_t i = 0; i < ends.size(); ++i) {
      std::uint32_t count = 0;
      for (const Vertex v : block) count += v == ends[i] ? 1 : 0;
      if (count == 0) continue;
      if (count > 1 || positions[i] >= 0) {
        fail_part(stored_, "order", "vertex " + std::to_string(ends[i]) + " is listed twice");
      }
      positions[i] = static_cast<Position>(begin) +
                     static_cast<Position>(std::ranges::find(block, ends[i]) - block.begin());
    }
  }
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (positions[i] >= 0) continue;
    fail_part(stored_, "order", "vertex " + std::to_string(ends[i]) + " is missing");
  }
  return positions;
}

StoredPaths::StoredSupernode StoredPaths::at_position(Position p) const {
  const auto behind = std::ranges::upper_bound(
      marks_, p, {}, [](const StoredSupernode& mark) { return mark.first; });
  StoredSupernode place = *(behind - 1);
  while (place.first + place.width <= p) {
    const auto next = static_cast<std::size_t>(place.supernode) + 1;
    place.step(widths_[next], counts_[next]);
  }
  return place;
}

/// Returns the supernodes at these positions and all their ancestors, ascending. A position that
/// does not ascend is refused, so the path ends.
std::vector<StoredPaths::StoredSupernode> StoredPaths::ways_up(std::vector<Position> ends) const {
  std::ranges::sort(ends);
  ArrayInParts upper(stored_, array_of(stored_, "upper", ValueType::i32));
  std::map<SupernodeId, StoredSupernode> found;
  for (Position p : ends) {
    for (;;) {
      StoredSupernode place = at_position(p);
      const auto [at, is_new] = found.try_emplace(place.supernode, place);
      if (!is_new || place.above == 0) break;
      std::vector<Position>& positions = at->second.positions;
      positions.resize(static_cast<std::size_t>(place.above));
      upper.read(place.upper, place.above, positions.data());
      p = positions.front();
      if (p < place.first + place.width || p >= std::ssize(vertex_at_)) {
        fail_part(stored_, "upper",
                  "position " + std::to_string(p) + " is not an upper one of supernode " +
                      std::to_string(place.supernode));
      }
    }
  }
  std::vector<StoredSupernode> places;
  places.reserve(found.size());
  for (auto& [supernode, place] : found) places.push_back(std::move(place));
  return places;
}

class StoredPaths::Restricted {
 public:
  Restricted(const StoredPaths& whole, std::vector<StoredSupernode> places)
      : whole_(whole), places_(std::move(places)) {
    Position count = 0;
    for (const StoredSupernode& place : places_) {
      begin_.push_back(count);
      count += place.width;
    }
    read(checked_tree(whole.stored_, parts(count), count));
  }

  const Factor& factor() const { return *factor_; }
  Vertex number_of(Position p) const {
    const auto behind = std::ranges::upper_bound(
        places_, p, {}, [](const StoredSupernode& place) { return place.first; });
    const auto i = behind - places_.begin() - 1;
    if (i < 0 || p - at(places_, i).first >= at(places_, i).width) {
      fail_part(whole_.stored_, "upper",
                "position " + std::to_string(p) + " is none of an ancestor");
    }
    return static_cast<Vertex>(at(begin_, i) + p - at(places_, i).first);
  }

 private:
  TreeParts parts(Position count) const {
    TreeParts parts;
    parts.vertex_at = natural_order(count).vertex_at;
    for (const StoredSupernode& place : places_) {
      parts.widths.push_back(place.width);
      parts.structure_sizes.push_back(place.above);
      for (const Position p : place.positions) {
        parts.upper.push_back(static_cast<Position>(number_of(p)));
      }
    }
    return parts;
  }

  void read(std::shared_ptr<const Tree> tree) {
    const store::Store& stored = whole_.stored_;
    const store::Layout& layout = stored.layout();
    factor_ =
        std::make_unique<Factor>(std::move(tree), layout.semiring, layout.type, whole_.symmetric_);
    const auto fill = [&](const char* part, auto&& begin_of, auto&& view_of) {
      ArrayInParts values(stored, array_of(stored, part, layout.type));
      for (SupernodeId s = 0; s < static_cast<SupernodeId>(places_.size()); ++s) {
        const kernels::View view = view_of(s);
        values.read(begin_of(at(places_, s)), view.rows * view.cols, view.data);
      }
    };
    fill(
        "closed", [](const StoredSupernode& place) { return place.closed; },
        [&](SupernodeId s) { return factor_->closed(s); });
    const auto begin_of_upper = [](const StoredSupernode& place) { return place.up; };
    fill("up", begin_of_upper, [&](SupernodeId s) { return factor_->up(s); });
    if (whole_.symmetric_) return;
    fill("down", begin_of_upper, [&](SupernodeId s) { return factor_->down(s); });
  }

  const StoredPaths& whole_;
  std::vector<StoredSupernode> places_;
  std::vector<Position> begin_;  // [supernodes] number of the first vertex of each
  std::unique_ptr<Factor> factor_;
};

void StoredPaths::distances(std::span<const VertexPair> pairs, void* values) const {
  std::vector<Vertex> vertices;
  for (const VertexPair& pair : pairs) {
    vertices.push_back(pair.from);
    vertices.push_back(pair.to);
  }
  const std::vector<Position> ends = positions_of(vertices);
  const Restricted restricted(*this, ways_up(ends));
  FactorQuery query(restricted.factor());
  auto* to = static_cast<std::byte*>(values);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    query.distance(restricted.number_of(ends[2 * i]), restricted.number_of(ends[2 * i + 1]), to);
    to += size_of(restricted.factor().type());
  }
}

}  // namespace apsp::sparse
