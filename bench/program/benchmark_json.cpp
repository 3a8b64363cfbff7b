// The benchmark's report as JSON. Samples are listed as they were taken.

#include "base/json.hpp"
#include "program/benchmark.hpp"

namespace apsp::bench {
namespace {

using nlohmann::json;

json to_json(const std::vector<Sample>& samples) {
  json list = json::array();
  for (const Sample& sample : samples) {
    list.push_back({{"seconds", sample.seconds}, {"cpu_seconds", sample.cpu_seconds}});
  }
  return list;
}

json to_json(const BenchmarkKernel& kernel) {
  return {{"semiring", name(kernel.semiring)},
          {"value_type", name(kernel.type)},
          {"non_negative", kernel.sign == kernels::Sign::non_negative}};
}

json to_json(const PeakRow& row) {
  return {{"kernel", to_json(row.kernel)},
          {"mix", row.mix},
          {"relaxations", row.relaxations},
          {"relaxations_per_second", rate(row)},
          {"samples", to_json(row.samples)}};
}

json to_json(const ProductRow& row) {
  return {{"kernel", to_json(row.kernel)},
          {"operands", name_of(row.operands)},
          {"m", row.m},
          {"n", row.n},
          {"depth", row.depth},
          {"relaxations_per_second", rate(row)},
          {"peak_relaxations_per_second", row.peak},
          {"share_of_peak", row.share_of_peak},
          {"samples", to_json(row.samples)}};
}

json to_json(const SolveRow& row) {
  json object = {{"kernel", to_json(row.kernel)},
                 {"shape", row.shape == places::Shape::full ? "full" : "symmetric"},
                 {"via", row.via},
                 {"vertices", row.n},
                 {"tile", row.tile},
                 {"threads", row.threads},
                 {"relaxations_per_second", rate(row)},
                 {"peak_relaxations_per_second", row.peak},
                 {"share_of_peak", row.share_of_peak},
                 {"cpu_share_of_peak", row.cpu_share_of_peak},
                 {"rows_checked", row.rows_checked},
                 {"correct", row.correct},
                 {"samples", to_json(row.samples)}};
  if (row.against_plain > 0) object["speed_against_plain"] = row.against_plain;
  return object;
}

json to_json(const MemoryRow& row) {
  return {{"kernel", to_json(row.kernel)},
          {"vertices", row.n},
          {"bytes_matrix", row.bytes_matrix},
          {"bytes_panels", row.bytes_panels},
          {"bytes_resident", row.bytes_resident > 0 ? json(row.bytes_resident) : json(nullptr)}};
}

template <class Row>
json rows_to_json(const std::vector<Row>& rows) {
  json list = json::array();
  for (const Row& row : rows) list.push_back(to_json(row));
  return list;
}

}  // namespace

json to_json(const BenchmarkReport& report) {
  return {{"peaks", rows_to_json(report.peaks)},
          {"products", rows_to_json(report.products)},
          {"solves", rows_to_json(report.solves)},
          {"memory", rows_to_json(report.memory)},
          {"threads", report.threads},
          {"seed", report.seed},
          {"load", {{"before", report.load_before}, {"after", report.load_after}}},
          {"seconds", report.seconds},
          {"correct", report.correct}};
}

}  // namespace apsp::bench
