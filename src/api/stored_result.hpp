// A stored result: its factor, if it holds one, and its check.
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
#include "elimination/factor_rows.hpp"
#include "store/selection.hpp"
#include "store/store.hpp"

namespace apsp::api {

/// The rows of the factor that a file holds; null: it holds the matrix. Throws as
/// `elimination::read_factor`.
std::unique_ptr<elimination::FactorRows> stored_rows(const store::Store& stored,
                                                     const Graph& graph);

/// Reads all of a factor that was opened.
void read_whole(Result::State& state);

/// Bytes that reading rows of a result takes besides: chunks that are kept decoded and those of
/// each thread, or sweeps over a factor.
double reading_bytes(const Result& result, int threads);

/// Of the weights of a graph that has a factor.
kernels::Sign sign_of(const Graph& graph);

/// As `Result::component_statistics`. Requires: all rows and columns; several strong components.
Statistics component_statistics_of(const Result::State& of, const Control& control);

/// Statistics of all distances; every row is computed for them. Throws `Error` (interrupted).
Statistics statistics_of(const elimination::FactorRows& rows, const Graph& graph,
                         const Control& control);

/// Opens the result at `path` as any later reader will, with nothing kept from writing it, and
/// checks what is read, checksums included, against `graph`. `semiring` and `selection`: what an
/// .npy does not say, and a .zarr must. Throws `Error`: input (damaged, or of another graph,
/// semiring or selection), input_output, interrupted.
VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system = nullptr,
                           const store::Selection& selection = {});

}  // namespace apsp::api
