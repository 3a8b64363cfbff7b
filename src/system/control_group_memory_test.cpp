// Limits of control groups, read from folders that imitate Linux's.
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "system/machine.hpp"

namespace apsp::system::control_group_memory_test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kMiB = std::int64_t{1} << 20;

class FakeRoot {
 public:
  FakeRoot() {
    write("proc/self/mountinfo",
          "31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup rw\n"
          "32 23 0:29 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n");
  }

  void write(const std::string& file, const std::string& text) const {
    const fs::path path = root_ / file;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
  }
  void unified(const std::string& group, std::int64_t limit, std::int64_t usage,
               std::int64_t inactive, std::int64_t active = 0) const {
    const std::string folder = "sys/fs/cgroup" + group + "/";
    write(folder + "memory.max", limit < 0 ? "max\n" : std::to_string(limit * kMiB) + "\n");
    write(folder + "memory.current", std::to_string(usage * kMiB) + "\n");
    write(folder + "memory.stat", "anon 1\nactive_file " + std::to_string(active * kMiB) +
                                      "\ninactive_file " + std::to_string(inactive * kMiB) + "\n");
  }
  void legacy(const std::string& group, std::int64_t limit, std::int64_t usage,
              std::int64_t inactive) const {
    const std::string folder = "sys/fs/cgroup/memory" + group + "/";
    write(folder + "memory.limit_in_bytes",
          std::to_string(limit < 0 ? 9223372036854771712 : limit * kMiB) + "\n");
    write(folder + "memory.usage_in_bytes", std::to_string(usage * kMiB) + "\n");
    write(folder + "memory.stat", "cache 5\ninactive_file 7\ntotal_inactive_file " +
                                      std::to_string(inactive * kMiB) + "\n");
  }
  GroupMemory read() const { return control_group_memory(root_.path()); }

 private:
  TemporaryFolder root_;
};

TEST(ControlGroupMemory, WithoutAnyNothingIsLimited) {
  const FakeRoot root;
  EXPECT_EQ(root.read().limit, GroupMemory::kUnlimited);
  EXPECT_EQ(root.read().available, GroupMemory::kUnlimited);
}

TEST(ControlGroupMemory, CachedFilesCountAsFree) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/app\n");
  root.unified("/app", 1000, 900, 500, 100);
  EXPECT_EQ(root.read().limit, 1000 * kMiB);
  EXPECT_EQ(root.read().available, 700 * kMiB);
}

TEST(ControlGroupMemory, EveryGroupAroundTheProcessHolds) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/user.slice/job/step\n");
  root.unified("", -1, 20000, 0);
  root.unified("/user.slice", 4000, 3900, 100);
  root.unified("/user.slice/job", 1000, 300, 0);
  root.unified("/user.slice/job/step", -1, 200, 0);
  EXPECT_EQ(root.read().limit, 1000 * kMiB);
  EXPECT_EQ(root.read().available, 200 * kMiB);
}

TEST(ControlGroupMemory, OtherGroupsDoNot) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/a/b\n");
  root.unified("/a/b", 1000, 100, 0);
  root.unified("/a/other", 10, 10, 0);
  root.unified("/b", 10, 10, 0);
  EXPECT_EQ(root.read().available, 900 * kMiB);
}

TEST(ControlGroupMemory, AContainerSeesItsOwnGroupAsTheRoot) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/../../host/path\n");
  root.unified("", 512, 128, 0);
  EXPECT_EQ(root.read().available, 384 * kMiB);
}

TEST(ControlGroupMemory, OfTheFirstVersionAreReadToo) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "12:cpu,cpuacct:/x\n9:memory:/docker/abc\n0::/docker/abc\n");
  root.legacy("", -1, 9000, 0);
  root.legacy("/docker", -1, 5000, 0);
  root.legacy("/docker/abc", 2000, 1500, 700);
  EXPECT_EQ(root.read().limit, 2000 * kMiB);
  EXPECT_EQ(root.read().available, 1200 * kMiB);
}

TEST(ControlGroupMemory, MoreThanTheLimitLeavesNothing) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/full\n");
  root.unified("/full", 100, 150, 20);
  EXPECT_EQ(root.read().available, 0);
}

TEST(ControlGroupMemory, AProcessMayBeMovedToAnotherGroup) {
  const FakeRoot root;
  root.write("proc/self/cgroup", "0::/wide\n");
  root.unified("/wide", 1000, 100, 0);
  root.unified("/narrow", 500, 200, 0);
  EXPECT_EQ(root.read().available, 900 * kMiB);
  root.unified("/wide", 1000, 600, 0);
  EXPECT_EQ(root.read().available, 400 * kMiB);
  root.write("proc/self/cgroup", "0::/narrow\n");
  EXPECT_EQ(root.read().available, 300 * kMiB);
}

TEST(ControlGroupMemory, OfThisMachineLeaveSomething) {
  EXPECT_GT(available_memory(), kMiB);
  EXPECT_GE(total_memory(), available_memory());
}

}  // namespace
}  // namespace apsp::system::control_group_memory_test
