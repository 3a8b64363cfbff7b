// A run that is killed at any moment leaves what the next one removes, and nothing that is alive or
// uncertain is touched.
#include "store/leftovers.hpp"

#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::leftovers_test {
namespace {

constexpr std::int64_t kOld = 2, kNew = 3;

Layout layout_of(std::int64_t n) {
  return {n, ValueType::u16, Semiring::min_plus, 2, {Plane::distance}};
}

void write(FileSystem& files, const std::string& path, std::int64_t n) {
  const auto store = create_store(path, layout_of(n), {false, &files});
  write_sample(*store);
  store->commit(Graph(), {});
}

std::vector<Fate> fates(const std::vector<Leftover>& leftovers) {
  std::vector<Fate> all;
  for (const Leftover& leftover : leftovers) all.push_back(leftover.fate);
  return all;
}

void put(FileSystem& files, const std::string& path, const std::string& text = "x") {
  files.create(path)->write(0, std::as_bytes(std::span(text)));
}

void expect_cleaned_after_a_kill_at_any_operation(const std::string& path, bool has_old) {
  bool left_something = false;
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    if (has_old) write(disk, path, kOld);
    const auto before = disk.contents();
    FaultyFileSystem files(disk, {.crash_operation = k});
    try {
      write(files, path, kNew);
    } catch (const Error&) {  // it may notice; the state on the disk is what counts
    }
    const auto killed = disk.contents();
    const std::vector<Leftover> found = find_leftovers(disk, path);
    ASSERT_EQ(disk.contents(), killed) << "looking changes nothing";
    const std::vector<Leftover> cleaned = clean_leftovers(disk, path);
    ASSERT_EQ(fates(found), fates(cleaned));
    left_something = left_something || !cleaned.empty();
    for (const Leftover& leftover : cleaned) ASSERT_EQ(leftover.fate, Fate::removed) << k;
    if (disk.contents() != before) {
      ASSERT_THAT(disk.list("."), ElementsAre(path)) << k;
      ASSERT_EQ(open_store(path, Semiring::min_plus, &disk)->layout().n, kNew) << k;
    }
    ASSERT_THAT(clean_leftovers(disk, path), IsEmpty());
    if (files.operations() <= k) break;
  }
  EXPECT_TRUE(left_something);
}

TEST(Leftovers, OfAnNpyKilledAtAnyOperation) {
  expect_cleaned_after_a_kill_at_any_operation("a.npy", false);
  expect_cleaned_after_a_kill_at_any_operation("a.npy", true);
}

TEST(Leftovers, OfAZarrKilledAtAnyOperation) {
  expect_cleaned_after_a_kill_at_any_operation("a.zarr", false);
  expect_cleaned_after_a_kill_at_any_operation("a.zarr", true);
}

TEST(Leftovers, WhatALivingProcessWritesStays) {
  const TemporaryFolder directory;
  MemoryFileSystem memory;
  for (const auto& [files, path] : {std::pair<FileSystem*, std::string>{&memory, "a.zarr"},
                                    {&posix_file_system(), directory / "a.npy"}}) {
    const auto store = create_store(path, layout_of(kNew), {false, files});
    const std::vector<Leftover> found = clean_leftovers(*files, path);
    ASSERT_THAT(fates(found), ElementsAre(Fate::in_use));
    EXPECT_GT(found.front().bytes, 0);
    write_sample(*store);
    store->commit(Graph(), {});
    EXPECT_EQ(open_store(path, Semiring::min_plus, files)->layout().n, kNew);
    EXPECT_THAT(clean_leftovers(*files, path), IsEmpty());
  }
}

TEST(Leftovers, WithoutAClaimNobodyKnows) {
  MemoryFileSystem disk;
  put(disk, ".a.npy.partial-7-0");
  const std::vector<Leftover> found = clean_leftovers(disk, "a.npy");
  ASSERT_THAT(fates(found), ElementsAre(Fate::unknown));
  EXPECT_THAT(found.front().why, HasSubstr("no lock"));
  EXPECT_EQ(disk.kind(".a.npy.partial-7-0"), FileKind::file);
}

