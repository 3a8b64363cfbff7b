// A run that ends at any moment leaves a generation whole, and a later run ends in the same values.
#include "store/disk_matrix.hpp"

#include "store/leftovers.hpp"
#include "support/faulty_file_system.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/test.hpp"

namespace apsp::store::disk_matrix_test {
namespace {

using Generation = DiskMatrix::Generation;

constexpr std::int64_t kN = 7, kBand = 3;
constexpr const char* kOutput = "a.npy";

Graph graph() { return sample_graph(kN, true, false); }

JournalHead head(const std::string& rounding = {}) {
  JournalHead head;
  head.layout = {kN, ValueType::u16, Semiring::min_plus, kBand};
  head.recipe = {graph().digest(), "floyd-warshall", rounding};
  return head;
}

/// What a matrix holds after so many pivots.
std::vector<std::uint16_t> values_after(std::int64_t pivots) {
  std::vector<std::uint16_t> values(kN * kN);
  std::iota(values.begin(), values.end(), static_cast<std::uint16_t>(100 * pivots));
  return values;
}

void write_step(DiskMatrix& matrix, std::int64_t pivots) {
  const auto values = values_after(pivots);
  matrix.write_block({0, 0, kN, kN}, values.data(), kN);
  matrix.commit_step(pivots);
}

std::vector<std::uint16_t> values_of(const DiskMatrix& matrix) {
  std::vector<std::uint16_t> values(kN * kN);
  matrix.read(Plane::distance, {0, 0, kN, kN}, values.data(), kN);
  return values;
}

/// From wherever it is to the end.
void go_on(DiskMatrix& matrix) {
  if (!matrix.checkpoint()) write_step(matrix, 0);
  while (matrix.checkpoint()->pivots < kN)
    write_step(matrix, std::min(matrix.checkpoint()->pivots + kBand, kN));
}

/// Returns the pivots that an earlier run had done.
std::int64_t finish(FileSystem& files) {
  const auto earlier = find_resumable(files, kOutput);
  if (!earlier) {
    DiskMatrix matrix(files, kOutput, head(), graph());
    go_on(matrix);
    EXPECT_EQ(values_of(matrix), values_after(kN));
    matrix.discard();
    return 0;
  }
  DiskMatrix matrix(files, *earlier, head());
  const std::int64_t pivots = matrix.checkpoint()->pivots;
  EXPECT_EQ(values_of(matrix), values_after(pivots));
  EXPECT_EQ(earlier->graph(files).digest(), graph().digest());
  go_on(matrix);
  EXPECT_EQ(values_of(matrix), values_after(kN));
  matrix.discard();
  return pivots;
}

TEST(DiskMatrix, HoldsBlocksAndBands) {
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head(), graph());
  EXPECT_FALSE(matrix.checkpoint());
  const auto values = values_after(0);
  ASSERT_EQ(matrix.bands(), 3);
  for (std::int64_t band = 0; band < matrix.bands(); ++band) {
    std::vector<std::uint16_t> part;
    for (std::int64_t i = 0; i < kN; ++i) {
      for (std::int64_t j = 0; j < matrix.columns(band); ++j) {
        part.push_back(values[static_cast<std::size_t>(i * kN + matrix.first_column(band) + j)]);
      }
    }
    const std::int64_t columns = matrix.columns(band);
    matrix.write_block({0, matrix.first_column(band), kN, columns}, part.data(), columns);
  }
  matrix.commit_step(0);
  EXPECT_EQ(values_of(matrix), values);
  for (const Block block : {Block{2, 1, 3, 5}, Block{6, 6, 1, 1}, Block{0, 3, 2, 3}}) {
    const auto size = static_cast<std::size_t>(block.rows * block.cols);
    std::vector<std::uint16_t> out(size), expected;
    for (std::int64_t i = 0; i < block.rows; ++i) {
      const auto row = values.begin() + (block.row + i) * kN + block.col;
      expected.insert(expected.end(), row, row + block.cols);
    }
    matrix.read(Plane::distance, block, out.data(), block.cols);
    EXPECT_EQ(out, expected);
    if (block.col % kBand != 0) continue;  // a part of what has its checksums together
    matrix.write_block(block, out.data(), block.cols);
    std::fill(out.begin(), out.end(), std::uint16_t{0});
    matrix.read_block(Generation::next, block, out.data(), block.cols);
    EXPECT_EQ(out, expected);
  }
  std::vector<std::uint16_t> rows(2 * (kN + 1));
  matrix.read_block(Generation::current, {4, 0, 2, kN}, rows.data(), kN + 1);
  for (std::int64_t i : {0, 1}) {
    EXPECT_TRUE(std::equal(values.begin() + (4 + i) * kN, values.begin() + (5 + i) * kN,
                           rows.begin() + i * (kN + 1)));
    EXPECT_EQ(rows[static_cast<std::size_t>(i * (kN + 1) + kN)], 0) << "written behind a row";
  }
}

TEST(DiskMatrix, KilledAtAnyOperation) {
  std::int64_t most = 0;
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    FaultyFileSystem files(disk, {.crash_operation = k});
    try {
      DiskMatrix matrix(files, kOutput, head(), graph());
      go_on(matrix);
    } catch (const Error&) {  // it may notice; the state on the disk is what counts
    }
    clean_leftovers(disk, kOutput, Resumables::spared);
    most = std::max(most, finish(disk));
    ASSERT_THAT(disk.contents(), IsEmpty()) << k;
    if (files.operations() <= k) break;
  }
  EXPECT_EQ(most, kN);
}

