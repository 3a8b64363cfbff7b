// Rows of distances by a named producer, into a count, a sum and a maximum.
//
// K sources stand evenly along the producer's order, in whole blocks, or with --evenly among the
// vertices, one by one; without the option all do.
// --hops: every weight is 1. Prints one JSON object: seconds of building the producer and of the
// rows, the latter scaled to all sources beside the measured ones, and what was found.
#include <apsp/io.hpp>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "harness.hpp"
#include "search/breadth_first_rows.hpp"
#include "search/dijkstra_rows.hpp"
#include "search/reachability_rows.hpp"
#include "semiring/dispatch.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::string producer, graph;
  Semiring semiring = Semiring::min_plus;
  ValueType type = ValueType::i32;
  int threads = base::thread_count(0);
  std::int64_t sources = 0;
  bool evenly = false;
  bool hops = false;
  bool undirected = false;
};

std::unique_ptr<store::RowSource> produce(const Graph& graph, const Settings& settings) {
  if (settings.producer == "dijkstra") {
    return search::dijkstra_rows(graph, settings.semiring, settings.type);
  }
  if (settings.producer == "breadth-first") {
    return search::breadth_first_rows(graph, settings.type);
  }
  if (settings.producer == "reachability") return search::reachability_rows(graph);
  throw Error(ErrorKind::usage, "PRODUCER is dijkstra, breadth-first or reachability");
}

/// Of the pairs with a path, the diagonal left out.
struct Found {
  std::int64_t pairs = 0;
  double sum = 0;
  double greatest = 0;

  void add(const Found& other) {
    pairs += other.pairs;
    sum += other.sum;
    greatest = std::max(greatest, other.greatest);
  }
};

template <class S>
Found look_at(const typename S::Value* row, std::int64_t n, Vertex source) {
  using T = typename S::Value;
  // Sums of integers in integers: they become vectors, and are exact in any order.
  using Sum = std::conditional_t<std::is_integral_v<T>, std::int64_t, double>;
  std::int64_t pairs = 0;
  Sum sum = 0;
  T greatest = 0;
  for (std::int64_t j = 0; j < n; ++j) {
    const bool path = row[j] != S::zero();
    const T value = path ? row[j] : T(0);
    pairs += path ? 1 : 0;
    sum += static_cast<Sum>(value);
    greatest = value > greatest ? value : greatest;
  }
  return {pairs - 1, static_cast<double>(sum) - static_cast<double>(row[source]),
          static_cast<double>(greatest)};
}

/// The sources that are computed, block after block.
std::vector<Vertex> sources_of(const store::RowSource& source, const Settings& settings) {
  const std::int64_t n = source.vertices(), block = source.block_rows();
  std::vector<Vertex> sources;
  if (settings.evenly && settings.sources > 0) {
    const std::int64_t count = std::min(settings.sources, n);
    for (std::int64_t i = 0; i < count; ++i) sources.push_back(static_cast<Vertex>(i * n / count));
    return sources;
  }
  const std::int64_t all = (n + block - 1) / block;
  std::int64_t taken = settings.sources > 0 ? (settings.sources + block - 1) / block : all;
  taken = std::min(taken, all);
  for (std::int64_t i = 0; i < taken; ++i) {
    const std::int64_t first = i * all / taken * block;
    for (std::int64_t at = first; at < std::min(n, first + block); ++at) {
      sources.push_back(source.order()[static_cast<std::size_t>(at)]);
    }
  }
  return sources;
}

struct Run {
  Found found;
  std::int64_t sources = 0;
  double seconds = 0;
};

template <class S>
Run compute(const store::RowSource& source, const Settings& settings) {
  using T = typename S::Value;
  const std::int64_t n = source.vertices(), block = source.block_rows();
  const std::vector<Vertex> sources = sources_of(source, settings);
  const std::int64_t blocks = (std::ssize(sources) + block - 1) / block;
  struct alignas(64) Part {
    std::unique_ptr<store::RowSource::Worker> worker;
    base::AlignedMemory rows;
    Found found;
    std::int64_t sources = 0;
  };
  std::vector<Part> parts(static_cast<std::size_t>(settings.threads));
  Run run;
  run.seconds = bench::seconds([&] {
    base::share_items(blocks, settings.threads, [&](std::int64_t item, int member) {
      Part& own = parts[static_cast<std::size_t>(member)];
      if (own.worker == nullptr) {
        own.worker = source.worker();
        own.rows = base::AlignedMemory(block * n * static_cast<std::int64_t>(sizeof(T)));
      }
      const std::span<const Vertex> all(sources);
      const std::int64_t count = std::min(block, std::ssize(sources) - item * block);
      const auto part =
          all.subspan(static_cast<std::size_t>(item * block), static_cast<std::size_t>(count));
      own.worker->compute(part, own.rows.template as<T>(), n);
      for (std::int64_t i = 0; i < count; ++i) {
        own.found.add(
            look_at<S>(own.rows.template as<T>() + i * n, n, part[static_cast<std::size_t>(i)]));
      }
      own.sources += count;
    });
  });
  for (const Part& part : parts) {
    run.found.add(part.found);
    run.sources += part.sources;
  }
  return run;
}

Graph graph_for(const Settings& settings) {
  ReadOptions options;
  if (settings.undirected) options.directed = false;
  Graph graph = read_graph(settings.graph, options);
  if (!settings.hops) return graph;
  GraphBuilder builder(graph.vertex_count());
  graph.visit_all([&](Vertex u, Vertex v, double) { builder.add_edge(u, v, 1); });
  Graph hops = std::move(builder).build();
  return hops.symmetric() ? hops.as_undirected() : hops;
}

void run(const Settings& settings) {
  const Graph graph = graph_for(settings);
  std::unique_ptr<store::RowSource> source;
  const double building = bench::seconds([&] { source = produce(graph, settings); });
  const Run run = semiring::dispatch(source->semiring(), source->type(),
                                     [&]<class S>() { return compute<S>(*source, settings); });
  const double share = static_cast<double>(run.sources) / static_cast<double>(graph.vertex_count());
  fmt::print(
      "{{\"vertices\": {}, \"arcs\": {}, \"threads\": {}, \"sources\": {}, \"building\": {:.6f}, "
      "\"seconds\": {:.6f}, \"all_seconds\": {:.6f}, \"pairs\": {}, \"sum\": {:.17g}, "
      "\"greatest\": {:.17g}}}\n",
      graph.vertex_count(), graph.arc_count(), settings.threads, run.sources, building, run.seconds,
      run.seconds / share, run.found.pairs, run.found.sum, run.found.greatest);
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  std::string semiring = "min-plus";
  bench::Options options(
      "apsp_rows_bench PRODUCER GRAPH [--semiring NAME] [--type NAME] [--threads N] [--sources K] "
      "[--evenly] [--hops] [--undirected]");
  options.word(settings.producer).word(settings.graph).needs(2);
  options.value("--semiring", semiring).value("--type", settings.type);
  options.value("--threads", settings.threads).value("--sources", settings.sources);
  options.flag("--evenly", settings.evenly).flag("--hops", settings.hops);
  options.flag("--undirected", settings.undirected);
  return options.run(argc, argv, [&] {
    settings.semiring = parse_semiring(semiring).value();
    run(settings);
  });
}
