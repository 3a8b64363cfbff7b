// What a .zarr replaces and what it does not; its bytes; its cache.
#include "base/json.hpp"
#include "store/crc32c.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::zarr_store_test {
namespace {

const Layout kLayout{5, ValueType::i32, Semiring::min_plus, 2, {Plane::distance}};

void put(FileSystem& files, const std::string& path, const std::string& content) {
  files.write_atomically(path, std::as_bytes(std::span(content)));
}

void write(FileSystem& files, const std::string& path, const Layout& layout = kLayout) {
  const auto store = create_store(path, layout, {false, &files});
  write_sample(*store);
  store->commit(Graph(), {});
}

TEST(Zarr, NeverReplacesWhatItDidNotWrite) {
  const std::string foreign_group =
      R"({"zarr_format":3,"node_type":"group","attributes":{"title":"mine"}})";
  for (const std::string& document :
       {std::string(), foreign_group, std::string("{"), std::string(R"({"zarr_format":2})")}) {
    MemoryFileSystem files;
    files.make_directory("a.zarr");
    put(files, "a.zarr/thesis.txt", "years of work");
    if (!document.empty()) put(files, "a.zarr/zarr.json", document);
    const auto before = files.contents();
    EXPECT_ERROR(usage, create_store("a.zarr", kLayout, {false, &files})) << document;
    EXPECT_EQ(files.contents(), before);
  }
  MemoryFileSystem files;
  put(files, "a.zarr", "a file");
  EXPECT_THROW(create_store("a.zarr", kLayout, {false, &files}), Error);
}

TEST(Zarr, HoldsArraysOfEveryTypeBesideOrInPlaceOfPlanes) {
  for (const bool compress : {false, true}) {
    for (const bool planes : {false, true}) {
      MemoryFileSystem files;
      Layout layout = kLayout;
      if (!planes) layout.planes.clear();
      const std::vector<std::byte> bytes(8 * ((1 << 20) + 5), std::byte{1});
      std::vector<Array> written;
      const auto store = create_store("a.zarr", layout, {compress, &files});
      write_sample(*store);
      for (const ValueType type :
           {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16, ValueType::boolean}) {
        for (const std::int64_t length : {0, 1, 77, (1 << 20) + 5}) {
          const std::string name =
              std::string("some/") + std::string(apsp::name(type)) + "_" + std::to_string(length);
          written.push_back({name, type, length, "entry"});
          store->write_array(written.back(), bytes.data());
        }
      }
      EXPECT_ERROR(usage, store->write_array(written[3], bytes.data()));
      for (const char* name : {"some", "some/", "/x", "../x", "some/x/y", "distance/x"}) {
        EXPECT_ERROR(usage, store->write_array({name}, bytes.data()));
      }
      store->commit(Graph(), {});
      const auto opened = open_store("a.zarr", Semiring::min_plus, &files);
      EXPECT_EQ(opened->holds(Plane::distance), planes);
      ASSERT_EQ(opened->arrays().size(), written.size());
      for (std::size_t i = 0; i < written.size(); ++i) {
        const Array array = opened->arrays()[i];
        EXPECT_EQ(array.name, written[i].name);
        EXPECT_EQ(array.type, written[i].type);
        ASSERT_EQ(array.length, written[i].length);
        std::vector<std::byte> values(static_cast<std::size_t>(array.length * size_of(array.type)));
        opened->read_array(array, values.data());
        EXPECT_TRUE(std::equal(values.begin(), values.end(), bytes.begin()));
        ASSERT_EQ(std::ssize(array.checksums), (array.length + kArrayChunk - 1) / kArrayChunk);
        if (array.length == 0) continue;
        const std::int64_t last = (array.length - 1) / kArrayChunk;
        values.resize(
            static_cast<std::size_t>((array.length - last * kArrayChunk) * size_of(array.type)));
        std::ranges::fill(values, std::byte{0});
        opened->read_array_chunk(array, last, values.data());
        EXPECT_TRUE(std::equal(values.begin(), values.end(), bytes.begin()));
      }
    }
  }
}

TEST(Zarr, RefusesArraysThatItsAttributesMisname) {
  using nlohmann::json;
  MemoryFileSystem files;
  Layout layout = kLayout;
  layout.planes.clear();
  const auto store = create_store("a.zarr", layout, {false, &files});
  const std::vector<std::int32_t> values = {1, 2, 3};
  store->write_array({"some/numbers", ValueType::i32, 3}, values.data());
  store->commit(Graph(), {});
  const std::string path = "a.zarr/zarr.json", good = files.contents().at(path);
  const auto with = [&](const char* name, const json& value) {
    json document = json::parse(good);
    json& facts = document["attributes"]["apsp"];
    EXPECT_EQ(facts["format_version"], 2);
    if (value.is_discarded()) {
      facts.erase(name);
    } else {
      facts[name] = value;
    }
    files.remove_all(path);
    put(files, path, document.dump());
    EXPECT_ERROR(input, open_store("a.zarr", Semiring::min_plus, &files)) << value;
  };
  const auto one = [](const json& name, const json& type, const json& length) {
    return json::array({{{"name", name}, {"value_type", type}, {"length", length}}});
  };
  with("arrays", json(json::value_t::discarded));
  with("format_version", 1);  // without planes
  for (const json& wrong :
       {json::array(), json(3), json::array({1}), json::array({json::object()}),
        one("other/numbers", "i32", 3), one("../numbers", "i32", 3), one("some", "i32", 3),
        one("some/numbers", "i64", 3), one("some/numbers", "f32", 3), one("some/numbers", "i32", 4),
        one("some/numbers", "i32", -1), one("some/numbers", "i32", INT64_MAX),
        one("some/numbers", "i32", "3"), one(3, "i32", 3)}) {
    with("arrays", wrong);
  }
  json twice = one("some/numbers", "i32", 3);
  twice.push_back(twice[0]);
  with("arrays", twice);
}

TEST(Zarr, LooksAgainBeforeItReplaces) {
  MemoryFileSystem files;
  const auto store = create_store("a.zarr", kLayout, {false, &files});
  write_sample(*store);
  files.make_directory("a.zarr");
  put(files, "a.zarr/thesis.txt", "came meanwhile");
  EXPECT_THROW(store->commit(Graph(), {}), Error);
  EXPECT_EQ(files.contents().at("a.zarr/thesis.txt"), "came meanwhile");
}

TEST(Zarr, ReplacesAnEmptyDirectoryAndResultsOfAnyVersion) {
  MemoryFileSystem files;
  files.make_directory("a.zarr");
  write(files, "a.zarr/");
  EXPECT_TRUE(holds_sample(*open_store("a.zarr/", Semiring::min_plus, &files)));
  nlohmann::json document = nlohmann::json::parse(files.contents().at("a.zarr/zarr.json"));
  document["attributes"]["apsp"]["format_version"] = 99;
  put(files, "a.zarr/zarr.json", document.dump());
  EXPECT_THROW(open_store("a.zarr", Semiring::min_plus, &files), Error);
  write(files, "a.zarr");
  EXPECT_TRUE(holds_sample(*open_store("a.zarr", Semiring::min_plus, &files)));
  EXPECT_THAT(files.list("."), ElementsAre("a.zarr"));
}

TEST(Zarr, AChunkIsItsValuesAndTheirChecksum) {
  MemoryFileSystem files;
  write(files, "a.zarr");
  // The last tile has one value; "no path" fills the remainder.
  const std::array<std::int32_t, 4> values = {
      sample_distance<semiring::MinPlus<std::int32_t>>(4, 4), (1 << 30) - 1, (1 << 30) - 1,
      (1 << 30) - 1};
  std::string expected(reinterpret_cast<const char*>(values.data()), sizeof(values));
  const std::uint32_t crc = crc32c(std::as_bytes(std::span(values)));
  expected.append(reinterpret_cast<const char*>(&crc), sizeof(crc));
  EXPECT_EQ(files.contents().at("a.zarr/distance/c/2/2"), expected);
}

TEST(Zarr, SmallMatricesHaveOneSmallChunk) {
  MemoryFileSystem files;
  write(files, "a.zarr", {3, ValueType::u16, Semiring::min_plus, 1024, {Plane::distance}});
  EXPECT_EQ(files.contents().at("a.zarr/distance/c/0/0").size(), 3 * 3 * 2 + 4u);
  EXPECT_EQ(open_store("a.zarr", Semiring::min_plus, &files)->layout().tile, 3);
}

TEST(Zarr, ATileMayBeWrittenAnewAfterItWasRead) {
  MemoryFileSystem files;
  const auto store = create_store("a.zarr", kLayout, {false, &files});
  for (const std::int32_t value : {1, 2}) {
    const std::vector<std::int32_t> values(4, value);
    store->write(Plane::distance, {0, 0, 2, 2}, values.data(), 2);
    std::int32_t back = 0;
    store->read(Plane::distance, {1, 1, 1, 1}, &back, 1);
    EXPECT_EQ(back, value);
  }
}

TEST(Zarr, SingleRowsDecodeAChunkOnce) {
  MemoryFileSystem files;
  write(files, "a.zarr");
  const auto store = open_store("a.zarr", Semiring::min_plus, &files);
  read_block(*store, Plane::distance, {0, 0, 1, 5}, 5);
  files.remove_all("a.zarr/distance/c/0/1");
  EXPECT_EQ(read_block(*store, Plane::distance, {1, 0, 1, 5}, 5),
            sample_block(kLayout, Plane::distance, {1, 0, 1, 5}, 5));
}

TEST(ZarrOfTheOperatingSystem, FollowsASymbolicLinkAndMakesNothingElse) {
  const TemporaryFolder directory;
  std::filesystem::create_directory(directory / "far");
  write(posix_file_system(), directory / "far/real.zarr");
  std::filesystem::create_directory_symlink(directory / "far/real.zarr", directory / "link.zarr");
  Layout larger = kLayout;
  larger.n = 6;
  write(posix_file_system(), directory / "link.zarr", larger);
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link.zarr"));
  EXPECT_EQ(open_store(directory / "far/real.zarr")->layout().n, 6);
  EXPECT_THAT(posix_file_system().list(directory.path()), ElementsAre("far", "link.zarr"));
  EXPECT_THAT(posix_file_system().list(directory / "far"), ElementsAre("real.zarr"));
}

}  // namespace
}  // namespace apsp::store::zarr_store_test
