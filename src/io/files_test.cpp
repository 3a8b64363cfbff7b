// Bytes in and out: compression, recognition, standard input, and files that are complete or
// absent.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/formats.hpp"
#include "support/graph_text.hpp"
#include "support/recorded_progress.hpp"
#include "support/test.hpp"

namespace apsp::io::files_test {
namespace {

std::string packed(const std::string& text, Compression compression) {
  std::string out;
  const auto sink = [&](std::span<const char> bytes) { out.append(bytes.data(), bytes.size()); };
  make_compressor(compression)({text.data(), text.size()}, true, sink);
  return out;
}

class Archives : public testing::TestWithParam<Compression> {};

TEST_P(Archives, AreUnpackedByTheirMagicBytes) {
  std::string text;
  for (int i = 0; i < 100000; ++i) text += fmt::format("{} {}\n", i, (i * 31) % 100000);
  const Graph graph = parse(text, "e.txt");
  EXPECT_EQ(parse(packed(text, GetParam()), "e.txt").digest(), graph.digest());
  // Two archives in a row are one text; so are texts whose size is a multiple of the buffer's.
  const std::string half = text.substr(0, text.find('\n', text.size() / 2) + 1);
  EXPECT_EQ(parse(packed(half, GetParam()) + packed(text.substr(half.size()), GetParam()), "e.txt")
                .digest(),
            graph.digest());
  const std::string page = "0 1\n" + std::string((std::size_t{1} << 20) - 4, '\n');
  EXPECT_EQ(parse(packed(page, GetParam()), "e.txt").edge_count(), 1);
}

TEST_P(Archives, TruncatedOrCorruptOnesAreErrors) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += fmt::format("{} {}\n", i, (i * 7919) % 20000);
  const std::string archive = packed(text, GetParam());
  for (const std::size_t size : {std::size_t{4}, archive.size() / 2, archive.size() - 1}) {
    EXPECT_THAT(failure(archive.substr(0, size), "e.gz"), EndsWith("archive is truncated"));
  }
  std::string corrupt = archive;
  corrupt[archive.size() / 2] = static_cast<char>(corrupt[archive.size() / 2] ^ 0x55);
  EXPECT_THAT(failure(corrupt, "e.gz"), HasSubstr("archive is corrupt"));
  EXPECT_THAT(failure(archive + "rubbish", "e.gz"), StartsWith("e.gz: the "));
  EXPECT_EQ(failure(packed("", GetParam()), "e.gz"), "e.gz: the file is empty");
}

/// A zstd archive of a kilobyte can hold gigabytes; those of gzip at most 1032 times their size.
TEST(Bombs, AnArchiveThatWouldFillTheDiskIsAnError) {
  constexpr std::uint64_t kFree = 1 << 20;
  const std::string bomb = packed(std::string(std::size_t{16} << 20, '\n'), Compression::zstd);
  ASSERT_LT(bomb.size(), std::size_t{20'000});
  StreamedBytes out;
  const Error error = error_of([&] { decompress(bomb, "bomb.zst", {}, out, kFree); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_EQ(error.what(),
            std::string("bomb.zst: the archive unpacks to more than 1100 times its size; unpack it "
                        "first, if that is meant"));
  EXPECT_THAT(failure(bomb, "e.zst"), HasSubstr("has no edges")) << "so much is nobody's harm";
}

INSTANTIATE_TEST_SUITE_P(Kinds, Archives, testing::Values(Compression::gzip, Compression::zstd),
                         [](const auto& kind) { return testing::PrintToString(kind.param); });

TEST(Archives, GzipMayBePaddedWithZeros) {
  const std::string padded = packed("0 1\n", Compression::gzip) + std::string(512, '\0');
  EXPECT_EQ(parse(padded, "e.txt").edge_count(), 1);
}

GraphFormat recognised(std::string_view text, std::string_view file) {
  return recognise({text.data(), text.size()}, file);
}

TEST(ReadGraph, KeepsTheOrderOfParallelArcsWhereThatIsAsked) {
  struct File {
    const char* name;
    std::string text;
  };
  const File files[] = {{"a.csv", "1,2,9\n2,3,1\n1,2,4\n1,2,6\n"},
                        {"b.csv", "x,y,9\ny,z,1\nx,y,4\nx,y,6\n"},
                        {"c.txt", "10 20 9\n20 30 1\n# more\n10 20 4\n10 20 6\n"},
                        {"d.gr", "p sp 3 4\na 1 2 9\na 2 3 1\na 1 2 4\na 1 2 6\n"}};
  for (const File& file : files) {
    SCOPED_TRACE(file.name);
    ReadOptions options;
    options.keep_order = true;
    const Graph graph = parse_graph({file.text.data(), file.text.size()}, file.name, options);
    EXPECT_TRUE(graph.knows_given_order());
    EXPECT_EQ(graph.weights_as_given(0, 1), (std::vector<double>{9, 4, 6}));
    options.keep_order = false;
    EXPECT_FALSE(
        parse_graph({file.text.data(), file.text.size()}, file.name, options).knows_given_order());
  }
}

TEST(Recognition, ContentComesBeforeTheSuffix) {
  EXPECT_EQ(recognised("%%matrixMARKET matrix", "x.txt"), GraphFormat::matrix_market);
  EXPECT_EQ(recognised("c words\nc\n\np sp 1 0\n", "x.txt"), GraphFormat::dimacs);
  EXPECT_EQ(recognised("p  sp\t1 0\n", "x"), GraphFormat::dimacs);
  EXPECT_EQ(recognised("# words\n1|2|-1\n", "x.txt"), GraphFormat::as_rel);
  EXPECT_EQ(recognised("1|2|0|bgp\r\n", "x.graph"), GraphFormat::as_rel);
  EXPECT_EQ(recognised("\x93NUMPY", "x.txt"), GraphFormat::numpy);
}

TEST(Recognition, SuffixesDecideAmongNumbers) {
  EXPECT_EQ(recognised("2 1\n2\n1\n", "x.graph"), GraphFormat::metis);
  EXPECT_EQ(recognised("2 1\n2\n1\n", "x.METIS.zst"), GraphFormat::metis);
  for (const char* file : {"x.txt", "x.csv.gz", "x.TSV", "x.el", "x.edges", "x.cedge", "x", ""}) {
    EXPECT_EQ(recognised("2 1\n2 1\n", file), GraphFormat::edge_list) << file;
  }
  EXPECT_EQ(recognised("1 1 0\n", "x.mtx"), GraphFormat::matrix_market);
  EXPECT_EQ(recognised("1 1 0\n", "x.gr"), GraphFormat::dimacs);
  EXPECT_EQ(recognised("cat dog\np sp\n", "x"), GraphFormat::edge_list);
  EXPECT_EQ(recognised("1|2|3 4\n", "x"), GraphFormat::edge_list);
  EXPECT_EQ(recognised("1|2|0 4\n", "x"), GraphFormat::edge_list);
}

TEST(Recognition, BytesThatAreNoTextAreRefused) {
  EXPECT_THAT(failure(std::string("\x7F"
                                  "ELF\0\0\1",
                                  7),
                      "a.out"),
              HasSubstr("known format"));
}

TEST(Formats, HaveNames) {
  for (const char* text : {"matrix-market", "dimacs", "edge-list", "metis", "as-rel", "numpy"}) {
    ASSERT_TRUE(parse_graph_format(text).has_value()) << text;
    EXPECT_EQ(name(*parse_graph_format(text)), text);
  }
  EXPECT_EQ(parse_graph_format("gexf"), std::nullopt);
}

TEST(InputFiles, MissingFilesAndFoldersAreSystemErrors) {
  EXPECT_ERROR(input_output, read_graph("/nonexistent/x.gr"));
  EXPECT_EQ(error_of([] { read_graph("/"); }).kind(), ErrorKind::input_output);
  EXPECT_ERROR(input, read_graph("/dev/null"));
}

TEST(InputFiles, StandardInputIsReadToItsEnd) {
  const TemporaryFolder folder;
  write_bytes(folder / "in", packed("0 1\n1 2\nx", Compression::gzip));
  const int saved = ::dup(STDIN_FILENO);
  const int file = ::open((folder / "in").c_str(), O_RDONLY);
  ::dup2(file, STDIN_FILENO);
  EXPECT_EQ(error_of([] { read_graph("-"); }).location().line, 3);
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
  ::close(file);
}

const Graph& small_graph() {
  static const Graph graph = parse("0 1 5\n1 2 7\n", "e.txt");
  return graph;
}

TEST(OutputFiles, ReplaceTheOldOneWhenComplete) {
  const TemporaryFolder folder;
  const std::string path = folder / "g.mtx";
  write_bytes(path, "old");
  write_graph(small_graph(), path);
  EXPECT_THAT(read_bytes(path), StartsWith("%%MatrixMarket"));
  EXPECT_EQ(folder.entries(), 1);
}

TEST(OutputFiles, AFailureLeavesTheOldOneAlone) {
  const TemporaryFolder folder;
  const std::string path = folder / "g.graph";
  write_bytes(path, "old");
  const Graph directed = parse("# directed\n0 1\n", "e.txt");
  EXPECT_EQ(error_of([&] { write_graph(directed, path); }).kind(), ErrorKind::usage);
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.entries(), 1);
  EXPECT_EQ(error_of([&] { write_graph(small_graph(), folder / "no/g.gr"); }).kind(),
            ErrorKind::input_output);
  const std::string too_long = folder / (std::string(300, 'a') + ".gr");
  EXPECT_EQ(error_of([&] { write_graph(small_graph(), too_long); }).kind(),
            ErrorKind::input_output);
  std::filesystem::create_directory(folder / "d.gr");
  EXPECT_EQ(error_of([&] { write_graph(small_graph(), folder / "d.gr"); }).kind(),
            ErrorKind::input_output);
}

Graph long_path() {
  constexpr Vertex kVertices = 60000;  // hundreds of KiB in every format but one
  GraphBuilder builder(kVertices, false);
  for (Vertex v = 0; v + 1 < kVertices; ++v) builder.add_edge(v, v + 1, 2);
  return std::move(builder).build();
}

TEST(OutputFiles, AnInterruptionLeavesTheOldOneAlone) {
  const Graph graph = long_path();
  for (const char* name : {"g.mtx", "g.gr", "g.txt", "g.graph", "g.mtx.gz", "g.npy"}) {
    const TemporaryFolder folder;
    const std::string path = folder / name;
    write_bytes(path, "old");
    RecordedProgress watcher;
    watcher.cancel_when = [&] { return watcher.reports == 3; };
    const Control control{&watcher, &watcher.cancellation};
    EXPECT_EQ(error_of([&] { write_graph(graph, path, std::nullopt, control); }).kind(),
              ErrorKind::interrupted)
        << name;
    EXPECT_EQ(read_bytes(path), "old");
    EXPECT_EQ(folder.entries(), 1);
    EXPECT_EQ(watcher.ended, 1);
  }
}

TEST(OutputFiles, ProgressEndsAtTheLastRow) {
  const Graph graph = long_path();
  for (const char* name : {"g.mtx", "g.gr", "g.txt", "g.graph"}) {
    const TemporaryFolder folder;
    RecordedProgress watcher;
    write_graph(graph, folder / name, std::nullopt, {&watcher, nullptr});
    EXPECT_EQ(watcher.total, 60000);
    EXPECT_EQ(watcher.done, 60000) << name;
  }
}

TEST(OutputFiles, ReadOnlyFoldersAreSystemErrors) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anywhere";
  const TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0500);
  EXPECT_EQ(error_of([&] { write_graph(small_graph(), folder / "g.gr"); }).kind(),
            ErrorKind::input_output);
  ::chmod(folder.path().c_str(), 0700);
}

TEST(OutputFiles, AFullDiskLeavesTheOldOneAlone) {
  const TemporaryFolder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "no right to mount a small tmpfs";
  }
  const std::string path = folder / "g.txt";
  write_bytes(path, "old");
  std::string text;
  for (int i = 0; i < 30000; ++i) text += fmt::format("{} {}\n", i, (i + 1) % 30000);
  EXPECT_ERROR(input_output, write_graph(parse(text, "e.txt"), path));
  EXPECT_EQ(read_bytes(path), "old");
  EXPECT_EQ(folder.entries(), 1);
  ::umount(folder.path().c_str());
}

TEST(OutputFiles, FullDevicesAreErrorsAndStayDevices) {
  EXPECT_EQ(error_of([] { write_graph(small_graph(), "/dev/full", GraphFormat::dimacs); }).kind(),
            ErrorKind::input_output);
  EXPECT_NO_THROW(write_graph(small_graph(), "/dev/null", GraphFormat::dimacs));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFiles, LinksStayLinks) {
  const TemporaryFolder folder;
  write_bytes(folder / "target.gr", "old");
  std::filesystem::create_symlink("target.gr", folder / "link.gr");
  write_graph(small_graph(), folder / "link.gr");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.gr"));
  EXPECT_EQ(read_graph(folder / "target.gr", {.directed = true}).arc_count(), 4);
}

TEST(Reading, TellsItsProgress) {
  // The second text is read twice, because its last row is not integers.
  for (const char* last : {"0 1\n", "a b\n"}) {
    std::string text;
    while (text.size() < std::size_t{9} << 20) text += "0 1\n1 2\n2 3\n3 4\n";
    text += last;
    RecordedProgress progress;
    parse(text, "e.txt", {.control = {&progress, nullptr}});
    EXPECT_EQ(progress.task, "read");
    EXPECT_EQ(progress.unit, "byte");
    EXPECT_EQ(progress.total, static_cast<double>(text.size()));
    EXPECT_TRUE(progress.ascending && progress.complete());
  }
}

TEST(Reading, StopsWhenAskedTo) {
  Cancellation cancellation;
  cancellation.request();
  const ReadOptions options = {.control = {nullptr, &cancellation}};
  const std::string matrix = packed("0 1\n", Compression::gzip);
  for (const std::string& text : {std::string("0 1\n"), matrix}) {
    EXPECT_EQ(error_of([&] { parse(text, "e.txt", options); }).kind(), ErrorKind::interrupted);
  }
}

// Archives of xz, bzip2 and ZIP, which are only read.
std::string bytes_of(std::string_view hexadecimal) {
  std::string bytes;
  for (std::size_t i = 0; i < hexadecimal.size(); i += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hexadecimal.substr(i, 2)), nullptr, 16));
  }
  return bytes;
}

