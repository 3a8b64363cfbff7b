#include "store/background_write.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <optional>

#include "testing/error_of.hpp"
#include "testing/faulty_file_system.hpp"
#include "testing/memory_file_system.hpp"
#include "testing/sample_store.hpp"

namespace apsp::store {
namespace {

constexpr std::int64_t kVertices = 37;

/// Tiles that do not divide the matrix; rows are padded in memory, and not in the file.
Layout layout() { return {kVertices, ValueType::f32, Semiring::min_plus, 8, {Plane::distance}}; }

class BackgroundWriteTest : public testing::TestWithParam<std::string> {
 protected:
  BackgroundWriteTest() : matrix(make_memory_store(layout())) { write_sample(*matrix); }
  std::unique_ptr<Store> target(FileSystem& files) const {
    return create_store(GetParam(), layout(), {false, &files});
  }

  std::unique_ptr<Store> matrix;
  const Control control;
};

TEST_P(BackgroundWriteTest, WritesTheWholeMatrix) {
  MemoryFileSystem files;
  const auto to = target(files);
  BackgroundWrite writing(*matrix, *to, 2, control);
  writing.finish();
  to->commit(sample_graph(kVertices, true, true), {});
  EXPECT_TRUE(holds_sample(*open_store(GetParam(), Semiring::min_plus, &files)));
}

TEST_P(BackgroundWriteTest, AFullDiskIsReportedAndLeavesNothing) {
  MemoryFileSystem disk;
  {
    FaultyFileSystem files(disk, {.disk_bytes = 3000});
    const auto to = target(files);
    const Error error = error_of([&] {
      BackgroundWrite writing(*matrix, *to, 2, control);
      writing.finish();
    });
    EXPECT_THAT(error.what(), testing::HasSubstr("disk full"));
  }
  EXPECT_EQ(disk.kind(GetParam()), FileKind::none);
  EXPECT_TRUE(disk.contents().empty());
}

TEST_P(BackgroundWriteTest, WithoutAnEndItLeavesNothing) {
  MemoryFileSystem files;
  {
    const auto to = target(files);
    const BackgroundWrite writing(*matrix, *to, 2, control);
  }
  EXPECT_TRUE(files.contents().empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, BackgroundWriteTest, testing::Values("x.npy", "x.zarr"),
                         [](const auto& test) { return test.param.substr(2); });

}  // namespace
}  // namespace apsp::store
