#include "calibration/measure_rates.hpp"

#include "calibration/measure_growing.hpp"
#include "kernels/cpu/cpu_kernels.hpp"

namespace apsp::calibration {
namespace {

constexpr std::int64_t kHostSizes[] = {256, 512, 1024, 1536, 2048, 3072, 4096};

}  // namespace

std::optional<planner::HostRates> measure_host(const planner::KernelKind& kind, places::Shape shape,
                                               int threads, const MeasureLimits& limits) {
  return unless_it_fails([&]() -> std::optional<planner::HostRates> {
    const SolveOptions options = measuring_options(kind, threads, limits);
    const SolveOne solve_one = [&](const Graph& graph) { return timed_solve({}, graph, options); };
    const std::vector<SizeSample> samples =
        sample_sizes(kHostSizes, kind, shape, limits, solve_one);
    if (samples.empty()) return std::nullopt;
    planner::HostRates rates;
    rates.solve = curve(samples, &PhaseSeconds::solve);
    rates.statistics = pairs_a_second(samples);
    rates.start = samples.front().parts.prepare + kernels::cpu::seconds_of_trials();
    rates.arcs = measure_arcs(kind, samples.back().n, solve_one);
    rates.rough = false;
    return rates;
  });
}

}  // namespace apsp::calibration
