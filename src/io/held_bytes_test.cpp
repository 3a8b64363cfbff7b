// The memory or mapping of an input's bytes, and facts from its first bytes.
#include "io/held_bytes.hpp"

#include "io/npy.hpp"
#include "support/graph_text.hpp"
#include "support/test.hpp"

namespace apsp::io::held_bytes_test {
namespace {

constexpr std::size_t kAll = ~std::size_t{0};

void add(StreamedBytes& stream, std::string_view text) {
  std::memcpy(stream.spare(text.size()).data(), text.data(), text.size());
  stream.added(text.size());
}

std::string text_of(const HeldBytes& held) { return {held.bytes.data(), held.bytes.size()}; }

TEST(StreamedBytes, AreTheSameInMemoryAndInAFile) {
  for (const std::size_t most : {std::size_t{0}, std::size_t{1000}, std::size_t{3} << 20, kAll}) {
    StreamedBytes stream({}, most);
    std::string all;
    for (int i = 0; i < 40000; ++i) {
      add(stream, std::to_string(i));
      all += std::to_string(i);
    }
    HeldBytes held = stream.finish();
    EXPECT_EQ(text_of(held), all);
    EXPECT_EQ(held.mapped, most < all.size());
    if (!held.mapped) {
      EXPECT_EQ(held.memory, std::ssize(all));
    }
  }
  StreamedBytes empty;
  EXPECT_TRUE(empty.finish().bytes.empty());
}

/// Names another folder for temporary files while it lives.
class TemporaryPlace {
 public:
  explicit TemporaryPlace(const char* folder) {
    if (const char* const caller = std::getenv("TMPDIR")) before_ = caller;
    ::setenv("TMPDIR", folder, 1);
  }
  TemporaryPlace(const TemporaryPlace&) = delete;
  ~TemporaryPlace() { before_ ? ::setenv("TMPDIR", before_->c_str(), 1) : ::unsetenv("TMPDIR"); }

 private:
  std::optional<std::string> before_{};
};

TEST(StreamedBytes, OutliveTheStreamAndLeaveNoFile) {
  const TemporaryFolder folder;
  const TemporaryPlace place(folder.path().c_str());
  HeldBytes held;
  {
    StreamedBytes stream({}, 4);
    add(stream, "longer than four");
    held = stream.finish();
    EXPECT_EQ(folder.entries(), 0);
  }
  EXPECT_EQ(text_of(held), "longer than four");
}

TEST(StreamedBytes, TemporaryFilesAreCountedAndLimited) {
  const TemporaryFolder folder;  // not a tmpfs
  const TemporaryPlace place(folder.path().c_str());
  begin_temporary_bytes();
  const std::int64_t before = temporary_bytes().now;
  {
    StreamedBytes stream({}, 4);
    add(stream, "longer than four");
    const HeldBytes held = stream.finish();
    EXPECT_EQ(temporary_bytes().now, before + (held.memory > 0 ? 0 : 16));
  }
  EXPECT_EQ(temporary_bytes().now, before);
  limit_temporary_bytes(before + 8);
  StreamedBytes stream({}, 4);
  if (temporary_bytes().most > before) {
    EXPECT_EQ(error_of([&] { add(stream, "longer than four"); }).kind(), ErrorKind::does_not_fit);
  }
  limit_temporary_bytes(0);
}

TEST(StreamedBytes, AFolderThatIsNotThereIsNamed) {
  const TemporaryPlace place("/no/such/folder");
  StreamedBytes stream({}, 4);
  const Error error = error_of([&] { add(stream, "longer than four"); });
  EXPECT_EQ(error.kind(), ErrorKind::input_output);
  EXPECT_THAT(error.what(), testing::HasSubstr("/no/such/folder"));
}

/// The argument of `on_header` as a text; "nothing" if it is not called.
std::string told(const std::string& name, std::string_view text) {
  std::string header = "nothing";
  ReadOptions options;
  options.on_header = [&](const GraphHeader& seen) {
    header = fmt::format("{} {} {}{}", apsp::name(seen.format), seen.vertices, seen.arcs,
                         seen.matrix ? " matrix" : "");
  };
  const TemporaryFolder folder;
  write_bytes(folder / name, text);
  try {
    read_graph(folder / name, options);
  } catch (const Error&) {
    // malformed files are asked as well
  }
  return header;
}

TEST(GraphHeader, IsToldOfEveryFormatThatHasOne) {
  EXPECT_EQ(told("a.npy", format_npy_header("<f4", 7, 7)), "numpy 7 0 matrix");
  EXPECT_EQ(told("a.npy", format_npy_header("<f4", 7, 8)), "nothing");
  EXPECT_EQ(told("a.mtx", "%%MatrixMarket matrix array real general\n% c\n3 3\n1\n"),
            "matrix-market 3 0 matrix");
  EXPECT_EQ(told("a.mtx", "%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n"),
            "matrix-market 3 4");
  EXPECT_EQ(told("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n"),
            "matrix-market 3 2");
  // Only the first bytes of a large file are present when its header is examined.
  EXPECT_EQ(told("a.mtx", "%%MatrixMarket matrix coordinate real general\n9000000 9000000 1\n" +
                              std::string(200'000, '\n')),
            "matrix-market 9000000 1");
  EXPECT_EQ(told("a.gr", "c a road\np sp 5 12\na 1 2 3\n"), "dimacs 5 12");
  EXPECT_EQ(told("a.graph", "% c\n5 6 001\n"), "metis 5 12");
  EXPECT_EQ(told("a.txt", "0 1 5\n"), "nothing");
  EXPECT_EQ(told("a.gr", "p sp 99999999999 1\n"), "nothing");
}

TEST(GraphHeader, IsToldBeforeTheRestIsRead) {
  const TemporaryFolder folder;
  const Graph graph = parse("# directed\n0 1 5\n1 0 4\n", "g.txt");
  ReadOptions refusing;
  refusing.on_header = [](const GraphHeader& header) {
    throw Error(ErrorKind::does_not_fit, std::to_string(header.vertices));
  };
  for (const char* name : {"m.npy", "m.npy.gz", "m.npy.zst", "m.gr", "m.mtx.gz"}) {
    write_graph(graph, folder / name);
    const Error error = error_of([&] { read_graph(folder / name, refusing); });
    EXPECT_EQ(error.kind(), ErrorKind::does_not_fit) << name;
    EXPECT_STREQ(error.what(), "2");
  }
}

TEST(MatrixFiles, StayWhereTheyAre) {
  const TemporaryFolder folder;
  const Graph graph = parse("# directed\n0 1 5\n1 0 4\n", "g.txt");
  write_graph(graph, folder / "m.npy");
  write_graph(graph, folder / "m.npy.gz");
  const Graph plain = read_graph(folder / "m.npy");
  ASSERT_NE(plain.matrix(), nullptr);
  EXPECT_TRUE(plain.matrix()->mapped);
  EXPECT_EQ(plain.matrix()->memory, 0);
  EXPECT_EQ(plain.memory_bytes(), 3 * 8);
  const Graph packed = read_graph(folder / "m.npy.gz");
  ASSERT_NE(packed.matrix(), nullptr);
  EXPECT_EQ(packed.matrix()->memory, 128 + 16);
  EXPECT_EQ(packed.digest(), graph.digest());
}

}  // namespace
}  // namespace apsp::io::held_bytes_test
