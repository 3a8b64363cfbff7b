// The cost of weights of both signs: f32, a dense matrix in place.
//
// Non-negative and signed solves are taken in turns, so that a noisy machine treats both alike;
// medians over the rounds. Signed weights are non-negative ones plus differences of potentials, as
// `apsp generate --negative` makes them. The last lines are the ratios.
#include <apsp/apsp.hpp>

#include <cmath>

#include "engine/run.hpp"
#include "graph/bellman_check.hpp"
#include "graph/negative_cycle.hpp"
#include "graph/reduced_matrix.hpp"
#include "harness.hpp"
#include "planner/find_plan.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/threads.hpp"

namespace {

using namespace apsp;

struct Settings {
  std::string place = "cpu";
  Device device() const { return place == "cuda" ? Device::cuda : Device::cpu; }
  int threads = system::thread_count(0);
  int rounds = 5;
  std::vector<std::int64_t> sizes = {4096};
};

/// Seconds of all rounds.
struct Samples {
  auto measure(const auto& act) {
    if constexpr (std::is_void_v<decltype(act())>) {
      all.push_back(bench::seconds(act));
    } else {
      std::optional<decltype(act())> result;
      all.push_back(bench::seconds([&] { result = act(); }));
      return std::move(*result);
    }
  }
  void add(double seconds) { all.push_back(seconds); }
  double median() const { return bench::median(all); }

  std::vector<double> all;
};

constexpr ValueType kType = ValueType::f32;
constexpr planner::KernelKind kKernel{Semiring::min_plus, kType, kernels::Sign::non_negative};
const Control kControl;

/// Seconds of Floyd-Warshall on non-negative values: on a GPU those on the device, copies included.
double solve(const Settings& settings, kernels::View matrix) {
  const planner::Plan plan = planner::plan_matrix(
      {.n = matrix.rows, .kernel = kKernel, .threads = settings.threads}, {settings.device(), {}});
  std::optional<DeviceReport> on_device;
  const double taken = bench::seconds([&] { on_device = engine::run(plan, {matrix}, kControl); });
  return on_device ? on_device->seconds : taken;
}

/// Weights in [0, 100), or those plus differences of potentials in [−500, 500).
void fill_dense(kernels::View matrix, bool both_signs, int threads) {
  base::SplitMix64 seeds(1);
  std::vector<double> height(static_cast<std::size_t>(matrix.rows));
  for (double& value : height) value = both_signs ? 1000 * (seeds.uniform() - 0.5) : 0;
  system::parallel_for(matrix.rows, threads, [&](std::int64_t i) {
    base::SplitMix64 random(static_cast<std::uint64_t>(i) + 2);
    float* const row = static_cast<float*>(matrix.data) + i * matrix.stride;
    const double from = height[static_cast<std::size_t>(i)];
    for (std::int64_t j = 0; j < matrix.cols; ++j) {
      const double weight = 100 * random.uniform() + height[static_cast<std::size_t>(j)] - from;
      row[j] = i == j ? 0 : static_cast<float>(weight);
    }
  });
}

void measure_dense(const Settings& settings, std::int64_t n) {
  system::AlignedMemory memory(n * n * std::int64_t{sizeof(float)});
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
    reduce.measure(
        [&] { graph::reduce_matrix(reduction, kType, matrix, settings.threads, kControl); });
    const graph::KeptRows kept(kType, matrix);
    reduced.add(solve(settings, matrix));
    check.measure([&] { kept.check(matrix, settings.threads, kControl); });
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

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options(
      "apsp_signed_bench [--device cpu|cuda] [--threads N] [--rounds N] [VERTICES ...]");
  options.value("--device", settings.place).value("--threads", settings.threads);
  options.value("--rounds", settings.rounds).word(settings.sizes);
  return options.run(argc, argv, [&] {
    for (const std::int64_t n : settings.sizes) measure_dense(settings, n);
  });
}
