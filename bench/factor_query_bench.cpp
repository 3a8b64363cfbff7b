// The cost of one distance and of one row from a factor (nested dissection), a row with the bytes
// that it reads; a source's 1,000 targets; many distances as the model chooses, all threads; and
// some arcs with other weights, compared with a whole elimination, one thread and two.
//
// Random pairs and sources of a graph's file, or of "roads:N", N vertices made here; medians of
// seven parts, of rows and of targets the least; the first line is what came before: order,
// symbolic and numeric elimination. 20 rows of some sources of the MANY pairs must agree with them,
// or the program ends with 1. Their first call has the memory's first touch. CHANGES 0: none. TYPE:
// of the values; the narrowest.
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "harness.hpp"
#include "paths/paths.hpp"
#include "planner/value_type.hpp"
#include "sparse/eliminate.hpp"
#include "sparse/factor_rows.hpp"
#include "sparse/grouped_pairs.hpp"
#include "sparse/pairs_method.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace {

using namespace apsp;

constexpr int kParts = 7;

using bench::seconds;

double median_microseconds(std::int64_t calls, const auto& act) {
  return 1e6 / static_cast<double>(calls) * bench::median_of(kParts, [&] {
           for (std::int64_t i = 0; i < calls; ++i) act();
         });
}

/// The least of some calls: the processor's time of one thread, or the clock of several.
double least_microseconds(std::int64_t calls, int threads, const auto& act) {
  double least = std::numeric_limits<double>::infinity();
  for (std::int64_t i = 0; i < calls; ++i) {
    const bench::Sample took = bench::timed(act);
    least = std::min(least, threads > 1 ? took.seconds : took.cpu_seconds);
  }
  return 1e6 * least;
}

/// Ends the program with 1 where pairs and rows disagree.
void compare_rows(const sparse::FactorRows& rows, std::span<const VertexPair> pairs,
                  const std::vector<double>& found) {
  constexpr std::size_t kRows = 20;
  const auto worker = rows.worker();
  system::AlignedMemory row(rows.vertices() * size_of(rows.type()));
  for (std::size_t i = 0; i < std::min(kRows, pairs.size()); ++i) {
    const Vertex source = pairs[i].from;
    worker->compute({&source, 1}, row.data(), rows.vertices());
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (pairs[k].from != source) continue;
      const double distance =
          paths::as_double(rows.semiring(), rows.type(),
                           row.data() + std::int64_t{pairs[k].to} * size_of(rows.type()), false);
      if (std::abs(distance - found[k]) <= 1e-5 * distance || distance == found[k]) continue;
      fmt::print("{} to {}: {} from a row, {} as a pair\n", source, pairs[k].to, distance,
                 found[k]);
      std::exit(1);
    }
  }
}

void run_many(const sparse::Factor& factor, const sparse::FactorRows& rows, std::int64_t many) {
  base::SplitMix64 random(2);
  const auto n = static_cast<std::uint64_t>(rows.vertices());
  std::vector<VertexPair> pairs(static_cast<std::size_t>(many));
  for (VertexPair& pair : pairs) {
    pair = {static_cast<Vertex>(random.below(n)), static_cast<Vertex>(random.below(n))};
  }
  std::vector<double> found(pairs.size());
  const auto take = [&](std::size_t i, const void* value) {
    found[i] = paths::as_double(factor.semiring(), factor.type(), value, false);
  };
  const int threads = system::thread_count(0);
  for (const char* const call : {"first", "second"}) {
    sparse::PairsMethod method;
    const bench::Sample took = bench::timed([&] {
      method = sparse::method_of_pairs(factor, pairs, system::available_memory() / 2);
      if (method.from == sparse::PairsFrom::groups) {
        return distances_by_groups(rows, pairs, method.by, threads, {}, take);
      }
      distances_by_labels(factor, rows.sign(), pairs, method.stored, threads, {}, take);
    });
    fmt::print(
        "{} pairs, the {} call, {}, {} threads: {:.2f} s, {:.2f} s of the processors, predicted "
        "{:.2f}\n",
        many, call,
        method.from == sparse::PairsFrom::groups
            ? "groups"
            : fmt::format("labels of {:.2f} GB in {} blocks",
                          static_cast<double>(method.bytes) / 1e9, method.stored.blocks),
        threads, took.seconds, took.cpu_seconds, method.seconds);
  }
  compare_rows(rows, pairs, found);
}

/// Bytes that a row reads of the factor and its tree on the way down, and writes.
std::int64_t bytes_of_row(const sparse::Factor& factor) {
  const sparse::Tree& tree = factor.tree();
  const std::int64_t positions = tree.vertices() + tree.upper_begin(tree.supernodes());
  const std::int64_t numbers = positions * std::int64_t{sizeof(std::int32_t)} +
                               tree.supernodes() * std::int64_t{16};  // first, slot, upper_begin
  return numbers + (tree.upper_entries() + tree.vertices()) * size_of(factor.type());
}

/// Adds up the values of the factor.
void tell_memory(const sparse::Factor& factor) {
  const std::int64_t words = factor.tree().upper_entries() * size_of(factor.type()) / 8;
  const auto* const first = reinterpret_cast<const std::uint64_t*>(factor.all_up());
  std::uint64_t sum = 0;
  const double took =
      least_microseconds(20, 1, [&] { sum = std::accumulate(first, first + words, sum); });
  fmt::print("adding up {:.1f} MB of values ({}) {:.1f} µs\n", 8e-6 * static_cast<double>(words),
             sum % 10, took);
}

