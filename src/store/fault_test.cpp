// Disks that are full, operations that fail, machines that stop: at the path stands the old result
// or the new one, whole, and an attempt that failed leaves nothing behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <cstring>
#include <tuple>

#include "store/leftovers.hpp"
#include "support/error_of.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::store {
namespace {

Layout layout_of(std::int64_t n) {
  return {n, ValueType::u16, Semiring::min_plus, 2, {Plane::distance}};
}

/// Path, whether compressed, whether an old result stands at the path.
class Faulty : public testing::TestWithParam<std::tuple<std::string, bool, bool>> {
 protected:
  static constexpr std::int64_t kOld = 2;
  static constexpr std::int64_t kNew = 3;

  std::string path() const { return std::get<0>(GetParam()); }
  bool is_zarr() const { return path().ends_with(".zarr"); }
  bool has_old() const { return std::get<2>(GetParam()); }

  bool is_arrays() const { return path() == "arrays.zarr"; }
  static std::vector<std::int32_t> numbers(std::int64_t n) {
    return std::vector<std::int32_t>(static_cast<std::size_t>(10 * n), static_cast<int>(n));
  }

  void write(FileSystem& files, const std::string& at, std::int64_t n) const {
    Layout layout = layout_of(n);
    if (is_arrays()) layout.planes.clear();
    const auto store = create_store(at, layout, {std::get<1>(GetParam()), &files});
    write_sample(*store);
    for (const char* name : {"some/first", "some/second"}) {
      if (is_arrays()) store->write_array({name, ValueType::i32, 10 * n}, numbers(n).data());
    }
    store->commit(sample_graph(n, true, true), sample_metadata(n));
  }
  void prepare(FileSystem& files) const {
    if (has_old()) write(files, path(), kOld);
  }
  /// Whether the whole result of n vertices stands at the path.
  bool holds(FileSystem& files, std::int64_t n) const {
    const auto store = open_store(path(), Semiring::min_plus, &files);
    if (store->layout().n != n || !holds_sample(*store)) return false;
    for (const Array& array : store->arrays()) {
      std::vector<std::int32_t> values(static_cast<std::size_t>(array.length));
      store->read_array(array, values.data());
      if (values != numbers(n)) return false;
    }
    if (store->arrays().size() != (is_arrays() ? 2u : 0u)) return false;
    return !is_zarr() || (store->graph()->digest() == sample_graph(n, true, true).digest() &&
                          store->metadata().vertex_values.size() == 2);
  }
  bool holds_old(FileSystem& files) const {
    if (!has_old()) return files.kind(path()) == FileKind::none;
    return holds(files, kOld);
  }
};

TEST_P(Faulty, ADiskFullAtAnyByteLeavesEverythingAsItWas) {
  MemoryFileSystem disk;
  prepare(disk);
  const auto before = disk.contents();
  FaultyFileSystem endless(disk);
  write(endless, "count-" + path(), kNew);
  disk.remove_all("count-" + path());
  for (std::int64_t room = 0; room < endless.bytes_written(); ++room) {
    FaultyFileSystem files(disk, {.disk_bytes = room});
    const Error error = error_of([&] { write(files, path(), kNew); });
    ASSERT_EQ(error.kind(), ErrorKind::input_output) << room;
    ASSERT_EQ(disk.contents(), before) << room;
  }
  FaultyFileSystem enough(disk, {.disk_bytes = endless.bytes_written()});
  write(enough, path(), kNew);
  EXPECT_TRUE(holds(disk, kNew));
}

TEST_P(Faulty, AnyOperationThatFailsLeavesTheOldOrTheNewResult) {
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    prepare(disk);
    const auto before = disk.contents();
    FaultyFileSystem files(disk, {.failing_operation = k});
    try {
      write(files, path(), kNew);
      ASSERT_TRUE(holds(disk, kNew));
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input_output);
      // Only the very last step, syncing the names, comes when the new one already stands there.
      if (disk.contents() != before) {
        ASSERT_TRUE(holds(disk, kNew)) << k;
      }
      ASSERT_EQ(disk.list(".").size(), disk.kind(path()) == FileKind::none ? 0u : 1u) << k;
    }
    // What could not be removed is found by its lock.
    clean_leftovers(disk, path());
    ASSERT_EQ(disk.list(".").size(), disk.kind(path()) == FileKind::none ? 0u : 1u) << k;
    if (files.operations() <= k) break;
  }
}