// "0 1\n1 2\n", packed.
const std::string kXz = bytes_of(
    "fd377a585a000004e6d6b4460200210116000000742fe5a30100073020310a3120320a00a7408506e084aa34000120"
    "08bb19d9bb1fb6f37d010000000004595a");
const std::string kBzip2 = bytes_of(
    "425a6839314159265359ffa0410000000258000010400070002000221e8d0668152a185dc914e14243fe810400");
const std::string kStored = bytes_of(
    "504b0304140000000000000021006a1dbbd7080000000800000005000000652e7478743020310a3120320a504b0102"
    "1403140000000000000021006a1dbbd70800000008000000050000000000000000000000800100000000652e747874"
    "504b05060000000001000100330000002b0000000000");
// A folder "d", "d/e.graph" of "2 1\n2\n1\n", and what macOS adds.
const std::string kInFolder = bytes_of(
    "504b03041400000008000000210000000000020000000000000002000000642f0300504b0304140000000800000021"
    "000c25dc990a0000000800000009000000642f652e6772617068335230e432e232e40200504b030414000000080000"
    "0021008316dc8c03000000010000000e0000005f5f4d41434f53582f642f2e5f65ab0000504b010214031400000008"
    "0000002100000000000200000000000000020000000000000000000000800100000000642f504b0102140314000000"
    "0800000021000c25dc990a00000008000000090000000000000000000000800122000000642f652e6772617068504b"
    "01021403140000000800000021008316dc8c03000000010000000e00000000000000000000008001530000005f5f4d"
    "41434f53582f642f2e5f65504b05060000000003000300a3000000820000000000");
