// The graph of a file, in all processes of a job.
//
// A text, an archive or a stream is read by process 0, and the graph is sent. A dense matrix of
// weights in a plain file (.npy) is not: every process maps the file, which all must see, looks at
// its share of the lines, and has the facts of all of them; nobody holds the values. The mapping is
// read by position, as much at a time as is looked at, and its pages are given back: what MPI-IO's
// independent reads would do with a buffer besides, and without MPI above the communicator.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <string>

#include "engine/processes.hpp"

namespace apsp::api {

/// Everywhere the same graph. `options.threads`: of this process. Throws `Error`, in all processes:
/// as `read_graph`, with the message of one process; usage where the file of one holds other values
/// than that of process 0.
Graph collective_read(engine::Processes& processes, const std::string& path,
                      const ReadOptions& options);

}  // namespace apsp::api
