// Searches on the strict device: what they find, and what they refuse.
#include "kernels/row_kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <apsp/error.hpp>

#include <utility>
#include <vector>

#include "support/error_of.hpp"
#include "support/strict/strict_device.hpp"
#include "support/strict_device_fixture.hpp"

namespace apsp::kernels {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// 0 → 1 → 2 and 0 → 2, of three vertices and the weights 2, 3 and 9.
struct Operands {
  std::vector<std::uint32_t> sources = {0, 2};
  std::vector<std::uint32_t> first = {0, 2, 3, 3};
  std::vector<SearchArc<std::int32_t>> arcs = {{1, 2}, {2, 9}, {2, 3}};
  std::int64_t arc_count = 3;
  std::vector<std::uint32_t> columns{};  // empty: all
  std::int64_t scratch = search_bytes(3, 2, 4);
  double step = 1;
};

class StrictSearch : public StrictDevice {
 protected:
  /// After `change` of the operands: [2, 3].
  template <class F>
  std::vector<std::int32_t> found(F&& change) {
    Operands o;
    change(o);
    const auto cols = static_cast<std::int64_t>(o.columns.empty() ? 3 : o.columns.size());
    const View rows{device->allocate(24), 2, cols, cols};
    device->searches()->search_rows(queue,
                                    {.rows = rows,
                                     .vertices = 3,
                                     .sources = to_device(o.sources),
                                     .columns = o.columns.empty() ? nullptr : to_device(o.columns),
                                     .first = to_device(o.first),
                                     .arcs = reinterpret_cast<const std::byte*>(to_device(o.arcs)),
                                     .arc_count = o.arc_count,
                                     .step = o.step,
                                     .searches = 2,
                                     .scratch = device->allocate(o.scratch)});
    std::vector<std::int32_t> host(static_cast<std::size_t>(2 * cols));
    device->copy_out(queue, {host.data(), 2, cols, cols}, rows, 4);
    device->synchronize(queue);
    return host;
  }
  template <class F>
  void expect_refused(F&& change, const char* words) {
    const Error error = error_of([&] { found(change); });
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
};

TEST_F(StrictSearch, FindsTheBestPaths) {
  constexpr std::int32_t kNone = (1 << 30) - 1;
  EXPECT_THAT(found([](Operands&) {}), ElementsAre(0, 2, 5, kNone, kNone, 0));
}

TEST_F(StrictSearch, FindsTheColumnsThatAreListed) {
  EXPECT_THAT(found([](Operands& o) { o.columns = {2, 0}; }), ElementsAre(5, 0, 0, (1 << 30) - 1));
}

TEST_F(StrictSearch, RefusesAColumnThatIsNoVertex) {
  expect_refused([](Operands& o) { o.columns = {0, 3}; }, "a column that is no vertex");
}

TEST_F(StrictSearch, RestoresDistancesByPotentials) {
  // 0 → 1 of the weight −2 and 1 → 2 of 5, with h = 0, −2, 0.
  const std::vector<std::uint32_t> sources = {0, 1}, first = {0, 1, 2, 2};
  const std::vector<SearchArc<std::uint32_t>> arcs = {{1, 0}, {2, 3}};
  const std::vector<double> potentials = {0, -2, 0};
  const View rows{device->allocate(24), 2, 3, 3};
  device->searches()->search_rows(queue,
                                  {.rows = rows,
                                   .vertices = 3,
                                   .sources = to_device(sources),
                                   .first = to_device(first),
                                   .arcs = reinterpret_cast<const std::byte*>(to_device(arcs)),
                                   .arc_count = 2,
                                   .potentials = to_device(potentials),
                                   .searches = 1,
                                   .scratch = device->allocate(search_bytes(3, 1, 4))});
  EXPECT_THAT(read_back(rows), ElementsAre(0, -2, 3, (1 << 30) - 1, 0, 5));
}

TEST_F(StrictSearch, RefusesPotentialsOfValuesWithoutThem) {
  const auto other = strict::make_device(Semiring::max_min, ValueType::i32, 1 << 16);
  const double potential = 0;
  EXPECT_THAT(error_of([&] {
                other->searches()->search_rows(
                    other->make_queue(), {.rows = {}, .potentials = &potential, .searches = 1});
              }).what(),
              HasSubstr("hold no sums of both signs"));
}

TEST_F(StrictSearch, RefusesColumnsThatAreNeitherListedNorAll) {
  EXPECT_THAT(error_of([&] {
                device->searches()->search_rows(
                    queue, {.rows = {nullptr, 1, 2, 2}, .vertices = 3, .searches = 1});
              }).what(),
              HasSubstr("neither listed nor all"));
}

TEST_F(StrictSearch, RefusesATargetThatIsNoVertex) {
  expect_refused([](Operands& o) { o.arcs[1].to = 3; }, "an arc to vertex 3 of 3");
}

TEST_F(StrictSearch, RefusesASourceThatIsNoVertex) {
  expect_refused([](Operands& o) { o.sources[1] = 3; }, "a source that is no vertex");
}

TEST_F(StrictSearch, RefusesOffsetsThatFall) {
  expect_refused([](Operands& o) { o.first = {0, 3, 2, 3}; }, "offsets do not rise");
}

TEST_F(StrictSearch, RefusesFewerArcsThanTheirOffsetsSay) {
  expect_refused([](Operands& o) { o.arc_count = 2; }, "offsets do not end with the arcs");
}

TEST_F(StrictSearch, RefusesLittleScratch) {
  expect_refused([](Operands& o) { --o.scratch; }, "scratch ends 1 bytes behind");
}

TEST_F(StrictSearch, RefusesAStepBack) {
  expect_refused([](Operands& o) { o.step = -1; }, "the step");
}

TEST_F(StrictSearch, RefusesMoreVerticesThanItsListsCount) {
  const SearchedRows rows{.rows = {}, .vertices = kSearchedNumbers + 1, .searches = 1};
  EXPECT_THAT(error_of([&] { device->searches()->search_rows(queue, rows); }).what(),
              HasSubstr("too many vertices or arcs"));
}

TEST_F(StrictSearch, DevicesHaveTheKernelsOfTheirValues) {
  const auto bits = strict::make_bit_device(1 << 16);
  EXPECT_EQ(bits->gathered_rows(), nullptr);
  EXPECT_EQ(bits->searches(), nullptr);
  const auto bottlenecks = strict::make_device(Semiring::max_min, ValueType::i32, 1 << 16);
  EXPECT_NE(bottlenecks->searches(), nullptr);
  EXPECT_EQ(bottlenecks->shortest_paths(), nullptr);
  EXPECT_EQ(bottlenecks->counts(), nullptr);
  EXPECT_EQ(error_of([&] { required(bottlenecks->counts()); }).kind(), ErrorKind::device);
}

/// Arcs to the three vertices, each from one before it; both searches in one.
struct LevelOperands {
  std::vector<std::uint32_t> sources = {0, 2};
  std::vector<std::uint32_t> first = {0, 0, 1, 3};
  std::vector<std::uint32_t> before = {0, 0, 1};
  std::int64_t arc_count = 3;
  std::int64_t most = 1;
  std::int64_t scratch = level_bytes(3, 2, 1);
};

class StrictLevels : public StrictSearch {
 protected:
  /// [3, 2].
  template <class F>
  std::vector<std::int32_t> hops(F&& change) {
    LevelOperands o;
    change(o);
    const View columns{device->allocate(24), 3, 2, 2};
    device->shortest_paths()->search_levels(queue, {.hops = columns,
                                                    .sources = to_device(o.sources),
                                                    .first = to_device(o.first),
                                                    .before = to_device(o.before),
                                                    .arc_count = o.arc_count,
                                                    .most = o.most,
                                                    .scratch = device->allocate(o.scratch)});
    std::vector<std::int32_t> host(6);
    device->copy_out(queue, {host.data(), 3, 2, 2}, columns, 4);
    device->synchronize(queue);
    return host;
  }
  template <class F>
  void expect_no_hops(F&& change, const char* words) {
    const Error error = error_of([&] { hops(change); });
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
};

TEST_F(StrictLevels, CountsHops) {
  constexpr std::int32_t kNone = (1 << 30) - 1;
  EXPECT_THAT(hops([](LevelOperands&) {}), ElementsAre(0, kNone, 1, kNone, 1, 0));
}

TEST_F(StrictLevels, RefusesAnArcFromNoVertex) {
  expect_no_hops([](LevelOperands& o) { o.before[1] = 3; }, "an arc to vertex 3 of 3");
}

TEST_F(StrictLevels, RefusesASourceThatIsNoVertex) {
  expect_no_hops([](LevelOperands& o) { o.sources[0] = 3; }, "a source that is no vertex");
}

TEST_F(StrictLevels, RefusesOffsetsThatFall) {
  expect_no_hops([](LevelOperands& o) { o.first = {0, 3, 2, 3}; }, "offsets do not rise");
}

TEST_F(StrictLevels, RefusesLongerPathsThanWereSaid) {
  expect_no_hops([](LevelOperands& o) { o.most = 0; }, "a path of more arcs than the most");
}

TEST_F(StrictLevels, RefusesLittleScratch) {
  expect_no_hops([](LevelOperands& o) { --o.scratch; }, "scratch ends 1 bytes behind");
}

TEST_F(StrictLevels, RefusesManySources) {
  const SearchedLevels many{.hops = {nullptr, 1, kLevelSources + 1, kLevelSources + 1}};
  EXPECT_THAT(error_of([&] { device->shortest_paths()->search_levels(queue, many); }).what(),
              HasSubstr("too many sources"));
}

/// Two circles of weight 0, 0 ⇄ 1 and 2 ⇄ 3, an arc of 5 from each vertex of the first to vertex 2,
/// and vertex 4, to which nothing leads.
struct TreeOperands {
  std::vector<std::uint32_t> sources = {0, 2};
  std::vector<std::uint32_t> first = {0, 2, 4, 5, 6, 6};
  std::vector<SearchArc<std::int32_t>> arcs = {{1, 0}, {2, 5}, {0, 0}, {2, 5}, {3, 0}, {2, 0}};
  std::vector<std::int32_t> distances = {0, 0, 5, 5, kNone, kNone, kNone, 0, 0, kNone};
  std::int64_t arc_count = 6, searches = 2;
  std::int64_t scratch = predecessor_bytes(5, 2);

