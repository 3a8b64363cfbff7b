#include "near/reach_sets.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "base/units.hpp"
#include "semiring/dispatch.hpp"
#include "system/threads.hpp"

namespace apsp::near {
namespace {

using Word = std::uint64_t;
constexpr std::size_t kLanes = 64;

template <class F>
void for_each_bit(Word bits, F&& visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

/// Adds `quantity` to the sums whose bits are set, eight at a time.
void add_to(Word bits, double quantity, double* sums) {
  static const auto kFactors = [] {
    std::array<std::array<double, 8>, 256> factors{};
    for (std::size_t byte = 0; byte < factors.size(); ++byte) {
      for_each_bit(byte, [&](std::size_t i) { factors[byte][i] = 1; });
    }
    return factors;
  }();
  for (; bits != 0; bits >>= 8, sums += 8) {
    const double* const factors = kFactors[bits & 255].data();
#pragma omp simd
    for (int i = 0; i < 8; ++i) sums[i] += quantity * factors[i];
  }
}

}  // namespace

struct ReachSets::Group {
  std::vector<Vertex> sources;       // at most kLanes
  std::vector<Vertex> vertices;      // that any of them reaches
  std::vector<Word> near;            // [vertices] bit i: sources[i] reaches it
  std::vector<std::byte> distances;  // of the bits that are set, ascending
};

class ReachSets::GroupWriter : public flow::ColumnSink::Writer {
 public:
  virtual void flush() = 0;
};

/// T: type of the distances that come. K: type of those that are kept.
template <class T, class K>
class ReachSets::Gatherer final : public GroupWriter {
 public:
  explicit Gatherer(ReachSets& to)
      : to_(to),
        limit_(static_cast<T>(std::is_integral_v<T> ? std::floor(to.limit_) : to.limit_)),
        open_(1) {}

  void begin(std::span<const Vertex> sources) override {
    // Searches come one source at a time, and 64 of them share a group.
    joins_ = sources.size() == 1;
    if (!joins_) flush();
    if (joins_) entry_of_.resize(static_cast<std::size_t>(to_.vertices_), kNone);
    blocks_ = (sources.size() + kLanes - 1) / kLanes;
    if (open_.size() < blocks_) open_.resize(blocks_);
    lane_ = open_[0].group.sources.size();
    for (std::size_t i = 0; i < sources.size(); ++i) {
      open_[i / kLanes].group.sources.push_back(sources[i]);
    }
  }
  void take(std::span<const Vertex> vertices, const void* values, std::int64_t lanes) override {
    const T* row = static_cast<const T*>(values);
    for (const Vertex v : vertices) {
      const T* some = row;
      for (Open& open : std::span(open_).first(blocks_)) {
        const std::size_t count = open.group.sources.size() - lane_;
        Word near = 0;
        for (std::size_t i = 0; i < count; ++i) near |= Word{some[i] <= limit_} << i;
        if (near != 0) add(open, v, near, some);
        some += count;
      }
      row += lanes;
    }
  }
  void take_row(Vertex source, std::span<const Vertex> vertices,
                std::span<const double> distances) override {
    begin({&source, 1});
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const T distance = static_cast<T>(distances[i]);
      take(vertices.subspan(i, 1), &distance, 1);
    }
    end();
  }
  void end() override {
    if (!joins_ || lane_ + 1 == kLanes) flush();
  }
  void flush() override {
    for (Open& open : open_) close(open);
  }

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Open {
    Group group;
    std::vector<K> distances;            // as they came
    std::vector<std::uint32_t> entries;  // of the distances, where sources came one at a time
  };

  void add(Open& open, Vertex v, Word near, const T* values) {
    std::uint32_t entry = joins_ ? entry_of_[v] : kNone;
    if (entry == kNone) {
      entry = static_cast<std::uint32_t>(open.group.vertices.size());
      if (joins_) entry_of_[v] = entry;
      open.group.vertices.push_back(v);
      open.group.near.push_back(0);
    }
    open.group.near[entry] |= near << lane_;
    if (!to_.distances_) return;
    for_each_bit(near, [&](std::size_t i) { open.distances.push_back(static_cast<K>(values[i])); });
    if (joins_) open.entries.push_back(entry);
  }