const std::string kTwo = bytes_of(
    "504b0304140000000800000021006a1dbbd70a0000000800000005000000612e747874335030e4325430e20200504b"
    "0304140000000800000021006a1dbbd70a0000000800000005000000622e747874335030e4325430e20200504b0102"
    "1403140000000800000021006a1dbbd70a00000008000000050000000000000000000000800100000000612e747874"
    "504b01021403140000000800000021006a1dbbd70a000000080000000500000000000000000000008001"
    "2d000000622e747874504b05060000000002000200660000005a0000000000");

TEST(PackedTexts, OfXzAndBzip2AreUnpacked) {
  for (const std::string& archive : {kXz, kBzip2}) {
    EXPECT_EQ(describe(parse(archive, "e.txt")), "undirected 0-1:1 1-2:1");
    EXPECT_EQ(describe(parse(archive + archive, "e.txt")), "undirected 0-1:1 0-1:1 1-2:1 1-2:1");
    EXPECT_EQ(parse(archive + std::string(512, '\0'), "e.txt").edge_count(), 2);
    EXPECT_THAT(failure(archive.substr(0, archive.size() - 3), "e.txt"), HasSubstr("is truncated"));
    EXPECT_THAT(failure(archive + "rubbish", "e.txt"), HasSubstr("is followed by other bytes"));
    std::string corrupt = archive;
    corrupt[archive.size() / 2] = static_cast<char>(corrupt[archive.size() / 2] ^ 0x55);
    EXPECT_THAT(failure(corrupt, "e.txt"), HasSubstr("is corrupt"));
  }
  EXPECT_EQ(parse("BZh BZi\n", "e.txt").vertex_count(), 2) << "a name";
}

