// Results from strangers: whatever a document claims is an error of kind input, found without the
// memory and the time that it asks for, and nothing outside of the folder is read or changed.
#include <fmt/format.h>

#include <zstd.h>

#include "base/json.hpp"
#include "store/leftovers.hpp"
#include "store/zarr_chunk.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::hostile_test {
namespace {

using nlohmann::json;

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

// A damaged .zarr is an error of kind input that names the damaged file: never a wrong number.

class Damage : public testing::TestWithParam<bool> {
 protected:
  Damage() {
    files_.make_directory("out");
    const Layout layout{7, ValueType::f32, Semiring::min_plus, 4, {Plane::distance, Plane::hops}};
    const auto store = create_store("out/air.zarr", layout, {GetParam(), &files_});
    write_sample(*store);
    store->commit(sample_graph(7, false, true), sample_metadata(7));
  }

  std::string content(const std::string& path) const { return files_.contents().at(path); }
  void replace(const std::string& path, const std::string& content) {
    files_.remove_all(path);
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }
  void edit(const std::string& path, const std::function<void(nlohmann::json&)>& change) {
    nlohmann::json document = nlohmann::json::parse(content(path));
    change(document);
    replace(path, document.dump());
  }
  /// Opens the result and reads all of it.
  void read_everything() {
    const auto store = open_store("out/air.zarr", Semiring::min_plus, &files_);
    for (const Plane plane : store->layout().planes) {
      read_block(*store, plane, whole(store->layout()), store->layout().n);
    }
    store->graph();
    store->metadata();
  }
  /// The file that the input error names.
  std::string failure() {
    const Error error = error_of([&] { read_everything(); });
    EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
    return error.location().file;
  }
  std::vector<std::string> chunks() const {
    std::vector<std::string> paths;
    for (const auto& [path, bytes] : files_.contents()) {
      if (path.find("/c/") != std::string::npos && !path.ends_with('/')) paths.push_back(path);
    }
    return paths;
  }

  MemoryFileSystem files_;
};

TEST_P(Damage, NoneIsNoError) {
  EXPECT_NO_THROW(read_everything());
  EXPECT_EQ(chunks().size(), 2 * 4 + 3 + 1 + 2u);
}

TEST_P(Damage, AFlippedBitIsFoundInEveryByteOfEveryChunk) {
  for (const std::string& path : chunks()) {
    const std::string good = content(path);
    for (std::size_t i = 0; i < good.size(); ++i) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ (1 << (i % 8)));
      replace(path, bad);
      ASSERT_EQ(failure(), path);
    }
    replace(path, good);
  }
  EXPECT_NO_THROW(read_everything());
}

TEST_P(Damage, ATruncatedOrLongerOrMissingChunk) {
  for (const std::string& path : chunks()) {
    const std::string good = content(path);
    for (const std::size_t size : {std::size_t{0}, std::size_t{3}, good.size() - 1}) {
      replace(path, good.substr(0, size));
      EXPECT_EQ(failure(), path);
    }
    replace(path, good + "x");
    EXPECT_EQ(failure(), path);
    files_.remove_all(path);
    EXPECT_EQ(failure(), path);
    replace(path, good);
  }
}

TEST_P(Damage, AMissingChunkIsFoundWhenOpeningAndWhenReading) {
  const auto store = open_store("out/air.zarr", Semiring::min_plus, &files_);
  files_.remove_all("out/air.zarr/distance/c/1/0");
  float value = 0;
  store->read(Plane::distance, {0, 0, 1, 1}, &value, 1);
  EXPECT_THROW(store->read(Plane::distance, {4, 0, 1, 1}, &value, 1), Error);
  EXPECT_THROW(open_store("out/air.zarr", Semiring::min_plus, &files_), Error);
}

TEST_P(Damage, MissingMetadata) {
  for (const std::string file :
       {"zarr.json", "distance/zarr.json", "graph/zarr.json", "graph/indptr/zarr.json",
        "label/zarr.json", "eccentricity/zarr.json"}) {
    const std::string path = "out/air.zarr/" + file;
    const std::string good = content(path);
    files_.remove_all(path);
    EXPECT_EQ(failure(), path);
    for (const std::string bad : {"", "{", "[]", "7", "\xFF\xFE", "{}", "null"}) {
      replace(path, bad);
      EXPECT_EQ(failure(), path) << bad;
    }
    replace(path, good.substr(0, good.size() / 2));
    EXPECT_EQ(failure(), path);
    replace(path, good);
  }
  EXPECT_NO_THROW(read_everything());
}

