// A matrix on the disk that passes through memory in every step (Xia 2021, §III-A; Sao 2021, §4.3,
// where memory has the role of the device).
//
// In step k the device's memory holds the packed row panel, n b values, and the closed diagonal
// tile. The other rows pass in strips, each read and written as a whole:
//
//   P ← A(k,k)* ⊗ A(k,:)              the row panel, some bands of columns at a time
//   for each strip I of the other rows:
//     A(I,k) ← A(I,k) ⊕ A(I,k) ⊗ A(k,k)*       its part of the column panel
//     A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ P(j)          all other columns j
//
// The column panel never exists as a whole, and no value moves twice in a step. Strips are updated
// while others are read and written. There is no look-ahead but the diagonal tile, which is read
// before the end of a step is on the disk, and closed meanwhile. Where the host computes, the
// buffers of parts hold it until it is written.
//
// A step reads one generation of the matrix and writes the other (store/disk_matrix.hpp). Its end
// is a checkpoint; a later run may continue with another width. Integers then have the same bits,
// and rounded sums do if width and tile are the same. n³ relaxations; n² · n / b values each way.
#pragma once

#include <memory>

#include "dense/disk_share.hpp"

namespace apsp::dense {

/// Throws `Error` (does_not_fit).
std::unique_ptr<DiskShare> disk_passing(const DiskArguments& arguments);

}  // namespace apsp::dense
