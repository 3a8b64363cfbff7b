// The figures of the baselines' program.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "harness.hpp"
#include "overheads.hpp"
#include "stages.hpp"

namespace apsp::baselines {

struct Row {
  std::string name;        // "plain", "tiled 16", "apsp"
  std::string value_type;  // "f32", "i32", "reach"
  int block = 0;           // 0: none
  std::int64_t n = 0;
  std::vector<double> seconds;         // of whole solves on the device
  std::vector<double> seconds_phases;  // of one more solve, a stopwatch around each launch
  bool equal = true;                   // to the plain kernel's result, and to the host's
  bool compared_with_cpu = false;

  double best() const { return *std::min_element(seconds.begin(), seconds.end()); }
  double relaxations_per_second() const { return bench::cube(n) / best(); }
};

struct Measured {
  std::string device;
  std::string graph;  // file; empty: random matrices
  std::vector<Row> rows;
  std::vector<Overheads> overheads;
  std::vector<Stage> stages;

  bool correct() const;
};

/// One line a row, or one JSON object.
std::string as_table(const Measured& measured);
std::string as_json(const Measured& measured);

}  // namespace apsp::baselines
