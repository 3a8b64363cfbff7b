#include "rates/measured_rates.hpp"

#include <sys/stat.h>
#include <apsp/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/control.hpp"
#include "base/refusal.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "rates/machine_report.hpp"
#include "rates/timed_solves.hpp"
#include "store/file_system.hpp"
#include "system/machine.hpp"
#include "system/memory_limit.hpp"

namespace apsp::rates {
namespace {

using nlohmann::json;
using planner::RateQuery;

/// Fraction of the predicted time of a solve for measurements.
constexpr double kShare = 1.0 / 8;
/// Fraction 1/8 of the free memory for measurements.
constexpr std::int64_t kPartOfMemory = 8;
/// Smaller outputs reflect file operations more than the disk.
constexpr double kTellingBytes = 32 << 20;

template <class F>
auto timed(double& sum, F&& work) {
  const auto start = std::chrono::steady_clock::now();
  auto result = work();
  sum += seconds_since(start);
  return result;
}

/// Measures, and notes the peak memory meanwhile, without pages of files.
template <class F>
auto noting_memory(F&& measure) {
  const std::int64_t before = system::process_memory("VmHWM");
  auto result = measure();
  const std::int64_t peak = system::process_memory("VmHWM");
  if (peak > before) system::note_kept_by_measuring(peak - system::process_memory("RssFile"));
  return result;
}

/// Returns nothing where this process mostly waited for processors, more than `most` times as long
/// as it ran on them: other processes may be gone at the next solve.
template <class F>
auto unless_crowded(double most, F&& measure) -> decltype(measure()) {
  const system::ThreadTimes before = system::thread_times();
  double seconds = 0;
  auto result = timed(seconds, measure);
  const system::ThreadTimes after = system::thread_times();
  const double waiting = after.waiting - before.waiting;
  const bool crowded = waiting > most * (after.running - before.running) && waiting > seconds / 2;
  return crowded ? decltype(result)() : result;
}

/// Records the memory that the measurement took. Returns nothing if the measurement fails; rethrows
/// interruptions.
template <class F>
auto unless_it_fails(F&& measure) -> decltype(measure()) {
  try {
    return noting_memory(measure);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

std::string format_of(const std::string& output) {
  const std::size_t dot = output.rfind('.');
  return dot == std::string::npos ? output : output.substr(dot);
}

/// Requests rates that depend on a kernel, or those that do not. Solves on a GPU take long and are
/// measured when there is one to predict.
template <class Rates>
void ask_again(const planner::AskRates<Rates>& ask, RateQuery asked, bool of_kernels) {
  const KeyParts& key = work_of<Rates>().key;
  if (key.kernel != of_kernels || (key.kernel && key.gpu)) return;
  if ((key.gpu && asked.device.name.empty()) || (key.file_system && asked.path.empty())) return;
  ask(asked);
  if (!key.shape) return;
  asked.shape = dense::Shape::symmetric;
  ask(asked);
}

}  // namespace

RatePolicy rate_policy(const Cancellation* cancellation, std::int64_t memory) {
  RatePolicy policy;
  policy.folder = RateCache::default_folder();
  policy.cancellation = cancellation;
  const char* const given = std::getenv("APSP_MEASURE");
  const std::string word = given == nullptr ? "" : given;
  if (word == "never") {
    policy.measuring = Measuring::never;
  } else if (word == "always") {
    policy.measuring = Measuring::always;
  } else {
    refuse_if(!word.empty() && word != "auto", "APSP_MEASURE takes never, always or auto, not '{}'",
              word);
  }
  if (memory > 0 || system::memory_limit() > 0) policy.measuring = Measuring::never;
  return policy;
}

MeasuredRates::MeasuredRates(RatePolicy policy, planner::FindDevices find)
    : policy_(std::move(policy)), cache_(policy_.folder), find_(std::move(find)) {
  system::note_kept_by_measuring(0);
}

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
  planner::for_each_work(
      [&]<class Rates>(planner::AskRates<Rates> planner::RateSource::*const ask) {
        source.*ask = [this](const RateQuery& asked) { return rates_of<Rates>(asked); };
      });
  source.any_link = [this] { return any_link(); };
  source.sample = [this](auto&&... asked) { return sample(asked...); };
  source.sample_on_device = [this](auto&&... asked) { return sample_on_device(asked...); };
  source.stored = [this](auto&&... written) { stored(written...); };
  return source;
}

double MeasuredRates::budget(double guess, double least, double most) const {
  if (policy_.measuring == Measuring::never) return 0;
  if (policy_.measuring == Measuring::always) return most;
  return guess < least ? 0 : std::min(most, kShare * guess);
}

double MeasuredRates::most_waiting(int threads) const {
  if (policy_.measuring == Measuring::always) return std::numeric_limits<double>::infinity();
  // More threads than processors wait for each other.
  const double shared = static_cast<double>(threads) / system::offered_threads();
  return policy_.most_waiting * std::max(1.0, shared);
}

MeasureLimits MeasuredRates::limits_of(double seconds) const {
  return {.seconds = seconds,
          .bytes = system::available_memory() / kPartOfMemory,
          .cancellation = policy_.cancellation,
          .sizes = policy_.sizes,
          .devices = &devices_,
          .driver_start = starting_};
}

std::optional<json> MeasuredRates::key_of(std::string_view what, const KeyParts& parts,
                                          const RateQuery& asked) const {
  // Field by field, because a list of fields could not be freed if memory is short.
  json key = json::object();
  key["what"] = what;
  key["version"] = version();
  key["processor"] = system::cpu_name();
  key["processors"] = system::offered_threads();
  key["instruction_set"] = kernels::cpu::instruction_set();
  key["threads"] = parts.threads ? asked.threads : 1;
  if (parts.kernel) {
    key["kind"] = planner::title(asked.kernel, parts.shape ? asked.shape : dense::Shape::full);
  }
  if (parts.gpu) {
    key["gpu"] = asked.device.name;
    key["driver"] = asked.device.driver;
  }
  if (parts.file_system) {
    struct stat facts {};
    if (stat(store::parent_of(asked.path).c_str(), &facts) != 0) return std::nullopt;
    key["file_system"] = static_cast<std::int64_t>(facts.st_dev);
  }
  if (parts.format) {
    key["format"] = format_of(asked.path);
    key["compressed"] = asked.compress;
  }
  if (parts.processes && policy_.processes > 1) key["processes"] = policy_.processes;
  return key;
}

template <class Rates>
std::optional<Rates> MeasuredRates::kept_or_measured(const json& key, const RateQuery& asked) {
  std::optional<Rates> rates;
  if (const auto here = here_.find(base::json_text(key)); here != here_.end()) {
    rates = rates_from_json<Rates>(here->second);
    if (rates) rates->measured = utc_now();
    return rates;
  }
  const Work<Rates> work = work_of<Rates>();
  if (const auto kept = cache_.find(key); kept && !(policy_.renew && work.measure != nullptr)) {
    rates = rates_from_json<Rates>(*kept);
    if (rates) rates->measured = cache_.measured(key);
  }
  if (rates || work.measure == nullptr) return rates;
  const double seconds = budget(asked.guess, policy_.*work.least, policy_.*work.most);
  if (seconds <= 0) return rates;
  rates = timed(measuring_, [&] {
    return unless_crowded(most_waiting(asked.threads), [&] {
      return unless_it_fails([&] { return work.measure(asked, limits_of(seconds)); });
    });
  });
  if (!rates) {
    here_[base::json_text(key)] = json();  // not tried again
    return rates;
  }
  cache_.keep(key, to_json(*rates));
  here_[base::json_text(key)] = to_json(*rates);
  rates->measured = utc_now();
  return rates;
}

template <class Rates>
std::optional<Rates> MeasuredRates::rates_of(const RateQuery& asked) {
  const Work<Rates>& work = work_of<Rates>();
  const auto key = key_of(work.what, work.key, asked);
  if (!key) return std::nullopt;
  auto rates = kept_or_measured<Rates>(*key, asked);
  if (!rates) return rates;
  // The driver has started in this process, so its time is known exactly. Processes that choose
  // GPUs after they have planned count it, and measurements.
  if constexpr (std::is_same_v<Rates, planner::DeviceRates>) rates->start = starting_ + measuring_;
  return rates;
}

std::optional<double> MeasuredRates::sample(const Graph& graph, const planner::RowSample& rows,
                                            double guess) const {
  if (policy_.measuring == Measuring::never || guess < policy_.least_sampled) return std::nullopt;
  return unless_crowded(most_waiting(rows.threads), [&] {
    return unless_it_fails([&] {
      return sample_rows(graph, rows, guess * policy_.part_sampled, limits_of(policy_.most_sparse));
    });
  });
}

std::optional<double> MeasuredRates::sample_on_device(const Graph& graph,
                                                      const planner::DeviceSearchSample& searches,
                                                      double guess) const {
  if (policy_.measuring == Measuring::never || guess < policy_.least_searched) return std::nullopt;
  return unless_it_fails([&] {
    return std::optional(time_searches_on_device(graph, searches, {nullptr, policy_.cancellation}));
  });
}

std::optional<planner::LinkRates> MeasuredRates::any_link() {
  if (looked_for_link_) return any_link_;
  looked_for_link_ = true;
  const Work<planner::LinkRates>& link = work_of<planner::LinkRates>();
  for (const json& entry : cache_.entries()) {
    const json& key = entry["key"];
    const json gpu = key.value("gpu", json()), driver = key.value("driver", json());
    if (!gpu.is_string() || !driver.is_string()) continue;
    RateQuery asked;
    asked.device.name = gpu;
    asked.device.driver = driver;
    if (key != key_of(link.what, link.key, asked)) continue;
    any_link_ = rates_from_json<planner::LinkRates>(entry["figures"]);
  }
  return any_link_;
}

void MeasuredRates::stored(const RateQuery& output, double bytes, double seconds) const {
  if (bytes < kTellingBytes || seconds <= 0) return;
  const Work<planner::StoreRates>& work = work_of<planner::StoreRates>();
  if (const auto key = key_of(work.what, work.key, output)) {
    cache_.keep(*key, to_json(planner::StoreRates{.start = 0, .bytes = bytes / seconds}));
  }
}

void renew_rates(int threads, const Control& control) {
  constexpr double kEach = 0.25;  // s
  RatePolicy policy = rate_policy(control.cancellation);
  policy.measuring = Measuring::always;
  policy.renew = true;
  policy.most_on_host = kEach;
  policy.most_sparse = kEach;
  const std::string folder = policy.folder;  // exists once something is kept
  MeasuredRates measured(std::move(policy));
  const planner::RateSource source = measured.source();
  const int all = system::thread_count(threads);
  const ValueType types[] = {ValueType::u16, ValueType::i32, ValueType::f32};
  base::ProgressTask progress(control, "measuring", std::size(types), "type");
  for (const ValueType type : types) {
    const RateQuery asked{.kernel = {Semiring::min_plus, type, kernels::Sign::non_negative},
                          .threads = all};
    planner::for_each_work([&](auto ask) { ask_again(source.*ask, asked, true); });
    progress.advance(1);
  }
  RateQuery rest{.threads = all, .path = folder.empty() ? "" : folder + "/rates.json"};
  const planner::Devices devices = measured.find()();
  if (!devices.list.empty()) rest.device = with_free_memory(devices, devices.list.front());
  planner::for_each_work([&](auto ask) { ask_again(source.*ask, rest, false); });
}

}  // namespace apsp::rates
