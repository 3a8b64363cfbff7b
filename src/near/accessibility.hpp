// A sink of distances up to a limit, which adds up quantities near each source: cumulative
// opportunities and their decays (accessibility: Hansen 1959).
#pragma once

#include <apsp/near.hpp>
#include <apsp/semiring.hpp>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "flow/column_sink.hpp"

namespace apsp::near {

/// The quantities of the vertices, the limits of distance and the decay to sum them with.
struct AccessibilityQuestion {
  std::int64_t vertices = 0;
  std::span<const double> quantities{};  // [columns, vertices]
  std::span<const double> limits{};
  Decay decay{};
};

class AccessibilitySums final : public flow::ColumnSink {
 public:
  /// Distances of `type`. What the question names outlives this.
  AccessibilitySums(const AccessibilityQuestion& question, ValueType type);
  ~AccessibilitySums() override;

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
