// Answers from the rows of a factor, where a Result has no matrix.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/statistics.hpp>
#include <memory>

#include "elimination/factor_rows.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// The rows of the factor that a file holds; null: it holds the matrix. Throws as
/// `elimination::read_factor`.
std::unique_ptr<elimination::FactorRows> stored_rows(const store::Store& stored,
                                                     const Graph& graph);

/// Of the weights of a graph that has a factor.
kernels::Sign sign_of(const Graph& graph);

/// Statistics of all distances; every row is computed for them. Throws `Error` (interrupted).
Statistics statistics_of(const elimination::FactorRows& rows, const Graph& graph,
                         const Control& control);

}  // namespace apsp::api
