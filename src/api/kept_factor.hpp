// The factor that a Result answers from where it has no matrix.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <memory>

#include "elimination/factor.hpp"
#include "elimination/factor_rows.hpp"
#include "kernels/contract.hpp"

namespace apsp::api {

class KeptFactor {
 public:
  /// `sign`: of the weights.
  KeptFactor(std::shared_ptr<const elimination::Factor> factor, kernels::Sign sign);

  const elimination::Factor& factor() const { return *factor_; }
  const elimination::FactorRows& rows() const { return rows_; }
  /// All rows are computed for them. Throws `Error` (interrupted).
  Statistics statistics(const Graph& graph, const Control& control) const;

 private:
  std::shared_ptr<const elimination::Factor> factor_;
  elimination::FactorRows rows_;
};

}  // namespace apsp::api