TEST(PackedTexts, OfZipHaveTheNameOfTheirMember) {
  EXPECT_EQ(describe(parse(kStored, "e.zip")), "undirected 0-1:1 1-2:1");
  const Graph graph = parse(kInFolder, "e.zip");
  EXPECT_EQ(describe(graph), "undirected 0-1:1") << "METIS, by the member's suffix";
  EXPECT_EQ(recognise({}, "mesh.graph.xz"), GraphFormat::metis);
  std::string text = kStored;
  text.replace(text.find("0 1\n"), 4, "0 x\n");
  EXPECT_THAT(failure(text, "e.zip"), HasSubstr("its checksum does not match"));
}

TEST(PackedTexts, OfZipWithSeveralFilesAreRefused) {
  EXPECT_THAT(failure(kTwo, "e.zip"), HasSubstr("holds 2 files"));
  EXPECT_THAT(failure(kTwo, "e.zip"), HasSubstr("a.txt, b.txt"));
}

/// Sets every size and offset of an archive to another value.
TEST(PackedTexts, OfZipMayClaimAnything) {
  for (const std::string& archive : {kStored, kInFolder, kTwo}) {
    for (std::size_t at = 4; at + 4 <= archive.size(); ++at) {
      for (const char claim : {'\xFF', '\x7F', '\0'}) {
        std::string changed = archive;
        changed.replace(at, 4, 4, claim);
        try {
          parse(changed, "e.zip");
        } catch (const Error& error) {
          EXPECT_EQ(error.kind(), ErrorKind::input) << error.what();
        }
      }
    }
  }
}