TEST(DiskMatrix, KilledTwice) {
  for (std::int64_t first = 30; first < 110; first += 7) {
    for (std::int64_t k = 0;; k += 2) {
      MemoryFileSystem disk;
      FaultyFileSystem files(disk, {.crash_operation = first});
      try {
        DiskMatrix matrix(files, kOutput, head(), graph());
        go_on(matrix);
      } catch (const Error&) {
      }
      FaultyFileSystem again(disk, {.crash_operation = k});
      try {
        const auto earlier = find_resumable(again, kOutput);
        if (earlier) {
          DiskMatrix matrix(again, *earlier, head());
          go_on(matrix);
        }
      } catch (const Error&) {
      }
      clean_leftovers(disk, kOutput, Resumables::spared);
      finish(disk);
      ASSERT_THAT(disk.contents(), IsEmpty()) << first << " " << k;
      if (again.operations() <= k) break;
    }
  }
}

TEST(DiskMatrix, AnyOperationThatFailsKeepsWhatIsComplete) {
  std::int64_t most = 0;
  for (std::int64_t k = 0;; ++k) {
    MemoryFileSystem disk;
    FaultyFileSystem files(disk, {.failing_operation = k});
    try {
      DiskMatrix matrix(files, kOutput, head(), graph());
      go_on(matrix);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::input_output);
    }
    most = std::max(most, finish(disk));
    clean_leftovers(disk, kOutput);
    ASSERT_THAT(disk.contents(), IsEmpty()) << k;
    if (files.operations() <= k) break;
  }
  EXPECT_EQ(most, kN);
}

TEST(DiskMatrix, ADiskFullAtAnyByteKeepsWhatIsComplete) {
  MemoryFileSystem scratch;
  FaultyFileSystem endless(scratch);
  finish(endless);
  for (std::int64_t room = 0; room < endless.bytes_written(); room += 11) {
    MemoryFileSystem disk;
    FaultyFileSystem files(disk, {.disk_bytes = room});
    EXPECT_EQ(error_of([&] {
                DiskMatrix matrix(files, kOutput, head(), graph());
                go_on(matrix);
              }).kind(),
              ErrorKind::input_output);
    finish(disk);
    ASSERT_THAT(disk.contents(), IsEmpty()) << room;
  }
}

TEST(DiskMatrix, WithoutAStepThatIsDoneNothingStays) {
  MemoryFileSystem disk;
  {
    DiskMatrix matrix(disk, kOutput, head(), graph());
    write_step(matrix, 0);
  }
  EXPECT_THAT(disk.contents(), IsEmpty());
}

TEST(DiskMatrix, WhatIsLeftSaysHowFarItIs) {
  MemoryFileSystem disk;
  {
    DiskMatrix matrix(disk, kOutput, head(), graph());
    write_step(matrix, 0);
    write_step(matrix, 4);
  }
  const auto leftovers = clean_leftovers(disk, kOutput, Resumables::spared);
  ASSERT_EQ(leftovers.size(), 1u);
  EXPECT_EQ(leftovers.front().fate, Fate::resumable);
  EXPECT_EQ(leftovers.front().done, 4);
  EXPECT_EQ(leftovers.front().all, kN);
  EXPECT_EQ(leftovers.front().unit, "pivots");
  const auto earlier = find_resumable(disk, kOutput);
  ASSERT_TRUE(earlier);
  EXPECT_ERROR(usage, DiskMatrix(disk, *earlier, head("another order")));
  const DiskMatrix alive(disk, *earlier, head());
  EXPECT_ERROR(usage, DiskMatrix(disk, *earlier, head()));
}

