// A run that ends at any moment, on any disk, is gone on from, and ends in the same bytes.
#include "store/leftovers.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/test.hpp"

namespace apsp::store::resumable_test {
namespace {

constexpr std::int64_t kN = 7, kTile = 2, kBands = 4;
constexpr const char* kPath = "a.zarr";

/// Whether it is compressed, whether an old result stands at the path, whether another process
/// writes bands too, and whether the rows are those of a list of sources.
struct Way {
  bool compress = false;
  bool over_old = false;
  bool shared = false;
  bool chosen = false;
};

Graph graph() { return sample_graph(kN, true, true); }

JournalHead head(Way way = {}) {
  JournalHead head;
  head.layout = {
      kN, ValueType::u16, Semiring::min_plus, kTile, {Plane::distance, Plane::predecessor}};
  if (way.chosen) head.layout.selection.sources = {6, 5, 4, 3, 2, 1, 0};
  head.compress = way.compress;
  head.recipe = {graph().digest(), "johnson"};
  return head;
}

void write_band(Store& store, Plane plane, std::int64_t band) {
  const std::int64_t rows = std::min(kTile, kN - band * kTile);
  const Block block{band * kTile, 0, rows, kN};
  store.write(plane, block, sample_block(store.layout(), plane, block, kN).data(), kN);
}

/// Bands 0 and 3, by another process.
void write_shared(FileSystem& files, Store& store, Way way) {
  std::vector<std::int64_t> held;
  for (std::int64_t band = 0; band < kBands; ++band) {
    if (store.holds_band(band)) held.push_back(band);
  }
  const auto joined = join_resumable(files, store.shared_place(), head(way), 1, held);
  for (const std::int64_t band : {3, 0}) {
    EXPECT_EQ(joined->holds_band(band), store.holds_band(band));
    if (!joined->holds_band(band)) write_band(*joined, Plane::distance, band);
  }
  joined->flush();
}

/// The bands that are missing, in no order; all predecessors.
void write_rest(FileSystem& files, Store& store, Way way) {
  if (way.shared) {
    write_shared(files, store, way);
    for (const std::int64_t band : {3, 0}) store.note_band(band);
  }
  for (const std::int64_t band : {2, 0, 3, 1}) {
    if (!store.holds_band(band)) write_band(store, Plane::distance, band);
  }
  for (std::int64_t band = 0; band < kBands; ++band) write_band(store, Plane::predecessor, band);
}

std::unique_ptr<Store> begin(FileSystem& files, Way way = {}) {
  auto store = create_store(kPath, head(way).layout, {way.compress, &files});
  store->keep_journal(graph(), head(way).recipe);
  return store;
}

void write_all(FileSystem& files, Way way) {
  const auto store = begin(files, way);
  write_rest(files, *store, way);
  store->commit(graph(), sample_metadata(kN));
}

void write_old(FileSystem& files) {
  const auto store =
      create_store(kPath, {3, ValueType::u16, Semiring::min_plus, 2}, {false, &files});
  write_sample(*store);
  store->commit(Graph(), {});
}

void prepare(FileSystem& files, Way way) {
  if (way.over_old) write_old(files);
}

/// What must stand on the disk at the end.
std::map<std::string, std::string> wanted(Way way) {
  MemoryFileSystem disk;
  write_all(disk, way);
  return disk.contents();
}

/// Goes on from what is there, or from the beginning; returns how many bands were there.
std::int64_t finish(FileSystem& files, Way way) {
  const auto earlier = find_resumable(files, kPath);
  if (!earlier) {
    write_all(files, way);
    return 0;
  }
  const auto store = resume_store(files, *earlier, head(way), graph());
  std::int64_t held = 0;
  for (std::int64_t band = 0; band < kBands; ++band) {
    if (!store->holds_band(band)) continue;
    ++held;
    const Block block{band * kTile, 0, std::min(kTile, kN - band * kTile), kN};
    EXPECT_EQ(read_block(*store, Plane::distance, block, kN),
              sample_block(store->layout(), Plane::distance, block, kN));
  }
  write_rest(files, *store, way);
  store->commit(graph(), sample_metadata(kN));
  return held;
}

constexpr Way kWays[] = {{}, {.over_old = true}, {true, true}, {.shared = true}, {.chosen = true}};

TEST(Resumable, KilledAtAnyOperation) {
  for (const Way way : kWays) {
    const auto end = wanted(way);
    std::int64_t most_held = 0;
    for (std::int64_t k = 0;; ++k) {
      MemoryFileSystem disk;
      prepare(disk, way);
      FaultyFileSystem files(disk, {.crash_operation = k});
      try {
        write_all(files, way);
      } catch (const Error&) {  // it may notice; the state on the disk is what counts
      }
      clean_leftovers(disk, kPath, Resumables::spared);
      if (disk.contents() != end) most_held = std::max(most_held, finish(disk, way));
      clean_leftovers(disk, kPath);
      ASSERT_EQ(disk.contents(), end) << k;
      if (files.operations() <= k) break;
    }
    EXPECT_EQ(most_held, kBands);
  }
}

TEST(Resumable, BandsOfAnotherProcessAreNamedByTheFirst) {
  MemoryFileSystem disk;
  const auto store = begin(disk, {.shared = true});
  write_rest(disk, *store, {.shared = true});
  const auto contents = read_journal(disk, store->shared_place());
  EXPECT_THAT(contents->bands, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(contents->of_others, IsEmpty());
}

TEST(Resumable, KilledTwice) {
  const auto end = wanted({});
  for (std::int64_t first = 60; first < 130; first += 7) {
    for (std::int64_t k = 0;; k += 3) {
      MemoryFileSystem disk;
      FaultyFileSystem files(disk, {.crash_operation = first});
      try {
        write_all(files, {});
      } catch (const Error&) {
      }
      FaultyFileSystem again(disk, {.crash_operation = k});
      try {
        finish(again, {});
      } catch (const Error&) {
      }
      clean_leftovers(disk, kPath, Resumables::spared);
      if (disk.contents() != end) finish(disk, {});
      clean_leftovers(disk, kPath);
      ASSERT_EQ(disk.contents(), end) << first << " " << k;
      if (again.operations() <= k) break;
    }
  }
}

TEST(Resumable, ADiskFullAtAnyByteKeepsWhatIsComplete) {
  for (const Way way : kWays) {
    const auto end = wanted(way);
    MemoryFileSystem scratch;
    FaultyFileSystem endless(scratch);
    write_all(endless, way);
    std::int64_t most_held = 0;
    for (std::int64_t room = 0; room < endless.bytes_written(); room += 5) {
      MemoryFileSystem disk;
      prepare(disk, way);
      const auto before = disk.contents();
      FaultyFileSystem files(disk, {.disk_bytes = room});
      EXPECT_ERROR(input_output, write_all(files, way));
      if (!find_resumable(disk, kPath)) {
        ASSERT_EQ(disk.contents(), before) << room;
      }
      most_held = std::max(most_held, finish(disk, way));
      ASSERT_EQ(disk.contents(), end) << room;
    }
    EXPECT_EQ(most_held, kBands);
  }
}

TEST(Resumable, AnyOperationThatFailsKeepsWhatIsComplete) {
  const auto end = wanted({});
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    FaultyFileSystem files(disk, {.failing_operation = k});
    try {
      write_all(files, {});
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input_output);
    }
    if (disk.contents() != end) finish(disk, {});
    clean_leftovers(disk, kPath);
    ASSERT_EQ(disk.contents(), end) << k;
    if (files.operations() <= k) break;
  }
}

TEST(Resumable, AnyOperationThatFailsWhileItIsTakenUpLosesNothing) {
  const auto end = wanted({});
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    {
      const auto store = begin(disk);
      for (const std::int64_t band : {3, 1}) write_band(*store, Plane::distance, band);
    }
    FaultyFileSystem files(disk, {.failing_operation = k});
    try {
      finish(files, {});
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input_output);
    }
    if (disk.kind(kPath) == FileKind::none) {
      ASSERT_GE(finish(disk, {}), 2) << k;
    }
    clean_leftovers(disk, kPath);
    ASSERT_EQ(disk.contents(), end) << k;
    if (files.operations() <= k) break;
  }
}

