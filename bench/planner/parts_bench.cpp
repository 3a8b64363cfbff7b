// What the parts of sparse solves take on one graph, beside the counts that the planner's models go
// by: to fit their figures.
//
//   apsp_parts_bench GRAPH TYPE THREADS [--random GREATEST]
//
// GRAPH: a file, or KIND:VERTICES:EDGES of `apsp generate`. Prints one JSON object, seconds by all
// threads.
#include <fmt/format.h>
#include <apsp/generate.hpp>
#include <apsp/io.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <string>

#include "base/aligned_memory.hpp"
#include "base/random.hpp"
#include "base/team.hpp"
#include "elimination/eliminate.hpp"
#include "elimination/factor_rows.hpp"
#include "engine/produce_rows.hpp"
#include "query/statistics_pass.hpp"
#include "query/swept_statistics.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"

namespace {

using namespace apsp;

class Idle final : public store::ColumnSink {
 public:
  explicit Idle(bool once) : once_(once) {}
  bool pairs_once() const override { return once_; }
  Part& part() override { return part_; }

 private:
  struct Nothing final : Part {
    void begin(std::span<const Vertex>) override {}
    void take(std::span<const Vertex>, const void*, std::int64_t) override {}
    void end() override {}
  };
  bool once_;
  Nothing part_;
};

template <class F>
double seconds_of(F&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Graph graph_of(const std::string& words) {
  const std::size_t first = words.find(':');
  if (first == std::string::npos) return read_graph(words, {});
  const std::size_t second = words.find(':', first + 1);
  GenerateOptions options;
  const std::string kind = words.substr(0, first);
  options.vertices = std::atoll(words.c_str() + first + 1);
  const double edges = std::atof(words.c_str() + second + 1);
  const auto n = static_cast<double>(options.vertices);
  options.kind = kind == "grid"  ? GraphKind::grid
                 : kind == "gnp" ? GraphKind::gnp
                 : kind == "geo" ? GraphKind::geometric
                                 : GraphKind::rmat;
  if (kind == "gnp") options.probability = edges / (n * (n - 1));
  if (kind == "geo") options.radius = std::sqrt(edges / n / n / 3.14159 * 2);
  if (kind == "rmat") options.edges = static_cast<std::int64_t>(edges);
  return generate(options);
}

Graph weighted(const Graph& graph, std::uint64_t greatest) {
  base::SplitMix64 random(1);
  GraphBuilder builder(graph.vertex_count(), graph.directed());
  graph.visit_all([&](Vertex u, Vertex v, double) {
    if (!graph.directed() && v < u) return;
    builder.add_edge(u, v, 1 + static_cast<double>(random.below(greatest)));
  });
  return std::move(builder).build();
}

/// Seconds of a sample of rows, scaled to all.
double rows_seconds(const store::RowSource& source, std::int64_t rows, int threads) {
  const std::int64_t n = source.vertices();
  const std::int64_t block = source.block_rows();
  rows = std::min(n, std::max(rows, block * threads));
  std::vector<std::vector<std::byte>> out(static_cast<std::size_t>(threads));
  const double seconds = seconds_of([&] {
    std::atomic<std::int64_t> next{0};
    base::run_team(threads, [&](int member) {
      auto worker = source.worker();
      base::AlignedMemory memory(std::min(block, n) * n * size_of(source.type()));
      (void)member;
      for (;;) {
        const std::int64_t first = next.fetch_add(block);
        if (first >= rows) return;
        const std::int64_t count = std::min(block, rows - first);
        const std::int64_t from = rows < n && n > 4 * rows ? first * (n / rows) : first;
        worker->compute(source.order().subspan(static_cast<std::size_t>(std::min(from, n - count)),
                                               static_cast<std::size_t>(count)),
                        memory.data(), n);
      }
    });
  });
  return seconds * static_cast<double>(n) / static_cast<double>(rows);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) return 2;
  Graph graph = graph_of(argv[1]);
  if (argc > 5) graph = weighted(graph, static_cast<std::uint64_t>(std::atoll(argv[5])));
  const ValueType type = parse_value_type(argv[2]).value();
  const int threads = std::atoi(argv[3]);
  const bool undirected = graph.symmetric();
  std::shared_ptr<const elimination::Tree> tree;
  elimination::Pattern pattern = elimination::pattern_of(graph);
  elimination::Order order;
  const double ordering = seconds_of([&] { order = elimination::nested_dissection(pattern); });
  const double counting = seconds_of(
      [&] { tree = std::make_shared<const elimination::Tree>(pattern, order); });
  double sides = 0, entries[5] = {}, once[5] = {}, vertices[5] = {}, climb = 0;
  std::vector<double> below(static_cast<std::size_t>(tree->supernodes()));
  for (elimination::SupernodeId s = 0; s < tree->supernodes(); ++s) {
    const double w = tree->width(s), u = static_cast<double>(tree->upper_count(s));
    const int c = w < 2 ? 0 : w < 4 ? 1 : w < 16 ? 2 : w < 64 ? 3 : 4;
    sides += (w + u) * (w + u);
    entries[c] += w * u;
    vertices[c] += w;
    once[c] += w * u * tree->first(s + 1) / static_cast<double>(tree->vertices());
    below[s] += w;
    climb += below[s] * w * (w + u);
    if (tree->parent(s) >= 0) below[tree->parent(s)] += below[s];
  }
  const auto n = graph.vertex_count();
  fmt::print("{{\"graph\": \"{}\", \"type\": \"{}\", \"n\": {}, \"arcs\": {}, \"symmetric\": {}, ",
             argv[1], argv[2], n, graph.arc_count(), undirected);
  fmt::print("\"supernodes\": {}, \"height\": {}, \"sides\": {}, \"eliminated\": {}, \"climb\": {}, ",
             tree->supernodes(), tree->height(), sides, tree->elimination_relaxations(), climb);
  fmt::print("\"entries\": [{}], \"once\": [{}], \"widths\": [{}], ", fmt::join(entries, ", "),
             fmt::join(once, ", "), fmt::join(vertices, ", "));
  fmt::print("\"ordering\": {}, \"counting\": {}, ", ordering, counting);
  const double swept = static_cast<double>(n) * static_cast<double>(tree->upper_entries());
  if (swept < 3e12) {
    std::unique_ptr<elimination::Factor> factor;
    const auto sign = kernels::Sign::non_negative;
    const double eliminating = seconds_of([&] {
      factor = std::make_unique<elimination::Factor>(elimination::eliminate(
          graph, tree, {Semiring::min_plus, type, sign, kernels::Cycles::excluded, threads, {}}));
    });
    elimination::FactorRows rows(*factor, sign);
    Idle all(false), half(true);
    const double sweeping = seconds_of([&] { engine::produce_columns(rows, all, threads, {}); });
    const double sweeping_once =
        undirected ? seconds_of([&] { engine::produce_columns(rows, half, threads, {}); }) : 0;
    query::SweptStatistics statistics(graph, Semiring::min_plus, type, 30000, undirected);
    const double swept_statistics =
        seconds_of([&] { engine::produce_columns(rows, statistics, threads, {}); });
    const double turned = rows_seconds(rows, 20000, threads);
    fmt::print("\"eliminating\": {}, \"sweeping\": {}, \"sweeping_once\": {}, "
               "\"swept_statistics\": {}, \"rows\": {}, ",
               eliminating, sweeping, sweeping_once, swept_statistics, turned);
  }
  const auto dijkstra = search::dijkstra_rows(graph, Semiring::min_plus, type, nullptr, 30000);
  fmt::print("\"dijkstra\": {}", rows_seconds(*dijkstra, 200, threads));
  if (graph.weight_facts().unit) {
    const auto searches = search::breadth_first_rows(graph, type);
    fmt::print(", \"bfs\": {}", rows_seconds(*searches, 4096, threads));
  }
  fmt::print("}}\n");
}