TEST(DiskMatrix, AFileThatWasCutIsNotGoneOnFrom) {
  MemoryFileSystem disk;
  {
    DiskMatrix matrix(disk, kOutput, head(), graph());
    write_step(matrix, 0);
    write_step(matrix, 4);
  }
  const auto earlier = find_resumable(disk, kOutput);
  ASSERT_TRUE(earlier);
  disk.reopen(join(earlier->partial, "generation-1"), 20);
  EXPECT_ERROR(input, DiskMatrix(disk, *earlier, head()));
}

/// What two steps have left, of which a byte is changed.
class ChangedByte {
 public:
  ChangedByte(std::int64_t together, std::size_t byte) {
    {
      DiskMatrix matrix(disk, kOutput, head(), graph());
      matrix.set_checksum_columns(together);
      write_step(matrix, 0);
      write_step(matrix, 4);
    }
    earlier = find_resumable(disk, kOutput);
    const std::string path = join(earlier->partial, "generation-1");
    std::string content = disk.contents().at(path);
    if (byte >= content.size()) return;
    content[byte] = static_cast<char>(content[byte] ^ 4);
    disk.reopen(path, 0)->write(0, std::as_bytes(std::span(content)));
  }

  MemoryFileSystem disk;
  std::optional<Resumable> earlier;
};

TEST(DiskMatrix, AByteThatChangedIsFoundWhereverItIs) {
  for (const std::int64_t together : {kBand, std::int64_t{2}, kN}) {
    const std::int64_t sums = kN * ((kN + together - 1) / together);
    for (std::size_t byte = 0; byte < static_cast<std::size_t>(2 * kN * kN + 8 + 4 * sums);
         ++byte) {
      ChangedByte changed(together, byte);
      const Error error = error_of([&] {
        const DiskMatrix matrix(changed.disk, *changed.earlier, head());
        values_of(matrix);
      });
      ASSERT_EQ(error.kind(), ErrorKind::input) << byte << ", " << together;
    }
  }
}

TEST(DiskMatrix, AMissingGenerationIsNamedWithTheWayOut) {
  ChangedByte changed(kBand, 0);
  changed.disk.remove_all(join(changed.earlier->partial, "generation-1"));
  EXPECT_EQ(
      error_of([&] { const DiskMatrix matrix(changed.disk, *changed.earlier, head()); }).kind(),
      ErrorKind::input);
}

TEST(DiskMatrix, WhatIsDamagedIsNamedAndMayBeginAgain) {
  ChangedByte changed(kBand, 2 * kBand);  // the first value of row 1
  DiskMatrix matrix(changed.disk, *changed.earlier, head());
  EXPECT_ERROR(input, values_of(matrix));
  EXPECT_THROW(matrix.check(2, {}), DamagedMatrix);
  std::vector<std::uint16_t> column(kN);
  matrix.read(Plane::distance, {0, 5, kN, 1}, column.data(), 1);
  EXPECT_EQ(column[1], 400 + kN + 5) << "other columns are as they were";
  matrix.begin_again();
  write_step(matrix, 0);
  matrix.check(2, {});
  go_on(matrix);
  EXPECT_EQ(values_of(matrix), values_after(kN));
  matrix.discard();
}

/// By processes whose parts are of other columns than the matrix has in a band.
TEST(DiskMatrix, PartsOfAnyWidthHaveTheirChecksums) {
  ChangedByte kept(2, ~std::size_t{0});
  DiskMatrix first(kept.disk, *kept.earlier, head());
  DiskMatrix other(Joined{}, kept.disk, first.shared_place(), head().layout, first.checkpoint());
  EXPECT_EQ(values_of(other), values_after(4));
  const auto values = values_after(6);
  for (DiskMatrix* const matrix : {&first, &other}) matrix->set_checksum_columns(4);
  first.write_block({0, 0, kN, 4}, values.data(), kN);
  other.write_block({0, 4, kN, 3}, values.data() + 4, kN);
  EXPECT_ERROR(defect, first.write_block({0, 3, kN, 1}, values.data(), kN));
  for (DiskMatrix* const matrix : {&first, &other}) matrix->flush();
  for (DiskMatrix* const matrix : {&first, &other}) matrix->commit_step(6);
  EXPECT_EQ(values_of(first), values);
  EXPECT_EQ(values_of(other), values);
}

TEST(DiskMatrix, IsNoResult) {
  MemoryFileSystem disk;
  DiskMatrix matrix(disk, kOutput, head(), graph());
  EXPECT_ERROR(usage, matrix.write(Plane::distance, {}, nullptr, 0));
  EXPECT_ERROR(usage, matrix.commit(graph(), {}));
}

}  // namespace
}  // namespace apsp::store::disk_matrix_test
