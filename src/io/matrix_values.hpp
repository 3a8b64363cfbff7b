// Values of a dense matrix in an .npy or a Matrix Market array. f4, f8, i4 and u2 in native byte
// order stay in the file; others are converted once to f4 if that is exact for the type, else to
// f8. Integers beyond 2^53 that f8 cannot hold are refused.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/matrix_scan.hpp"
#include "io/held_bytes.hpp"
#include "io/npy_header.hpp"
#include "io/source.hpp"

namespace apsp::io {

inline void keep_bytes(const HeldBytes& held, WeightMatrix& matrix) {
  matrix.owner = held.owner;
  matrix.mapped = held.mapped;
  matrix.memory = held.memory;
}

struct MatrixInFile : WeightMatrix {
  NpyHeader header = {};
};

/// The position of the values in an .npy, without ownership. `type` is the type after conversion.
/// Throws `Error` (input) that begins with `name`.
MatrixInFile locate_matrix(std::span<const char> bytes, const std::string& name);

/// The graph with the requested direction; undirected requires symmetry. Throws `Error` (input).
Graph with_direction(const Graph& graph, const std::string& name, const ReadOptions& options);

bool held_as_they_are(const MatrixInFile& matrix);

/// Converts the values. Throws `Error` (input), with row and column, for an integer that is not
/// exact, and the exceptions of `progress`.
MatrixInFile converted(const MatrixInFile& matrix, const std::string& name, ReadProgress& progress);

/// Collects the values of a dense Matrix Market file: doubles, column-major.
class ArrayValues {
 public:
  ArrayValues() { block_.reserve(kBlock); }

  void add(double value) {
    block_.push_back(value);
    if (block_.size() == kBlock) flush();
  }
  /// Requires: n² values were added.
  WeightMatrix general(std::int64_t n);
  /// Requires: the n (n + 1) / 2 values of the lower triangle were added, column by column.
  WeightMatrix symmetric(std::int64_t n);

 private:
  static constexpr std::size_t kBlock = 8192;
  void flush();

  std::vector<double> block_;
  StreamedBytes stream_;
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
