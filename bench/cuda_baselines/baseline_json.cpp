#include <fmt/format.h>

#include <algorithm>

#include "base/json.hpp"
#include "baseline_rows.hpp"

namespace apsp::baselines {
namespace {

const char* verdict(bool equal) { return equal ? "equal" : "DIFFERS"; }

std::string kernels_table(const std::vector<Row>& rows) {
  std::string text = fmt::format("{:>8}  {:5}  {:10} {:>12} {:>8}   {:32} {}\n", "vertices",
                                 "value", "kernel", "ms", "T/s", "ms a phase", "result");
  for (const Row& row : rows) {
    std::string phases;
    for (const double seconds : row.seconds_phases) {
      phases += fmt::format("{:>10.2f}", 1e3 * seconds);
    }
    text += fmt::format("{:>8}  {:5}  {:10} {:>12.2f} {:>8.3f}   {:32} {}\n", row.n, row.value_type,
                        row.name, 1e3 * row.best(), 1e-12 * row.relaxations_per_second(), phases,
                        verdict(row.equal));
  }
  return text;
}

std::string overheads_table(const std::vector<Overheads>& rows) {
  std::string text =
      fmt::format("\nplain kernels, f32, ms\n{:>8} {:>10} {:>10} {:>10} {:>10} {:>10}  {}\n",
                  "vertices", "allocation", "copy in", "kernels", "copy out", "managed", "result");
  for (const Overheads& row : rows) {
    text += fmt::format("{:>8} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f} {:>10.2f}  {}\n", row.n,
                        1e3 * row.allocation, 1e3 * row.copy_in, 1e3 * row.kernels,
                        1e3 * row.copy_out, 1e3 * row.managed, verdict(row.equal));
  }
  return text;
}

double copy_rate(const Stage& stage) {
  return stage.seconds_copies > 0 ? stage.copied / stage.seconds_copies : 0;
}

std::string stages_table(const std::vector<Stage>& rows) {
  std::string text = fmt::format(
      "\nseveral GPUs, f32\n{:>8} {:>6}  {:15} {:>10} {:>8} {:>12} {:>12}  {}\n", "vertices",
      "block", "copied", "MB a step", "GB/s", "kernels, ms", "in all, ms", "result");
  for (const Stage& row : rows) {
    text += fmt::format("{:>8} {:>6}  {:15} {:>10.2f} {:>8.2f} {:>12.1f} {:>12.1f}  {}\n", row.n,
                        row.block, row.name, 1e-6 * row.bytes_a_step, 1e-9 * copy_rate(row),
                        1e3 * row.seconds_kernels, 1e3 * row.seconds, verdict(row.equal));
  }
  return text;
}

nlohmann::json as_json(const Row& row) {
  return {{"name", row.name},
          {"value_type", row.value_type},
          {"block", row.block > 0 ? nlohmann::json(row.block) : nlohmann::json()},
          {"vertices", row.n},
          {"seconds", row.seconds},
          {"seconds_phases", row.seconds_phases},
          {"relaxations_per_second", row.relaxations_per_second()},
          {"equal", row.equal},
          {"compared_with_cpu", row.compared_with_cpu}};
}

nlohmann::json as_json(const Overheads& row) {
  return {{"vertices", row.n},
          {"seconds_allocation", row.allocation},
          {"seconds_copy_in", row.copy_in},
          {"seconds_kernels", row.kernels},
          {"seconds_copy_out", row.copy_out},
          {"seconds_managed", row.managed},
          {"equal", row.equal}};
}

nlohmann::json as_json(const Stage& row) {
  return {{"name", row.name},
          {"block", row.block},
          {"vertices", row.n},
          {"bytes_per_step", row.bytes_a_step},
          {"copied_bytes_per_second", copy_rate(row)},
          {"seconds_kernels", row.seconds_kernels},
          {"seconds", row.seconds},
          {"equal", row.equal}};
}

template <class T>
nlohmann::json list(const std::vector<T>& rows) {
  nlohmann::json items = nlohmann::json::array();
  for (const T& row : rows) items.push_back(as_json(row));
  return items;
}

template <class T>
bool all_equal(const std::vector<T>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](const T& row) { return row.equal; });
}

}  // namespace

double Row::best() const { return *std::min_element(seconds.begin(), seconds.end()); }

double Row::relaxations_per_second() const {
  const auto side = static_cast<double>(n);
  return side * side * side / best();
}

bool Measured::correct() const {
  return all_equal(rows) && all_equal(overheads) && all_equal(stages);
}

std::string as_table(const Measured& measured) {
  std::string text = measured.device + "\n";
  if (!measured.rows.empty()) text += kernels_table(measured.rows);
  if (!measured.overheads.empty()) text += overheads_table(measured.overheads);
  if (!measured.stages.empty()) text += stages_table(measured.stages);
  return text;
}

std::string as_json(const Measured& measured) {
  return nlohmann::json{{"device", measured.device},        {"graph", measured.graph},
                        {"baselines", list(measured.rows)}, {"overheads", list(measured.overheads)},
                        {"stages", list(measured.stages)},  {"correct", measured.correct()}}
      .dump(2);
}

}  // namespace apsp::baselines
