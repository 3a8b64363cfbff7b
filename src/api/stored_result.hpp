// Reads and verifies stored results.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/solve.hpp>
#include <apsp/statistics.hpp>
#include <memory>
#include <string>

#include <cstdint>
#include <vector>
#include "sparse/factor_rows.hpp"
#include "store/selection.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// Rows of the factor in a file; null: it holds a matrix. Throws as `sparse::read_factor`.
std::unique_ptr<sparse::FactorRows> stored_rows(const store::Store& stored, const Graph& graph);

void read_whole(Result::State& state);

/// Bytes needed to read rows of a result: decoded chunks, or sweeps over a factor.
double reading_bytes(const Result& result, int threads);

kernels::Sign sign_of(const Graph& graph);

/// Requires: all rows and columns, several strong components.
Statistics component_statistics_of(const Result::State& of, const Control& control);

/// Computes every row for its statistics, which are of vertices if the graph has turns. Requires: a
/// factor. Throws `Error` (interrupted).
Statistics statistics_of_factor(const Result::State& of, const Control& control);

/// Opens the result at `path` and verifies it, checksums included, against `graph`. `semiring` and
/// `selection`: an .npy lacks them, a .zarr must match. Throws `Error`: input (damaged, or of
/// another graph, semiring or selection), input_output, interrupted.
VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system = nullptr,
                           const store::Selection& selection = {});

}  // namespace apsp::api
