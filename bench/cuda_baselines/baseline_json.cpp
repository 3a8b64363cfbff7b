#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "baseline_rows.hpp"

namespace apsp::baselines {

double Row::best() const { return *std::min_element(seconds.begin(), seconds.end()); }

double Row::relaxations_per_second() const {
  const auto side = static_cast<double>(n);
  return side * side * side / best();
}

std::string as_table(const std::string& device, const std::vector<Row>& rows) {
  std::string text =
      fmt::format("{}\n{:>8}  {:5}  {:10} {:>12} {:>8}   {:32} {}\n", device, "vertices", "value",
                  "kernel", "ms", "T/s", "ms a phase", "result");
  for (const Row& row : rows) {
    std::string phases;
    for (const double seconds : row.seconds_phases) {
      phases += fmt::format("{:>10.2f}", 1e3 * seconds);
    }
    text += fmt::format("{:>8}  {:5}  {:10} {:>12.2f} {:>8.3f}   {:32} {}\n", row.n, row.value_type,
                        row.name, 1e3 * row.best(), 1e-12 * row.relaxations_per_second(), phases,
                        row.equal ? "equal" : "DIFFERS");
  }
  return text;
}

std::string as_json(const std::string& device, const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  bool correct = true;
  for (const Row& row : rows) {
    correct = correct && row.equal;
    list.push_back({{"name", row.name},
                    {"value_type", row.value_type},
                    {"block", row.block > 0 ? nlohmann::json(row.block) : nlohmann::json()},
                    {"vertices", row.n},
                    {"seconds", row.seconds},
                    {"seconds_phases", row.seconds_phases},
                    {"relaxations_per_second", row.relaxations_per_second()},
                    {"equal", row.equal},
                    {"compared_with_cpu", row.compared_with_cpu}});
  }
  return nlohmann::json{{"device", device}, {"baselines", list}, {"correct", correct}}.dump(2);
}

}  // namespace apsp::baselines
