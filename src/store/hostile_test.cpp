// Results from strangers: whatever a document claims is an error of kind input, found without the
// memory and the time that it asks for, and nothing outside of the folder is read or changed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <limits>

#include "base/json.hpp"
#include "store/leftovers.hpp"
#include "support/error_of.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::store {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Layout small() { return {7, ValueType::f32, Semiring::min_plus, 4, {Plane::distance}}; }

void write_result(FileSystem& files, const std::string& path, const Layout& layout = small()) {
  const auto store = create_store(path, layout, {true, &files});
  write_sample(*store);
  const std::vector<std::int32_t> numbers(10, 1);
  store->write_array({"some/numbers", ValueType::i32, 10}, numbers.data());
  store->commit(sample_graph(layout.n, false, true), sample_metadata(layout.n));
}

class Hostile : public testing::Test {
 protected:
  Hostile() { write_result(files_, "a.zarr"); }

  std::string text(const std::string& path) const { return files_.read_text(path); }
  void replace(const std::string& path, const std::string& content) {
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }
  void read_everything() {
    const auto store = open_store("a.zarr", Semiring::min_plus, &files_);
    read_block(*store, Plane::distance, whole(store->layout()), store->layout().n);
    for (const Array& array : store->arrays()) {
      std::vector<std::int32_t> values(static_cast<std::size_t>(array.length));
      store->read_array(array, values.data());
    }
    store->graph();
    store->metadata();
  }
  /// Every number of the document, one at a time, claims something else.
  void claim_in_turn(const std::string& path) {
    const std::string good = text(path);
    const json document = json::parse(good);
    const json flat = document.flatten();
    for (const auto& [pointer, value] : flat.items()) {
      if (!value.is_number_integer()) continue;
      for (const std::int64_t claim :
           {std::int64_t{-1}, std::int64_t{0}, std::int64_t{1} << 31, std::int64_t{1} << 62,
            std::numeric_limits<std::int64_t>::max()}) {
        json changed = document;
        changed[json::json_pointer(pointer)] = claim;
        replace(path, changed.dump());
        try {
          read_everything();
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::input)
              << path << pointer << " " << claim << ": " << error.what();
        }
      }
    }
    replace(path, good);
  }

  MemoryFileSystem files_;
};

TEST_F(Hostile, NumbersThatClaimMoreThanThereIs) {
  for (const char* path : {"a.zarr/zarr.json", "a.zarr/distance/zarr.json",
                           "a.zarr/graph/indptr/zarr.json", "a.zarr/some/numbers/zarr.json"}) {
    claim_in_turn(path);
  }
  EXPECT_NO_THROW(read_everything());
}

TEST_F(Hostile, DocumentsOfAnyDepth) {
  constexpr std::size_t kDeep = 1'000'000;
  const std::string deep = std::string(kDeep, '[') + std::string(kDeep, ']');
  for (const char* path : {"a.zarr/zarr.json", "a.zarr/distance/zarr.json"}) {
    const std::string good = text(path);
    std::string changed = good;
    changed.replace(changed.rfind('}'), 1, ",\"deep\":" + deep + "}");
    for (const std::string& content : {deep, changed}) {
      replace(path, content);
      EXPECT_ERROR(input, read_everything());
    }
    replace(path, good);
  }
  EXPECT_NO_THROW(read_everything());
  EXPECT_TRUE(base::is_too_deep(std::string(200, '{')));
  EXPECT_FALSE(
      base::is_too_deep("\"" + std::string(200, '[') + "\\\"" + std::string(200, '[') + "\""));
}

/// Where no memory is left, documents are freed by way of a reserve.
TEST(MemoryReserve, GivesBlocksUntilNoneIsLeft) {
  auto reserve = std::make_unique<base::MemoryReserve>();
  EXPECT_EQ(reserve->take(std::size_t{1} << 20), nullptr) << "more than a block";
  std::vector<void*> taken;
  while (void* const block = reserve->take(16)) taken.push_back(block);
  EXPECT_EQ(taken.size(), 16u);
  int elsewhere = 0;
  EXPECT_FALSE(reserve->give_back(&elsewhere));
  EXPECT_TRUE(reserve->give_back(taken[3]));
  EXPECT_EQ(reserve->take(65536), taken[3]);
}

/// A result that is replaced may hold links; what they lead to stays.
TEST(Links, InAResultThatIsReplacedAreNotFollowed) {
  const TemporaryFolder folder;
  FileSystem& files = posix_file_system();
  const std::string path = folder / "a.zarr", outside = folder / "outside";
  write_result(files, path);
  std::filesystem::create_directory(outside);
  write_bytes(outside + "/precious", "content");
  std::filesystem::create_directory_symlink(outside, path + "/link");
  write_result(files, path);
  EXPECT_FALSE(std::filesystem::exists(path + "/link"));
  EXPECT_EQ(read_bytes(outside + "/precious"), "content");
}

/// Whoever plants a link in a folder of a run would have it write into another file.
TEST(Links, AreNotWrittenThrough) {
  const TemporaryFolder folder;
  FileSystem& files = posix_file_system();
  write_bytes(folder / "precious", "content");
  std::filesystem::create_symlink(folder / "precious", folder / "link");
  EXPECT_ERROR(input_output, files.reopen(folder / "link", 0));
  EXPECT_ERROR(input_output, files.create(folder / "link"));
  EXPECT_EQ(files.claim(folder / "link"), nullptr);
  EXPECT_EQ(read_bytes(folder / "precious"), "content");
}

/// In a folder where others write too, nobody can take a name before it is drawn.
TEST(Temporaries, HaveNamesThatNobodyGuesses) {
  const std::string first = system::next_partial_path("out/a.zarr");
  const std::string second = system::next_partial_path("out/a.zarr");
  const auto drawn = [](const std::string& path) {
    return std::stoull(path.substr(path.rfind('-') + 1));
  };
  EXPECT_THAT(first, HasSubstr("out/.a.zarr.partial-"));
  EXPECT_GT(std::max(drawn(first), drawn(second)) - std::min(drawn(first), drawn(second)),
            1u << 16);
}

}  // namespace
}  // namespace apsp::store
