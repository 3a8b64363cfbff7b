#include "cluster/cluster_plan.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <array>
#include <cmath>
#include <string>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cluster/launch.hpp"
#include "store/file_system.hpp"
#include "system/machine.hpp"

namespace apsp::cluster {
namespace {

constexpr double kFlops = 2;  // of a relaxation
constexpr double kBytes = 4;  // of a value: f32

constexpr std::array<std::int64_t, 7> kTiles = {256, 384, 512, 768, 1024, 1536, 2048};
/// Packed panels: a row and a column of tiles, in two sets.
constexpr double kPanels = 4;
constexpr double kHostShare = 0.8;

struct Step {
  const Cluster& cluster;
  NodeGrid grid;
  std::int64_t n, b;

  /// Rows or columns of the process with the most tiles.
  std::int64_t most_held(int members) const {
    const std::int64_t tiles = (n + b - 1) / b;
    return std::min(n, (tiles + members - 1) / members * b);
  }
  std::int64_t rows() const { return most_held(grid.p_r()); }
  std::int64_t columns() const { return most_held(grid.p_c()); }

  double product(std::int64_t m, std::int64_t k, std::int64_t depth) const {
    if (m == 0 || k == 0) return 0;
    return cluster.launch_seconds + static_cast<double>(m) * static_cast<double>(k) *
                                        static_cast<double>(depth) /
                                        (cluster.relaxations * cluster.fill(m, k));
  }
  double closing() const {
    if (cluster.pivot_seconds > 0) {
      return cluster.launch_seconds + static_cast<double>(b) * cluster.pivot_seconds;
    }
    const double t_f = 1 / (2 * cluster.relaxations * cluster.fill(b, b));
    return cluster.launch_seconds + closing_seconds(static_cast<double>(b), t_f);
  }
  double work() const { return product(rows(), columns(), b); }
  double panel() const { return product(std::max(rows(), columns()), b, b); }

  /// Seconds in which a member sends `bytes` to the next one, on another node or its own, while
  /// `beside` ranks of its node do so too.
  double hop(double bytes, bool between_nodes, int beside) const {
    const double latency =
        2 * cluster.link_seconds + (between_nodes ? 2 * cluster.card_seconds : 0);
    const double link = bytes / cluster.link_rate;
    return latency + (between_nodes ? std::max(link, through_cards(bytes, beside)) : link);
  }
  /// Seconds of so many lines of a node, which share its cards, at `bytes` each.
  double through_cards(double bytes, int lines) const {
    const int used = std::min(lines, cluster.cards);
    return bytes * lines / (between() * used / cluster.cards);
  }
  /// Seconds of a binomial tree along a line of `nodes` × `within` members, with `beside` lines at
  /// the same time.
  double tree(double bytes, int nodes, int within, int beside) const {
    return std::ceil(std::log2(nodes)) * hop(bytes, true, beside) +
           std::ceil(std::log2(within)) * hop(bytes, false, beside);
  }

  double between() const { return cluster.rate_among(grid.k_r * grid.k_c); }
  double tile_bytes() const { return kBytes * static_cast<double>(b * b); }
  double row_panel() const { return kBytes * static_cast<double>(b * columns()); }  // along columns
  double column_panel() const { return kBytes * static_cast<double>(b * rows()); }  // along rows

