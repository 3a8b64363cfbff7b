// A sink of distances within a limit (near pairs, isochrones) that gathers them into compressed
// sparse rows.
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
  /// `type`: of the distances. Drops distances above `limit`.
  NearPairs(std::int64_t vertices, ValueType type, double limit);
  ~NearPairs() override;

  bool pairs_once() const override { return false; }
  Writer& part() override;
  /// Row i: the pairs from sources[i]. Requires: every block has ended; called once.
  SparseDistances rows(std::span<const Vertex> sources, int threads);

 private:
  struct Found;
  template <class T>
  class Gatherer;

  std::int64_t vertices_;
  ValueType type_;
  double limit_;
  std::mutex mutex_;
  std::deque<Found> found_;  // one a thread
  std::vector<std::unique_ptr<Writer>> writers_;
};

}  // namespace apsp::near