TEST_P(Damage, WrongAttributesOfTheGroup) {
  using nlohmann::json;
  const std::string path = "out/air.zarr/zarr.json";
  const std::string good = content(path);
  const std::vector<std::pair<const char*, json>> wrong = {{"format_version", 2},
                                                           {"format_version", 0},
                                                           {"format_version", "1"},
                                                           {"complete", false},
                                                           {"complete", 1},
                                                           {"vertices", 8},
                                                           {"vertices", -1},
                                                           {"vertices", 4294967295u},
                                                           {"vertices", 1e300},
                                                           {"vertices", UINT64_MAX},
                                                           {"semiring", "plus-times"},
                                                           {"semiring", 3},
                                                           {"semiring", "or-and"},
                                                           {"value_type", "f16"},
                                                           {"value_type", "f64"},
                                                           {"tile", 0},
                                                           {"tile", 3},
                                                           {"tile", INT64_MAX},
                                                           {"planes", json::array()},
                                                           {"planes", {"distance", "distance"}},
                                                           {"planes", "distance"},
                                                           {"planes", {"distance", "via"}},
                                                           {"planes", {1}},
                                                           {"compressed", !GetParam()},
                                                           {"compressed", nullptr},
                                                           {"digest", "fnv1a64:0"},
                                                           {"digest", 1},
                                                           {"vertex_values", {"../../x"}},
                                                           {"vertex_values", {"other"}},
                                                           {"vertex_values", {{1}}},
                                                           {"vertex_values", nullptr}};
  for (const auto& [name, value] : wrong) {
    edit(path, [&, key = name, &to = value](json& root) { root["attributes"]["apsp"][key] = to; });
    EXPECT_TRUE(failure().starts_with("out/air.zarr/")) << name << " " << value;
    replace(path, good);
    if (std::string(name) == "format_version") continue;
    edit(path, [&, key = name](json& root) { root["attributes"]["apsp"].erase(key); });
    EXPECT_EQ(failure(), path) << name;
    replace(path, good);
  }
  edit(path, [](json& root) { root["attributes"]["apsp"]["format_version"] = 4; });
  EXPECT_EQ(failure(), path);
  replace(path, good);
  edit(path, [](json& root) { root["attributes"]["result"] = 5; });
  EXPECT_EQ(failure(), path);
}

TEST_P(Damage, AnArrayLaidOutOtherwise) {
  using nlohmann::json;
  for (const std::string array : {"distance", "hops", "graph/weights", "label", "closeness"}) {
    const std::string path = "out/air.zarr/" + array + "/zarr.json";
    const std::string good = content(path);
    for (const char* field : {"zarr_format", "node_type", "shape", "data_type", "chunk_grid",
                              "chunk_key_encoding", "fill_value", "codecs"}) {
      edit(path, [&](json& document) { document[field] = {{"name", "other"}}; });
      EXPECT_EQ(failure(), path);
      replace(path, good);
      edit(path, [&](json& document) { document.erase(field); });
      EXPECT_EQ(failure(), path);
      replace(path, good);
    }
    edit(path, [](json& document) { document["storage_transformers"] = {"x"}; });
    EXPECT_EQ(failure(), path);
    replace(path, good);
    // What others add does no harm.
    edit(path, [](json& document) { document["attributes"]["units"] = "m"; });
    EXPECT_NO_THROW(read_everything());
    replace(path, good);
  }
}

TEST_P(Damage, AGraphThatDoesNotFitItsDigest) {
  using nlohmann::json;
  const std::string path = "out/air.zarr/graph/zarr.json";
  const std::string good = content(path);
  const std::vector<std::pair<const char*, json>> wrong = {
      {"directed", true},     {"directed", 1}, {"first_id", 0},          {"first_id", -1},
      {"first_id", 1u << 31}, {"arcs", 3},     {"arcs", INT64_MAX},      {"arcs", -1},
      {"labelled", false},    {"digest", "x"}, {"digest", json::array()}};
  for (const auto& [name, value] : wrong) {
    edit(path, [&, key = name, &to = value](json& group) { group["attributes"][key] = to; });
    EXPECT_TRUE(failure().starts_with("out/air.zarr/graph")) << name << " " << value;
    replace(path, good);
  }
  edit(path, [](json& group) { group["attributes"] = 3; });
  EXPECT_EQ(failure(), path);
}

INSTANTIATE_TEST_SUITE_P(Chunks, Damage, testing::Bool(), [](const auto& compressed) {
  return std::string(compressed.param ? "compressed" : "plain");
});