  static constexpr std::int32_t kNone = (1 << 30) - 1;
};

class StrictPredecessors : public StrictSearch {
 protected:
  /// [2, 5], and how many rows were torn.
  template <class F>
  std::pair<std::vector<std::int16_t>, std::uint32_t> predecessors(F&& change) {
    TreeOperands o;
    change(o);
    const std::vector<std::uint32_t> none = {0};
    const View out{device->allocate(2 * 5 * 2), 2, 5, 5};
    std::uint32_t* const torn = to_device(none);
    device->searches()->search_predecessors(
        queue, {.predecessors = out,
                .distances = on_device(o.distances, 2, 5),
                .sources = to_device(o.sources),
                .first = to_device(o.first),
                .arcs = reinterpret_cast<const std::byte*>(to_device(o.arcs)),
                .arc_count = o.arc_count,
                .searches = o.searches,
                .torn = torn,
                .scratch = device->allocate(o.scratch)});
    std::uint32_t rows = 0;
    device->copy_out(queue, {&rows, 1, 1, 1}, {torn, 1, 1, 1}, 4);
    std::vector<std::int16_t> found(10);
    device->copy_out(queue, {found.data(), 2, 5, 5}, out, 2);
    device->synchronize(queue);
    return {found, rows};
  }
  template <class F>
  void expect_no_predecessors(F&& change, const char* words) {
    const Error error = error_of([&] { predecessors(change); });
    EXPECT_EQ(error.kind(), ErrorKind::device);
    EXPECT_THAT(error.what(), HasSubstr(words));
  }
};

TEST_F(StrictPredecessors, AreNoCircleWhereWeightsAreZero) {
  const auto [found, torn] = predecessors([](TreeOperands&) {});
  EXPECT_THAT(found, ElementsAre(-1, 0, 0, 2, -1, -1, -1, -1, 2, -1));
  EXPECT_EQ(torn, 0U);
}

TEST_F(StrictPredecessors, CountRowsOfDistancesThatNoPathHas) {
  const auto [found, torn] = predecessors([](TreeOperands& o) { o.distances[3] = 4; });
  EXPECT_EQ(found[3], -1);
  EXPECT_EQ(torn, 1U);
}

TEST_F(StrictPredecessors, RefuseAnArcToNoVertex) {
  expect_no_predecessors([](TreeOperands& o) { o.arcs[1].to = 5; }, "an arc to vertex 5 of 5");
}

TEST_F(StrictPredecessors, RefuseASourceThatIsNoVertex) {
  expect_no_predecessors([](TreeOperands& o) { o.sources[1] = 5; }, "a source that is no vertex");
}

TEST_F(StrictPredecessors, RefuseOffsetsThatFall) {
  expect_no_predecessors([](TreeOperands& o) { o.first[1] = 5; }, "offsets do not rise");
}

TEST_F(StrictPredecessors, RefuseFewerArcsThanTheirOffsetsSay) {
  expect_no_predecessors([](TreeOperands& o) { o.arc_count = 5; },
                         "offsets do not end with the arcs");
}

TEST_F(StrictPredecessors, RefuseLittleScratch) {
  expect_no_predecessors([](TreeOperands& o) { --o.scratch; }, "scratch ends 1 bytes behind");
}

TEST_F(StrictPredecessors, RefuseNoSearchAtATime) {
  expect_no_predecessors([](TreeOperands& o) { o.searches = 0; }, "no search at a time");
}

TEST_F(StrictPredecessors, RefuseDistancesOfAnotherShape) {
  const SearchedPredecessors other{
      .predecessors = {nullptr, 1, 4, 4}, .distances = {nullptr, 1, 5, 5}, .searches = 1};
  EXPECT_THAT(error_of([&] { device->searches()->search_predecessors(queue, other); }).what(),
              HasSubstr("distances of another shape"));
}

}  // namespace
}  // namespace apsp::kernels
