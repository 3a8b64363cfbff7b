// Measurements of the speed of this machine. A row for each kind of work, `work_of`, tells how to
// measure it, the key of its figures, and when a measurement is worthwhile.
//
// Matrices are measured by whole solves of small random graphs, up to statistics, on growing sizes
// until the time is spent: this includes page faults, filling, panels, waiting threads and, on a
// GPU, queues, pinning, copies. The best of three counts, because other processes only slow them
// down.
//
// Sparse solves are measured in parts, on a graph with small separators and on one that leaves a
// dense core. Figures that parts cannot tell apart keep their assumed proportions and are scaled.
//
// Memory is copied by all threads, more than fits in caches. The disk is written in pieces of
// doubling length, each awaited, until the next one would take too long, and then read back, in a
// file without a name, so that nothing remains.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/json.hpp"
#include "planner/rates.hpp"
#include "planner/search_model.hpp"
#include "rates/rate_figures.hpp"
#include "rates/timed_solves.hpp"

namespace apsp::rates {

Measure<planner::HostRates> measure_host;
Measure<planner::DeviceRates> measure_device;
/// Solves one graph by each engine of rows on the device. The figures of an engine that cannot run
/// there are assumed.
Measure<planner::DeviceRowRates> measure_device_rows;
/// Takes about 40 ms.
Measure<planner::LinkRates> measure_link;
Measure<planner::EliminationRates> measure_elimination;
Measure<planner::SearchRates> measure_search;
Measure<planner::BreadthFirstRates> measure_breadth_first;
/// Takes about `limits.seconds`, or half as much again on a disk of varying speed. Returns nothing
/// if the folder of `asked.path` is not writable or too full.
Measure<planner::TransferRates> measure_transfers;

/// Returns the seconds per row of one thread while all threads work, from rows that take about
/// `seconds` in total; nothing if they would take much longer. Throws `Error`.
std::optional<double> sample_rows(const Graph& graph, const planner::RowSample& rows,
                                  double seconds, const MeasureLimits& limits);

enum class Measuring { never, when_worth_it, always };

struct RatePolicy {
  std::string folder;  // of the cache; empty: nothing is kept
  Measuring measuring = Measuring::when_worth_it;
  const Cancellation* cancellation = nullptr;
  double least_on_host = 3, least_on_device = 4;    // s, least duration of a solve that is worth it
  double most_on_host = 0.5, most_on_device = 2.5;  // s, limit of the measurement
  double least_sparse = 1, most_sparse = 0.6;       // s, the same for sparse solves
  double least_elimination = 3;  // s, the same if they eliminate, which smaller graphs cannot show
  double least_link = 0.2, most_link = 0.06;  // s, the same for copies and launches of a GPU
  double least_transferred = 3, most_transferred = 0.3;  // s, the same for outputs
  double least_sampled = 0.5,
         part_sampled = 0.02;  // least s of a solve; fraction of it for sampled rows
  double least_device_rows = 10.4, most_device_rows = 1.3;  // s, the same for rows on a GPU
  double least_searched = 0.1;  // s, least time of searches on a GPU of which some are sampled
  /// The most that threads wait for processors, as a multiple of running on them; figures of a
  /// machine that is more crowded are dropped, unless `always` asks for them.
  double most_waiting = 2;
  std::vector<std::int64_t> sizes{};  // of measured solves; empty: chosen
  bool renew = false;                 // measure again, once, whatever is cached
  int processes = 1;                  // of this machine that measure at the same time
};

/// Parts of the key of figures, after machine, version and number of threads.
struct KeyParts {
  bool threads = true;
  bool kernel = false, shape = false;
  bool gpu = false;          // and its driver
  bool file_system = false;  // of the path
  bool format = false;       // of the output, and whether it is compressed
  bool processes = false;    // that share the machine's threads and memory
};

template <class Rates>
struct Work {
  std::string_view what;  // name in the cache and in JSON
  KeyParts key{};
  double RatePolicy::*least = nullptr;  // s, least time at stake
  double RatePolicy::*most = nullptr;   // s, limit of the measurement
  Measure<Rates>* measure = nullptr;    // null: not measured separately
  /// Name and value of the main figure for `apsp info --json`; null: all figures.
  std::string_view shown{};
  double (*figure)(const Rates&) = nullptr;

