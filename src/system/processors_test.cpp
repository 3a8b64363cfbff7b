#include "support/test.hpp"
#include "system/machine.hpp"

#include <sched.h>

#include "support/temporary_folder.hpp"

namespace apsp::system::processors_test {
namespace {

namespace fs = std::filesystem;

/// A folder that imitates the root of a machine with control groups.
class Machine {
 public:
  Machine& write(const std::string& file, const std::string& text) {
    const fs::path path = root_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text << "\n";
    return *this;
  }
  const std::string& root() const { return root_.path(); }

 private:
  TemporaryFolder root_;
};

constexpr const char* kVersion2 = "29 23 0:26 / /sys/fs/cgroup rw,nosuid - cgroup2 cgroup2 rw";
constexpr const char* kVersion1 =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory";

TEST(GrantedProcessors, NoLimitWithoutControlGroups) {
  EXPECT_EQ(granted_processors(Machine().root()), 0);
  Machine machine;
  machine.write("proc/self/cgroup", "0::/").write("proc/self/mountinfo", kVersion2);
  EXPECT_EQ(granted_processors(machine.root()), 0);
  machine.write("sys/fs/cgroup/cpu.max", "max 100000");
  EXPECT_EQ(granted_processors(machine.root()), 0);
}

TEST(GrantedProcessors, OfVersion2RoundedUp) {
  Machine machine;
  machine.write("proc/self/cgroup", "0::/a").write("proc/self/mountinfo", kVersion2);
  machine.write("sys/fs/cgroup/a/cpu.max", "300000 100000");
  EXPECT_EQ(granted_processors(machine.root()), 3);
  machine.write("sys/fs/cgroup/a/cpu.max", "250000 100000");
  EXPECT_EQ(granted_processors(machine.root()), 3);
  machine.write("sys/fs/cgroup/a/cpu.max", "5000 100000");
  EXPECT_EQ(granted_processors(machine.root()), 1);
}

TEST(GrantedProcessors, TheLeastOfNestedGroups) {
  Machine machine;
  machine.write("proc/self/cgroup", "0::/pod/box/part").write("proc/self/mountinfo", kVersion2);
  machine.write("sys/fs/cgroup/pod/box/part/cpu.max", "max 100000");
  machine.write("sys/fs/cgroup/pod/box/cpu.max", "800000 100000");
  machine.write("sys/fs/cgroup/pod/cpu.max", "400000 100000");
  EXPECT_EQ(granted_processors(machine.root()), 4);
  machine.write("sys/fs/cgroup/pod/box/part/cpu.max", "100000 50000");
  EXPECT_EQ(granted_processors(machine.root()), 2);
}

TEST(GrantedProcessors, OfVersion1) {
  Machine machine;
  machine.write("proc/self/cgroup", "9:memory:/x\n1:cpu,cpuacct:/a/b\n0::/");
  machine.write("proc/self/mountinfo", kVersion1);
  const std::string cpu = "sys/fs/cgroup/cpu,cpuacct/";
  machine.write(cpu + "a/b/cpu.cfs_quota_us", "-1").write(cpu + "a/b/cpu.cfs_period_us", "100000");
  EXPECT_EQ(granted_processors(machine.root()), 0);
  machine.write(cpu + "a/cpu.cfs_quota_us", "150000").write(cpu + "a/cpu.cfs_period_us", "50000");
  EXPECT_EQ(granted_processors(machine.root()), 3);
}

TEST(GrantedProcessors, WhereTheMountBeginsAtTheContainersGroup) {
  Machine machine;
  machine.write("proc/self/cgroup", "0::/docker/1f2e");
  machine.write("proc/self/mountinfo",
                "29 23 0:26 /docker/1f2e /sys/fs/cgroup ro - cgroup2 cgroup rw");
  machine.write("sys/fs/cgroup/cpu.max", "200000 100000");
  EXPECT_EQ(granted_processors(machine.root()), 2);
  // The mount does not show the path of this group; the visible limits count.
  machine.write("proc/self/cgroup", "0::/elsewhere");
  EXPECT_EQ(granted_processors(machine.root()), 2);
}

TEST(GrantedProcessors, WithoutAListOfMounts) {
  Machine machine;
  machine.write("proc/self/cgroup", "4:cpu:/a\n0::/b");
  machine.write("sys/fs/cgroup/b/cpu.max", "800000 100000");
  EXPECT_EQ(granted_processors(machine.root()), 8);
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "500000");
  machine.write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(granted_processors(machine.root()), 5);
}

TEST(ThreadCount, IsWhatWasAskedForOrFitsTheMask) {
  EXPECT_EQ(thread_count(3), 3);
  EXPECT_GE(thread_count(0), 1);
  if (std::getenv("OMP_NUM_THREADS") != nullptr) GTEST_SKIP() << "OMP_NUM_THREADS is set";
  int on_one = 0;
  std::thread([&] {
    cpu_set_t mine;
    sched_getaffinity(0, sizeof(mine), &mine);
    int first = 0;
    while (!CPU_ISSET(first, &mine)) ++first;
    CPU_ZERO(&mine);
    CPU_SET(first, &mine);
    sched_setaffinity(0, sizeof(mine), &mine);
    on_one = thread_count(0);
  }).join();
  EXPECT_EQ(on_one, 1);
}

}  // namespace
}  // namespace apsp::system::processors_test
