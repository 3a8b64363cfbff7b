// The substance of `apsp bench --tile`: Floyd-Warshall by the side of its tiles, as Sao 2021
// studies it (§5.3.1).
//
// Solves go the way of `apsp solve`, from a matrix of the host to one of the host; those of one
// size take turns over all sides, so that a slower clock meets all of them. Weights are fresh in
// every turn, and the first turn of each is checked in three rows against Dijkstra's algorithm.
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "planner/devices.hpp"
#include "program/benchmark.hpp"

namespace apsp::bench {

struct BlockSizeOptions {
  std::vector<std::int64_t> tiles;     ///< sides; the one that a solve would take is added
  std::vector<std::int64_t> vertices;  ///< empty: by the extent
  BenchmarkExtent extent = BenchmarkExtent::standard;
  Device device = Device::cpu;
  int ordinal = 0;  ///< of the GPU
  int threads = 0;  ///< 0: all
  std::uint64_t seed = 1;
  Control control{};
};

/// Values of f32 that are not negative.
struct BlockSizeRow {
  std::int64_t n = 0;
  std::int64_t tile = 0;  ///< as it was taken: a GPU rounds it up
  bool chosen = false;    ///< by the planner
  std::vector<Sample> samples{};
  bool correct = false;
};

struct BlockSizeReport {
  std::string where;                 ///< "2 threads", the GPU's name
  std::vector<BlockSizeRow> rows{};  ///< by vertices, then by tiles, rising
  int threads = 1;
  std::uint64_t seed = 1;
  double seconds = 0;
  bool correct = true;
};

/// Throws `Error`: device (there is no such GPU), interrupted, does_not_fit.
BlockSizeReport study_block_sizes(const BlockSizeOptions& options,
                                  const planner::FindDevices& find = planner::cuda_devices);

double rate(const BlockSizeRow& row);  ///< n³ a second by the clock, the best sample
/// Of the rows of the same size the best.
double best_rate(const BlockSizeReport& report, std::int64_t n);

/// docs/schema.json, `bench`.
nlohmann::json to_json(const BlockSizeReport& report);

}  // namespace apsp::bench