  /// Keeps the group, if it has sources, without unused memory.
  void close(Open& open) {
    Group& group = open.group;
    if (group.sources.empty()) return;
    std::vector<std::size_t> next;  // by entry, index of its next distance
    std::size_t pairs = 0;
    for (const Word near : group.near) {
      next.push_back(pairs);
      pairs += static_cast<std::size_t>(std::popcount(near));
    }
    std::vector<K> sorted = open.distances;
    for (std::size_t i = 0; i < open.entries.size(); ++i) {
      sorted[next[open.entries[i]]++] = open.distances[i];
    }
    if (!entry_of_.empty()) {
      for (const Vertex v : group.vertices) entry_of_[v] = kNone;
    }
    const auto bytes = std::as_bytes(std::span(sorted));
    to_.add({group.sources, group.vertices, group.near, {bytes.begin(), bytes.end()}},
            static_cast<std::int64_t>(pairs));
    group.sources.clear();
    group.vertices.clear();
    group.near.clear();
    open.distances.clear();
    open.entries.clear();
  }

  ReachSets& to_;
  T limit_;
  std::vector<Open> open_;
  std::size_t blocks_ = 0;  // groups of the block
  bool joins_ = false;
  std::size_t lane_ = 0;                 // of the first source of the block
  std::vector<std::uint32_t> entry_of_;  // [n] in the open group; for searches
};

ReachSets::ReachSets(std::int64_t vertices, ValueType type, double limit, bool distances)
    : vertices_(vertices),
      type_(type),
      kept_type_(type == ValueType::i32 && limit <= largest_distance(ValueType::u16)
                     ? ValueType::u16
                     : type),
      limit_(std::min(limit, largest_distance(type))),
      distances_(distances) {}

ReachSets::~ReachSets() = default;

flow::ColumnSink::Writer& ReachSets::part() {
  const std::lock_guard lock(mutex_);
  semiring::dispatch(Semiring::min_plus, type_, [&]<class S>() {
    using T = typename S::Value;
    if (kept_type_ == type_) {
      writers_.push_back(std::make_unique<Gatherer<T, T>>(*this));
    } else {
      writers_.push_back(std::make_unique<Gatherer<T, std::uint16_t>>(*this));
    }
  });
  return *writers_.back();
}

void ReachSets::add(Group group, std::int64_t pairs) {
  const std::lock_guard lock(mutex_);
  pairs_ += pairs;
  bytes_ += static_cast<std::int64_t>(sizeof(Group) + group.distances.size() +
                                      group.sources.size() * sizeof(Vertex) +
                                      group.vertices.size() * (sizeof(Vertex) + sizeof(Word)));
  if (bytes_ > allowed_) {
    throw Error(ErrorKind::does_not_fit,
                fmt::format("the pairs within the limit take more than {} of memory: take a "
                            "smaller limit, or fewer sources",
                            base::format_bytes(allowed_)));
  }
  groups_.push_back(std::move(group));
}

void ReachSets::finish() {
  for (const auto& writer : writers_) writer->flush();
  writers_.clear();
}

double ReachSets::expected_bytes(std::int64_t sources, double reached, int threads) const {
  // Neighbours reach four times what one of them does, and distant sources nothing in common.
  constexpr double kWidening = 4, kEntry = sizeof(Vertex) + sizeof(Word);
  const auto n = static_cast<double>(vertices_), count = static_cast<double>(sources),
             lanes = std::min<double>(kLanes, count);
  const double of_group =
      std::min(n, sources == vertices_ ? lanes + kWidening * reached : lanes * reached);
  const auto size = distances_ ? static_cast<double>(size_of(kept_type_)) : 0;
  // A thread gathers blocks of 512 bytes a vertex, or 64 searches, in vectors that double.
  constexpr double kBlock = 512 + kLanes * sizeof(std::uint32_t), kGroups = 4;
  const double open = 2 * (reached * kBlock + kGroups * of_group * kEntry);
  return count * (kEntry * of_group / std::max(1.0, lanes) + reached * size) + threads * open;
}

bool ReachSets::by_bits(const AccessibilityQuestion& question) const {
  return question.decay.kind == Decay::Kind::none &&
         std::ranges::all_of(question.limits, [&](double limit) { return limit >= limit_; });
}

std::vector<double> ReachSets::sums(const AccessibilityQuestion& question,
                                    std::span<const Vertex> sources, int threads) const {
  if (by_bits(question) && question.limits.size() == 1) {
    return sums_by_bits(question.quantities, sources, threads);
  }
  AccessibilitySums sums(question, kept_type_);
  give(sums, threads);
  return sums.sums(sources);
}

std::vector<double> ReachSets::sums_by_bits(std::span<const double> quantities,
                                            std::span<const Vertex> sources, int threads) const {
  const auto n = static_cast<std::size_t>(vertices_);
  const std::size_t columns = quantities.size() / std::max<std::size_t>(1, n);
  std::vector<double> of_vertex(quantities.size());  // [n, columns]
  system::parallel_for(std::ssize(groups_), threads, 1, [&](std::int64_t number) {
    const Group& group = groups_[static_cast<std::size_t>(number)];
    for (std::size_t c = 0; c < columns; ++c) {
      const double* const quantity = quantities.data() + c * n;
      std::array<double, kLanes> sums{};
      for (std::size_t i = 0; i < group.near.size(); ++i) {
        const double q = quantity[group.vertices[i]];
        if (q != 0) add_to(group.near[i], q, sums.data());
      }
      for (std::size_t i = 0; i < group.sources.size(); ++i) {
        of_vertex[group.sources[i] * columns + c] = sums[i];
      }
    }
  });
  std::vector<double> result;
  result.reserve(sources.size() * columns);
  for (const Vertex source : sources) {
    const double* const from = of_vertex.data() + source * columns;
    result.insert(result.end(), from, from + columns);
  }
  return result;
}

void ReachSets::give(flow::ColumnSink& sink, int threads) const {
  std::vector<flow::ColumnSink::Writer*> writers(static_cast<std::size_t>(threads));
  semiring::dispatch(Semiring::min_plus, kept_type_, [&]<class S>() {
    using K = typename S::Value;
    constexpr std::size_t kVertices = 16;  // of a block in the first-level cache
    system::parallel_for(std::ssize(groups_), threads, 1, [&](std::int64_t number, int member) {
      const Group& group = groups_[static_cast<std::size_t>(number)];
      auto*& writer = writers[static_cast<std::size_t>(member)];
      if (writer == nullptr) writer = &sink.part();
      writer->begin(group.sources);
      const auto* next = reinterpret_cast<const K*>(group.distances.data());
      alignas(kLanes) std::array<K, kVertices * kLanes> rows;
      for (std::size_t begin = 0; begin < group.vertices.size(); begin += kVertices) {
        const std::size_t count = std::min(kVertices, group.vertices.size() - begin);
        rows.fill(S::zero());
        for (std::size_t i = 0; i < count; ++i) {
          for_each_bit(group.near[begin + i],
                       [&](std::size_t lane) { rows[i * kLanes + lane] = *next++; });
        }
        writer->take({group.vertices.data() + begin, count}, rows.data(), kLanes);
      }
      writer->end();
    });
  });
}

SparseDistances ReachSets::rows(std::span<const Vertex> sources, int threads) {
  SparseDistances all;
  all.vertices = vertices_;
  std::vector<std::size_t> row_of(static_cast<std::size_t>(vertices_));
  for (std::size_t i = 0; i < sources.size(); ++i) row_of[sources[i]] = i;
  all.row_begin.assign(sources.size() + 1, 0);
  const auto each_group = [&](auto&& visit) {
    system::parallel_for(std::ssize(groups_), threads, 1, [&](std::int64_t number) {
      visit(groups_[static_cast<std::size_t>(number)]);
    });
  };
  each_group([&](const Group& group) {
    for (std::size_t e = 0; e < group.near.size(); ++e) {
      for_each_bit(group.near[e], [&](std::size_t lane) {
        const Vertex source = group.sources[lane];
        if (source != group.vertices[e]) ++all.row_begin[row_of[source] + 1];
      });
    }
  });
  std::partial_sum(all.row_begin.begin(), all.row_begin.end(), all.row_begin.begin());
  all.targets.resize(static_cast<std::size_t>(all.row_begin.back()));
  all.distances.resize(all.targets.size());
  semiring::dispatch(Semiring::min_plus, kept_type_, [&]<class S>() {
    each_group([&](Group& kept) {
      const Group group = std::move(kept);
      struct Entry {
        Vertex vertex;
        Word near;
        std::size_t first;  // distance
      };
      std::vector<Entry> entries;
      std::size_t pairs = 0;
      for (std::size_t e = 0; e < group.near.size(); ++e) {
        entries.push_back({group.vertices[e], group.near[e], pairs});
        pairs += static_cast<std::size_t>(std::popcount(group.near[e]));
      }
      std::ranges::sort(entries, {}, &Entry::vertex);
      std::array<std::int64_t, kLanes> next;
      for (std::size_t i = 0; i < group.sources.size(); ++i) {
        next[i] = all.row_begin[row_of[group.sources[i]]];
      }
      const auto* const distances =
          reinterpret_cast<const typename S::Value*>(group.distances.data());
      for (const Entry& entry : entries) {
        const auto* distance = distances + entry.first;
        for_each_bit(entry.near, [&](std::size_t lane) {
          const auto d = static_cast<double>(*distance++);
          if (group.sources[lane] == entry.vertex) return;
          const auto to = static_cast<std::size_t>(next[lane]++);
          all.targets[to] = entry.vertex;
          all.distances[to] = d;
        });
      }
    });
  });
  return all;
}

}  // namespace apsp::near
