#include "cluster/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "cluster/processes.hpp"
#include "rates/machine_report.hpp"
#include "system/machine.hpp"

namespace apsp::cluster {
namespace {

/// Set by Open MPI; MPICH and others that speak PMI; srun's steps.
constexpr const char* kCounts[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"};
constexpr const char* kNumbers[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"};

int first_of(std::span<const char* const> names, int otherwise) {
  for (const char* const name : names) {
    if (const char* const value = std::getenv(name)) return std::max(otherwise, std::atoi(value));
  }
  return otherwise;
}

/// Whether MPICH's launcher, or one derived from it, started the processes.
bool launched_by_mpich() {
  return std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr &&
         std::getenv("MPI_LOCALNRANKS") != nullptr;
}

}  // namespace

int threads_of_process(const Launch& launch, int asked) {
  if (asked > 0) return asked;
  if (launch.of_machine == 1) return system::thread_count(0);
  // Several processes may be bound to the same processors, and a container's quota is for all of
  // its processes.
  int of_all = static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN));
  if (const int granted = system::granted_processors(); granted > 0)
    of_all = std::min(of_all, granted);
  return std::max(1, std::min(system::thread_count(0), of_all / launch.of_machine));
}

int launched_processes() { return first_of(kCounts, 1); }

int launched_number() { return first_of(kNumbers, 0); }

bool has_launcher() {
  return std::any_of(std::begin(kCounts), std::end(kCounts),
                     [](const char* name) { return std::getenv(name) != nullptr; });
}

void require_all_found(const Launch& launch) {
  const int processes = launched_processes();
  if (launch.size > 1 || processes == 1) return;
  throw Error(ErrorKind::device,
              fmt::format("the launcher started {} processes, but MPI finds only one: the launcher "
                          "belongs to another MPI than apsp was built with. Use the mpirun of that "
                          "MPI, or build apsp with the launcher's MPI",
                          processes));
}

void require_alike(Processes& processes, const std::string& version,
                   const std::vector<std::string>& words) {
  processes.require_same("its version", version);
  std::string line;
  for (const std::string& word : words) line += word + '\0';
  processes.require_same("the words of its command line", line);
}

void go_on_under_mpi(const std::vector<std::string>& words) {
  std::error_code error;
  const std::filesystem::path here =
      std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
  std::string program = (here / "apsp-mpi").string();
  if (launched_by_mpich() && std::filesystem::exists(here / "apsp-mpich", error)) {
    program = (here / "apsp-mpich").string();
  }
  std::vector<std::string> all = {program};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> pointers;
  pointers.reserve(all.size() + 1);
  for (std::string& word : all) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(program.c_str(), pointers.data());
  throw Error(ErrorKind::device,
              fmt::format("this is one of {} processes, and the program for several processes is "
                          "missing ({}): build apsp where MPI is installed (apt-get install "
                          "libopenmpi-dev), or start it without a launcher",
                          launched_processes(), program));
}

namespace {

/// Called while the program's own thread waits inside MPI.
void end_alone(const Launch& launch) {
  launch.on_late(Error(
      ErrorKind::device,
      fmt::format("process {} of {} has waited {:g} seconds for the others to start: check that "
                  "all of them run and that their machines reach each other; "
                  "APSP_MEETING_SECONDS sets a longer time",
                  launched_number(), launched_processes(), meeting_limit().count())));
}

}  // namespace

Meeting::Meeting(std::chrono::duration<double> limit, std::function<void()> on_late)
    : watch_([this, limit, on_late = std::move(on_late)] {
        std::unique_lock lock(mutex_);
        if (!over_.wait_for(lock, limit, [this] { return met_; })) on_late();
      }) {}

Meeting::~Meeting() {
  {
    const std::lock_guard lock(mutex_);
    met_ = true;
  }
  over_.notify_one();
  watch_.join();
}

std::chrono::duration<double> meeting_limit() {
  constexpr double kMinute = 60, kLongest = 1e6;
  const char* const text = std::getenv("APSP_MEETING_SECONDS");
  const double seconds = text != nullptr ? std::atof(text) : 0;
  return std::chrono::duration<double>(seconds > 0 ? std::min(seconds, kLongest) : kMinute);
}

std::unique_ptr<Communicator> join_launch(Launch& launch, const std::vector<std::string>& words) {
  const Meeting meeting(meeting_limit(), [&] { end_alone(launch); });
  launch.join(launch);
  require_all_found(launch);
  auto communicator = launch.grid({1, launch.size});
  with_processes(launch, *communicator, [&](Processes& processes) {
    require_alike(processes, std::string(rates::version()), words);
  });
  return communicator;
}

std::unique_ptr<Communicator> meet_on_grid(const Launch& launch, const Placement& placement) {
  const Meeting meeting(meeting_limit(), [&] { end_alone(launch); });
  return launch.grid(placement);
}

}  // namespace apsp::cluster
