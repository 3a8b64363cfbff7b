// Searches that the strict device refuses. The tests of rows on devices pin what it finds.
#include "kernels/row_kernels.hpp"
#include "support/strict_device_fixture.hpp"
#include "support/test.hpp"

namespace apsp::kernels::strict_search_test {
namespace {

/// 0 → 1 → 2 and 0 → 2, of three vertices and the weights 2, 3 and 9.
struct RowOperands {
  std::vector<std::uint32_t> sources = {0, 2};
  std::vector<std::uint32_t> first = {0, 2, 3, 3};
  std::vector<SearchArc<std::int32_t>> arcs = {{1, 2}, {2, 9}, {2, 3}};
  std::vector<std::uint32_t> columns = {0, 1};
  std::vector<double> potentials{};  // none: original weights
  std::int64_t vertices = 3, arc_count = 3, scratch = search_bytes(3, 2, 4);
  double step = 1;
};

class StrictSearch : public StrictDevice {
 protected:
  void search_rows(const RowOperands& o) {
    device->searches()->search_rows(
        queue, {.rows = {device->allocate(16), 2, 2, 2},
                .vertices = o.vertices,
                .sources = to_device(o.sources),
                .columns = o.columns.empty() ? nullptr : to_device(o.columns),
                .first = to_device(o.first),
                .arcs = reinterpret_cast<const std::byte*>(to_device(o.arcs)),
                .arc_count = o.arc_count,
                .potentials = o.potentials.empty() ? nullptr : to_device(o.potentials),
                .step = o.step,
                .searches = 2,
                .scratch = device->allocate(o.scratch)});
  }
};

TEST_F(StrictSearch, RefusesWrongOperands) {
  expect_refusals<RowOperands>(
      {{"search_rows: columns: 3 of 3", [](auto& o) { o.columns[1] = 3; }},
       {"neither listed nor all", [](auto& o) { o.columns.clear(); }},
       {"an arc to vertex 3 of 3", [](auto& o) { o.arcs[1].to = 3; }},
       {"search_rows: sources: 3 of 3", [](auto& o) { o.sources[1] = 3; }},
       {"offsets do not rise",
        [](auto& o) {
          o.first = {0, 3, 2, 3};
        }},
       {"offsets do not end with the arcs", [](auto& o) { o.arc_count = 2; }},
       {"scratch ends 1 bytes behind", [](auto& o) { --o.scratch; }},
       {"the step", [](auto& o) { o.step = -1; }},
       {"too many vertices or arcs", [](auto& o) { o.vertices = kSearchedNumbers + 1; }}},
      [&](const RowOperands& o) { search_rows(o); });
}

TEST_F(StrictSearch, RefusesPotentialsOfValuesWithoutThem) {
  device = strict::make_device(Semiring::max_min, ValueType::i32, 1 << 16);
  queue = device->make_queue();
  RowOperands o;
  o.potentials = {0, 0, 0};
  expect_misuse([&] { search_rows(o); }, "hold no sums of both signs");
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
  std::int64_t columns = 2, most = 1, scratch = level_bytes(3, 2, 1);
};

TEST_F(StrictSearch, RefusesWrongOperandsOfLevels) {
  expect_refusals<LevelOperands>(
      {{"an arc to vertex 3 of 3", [](auto& o) { o.before[1] = 3; }},
       {"search_levels: sources: 3 of 3", [](auto& o) { o.sources[0] = 3; }},
       {"offsets do not rise",
        [](auto& o) {
          o.first = {0, 3, 2, 3};
        }},
       {"a path of more arcs than the most", [](auto& o) { o.most = 0; }},
       {"scratch ends 1 bytes behind", [](auto& o) { --o.scratch; }},
       {"too many sources", [](auto& o) { o.columns = kLevelSources + 1; }}},
      [&](const LevelOperands& o) {
        device->shortest_paths()->search_levels(
            queue, {.hops = {device->allocate(24), 3, o.columns, o.columns},
                    .sources = to_device(o.sources),
                    .first = to_device(o.first),
                    .before = to_device(o.before),
                    .arc_count = 3,
                    .most = o.most,
                    .scratch = device->allocate(o.scratch)});
      });
}

/// Two circles of weight 0, 0 ⇄ 1 and 2 ⇄ 3, an arc of 5 from each vertex of the first to vertex 2,
/// and vertex 4, to which nothing leads.
struct TreeOperands {
  std::vector<std::uint32_t> sources = {0, 2};
  std::vector<std::uint32_t> first = {0, 2, 4, 5, 6, 6};
  std::vector<SearchArc<std::int32_t>> arcs = {{1, 0}, {2, 5}, {0, 0}, {2, 5}, {3, 0}, {2, 0}};
  std::vector<std::int32_t> distances = {0, 0, 5, 5, kNone, kNone, kNone, 0, 0, kNone};
  std::vector<std::uint32_t> torn = {0};
  std::int64_t rows = 2, arc_count = 6, searches = 2, scratch = predecessor_bytes(5, 2);

  static constexpr std::int32_t kNone = (1 << 30) - 1;
};

TEST_F(StrictSearch, RefusesWrongOperandsOfPredecessors) {
  expect_refusals<TreeOperands>(
      {{"an arc to vertex 5 of 5", [](auto& o) { o.arcs[1].to = 5; }},
       {"search_predecessors: sources: 5 of 5", [](auto& o) { o.sources[1] = 5; }},
       {"offsets do not rise", [](auto& o) { o.first[1] = 5; }},
       {"offsets do not end with the arcs", [](auto& o) { o.arc_count = 5; }},
       {"scratch ends 1 bytes behind", [](auto& o) { --o.scratch; }},
       {"no search at a time", [](auto& o) { o.searches = 0; }},
       {"distances of another shape", [](auto& o) { o.rows = 1; }}},
      [&](TreeOperands& o) {
        device->searches()->search_predecessors(
            queue, {.predecessors = {device->allocate(2 * 5 * 2), o.rows, 5, 5},
                    .distances = on_device(o.distances, 2, 5),
                    .sources = to_device(o.sources),
                    .first = to_device(o.first),
                    .arcs = reinterpret_cast<const std::byte*>(to_device(o.arcs)),
                    .arc_count = o.arc_count,
                    .searches = o.searches,
                    .torn = to_device(o.torn),
                    .scratch = device->allocate(o.scratch)});
      });
}

}  // namespace
}  // namespace apsp::kernels::strict_search_test
