// What was written is checked, not what was meant to be written: damage planted between the two is
// found.
#include "api/stored_result.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <functional>

#include "store/store.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/memory_file_system.hpp"

namespace apsp::api {
namespace {

using store::Plane;

/// Distances along 0 → 1 → 2 with weights 5 and 7, and their planes, written by hand.
class VerifyStored : public testing::Test {
 protected:
  VerifyStored() {
    graph_ = graph_of(3, {{0, 1, 5}, {1, 2, 7}});
    files_.make_directory("out");
  }

  void write(const std::string& path, std::int32_t far = 12) {
    const auto none = static_cast<std::int32_t>(no_path(Semiring::min_plus, ValueType::i32));
    const bool npy = path.ends_with(".npy");
    store::Layout layout{3, ValueType::i32, Semiring::min_plus, 2, {Plane::distance}};
    if (!npy) layout.planes = {Plane::distance, Plane::predecessor, Plane::via, Plane::hops};
    const auto target = store::create_store(path, layout, {false, &files_});
    const auto put = [&](Plane plane, const std::array<std::int32_t, 9>& values) {
      if (target->holds(plane)) target->write(plane, {0, 0, 3, 3}, values.data(), 3);
    };
    put(Plane::distance, {0, 5, far, none, 0, 7, none, none, 0});
    put(Plane::predecessor, {-1, 0, 1, -1, -1, 1, -1, -1, -1});
    put(Plane::via, {-1, -1, 1, -1, -1, -1, -1, -1, -1});
    put(Plane::hops, {0, 1, 2, -1, 0, 1, -1, -1, 0});
    target->commit(graph_, {});
  }
  VerifyReport verify(const std::string& path) {
    return verify_stored(path, graph_, Semiring::min_plus, {}, &files_);
  }
  void failure(const std::string& path) { EXPECT_ERROR(input, verify(path)); }
  /// Calls work(path) for every chunk of a plane, one bit of it flipped.
  void with_damage(Plane plane, const std::function<void(const std::string&)>& work) {
    const std::string part = "/" + std::string(store::name(plane)) + "/c/";
    int damaged = 0;
    for (const auto& [path, good] : files_.contents()) {
      if (path.find(part) == std::string::npos || path.ends_with('/')) continue;
      std::string bad = good;
      bad[bad.size() / 2] = static_cast<char>(bad[bad.size() / 2] ^ 16);
      replace(path, bad);
      work(path);
      replace(path, good);
      ++damaged;
    }
    EXPECT_EQ(damaged, 4) << part;
  }
  void replace(const std::string& path, const std::string& content) {
    files_.remove_all(path);
    files_.write_atomically(path, std::as_bytes(std::span(content)));
  }

  store::MemoryFileSystem files_;
  Graph graph_;
};

TEST_F(VerifyStored, WhatIsRightPasses) {
  write("out/x.zarr");
  write("out/x.npy");
  EXPECT_EQ(verify("out/x.zarr").checks.size(), 8u);
  EXPECT_TRUE(verify("out/x.zarr").passed);
  EXPECT_TRUE(verify("out/x.npy").passed);
}

TEST_F(VerifyStored, AFlippedBitInAnyChunkOfAnyPlaneIsFound) {
  write("out/x.zarr");
  for (const Plane plane : {Plane::distance, Plane::predecessor, Plane::via, Plane::hops}) {
    with_damage(plane, [&](const std::string&) { failure("out/x.zarr"); });
  }
  EXPECT_TRUE(verify("out/x.zarr").passed);
}

TEST_F(VerifyStored, WrongNumbersUnderRightChecksumsAreFound) {
  write("out/x.zarr", 11);
  EXPECT_FALSE(verify("out/x.zarr").passed);
  write("out/x.npy", 11);
  EXPECT_FALSE(verify("out/x.npy").passed);
}

TEST_F(VerifyStored, AnNpyHasNoChecksumsAndIsCheckedByItsNumbers) {
  write("out/x.npy");
  std::string content = files_.contents().at("out/x.npy");
  content[content.size() - 28] ^= 1;  // the value from 0 to 2, 12 → 13
  replace("out/x.npy", content);
  EXPECT_FALSE(verify("out/x.npy").passed);
}

TEST_F(VerifyStored, AnotherGraphBesideTheDistancesIsFound) {
  write("out/x.zarr");
  GraphBuilder builder(3, true);
  builder.add_edge(0, 1, 5);
  builder.add_edge(1, 2, 7);
  builder.add_edge(0, 2, 90);  // of no use, so that the distances are the same
  graph_ = std::move(builder).build();
  failure("out/x.zarr");
}

TEST_F(VerifyStored, AFileThatIsGoneIsAnError) { EXPECT_THROW(verify("out/x.zarr"), Error); }

}  // namespace
}  // namespace apsp::api
