// Makes calls of MPI fail in the process that loads this library by LD_PRELOAD (the profiling
// interface, MPI 4.1, 15.2).
//
//   APSP_FAULT_TRACE=FILE    one letter for each call, in the order of calls
//   APSP_FAULT=NUMBER:WAY    call NUMBER (from 0) fails in this way
//
// Ways: "error" does nothing and gives MPI_ERR_OTHER, "short" sends a message without its last
// element, and is an error of one without elements. Where the call was reached, "message fault"
// stands on the standard error.
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

struct Fault {
  Fault() {
    if (const char* const path = std::getenv("APSP_FAULT_TRACE")) {
      trace = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    if (const char* const order = std::getenv("APSP_FAULT")) {
      std::sscanf(order, "%ld:%7s", &at, way);
    }
  }
  int trace = -1;
  long at = -1;
  char way[8] = "";
  std::atomic<long> count{0};
};

/// How a call of this letter fails; empty: it does not.
const char* next_call(char letter) {
  static Fault fault;
  if (fault.trace >= 0) (void)!write(fault.trace, &letter, 1);
  if (fault.count.fetch_add(1) != fault.at) return "";
  std::fputs("message fault\n", stderr);
  return fault.way;
}

bool fails(char letter) { return std::strcmp(next_call(letter), "error") == 0; }

}  // namespace

extern "C" {

int MPI_Isend(const void* data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request* request) {
  const char* const way = next_call('S');
  if (way[0] != '\0') {
    if (std::strcmp(way, "short") != 0 || count == 0) return MPI_ERR_OTHER;
    --count;
  }
  return PMPI_Isend(data, count, type, to, tag, comm, request);
}
int MPI_Irecv(void* data, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return fails('R') ? MPI_ERR_OTHER : PMPI_Irecv(data, count, type, from, tag, comm, request);
}
int MPI_Ibcast(void* data, int count, MPI_Datatype type, int root, MPI_Comm comm,
               MPI_Request* request) {
  return fails('B') ? MPI_ERR_OTHER : PMPI_Ibcast(data, count, type, root, comm, request);
}
int MPI_Iallreduce(const void* data, void* out, int count, MPI_Datatype type, MPI_Op op,
                   MPI_Comm comm, MPI_Request* request) {
  return fails('A') ? MPI_ERR_OTHER : PMPI_Iallreduce(data, out, count, type, op, comm, request);
}

}  // extern "C"
