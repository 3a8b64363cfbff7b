// What the environment of a process says of its launcher, and processes that are not alike.
#include "cluster/launch.hpp"

#include "support/on_processes.hpp"
#include "support/test.hpp"
#include "system/machine.hpp"

namespace apsp::cluster::launch_test {
namespace {

using Variables = std::map<std::string, std::string>;

/// The variables that launchers set, these alone while it lives.
class LauncherVariables {
 public:
  explicit LauncherVariables(const Variables& values) {
    for (const char* const name :
         {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS", "MPI_LOCALNRANKS",
          "OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"}) {
      const char* const before = std::getenv(name);
      if (before != nullptr) before_[name] = before;
      unsetenv(name);
    }
    for (const auto& [name, value] : values) setenv(name.c_str(), value.c_str(), 1);
    for (const auto& entry : values) set_.push_back(entry.first);
  }
  ~LauncherVariables() {
    for (const std::string& name : set_) unsetenv(name.c_str());
    for (const auto& [name, value] : before_) setenv(name.c_str(), value.c_str(), 1);
  }
  LauncherVariables(const LauncherVariables&) = delete;
  LauncherVariables& operator=(const LauncherVariables&) = delete;

 private:
  Variables before_;
  std::vector<std::string> set_;
};

int processes_with(const Variables& values) {
  const LauncherVariables variables(values);
  return launched_processes();
}

TEST(Launch, LaunchersSayHowManyProcessesThereAre) {
  EXPECT_EQ(processes_with({}), 1);
  EXPECT_EQ(processes_with({{"OMPI_COMM_WORLD_SIZE", "6"}}), 6);
  EXPECT_EQ(processes_with({{"PMI_SIZE", "3"}, {"MPI_LOCALNRANKS", "3"}}), 3);
  // srun, without a PMI, with that of MPICH, and with PMIx, whose variables hold no number.
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "4"}, {"SLURM_NTASKS", "4"}}), 4);
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "4"}, {"PMI_SIZE", "4"}}), 4);
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "4"}, {"PMIX_RANK", "0"}}), 4);
  // An allocation alone starts nothing: a shell within it, or a batch script.
  EXPECT_EQ(processes_with({{"SLURM_NTASKS", "8"}, {"SLURM_JOB_ID", "17"}}), 1);
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "1"}}), 1);
}

/// mpirun within a step that srun has started: its word counts.
TEST(Launch, TheInnerLauncherCounts) {
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "2"}, {"OMPI_COMM_WORLD_SIZE", "8"}}), 8);
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "1"}, {"PMI_SIZE", "4"}}), 4);
  EXPECT_EQ(processes_with({{"SLURM_STEP_NUM_TASKS", "4"}, {"OMPI_COMM_WORLD_SIZE", "1"}}), 1);
}

TEST(Launch, ALauncherMayStartOneProcess) {
  const auto told = [](const Variables& values) {
    const LauncherVariables variables(values);
    return has_launcher();
  };
  EXPECT_FALSE(told({}));
  EXPECT_TRUE(told({{"OMPI_COMM_WORLD_SIZE", "1"}}));
  EXPECT_TRUE(told({{"PMI_SIZE", "1"}}));
  EXPECT_FALSE(told({{"SLURM_NTASKS", "8"}}));
}

TEST(Launch, LaunchersNumberTheirProcesses) {
  const auto number = [](const Variables& values) {
    const LauncherVariables variables(values);
    return launched_number();
  };
  EXPECT_EQ(number({}), 0);
  EXPECT_EQ(number({{"OMPI_COMM_WORLD_RANK", "3"}, {"PMI_RANK", "1"}}), 3);
  EXPECT_EQ(number({{"PMI_RANK", "2"}}), 2);
  EXPECT_EQ(number({{"SLURM_PROCID", "5"}}), 5);
}

TEST(Launch, WhatIsNoNumberIsOneProcess) {
  for (const char* const text : {"", "many", "-3", "0"}) {
    EXPECT_EQ(processes_with({{"PMI_SIZE", text}}), 1) << text;
  }
}

TEST(Launch, AProcessThatMpiFindsAloneIsRefused) {
  const LauncherVariables variables(Variables{{"SLURM_STEP_NUM_TASKS", "4"}});
  Launch launch;
  EXPECT_ERROR(device, require_all_found(launch));
  launch.size = 4;
  require_all_found(launch);
}

TEST(Launch, ProcessesOfAMachineShareItsProcessors) {
  Launch launch{.of_machine = 1 << 20};
  EXPECT_EQ(threads_of_process(launch, 7), 7);
  EXPECT_EQ(threads_of_process(launch, 0), 1);
  launch.of_machine = 1;
  EXPECT_EQ(threads_of_process(launch, 0), system::thread_count(0));
}

struct Process {
  std::string version = "1.2.3";
  std::vector<std::string> words = {"solve", "a.gr"};
};

/// What all of three processes are told, of which the last one is `odd`.
std::optional<std::string> told(const Process& odd) {
  std::mutex mutex;
  std::vector<std::string> all;
  on_processes(3, [&](Processes& processes) {
    const Process mine = processes.rank() == 2 ? odd : Process{};
    try {
      require_alike(processes, mine.version, mine.words);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      const std::lock_guard lock(mutex);
      all.emplace_back(error.what());
    }
  });
  if (all.empty()) return std::nullopt;
  EXPECT_EQ(all.size(), 3u);
  for (const std::string& text : all) EXPECT_EQ(text, all.front());
  return all.front();
}

TEST(Launch, ProcessesThatAreNotAlikeSayWhoDiffersInWhat) {
  EXPECT_EQ(told({}), std::nullopt);
  EXPECT_THAT(told({.version = "1.2.4"}).value(),
              HasSubstr("process 2 of 3 differs from process 0 in its version"));
  using Words = std::vector<std::string>;
  for (const Words& words :
       {Words{"solve", "b.gr"}, {"solve", "a.gr", "--json"}, {"solvea", ".gr"}}) {
    EXPECT_THAT(
        told({.words = words}).value(),
        HasSubstr("process 2 of 3 differs from process 0 in the words of its command line"));
  }
}

using Seconds = std::chrono::duration<double>;

TEST(Meeting, OneThatLastsTooLongIsTold) {
  std::atomic<int> told = 0;
  {
    const Meeting meeting(Seconds(0.001), [&] { ++told; });
    while (told == 0) std::this_thread::yield();
  }
  EXPECT_EQ(told, 1);
}

TEST(Meeting, OneThatEndsInTimeIsNot) {
  std::atomic<int> told = 0;
  for (int i = 0; i < 100; ++i) const Meeting meeting(Seconds(1000), [&] { ++told; });
  EXPECT_EQ(told, 0);
}

TEST(Meeting, AMinuteUnlessTheEnvironmentSaysOtherwise) {
  unsetenv("APSP_MEETING_SECONDS");
  EXPECT_EQ(meeting_limit(), Seconds(60));
  for (const char* const text : {"", "soon", "-3", "0"}) {
    setenv("APSP_MEETING_SECONDS", text, 1);
    EXPECT_EQ(meeting_limit(), Seconds(60)) << text;
  }
  setenv("APSP_MEETING_SECONDS", "2.5", 1);
  EXPECT_EQ(meeting_limit(), Seconds(2.5));
  unsetenv("APSP_MEETING_SECONDS");
}

TEST(Meeting, AllEndWithTheCodeOfTheFirst) {
  on_processes(
      3, [](Processes& processes) { EXPECT_EQ(processes.of_first(4 - processes.rank()), 4); });
}

}  // namespace
}  // namespace apsp::cluster::launch_test
