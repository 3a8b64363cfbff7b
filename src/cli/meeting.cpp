#include "cli/meeting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <apsp/error.hpp>
#include <cstdlib>
#include <utility>

#include "calibration/machine_report.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "engine/processes.hpp"

namespace apsp::cli {
namespace {

/// Called while the session's own thread waits inside MPI.
void end_alone(Session& session) {
  const int me = launched_number();
  session.silent = false;
  session.json = session.json && me == 0;
  report(session,
         Error(ErrorKind::device,
               fmt::format("process {} of {} has waited {:g} seconds for the others to begin: see "
                           "whether all of them run, and whether their machines reach each other; "
                           "APSP_MEETING_SECONDS gives them longer",
                           me, launched_processes(), meeting_limit().count())));
  std::_Exit(kExitDevice);
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

std::unique_ptr<places::Communicator> join_launch(Session& session) {
  Launch& launch = *session.launch;
  const Meeting meeting(meeting_limit(), [&] { end_alone(session); });
  launch.join(launch);
  session.silent = launch.rank > 0;
  require_all_found(launch);
  auto communicator = launch.grid({1, launch.size});
  engine::Processes processes(*communicator);
  require_alike(processes, std::string(calibration::version()), session.words());
  return communicator;
}

std::unique_ptr<places::Communicator> meet_on_grid(Session& session,
                                                   const places::Placement& placement) {
  const Meeting meeting(meeting_limit(), [&] { end_alone(session); });
  return session.launch->grid(placement);
}

int end_all(places::Communicator& communicator, int code) {
  return engine::Processes(communicator).of_first(code);
}

}  // namespace apsp::cli
