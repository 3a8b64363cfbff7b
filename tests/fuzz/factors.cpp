#include <apsp/graph.hpp>
#include <array>
#include <vector>

#include "fuzz/checks.hpp"
#include "fuzz/damage.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/order.hpp"
#include "sparse/stored_factor.hpp"
#include "sparse/stored_paths.hpp"
#include "support/factor_file.hpp"

namespace apsp::fuzz {
namespace {

using namespace sparse;

/// A stored factor, and the graph that it is of.
struct Sample {
  Graph graph;
  Files files;
};

std::vector<Sample> make_samples() {
  std::vector<Sample> all;
  for (const bool directed : {false, true}) {
    const Graph graph = generate({.kind = directed ? GraphKind::gnp : GraphKind::grid,
                                  .vertices = 20,
                                  .probability = 0.12,
                                  .directed = directed});
    const Pattern pattern = pattern_of(graph);
    const Factor factor =
        eliminate(graph, std::make_shared<const Tree>(pattern, nested_dissection(pattern)),
                  {Semiring::min_plus, directed ? ValueType::f32 : ValueType::i32});
    store::MemoryFileSystem files;
    write_factor_file(files, "a.zarr", factor, graph, directed);
    all.push_back({graph, files.contents()});
  }
  return all;
}

}  // namespace

void check_factor(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Sample> samples = make_samples();
  Choices choices(data, size);
  const Sample& sample = samples[choices.below(samples.size())];
  Files files = sample.files;
  const Vertex s = static_cast<Vertex>(choices.below(20)),
               t = static_cast<Vertex>(choices.below(20));
  damage(files, choices);
  const auto system = in_memory(files);
  expect_an_error_at_most([&] {
    const auto stored = store::open_store("a.zarr", Semiring::min_plus, system.get());
    if (!holds_factor(*stored)) return;
    const auto factor = read_factor(*stored, sample.graph);
    FactorQuery query(*factor);
    std::array<double, 64> row{};
    query.distance(s, t, row.data());
    query.row(s, row.data());
  });
  expect_an_error_at_most([&] {
    const auto stored = store::open_store("a.zarr", Semiring::min_plus, system.get());
    if (!holds_factor(*stored) || !StoredPaths::reads(*stored)) return;
    const std::vector<VertexPair> pairs = {{s, t}, {t, s}};
    std::array<double, 2> values{};
    // In range of what the store says.
    if (stored->layout().n != 20) return;
    StoredPaths(*stored).distances(pairs, values.data());
  });
}

}  // namespace apsp::fuzz