TEST(DamagedChunk, AFrameCannotPromiseMoreThanItHolds) {
  MemoryFileSystem files;
  // A zstd frame header alone that claims 8 GiB, with the right checksum.
  const std::string frame = std::string("\x28\xB5\x2F\xFD\xE0", 5) +
                            std::string("\x00\x00\x00\x00\x02\x00\x00\x00", 8) +
                            std::string("\x01\x00\x00", 3);
  Bytes bytes(static_cast<std::int64_t>(frame.size()) + kChecksumBytes);
  std::memcpy(bytes.data(), frame.data(), frame.size());
  const Bytes chunk = encode_chunk(std::move(bytes), false);
  files.write_atomically("0", chunk.all());
  for (const std::optional<std::int64_t> size :
       {std::optional<std::int64_t>(), std::optional<std::int64_t>(std::int64_t{8} << 30)}) {
    const Error error = error_of([&] { read_chunk(files, "0", size, true); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_THAT(error.what(), StartsWith("0: a zstd frame that promises too much"));
  }
}

/// A file "0" of these bytes and their checksum.
std::unique_ptr<MemoryFileSystem> chunk_of(const std::string& content) {
  auto files = std::make_unique<MemoryFileSystem>();
  Bytes bytes(static_cast<std::int64_t>(content.size()) + kChecksumBytes);
  std::memcpy(bytes.data(), content.data(), content.size());
  files->write_atomically("0", encode_chunk(std::move(bytes), false).all());
  return files;
}

TEST(DamagedChunk, APlainOneHasExactlyTheBytesOfItsValues) {
  for (const std::string text : {"", "x", "12345678"}) {
    const auto files = chunk_of(text);
    const Bytes values = read_chunk(*files, "0", std::ssize(text), false);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(values.data()),
                          static_cast<std::size_t>(values.size())),
              text);
    EXPECT_EQ(read_chunk(*files, "0", {}, false).size(), std::ssize(text));
    EXPECT_THAT(error_of([&] { read_chunk(*files, "0", std::ssize(text) + 1, false); }).what(),
                StartsWith("0: has " + std::to_string(text.size() + 4) + " bytes instead of " +
                           std::to_string(text.size() + 5)));
  }
}

/// Blocks of 128 KiB take 4 bytes at least.
TEST(DamagedChunk, AFrameMayPromiseWhatItsLengthCanHold) {
  const auto failure_of = [](std::uint32_t blocks) {
    std::string frame("\x28\xB5\x2F\xFD\xA0", 5);  // one segment, its size in four bytes
    const std::uint32_t promised = blocks * 128 * 1024;
    frame.append(reinterpret_cast<const char*>(&promised), 4);
    frame.resize(16);
    const auto files = chunk_of(frame);
    return std::string(error_of([&] { read_chunk(*files, "0", {}, true); }).what());
  };
  EXPECT_THAT(failure_of(4), StartsWith("0: zstd: "));
  EXPECT_THAT(failure_of(5), StartsWith("0: a zstd frame that promises too much"));
}

/// Only chunks of names have a size that does not follow from their shape.
TEST(DamagedChunk, OfNamesIsNoBomb) {
  std::string frame("\x28\xB5\x2F\xFD\xA0", 5);  // one segment, its size in four bytes
  constexpr std::uint32_t kBlock = 128 * 1024, kBlocks = 1024;
  const std::uint32_t promised = kBlock * kBlocks;
  frame.append(reinterpret_cast<const char*>(&promised), 4);
  for (std::uint32_t i = 0; i < kBlocks; ++i) {
    const std::uint32_t head = kBlock << 3 | 1 << 1 | (i + 1 == kBlocks ? 1 : 0);  // of one byte
    frame.append(reinterpret_cast<const char*>(&head), 3) += 'x';
  }
  const auto files = chunk_of(frame);
  EXPECT_THAT(error_of([&] { read_chunk(*files, "0", {}, true); }).what(),
              StartsWith("0: 134217728 bytes of names from"));
  EXPECT_EQ(read_chunk(*files, "0", promised, true).size(), std::int64_t{promised});
}

TEST(DamagedChunk, AFrameIsNoLongerThanItsValuesCanNeed) {
  const auto failure_of = [](std::size_t length) {
    const auto files = chunk_of(std::string(length, 'x'));
    return std::string(error_of([&] { read_chunk(*files, "0", 1000, true); }).what());
  };
  const std::size_t most = ZSTD_compressBound(1000);
  EXPECT_THAT(failure_of(most), StartsWith("0: not a zstd frame"));
  EXPECT_THAT(failure_of(most + 1),
              StartsWith("0: has " + std::to_string(most + 5) + " bytes, more than"));
}

}  // namespace
}  // namespace apsp::store::hostile_test