TEST(Resumable, WithoutACompleteBandNothingIsLeft) {
  MemoryFileSystem disk;
  {
    const auto store = begin(disk);
    const Block block{0, 0, kTile, kTile};
    store->write(Plane::distance, block,
                 sample_block(store->layout(), Plane::distance, block, kTile).data(), kTile);
    EXPECT_FALSE(store->holds_band(0));
  }
  EXPECT_THAT(disk.contents(), IsEmpty());
}

TEST(Resumable, IsTouchedOnlyOnRequest) {
  MemoryFileSystem disk;
  {
    const auto store = begin(disk);
    for (const std::int64_t band : {3, 1}) write_band(*store, Plane::distance, band);
    EXPECT_FALSE(find_resumable(disk, kPath)) << "its run is alive";
    EXPECT_THAT(clean_leftovers(disk, kPath).front().fate, Fate::in_use);
  }
  const auto before = disk.contents();
  const std::vector<Leftover> spared = clean_leftovers(disk, kPath, Resumables::spared);
  ASSERT_EQ(spared.size(), 1u);
  EXPECT_EQ(spared.front().fate, Fate::resumable);
  EXPECT_EQ(spared.front().done, 3);
  EXPECT_EQ(spared.front().all, kN);
  EXPECT_EQ(disk.contents(), before);
  EXPECT_EQ(find_resumable(disk, kPath)->graph(disk).digest(), graph().digest());
  EXPECT_EQ(find_leftovers(disk, kPath).front().fate, Fate::removed);
  EXPECT_EQ(disk.contents(), before) << "looking changes nothing";
  EXPECT_EQ(clean_leftovers(disk, kPath).front().fate, Fate::removed);
  EXPECT_THAT(disk.contents(), IsEmpty());
}

