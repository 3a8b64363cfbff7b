// A .zarr that is read while another run replaces it: the old one whole, or an error that says so.
#include "store/file_system.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <numeric>

#include "store/leftovers.hpp"
#include "support/error_of.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::store {
namespace {

constexpr std::int64_t kSide = 4;

/// Distances of one result are all equal; of its graph too.
std::unique_ptr<Store> filled(const std::string& path, std::int32_t value,
                              const CreateOptions& options = {}) {
  auto store = create_store(path, {kSide, ValueType::i32, Semiring::min_plus, 2}, options);
  const std::vector<std::int32_t> values(kSide * kSide, value);
  store->write(Plane::distance, {0, 0, kSide, kSide}, values.data(), kSide);
  return store;
}

Graph graph_of_value(std::int32_t value) {
  GraphBuilder builder(kSide, true);
  for (Vertex v = 1; v < kSide; ++v) builder.add_edge(0, v, value);
  return std::move(builder).build();
}

void commit(Store& store, std::int32_t value) {
  store.commit(graph_of_value(value),
               {"{}", {{"eccentricity", std::vector<double>(kSide, value)}}});
}

void write_result(const std::string& path, std::int32_t value) {
  commit(*filled(path, value), value);
}

std::int32_t value_at(const Store& store, std::int64_t row, std::int64_t col) {
  std::int32_t value = 0;
  store.read(Plane::distance, {row, col, 1, 1}, &value, 1);
  return value;
}

TEST(HeldFolder, AResultThatGotAnotherNameIsReadWhole) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr", other = folder / "b.zarr";
  write_result(path, 1);
  write_result(other, 2);
  const auto opened = open_store(path);
  EXPECT_TRUE(opened->in_place());
  EXPECT_EQ(value_at(*opened, 0, 0), 1);
  posix_file_system().exchange(path, other);
  EXPECT_FALSE(opened->in_place());
  EXPECT_EQ(value_at(*opened, 3, 3), 1);
  EXPECT_EQ(opened->graph()->digest(), graph_of_value(1).digest());
  EXPECT_EQ(opened->graph_digest(), graph_of_value(1).digest());
  EXPECT_EQ(opened->metadata().vertex_values.front().values.front(), 1);
  EXPECT_EQ(value_at(*open_store(path), 3, 3), 2);
}

TEST(HeldFolder, AResultThatWasReplacedIsAnErrorWhereItIsGone) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  write_result(path, 1);
  const auto opened = open_store(path);
  EXPECT_EQ(value_at(*opened, 0, 0), 1);
  write_result(path, 2);
  EXPECT_EQ(value_at(*opened, 1, 1), 1) << "of a chunk that was read";
  for (const auto& read : std::vector<std::function<void()>>{
           [&] { value_at(*opened, 3, 3); }, [&] { opened->graph(); },
           [&] { opened->graph_digest(); }, [&] { opened->metadata(); }}) {
    EXPECT_EQ(error_of(read).kind(), ErrorKind::input_output);
  }
}

TEST(HeldFolder, WhatACommitLeftIsReadAsItWasCommitted) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  const auto first = filled(path, 1);
  commit(*first, 1);
  EXPECT_EQ(value_at(*first, 3, 3), 1);
  write_result(path, 2);
  EXPECT_THROW(value_at(*first, 0, 0), Replaced);
}

TEST(HeldFolder, AChunkThatIsMissingInItsPlaceIsDamage) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  write_result(path, 1);
  const auto opened = open_store(path);
  std::filesystem::remove(path + "/distance/c/1/1");
  EXPECT_ERROR(input, value_at(*opened, 3, 3));
}

TEST(HeldFolder, AResultIsFoundByAnyNameOfItsFolder) {
  const TemporaryFolder folder;
  write_result(folder / "a.zarr", 7);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder / "a.zarr");
  EXPECT_EQ(value_at(*open_store("."), 3, 3), 7);
  std::filesystem::current_path(folder.path());
  const auto opened = open_store("a.zarr/");
  EXPECT_EQ(value_at(*opened, 0, 0), 7);
  std::filesystem::current_path(before);
  EXPECT_EQ(value_at(*opened, 3, 3), 7) << "from another working directory";
}

TEST(HeldFolder, WhatWasReplacedMeanwhileIsNotReplacedAgain) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  write_result(path, 1);
  const auto read = open_store(path);
  const auto changed = filled(path, 2, {.in_place_of = read.get()});
  write_result(path, 3);
  EXPECT_ERROR(input_output, commit(*changed, 2));
  EXPECT_EQ(value_at(*open_store(path), 3, 3), 3);
  const auto again = open_store(path);
  commit(*filled(path, 4, {.in_place_of = again.get()}), 4);
  EXPECT_EQ(value_at(*open_store(path), 3, 3), 4);
}

TEST(HeldFolder, ALinksTargetMayHaveAnyName) {
  const TemporaryFolder folder;
  const std::string link = folder / "link.zarr", target = folder / "plain";
  write_result(folder / "a.zarr", 1);
  std::filesystem::rename(folder / "a.zarr", target);
  std::filesystem::create_symlink("plain", link);
  EXPECT_EQ(value_at(*open_store(link), 3, 3), 1);
  write_result(link, 2);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_EQ(value_at(*open_store(target), 3, 3), 2);
  // What a killed run left is found by the link, too.
  std::filesystem::create_directory(folder / ".plain.partial-1-0");
  write_bytes(folder / ".plain.partial-1-0.lock", "");
  EXPECT_EQ(clean_leftovers(posix_file_system(), link).size(), 1u);
  EXPECT_EQ(folder.entries(), 2);
}

}  // namespace
}  // namespace apsp::store
