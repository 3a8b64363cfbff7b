// Is the file that was written right?
#pragma once

#include <apsp/graph.hpp>
#include <apsp/semiring.hpp>
#include <apsp/verify.hpp>
#include <string>

namespace apsp::store {
class FileSystem;
}

namespace apsp::api {

/// Opens the result at `path` as any later reader will, with nothing kept from writing it, and
/// checks what is read, checksums included, against `graph`. `semiring`: what an .npy does not
/// say. Throws `Error`: input (damaged, or of another graph or semiring), input_output,
/// interrupted.
VerifyReport verify_stored(const std::string& path, const Graph& graph, Semiring semiring,
                           const VerifyOptions& options, store::FileSystem* file_system = nullptr);

}  // namespace apsp::api