TEST(Resumable, OfAnotherSolveIsRefusedAndStays) {
  MemoryFileSystem disk;
  write_band(*begin(disk), Plane::distance, 1);
  const auto before = disk.contents();
  JournalHead other = head();
  other.layout.type = ValueType::i32;
  other.recipe.graph = "fnv1a64:1";
  const auto earlier = find_resumable(disk, kPath);
  EXPECT_ERROR(usage, resume_store(disk, *earlier, other, graph()));

  EXPECT_EQ(disk.contents(), before);
}

TEST(Resumable, ATakenUpOneIsNotTakenTwice) {
  MemoryFileSystem disk;
  write_band(*begin(disk), Plane::distance, 1);
  const auto earlier = find_resumable(disk, kPath);
  const auto store = resume_store(disk, *earlier, head(), graph());
  EXPECT_ERROR(usage, resume_store(disk, *earlier, head(), graph()));
  EXPECT_FALSE(find_resumable(disk, kPath));
}

TEST(Resumable, OneThatWasFinishedMeanwhileLeavesNoLock) {
  MemoryFileSystem disk;
  write_band(*begin(disk), Plane::distance, 1);
  const auto earlier = find_resumable(disk, kPath);
  EXPECT_EQ(finish(disk, {}), 1);
  EXPECT_ERROR(usage, resume_store(disk, *earlier, head(), graph()));
  EXPECT_EQ(disk.contents(), wanted({}));
}

TEST(Resumable, WithoutALockTheCallersWordCounts) {
  MemoryFileSystem disk;
  write_band(*begin(disk), Plane::distance, 1);
  disk.remove_all(find_resumable(disk, kPath)->partial + ".lock");
  EXPECT_EQ(clean_leftovers(disk, kPath).front().fate, Fate::unknown);
  EXPECT_EQ(finish(disk, {}), 1);
  EXPECT_EQ(disk.contents(), wanted({}));
}

TEST(Resumable, ADamagedGraphIsWrittenAgain) {
  for (const char* name : {"graph/zarr.json", "graph/indices/c/0", "label/c/0"}) {
    MemoryFileSystem disk;
    write_band(*begin(disk), Plane::distance, 1);
    const std::string partial = find_resumable(disk, kPath)->partial;
    disk.reopen(join(partial, name), 5);
    EXPECT_ERROR(input, find_resumable(disk, kPath)->graph(disk));
    EXPECT_EQ(finish(disk, {}), 1);
    EXPECT_EQ(disk.contents(), wanted({})) << name;
  }
}

}  // namespace
}  // namespace apsp::store::resumable_test