TEST(Leftovers, AClaimTellsWhoseItIs) {
  EXPECT_EQ(output_of("/data/.air.zarr.partial-12-7.lock"), "/data/air.zarr");
  EXPECT_EQ(output_of(".air.npy.partial-12-7.lock"), join(".", "air.npy"));
}

TEST(Leftovers, OthersAreNoneOfItsBusiness) {
  MemoryFileSystem disk;
  const auto leave = [&](const std::string& name) {
    put(disk, name);
    disk.claim(name + ".lock")->abandon();
  };
  disk.make_directory("x");
  leave("x/.a.npy.partial-1-0");
  leave("x/.b.npy.partial-1-1");
  leave("x/.a.npy.partial-one-0");
  leave("x/.partial-1-0");
  leave("x/a.npy.partial-1-0");
  disk.claim("x/.a.npy.partial-1-9.lock")->abandon();
  EXPECT_THAT(fates(clean_leftovers(disk, "x/a.npy")), ElementsAre(Fate::removed, Fate::removed));
  EXPECT_EQ(disk.kind("x/.b.npy.partial-1-1"), FileKind::file);
  EXPECT_THAT(fates(clean_leftovers(disk, "x/")), ElementsAre(Fate::removed)) << "a whole folder";
  EXPECT_THAT(disk.list("x"),
              ElementsAre(".a.npy.partial-one-0", ".a.npy.partial-one-0.lock", ".partial-1-0",
                          ".partial-1-0.lock", "a.npy.partial-1-0", "a.npy.partial-1-0.lock"));
  EXPECT_THROW(clean_leftovers(disk, "nowhere/a.npy"), Error);
}

TEST(Leftovers, AnOldResultThatWasRenamedAsideComesBack) {
  MemoryFileSystem disk;
  write(disk, "old.zarr", kOld);
  disk.rename("old.zarr", ".a.zarr.previous-7-0");
  EXPECT_THAT(fates(find_leftovers(disk, "a.zarr")), ElementsAre(Fate::restored));
  EXPECT_EQ(disk.kind("a.zarr"), FileKind::none);
  EXPECT_THAT(fates(clean_leftovers(disk, "a.zarr")), ElementsAre(Fate::restored));
  EXPECT_EQ(open_store("a.zarr", Semiring::min_plus, &disk)->layout().n, kOld);

  write(disk, "new.zarr", kNew);
  disk.rename("new.zarr", ".a.zarr.previous-7-0");
  {
    const auto living = create_store("a.zarr", layout_of(kNew), {false, &disk});
    EXPECT_THAT(fates(clean_leftovers(disk, "a.zarr")), ElementsAre(Fate::in_use, Fate::in_use));
  }
  EXPECT_THAT(fates(clean_leftovers(disk, "a.zarr")), ElementsAre(Fate::removed));
  EXPECT_EQ(open_store("a.zarr", Semiring::min_plus, &disk)->layout().n, kOld);
}

TEST(Leftovers, WhatTheSystemRefusesIsNamedWithTheReason) {
  MemoryFileSystem disk;
  put(disk, ".a.npy.partial-1-0");
  disk.claim(".a.npy.partial-1-0.lock")->abandon();
  FaultyFileSystem refusing(disk, {.failing_operation = 0});
  const std::vector<Leftover> left = clean_leftovers(refusing, "a.npy");
  ASSERT_THAT(fates(left), ElementsAre(Fate::unknown));
  EXPECT_THAT(left.front().why, HasSubstr("Input/output error"));
  EXPECT_THAT(fates(clean_leftovers(disk, "a.npy")), ElementsAre(Fate::removed));
}

}  // namespace
}  // namespace apsp::store::leftovers_test
