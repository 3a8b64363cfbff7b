// Intermediate vertices and edge counts of a result, in memory and from a file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// 0 → 1 → 2 → 3, and 4 apart.
Graph chain() { return graph_of(5, {{0, 1, 2}, {1, 2, 3}, {2, 3, 4}}); }

void expect_chain(const Result& result) {
  ASSERT_TRUE(result.has_via() && result.has_hops());
  EXPECT_EQ(result.via(0, 1), std::nullopt);
  EXPECT_EQ(result.via(0, 0), std::nullopt);
  EXPECT_EQ(result.via(0, 4), std::nullopt);
  EXPECT_EQ(result.via(0, 2), 1u);
  EXPECT_EQ(result.hops(0, 3), 3);
  EXPECT_EQ(result.hops(0, 1), 1);
  EXPECT_EQ(result.hops(2, 2), 0);
  EXPECT_EQ(result.hops(3, 0), std::nullopt);
  EXPECT_THAT(result.path_by_via(0, 3), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(result.path_by_via(2, 2), ElementsAre(2));
  EXPECT_THAT(result.path_by_via(3, 0), IsEmpty());
  EXPECT_ERROR(usage, result.via(0, 5));
  EXPECT_ERROR(usage, result.path_by_via(5, 0));
}

TEST(ResultVia, FromMemoryAndFromAFile) {
  SolveOptions options{.question = {.hops = true}};
  expect_chain(solve(chain(), options));
  const TemporaryFolder folder;
  options.storage.output = folder / "chain.zarr";
  solve(chain(), options);
  expect_chain(open_result(options.storage.output));
  EXPECT_TRUE(open_result(options.storage.output).verify().passed);
}

TEST(ResultVia, WhatWasNotKeptIsAnErrorWithTheWayOut) {
  const Result plain = solve(chain());
  EXPECT_FALSE(plain.has_via() || plain.has_hops());
  for (const auto& act : std::initializer_list<std::function<void()>>{
           [&] { plain.via(0, 1); }, [&] { plain.path_by_via(0, 1); }}) {
    EXPECT_EQ(error_of(act).kind(), ErrorKind::usage);
  }
  SolveOptions options{.question = {.via = true}};
  const Result via = solve(chain(), options);
  EXPECT_TRUE(via.has_via());
  EXPECT_ERROR(usage, via.hops(0, 1));
}

TEST(ResultVia, EveryPathIsAsLongAsItsDistance) {
  const Graph graph = generate({.vertices = 60, .probability = 0.08});
  SolveOptions options{.question = {.via = true}};
  const Result result = solve(graph, options);
  for (Vertex s = 0; s < 60; ++s) {
    for (Vertex t = 0; t < 60; ++t) {
      const std::vector<Vertex> path = result.path_by_via(s, t);
      ASSERT_EQ(path.empty(), !result.reachable(s, t));
      double length = 0;
      for (std::size_t i = 1; i < path.size(); ++i) length += result.distance(path[i - 1], path[i]);
      if (!path.empty()) {
        ASSERT_EQ(length, result.distance(s, t));
      }
    }
  }
}

}  // namespace
}  // namespace apsp