  /// The tile leaves its owner for the row and for the column, through one card.
  double closed_by_tree() const {
    const double second = grid.k_r > 1 && grid.k_c > 1 ? through_cards(tile_bytes(), 1) : 0;
    return second + std::max(tree(tile_bytes(), grid.k_r, grid.q_r, 1),
                             tree(tile_bytes(), grid.k_c, grid.q_c, 1));
  }
  double panels_by_tree() const {
    return tree(row_panel(), grid.k_r, grid.q_r, grid.q_c) +
           tree(column_panel(), grid.k_c, grid.q_c, grid.q_r);
  }
  /// A ring passes everything once through each card, and once into and out of each GPU.
  double panels_by_ring() const {
    double card = 0;
    if (grid.k_r > 1) card += row_panel() * grid.q_c / between();
    if (grid.k_c > 1) card += column_panel() * grid.q_r / between();
    return std::max(card, (row_panel() + column_panel()) / cluster.link_rate);
  }
  /// Seconds of a message to the next member of its line of `nodes` × `within`, beside `lines` from
  /// the same node. The next member is on another node in one step of `within`.
  double to_next(double bytes, int nodes, int within, int lines) const {
    const double link = bytes / cluster.link_rate;
    const double card = nodes > 1 ? std::max(link, through_cards(bytes, lines)) : link;
    return (card + (within - 1) * link) / within;
  }
  /// To the next row, along columns, and to the next column, along rows.
  double to_both(double along_columns, double along_rows, int columns, int rows) const {
    return to_next(along_columns, grid.k_r, grid.q_r, columns) +
           to_next(along_rows, grid.k_c, grid.q_c, rows);
  }
  /// The time from a closed tile to the next one. A hop of a ring goes to a neighbour. Waiting for
  /// trees of panels is added by `predict_on_cluster`.
  double chain(const dense::Broadcasts& by) const {
    double seconds = product(b, b, b) + closing() + panel();
    if (grid.p() == 1) return seconds;
    const double latency = hop(0, grid.k_r > 1 || grid.k_c > 1, 1);
    seconds += by.diagonal == dense::Broadcast::ring
                   ? latency + to_both(tile_bytes(), tile_bytes(), 1, 1)
                   : closed_by_tree();
    if (by.panels != dense::Broadcast::ring) return seconds;
    return seconds + latency + to_both(row_panel(), column_panel(), grid.q_c, grid.q_r);
  }
};

double bytes_held(const NodeGrid& grid, double n, double b, bool offloaded) {
  const double rows = n / grid.p_r(), columns = n / grid.p_c();
  const double panels = kPanels * kBytes * b * (rows + columns) / 2;
  // Three buffers of rows of the matrix stream through.
  return panels + (offloaded ? 3 * kBytes * b * columns : kBytes * rows * columns);
}

bool fits_cluster(const Cluster& cluster, const NodeGrid& grid, double n, double b,
                  bool offloaded) {
  const double part = kBytes * n * n / grid.p();
  const bool in_host = part * grid.q_r * grid.q_c <= kHostShare * cluster.host_bytes;
  return bytes_held(grid, n, b, offloaded) <= cluster.gpu_bytes && (!offloaded || in_host);
}

}  // namespace

int square_side(int count) {
  int side = 1;
  for (int factor = 1; factor * factor <= count; ++factor) {
    if (count % factor == 0) side = factor;
  }
  return side;
}

NodeGrid balanced_grid(int nodes, int ranks_per_node) {
  const int k = square_side(nodes), q = square_side(ranks_per_node);
  // The longer sides are perpendicular, so that P_r ≈ P_c too.
  return {.k_r = nodes / k, .k_c = k, .q_r = q, .q_c = ranks_per_node / q};
}

NodeGrid plain_grid(int nodes, int ranks_per_node) {
  const int rows = square_side(nodes * ranks_per_node);
  const int columns = nodes * ranks_per_node / rows;
  int across = ranks_per_node;  // of a node's ranks, in one row
  while (columns % across != 0) --across;
  while (ranks_per_node % across != 0 || columns % across != 0) --across;
  const int down = ranks_per_node / across;
  if (rows % down != 0) return balanced_grid(nodes, ranks_per_node);
  return {.k_r = rows / down, .k_c = columns / across, .q_r = down, .q_c = across};
}

FwCosts costs_on(const Cluster& cluster, const NodeGrid& grid, double n) {
  return {.n = n,
          .grid = grid,
          .t_f = 1 / (kFlops * cluster.relaxations),
          .t_w = kBytes / cluster.node_rate()};
}

double computation_seconds(const FwCosts& c) { return 2 * c.n * c.n * c.n * c.t_f / c.grid.p(); }

double node_communication_seconds(const FwCosts& c) {
  return c.t_w * (c.n * c.n / c.grid.k_r + c.n * c.n / c.grid.k_c);
}

double closing_seconds(double b, double t_f) { return 2 * b * b * b * std::log2(b) * t_f; }

double least_node_values(double n, int nodes) {
  const NodeGrid grid = balanced_grid(nodes, 1);
  return n * n / grid.k_r + n * n / grid.k_c;
}

double effective_bandwidth(double n, int nodes, int value_bytes, double seconds) {
  return value_bytes * least_node_values(n, nodes) / seconds;
}

int bandwidth_nodes(int processes, int of_machine) {
  const int machines = processes / std::max(1, of_machine);
  return machines > 1 ? machines : processes;
}

double least_overlapping_n(const FwCosts& c) {
  return c.t_w * (1.0 / c.grid.k_r + 1.0 / c.grid.k_c) * c.grid.p() / (2 * c.t_f);
}

double offload_seconds(const OffloadCosts& c, int streams) {
  const double work = 2 * c.m * c.n * c.k * c.t_f;
  const double moved = (c.m * c.n + c.n * c.k + c.m * c.k) * c.t_hd;
  const double host = c.host_passes * c.m * c.n * c.t_m;
  const double longest = std::max({work, moved, host}), all = work + moved + host;
  if (streams <= 1) return all;
  // The best overlap of one part with the other two.
  return streams == 2 ? std::max(longest, all - longest) : longest;
}

double least_offload_tile(const OffloadCosts& c) {
  return std::max(c.t_hd, c.host_passes * c.t_m) / (2 * c.t_f);
}

ClusterPrediction predict_on_cluster(const Cluster& cluster, const ClusterProblem& problem,
                                     const dense::Variant& variant, std::int64_t tile) {
  tile = std::clamp<std::int64_t>(tile, 1, std::max<std::int64_t>(1, problem.n));
  const bool offloaded = variant.offload;
  ClusterPrediction found{.variant = variant.name,
                          .grid = variant.blocked
                                      ? balanced_grid(problem.nodes, problem.ranks_per_node)
                                      : plain_grid(problem.nodes, problem.ranks_per_node),
                          .tile = tile};
  const Step step{cluster, found.grid, problem.n, tile};
  double work = step.work();
  if (offloaded) {
    const double t_hd = kBytes / cluster.host_link_rate;
    const double t_m = kBytes * problem.ranks_per_node / cluster.host_memory_rate;
    work = std::max(work, offload_seconds({.m = static_cast<double>(step.rows()),
                                           .n = static_cast<double>(step.columns()),
                                           .k = static_cast<double>(tile),
                                           .t_f = 1 / (2 * cluster.relaxations),
                                           .t_hd = t_hd,
                                           .t_m = t_m},
                                          3));
  }
  const bool alone = found.grid.p() == 1;
  const double network = alone             ? 0
                         : variant.rings() ? step.panels_by_ring()
                                           : step.panels_by_tree();
  const double chain = step.chain(variant.broadcasts);
  double longest = std::max({work, network, chain});
  if (variant.schedule == dense::Schedule::pipelined) longest = std::max(work, network + chain);
  if (variant.schedule == dense::Schedule::baseline) longest = work + network + chain;
  const auto n = static_cast<double>(problem.n);
  const double steps = std::ceil(n / static_cast<double>(tile));
  found.work = steps * work;
  found.network = steps * network;
  found.chain = steps * chain;
  // Nothing hides the first panels.
  found.seconds = steps * longest + chain + network;
  found.flops = 2 * n * n * n / found.seconds;
  found.share = found.flops / (2 * cluster.relaxations * found.grid.p());
  found.bandwidth = effective_bandwidth(n, problem.nodes, static_cast<int>(kBytes), found.seconds);
  const auto b = static_cast<double>(tile);
  found.bytes_per_rank = bytes_held(found.grid, n, b, offloaded);
  found.fits = fits_cluster(cluster, found.grid, n, b, offloaded);
  return found;
}

ClusterPrediction best_on_cluster(const Cluster& cluster, const ClusterProblem& problem,
                                  const dense::Variant& variant) {
  ClusterPrediction best = predict_on_cluster(cluster, problem, variant, kTiles[0]);
  for (const std::int64_t tile : kTiles) {
    const ClusterPrediction found = predict_on_cluster(cluster, problem, variant, tile);
    if (found.fits != best.fits ? found.fits : found.seconds < best.seconds) best = found;
  }
  return best;
}

std::int64_t largest_on_cluster(const Cluster& cluster, int nodes, int ranks_per_node,
                                const dense::Variant& variant) {
  constexpr std::int64_t kStep = 1024;
  const NodeGrid grid = balanced_grid(nodes, ranks_per_node);
  std::int64_t low = 0, high = kMostVerticesPredicted / kStep;
  while (low < high) {
    const std::int64_t middle = (low + high + 1) / 2;
    const bool fits = fits_cluster(cluster, grid, static_cast<double>(middle * kStep),
                                   static_cast<double>(kTiles[0]), variant.offload);
    fits ? low = middle : high = middle - 1;
  }
  return low * kStep;
}

namespace {

using nlohmann::json;

class ClusterFigures {
 public:
  ClusterFigures(const json& figures, const std::string& file) : figures_(figures), file_(file) {}

