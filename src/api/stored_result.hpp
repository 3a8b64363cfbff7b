// A stored result: its factor, if it holds one, and its check.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <apsp/semiring.hpp>
#include <apsp/statistics.hpp>
#include <apsp/verify.hpp>
#include <memory>
#include <string>

#include <cstdint>
#include <functional>
#include <vector>
#include "elimination/factor_rows.hpp"
#include "store/selection.hpp"
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

/// Opens the result at `path` as any later reader will, with nothing kept from writing it, and
/// checks what is read, checksums included, against `graph`. `semiring` and `selection`: what an
/// .npy does not say, and a .zarr must. Throws `Error`: input (damaged, or of another graph,
/// semiring or selection), input_output, interrupted.
VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system = nullptr,
                           const store::Selection& selection = {});

struct UpdateOptions {
  std::string output{};   ///< .zarr; may be the one that is read
  bool compress = false;  ///< zstd behind every chunk
  int threads = 0;        ///< 0: all
  Control control{};
};

struct Updated {
  Graph graph;               ///< with the new weights
  std::int64_t changes = 0;  ///< arcs that were named
  double seconds = 0;        ///< of the elimination
};

/// Gives other weights to the arcs that `changes` returns for the graph at `path`. Only the part of
/// the factor that they may change is eliminated again; what is stored, without statistics, is the
/// factor that a fresh solve in the same order would give. Where that takes the place of what was
/// read, it waits while another update does the same, and is an `Error` (input_output) after a
/// solve has replaced it meanwhile. Throws `Error`: usage (no factor, an arc
/// that the graph has not, weights that the semiring or the factor's type does not take),
/// does_not_fit (the factor's type no longer surely holds every distance), negative_cycle, input,
/// input_output, interrupted; then what stood at `output` stays.
Updated update_stored(const std::string& path,
                      const std::function<std::vector<Edge>(const Graph&)>& changes,
                      const UpdateOptions& options);

}  // namespace apsp::api
