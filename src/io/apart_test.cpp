#include <gmock/gmock.h>
#include <apsp/error.hpp>
#include <apsp/io.hpp>

#include <filesystem>
#include <vector>

#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

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

TEST(Apart, RefusesAnInputByItsName) {
  const TwoGraphs of;
  EXPECT_EQ(of.refusal(of.second),
            of.second + " is read here, and the output would change it: name another output");
  EXPECT_THAT(of.refusal(of.folder / "./a.gr"), HasSubstr("a.gr is the same as "));
}

TEST(Apart, RefusesAnInputByALinkOrAHardLink) {
  const TwoGraphs of;
  fs::create_symlink(of.first, of.folder / "link.gr");
  fs::create_hard_link(of.first, of.folder / "hard.gr");
  fs::create_directory_symlink(of.folder.path(), of.folder / "here");
  for (const char* const name : {"link.gr", "hard.gr", "here/a.gr", "here/hard.gr"}) {
    EXPECT_THAT(of.refusal(of.folder / name), StartsWith(of.folder / name)) << name;
  }
  EXPECT_THROW(require_apart(of.first, std::vector{of.folder / "link.gr"}), Error);
}

TEST(Apart, RefusesAPlaceInsideOfAnInputAndAFolderAroundOne) {
  const TemporaryFolder folder;
  fs::create_directories(folder / "r.zarr/graph");
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
}  // namespace apsp