  double positive(const char* name) const {
    const auto found = figures_.find(name);
    if (found == figures_.end()) throw wrong(name, "is missing");
    if (!found->is_number() || !(found->get<double>() > 0)) {
      throw wrong(name, "must be a positive number");
    }
    return found->get<double>();
  }
  int count(const char* name) const {
    const double value = positive(name);
    if (value != std::floor(value) || value > 1e6) throw wrong(name, "must be a whole number");
    return static_cast<int>(value);
  }

 private:
  Error wrong(const char* name, const char* what) const {
    return Error::malformed({.file = file_},
                            "\"" + std::string(name) + "\" of the cluster " + what +
                                "; share/apsp/machines/summit.json shows what a machine is");
  }
  const json& figures_;
  const std::string& file_;
};

}  // namespace

Cluster cluster_from_json(const json& machine, const std::string& file) {
  if (!machine.is_object() || !machine.contains("cluster") || !machine["cluster"].is_object()) {
    throw Error::malformed(
        {.file = file},
        "the object \"cluster\", which describes nodes, GPUs and links, is missing");
  }
  const ClusterFigures figures(machine["cluster"], file);
  Cluster cluster;
  cluster.name = machine.contains("machine") && machine["machine"].is_string()
                     ? machine["machine"].get<std::string>()
                     : file;
  cluster.nodes = figures.count("nodes");
  cluster.gpus_per_node = figures.count("gpus_per_node");
  cluster.relaxations = figures.positive("relaxations_per_second");
  cluster.blocks_at_once = figures.count("blocks_at_once");
  cluster.block_rows = figures.count("block_rows");
  cluster.block_columns = figures.count("block_columns");
  const bool told = machine["cluster"].contains("pivot_seconds");
  cluster.pivot_seconds = told ? figures.positive("pivot_seconds") : 0;
  cluster.launch_seconds = figures.positive("launch_seconds");
  cluster.gpu_memory_rate = figures.positive("gpu_memory_bytes_per_second");
  cluster.gpu_bytes = figures.positive("gpu_bytes");
  cluster.host_bytes = figures.positive("host_bytes");
  cluster.link_rate = figures.positive("link_bytes_per_second");
  cluster.link_seconds = figures.positive("link_seconds");
  cluster.host_link_rate = figures.positive("host_link_bytes_per_second");
  cluster.cards = figures.count("network_cards");
  cluster.card_rate = figures.positive("card_bytes_per_second");
  cluster.card_seconds = figures.positive("card_seconds");
  cluster.host_memory_rate = figures.positive("host_memory_bytes_per_second");
  if (machine["cluster"].contains("nodes_per_switch")) {
    cluster.nodes_per_switch = figures.count("nodes_per_switch");
    cluster.share_between_switches = figures.positive("share_between_switches");
    if (cluster.share_between_switches > 1) {
      throw Error::malformed({.file = file}, "\"share_between_switches\" must be at most 1");
    }
  }
  constexpr std::int64_t kMostGpus = 1'000'000'000;  // so that counts fit 32 bits
  if (std::int64_t{cluster.nodes} * cluster.gpus_per_node > kMostGpus) {
    throw Error::malformed({.file = file}, "a cluster has a billion GPUs at most");
  }
  if (cluster.gpus_per_node % cluster.cards != 0) {
    throw Error::malformed({.file = file},
                           "every network card must serve as many GPUs as the others");
  }
  return cluster;
}

Cluster read_cluster(const std::string& file) {
  const json machine = base::parsed_json(store::posix_file_system().read_text(file));
  if (machine.is_discarded()) throw Error::malformed({.file = file}, "this is not JSON");
  return cluster_from_json(machine, file);
}

namespace {

/// "3.9 GB/s and 1.2 µs on a machine, measured".
std::string message_text(const MessageRate& rate, const char* where) {
  return fmt::format("{:.1f} GB/s and {:.1f} µs {}, {}", rate.bytes / 1e9, rate.seconds * 1e6,
                     where, rate.measured ? "measured" : "assumed");
}

}  // namespace

MessageRates messages_of_launch(const Launch* launch) {
  if (launch == nullptr || launch->size == 1) return {};
  const auto communicator = meet_on_grid(*launch, {1, launch->size});
  Processes processes(*communicator);
  return measure_messages(processes, launch->machine);
}

Cluster cluster_of_processes(int processes, int of_each_machine, double relaxations,
                             const MessageRates& messages) {
  constexpr double kLaunch = 20e-6;  // seconds
  constexpr double kTile = 256;
  Cluster cluster;
  cluster.gpus_per_node = std::max(1, of_each_machine);
  cluster.nodes = processes / cluster.gpus_per_node;
  cluster.relaxations = relaxations;
  cluster.pivot_seconds = kTile * kTile / cluster.relaxations;  // a tile is closed at the same rate
  cluster.launch_seconds = kLaunch;
  cluster.gpu_bytes = static_cast<double>(system::available_memory()) / cluster.gpus_per_node;
  cluster.host_bytes = static_cast<double>(system::available_memory());
  // A message passes two links, and between machines two cards.
  cluster.link_rate = messages.on_machine.bytes;
  cluster.card_rate = messages.between.bytes;
  cluster.link_seconds = messages.on_machine.seconds / 2;
  cluster.card_seconds = std::max(0.0, messages.between.seconds - messages.on_machine.seconds) / 2;
  return cluster;
}

Cluster cluster_of_launch(const Launch& launch, const PlanReport& plan,
                          const MessageRates& messages, std::int64_t n) {
  constexpr double kMost = 1e13;  // more relaxations a second than any process computes
  const auto cube = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n);
  double relaxations = 1;
  for (const CandidateReport& way : plan.candidates) {
    if (way.algorithm != Algorithm::floyd_warshall || way.device != Device::cpu || !way.known)
      continue;
    // The start of a process does not count.
    const double seconds = std::max(way.seconds - plan.predicted.start, cube / kMost);
    relaxations = std::max(1.0, cube) / std::max(seconds, 1 / kMost);
  }
  Cluster cluster =
      cluster_of_processes(launch.size, launch.of_each_machine, relaxations, messages);
  const bool neighbours = cluster.gpus_per_node > 1, apart = cluster.nodes > 1;
  cluster.name = fmt::format("this launch: {} processes of {}; messages: {}{}{}", launch.size,
                             base::counted(plan.threads, "thread", "threads"),
                             neighbours ? message_text(messages.on_machine, "on a machine") : "",
                             neighbours && apart ? "; " : "",
                             apart ? message_text(messages.between, "between") : "");
  return cluster;
}

}  // namespace apsp::cluster
