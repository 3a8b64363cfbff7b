// The values of an .npy file as those of a graph's matrix.
//
// f4, f8, i4 and u2 of this machine's byte order are held as they lie in the file. All others are
// converted, once, into the narrowest of f4 and f8 that holds every value of their type exactly, or
// that none but integers beyond 2^53 miss; those are refused. What is converted rests as the bytes
// of a stream do, in memory or in a file without a name.
#pragma once

#include <apsp/graph.hpp>

#include <optional>
#include <span>
#include <string>

#include "io/npy_header.hpp"
#include "io/source.hpp"

namespace apsp::io {

/// A matrix and how its file holds it.
struct MatrixInFile : WeightMatrix {
  NpyHeader header = {};
};

/// Where the bytes of an .npy file hold its values; without an owner. `type` is the one that they
/// will have. Throws `Error` (input) that names `name`.
MatrixInFile locate_matrix(std::span<const char> bytes, const std::string& name);

/// Whether the values can be used where they are.
bool held_as_they_are(const MatrixInFile& matrix);

/// The same matrix of values that are of its type. Throws `Error` (input), with row and column, for
/// an integer that is not held exactly; what `progress` throws.
MatrixInFile converted(const MatrixInFile& matrix, const std::string& name, ReadProgress& progress);

/// The greatest value of an integer type; empty: the file has another one.
std::optional<double> greatest_of_type(const NpyHeader& header);

/// "u2".
std::string type_name(const NpyHeader& header);

}  // namespace apsp::io
