// Sinks of distances up to a limit: pairs gathered into compressed sparse rows, and sums of
// quantities over what is near each source (accessibility: Hansen 1959).
#pragma once

#include <apsp/near.hpp>
#include <apsp/semiring.hpp>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "flow/column_sink.hpp"

namespace apsp::near {

class NearPairs final : public flow::ColumnSink {
 public:
  /// Distances of `type`; those above `limit` are left out.
  NearPairs(std::int64_t vertices, ValueType type, double limit);
  ~NearPairs() override;

  bool pairs_once() const override { return false; }
  Writer& part() override;
  /// Row i: the pairs from sources[i]. Requires: every block has ended. Once.
  SparseDistances rows(std::span<const Vertex> sources, int threads);

 private:
  struct Found;
  template <class T>
  class Gatherer;

  std::int64_t vertices_;
  ValueType type_;
  double limit_;
  std::mutex mutex_;
  std::deque<Found> found_;  // of each thread
  std::vector<std::unique_ptr<Writer>> writers_;
};

/// What is asked for.
struct ReachQuestion {
  std::int64_t vertices = 0;
  std::span<const double> quantities{};  // [columns, vertices]
  std::span<const double> limits{};
  Decay decay{};
};

class ReachSums final : public flow::ColumnSink {
 public:
  /// Distances of `type`. What the question names outlives this.
  ReachSums(const ReachQuestion& question, ValueType type);
  ~ReachSums() override;

  bool pairs_once() const override { return false; }
  Writer& part() override;
  /// [sources, limits, columns]. Requires: every block has ended, each source in one.
  std::vector<double> sums(std::span<const Vertex> sources) const;

 private:
  struct Shared;
  template <class T>
  class Adder;

  std::unique_ptr<Shared> shared_;
  ValueType type_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Writer>> writers_;
};

}  // namespace apsp::near
