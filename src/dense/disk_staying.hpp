// A matrix on the disk that stays on devices while it is solved: it is read once and written once.
//
// Rows arrive and leave in blocks (`DiskBlock`), which are also the steps:
//
//   for each block I, in order of arrival:
//     for each block k before it:  A(I,k) ← A(I,k) ⊗ A(k,k)*,  A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ A(k,j)
//     A(I,I) ← A(I,I)*,  A(I,j) ← A(I,j) ⊕ A(I,I) ⊗ A(I,j)
//   for each block I, from the last one to the first, which then leaves:
//     for each block k after it:  A(I,j) ← A(I,j) ⊕ A(I,k) ⊗ A(k,j)
//
// The next block arrives during the work on a block, and a block leaves during the work on the one
// before it. A(k,:) is final in the second half: no path through k is met twice.
//
// Several devices hold columns of all rows, block-cyclically. A step needs one packed square of
// another device, A(I,k), and once in a block its closed diagonal tile: n² values for each device.
// Each device reads and writes the bands of its columns. The owner of block k + 1 updates A(I,k+1)
// first in step k and sends it, so the square arrives before the others end step k. The diagonal
// tile is closed during the remainder of the last step before it.
//
// n³ relaxations, shared by columns; n² values each way over the disk. The only checkpoint is the
// end.
#pragma once

#include <memory>

#include "dense/disk_share.hpp"
#include "dense/peer_transport.hpp"

namespace apsp::dense {

/// The part of one device, which a thread of its own runs. `share` has a transport. Throws `Error`
/// (does_not_fit).
std::unique_ptr<DiskShare> disk_staying(const DiskArguments& arguments, const StreamedShare& share);

}  // namespace apsp::dense
