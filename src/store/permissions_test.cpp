// What replaces a result or a file is no more open than it was, and no device or pipe is replaced.
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <fcntl.h>
#include <unistd.h>

#include "io/output_file.hpp"
#include "store/file_system.hpp"
#include "store/leftovers.hpp"
#include "store/store.hpp"
#include "support/graph_of.hpp"
#include "support/sample_store.hpp"
#include "support/temporary_folder.hpp"
#include "support/test.hpp"
#include "system/open_file.hpp"

namespace apsp::store::permissions_test {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwner = 0600, kOwnerFolder = 0700;

mode_t mode_of(const fs::path& path) {
  struct stat status = {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

/// A matrix of two vertices; `value` from the one to the other.
void store_matrix(const std::string& path, float value) {
  const auto store = create_store(path, {.n = 2, .tile = 1});
  const std::vector<float> values = {0, value, value, 0};
  for (const std::int64_t i : {0, 1}) {
    for (const std::int64_t j : {0, 1}) {
      store->write(Plane::distance, {i, j, 1, 1}, &values[static_cast<std::size_t>(2 * i + j)], 2);
    }
  }
  store->commit(graph_of(2, {{0, 1, static_cast<double>(value)}}, false), {});
}

float stored_value(const std::string& path) {
  float value = 0;
  open_store(path)->read(Plane::distance, {0, 1, 1, 1}, &value, 1);
  return value;
}

/// Sets a mode of all files below a folder, and one of the folders.
void set_modes(const fs::path& folder, mode_t of_files, mode_t of_folders) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    ASSERT_EQ(::chmod(entry.path().c_str(), entry.is_directory() ? of_folders : of_files), 0);
  }
  ASSERT_EQ(::chmod(folder.c_str(), of_folders), 0);
}

TEST(Permissions, OfAnNpyStay) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.npy";
  store_matrix(path, 1);
  for (const mode_t mode : {kOwner, mode_t{0640}, mode_t{0444}}) {
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    store_matrix(path, 2);
    EXPECT_EQ(mode_of(path), mode);
    EXPECT_EQ(stored_value(path), 2);
  }
}

TEST(Permissions, OfAZarrAndItsMembersStay) {
  const TemporaryFolder folder;
  const std::string path = folder / "a.zarr";
  store_matrix(path, 1);
  for (const auto& [of_files, of_folders] :
       {std::pair{kOwner, kOwnerFolder}, std::pair{kOwner, mode_t{0755}},
        std::pair{mode_t{0664}, mode_t{0775}}}) {
    set_modes(path, of_files, of_folders);
    store_matrix(path, 2);
    EXPECT_EQ(mode_of(path), of_folders);
    for (const auto& entry : fs::recursive_directory_iterator(path)) {
      EXPECT_EQ(mode_of(entry.path()), entry.is_directory() ? of_folders : of_files)
          << entry.path();
    }
    EXPECT_EQ(stored_value(path), 2);
  }
}

TEST(Permissions, OfANewResultAreThoseOfTheUser) {
  const TemporaryFolder folder;
  const mode_t masked = ::umask(027);
  store_matrix(folder / "a.npy", 1);
  store_matrix(folder / "a.zarr", 1);
  ::umask(masked);
  EXPECT_EQ(mode_of(folder / "a.npy"), 0640);
  EXPECT_EQ(mode_of(folder / "a.zarr"), 0750);
  EXPECT_EQ(mode_of(folder / "a.zarr/zarr.json"), 0640);
}

TEST(Permissions, NobodyElseReadsWhatIsBeingWrittenInPlaceOfAPrivateResult) {
  const TemporaryFolder folder;
  for (const char* name : {"a.npy", "a.zarr"}) {
    const std::string path = folder / name;
    store_matrix(path, 1);
    ASSERT_EQ(::chmod(path.c_str(), fs::is_directory(path) ? kOwnerFolder : kOwner), 0);
    const auto store = create_store(path, {.n = 2, .tile = 1});
    int seen = 0;
    for (const auto& entry : fs::directory_iterator(folder / "")) {
      if (entry.path().string().find(".partial-") == std::string::npos) continue;
      if (entry.path().string().ends_with(".lock")) continue;
      ++seen;
      EXPECT_EQ(mode_of(entry.path()) & 077, 0) << entry.path();
    }
    EXPECT_EQ(seen, 1);
  }
}

TEST(Permissions, TheOwnerStaysWhereTheSystemAllowsIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root gives files away";
  const TemporaryFolder folder;
  constexpr uid_t kOther = 65534;
  for (const char* name : {"a.npy", "a.zarr"}) {
    const std::string path = folder / name;
    store_matrix(path, 1);
    ASSERT_EQ(::chown(path.c_str(), kOther, kOther), 0);
    store_matrix(path, 2);
    struct stat status = {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, kOther) << name;
    EXPECT_EQ(status.st_gid, kOther) << name;
  }
}

TEST(Permissions, OfATableStay) {
  const TemporaryFolder folder;
  const std::string path = folder / "table.csv";
  for (const int round : {1, 2}) {
    io::OutputFile file(path, io::Compression::none);
    file.put("round ", round, '\n');
    file.commit();
    if (round == 1) {
      ASSERT_EQ(::chmod(path.c_str(), kOwner), 0);
    }
  }
  EXPECT_EQ(mode_of(path), kOwner);
}

TEST(Permissions, ALinkStaysAndItsTargetIsReplaced) {
  const TemporaryFolder folder;
  store_matrix(folder / "target.npy", 1);
  ASSERT_EQ(::chmod((folder / "target.npy").c_str(), kOwner), 0);
  fs::create_symlink("target.npy", folder / "link.npy");
  store_matrix(folder / "link.npy", 2);
  EXPECT_TRUE(fs::is_symlink(folder / "link.npy"));
  EXPECT_EQ(stored_value(folder / "target.npy"), 2);
  EXPECT_EQ(mode_of(folder / "target.npy"), kOwner);
}

/// What is neither file nor folder, at `path`.
void make_pipe(const std::string& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); }
void make_socket(const std::string& path) {
  sockaddr_un address = {};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path.size(), sizeof(address.sun_path));
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const system::Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  ASSERT_EQ(::bind(socket.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)),
            0);
}

TEST(OddOutputs, AreRefusedAndStay) {
  const TemporaryFolder folder;
  make_pipe(folder / "pipe.npy");
  make_pipe(folder / "pipe.zarr");
  make_socket(folder / "socket.npy");
  fs::create_symlink("/dev/null", folder / "device.npy");
  fs::create_symlink("pipe.npy", folder / "link.npy");
  fs::create_symlink("link.npy", folder / "second.npy");
  for (const char* name :
       {"pipe.npy", "pipe.zarr", "socket.npy", "device.npy", "link.npy", "second.npy"}) {
    const std::string path = folder / name;
    EXPECT_ERROR(usage, create_store(path, {.n = 2})) << name;
    EXPECT_TRUE(fs::is_other(path) || fs::is_character_file(path) || fs::is_fifo(path) ||
                fs::is_socket(path))
        << name;
  }
}

// A .zarr that is read while another run replaces it: the old one whole, or an error that says so.
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
}  // namespace apsp::store::permissions_test
