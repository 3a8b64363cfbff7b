#include <array>
#include <cstring>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/damage.hpp"
#include "store/disk_matrix.hpp"
#include "store/leftovers.hpp"
#include "support/sample_store.hpp"

namespace apsp::fuzz {
namespace {

using namespace store;

constexpr std::int64_t kN = 7;

void write_result(FileSystem& files, const std::string& path, const Layout& layout, bool compress) {
  const auto made = create_store(path, layout, {compress, &files});
  for (const Plane plane : layout.planes) {
    const Block all{0, 0, layout.rows(), layout.cols()};
    made->write(plane, all, sample_block(layout, plane, all, layout.cols()).data(), layout.cols());
  }
  made->commit(sample_graph(kN, true, compress), sample_metadata(kN));
}

/// Some results, each in files of its own.
std::vector<Files> make_results() {
  std::vector<Files> all;
  for (int kind = 0; kind < 5; ++kind) {
    MemoryFileSystem files;
    Layout layout{kN, ValueType::f32, Semiring::min_plus, 4, {Plane::distance, Plane::hops}};
    if (kind == 1) layout.type = ValueType::u16;
    if (kind == 2) layout.planes = {Plane::distance, Plane::predecessor};
    if (kind == 3) {
      layout.planes = {Plane::distance};
      layout.selection.sources = {5, 1, 2};
      layout.selection.targets = {0, 6, 3, 4};
    }
    if (kind == 4) layout.planes = {Plane::distance};
    write_result(files, kind == 4 ? "a.npy" : "a.zarr", layout, kind % 2 == 1);
    all.push_back(files.contents());
  }
  return all;
}

JournalHead head_of(ValueType type, bool rows) {
  JournalHead head;
  head.layout = {kN, type, Semiring::min_plus, 2, {Plane::distance}};
  if (rows) head.layout.planes.push_back(Plane::predecessor);
  const Graph graph = sample_graph(kN, true, rows);
  head.recipe = {graph.digest(), rows ? "johnson" : "floyd-warshall"};
  return head;
}

/// A .zarr that was filled in part, and a matrix on disk between two steps.
std::vector<Files> make_leftovers() {
  std::vector<Files> all;
  {
    MemoryFileSystem files;
    {
      const JournalHead head = head_of(ValueType::u16, true);
      const auto begun = create_store("a.zarr", head.layout, {false, &files});
      begun->keep_journal(sample_graph(kN, true, true), head.recipe);
      for (const std::int64_t band : {2, 0}) {
        const Block rows{band * 2, 0, 2, kN};
        begun->write(Plane::distance, rows,
                     sample_block(head.layout, Plane::distance, rows, kN).data(), kN);
      }
    }
    all.push_back(files.contents());
  }
  {
    MemoryFileSystem files;
    {
      DiskMatrix matrix(files, "a.npy", head_of(ValueType::u16, false),
                        sample_graph(kN, true, false));
      std::vector<std::uint16_t> values(kN * kN, 3);
      for (const std::int64_t pivots : {0, 2, 4}) {
        matrix.write_block({0, 0, kN, kN}, values.data(), kN);
        matrix.commit_step(pivots);
      }
    }
    all.push_back(files.contents());
  }
  return all;
}

void read_all(FileSystem& files, const std::string& path) {
  const auto opened = open_store(path, Semiring::min_plus, &files);
  const Layout& layout = opened->layout();
  if (layout.rows() > 64 || layout.cols() > 64) return;
  std::vector<std::byte> values(static_cast<std::size_t>(64 * 64 * 8));
  for (const Plane plane : layout.planes) {
    opened->read(plane, {0, 0, layout.rows(), layout.cols()}, values.data(), layout.cols());
  }
  opened->graph_digest();
  opened->graph();
  opened->metadata();
  for (const Array& array : opened->arrays()) {
    if (array.length > 4096) continue;
    std::vector<std::byte> numbers(static_cast<std::size_t>(array.length) * 8);
    opened->read_array(array, numbers.data());
  }
}

void go_on(FileSystem& files, const std::string& output) {
  const auto earlier = find_resumable(files, output);
  if (!earlier) return;
  earlier->graph(files);
  if (earlier->contents.head.layout.n > 64) return;
  if (earlier->contents.checkpoint) {
    DiskMatrix matrix(files, *earlier, head_of(ValueType::u16, false));
    std::vector<std::uint16_t> values(kN * kN);
    matrix.read(Plane::distance, {0, 0, kN, kN}, values.data(), kN);
    return;
  }
  const JournalHead head = head_of(ValueType::u16, true);
  const auto resumed = resume_store(files, *earlier, head, sample_graph(kN, true, true));
  std::vector<std::uint16_t> values(kN * kN);
  for (std::int64_t band = 0; band < 4; ++band) {
    if (!resumed->holds_band(band)) continue;
    const Block rows{band * 2, 0, std::min<std::int64_t>(2, kN - band * 2), kN};
    resumed->read(Plane::distance, rows, values.data(), kN);
  }
}

}  // namespace

void check_store(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Files> results = make_results();
  Choices choices(data, size);
  Files files = results[choices.below(results.size())];
  const bool npy = files.contains("a.npy");
  damage(files, choices);
  expect_an_error_at_most([&] {
    const auto system = in_memory(files);
    read_all(*system, npy ? "a.npy" : "a.zarr");
  });
}

void check_ledger(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Files> leftovers = make_leftovers();
  Choices choices(data, size);
  const std::size_t kind = choices.below(leftovers.size());
  const std::string output = kind == 0 ? "a.zarr" : "a.npy";
  Files files = leftovers[kind];
  damage(files, choices);
  const auto system = in_memory(files);
  expect_an_error_at_most([&] { find_leftovers(*system, output); });
  expect_an_error_at_most([&] { go_on(*system, output); });
  expect_an_error_at_most([&] { clean_leftovers(*system, output); });
}

}  // namespace apsp::fuzz
