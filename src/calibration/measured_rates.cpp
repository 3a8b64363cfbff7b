#include "calibration/measured_rates.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/machine.hpp"
#include "calibration/machine_report.hpp"
#include "calibration/measure_rates.hpp"
#include "calibration/measure_sparse.hpp"
#include "calibration/measure_transfers.hpp"
#include "calibration/rate_figures.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "store/file_system.hpp"

namespace apsp::calibration {
namespace {

using nlohmann::json;

/// Of the time that a solve is guessed to take.
constexpr double kShare = 1.0 / 8;
/// Of the memory that is free.
constexpr std::int64_t kPartOfMemory = 8;
/// Outputs below this say more of files' names than of the disk.
constexpr double kTellingBytes = 32 << 20;

template <class F>
auto timed(double& sum, F&& work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  sum += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

json machine_key(const char* what, int threads) {
  return {{"what", what},
          {"version", version()},
          {"processor", base::cpu_name()},
          {"processors", base::offered_threads()},
          {"instruction_set", kernels::cpu::instruction_set()},
          {"threads", threads}};
}

json host_key(const planner::KernelKind& kind, places::Shape shape, int threads) {
  json key = machine_key("cpu", threads);
  key["kind"] = planner::title(kind, shape);
  return key;
}

json device_key(const planner::KernelKind& kind, places::Shape shape,
                const planner::DeviceFacts& facts, int threads) {
  json key = machine_key("gpu", threads);
  key["kind"] = planner::title(kind, shape);
  key["gpu"] = facts.name;
  key["driver"] = facts.driver;
  return key;
}

json link_key(const std::string& gpu, const std::string& driver) {
  json key = machine_key("link", 1);
  key["gpu"] = gpu;
  key["driver"] = driver;
  return key;
}

json link_key(const planner::DeviceFacts& facts) { return link_key(facts.name, facts.driver); }

json sparse_key(const char* what, const planner::KernelKind& kind, int threads) {
  json key = machine_key(what, threads);
  key["kind"] = planner::title(kind, places::Shape::full);
  return key;
}

/// Empty where the folder of the output cannot be asked.
std::optional<json> store_key(const std::string& output, bool compress, int threads) {
  struct stat facts {};
  if (stat(store::parent_of(output).c_str(), &facts) != 0) return std::nullopt;
  json key = machine_key("store", threads);
  key["file_system"] = static_cast<std::int64_t>(facts.st_dev);
  const std::size_t dot = output.rfind('.');
  key["format"] = dot == std::string::npos ? output : output.substr(dot);
  key["compressed"] = compress;
  return key;
}

MeasureLimits limits_of(double seconds, const RatePolicy& policy) {
  return {seconds, base::available_memory() / kPartOfMemory, policy.cancellation, policy.sizes};
}

}  // namespace

RatePolicy rate_policy(const Cancellation* cancellation) {
  RatePolicy policy;
  policy.folder = RateCache::default_folder();
  policy.cancellation = cancellation;
  const char* const given = std::getenv("APSP_MEASURE");
  const std::string word = given == nullptr ? "" : given;
  if (word == "never") {
    policy.measuring = Measuring::never;
  } else if (word == "always") {
    policy.measuring = Measuring::always;
  } else if (!word.empty() && word != "auto") {
    throw Error(ErrorKind::usage,
                fmt::format("APSP_MEASURE takes never, always or auto, not '{}'", word));
  }
  return policy;
}

MeasuredRates::MeasuredRates(RatePolicy policy, planner::FindDevices find)
    : policy_(std::move(policy)), cache_(policy_.folder), find_(std::move(find)) {}

planner::FindDevices MeasuredRates::find() {
  return [this] {
    devices_ = timed(starting_, find_);
    planner::Devices watched = devices_;
    if (devices_.memory_free) {
      watched.memory_free = [this](int ordinal) {
        return timed(starting_, [&] { return devices_.memory_free(ordinal); });
      };
    }
    return watched;
  };
}

planner::RateSource MeasuredRates::source() {
  planner::RateSource source;
  source.host = [this](auto&&... asked) { return host(asked...); };
  source.device = [this](auto&&... asked) { return device(asked...); };
  source.link = [this](auto&&... asked) { return link(asked...); };
  source.any_link = [this] { return any_link(); };
  source.elimination = [this](auto&&... asked) { return elimination(asked...); };
  source.search = [this](auto&&... asked) { return search(asked...); };
  source.breadth_first = [this](auto&&... asked) { return breadth_first(asked...); };
  source.sample = [this](auto&&... asked) { return sample(asked...); };
  source.store = [this](const std::string& output, bool compress, int threads, double) {
    return store(output, compress, threads);
  };
  source.transfers = [this](auto&&... asked) { return transfers(asked...); };
  source.stored = [this](auto&&... written) { stored(written...); };
  return source;
}

double MeasuredRates::budget(double guess, double least, double most) const {
  if (policy_.measuring == Measuring::never) return 0;
  if (policy_.measuring == Measuring::always) return most;
  return guess < least ? 0 : std::min(most, kShare * guess);
}

json MeasuredRates::shared(json key) const {
  if (policy_.processes > 1) key["processes"] = policy_.processes;
  return key;
}

template <class Rates, class Measure>
std::optional<Rates> MeasuredRates::kept_or_measured(const json& key, double seconds,
                                                     const Measure& measure) {
  std::optional<Rates> rates;
  if (const auto here = here_.find(key.dump()); here != here_.end()) {
    rates = rates_from_json<Rates>(here->second);
    if (rates) rates->measured = utc_now();
    return rates;
  }
  if (const auto kept = cache_.find(key); kept && !policy_.renew) {
    rates = rates_from_json<Rates>(*kept);
  }
  if (rates || seconds <= 0) {
    if (rates) rates->measured = cache_.measured(key);
    return rates;
  }
  rates = timed(measuring_, measure);
  if (!rates) return rates;
  cache_.keep(key, to_json(*rates));
  here_[key.dump()] = to_json(*rates);
  rates->measured = utc_now();
  return rates;
}

std::optional<planner::HostRates> MeasuredRates::host(const planner::KernelKind& kind,
                                                      places::Shape shape, int threads,
                                                      double guess) {
  const double seconds = budget(guess, policy_.least_on_host, policy_.most_on_host);
  auto rates = kept_or_measured<planner::HostRates>(
      shared(host_key(kind, shape, threads)), seconds,
      [&] { return measure_host(kind, shape, threads, limits_of(seconds, policy_)); });
  if (rates) rates->start += measuring_;
  return rates;
}

std::optional<planner::EliminationRates> MeasuredRates::elimination(const planner::KernelKind& kind,
                                                                    int threads, double guess) {
  const double seconds = budget(guess, policy_.least_sparse, policy_.most_sparse);
  return kept_or_measured<planner::EliminationRates>(
      shared(sparse_key("elimination", kind, threads)), seconds,
      [&] { return measure_elimination(kind, threads, limits_of(seconds, policy_)); });
}

std::optional<planner::SearchRates> MeasuredRates::search(const planner::KernelKind& kind,
                                                          int threads, double guess) {
  const double seconds = budget(guess, policy_.least_sparse, policy_.most_sparse);
  return kept_or_measured<planner::SearchRates>(
      shared(sparse_key("search", kind, threads)), seconds,
      [&] { return measure_search(kind, threads, limits_of(seconds, policy_)); });
}

std::optional<planner::BreadthFirstRates> MeasuredRates::breadth_first(
    const planner::KernelKind& kind, int threads, double guess) {
  const double seconds = budget(guess, policy_.least_sparse, policy_.most_sparse);
  return kept_or_measured<planner::BreadthFirstRates>(
      shared(sparse_key("breadth-first", kind, threads)), seconds,
      [&] { return measure_breadth_first(kind, threads, limits_of(seconds, policy_)); });
}

std::optional<double> MeasuredRates::sample(const Graph& graph, const planner::RowSample& rows,
                                            double guess) const {
  if (policy_.measuring == Measuring::never || guess < policy_.least_sampled) return std::nullopt;
  return sample_rows(graph, rows, guess * policy_.part_sampled,
                     limits_of(policy_.most_sparse, policy_));
}

std::optional<planner::DeviceRates> MeasuredRates::device(const planner::KernelKind& kind,
                                                          places::Shape shape,
                                                          const planner::DeviceFacts& facts,
                                                          int threads, double guess) {
  // By now the driver is up, and what it took is known better than any file could tell.
  const double start = starting_;
  const json key = device_key(kind, shape, facts, threads);
  const double seconds = budget(guess, policy_.least_on_device, policy_.most_on_device);
  auto rates = kept_or_measured<planner::DeviceRates>(
      key, seconds, [&]() -> std::optional<planner::DeviceRates> {
        auto found =
            measure_device(devices_, facts, kind, shape, threads, limits_of(seconds, policy_));
        if (found) found->start = start;
        return found;
      });
  if (rates) rates->start = start + measuring_;
  return rates;
}

std::optional<planner::LinkRates> MeasuredRates::link(const planner::DeviceFacts& facts,
                                                      double guess) {
  const double seconds = budget(guess, policy_.least_link, policy_.most_link);
  const double start = starting_;
  return kept_or_measured<planner::LinkRates>(link_key(facts), seconds, [&] {
    auto found = measure_link(devices_, facts, limits_of(seconds, policy_));
    if (found) found->start = start;
    return found;
  });
}

std::optional<planner::LinkRates> MeasuredRates::any_link() {
  if (looked_for_link_) return any_link_;
  looked_for_link_ = true;
  for (const json& entry : cache_.entries()) {
    const json& key = entry["key"];
    const json gpu = key.value("gpu", json()), driver = key.value("driver", json());
    if (!gpu.is_string() || !driver.is_string() || key != link_key(gpu, driver)) continue;
    any_link_ = link_rates_from_json(entry["figures"]);
  }
  return any_link_;
}

std::optional<planner::StoreRates> MeasuredRates::store(const std::string& output, bool compress,
                                                        int threads) const {
  const auto key = store_key(output, compress, threads);
  const auto kept = key ? cache_.find(*key) : std::nullopt;
  return kept ? store_rates_from_json(*kept) : std::nullopt;
}

std::optional<planner::TransferRates> MeasuredRates::transfers(const std::string& path, int threads,
                                                               double guess) {
  const std::string folder = store::parent_of(path);
  struct stat facts {};
  if (stat(folder.c_str(), &facts) != 0) return std::nullopt;
  json key = machine_key("transfers", threads);
  key["file_system"] = static_cast<std::int64_t>(facts.st_dev);
  const double seconds = budget(guess, policy_.least_transferred, policy_.most_transferred);
  return kept_or_measured<planner::TransferRates>(key, seconds, [&] {
    return measure_transfers(folder, threads, limits_of(seconds, policy_));
  });
}

void MeasuredRates::stored(const std::string& output, bool compress, int threads, double bytes,
                           double seconds) const {
  if (bytes < kTellingBytes || seconds <= 0) return;
  if (const auto key = store_key(output, compress, threads)) {
    cache_.keep(*key, to_json(planner::StoreRates{0, bytes / seconds, false}));
  }
}

}  // namespace apsp::calibration
