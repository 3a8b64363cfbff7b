// The graph that all programs of bench/sparse/run read: the largest component of a file's graph, or
// of a random one, as DIMACS of directed arcs.
//
// --hops: every weight is 1. --random: integers 1 … GREATEST by the seed 1, the same both ways of
// an undirected edge. --undirected: edges of the file lead both ways. Components are weak ones.
#include "graph/components.hpp"
#include "harness.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::string in, out;
  bool hops = false;
  std::uint64_t greatest = 0;  // of random weights; 0: those of the file
  bool undirected = false;
};

/// [n] the number of each vertex in the largest component, −1 outside.
std::vector<std::int64_t> numbers_of_largest(const Graph& graph, std::int64_t& count) {
  const Components components = weak_components(graph);
  std::vector<std::int64_t> size(static_cast<std::size_t>(components.count), 0);
  for (const std::int64_t c : components.of) ++size[static_cast<std::size_t>(c)];
  const auto largest = std::max_element(size.begin(), size.end()) - size.begin();
  std::vector<std::int64_t> number;
  count = 0;
  for (const std::int64_t c : components.of) number.push_back(c == largest ? count++ : -1);
  return number;
}

void prepare(const Settings& settings) {
  ReadOptions reading;
  if (settings.undirected) reading.directed = false;
  const Graph graph = bench::graph_named(settings.in, reading);
  std::int64_t n = 0;
  const std::vector<std::int64_t> number = numbers_of_largest(graph, n);
  base::SplitMix64 random(1);
  GraphBuilder builder(n);
  graph.visit_all([&](Vertex u, Vertex v, double weight) {
    if (number[u] < 0 || (!graph.directed() && v < u)) return;
    if (settings.hops) weight = 1;
    if (settings.greatest > 0) weight = 1 + static_cast<double>(random.below(settings.greatest));
    const auto from = static_cast<Vertex>(number[u]), to = static_cast<Vertex>(number[v]);
    builder.add_edge(from, to, weight);
    if (!graph.directed() && u != v) builder.add_edge(to, from, weight);
  });
  const Graph largest = std::move(builder).build();
  write_graph(largest, settings.out, GraphFormat::dimacs);
  fmt::print("{{\"vertices\": {}, \"arcs\": {}, \"of_vertices\": {}}}\n", n, largest.arc_count(),
             graph.vertex_count());
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_prepare_graph GRAPH|rmat:VERTICES:EDGES|gnp:VERTICES:EDGES OUT.gr");
  options.word(settings.in).word(settings.out).needs(2)("--hops", settings.hops);
  options("--random GREATEST", settings.greatest)("--undirected", settings.undirected);
  return options.run(argc, argv, [&] { prepare(settings); });
}
