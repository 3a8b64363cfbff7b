// What goes into a store comes out of it: every kind of store, value type and size near a tile's.
#include <fmt/format.h>

#include "base/random.hpp"
#include "store/zarr_group.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/test.hpp"
#include "system/threads.hpp"

namespace apsp::store::round_trip_test {
namespace {

constexpr std::int64_t kTile = 8;

enum class Kind { memory, npy, zarr, zarr_zstd };

void PrintTo(Kind kind, std::ostream* out) {
  *out << std::array{"memory", "npy", "zarr", "zarr_zstd"}[static_cast<std::size_t>(kind)];
}

struct Pair {
  Semiring semiring;
  ValueType type;
};
constexpr std::array kPairs = {
    Pair{Semiring::min_plus, ValueType::f32}, Pair{Semiring::max_plus, ValueType::f64},
    Pair{Semiring::min_max, ValueType::i32},  Pair{Semiring::max_min, ValueType::u16},
    Pair{Semiring::min_plus, ValueType::u16}, Pair{Semiring::or_and, ValueType::boolean}};

/// A kind of store of a size and a pair.
class Tried {
 public:
  Tried(Kind kind, std::int64_t n, const Pair& pair) : kind_(kind) {
    layout_ = {n, pair.type, pair.semiring, kTile, {Plane::distance}};
    if (kind != Kind::npy) layout_.planes = {Plane::predecessor, Plane::distance, Plane::hops};
  }
  const Layout& layout() const { return layout_; }
  std::unique_ptr<Store> create() {
    if (kind_ == Kind::memory) return make_memory_store(layout_);
    return create_store(path(), layout_, {kind_ == Kind::zarr_zstd, &files_});
  }
  /// The committed store itself where nothing rests on a disk.
  std::unique_ptr<Store> reopen(std::unique_ptr<Store> store) {
    if (kind_ == Kind::memory) return store;
    store.reset();
    return open_store(path(), layout_.semiring, &files_);
  }

 private:
  std::string path() const { return kind_ == Kind::npy ? "air.npy" : "air.zarr"; }

