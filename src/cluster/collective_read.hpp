// The graph of a file, in all processes of a job.
//
// Process 0 reads a text, an archive or a stream and sends the graph. A dense matrix in a plain
// file (.npy) is not sent: every process maps the file, which all must see, scans its share of the
// rows, and receives the facts of all. The mapping is read in pieces whose pages are released,
// which is what MPI-IO's independent reads would do with an additional buffer, without MPI above
// the communicator.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/io.hpp>
#include <memory>
#include <string>

#include "cluster/processes.hpp"
#include "sparse/tree.hpp"

namespace apsp::cluster {

/// Sends process 0's graph to all, with the same digest. Takes twice the compressed rows for a
/// while.
Graph share_graph(Processes& processes, const Graph& graph);

/// Sends process 0's tree to all. Different orders of one graph would change rounded sums and the
/// distribution of blocks.
std::shared_ptr<const sparse::Tree> share_tree(Processes& processes,
                                               const std::shared_ptr<const sparse::Tree>& tree);

/// Returns the same graph in all processes. `options.threads`: of this process. Throws `Error`, in
/// all processes: as `read_graph`, with the message of one process; usage if the files of two
/// processes differ.
Graph collective_read(Processes& processes, const std::string& path, const ReadOptions& options);

}  // namespace apsp::cluster