TEST_P(Faulty, ACrashAtAnyOperationLeavesTheOldOrTheNewResult) {
  bool saw_old = false, saw_new = false;
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    prepare(disk);
    FaultyFileSystem files(disk, {.crash_operation = k});
    try {
      write(files, path(), kNew);
    } catch (const Error&) {  // it may notice; the state on the disk is what counts
    }
    const bool is_new = disk.kind(path()) != FileKind::none && holds(disk, kNew);
    ASSERT_TRUE(is_new || holds_old(disk)) << k;
    (is_new ? saw_new : saw_old) = true;
    if (files.operations() <= k) break;
  }
  EXPECT_TRUE(saw_old && saw_new);
}

TEST_P(Faulty, AStoreThatIsDroppedLeavesNoTrace) {
  MemoryFileSystem disk;
  prepare(disk);
  const auto before = disk.contents();
  {
    const auto store = create_store(path(), layout_of(kNew), {false, &disk});
    EXPECT_NE(disk.contents(), before);
    write_sample(*store);
    if (is_zarr()) store->write_array({"some/first", ValueType::i32, 30}, numbers(3).data());
  }
  EXPECT_EQ(disk.contents(), before);
}

std::string word_of(const testing::TestParamInfo<std::tuple<std::string, bool, bool>>& each) {
  const auto& [path, compressed, has_old] = each.param;
  return path.substr(path.find('.') + 1) + (path.starts_with("arrays") ? "_of_arrays" : "") +
         (compressed ? "_compressed" : "") + (has_old ? "_over_an_old_one" : "");
}

INSTANTIATE_TEST_SUITE_P(
    Stores, Faulty,
    testing::Values(std::tuple("a.npy", false, false), std::tuple("a.npy", false, true),
                    std::tuple("a.zarr", false, false), std::tuple("a.zarr", false, true),
                    std::tuple("a.zarr", true, true), std::tuple("arrays.zarr", false, false),
                    std::tuple("arrays.zarr", true, true)),
    word_of);

/// The same on the operating system's files, at a few places.
TEST(FaultyDisk, FilesOfTheOperatingSystem) {
  for (const std::string name : {"a.npy", "a.zarr"}) {
    const TemporaryFolder directory;
    const std::string path = directory / name;
    const auto write = [&](FileSystem& files, std::int64_t n) {
      const auto store = create_store(path, layout_of(n), {false, &files});
      write_sample(*store);
      store->commit(Graph(), {});
    };
    const auto holds = [&](std::int64_t n) {
      const auto store = open_store(path);
      return store->layout().n == n && holds_sample(*store);
    };
    write(posix_file_system(), 3);
    FaultyFileSystem endless(posix_file_system());
    write(endless, 3);
    for (const double part : {0.0, 0.3, 0.6, 0.99}) {
      const auto room =
          static_cast<std::int64_t>(part * static_cast<double>(endless.bytes_written()));
      FaultyFileSystem files(posix_file_system(), {.disk_bytes = room});
      EXPECT_THROW(write(files, 4), Error);
      EXPECT_TRUE(holds(3));
    }
    // The very last operation, syncing the names, comes when the new one already stands there.
    for (std::int64_t k = 0; k < endless.operations() - 1; k += 3) {
      FaultyFileSystem files(posix_file_system(), {.failing_operation = k});
      EXPECT_THROW(write(files, 4), Error);
      EXPECT_TRUE(holds(3));
    }
    EXPECT_THAT(posix_file_system().list(directory.path()), testing::ElementsAre(name));
    write(posix_file_system(), 4);
    EXPECT_TRUE(holds(4));
  }
}

/// A tmpfs of 256 KiB, where this process may mount one.
TEST(FaultyDisk, ASmallFileSystemThatFillsUp) {
  const TemporaryFolder directory;
  if (mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=256k") != 0) {
    GTEST_SKIP() << "mounting a tmpfs: " << std::strerror(errno);
  }
  struct Unmount {
    const std::string& path;
    ~Unmount() { umount(path.c_str()); }
  } const unmount{directory.path()};

  for (const std::string name : {"a.npy", "a.zarr"}) {
    const std::string path = directory / name;
    const auto write = [&](std::int64_t n) {
      const Layout layout{n, ValueType::f64, Semiring::min_plus, 32, {Plane::distance}};
      const auto store = create_store(path, layout);
      write_sample(*store);
      store->commit(Graph(), {});
    };
    write(40);
    EXPECT_ERROR(input_output, write(300));
    EXPECT_THAT(posix_file_system().list(directory.path()), testing::ElementsAre(name));
    EXPECT_EQ(open_store(path)->layout().n, 40);
    EXPECT_TRUE(holds_sample(*open_store(path)));
    posix_file_system().remove_all(path);
  }
}

}  // namespace
}  // namespace apsp::store
