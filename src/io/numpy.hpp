// Dense matrices in .npy files. Values f4, f8, i4 and u2 in native byte order stay in the file;
// others are converted once to f4 if that is exact for the type, else to f8. Integers beyond 2^53
// that f8 cannot hold are refused.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <memory>
#include <optional>
#include <string>

#include "graph/matrix_scan.hpp"
#include "io/npy.hpp"

namespace apsp::io {

struct MatrixInFile : WeightMatrix {
  NpyHeader header = {};
};

// A dense .npy that several processes share: each maps the file and scans some lines, and the
// joined scans give the graph (numpy.cpp).

/// Maps the matrix of a plain file, converted if its type requires it, without examining weights.
/// Empty if reading requires more: another format, an archive, a stream, coordinates. Throws as
/// `read_graph`.
std::optional<MatrixInFile> map_matrix(const std::string& path, const ReadOptions& options);

/// The graph of a matrix, with remarks on doubtful entries. `scan`: of all lines; null: scans here.
/// Throws `Error` (input) that begins with `name`.
Graph matrix_graph(MatrixInFile matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options);

}  // namespace apsp::io
