// The counter for shortest paths in 16 bits: one loop over a row does everything (swept_short.hpp).
#include <algorithm>
#include <array>
#include <limits>
#include <vector>

#include "base/aligned_memory.hpp"
#include "query/swept_counter.hpp"
#include "query/swept_short.hpp"
#include "semiring/min_plus.hpp"

namespace apsp::query {
namespace {

constexpr std::uint16_t kNone = semiring::MinPlus<std::uint16_t>::zero();
/// Rows after which sums of lanes, and tables of counts, of 32 bits each are handed on.
constexpr std::int64_t kRowsOfSums = std::int64_t{1} << 17;
constexpr std::int64_t kCountedAtMost = std::int64_t{1} << 32;
constexpr std::int64_t kLine = 64;

static_assert(kRowsOfSums * (kNone - 1) <= std::numeric_limits<std::uint32_t>::max());

/// Totals of a vertex, in one line of the cache.
struct alignas(kLine) ShortVertex {
  std::uint64_t sum = 0;
  ReciprocalSum harmonic;
  std::uint32_t reached = 0;
  Vertex farthest = kNoVertex;
  std::int32_t lane = 0;  // of the vertex as a source of the block
  std::uint16_t greatest = 0;
};

/// Memory of the lanes of a block, and where in it each total begins.
class LaneMemory {
 public:
  LaneMemory() = default;
  explicit LaneMemory(std::int64_t lanes) : lanes_(lanes), memory_(lanes * kBytes) {
    std::byte* at = memory_.data();
    const auto next = [&]<class T>(T*& begin) {
      begin = reinterpret_cast<T*>(at);
      at += lanes * std::int64_t{sizeof(T)};
    };
    next(totals.digits);
    next(totals.rough);
    next(totals.farthest);
    next(totals.sum);
    next(totals.missed);
    next(totals.greatest);
    next(row);
  }

  std::int64_t lanes() const { return lanes_; }
  void clear() {
    std::fill_n(memory_.data(), memory_.bytes(), std::byte{0});
    std::fill_n(totals.farthest, lanes_, kNoVertex);
  }

  ShortLanes totals;
  std::uint16_t* row = nullptr;  // [lanes] a row of which not all counts

 private:
  static constexpr std::int64_t kBytes = 8 + 4 * 4 + 2 * 2;
  std::int64_t lanes_ = 0;
  base::AlignedMemory memory_;
};

class ShortCounter final : public SweptCounter {
 public:
  explicit ShortCounter(const SweptProblem& problem)
      : problem_(problem),
        vertices_(static_cast<std::size_t>(problem.n)),
        is_source_(static_cast<std::size_t>(problem.n)),
        reciprocals_(kShortDistances * std::int64_t{sizeof(std::uint64_t)}),
        counts_(kShortTables * kShortDistances * std::int64_t{sizeof(std::uint32_t)}),
        totals_(problem.n, problem.cells.count()),
        sweep_(sweep_short(problem.pairs_once)) {
    auto* const reciprocals = reciprocals_.as<std::uint64_t>();
    for (std::int64_t i = 1; i < kNone; ++i) {
      reciprocals[i] = ReciprocalSum::digits_of(1.0 / static_cast<double>(i));
    }
    tables_.reciprocals = reciprocals;
    for (std::size_t i = 0; i < tables_.counts.size(); ++i) {
      tables_.counts[i] =
          counts_.as<std::uint32_t>() + static_cast<std::int64_t>(i) * kShortDistances;
    }
  }

  void begin(std::span<const Vertex> sources) override {
    sources_ = sources;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      vertices_[sources[i]].lane = static_cast<std::int32_t>(i);
      is_source_[sources[i]] = true;
    }
    constexpr std::int64_t kLanesOfALine = kLine / std::int64_t{sizeof(std::uint16_t)};
    lanes_used_ = (std::ssize(sources) + kLanesOfALine - 1) / kLanesOfALine * kLanesOfALine;
    if (lanes_.lanes() < lanes_used_) lanes_ = LaneMemory(lanes_used_);
    lanes_.clear();
    sums_.assign(sources.size(), 0);
    harmonic_.assign(sources.size(), {});
    rows_ = rows_in_sums_ = rows_in_reciprocals_ = 0;
    first_source_ = sources.empty() ? 0 : *std::min_element(sources.begin(), sources.end());
  }

  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const auto* row = static_cast<const std::uint16_t*>(values);
    for (const Vertex vertex : vertices) {
      take_row(vertex, row);
      row += lanes;
    }
  }

