// The values of a dense matrix in an .npy, or in a Matrix Market array. f4, f8, i4 and u2 of this
// machine's byte order are held as they lie in the .npy. All others are converted, once, into the
// narrowest of f4 and f8 that holds every value of their type exactly, and kept as the bytes of a
// stream are. Integers beyond 2^53 that f8 does not hold are refused.
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

/// The matrix keeps the memory, or the mapping, of these bytes.
inline void keep_bytes(const HeldBytes& held, WeightMatrix& matrix) {
  matrix.owner = held.owner;
  matrix.mapped = held.mapped;
  matrix.memory = held.memory;
}

/// A matrix and how its file holds it.
struct MatrixInFile : WeightMatrix {
  NpyHeader header = {};
};

/// Where the bytes of an .npy file hold its values; without an owner. `type` is the one that they
/// will have. Throws `Error` (input) that names `name`.
MatrixInFile locate_matrix(std::span<const char> bytes, const std::string& name);

/// The graph of a matrix as the caller wants it: undirected only if it is symmetric. Throws `Error`
/// (input).
Graph with_direction(const Graph& graph, const std::string& name, const ReadOptions& options);

/// Whether the values can be used where they are.
bool held_as_they_are(const MatrixInFile& matrix);

/// The same matrix of values that are of its type. Throws `Error` (input), with row and column, for
/// an integer that is not held exactly; what `progress` throws.
MatrixInFile converted(const MatrixInFile& matrix, const std::string& name, ReadProgress& progress);

/// The values of a dense Matrix Market file as they are read: doubles, by columns.
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

// A dense matrix in an .npy file, for processes that share it: every one maps it and looks at some
// lines, and the graph is made of what all of them found (numpy.cpp).

/// The matrix of a plain file, mapped, or converted where its type asks for that; its weights have
/// not been looked at. Empty where `path` is anything else, or asks for what is read otherwise:
/// another format, an archive, a stream, coordinates. Throws as `read_graph`.
std::optional<MatrixInFile> map_matrix(const std::string& path, const ReadOptions& options);

/// The graph of a matrix, with remarks on entries that may not be what their type says. `scan`: of
/// all its lines; null: they are looked at here. Throws `Error` (input) that names `name`.
Graph matrix_graph(MatrixInFile matrix, std::shared_ptr<const graph::MatrixScan> scan,
                   const std::string& name, const ReadOptions& options);

}  // namespace apsp::io
