// A dense matrix of weights in a file (.npy), for processes that share it: every one maps it and
// looks at some lines, and the graph is made of what all of them found.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <memory>
#include <optional>
#include <string>

#include "graph/matrix_scan.hpp"
#include "io/npy_values.hpp"

namespace apsp::io {

/// The matrix of a plain file, mapped, or converted where its type asks for that; its weights have
/// not been looked at. Empty where `path` is anything else, or asks for what is read otherwise:
/// another format, an archive, a stream, coordinates. Throws as `read_graph`.
std::optional<MatrixInFile> map_matrix(const std::string& path, const ReadOptions& options);

/// The graph of a matrix, with remarks on entries that may not be what their type says. `scan`: of
/// all its lines; null: they are looked at here. Throws `Error` (input) that names `name`.
Graph matrix_graph(MatrixInFile matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options);

}  // namespace apsp::io
