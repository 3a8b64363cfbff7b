// Archives of xz, bzip2 and ZIP, which are only read.
#include <gmock/gmock.h>

#include "support/graph_text.hpp"

namespace apsp::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

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

TEST(Bombs, OfBzip2AreErrors) {
  const std::string bomb = bytes_of(  // 4 MiB of line breaks
      "425a6839314159265359536154510020204800801000040008200030cc0529a60201b10201e2ee48a70a120a6c2a"
      "8a"
      "20");
  StreamedBytes out;
  EXPECT_THAT(error_of([&] { decompress(bomb, "e.bz2", {}, out, 1 << 20); }).what(),
              HasSubstr("more than 1100 times its size"));
}

}  // namespace
}  // namespace apsp::io
