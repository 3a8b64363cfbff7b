// The report of a device as JSON. Samples are listed as they were taken.
#include <fmt/format.h>

#include "base/json.hpp"
#include "program/benchmark_cuda.hpp"

namespace apsp::bench {
namespace {

using nlohmann::json;

json kernel_to_json(const BenchmarkKernel& kernel) {
  return {{"semiring", name(kernel.semiring)},
          {"value_type", name(kernel.type)},
          {"non_negative", kernel.sign == kernels::Sign::non_negative}};
}

/// Adds what every row says of its result.
json with(json object, const Verdict& verdict) {
  object["correct"] = verdict.correct;
  object["entries_checked"] = verdict.entries;
  if (!verdict.error.empty()) object["error"] = verdict.error;
  return object;
}

json to_json(const CudaPeakRow& row) {
  return {{"kernel", kernel_to_json(row.kernel)},
          {"mix", row.mix},
          {"relaxations_per_second", row.relaxations_per_second}};
}

json to_json(const CudaProductRow& row) {
  json object = {{"kernel", kernel_to_json(row.kernel)},
                 {"m", row.m},
                 {"n", row.n},
                 {"depth", row.depth},
                 {"relaxations_per_second", rate(row)},
                 {"share_of_peak", row.share_of_peak},
                 {"seconds", row.seconds}};
  if (!row.configuration.empty()) object["configuration"] = row.configuration;
  return with(std::move(object), row.verdict);
}

json to_json(const CudaSolveRow& row) {
  json object = {{"kernel", kernel_to_json(row.kernel)},
                 {"shape", row.shape == places::Shape::full ? "full" : "symmetric"},
                 {"via", row.via},
                 {"vertices", row.n},
                 {"tile", row.tile},
                 {"relaxations_per_second", rate(row)},
                 {"share_of_peak", row.share_of_peak},
                 {"seconds_prepare", row.seconds_prepare},
                 {"seconds_solve", row.seconds_solve},
                 {"seconds_host_to_host", row.seconds_run}};
  if (row.against_plain > 0) object["speed_against_plain"] = row.against_plain;
  return with(std::move(object), row.verdict);
}

json to_json(const CudaCopyRow& row) {
  json object = {{"direction", row.direction}, {"bytes_per_second", row.bytes_per_second}};
  if (!row.seconds.empty()) {
    object["bytes"] = row.bytes;
    object["seconds"] = row.seconds;
  }
  return with(std::move(object), row.verdict);
}

json to_json(const CudaOffloadRow& row) {
  json object = {{"vertices", row.n},
                 {"bytes_matrix", row.bytes_matrix},
                 {"device_memory", row.device_memory > 0 ? json(row.device_memory) : json()},
                 {"bytes_device", row.device_bytes},
                 {"seconds_prepare", row.seconds_prepare},
                 {"seconds", row.seconds},
                 {"share_of_uncapped", row.share_of_uncapped},
                 {"digest", fmt::format("{:016x}", row.digest)}};
  if (row.width > 0) {
    object["plan"] = {{"width", row.width},
                      {"resident_rows", row.resident_rows},
                      {"buffers", row.buffers},
                      {"seconds_predicted", row.seconds_predicted}};
  }
  return with(std::move(object), row.verdict);
}

template <class Row>
json cuda_rows_to_json(const std::vector<Row>& rows) {
  json list = json::array();
  for (const Row& row : rows) list.push_back(to_json(row));
  return list;
}

json to_json(const kernels::cuda::DeviceFacts& device) {
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

json to_json(const CudaBenchmarkReport& report) {
  return {{"device", to_json(report.device)},
          {"peaks", cuda_rows_to_json(report.peaks)},
          {"products", cuda_rows_to_json(report.products)},
          {"solves", cuda_rows_to_json(report.solves)},
          {"copies", cuda_rows_to_json(report.copies)},
          {"offload", cuda_rows_to_json(report.offload)},
          {"seed", report.seed},
          {"seconds", report.seconds},
          {"correct", report.correct}};
}

}  // namespace apsp::bench
