// How fast this machine is: one row of `kWork` for each kind of work says how it is measured, under
// which key its figures are kept, and when measuring is worth it.
//
// Matrices are measured by solves: small random graphs go the way that `solve` goes, from the graph
// to statistics, on sizes that grow until the time is spent. Whole solves are measured, not
// kernels, so the figures hold whatever a solve consists of: first touch of pages, filling, panels,
// waiting of threads; on a GPU queues, pinning, copies. The best of three counts, for other
// processes only add.
//
// Sparse solves are measured in parts, on two generated graphs: one with small separators and one
// that leaves a dense core. The models have more figures than parts can be told apart. So figures
// that belong together keep the proportions that are assumed of them, and are scaled by what the
// parts took.
//
// Memory is copied by all threads, more of it than caches hold. The disk is written in pieces, each
// twice as long as the one before, and each is waited for, until the next one would take too long.
// Then it is read back from the disk. The file has no name, so that nothing of it stays however the
// process ends.
#pragma once

#include <apsp/graph.hpp>
#include <apsp/progress.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "calibration/rate_figures.hpp"
#include "planner/rates.hpp"
#include "planner/search_model.hpp"

namespace apsp::calibration {

enum class Measuring { never, when_worth_it, always };

struct RatePolicy {
  std::string folder;  // of the cache; empty: nothing is kept
  Measuring measuring = Measuring::when_worth_it;
  const Cancellation* cancellation = nullptr;
  double least_on_host = 3, least_on_device = 4;         // s, that a solve must take to be worth it
  double most_on_host = 0.5, most_on_device = 2.5;       // s, that may be spent
  double least_sparse = 1, most_sparse = 0.6;            // s, the same of sparse solves
  double least_link = 0.2, most_link = 0.06;             // s, the same of what is around a GPU
  double least_transferred = 3, most_transferred = 0.3;  // s, the same of outputs
  double least_sampled = 0.5,
         part_sampled = 0.02;         // s; of a solve, that some of its rows may take
  std::vector<std::int64_t> sizes{};  // of the solves that measure; empty: chosen
  bool renew = false;                 // what the cache holds is measured again, once
  int processes = 1;                  // of this machine, which measure at the same time
};

struct MeasureLimits {
  double seconds = 0.3;          // that may be spent, more or less
  std::int64_t bytes = 1 << 30;  // of the host's memory that a solve may take
  const Cancellation* cancellation = nullptr;
  std::vector<std::int64_t> sizes{};          // of solves, ascending; empty: chosen
  const planner::Devices* devices = nullptr;  // for the work of a GPU
  double driver_start = 0;                    // s, that its driver took
};

/// The parts of the key that figures are kept under, after machine, version and number of threads.
struct KeyParts {
  bool threads = true;
  bool kernel = false, shape = false;
  bool gpu = false;          // and its driver
  bool file_system = false;  // that holds the path
  bool format = false;       // of the output, and whether it is compressed
  bool processes = false;    // that share the machine's threads and memory meanwhile
};

/// Empty where nothing could be measured. Throws `Error`.
template <class Rates>
using Measure = std::optional<Rates>(const planner::RateQuery& asked, const MeasureLimits& limits);

/// How a kind of work is measured and kept.
template <class Rates>
struct Work {
  std::string_view what;  // its name in the cache and in JSON
  KeyParts key{};
  double RatePolicy::*least = nullptr;  // s, that must be at stake
  double RatePolicy::*most = nullptr;   // s, that may be spent
  Measure<Rates>* measure = nullptr;    // none: not by itself
  /// The name and the value in `apsp info --json` of the figure that says most; none: all do.
  std::string_view shown{};
  double (*figure)(const Rates&) = nullptr;

