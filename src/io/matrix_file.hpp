// A dense matrix of weights in a file (.npy), for processes that share it: every one maps it and
// looks at some lines, and the graph is made of what all of them found.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "graph/matrix_scan.hpp"

namespace apsp::io {

/// The matrix of a plain file, mapped; its values have not been looked at. Empty where `path` is
/// anything else, or asks for what is read otherwise: another format, an archive, a stream,
/// coordinates. Throws as `read_graph`.
std::optional<WeightMatrix> map_matrix(const std::string& path, const ReadOptions& options);

/// Where the bytes of an .npy file hold its values; without an owner. Throws `Error` (input) that
/// names `name`.
WeightMatrix locate_matrix(std::span<const char> bytes, const std::string& name);

/// The graph of a matrix. `scan`: of all its lines; null: they are looked at here. Throws `Error`
/// (input) that names `name`.
Graph matrix_graph(WeightMatrix matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options);

}  // namespace apsp::io
