// A sink that keeps what is within a limit of each source: near pairs, and sums of any quantities.
//
// 64 sources that are near each other share most of what they reach. So a group of 64 has one entry
// for each vertex that any of them reaches: a bit for each source, and the distances of the bits
// that are set. A sum without decay adds a quantity to 64 sums by the bits only.
#pragma once

#include <apsp/near.hpp>
#include <apsp/semiring.hpp>
#include <deque>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "flow/column_sink.hpp"
#include "near/accessibility.hpp"

namespace apsp::near {

class ReachSets final : public flow::ColumnSink {
 public:
  /// `type`: of the distances that come. Drops those above `limit`. `distances`: keeps the others.
  ReachSets(std::int64_t vertices, ValueType type, double limit, bool distances);
  ~ReachSets() override;

  bool pairs_once() const override { return false; }
  Writer& part() override;
  /// Must be called once, after every block has ended and before the following functions.
  void finish();

  std::int64_t pairs() const { return pairs_; }
  std::int64_t bytes() const { return bytes_; }
  /// Expected bytes of the sets and of the threads that find them, if a source reaches so many
  /// vertices on average.
  double expected_bytes(std::int64_t sources, double reached, int threads) const;
  /// From now on, a writer throws `Error` (does_not_fit) if the sets exceed so many bytes.
  void allow(std::int64_t bytes) { allowed_ = bytes; }

  /// Whether a question with limits of at most that of the sets can be answered.
  bool answers(const AccessibilityQuestion& question) const {
    return distances_ || by_bits(question);
  }
  /// As `AccessibilitySums::sums`. Requires: `answers`. Throws `Error` (interrupted).
  std::vector<double> sums(const AccessibilityQuestion& question, std::span<const Vertex> sources,
                           int threads) const;
  /// Row i: the pairs from sources[i], without itself. Requires: distances; called once, last.
  SparseDistances rows(std::span<const Vertex> sources, int threads);

 private:
  struct Group;
  class GroupWriter;
  template <class T, class K>
  class Gatherer;

  bool by_bits(const AccessibilityQuestion& question) const;
  void add(Group group, std::int64_t pairs);
  /// [sources, columns].
  std::vector<double> sums_by_bits(std::span<const double> quantities,
                                   std::span<const Vertex> sources, int threads) const;
  /// Pushes all distances up to the limit.
  void give(flow::ColumnSink& sink, int threads) const;

  std::int64_t vertices_;
  ValueType type_, kept_type_;
  double limit_;
  bool distances_;
  std::int64_t allowed_ = std::numeric_limits<std::int64_t>::max();
  std::mutex mutex_;
  std::vector<std::unique_ptr<GroupWriter>> writers_;
  std::deque<Group> groups_;
  std::int64_t pairs_ = 0, bytes_ = 0;
};

}  // namespace apsp::near
