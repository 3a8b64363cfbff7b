// A power cut at any moment: at the path stands the old result or the new one, whole; a result that
// was committed stays; what a run left is gone on from, and ends in the same bytes.
// APSP_POWER_CUTS=N draws N of them for each moment.
#include <fmt/format.h>
#include <sys/mount.h>

#include "store/disk_matrix.hpp"
#include "store/leftovers.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/power_cut.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::power_cut_test {
namespace {

constexpr std::int64_t kOld = 3, kNew = 5, kTile = 2, kBands = 3;
constexpr Names kOrders[] = {Names::in_order, Names::in_any_order};

std::uint64_t cuts_a_moment() {
  const char* const given = std::getenv("APSP_POWER_CUTS");
  return given == nullptr ? 8 : std::strtoull(given, nullptr, 10);
}

/// For each moment of what was recorded, some power cuts: check(moment, order, disk).
template <class F>
void at_every_moment(const RecordedFileSystem& recorded, std::size_t first, F&& check) {
  std::int64_t cuts = 0;
  for (const Names order : kOrders) {
    for (std::size_t moment = first; moment <= recorded.moments(); ++moment) {
      for (std::uint64_t seed = 0; seed < cuts_a_moment(); ++seed) {
        SCOPED_TRACE(fmt::format("moment {} of {}, seed {}, names in {} order", moment,
                                 recorded.moments(), seed,
                                 order == Names::in_order ? "their" : "any"));
        base::SplitMix64 random(seed * 1'000'003 + moment);
        const auto disk = recorded.after(moment, order, random);
        check(moment, order, *disk);
        ++cuts;
        if (testing::Test::HasFailure()) return;
      }
    }
  }
  testing::Test::RecordProperty("power_cuts", std::to_string(cuts));
}

/// What a later run finds no lock for, because the disk lost it, is the user's to remove.
void expect_nothing_else(MemoryFileSystem& disk, const std::string& path, Names order) {
  clean_leftovers(disk, path);
  for (const std::string& name : disk.list(".")) {
    if (name == path || (order == Names::in_any_order && name.starts_with('.'))) continue;
    ADD_FAILURE() << name << " is left";
  }
}

struct Output {
  const char* path;
  bool compress;
};
void PrintTo(const Output& output, std::ostream* out) {
  *out << output.path << (output.compress ? " with zstd" : "");
}

class PowerCut : public testing::TestWithParam<Output> {
 protected:
  std::string path() const { return GetParam().path; }
  bool is_zarr() const { return path().ends_with(".zarr"); }
  void write(FileSystem& files, std::int64_t n) const {
    const Layout layout{n, ValueType::u16, Semiring::min_plus, kTile, {Plane::distance}};
    const auto store = create_store(path(), layout, {GetParam().compress, &files});
    write_sample(*store);
    store->commit(sample_graph(n, true, true), sample_metadata(n));
  }
  bool holds(FileSystem& files, std::int64_t n) const {
    const auto store = open_store(path(), Semiring::min_plus, &files);
    if (store->layout().n != n || !holds_sample(*store)) return false;
    return !is_zarr() || (store->graph()->digest() == sample_graph(n, true, true).digest() &&
                          store->metadata().vertex_values.size() == 2);
  }
};

TEST_P(PowerCut, LeavesTheOldResultOrTheNewOne) {
  for (const bool has_old : {false, true}) {
    RecordedFileSystem files;
    if (has_old) write(files, kOld);
    const std::size_t begin = files.moments();
    write(files, kNew);
    at_every_moment(files, begin, [&](std::size_t moment, Names order, MemoryFileSystem& disk) {
      const bool is_new = disk.kind(path()) != FileKind::none && holds(disk, kNew);
      const bool is_old =
          !is_new && (has_old ? holds(disk, kOld) : disk.kind(path()) == FileKind::none);
      ASSERT_TRUE(is_new || is_old);
      ASSERT_TRUE(is_new || moment < files.moments()) << "it was committed";
      expect_nothing_else(disk, path(), order);
      write(disk, kNew);
      ASSERT_TRUE(holds(disk, kNew));
    });
  }
}

/// The disk that is invented here does find a result that was renamed before it was synced.
TEST_P(PowerCut, LosesResultsOfADiskThatDoesNotSync) {
  RecordedFileSystem files(false);
  write(files, kOld);
  std::int64_t lost = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::SplitMix64 random(seed);
    const auto disk = files.after(files.moments(), Names::in_order, random);
    try {
      lost += disk->kind(path()) == FileKind::none || !holds(*disk, kOld);
    } catch (const Error&) {
      ++lost;
    }
  }
  EXPECT_GT(lost, 5);
}

INSTANTIATE_TEST_SUITE_P(Outputs, PowerCut,
                         testing::Values(Output{"a.npy", false}, Output{"a.zarr", false},
                                         Output{"a.zarr", true}),
                         [](const auto& all) {
                           return std::string(all.param.path).substr(2) +
                                  (all.param.compress ? "_zstd" : "");
                         });

// --- Rows of a .zarr whose ledger a later run goes on from

