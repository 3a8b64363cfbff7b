// A power cut at any moment: at the path stands the old result or the new one, whole; a result that
// was committed stays; what a run left is gone on from, and ends in the same bytes.
// APSP_POWER_CUTS=N draws N of them for each moment.
#include "support/power_cut.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "store/disk_matrix.hpp"
#include "store/leftovers.hpp"
#include "support/sample_store.hpp"

namespace apsp::store {
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
        ASSERT_GE(again.cut()->pivots, least);
        std::vector<std::int32_t> values(static_cast<std::size_t>(kNew * kNew));
        again.read(Plane::distance, {0, 0, kNew, kNew}, values.data(), kNew);
        ASSERT_EQ(values, values_after(again.cut()->pivots));
      }
      clean_leftovers(disk, "a.zarr");
      ASSERT_TRUE(disk.list(".").empty() || order == Names::in_any_order);
    });
  }
}

}  // namespace
}  // namespace apsp::store