  void show(const Rates& rates, nlohmann::json& entry) const {
    if (figure == nullptr) return entry.update(to_json(rates));
    entry[std::string(shown)] = figure(rates);
  }
};
template <class Rates>
inline constexpr Work<Rates> kWork{};

Measure<planner::HostRates> measure_host;
template <>
inline constexpr Work<planner::HostRates> kWork<planner::HostRates>{
    .what = "cpu",
    .key = {.kernel = true, .shape = true, .processes = true},
    .least = &RatePolicy::least_on_host,
    .most = &RatePolicy::most_on_host,
    .measure = measure_host,
    .shown = "relaxations_per_second",
    .figure = [](const planner::HostRates& rates) { return rates.solve.limit(); }};

Measure<planner::DeviceRates> measure_device;
template <>
inline constexpr Work<planner::DeviceRates> kWork<planner::DeviceRates>{
    .what = "gpu",
    .key = {.kernel = true, .shape = true, .gpu = true},
    .least = &RatePolicy::least_on_device,
    .most = &RatePolicy::most_on_device,
    .measure = measure_device,
    .shown = "relaxations_per_second",
    .figure = [](const planner::DeviceRates& rates) { return rates.run.limit(); }};

/// In some 40 ms.
Measure<planner::LinkRates> measure_link;
template <>
inline constexpr Work<planner::LinkRates> kWork<planner::LinkRates>{
    .what = "link",
    .key = {.threads = false, .gpu = true},
    .least = &RatePolicy::least_link,
    .most = &RatePolicy::most_link,
    .measure = measure_link,
    .shown = "bytes_per_second",
    .figure = [](const planner::LinkRates& rates) { return rates.in; }};

Measure<planner::EliminationRates> measure_elimination;
template <>
inline constexpr Work<planner::EliminationRates> kWork<planner::EliminationRates>{
    .what = "elimination",
    .key = {.kernel = true, .processes = true},
    .least = &RatePolicy::least_sparse,
    .most = &RatePolicy::most_sparse,
    .measure = measure_elimination,
    .shown = "relaxations_per_second",
    .figure = [](const planner::EliminationRates& rates) { return rates.swept_wide; }};

Measure<planner::SearchRates> measure_search;
template <>
inline constexpr Work<planner::SearchRates> kWork<planner::SearchRates>{
    .what = "search",
    .key = {.kernel = true, .processes = true},
    .least = &RatePolicy::least_sparse,
    .most = &RatePolicy::most_sparse,
    .measure = measure_search,
    .shown = "vertices_per_second",
    .figure = [](const planner::SearchRates& rates) { return 1 / rates.vertex; }};

Measure<planner::BreadthFirstRates> measure_breadth_first;
template <>
inline constexpr Work<planner::BreadthFirstRates> kWork<planner::BreadthFirstRates>{
    .what = "breadth-first",
    .key = {.kernel = true, .processes = true},
    .least = &RatePolicy::least_sparse,
    .most = &RatePolicy::most_sparse,
    .measure = measure_breadth_first,
    .shown = "arcs_per_second",
    .figure = [](const planner::BreadthFirstRates& rates) {
      return planner::kSourcesAtOnce / rates.arc;
    }};

/// The last large output tells (`RateSource::stored`).
template <>
inline constexpr Work<planner::StoreRates> kWork<planner::StoreRates>{
    .what = "store",
    .key = {.file_system = true, .format = true},
    .shown = "bytes_per_second",
    .figure = [](const planner::StoreRates& rates) { return rates.bytes; }};

/// Takes about `limits.seconds`, and half of it again on a disk whose speed changes. Empty where
/// nothing can be written to the folder of `asked.path`, or too little is free.
Measure<planner::TransferRates> measure_transfers;
template <>
inline constexpr Work<planner::TransferRates> kWork<planner::TransferRates>{
    .what = "transfers",
    .key = {.file_system = true},
    .least = &RatePolicy::least_transferred,
    .most = &RatePolicy::most_transferred,
    .measure = measure_transfers};

/// Seconds of a row of the graph, of one thread while all work, by rows that take some `seconds`
/// in all. Empty: they would take much longer. Throws `Error`.
std::optional<double> sample_rows(const Graph& graph, const planner::RowSample& rows,
                                  double seconds, const MeasureLimits& limits);

}  // namespace apsp::calibration
