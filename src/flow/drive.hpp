// Drives the rows of a finished matrix into sinks or into another store.
#pragma once

#include <apsp/progress.hpp>
#include <span>

#include "flow/row_sink.hpp"
#include "store/store.hpp"

namespace apsp::flow {

/// Drives every row of distances into `to` once, in blocks of its preference; does not finish it. A
/// matrix on disk is read band by band. Checks for cancellation and `stop` between blocks; `stop`
/// causes no error. Throws `Error` (interrupted) and what store and sink throw.
void drive(const store::Store& from, RowSink& to, int threads, const Control& control,
           const Cancellation* stop = nullptr);

/// Drives into several sinks and reads each band once.
void drive_all(const store::Store& from, std::span<RowSink* const> to, int threads,
               const Control& control);

/// Copies a plane, band after band. Throws `Error` (interrupted) and what the stores throw.
void copy_plane(store::Plane plane, store::Store& from, store::Store& to, int threads,
                const Control& control);

}  // namespace apsp::flow