void tell_row(const sparse::Factor& factor, int threads, double microseconds) {
  const auto bytes = static_cast<double>(bytes_of_row(factor));
  fmt::print("a row by {} threads {:.1f} µs: {:.1f} MB at {:.2f} GB/s\n", threads, microseconds,
             bytes / 1e6, bytes / 1e3 / microseconds);
}

/// Returns the tree.
std::shared_ptr<const sparse::Tree> run(const Graph& graph, std::int64_t pairs, std::int64_t many,
                                        std::optional<ValueType> requested) {
  const ValueType type = planner::choose_value_type(graph, Semiring::min_plus, requested).type;
  const kernels::Sign sign =
      graph.weight_facts().least < 0 ? kernels::Sign::any : kernels::Sign::non_negative;
  std::shared_ptr<const sparse::Tree> tree;
  std::shared_ptr<const sparse::Factor> factor;
  const double ordering = seconds([&] {
    const sparse::Pattern pattern = sparse::pattern_of(graph);
    tree = std::make_shared<const sparse::Tree>(pattern, sparse::nested_dissection(pattern));
  });
  const double eliminating = seconds([&] {
    factor = std::make_shared<const sparse::Factor>(sparse::eliminate(
        graph, tree, {Semiring::min_plus, type, sign, kernels::Cycles::possible, 1, {}}));
  });
  fmt::print("{} vertices, {}, height {}; order {:.3f} s, elimination {:.3f} s\n",
             graph.vertex_count(), name(type), tree->height(), ordering, eliminating);
  const sparse::FactorRows rows(factor, sign);
  base::SplitMix64 random(1);
  const auto n = static_cast<std::uint64_t>(graph.vertex_count());
  const auto draw = [&] { return static_cast<Vertex>(random.below(n)); };
  double value = 0;
  fmt::print("a pair {:.1f} µs\n", median_microseconds(pairs, [&] {
               const Vertex s = draw();
               rows.pair(s, draw(), &value);
             }));
  fmt::print("a pair, its source kept {:.1f} µs\n", median_microseconds(pairs, [&] {
               rows.pair(1 % static_cast<Vertex>(n), draw(), &value);
             }));
  std::vector<double> row(static_cast<std::size_t>(n));
  const std::int64_t calls = std::max<std::int64_t>(1, pairs / 50);
  fmt::print("without a copy of the factor, ");
  sparse::FactorQuery plain(*factor, sign);
  tell_row(*factor, 1, least_microseconds(calls, 1, [&] { plain.row(draw(), row.data()); }));
  sparse::DownwardCopies copies(*factor, 0);
  sparse::FactorQuery query(*factor, sign, &copies);
  fmt::print("a copy of {:.1f} MB at most {:.1f} µs\n",
             static_cast<double>(sparse::DownwardFactor::bytes(*tree, type)) / 1e6,
             1e6 * bench::timed([&] { copies.next_row(sparse::End::source, 1); }).cpu_seconds);
  for (const int threads : {1, 2, system::thread_count(0)}) {
    tell_row(*factor, threads,
             least_microseconds(calls, threads, [&] { query.row(draw(), row.data(), threads); }));
  }
  tell_memory(*factor);
  std::vector<VertexPair> targets(1000, {draw(), 0});
  for (VertexPair& pair : targets) pair.to = draw();
  const auto nobody = [](std::size_t, const void*) {};
  fmt::print("1,000 targets of a source {:.1f} µs\n", least_microseconds(calls, 1, [&] {
               distances_by_groups(rows, targets, sparse::End::source, 1, {}, nobody);
             }));
  if (many > 0) run_many(*factor, rows, many);
  return tree;
}

/// Some arcs with other weights against the whole elimination; both leave the same factor.
void update(const Graph& graph, const std::shared_ptr<const sparse::Tree>& tree, std::int64_t count,
            int threads) {
  base::SplitMix64 random(1);
  std::vector<Edge> edges, changes;
  graph.visit_all([&](Vertex u, Vertex v, double weight) { edges.push_back({u, v, weight}); });
  std::vector<VertexPair> arcs;
  for (std::int64_t i = 0; i < count; ++i) {
    Edge edge = edges[random.below(edges.size())];
    edge.weight += static_cast<double>(1 + random.below(9));
    changes.push_back(edge);
    arcs.push_back({edge.from, edge.to});
  }
  const Graph changed = with_changes(graph, changes);
  const ValueType type = planner::choose_value_type(changed, Semiring::min_plus, {}).type;
  const sparse::EliminationOptions options{
      Semiring::min_plus,        type,    kernels::Sign::non_negative,
      kernels::Cycles::excluded, threads, {}};
  const sparse::Factor before = sparse::eliminate(graph, tree, options);
  const double whole =
      1e3 * bench::median_of(kParts, [&] { sparse::eliminate(changed, tree, options); });
  const double again =
      1e3 * bench::median_of(kParts, [&] { sparse::customize(before, changed, arcs, options); });
  fmt::print("{} threads: the whole elimination {:.1f} ms, {} arcs changed {:.1f} ms\n", threads,
             whole, count, again);
}

}  // namespace

int main(int argc, char** argv) {
  std::string name, type;
  std::int64_t pairs = 1000, changes = 1000, many = 0;
  bench::Options options("apsp_factor_query_bench GRAPH|roads:N [PAIRS [CHANGES [MANY [TYPE]]]]");
  options.word(name).needs(1).word(pairs).word(changes).word(many).word(type);
  return options.run(argc, argv, [&] {
    const Graph graph = bench::graph_named(name);
    const auto tree = run(graph, pairs, many, parse_value_type(type));
    for (const int threads : {1, 2}) {
      if (changes > 0) update(graph, tree, changes, threads);
    }
  });
}
