#include "cluster/meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cstdlib>
#include <utility>

#include "cluster/processes.hpp"
#include "rates/machine_report.hpp"

namespace apsp::cluster {
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