  Kind kind_;
  Layout layout_;
  MemoryFileSystem files_;
};

class RoundTrip : public testing::TestWithParam<Kind> {
 protected:
  template <class Try>
  void for_each_size(const Try& each) {
    for (const std::int64_t n : {0L, 1L, kTile - 1, kTile, kTile + 1, 2 * kTile + 3}) {
      for (const Pair& pair : kPairs) {
        SCOPED_TRACE(fmt::format("{} {} of {}", name(pair.semiring), name(pair.type), n));
        Tried tried(GetParam(), n, pair);
        each(tried);
      }
    }
  }
};

TEST_P(RoundTrip, WholeMatrix) {
  for_each_size([](Tried& tried) {
    auto store = tried.create();
    write_sample(*store);
    EXPECT_TRUE(holds_sample(*store)) << "before the commit";
    store->commit(Graph(), {});
    EXPECT_TRUE(holds_sample(*store)) << "after the commit";
    store = tried.reopen(std::move(store));
    EXPECT_EQ(store->layout().n, tried.layout().n);
    EXPECT_EQ(store->layout().type, tried.layout().type);
    EXPECT_EQ(store->layout().semiring, tried.layout().semiring);
    EXPECT_EQ(store->layout().planes, tried.layout().planes);
    EXPECT_TRUE(holds_sample(*store));
  });
}

/// A third of the tiles, from a matrix whose rows are further apart.
void write_tiles(Store& store, std::int64_t part) {
  const Layout& layout = store.layout();
  std::int64_t count = 0;
  for (const Plane plane : layout.planes) {
    for (std::int64_t row = 0; row < layout.n; row += kTile) {
      for (std::int64_t col = 0; col < layout.n; col += kTile) {
        if (count++ % 3 != part) continue;
        const Block block{row, col, std::min(kTile, layout.n - row),
                          std::min(kTile, layout.n - col)};
        const std::int64_t stride = kTile + 5;
        store.write(plane, block, sample_block(layout, plane, block, stride).data(), stride);
      }
    }
  }
}

void expect_any_blocks(const Store& store, std::uint64_t seed) {
  const Layout& layout = store.layout();
  base::SplitMix64 random(seed);
  const auto below = [&](std::int64_t bound) {
    return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
  };
  for (int i = 0; i < 30; ++i) {
    Block block{below(layout.n + 1), below(layout.n + 1), 0, 0};
    block.rows = below(layout.n - block.row + 1);
    block.cols = below(layout.n - block.col + 1);
    const std::int64_t stride = block.cols + below(3);
    for (const Plane plane : layout.planes) {
      ASSERT_EQ(read_block(store, plane, block, stride),
                sample_block(layout, plane, block, stride));
    }
  }
}

TEST_P(RoundTrip, TileByTileFromThreadsAndAnyBlockBack) {
  for_each_size([](Tried& tried) {
    auto store = tried.create();
    system::on_threads(3, [&](int part) { write_tiles(*store, part); });
    store->commit(Graph(), {});
    store = tried.reopen(std::move(store));
    system::on_threads(
        3, [&](int seed) { expect_any_blocks(*store, static_cast<std::uint64_t>(seed)); });
  });
}

INSTANTIATE_TEST_SUITE_P(Stores, RoundTrip,
                         testing::Values(Kind::memory, Kind::npy, Kind::zarr, Kind::zarr_zstd),
                         testing::PrintToStringParamName());

TEST(MemoryStore, RowsAreAlignedAndVisible) {
  for (const ValueType type : {ValueType::f32, ValueType::f64, ValueType::i32, ValueType::u16}) {
    for (const std::int64_t n : {0, 1, 15, 16, 17, 100}) {
      const auto store = make_memory_store(
          {n, type, Semiring::min_plus, 16, {Plane::distance, Plane::predecessor}});
      EXPECT_GE(store->stride(), n);
      for (const Plane plane : store->layout().planes) {
        EXPECT_NE(store->data(plane), nullptr);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(store->data(plane)) % 64, 0u);
        EXPECT_EQ(store->stride() * value_size(store->layout(), plane) % 64, 0);
      }
      EXPECT_EQ(store->data(Plane::hops), nullptr);
    }
  }
  const auto store =
      make_memory_store({5, ValueType::i32, Semiring::min_plus, 2, {Plane::distance}});
  write_sample(*store);
  const auto* data = static_cast<const std::int32_t*>(store->data(Plane::distance));
  EXPECT_EQ(data[3 * store->stride() + 4], sample_distance<semiring::MinPlus<std::int32_t>>(3, 4));
}

TEST(Store, RefusesWrongCalls) {
  MemoryFileSystem files;
  const Layout good{20, ValueType::f32, Semiring::min_plus, 8, {Plane::distance}};
  const auto usage = [](auto&& call) { return error_of(call).kind() == ErrorKind::usage; };
  const auto with = [&](auto change) {
    Layout layout = good;
    change(layout);
    return layout;
  };
  for (const Layout& bad : {with([](Layout& l) { l.n = -1; }), with([](Layout& l) { l.tile = 0; }),
                            with([](Layout& l) { l.tile = 1 << 20; }),
                            with([](Layout& l) { l.planes = {Plane::via}; }), with([](Layout& l) {
                              l.planes = {Plane::distance, Plane::distance};
                            }),
                            with([](Layout& l) { l.type = ValueType::boolean; })}) {
    EXPECT_TRUE(usage([&] { make_memory_store(bad); }));
    EXPECT_TRUE(usage([&] { create_store("a.zarr", bad, {false, &files}); }));
    EXPECT_TRUE(usage([&] { create_store("a.npy", bad, {false, &files}); }));
  }
  const Layout none = with([](Layout& l) { l.planes.clear(); });
  EXPECT_TRUE(usage([&] { make_memory_store(none); }));
  EXPECT_TRUE(usage([&] { create_store("a.npy", none, {false, &files}); }));
  EXPECT_TRUE(usage([&] { create_store("a.zarr", none, {false, &files})->commit(Graph(), {}); }));
  EXPECT_TRUE(usage([&] { create_store("a.txt", good, {false, &files}); }));
  EXPECT_TRUE(usage([&] {
    create_store("a.npy", with([](Layout& l) { l.planes.push_back(Plane::via); }), {false, &files});
  }));
  std::vector<float> values(400);
  for (const std::string path : {"memory", "a.npy", "a.zarr"}) {
    const auto store =
        path == "memory" ? make_memory_store(good) : create_store(path, good, {false, &files});
    const auto write = [&](Block block) {
      store->write(Plane::distance, block, values.data(), 20);
    };
    EXPECT_TRUE(usage([&] { write({1, 0, 7, 8}); }));
    EXPECT_TRUE(usage([&] { write({0, 0, 8, 7}); }));
    EXPECT_TRUE(usage([&] { write({0, 0, 24, 8}); }));
    EXPECT_TRUE(usage([&] { store->write(Plane::hops, {0, 0, 8, 8}, values.data(), 20); }));
    EXPECT_TRUE(usage([&] { store->read(Plane::distance, {0, -1, 1, 1}, values.data(), 20); }));
    EXPECT_TRUE(usage([&] { store->read(Plane::distance, {20, 0, 1, 1}, values.data(), 20); }));
    EXPECT_TRUE(usage([&] { store->read(Plane::via, {0, 0, 1, 1}, values.data(), 20); }));
    write({8, 0, 12, 20});
    if (path == "memory") continue;
    EXPECT_TRUE(usage([&] { store->commit(Graph(), {}); })) << "tiles are missing";
    write({0, 0, 8, 20});
    store->commit(Graph(), {});
    EXPECT_TRUE(usage([&] { store->commit(Graph(), {}); })) << "twice";
    EXPECT_TRUE(usage([&] { write({0, 0, 8, 20}); })) << "after the commit";
  }
}

TEST(Store, MissingPathsAreInputOutputErrors) {
  MemoryFileSystem files;
  const Layout layout{3, ValueType::f32, Semiring::min_plus, 2, {Plane::distance}};
  for (const char* path : {"nowhere/a.npy", "nowhere/a.zarr"}) {
    for (const auto& call : std::vector<std::function<void()>>{
             [&] {
               create_store(path, layout, {false, &files});
             },
             [&] { open_store(path, Semiring::min_plus, &files); }}) {
      EXPECT_ERROR(input_output, call()) << path;
    }
  }
}

// Graph, labels, attributes and per-vertex values beside the distances.

Layout layout_of(std::int64_t n) {
  return {n, ValueType::i32, Semiring::min_plus, 4, {Plane::distance}};
}

void expect_graph_and_metadata_back(bool on_disk, bool compress, bool directed, bool labelled,
                                    std::int64_t n) {
  MemoryFileSystem files;
  const Graph graph = sample_graph(n, directed, labelled);
  const Metadata metadata = sample_metadata(n);
  auto store = on_disk ? create_store("a.zarr", layout_of(n), {compress, &files})
                       : make_memory_store(layout_of(n));
  write_sample(*store);
  EXPECT_FALSE(store->graph());
  store->commit(graph, metadata);
  if (on_disk) store = open_store("a.zarr", Semiring::min_plus, &files);
  const std::optional<Graph> back = store->graph();
  ASSERT_TRUE(back);
  EXPECT_EQ(back->digest(), graph.digest());
  EXPECT_EQ(back->edge_count(), graph.edge_count());
  EXPECT_EQ(back->loop_count(), graph.loop_count());
  EXPECT_EQ(back->directed(), directed);
  EXPECT_EQ(back->labels().size(), labelled ? static_cast<std::size_t>(n) : 0u);
  if (n > 2) {
    EXPECT_EQ(back->name(2), labelled ? "vertex №4" : "3");
  }
  const Metadata again = store->metadata();
  EXPECT_EQ(again.attributes, metadata.attributes);
  ASSERT_EQ(again.vertex_values.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(again.vertex_values[i].name, metadata.vertex_values[i].name);
    EXPECT_EQ(again.vertex_values[i].values, metadata.vertex_values[i].values);
  }
}

TEST(GraphRoundTrip, GraphAndMetadataComeBack) {
  for (const unsigned kind : {0U, 1U, 3U}) {  // in memory, on the disk, compressed there
    for (const bool directed : {false, true}) {
      for (const bool labelled : {false, true}) {
        for (const std::int64_t n : {0, 1, 3, 4, 23}) {
          SCOPED_TRACE(testing::Message() << kind << directed << labelled << " of " << n);
          expect_graph_and_metadata_back((kind & 1U) != 0, (kind & 2U) != 0, directed, labelled, n);
        }
      }
    }
  }
}

TEST(Metadata, NpyDropsIt) {
  MemoryFileSystem files;
  const auto store = create_store("a.npy", layout_of(4), {false, &files});
  write_sample(*store);
  store->commit(sample_graph(4, true, true), sample_metadata(4));
  EXPECT_FALSE(open_store("a.npy", Semiring::min_plus, &files)->graph());
  EXPECT_EQ(open_store("a.npy", Semiring::min_plus, &files)->metadata().attributes, "{}");
}

TEST(Metadata, AMatrixMayHaveNoGraph) {
  MemoryFileSystem files;
  const auto store = create_store("a.zarr", layout_of(4), {false, &files});
  write_sample(*store);
  store->commit(Graph(), {});
  EXPECT_FALSE(store->graph());
  EXPECT_FALSE(open_store("a.zarr", Semiring::min_plus, &files)->graph());
}

TEST(Metadata, WhatCannotBeKeptIsRefused) {
  MemoryFileSystem files;
  const std::vector<Metadata> wrong = {{"[1]", {}},
                                       {"{", {}},
                                       {"", {}},
                                       {"{\"a\":\"\xFF\"}", {}},
                                       {"{}", {{"../x", {1, 2, 3}}}},
                                       {"{}", {{"", {1, 2, 3}}}},
                                       {"{}", {{"Upper", {1, 2, 3}}}},
                                       {"{}", {{"distance", {1, 2, 3}}}},
                                       {"{}", {{"twice", {1, 2, 3}}, {"twice", {1, 2, 3}}}},
                                       {"{}", {{"harmonic", {1, 2}}}}};
  for (const char* path : {"", "a.npy", "a.zarr"}) {
    const auto store = *path == '\0' ? make_memory_store(layout_of(3))
                                     : create_store(path, layout_of(3), {false, &files});
    write_sample(*store);
    for (const Metadata& metadata : wrong) {
      EXPECT_ERROR(usage, store->commit(Graph(), metadata)) << path << metadata.attributes;
    }
    EXPECT_THROW(store->commit(sample_graph(4, true, false), {}), Error) << "another size";
    store->commit(sample_graph(3, true, false), {"{}", {{"harmonic", {1, 2, 3}}}});
  }
}

TEST(Metadata, VectorsLongerThanAChunk) {
  MemoryFileSystem files;
  const ZarrGroup plain(files, "g", false);
  const std::int64_t count = 2 * kVectorChunk + 3;
  std::vector<std::uint32_t> values(static_cast<std::size_t>(count));
  std::vector<std::string> labels(static_cast<std::size_t>(kVectorChunk + 1));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * i);
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = std::to_string(i);
  const ArraySpec numbers = vector_spec("v", count, "uint32", 4, 0, "arc");
  const ArraySpec texts = vector_spec("t", kVectorChunk + 1, "string", 0, "", "vertex");
  plain.write_vector(numbers, std::span<const std::uint32_t>(values));
  plain.write_strings(texts, labels);
  EXPECT_EQ(files.list("g/v/c").size(), 3u);
  EXPECT_TRUE(plain.read_vector<std::uint32_t>(numbers) == values);
  EXPECT_TRUE(plain.read_strings(texts) == labels);
}

}  // namespace
}  // namespace apsp::store::round_trip_test