Graph graph() { return sample_graph(kNew, true, true); }

JournalHead rows_head() {
  JournalHead head;
  head.layout = {kNew, ValueType::u16, Semiring::min_plus, kTile, {Plane::distance}};
  head.recipe = {graph().digest(), "johnson"};
  return head;
}

void write_bands(Store& store) {
  for (const std::int64_t band : {1, 2, 0}) {
    if (store.holds_band(band)) continue;
    const Block block{band * kTile, 0, std::min(kTile, kNew - band * kTile), kNew};
    store.write(Plane::distance, block,
                sample_block(store.layout(), Plane::distance, block, kNew).data(), kNew);
  }
  store.commit(graph(), sample_metadata(kNew));
}

void write_rows(FileSystem& files) {
  const auto store = create_store("a.zarr", rows_head().layout, {false, &files});
  store->keep_journal(graph(), rows_head().recipe);
  write_bands(*store);
}

/// Goes on from what is there, as a solve does: bands that are damaged are computed again.
void finish_rows(FileSystem& files) {
  const auto earlier = find_resumable(files, "a.zarr");
  if (!earlier) return write_rows(files);
  const auto store = resume_store(files, *earlier, rows_head(), graph());
  for (std::int64_t band = 0; band < kBands; ++band) {
    if (!store->holds_band(band)) continue;
    const Block block{band * kTile, 0, std::min(kTile, kNew - band * kTile), kNew};
    try {
      ASSERT_EQ(read_block(*store, Plane::distance, block, kNew),
                sample_block(store->layout(), Plane::distance, block, kNew));
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input) << error.what();
      store->forget_band(band);
    }
  }
  write_bands(*store);
}

TEST(PowerCutRows, AreGoneOnWithToTheSameBytes) {
  MemoryFileSystem whole;
  write_rows(whole);
  RecordedFileSystem files;
  write_rows(files);
  at_every_moment(files, 0, [&](std::size_t, Names order, MemoryFileSystem& disk) {
    if (disk.kind("a.zarr") == FileKind::none) finish_rows(disk);
    expect_nothing_else(disk, "a.zarr", order);
    if (order == Names::in_order) {
      ASSERT_EQ(disk.contents(), whole.contents());
    } else {
      const auto store = open_store("a.zarr", Semiring::min_plus, &disk);
      ASSERT_TRUE(holds_sample(*store));
    }
  });
}

// --- A matrix that is solved on disk, step by step

constexpr std::int64_t kStep = 2;

JournalHead matrix_head() {
  return {{kNew, ValueType::i32, Semiring::min_plus, kTile}, false, {Graph().digest(), "test"}};
}

/// What the matrix holds after so many pivots.
std::vector<std::int32_t> values_after(std::int64_t pivots) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(kNew * kNew));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<std::int32_t>(1000 * (pivots + 1) + static_cast<std::int64_t>(i));
  }
  return values;
}

TEST(PowerCutMatrix, LosesNoStepThatWasNamed) {
  RecordedFileSystem files;
  std::map<std::int64_t, std::size_t> named;  // pivots: when the step had been committed
  {
    DiskMatrix matrix(files, "a.zarr", matrix_head(), Graph());
    for (std::int64_t pivots = 0; pivots <= kNew;
         pivots = pivots == kNew ? kNew + 1 : std::min(kNew, pivots + kStep)) {
      matrix.write_block({0, 0, kNew, kNew}, values_after(pivots).data(), kNew);
      matrix.commit_step(pivots);
      named[pivots] = files.moments();
    }
    at_every_moment(files, 0, [&](std::size_t moment, Names order, MemoryFileSystem& disk) {
      std::int64_t least = 0;
      for (const auto& [pivots, when] : named) {
        if (when <= moment) least = pivots;
      }
      const auto earlier = find_resumable(disk, "a.zarr");
      ASSERT_TRUE(earlier || least == 0) << "a step is lost";
      if (earlier) {
        DiskMatrix again(disk, *earlier, matrix_head());
        ASSERT_GE(again.checkpoint()->pivots, least);
        std::vector<std::int32_t> values(static_cast<std::size_t>(kNew * kNew));
        again.read(Plane::distance, {0, 0, kNew, kNew}, values.data(), kNew);
        ASSERT_EQ(values, values_after(again.checkpoint()->pivots));
      }
      clean_leftovers(disk, "a.zarr");
      ASSERT_TRUE(disk.list(".").empty() || order == Names::in_any_order);
    });
  }
}

// Disks that are full, operations that fail, machines that stop: at the path stands the old result
// or the new one, whole, and an attempt that failed leaves nothing behind.

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
    EXPECT_THAT(posix_file_system().list(directory.path()), ElementsAre(name));
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
    EXPECT_THAT(posix_file_system().list(directory.path()), ElementsAre(name));
    EXPECT_EQ(open_store(path)->layout().n, 40);
    EXPECT_TRUE(holds_sample(*open_store(path)));
    posix_file_system().remove_all(path);
  }
}

}  // namespace
}  // namespace apsp::store::power_cut_test