  void end() override {
    hand_on_sums();
    hand_on_reciprocals();
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      ShortVertex& source = vertices_[sources_[i]];
      is_source_[sources_[i]] = false;
      raise(source, lanes_.totals.greatest[i], lanes_.totals.farthest[i]);
      if (!problem_.pairs_once) continue;
      source.sum += sums_[i];
      source.reached += static_cast<std::uint32_t>(rows_) - lanes_.totals.missed[i];
      source.harmonic.add(harmonic_[i]);
    }
  }

  SweptTotals& totals() override {
    hand_on_counts();
    double* const sum = totals_.sum.whole_numbers(0).held[0].sums;
    double* const high = totals_.harmonic.slice(-1, 0).sums;
    double* const low = totals_.harmonic.slice(-2, 0).sums;
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      const ShortVertex& vertex = vertices_[v];
      sum[v] = static_cast<double>(vertex.sum);
      high[v] = vertex.harmonic.high();
      low[v] = vertex.harmonic.low();
      totals_.reached[v] = vertex.reached;
      if (vertex.farthest != kNoVertex) {
        totals_.farthest[v] = {static_cast<double>(vertex.greatest), vertex.farthest};
      }
    }
    if (least_ < kNone) totals_.range = {double(least_), double(greatest_)};
    return totals_;
  }

 private:
  void take_row(Vertex v, const std::uint16_t* row) {
    ShortVertex& vertex = vertices_[v];
    __builtin_prefetch(&vertex, 1);  // there by the time the row is through
    if (is_source_[v] || lanes_used_ != std::ssize(sources_)) {
      row = counting(is_source_[v] ? vertex.lane : -1, row);
    }
    if (rows_in_sums_ == kRowsOfSums) hand_on_sums();
    if (rows_in_reciprocals_ == kShortTogether) hand_on_reciprocals();
    if (counted_ + lanes_used_ >= kCountedAtMost) hand_on_counts();
    ++rows_;
    ++rows_in_sums_;
    ++rows_in_reciprocals_;
    counted_ += lanes_used_;
    const ShortRow found = sweep_(row, lanes_used_, v, lanes_.totals, tables_);
    if (found.reached == 0) return;
    least_ = std::min(least_, found.least);
    greatest_ = std::max(greatest_, found.greatest);
    vertex.sum += found.sum;
    vertex.reached += found.reached;
    vertex.harmonic.add(found.harmonic);
    if (problem_.pairs_once) note_farthest(vertex, row, found.greatest);
  }

  /// A row in which what does not count has no path.
  const std::uint16_t* counting(std::int64_t own, const std::uint16_t* row) {
    const std::int64_t end = own >= 0 && problem_.pairs_once ? own : std::ssize(sources_);
    std::copy_n(row, end, lanes_.row);
    std::fill(lanes_.row + end, lanes_.row + lanes_used_, kNone);
    if (own >= 0 && own < end) lanes_.row[own] = kNone;
    return lanes_.row;
  }

  void note_farthest(ShortVertex& vertex, const std::uint16_t* row, std::uint16_t greatest) {
    if (greatest < vertex.greatest) return;
    if (greatest == vertex.greatest && first_source_ >= vertex.farthest) return;
    Vertex first = kNoVertex;
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      const Vertex source = row[i] == greatest ? sources_[i] : kNoVertex;
      first = source < first ? source : first;
    }
    raise(vertex, greatest, first);
  }

  static void raise(ShortVertex& vertex, std::uint16_t greatest, Vertex farthest) {
    if (farthest == kNoVertex || greatest < vertex.greatest) return;
    if (greatest == vertex.greatest && farthest >= vertex.farthest) return;
    vertex.greatest = greatest;
    vertex.farthest = farthest;
  }

  void hand_on_sums() {
    for (std::size_t i = 0; i < sums_.size(); ++i) sums_[i] += lanes_.totals.sum[i];
    std::fill_n(lanes_.totals.sum, lanes_used_, 0u);
    rows_in_sums_ = 0;
  }

  void hand_on_reciprocals() {
    if (problem_.pairs_once) {
      const ShortLanes& lanes = lanes_.totals;
      for (std::size_t i = 0; i < harmonic_.size(); ++i) {
        harmonic_[i].add(lanes.digits[i], lanes.rough[i]);
      }
      std::fill_n(lanes.digits, lanes_used_, 0u);
      std::fill_n(lanes.rough, lanes_used_, 0.0f);
    }
    rows_in_reciprocals_ = 0;
  }

  void hand_on_counts() {
    auto* const cells = totals_.counts.as<std::int64_t>() + problem_.cells.of_integer(0);
    for (std::uint32_t* const counts : tables_.counts) {
      for (std::int64_t i = 0; i < kNone; ++i) cells[i] += counts[i];
      std::fill_n(counts, kShortDistances, 0u);
    }
    counted_ = 0;
  }

  SweptProblem problem_;
  std::vector<ShortVertex> vertices_;
  std::vector<bool> is_source_;  // [n] of the block
  base::AlignedMemory reciprocals_, counts_;
  ShortTables tables_;
  SweptTotals totals_;
  SweepShort sweep_;
  std::span<const Vertex> sources_;
  Vertex first_source_ = 0;  // the smallest of the block
  std::int64_t lanes_used_ = 0;
  LaneMemory lanes_;
  std::vector<std::uint64_t> sums_;      // [sources]
  std::vector<ReciprocalSum> harmonic_;  // [sources]
  std::int64_t rows_ = 0, rows_in_sums_ = 0, rows_in_reciprocals_ = 0, counted_ = 0;
  std::uint16_t least_ = kNone, greatest_ = 0;
};

}  // namespace

std::unique_ptr<SweptCounter> short_counter(const SweptProblem& problem) {
  return std::make_unique<ShortCounter>(problem);
}

}  // namespace apsp::query
