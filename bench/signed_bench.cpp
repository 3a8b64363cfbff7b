// What weights of both signs cost: f32, a dense matrix in place and a graph of 16 arcs a vertex.
//
//   apsp_signed_bench [--device cpu|cuda] [--threads N] [--rounds N] [VERTICES ...]
//
// Non-negative and signed solves are taken in turns, so that a noisy machine treats both alike;
// medians over the rounds. Signed weights are non-negative ones plus differences of potentials, as
// `apsp generate --negative` makes them. The last lines are the ratios.
#include <fmt/format.h>
#include <apsp/apsp.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/random.hpp"
#include "engine/run.hpp"
#include "graph/adjacency_matrix.hpp"
#include "graph/bellman_check.hpp"
#include "graph/negative_cycle.hpp"
#include "graph/reduced_matrix.hpp"
#include "planner/find_plan.hpp"

namespace {

using namespace apsp;

struct Settings {
  Device device = Device::cpu;
  int threads = base::thread_count(0);
  int rounds = 5;
  std::vector<std::int64_t> sizes;
};

class Samples {
 public:
  template <class F>
  auto measure(F&& act) {
    const auto start = std::chrono::steady_clock::now();
    auto result = act();
    add(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    return result;
  }
  void add(double seconds) { seconds_.push_back(seconds); }
  double median() const {
    std::vector<double> sorted = seconds_;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }

 private:
  std::vector<double> seconds_;
};

constexpr ValueType kType = ValueType::f32;
constexpr planner::KernelKind kKernel{Semiring::min_plus, kType, kernels::Sign::non_negative};
const Control kControl;

/// Seconds of Floyd-Warshall on non-negative values: on a GPU those on the device, copies included.
double solve(const Settings& settings, kernels::View matrix) {
  const planner::Plan plan = planner::plan_matrix(
      {.n = matrix.rows, .kernel = kKernel, .threads = settings.threads}, {settings.device, {}});
  const auto start = std::chrono::steady_clock::now();
  const auto on_device = engine::run(plan, {matrix}, kControl);
  if (on_device) return on_device->seconds;
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Weights in [0, 100), or those plus differences of potentials in [−500, 500).
void fill_dense(kernels::View matrix, bool both_signs, int threads) {
  base::SplitMix64 seeds(1);
  std::vector<double> height(static_cast<std::size_t>(matrix.rows));
  for (double& value : height) value = both_signs ? 1000 * (seeds.uniform() - 0.5) : 0;
#pragma omp parallel for num_threads(threads)
  for (std::int64_t i = 0; i < matrix.rows; ++i) {
    base::SplitMix64 random(static_cast<std::uint64_t>(i) + 2);
    float* const row = static_cast<float*>(matrix.data) + i * matrix.stride;
    const double from = height[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const double weight = 100 * random.uniform() + height[static_cast<std::size_t>(j)] - from;
      row[j] = i == j ? 0 : static_cast<float>(weight);
    }
  }
}

void measure_dense(const Settings& settings, std::int64_t n) {
  base::AlignedMemory memory(n * n * std::int64_t{sizeof(float)});
  const kernels::View matrix{memory.data(), n, n, n};
  Samples plain, prepare, search, reduce, reduced, check, restore;
  for (int round = 0; round < settings.rounds; ++round) {
    fill_dense(matrix, false, settings.threads);
    plain.add(solve(settings, matrix));
    fill_dense(matrix, true, settings.threads);
    const graph::MatrixFacts facts = prepare.measure(
        [&] { return graph::prepare_matrix(Semiring::min_plus, kType, matrix, settings.threads); });
    const Potentials found = search.measure([&] {
      return graph::matrix_potentials(kType, matrix, facts, 1, settings.threads, kControl);
    });
    const graph::Reduction reduction{found.h, 1};
    reduce.measure([&] {
      graph::reduce_matrix(reduction, kType, matrix, settings.threads, kControl);
      return 0;
    });
    const graph::KeptRows kept(kType, matrix);
    reduced.add(solve(settings, matrix));
    check.measure([&] {
      kept.check(matrix, settings.threads, kControl);
      return 0;
    });
    restore.measure([&] {
      return graph::restore_matrix(reduction, kType, matrix, settings.threads, kControl);
    });
  }
  const auto line = [](const char* what, const Samples& samples) {
    fmt::print("  {:<34} {:9.4f} s\n", what, samples.median());
  };
  fmt::print("dense matrix in place, {} vertices\n", n);
  line("solve, non-negative", plain);
  line("solve, reduced weights", reduced);
  line("facts of the matrix", prepare);
  line("potentials", search);
  line("reduce", reduce);
  line("Bellman's inequality", check);
  line("restore", restore);
  const double whole = reduced.median() + reduce.median() + check.median() + restore.median();
  fmt::print(
      "  signed / non-negative              {:9.3f}   (with reduce, check, restore {:.3f})\n",
      reduced.median() / plain.median(), whole / plain.median());
  fmt::print("  potentials / solve                 {:9.3f}\n", search.median() / plain.median());
}

void measure_sparse(const Settings& settings, std::int64_t n) {
  const GenerateOptions options{.kind = GraphKind::gnp,
                                .vertices = n,
                                .probability = 16.0 / static_cast<double>(n - 1),
                                .real_weights = true};
  GenerateOptions signed_options = options;
  signed_options.negative = true;
  const Graph plain_graph = generate(options), signed_graph = generate(signed_options);
  base::AlignedMemory memory(n * n * std::int64_t{sizeof(float)});
  const kernels::View matrix{memory.data(), n, n, n};
  Samples fill, fill_reduced, plain, search, reduced, restore, check;
  for (int round = 0; round < settings.rounds; ++round) {
    fill.measure([&] {
      graph::fill_adjacency_matrix(plain_graph, Semiring::min_plus, kType, matrix,
                                   settings.threads);
      return 0;
    });
    plain.add(solve(settings, matrix));
    const Potentials found =
        search.measure([&] { return potentials(signed_graph, 1, kControl, settings.threads); });
    const graph::Reduction reduction{found.h, 1};
    fill_reduced.measure([&] {
      graph::fill_reduced_matrix(signed_graph, reduction, kType, matrix, settings.threads,
                                 kControl);
      return 0;
    });
    reduced.add(solve(settings, matrix));
    restore.measure([&] {
      return graph::restore_matrix(reduction, kType, matrix, settings.threads, kControl);
    });
    check.measure([&] {
      graph::check_bellman(signed_graph, 1, kType, matrix, 1, settings.threads, kControl);
      return 0;
    });
  }
  fmt::print("graph of {} vertices, {} arcs\n", n, signed_graph.arc_count());
  fmt::print("  fill {:.4f} s, fill reduced {:.4f} s, restore {:.4f} s, check {:.4f} s\n",
             fill.median(), fill_reduced.median(), restore.median(), check.median());
  fmt::print("  solve, non-negative {:.4f} s, reduced {:.4f} s; potentials {:.4f} s\n",
             plain.median(), reduced.median(), search.median());
  const double before = fill.median() + plain.median();
  const double now = fill_reduced.median() + reduced.median() + restore.median() + check.median();
  fmt::print("  signed / non-negative              {:9.3f}   (with fill, restore, check {:.3f})\n",
             reduced.median() / plain.median(), now / before);
  fmt::print("  potentials / solve                 {:9.3f}\n", search.median() / plain.median());
}

Settings read(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? std::string(argv[++i]) : std::string(); };
    if (word == "--device") {
      settings.device = value() == "cuda" ? Device::cuda : Device::cpu;
    } else if (word == "--threads") {
      settings.threads = std::max(1, std::atoi(value().c_str()));
    } else if (word == "--rounds") {
      settings.rounds = std::max(1, std::atoi(value().c_str()));
    } else {
      settings.sizes.push_back(std::max(2LL, std::atoll(word.c_str())));
    }
  }
  if (settings.sizes.empty()) settings.sizes = {4096};
  return settings;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Settings settings = read(argc, argv);
    for (const std::int64_t n : settings.sizes) {
      measure_dense(settings, n);
      measure_sparse(settings, n);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
