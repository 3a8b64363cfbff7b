// Processes of an MPI job as a grid. Messages go through host memory, or directly from the memory
// of GPUs if the library reports that it reads it (CUDA-aware MPI). Open MPI and MPICH progress
// only inside calls, so the computing thread calls `done` between two pieces of its work.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>

#include "cluster/communicator.hpp"

namespace apsp::mpi {

/// Ends the whole job with MPI's text for a code other than success.
void check(int code, const char* operation);

class MpiCommunicator final : public cluster::Communicator {
 public:
  /// Collective over `all`. Requires: rows · cols processes. Ranks are then row by row of the grid,
  /// wherever processes are placed.
  MpiCommunicator(MPI_Comm all, const cluster::Placement& placement);
  ~MpiCommunicator() override;
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;

  int size(dense::Along along) const override { return line(along).size; }
  int rank(dense::Along along) const override { return line(along).rank; }
  std::int64_t most_bytes() const override { return std::int64_t{1} << 30; }  // counts are int
  bool reads_devices() const override;

  Request send(dense::Along along, int to, int tag, const std::byte* memory,
               std::int64_t bytes) override;
  Request receive(dense::Along along, int from, int tag, std::byte* memory,
                  std::int64_t bytes) override;
  Request broadcast(dense::Along along, int root, std::byte* memory, std::int64_t bytes) override;
  Request least(std::int64_t mine) override;
  std::int64_t result(Request request) override;
  bool done(Request request) override;

 private:
  struct GridLine {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0, size = 1;
  };
  struct Vote {
    std::int64_t mine = 0, least = 0;
  };
  struct UnderWay {
    MPI_Request request = MPI_REQUEST_NULL;
    std::unique_ptr<Vote> vote;  // null: a message
    std::int64_t expected = -1;  // bytes to receive
  };
  const GridLine& line(dense::Along along) const { return lines_[static_cast<int>(along)]; }
  GridLine make_line(MPI_Comm all, int colour, int key);
  template <class Begin>
  Request begun(const char* operation, const Begin& begin, std::unique_ptr<Vote> vote = {});

  GridLine lines_[3];
  std::map<Request, UnderWay> under_way_;
  Request next_ = 0;
};

}  // namespace apsp::mpi
