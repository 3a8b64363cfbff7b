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
#include <memory>
#include <string>

#include "distributed/processes.hpp"
#include "elimination/tree.hpp"

namespace apsp::distributed {

/// `graph`: process 0's; looked at nowhere else. Everywhere the same digest. Memory: the graph as
/// compressed rows, twice for a while.
Graph share_graph(Processes& processes, const Graph& graph);

/// `tree`: process 0's; looked at nowhere else. Two orders of one graph may both be good, but sums
/// that are rounded depend on them, and so do blocks that are distributed.
std::shared_ptr<const elimination::Tree> share_tree(
    Processes& processes, const std::shared_ptr<const elimination::Tree>& tree);

/// Everywhere the same graph. `options.threads`: of this process. Throws `Error`, in all processes:
/// as `read_graph`, with the message of one process; usage where the file of one holds other values
/// than that of process 0.
Graph collective_read(Processes& processes, const std::string& path, const ReadOptions& options);

}  // namespace apsp::distributed
