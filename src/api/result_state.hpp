// What a Result holds.
#pragma once

#include <apsp/solve.hpp>
#include <memory>
#include <mutex>
#include <optional>

#include "store/store.hpp"

namespace apsp {

struct Result::State {
  Graph graph;
  std::unique_ptr<store::Store> store;  // null: the matrix was not kept
  store::Layout layout;
  SolveReport report;
  std::mutex statistics_mutex;
  std::optional<Statistics> statistics;

  /// Throws `Error` (usage) if the matrix was not kept.
  store::Store& matrix() const;
  /// What goes beside the planes of a store: report, statistics, per-vertex values.
  store::Metadata metadata() const;
};

}  // namespace apsp
