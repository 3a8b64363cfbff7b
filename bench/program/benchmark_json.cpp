// The report as JSON. Samples are listed as they were taken.
#include <fmt/format.h>

#include "base/json.hpp"
#include "program/benchmark.hpp"

namespace apsp::bench {
namespace {

using nlohmann::json;

json as_json(const BenchmarkKernel& kernel) {
  return {{"semiring", name(kernel.semiring)},
          {"value_type", name(kernel.type)},
          {"non_negative", kernel.sign == kernels::Sign::non_negative}};
}

json as_json(const PeakRow& row) {
  return {{"kernel", as_json(row.kernel)}, {"mix", row.mix}, {"relaxations_per_second", row.rate}};
}

/// The fields of products and solves.
template <class Row>
json measured(const Row& row, bool on_host, const char* seconds) {
  json object = {{"kernel", as_json(row.kernel)},      {"relaxations_per_second", rate(row)},
                 {"share_of_peak", row.share_of_peak}, {seconds, seconds_of(row.samples)},
                 {"correct", row.verdict.correct},     {"entries_checked", row.verdict.entries}};
  if (on_host) {
    object["peak_relaxations_per_second"] = row.peak;
    json& cpu = object["cpu_seconds"] = json::array();
    for (const Sample& sample : row.samples) cpu.push_back(sample.cpu_seconds);
  }
  if (!row.verdict.error.empty()) object["error"] = row.verdict.error;
  return object;
}

json as_json(const ProductRow& row, bool on_host) {
  json object = measured(row, on_host, "seconds");
  object.update({{"m", row.m}, {"n", row.n}, {"depth", row.depth}});
  if (!row.configuration.empty()) object["configuration"] = row.configuration;
  return object;
}

json as_json(const SolveRow& row, bool on_host, bool tiles) {
  json object = measured(row, on_host, "seconds_solve");
  object.update({{"shape", row.shape == dense::Shape::full ? "full" : "symmetric"},
                 {"via", row.via},
                 {"vertices", row.n},
                 {"tile", row.tile}});
  if (tiles) object["chosen"] = row.chosen;
  if (on_host) {
    object.update({{"threads", row.threads}, {"cpu_share_of_peak", row.cpu_share_of_peak}});
  } else {
    object.update(
        {{"seconds_prepare", row.seconds_prepare}, {"seconds_host_to_host", row.seconds_run}});
  }
  if (row.against_plain > 0) object["speed_against_plain"] = row.against_plain;
  return object;
}

json as_json(const kernels::cuda::DeviceFacts& device) {
  return {
      {"device", fmt::format("cuda:{}", device.ordinal)},
      {"name", device.name},
      {"memory_total", device.memory_total},
      {"memory_free", device.memory_free},
      {"multiprocessors", device.multiprocessors},
      {"clock_hz", device.clock_mhz * 1e6},
      {"compute_capability", fmt::format("{}.{}", device.capability / 10, device.capability % 10)},
      {"driver", device.driver}};
}

}  // namespace

json to_json(const BenchmarkReport& report) {
  const bool on_host = !report.device;
  json peaks = json::array(), products = json::array(), solves = json::array();
  bool tiles = false;
  for (const SolveRow& row : report.solves) tiles = tiles || row.chosen;
  for (const PeakRow& row : report.peaks) peaks.push_back(as_json(row));
  for (const ProductRow& row : report.products) products.push_back(as_json(row, on_host));
  for (const SolveRow& row : report.solves) solves.push_back(as_json(row, on_host, tiles));
  json object = {{"peaks", peaks},           {"products", products},
                 {"solves", solves},         {"threads", report.threads},
                 {"seed", report.seed},      {"seconds", report.seconds},
                 {"correct", report.correct}};
  if (on_host) {
    object["load"] = {{"before", report.load_before}, {"after", report.load_after}};
  } else {
    object["device"] = as_json(*report.device);
  }
  return object;
}

}  // namespace apsp::bench
