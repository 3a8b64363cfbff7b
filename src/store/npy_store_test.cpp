// The bytes of an .npy, and what is refused as one.
#include "io/npy.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"

namespace apsp::store::npy_store_test {
namespace {

class Npy : public testing::Test {
 protected:
  void put(const std::string& content) {
    files_.remove_all("a.npy");
    files_.write_atomically("a.npy", std::as_bytes(std::span(content)));
  }
  void open(Semiring semiring = Semiring::min_plus) { open_store("a.npy", semiring, &files_); }
  /// The file that the input error names.
  std::string failure() {
    const Error error = error_of([&] { open(); });
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.location().file;
  }

  MemoryFileSystem files_;
};

TEST_F(Npy, IsHeaderAndRowsAndNothingElse) {
  const Layout layout{5, ValueType::i32, Semiring::min_plus, 2, {Plane::distance}};
  const auto store = create_store("a.npy", layout, {false, &files_});
  write_sample(*store);
  store->commit(Graph(), {});
  const std::string content = files_.contents().at("a.npy");
  const std::string header = io::format_npy_header("<i4", 5, 5);
  EXPECT_EQ(header.size() % 64, 0u);
  EXPECT_EQ(content.substr(0, header.size()), header);
  const auto values = sample_block(layout, Plane::distance, whole(layout), 5);
  ASSERT_EQ(content.size(), header.size() + values.size());
  EXPECT_EQ(std::memcmp(content.data() + header.size(), values.data(), values.size()), 0);
}

TEST_F(Npy, OnlySquareMatricesOfKnownTypes) {
  const std::string zeros(1 << 10, '\0');
  const auto with = [&](const std::string& descr, const std::string& order,
                        const std::string& shape) {
    std::string text =
        "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': (" + shape + "), }\n";
    const char size = static_cast<char>(text.size());
    return std::string("\x93NUMPY\x01\x00", 8) + size + '\0' + text;
  };
  put(with("<f4", "False", "2, 2") + zeros.substr(0, 16));
  EXPECT_NO_THROW(open());
  put(with("<f4", "True", "2, 2") + zeros.substr(0, 16));  // Fortran order
  EXPECT_EQ(failure(), "a.npy");
  for (const auto& [shape, bytes] : {std::pair("2, 3", 24),
                                     {"4,", 16},
                                     {"1, 1, 1", 4},
                                     {"2, 2", 0},
                                     {"2, 2", 15},
                                     {"2, 2", 17},
                                     {"2, 2", 32}}) {
    put(with("<f4", "False", shape) + zeros.substr(0, static_cast<std::size_t>(bytes)));
    EXPECT_EQ(failure(), "a.npy") << shape << " in " << bytes;
  }
  for (const char* descr : {"<i8", "<f2", "<u4", "<i2", "|i1", "|u1", "<c8", ">f4", "|O8"}) {
    put(with(descr, "False", "2, 2") + zeros);
    EXPECT_EQ(failure(), "a.npy") << descr;
  }
  for (const std::string side : {"4294967295", "4294967296", "9223372036854775807"}) {
    put(with("<f8", "False", side + ", " + side) + zeros);
    EXPECT_EQ(failure(), "a.npy") << side;
  }
  for (const std::string& garbage : {std::string(), std::string("\x93NUM"), zeros}) {
    put(garbage);
    EXPECT_EQ(failure(), "a.npy");
  }
}

TEST_F(Npy, TheSemiringIsTheCallersButBooleansAreReachability) {
  const Layout layout{3, ValueType::boolean, Semiring::or_and, 2, {Plane::distance}};
  auto store = create_store("a.npy", layout, {false, &files_});
  write_sample(*store);
  store->commit(Graph(), {});
  EXPECT_EQ(open_store("a.npy", Semiring::min_plus, &files_)->layout().semiring, Semiring::or_and);

  store = create_store("a.npy", {3, ValueType::u16, Semiring::min_max, 2, {Plane::distance}},
                       {false, &files_});
  write_sample(*store);
  store->commit(Graph(), {});
  EXPECT_EQ(open_store("a.npy", Semiring::max_min, &files_)->layout().semiring, Semiring::max_min);
  EXPECT_ERROR(usage, open(Semiring::max_plus));
}

TEST_F(Npy, ReplacesAFileButNoDirectory) {
  const Layout layout{3, ValueType::f32, Semiring::min_plus, 2, {Plane::distance}};
  files_.make_directory("b.npy");
  EXPECT_THROW(create_store("b.npy", layout, {false, &files_}), Error);
  put("something old");
  const auto store = create_store("a.npy", layout, {false, &files_});
  write_sample(*store);
  EXPECT_EQ(files_.contents().at("a.npy"), "something old");
  store->commit(Graph(), {});
  EXPECT_NO_THROW(open());
}

TEST(NpyOfTheOperatingSystem, FollowsASymbolicLink) {
  const TemporaryFolder directory;
  std::filesystem::create_directory(directory / "far");
  std::filesystem::create_symlink(directory / "far/real.npy", directory / "link.npy");
  const auto store = create_store(directory / "link.npy",
                                  {3, ValueType::f64, Semiring::min_plus, 2, {Plane::distance}});
  write_sample(*store);
  store->commit(Graph(), {});
  EXPECT_TRUE(std::filesystem::is_symlink(directory / "link.npy"));
  EXPECT_TRUE(std::filesystem::is_regular_file(directory / "far/real.npy"));
  EXPECT_TRUE(holds_sample(*open_store(directory / "link.npy")));
}

}  // namespace
}  // namespace apsp::store::npy_store_test
