// What the baselines' program measured, and how it is printed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace apsp::baselines {

struct Row {
  std::string name;        // "plain", "tiled 16", "apsp"
  std::string value_type;  // "f32", "i32"
  int block = 0;           // 0: none
  std::int64_t n = 0;
  std::vector<double> seconds;         // of whole solves on the device
  std::vector<double> seconds_phases;  // of one more solve, a stopwatch around each launch
  bool equal = true;                   // to the plain kernel's result, and to the CPU engine's
  bool compared_with_cpu = false;

  double best() const;
  double relaxations_per_second() const;
};

std::string as_table(const std::string& device, const std::vector<Row>& rows);
std::string as_json(const std::string& device, const std::vector<Row>& rows);

}  // namespace apsp::baselines
