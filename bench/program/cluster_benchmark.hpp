// The substance of `mpirun apsp bench`: Floyd-Warshall on all processes of a launch, without a
// file. Each process makes its part of a random matrix where it is solved, as HPL does, and the
// result is checked there (grid_check.hpp).
//
// Rates count 2 n³ operations, as Sao 2021 does. The prediction is that of `apsp plan`
// (cluster/cluster_plan.hpp): processes as fast as all of them were when they solved at the
// same time just before, on the cores that they share, and messages as measured then.
#pragma once

#include <apsp/progress.hpp>
#include <apsp/solve.hpp>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cluster/launched_job.hpp"
#include "program/benchmark.hpp"
#include "program/grid_check.hpp"

namespace apsp::bench {

struct ClusterBenchmarkOptions {
  std::vector<std::int64_t> vertices{};  ///< empty: one size, by the memory of all processes
  BenchmarkExtent extent = BenchmarkExtent::standard;
  ValueType type = ValueType::f32;
  Device device = Device::cpu;
  std::vector<int> ordinals{};  ///< of GPUs; empty: in turn
  std::int64_t tile = 0;        ///< 0: chosen
  int threads = 1;              ///< of a process
  std::uint64_t seed = 1;
  Control control{};
};

struct ClusterBenchmarkRow {
  std::int64_t n = 0, tile = 0;
  std::int64_t bytes = 0;         ///< that a process takes, as planned
  std::int64_t device_bytes = 0;  ///< the same of its GPU; 0: none
  bool streamed = false;          ///< parts stay in host memory
  /// Seconds, of the slowest process. `opened`: memory and devices.
  double opened = 0, generated = 0, solved = 0, checked = 0;
  double predicted = 0;  ///< of `solved`, by the model; its parts:
  double products = 0, messages = 0, chain = 0;
  bool rough = true;     ///< rates of the processors are assumed, not measured
  double bandwidth = 0;  ///< bytes a second and node (Sao 2021, §5.1.3)
  GridCheck check{};
};

/// Complete in process 0.
struct ClusterBenchmarkReport {
  std::string variant, place;  ///< "own", "1 thread", "NVIDIA H200 (cuda:0)"
  ValueType type = ValueType::f32;
  int grid_rows = 1, grid_columns = 1;
  int nodes = 1;  ///< of the bandwidth: machines, or the processes of the only one
  bool nodes_are_machines = false;
  std::uint64_t seed = 1;
  std::vector<ClusterBenchmarkRow> rows{};

  bool passed() const;
};

double flops(const ClusterBenchmarkRow& row);           ///< a second, 2 n³ of a solve
double share_of_model(const ClusterBenchmarkRow& row);  ///< predicted / taken

/// The most vertices whose matrix takes this share of the memory of all processes, each with
/// `bytes` for its part: a multiple of 1,024 from there on.
std::int64_t vertices_in(double share, std::int64_t bytes, int processes, ValueType type);

/// All processes. `of_each_machine`: of `Launch`. Throws `Error`, in all of them: usage,
/// does_not_fit, device, interrupted.
ClusterBenchmarkReport run_cluster_benchmark(cluster::Job& job, const dense::Variant& variant,
                                             int of_each_machine,
                                             const ClusterBenchmarkOptions& options);

/// docs/schema.json, `bench`.
nlohmann::json to_json(const ClusterBenchmarkReport& report);

}  // namespace apsp::bench