struct TwoGraphs {
  TemporaryFolder folder;
  std::string first = folder / "a.gr", second = folder / "b.gr";

  TwoGraphs() {
    write_bytes(first, "p sp 0 0\n");
    write_bytes(second, "p sp 0 0\n");
  }
  void allow(const std::string& output) const {
    EXPECT_NO_THROW(require_apart(output, std::vector{first, second})) << output;
  }
  std::string refusal(const std::string& output) const {
    const Error error = error_of([&] { require_apart(output, std::vector{first, second}); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
};

TEST(Apart, AllowsWhatIsNotRead) {
  const TwoGraphs of;
  write_bytes(of.folder / "c.gr", "p sp 0 0\n");
  for (const std::string& output :
       {of.folder / "c.gr", of.folder / "new.zarr", of.folder / "not/there/x.npy", std::string(),
        std::string("-")}) {
    of.allow(output);
  }
}

TEST(Apart, RefusesAnInputByALinkOrAHardLink) {
  const TwoGraphs of;
  std::filesystem::create_symlink(of.first, of.folder / "link.gr");
  std::filesystem::create_hard_link(of.first, of.folder / "hard.gr");
  std::filesystem::create_directory_symlink(of.folder.path(), of.folder / "here");
  for (const char* const name : {"link.gr", "hard.gr", "here/a.gr", "here/hard.gr"}) {
    EXPECT_THAT(of.refusal(of.folder / name), StartsWith(of.folder / name)) << name;
  }
  EXPECT_THROW(require_apart(of.first, std::vector{of.folder / "link.gr"}), Error);
}

TEST(Apart, RefusesAPlaceInsideOfAnInputAndAFolderAroundOne) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "r.zarr/graph");
  write_bytes(folder / "r.zarr/g.gr", "p sp 0 0\n");
  const std::vector<std::string> store = {folder / "r.zarr"}, file = {folder / "r.zarr/g.gr"};
  const auto refuses = [](const std::string& output, const std::vector<std::string>& inputs) {
    return std::string(error_of([&] { require_apart(output, inputs); }).what());
  };
  EXPECT_THAT(refuses(folder / "r.zarr/x.npy", store), HasSubstr("x.npy lies in "));
  EXPECT_THAT(refuses(folder / "r.zarr/new/x.npy", store), HasSubstr("x.npy lies in "));
  EXPECT_THAT(refuses(folder / "r.zarr", file), HasSubstr("r.zarr holds "));
  EXPECT_THAT(refuses(folder / "r.zarr/", store), EndsWith("name another output"));
  EXPECT_NO_THROW(require_apart(folder / "r.zarr.npy", store));
  EXPECT_NO_THROW(require_apart(folder / "other.zarr", file));
}

TEST(Apart, LetsStreamsAndDevicesBeBoth) {
  EXPECT_NO_THROW(require_apart("-", std::vector<std::string>{"-"}));
  EXPECT_NO_THROW(require_apart("/dev/null", std::vector<std::string>{"/dev/null"}));
}

}  // namespace
}  // namespace apsp::io::files_test
