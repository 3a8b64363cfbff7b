// The operating system's files, and that every failure names its path.
#include "store/file_system.hpp"

#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::store::file_system_test {
namespace {

void put(const std::string& path, const std::string& content) {
  posix_file_system().write_atomically(path, std::as_bytes(std::span(content)));
}
std::string get(const std::string& path) { return posix_file_system().read_text(path); }

TEST(PosixFileSystem, WritesReadsAndRenames) {
  FileSystem& files = posix_file_system();
  const TemporaryFolder directory;
  files.make_directories(directory / "x/y/z");
  put(directory / "x/y/z/one", "eins");
  put(directory / "x/y/z/one", "uno");
  EXPECT_EQ(get(directory / "x/y/z/one"), "uno");
  files.rename(directory / "x/y/z/one", directory / "x/two");
  EXPECT_THAT(files.list(directory / "x"), ElementsAre("two", "y"));
  EXPECT_EQ(files.kind(directory / "x"), FileKind::directory);
  EXPECT_EQ(files.kind(directory / "x/two"), FileKind::file);
  EXPECT_EQ(files.kind(directory / "x/two/below"), FileKind::none);
  EXPECT_EQ(files.kind("/dev/null"), FileKind::other);
  files.sync_tree(directory.path());
  files.sync_names(directory.path());
  files.remove_all(directory / "x");
  files.remove_all(directory / "x");
  EXPECT_EQ(files.kind(directory / "x"), FileKind::none);
}

TEST(PosixFileSystem, WritesAnywhereInAFile) {
  const TemporaryFolder directory;
  const auto file = posix_file_system().create(directory / "f");
  file->reserve(6);
  file->write(4, std::as_bytes(std::span("ef", 2)));
  file->write(0, std::as_bytes(std::span("ab", 2)));
  file->sync();
  file->close();
  EXPECT_EQ(get(directory / "f"), std::string("ab\0\0ef", 6));
}

TEST(PosixFileSystem, WritesAndReadsRowsThatAreApartInMemory) {
  const TemporaryFolder directory;
  // Rows of one byte, more than a call takes; rows that fill a piece; one larger than a piece.
  struct Shape {
    std::int64_t rows, row_bytes, stride;
  };
  int serial = 0;
  for (const Shape shape :
       {Shape{3000, 1, 3}, Shape{2500, 1000, 1001}, Shape{3, 700'001, 700'100},
        Shape{2, 3'000'000, 3'000'001}, Shape{5, 64, 64}, Shape{0, 4, 4}, Shape{4, 0, 4}}) {
    std::string memory(static_cast<std::size_t>(shape.rows * shape.stride), ' ');
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<char>(i * i % 251);
    std::string expected = "head";
    for (std::int64_t i = 0; i < shape.rows; ++i) {
      expected += memory.substr(static_cast<std::size_t>(i * shape.stride),
                                static_cast<std::size_t>(shape.row_bytes));
    }
    const std::string path = directory / std::to_string(serial++);
    const auto file = posix_file_system().create(path);
    file->write(0, std::as_bytes(std::span("head", 4)));
    file->write_rows(4, std::as_bytes(std::span(memory)).data(), shape.stride, shape.row_bytes,
                     shape.rows);
    file->close();
    EXPECT_TRUE(get(path) == expected) << shape.rows << " × " << shape.row_bytes;
    std::string read(memory.size(), ' ');
    posix_file_system().open(path)->read_rows(4, std::as_writable_bytes(std::span(read)).data(),
                                              shape.stride, shape.row_bytes, shape.rows);
    for (std::size_t i = 0; i < read.size(); ++i) {
      const bool in_row = static_cast<std::int64_t>(i) % shape.stride < shape.row_bytes;
      ASSERT_EQ(read[i], in_row ? memory[i] : ' ') << i;
    }
  }
}

TEST(PosixFileSystem, ExchangesDirectories) {
  const TemporaryFolder directory;
  posix_file_system().make_directory(directory / "a");
  posix_file_system().make_directory(directory / "b");
  put(directory / "a/from", "a");
  put(directory / "b/from", "b");
  posix_file_system().exchange(directory / "a", directory / "b");
  EXPECT_EQ(get(directory / "a/from"), "b");
  EXPECT_EQ(get(directory / "b/from"), "a");
}

TEST(PosixFileSystem, EveryFailureNamesItsPath) {
  FileSystem& files = posix_file_system();
  const TemporaryFolder directory;
  const std::string nothing = directory / "nothing/here";
  put(directory / "file", "12345678");
  for (const auto& call : std::vector<std::function<void()>>{
           [&] { files.open(nothing); }, [&] { files.list(nothing); },
           [&] { files.create(nothing); }, [&] { files.make_directory(nothing); },
           [&] { files.rename(directory / "file", nothing); },
           [&] { files.exchange(directory / "file", nothing); }, [&] { files.sync_tree(nothing); },
           [&] { files.sync_names(nothing); }, [&] { put(nothing, ""); }}) {
    EXPECT_ERROR(input_output, call());
  }
  std::filesystem::create_symlink("loop", directory / "loop");
  EXPECT_THROW(files.resolve(directory / "loop"), Error);
  EXPECT_THROW(files.open(directory.path()), Error) << "a directory";
  EXPECT_THROW(files.create(directory / "file"), Error) << "stands there";
  std::byte bytes[9];
  EXPECT_THROW(files.open(directory / "file")->read(0, bytes), Error) << "ends before";
}

TEST(FileSystem, AFullDiskSaysWhatToDo) {
  for (const int number : {ENOSPC, EDQUOT}) {
    const Error error = system_error("a/b", number);
    EXPECT_EQ(error.kind(), ErrorKind::input_output);
  }
}

TEST(FileSystem, NamesAndParents) {
  EXPECT_EQ(parent_of("a"), ".");
  EXPECT_EQ(parent_of("/a"), "/");
  EXPECT_EQ(parent_of("a/b"), "a");
  EXPECT_EQ(name_of("a"), "a");
  EXPECT_EQ(name_of("/a/b"), "b");
  EXPECT_EQ(join(".", "a"), "a");
  EXPECT_EQ(join("/", "a"), "/a");
  EXPECT_EQ(join("b", "a"), "b/a");
}

/// Whether the system can, what comes after whole blocks, and memory that lies anywhere: the file
/// holds the same.
TEST(PosixFileSystem, WritesTheSamePastTheCache) {
  const TemporaryFolder folder;
  system::AlignedMemory memory(3 * 4096 + 100);
  for (std::int64_t i = 0; i < memory.bytes(); ++i) {
    memory.data()[i] = static_cast<std::byte>(i * 7 % 251);
  }
  for (const std::size_t skipped : {0, 8, 4096}) {
    for (const std::size_t size : {0, 4, 4096, 4100, 8192, 8196}) {
      const std::span<const std::byte> bytes(memory.data() + skipped, size);
      const std::string path = folder / "past";
      posix_file_system().write_atomically(path, bytes, true);
      const std::string found = posix_file_system().read_text(path);
      ASSERT_EQ(found.size(), size);
      EXPECT_EQ(std::memcmp(found.data(), bytes.data(), size), 0) << skipped << ", " << size;
      posix_file_system().remove_all(path);
    }
  }
}

}  // namespace
}  // namespace apsp::store::file_system_test
