// Matrices of some rows and columns: where they are found, what files make of them.
#include "store/selection.hpp"

#include "base/json.hpp"
#include "flow/derived_store.hpp"
#include "flow/store_rows.hpp"
#include "store/store.hpp"
#include "store/zarr_root.hpp"
#include "support/address_limit.hpp"
#include "support/memory_file_system.hpp"
#include "support/sample_store.hpp"
#include "support/test.hpp"
#include "support/watched.hpp"

namespace apsp::flow::selection_test {
namespace {

constexpr std::int64_t kSelectionVertices = 53;
const store::Selection kSome{{40, 3, 52, 0, 17, 18, 19}, {5, 40, 1}};

store::Layout layout_of(const store::Selection& selection, std::int64_t tile = 4) {
  return {.n = kSelectionVertices,
          .type = ValueType::i32,
          .semiring = Semiring::min_plus,
          .tile = tile,
          .selection = selection};
}

std::int32_t value_of(Vertex source, Vertex target) {
  return static_cast<std::int32_t>(1000 * source + target);
}

/// Gives all rows to a sink, from the last to the first, a row at a time.
void give_backwards(RowSink& sink, const store::Layout& layout) {
  for (std::int64_t row = layout.rows() - 1; row >= 0; --row) {
    const Vertex source = layout.source(row);
    std::vector<std::int32_t> values;
    for (std::int64_t col = 0; col < layout.cols(); ++col) {
      values.push_back(value_of(source, layout.target(col)));
    }
    sink.take({{&source, 1}, values.data(), layout.cols(), ValueType::i32});
  }
  sink.finish();
}

void fill(store::Store& store) {
  StoreRows rows(store, 2);
  give_backwards(rows, store.layout());
}

void expect_filled(const store::Store& store) {
  const store::Layout& layout = store.layout();
  std::vector<std::int32_t> values(static_cast<std::size_t>(layout.rows() * layout.cols()));
  store.read(store::Plane::distance, {0, 0, layout.rows(), layout.cols()}, values.data(),
             layout.cols());
  for (std::int64_t row = 0; row < layout.rows(); ++row) {
    for (std::int64_t col = 0; col < layout.cols(); ++col) {
      EXPECT_EQ(values[static_cast<std::size_t>(row * layout.cols() + col)],
                value_of(layout.source(row), layout.target(col)));
    }
  }
}

std::vector<store::Selection> selections() {
  return {kSome, {kSome.sources, {}}, {{}, kSome.targets}, {{7}, {7}}, {{9}, {}}, {}};
}

TEST(Positions, AreThoseOfTheListOrOfAllVertices) {
  const store::Positions some(kSelectionVertices, kSome.sources), all(kSelectionVertices, {});
  EXPECT_EQ(some.count(), 7);
  EXPECT_EQ(some.of(40), 0);
  EXPECT_EQ(some.of(19), 6);
  EXPECT_EQ(some.of(41), std::nullopt);
  EXPECT_EQ(some.of(kSelectionVertices), std::nullopt);
  EXPECT_EQ(all.count(), kSelectionVertices);
  EXPECT_EQ(all.of(41), 41);
  EXPECT_EQ(all.of(kSelectionVertices), std::nullopt);
}

TEST(Selection, HoldsWhatTheGraphHasOnce) {
  const auto refusal = [](const store::Selection& selection) {
    EXPECT_ERROR(usage, store::make_memory_store(layout_of(selection)));
  };
  refusal({{1, 2, 1}, {}});
  refusal({{}, {kSelectionVertices}});
}

/// A damaged file may claim four billion vertices.
TEST(Selection, TakesTheMemoryOfItsListNotOfAllVertices) {
  if (watched()) GTEST_SKIP() << "the tool takes addresses of its own";
  constexpr std::int64_t kMost = std::numeric_limits<Vertex>::max();
  const AddressLimit limit(std::int64_t{16} << 20);
  EXPECT_NO_THROW(store::require_distinct({}, kMost, "sources"));
  EXPECT_NO_THROW(store::require_distinct({9, 1}, kMost, "sources"));
  EXPECT_ERROR(usage, store::require_distinct({9, 1, 9}, kMost, "sources"));
}

TEST(Selection, IsKeptInMemoryAndInFiles) {
  for (const store::Selection& selection : selections()) {
    for (const std::int64_t tile : {1, 4, 1024}) {
      const store::Layout layout = layout_of(selection, tile);
      const auto memory = store::make_memory_store(layout);
      fill(*memory);
      expect_filled(*memory);
      for (const char* const path : {"x.npy", "x.zarr"}) {
        store::MemoryFileSystem files;
        const auto store = store::create_store(path, layout, {.file_system = &files});
        fill(*store);
        store->commit(store::sample_graph(kSelectionVertices, true, true), {});
        const auto opened = store::open_store(path, Semiring::min_plus, &files, &layout);
        EXPECT_EQ(opened->layout().selection, selection);
        expect_filled(*opened);
      }
    }
  }
}

TEST(Selection, OfACompressedGroupIsRead) {
  store::MemoryFileSystem files;
  const auto store =
      store::create_store("x.zarr", layout_of(kSome), {.compress = true, .file_system = &files});
  fill(*store);
  store->commit({}, {});
  expect_filled(*store::open_store("x.zarr", Semiring::min_plus, &files));
}

TEST(Selection, IsRefusedByReadersOfTheFirstVersion) {
  for (const store::Selection& selection : selections()) {
    store::MemoryFileSystem files;
    const auto store = store::create_store("x.zarr", layout_of(selection), {.file_system = &files});
    fill(*store);
    store->commit({}, {});
    const auto root = nlohmann::json::parse(files.read_text("x.zarr/zarr.json"));
    const auto& apsp = root["attributes"]["apsp"];
    EXPECT_EQ(apsp["format_version"], selection.all() ? 1 : 2);
    EXPECT_EQ(apsp.contains("sources"), !selection.all());
    if (selection.all()) continue;
    const auto count = [](const store::VertexList& list) {
      return list.is_all() ? nlohmann::json() : nlohmann::json(list.size(0));
    };
    EXPECT_EQ(apsp["sources"], count(selection.sources));
    EXPECT_EQ(apsp["targets"], count(selection.targets));
  }
}

/// What is wrong with a group once `from` is replaced by `to` in its document.
Error damage(const std::string& from, const std::string& to) {
  store::MemoryFileSystem files;
  const auto store = store::create_store("x.zarr", layout_of(kSome), {.file_system = &files});
  fill(*store);
  store->commit({}, {});
  std::string text = files.read_text("x.zarr/zarr.json");
  text.replace(text.find(from), from.size(), to);
  files.write_atomically("x.zarr/zarr.json", std::as_bytes(std::span(text)));
  return error_of([&] { store::open_store("x.zarr", Semiring::min_plus, &files); });
}

TEST(Selection, OfADamagedGroupIsNamed) {
  const Error many = damage("\"sources\": 7", "\"sources\": 70");
  EXPECT_EQ(many.kind(), ErrorKind::input);
  damage("\"sources\": 7", "\"sources\": 0");
  damage("\"sources\": 7", "\"sources\": 6");
  damage("\"targets\": 3", "\"targets\": null");
  damage("\"vertices\": 53", "\"vertices\": 50");
}

TEST(Selection, InAnNpyIsTheCallersWord) {
  store::MemoryFileSystem files;
  const store::Layout layout = layout_of(kSome);
  const auto store = store::create_store("x.npy", layout, {.file_system = &files});
  fill(*store);
  store->commit({}, {});
  EXPECT_ERROR(input, store::open_store("x.npy", Semiring::min_plus, &files));
  const store::Layout other = layout_of({kSome.sources, {}});
  EXPECT_ERROR(input, store::open_store("x.npy", Semiring::min_plus, &files, &other));
}

TEST(SelectedStore, IsPickedOutOfAWholeMatrix) {
  const auto whole = store::make_memory_store(layout_of({}));
  fill(*whole);
  for (const store::Selection& selection : selections()) {
    SelectedStore some(*whole, selection);
    expect_filled(some);
    std::int32_t value = 0;
    EXPECT_ERROR(usage, some.write(store::Plane::distance, {0, 0, 1, 1}, &value, 1));
    EXPECT_ERROR(usage, some.commit({}, {}));
    const std::int64_t rows = some.layout().rows();
    EXPECT_ERROR(usage, some.read(store::Plane::distance, {rows, 0, 1, 1}, &value, 1));
  }
}

}  // namespace
}  // namespace apsp::flow::selection_test