  void show(const Rates& rates, nlohmann::json& entry) const {
    if (figure == nullptr) return entry.update(to_json(rates));
    entry[std::string(shown)] = figure(rates);
  }
};

/// A row for each of `planner::kWorks`.
inline constexpr std::tuple kWorkTable{
    Work<planner::HostRates>{
        .what = "cpu",
        .key = {.kernel = true, .shape = true, .processes = true},
        .least = &RatePolicy::least_on_host,
        .most = &RatePolicy::most_on_host,
        .measure = measure_host,
        .shown = "relaxations_per_second",
        .figure = [](const planner::HostRates& rates) { return rates.solve.limit(); }},
    Work<planner::DeviceRates>{
        .what = "gpu",
        .key = {.kernel = true, .shape = true, .gpu = true},
        .least = &RatePolicy::least_on_device,
        .most = &RatePolicy::most_on_device,
        .measure = measure_device,
        .shown = "relaxations_per_second",
        .figure = [](const planner::DeviceRates& rates) { return rates.run.limit(); }},
    Work<planner::LinkRates>{.what = "link",
                             .key = {.threads = false, .gpu = true},
                             .least = &RatePolicy::least_link,
                             .most = &RatePolicy::most_link,
                             .measure = measure_link,
                             .shown = "bytes_per_second",
                             .figure = [](const planner::LinkRates& rates) { return rates.in; }},
    Work<planner::DeviceRowRates>{
        .what = "gpu rows",
        .key = {.threads = false, .gpu = true},
        .least = &RatePolicy::least_device_rows,
        .most = &RatePolicy::most_device_rows,
        .measure = measure_device_rows,
        .shown = "bytes_per_second",
        .figure = [](const planner::DeviceRowRates& rates) { return rates.swept; }},
    Work<planner::EliminationRates>{
        .what = "elimination",
        .key = {.kernel = true, .processes = true},
        .least = &RatePolicy::least_elimination,
        .most = &RatePolicy::most_sparse,
        .measure = measure_elimination,
        .shown = "relaxations_per_second",
        .figure = [](const planner::EliminationRates& rates) { return rates.swept_wide; }},
    Work<planner::SearchRates>{
        .what = "search",
        .key = {.kernel = true, .processes = true},
        .least = &RatePolicy::least_sparse,
        .most = &RatePolicy::most_sparse,
        .measure = measure_search,
        .shown = "vertices_per_second",
        .figure = [](const planner::SearchRates& rates) { return 1 / rates.vertex; }},
    Work<planner::BreadthFirstRates>{.what = "breadth-first",
                                     .key = {.kernel = true, .processes = true},
                                     .least = &RatePolicy::least_sparse,
                                     .most = &RatePolicy::most_sparse,
                                     .measure = measure_breadth_first,
                                     .shown = "arcs_per_second",
                                     .figure =
                                         [](const planner::BreadthFirstRates& rates) {
                                           return planner::kSourcesAtOnce / rates.arc;
                                         }},
    // Known from the last large output (`RateSource::stored`).
    Work<planner::StoreRates>{
        .what = "store",
        .key = {.file_system = true, .format = true},
        .shown = "bytes_per_second",
        .figure = [](const planner::StoreRates& rates) { return rates.bytes; }},
    Work<planner::TransferRates>{.what = "transfers",
                                 .key = {.file_system = true},
                                 .least = &RatePolicy::least_transferred,
                                 .most = &RatePolicy::most_transferred,
                                 .measure = measure_transfers},
};

/// Returns the row of this kind of work.
template <class Rates>
constexpr const Work<Rates>& work_of() {
  return std::get<Work<Rates>>(kWorkTable);
}

}  // namespace apsp::rates
