// A library for LD_PRELOAD: one call of MPI fails in one process of a job (the profiling interface,
// MPI 4.1, 15.2).
//
// $APSP_MESSAGE_FAULT=RANK:CALL:WAY. CALL counts the calls below in process RANK from 1. WAY:
// "fail" gives MPI_ERR_OTHER and does nothing, "short" sends a message without its last element.
// Where the call was reached, "message fault" stands on the standard error.
#include <mpi.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Fault {
  Fault() {
    const char* const text = std::getenv("APSP_MESSAGE_FAULT");
    if (text != nullptr) std::sscanf(text, "%d:%ld:%7s", &rank, &call, way);
  }
  int rank = -1;
  long call = 0;
  char way[8] = "";
};

/// Whether this call is the one.
bool reached() {
  static const Fault fault;
  static std::atomic<long> calls{0};
  static const int rank = [] {
    int mine = -1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &mine);
    return mine;
  }();
  if (rank != fault.rank || ++calls != fault.call) return false;
  std::fputs("message fault\n", stderr);
  return true;
}

bool cuts() {
  const Fault fault;
  return std::strcmp(fault.way, "short") == 0;
}

}  // namespace

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (reached()) {
    if (!cuts() || count == 0) return MPI_ERR_OTHER;
    --count;
  }
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  if (reached()) return MPI_ERR_OTHER;
  return PMPI_Irecv(data, count, type, from, tag, comm, request);
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  if (reached()) return MPI_ERR_OTHER;
  return PMPI_Ibcast(data, count, type, root, comm, request);
}
int MPI_Iallreduce(const void* data, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  if (reached()) return MPI_ERR_OTHER;
  return PMPI_Iallreduce(data, out, count, type, op, comm, request);
}

}  // extern "C"
