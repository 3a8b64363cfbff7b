// Near pairs in a .zarr: the arrays of a sparse matrix, beside the graph; no result of all pairs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/apsp.hpp>

#include <filesystem>
#include <string>
#include <vector>

#include "store/store.hpp"
#include "support/error_of.hpp"
#include "support/graph_of.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::api {
namespace {

using testing::ElementsAre;

template <class T>
std::vector<T> read(const store::Store& stored, std::size_t number) {
  const store::Array array = stored.arrays().at(number);
  std::vector<T> values(static_cast<std::size_t>(array.length));
  stored.read_array(array, values.data());
  return values;
}

class NearStore : public testing::Test {
 protected:
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "near.zarr";
  const Graph graph_ = graph_of(4, {{0, 1, 2}, {1, 2, 3}, {2, 3, 40}}, false);
};

TEST_F(NearStore, HoldsRowsAndTheGraph) {
  write_zarr(within(graph_, 5), graph_, 5, {}, path_);
  const auto stored = store::open_store(path_);
  EXPECT_THAT(read<std::int32_t>(*stored, 0), ElementsAre(0, 2, 4, 6, 6));
  EXPECT_THAT(read<std::int32_t>(*stored, 1), ElementsAre(1, 2, 0, 2, 0, 1));
  EXPECT_THAT(read<double>(*stored, 2), ElementsAre(2, 5, 2, 3, 5, 3));
  EXPECT_EQ(stored->graph()->digest(), graph_.digest());
}

TEST_F(NearStore, NamesTheSourcesOfItsRows) {
  const std::vector<Vertex> sources = {2, 0};
  write_zarr(within(graph_, 3, {.sources = sources}), graph_, 3, sources, path_);
  const auto stored = store::open_store(path_);
  EXPECT_THAT(read<std::int32_t>(*stored, 0), ElementsAre(0, 1, 2));
  EXPECT_THAT(read<std::int32_t>(*stored, 1), ElementsAre(1, 1));
  EXPECT_THAT(stored->layout().selection.sources.listed(), ElementsAre(2, 0));
}

TEST_F(NearStore, HoldsNoPairsToo) {
  const Graph empty = graph_of(0, {}, true), alone = graph_of(1, {}, true);
  for (const Graph& graph : {empty, alone}) {
    write_zarr(within(graph, 1), graph, 1, {}, path_);
    EXPECT_EQ(store::open_store(path_)->arrays().at(0).length, graph.vertex_count() + 1);
  }
}

TEST_F(NearStore, IsNoResultOfAllPairs) {
  write_zarr(within(graph_, 5), graph_, 5, {}, path_);
  EXPECT_ERROR(usage, open_result(path_));
  EXPECT_ERROR(usage, update_stored(path_, [](const Graph& graph) { return graph; }));
  EXPECT_ERROR(usage, write_zarr(within(graph_, 5), graph_, 5, {}, folder_ / "a.csv"));
}

}  // namespace
}  // namespace apsp::api
