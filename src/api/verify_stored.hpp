// Checks a result in the file that was written, not in memory.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/verify.hpp>
#include <string>

#include "store/selection.hpp"

namespace apsp::store {
class FileSystem;
}

namespace apsp::api {

/// Opens the result at `path` as any later reader will, with nothing kept from writing it, and
/// checks what is read, checksums included, against `graph`. `semiring` and `selection`: what an
/// .npy does not say, and a .zarr must. Throws `Error`: input (damaged, or of another graph,
/// semiring or selection), input_output, interrupted.
VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system = nullptr,
                           const store::Selection& selection = {});

}  // namespace apsp::api
