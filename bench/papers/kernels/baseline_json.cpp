#include <fmt/format.h>

#include "base/json.hpp"
#include "baseline_rows.hpp"

namespace apsp::baselines {
namespace {

using nlohmann::json;

double copy_rate(const Stage& stage) {
  return stage.seconds_copies > 0 ? stage.copied / stage.seconds_copies : 0;
}

json as_json(const Row& row) {
  return {{"name", row.name},
          {"value_type", row.value_type},
          {"block", row.block > 0 ? json(row.block) : json()},
          {"vertices", row.n},
          {"seconds", row.seconds},
          {"seconds_phases", row.seconds_phases},
          {"relaxations_per_second", row.relaxations_per_second()},
          {"equal", row.equal},
          {"compared_with_cpu", row.compared_with_cpu}};
}

json as_json(const Overheads& row) {
  return {{"vertices", row.n},
          {"seconds_allocation", row.allocation},
          {"seconds_copy_in", row.copy_in},
          {"seconds_kernels", row.kernels},
          {"seconds_copy_out", row.copy_out},
          {"seconds_managed", row.managed},
          {"equal", row.equal}};
}

json as_json(const Stage& row) {
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
json list(const std::vector<T>& rows) {
  json items = json::array();
  for (const T& row : rows) items.push_back(as_json(row));
  return items;
}

/// "name value, name value, …" of every field; lists by their values.
std::string line(const json& row) {
  std::string text;
  for (const auto& [name, value] : row.items()) {
    const std::string shown = value.is_number_float() ? fmt::format("{:.4g}", value.get<double>())
                              : value.is_string()     ? value.get<std::string>()
                                                      : value.dump();
    text += (text.empty() ? "" : ", ") + name + " " + shown;
  }
  return text + "\n";
}

json document(const Measured& measured) {
  return {{"device", measured.device},        {"graph", measured.graph},
          {"baselines", list(measured.rows)}, {"overheads", list(measured.overheads)},
          {"stages", list(measured.stages)},  {"correct", measured.correct()}};
}

}  // namespace

bool Measured::correct() const {
  const auto equal = [](const auto& each) {
    return std::all_of(each.begin(), each.end(), [](const auto& row) { return row.equal; });
  };
  return equal(rows) && equal(overheads) && equal(stages);
}

std::string as_table(const Measured& measured) {
  std::string text = measured.device + "\n";
  const json all = document(measured);
  for (const char* part : {"baselines", "overheads", "stages"}) {
    for (const json& row : all[part]) text += line(row);
  }
  return text;
}

std::string as_json(const Measured& measured) { return document(measured).dump(2); }

}  // namespace apsp::baselines
