// A sink that computes cumulative opportunities and their decays (accessibility: Hansen 1959).
#pragma once

#include <apsp/near.hpp>
#include <apsp/semiring.hpp>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "flow/column_sink.hpp"

namespace apsp::near {

struct AccessibilityQuestion {
  std::int64_t vertices = 0;
  std::span<const double> quantities{};  // [columns, vertices]
  std::span<const double> limits{};
  Decay decay{};
};

class AccessibilitySums final : public flow::ColumnSink {
 public:
  /// `type`: of the distances. The spans of the question must outlive this.
  AccessibilitySums(const AccessibilityQuestion& question, ValueType type);
  ~AccessibilitySums() override;

  bool pairs_once() const override { return false; }
  Writer& part() override;
  /// [sources, limits, columns]. Requires: every block has ended, and each source was in one.
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
