#include "cluster/mpi/mpi_communicator.hpp"

#include <fmt/format.h>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>

#if defined(OPEN_MPI)
#include <mpi-ext.h>
#endif

namespace apsp::mpi {

using dense::Along;

namespace {

/// Ends the whole job, as errors of a device do: the others wait for this process, and messages use
/// memory that an exception would free.
[[noreturn]] void end_job(const std::string& what) {
  constexpr int kExitDevice = 7;  // docs/cli.md
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  fmt::print(stderr, "apsp: process {} of {}: {}\n", rank, size, what);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, kExitDevice);
  std::abort();
}

/// A message that is shorter than expected is no error to MPI.
void check_length(const MPI_Status& status, std::int64_t expected) {
  if (expected < 0) return;
  int came = 0;
  check(MPI_Get_count(&status, MPI_BYTE, &came), "MPI_Get_count");
  if (came == expected) return;
  end_job(fmt::format("a message of process {} of the grid's line has {} bytes, not {}",
                      status.MPI_SOURCE, came, expected));
}

}  // namespace

void check(int code, const char* operation) {
  if (code == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  end_job(fmt::format("{}: {}", operation, text.data()));
}

MpiCommunicator::MpiCommunicator(MPI_Comm all, const cluster::Placement& placement) {
  int rank = 0;
  check(MPI_Comm_rank(all, &rank), "MPI_Comm_rank");
  const int row = placement.row(rank), col = placement.col(rank);
  lines_[static_cast<int>(Along::row)] = make_line(all, row, col);
  lines_[static_cast<int>(Along::column)] = make_line(all, col, row);
  lines_[static_cast<int>(Along::all)] = make_line(all, 0, row * placement.cols + col);
}

MpiCommunicator::~MpiCommunicator() {
  for (GridLine& line : lines_) MPI_Comm_free(&line.comm);
}

MpiCommunicator::GridLine MpiCommunicator::make_line(MPI_Comm all, int colour, int key) {
  GridLine line;
  check(MPI_Comm_split(all, colour, key, &line.comm), "MPI_Comm_split");
  check(MPI_Comm_set_errhandler(line.comm, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
  check(MPI_Comm_rank(line.comm, &line.rank), "MPI_Comm_rank");
  check(MPI_Comm_size(line.comm, &line.size), "MPI_Comm_size");
  return line;
}

bool MpiCommunicator::reads_devices() const {
#if defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#else
  return false;
#endif
}

template <class Begin>
MpiCommunicator::Request MpiCommunicator::begun(const char* operation, const Begin& begin,
                                                std::unique_ptr<Vote> vote) {
  MPI_Request request = MPI_REQUEST_NULL;
  check(begin(&request), operation);
  under_way_[next_] = {request, std::move(vote)};
  return next_++;
}

MpiCommunicator::Request MpiCommunicator::send(Along along, int to, int tag,
                                               const std::byte* memory, std::int64_t bytes) {
  return begun("MPI_Isend", [&](MPI_Request* request) {
    return MPI_Isend(memory, static_cast<int>(bytes), MPI_BYTE, to, tag, line(along).comm, request);
  });
}

MpiCommunicator::Request MpiCommunicator::receive(Along along, int from, int tag, std::byte* memory,
                                                  std::int64_t bytes) {
  const Request request = begun("MPI_Irecv", [&](MPI_Request* received) {
    return MPI_Irecv(memory, static_cast<int>(bytes), MPI_BYTE, from, tag, line(along).comm,
                     received);
  });
  under_way_.at(request).expected = bytes;
  return request;
}

MpiCommunicator::Request MpiCommunicator::broadcast(Along along, int root, std::byte* memory,
                                                    std::int64_t bytes) {
  return begun("MPI_Ibcast", [&](MPI_Request* request) {
    return MPI_Ibcast(memory, static_cast<int>(bytes), MPI_BYTE, root, line(along).comm, request);
  });
}

MpiCommunicator::Request MpiCommunicator::least(std::int64_t mine) {
  auto vote = std::make_unique<Vote>();
  vote->mine = mine;
  const auto begin = [&, &vote = *vote](MPI_Request* request) {
    return MPI_Iallreduce(&vote.mine, &vote.least, 1, MPI_INT64_T, MPI_MIN, line(Along::all).comm,
                          request);
  };
  return begun("MPI_Iallreduce", begin, std::move(vote));
}

std::int64_t MpiCommunicator::result(Request request) {
  return under_way_.extract(request).mapped().vote->least;
}

bool MpiCommunicator::done(Request request) {
  int flag = 0;
  const auto found = under_way_.find(request);
  MPI_Status status;
  check(MPI_Test(&found->second.request, &flag, &status), "MPI_Test");
  if (flag == 0) return false;
  const std::int64_t expected = found->second.expected;
  if (found->second.vote == nullptr) under_way_.erase(found);
  check_length(status, expected);
  return true;
}

}  // namespace apsp::mpi
