// A dense matrix of distances for some smaller weights: by products (engine/matrix_update.hpp) and
// solved again, in turns.
//
// Random dense matrices of f32 with whole weights, so that both results must be the same in every
// bit; 1,024 and 2,048 vertices if none are given, 1,000 smaller weights. --larger: so many larger
// weights too. --cuda: both on the first GPU, which the matrix passes through; opening it counts.
// --unchecked: the first solve is the one that is timed, and the results are not
// compared, for large matrices. Seconds by the clock and of all threads together (CPU), the best of
// all rounds.

#include <cmath>
#include <cstring>

#include "engine/matrix_operations.hpp"
#include "engine/matrix_update.hpp"
#include "engine/run.hpp"
#include "harness.hpp"
#include "planner/find_plan.hpp"
#include "planner/plan.hpp"
#include "program/random_graph.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;

constexpr ValueType kType = ValueType::f32;

struct Settings {
  int threads = 0;
  std::int64_t changes = 1000, larger = 0;
  int rounds = 2;
  Device device() const { return cuda ? Device::cuda : Device::cpu; }
  bool cuda = false, unchecked = false;
  std::vector<std::int64_t> vertices = {1024, 2048};
};

void measure(bench::Sample& best, const auto& work) {
  const bench::Sample taken = bench::timed(work);
  best.seconds = std::min(best.seconds, taken.seconds);
  best.cpu_seconds = std::min(best.cpu_seconds, taken.cpu_seconds);
}

class Matrix {
 public:
  explicit Matrix(std::int64_t n) : n_(n), memory_(n * n * std::int64_t{sizeof(float)}) {}
  float* row(std::int64_t i) const { return memory_.as<float>() + i * n_; }
  kernels::View view() const { return {memory_.data(), n_, n_, n_}; }
  std::size_t bytes() const { return static_cast<std::size_t>(n_ * n_) * sizeof(float); }
  void copy_from(const Matrix& other) {
    std::memcpy(memory_.data(), other.memory_.data(), bytes());
  }

 private:
  std::int64_t n_;
  mutable system::AlignedMemory memory_;
};

constexpr planner::KernelKind kKernel{Semiring::min_plus, kType, kernels::Sign::non_negative};

void solve(const Matrix& matrix, std::int64_t n, const Settings& settings) {
  planner::Plan plan = planner::plan_matrix(
      {.n = n, .kernel = kKernel, .threads = settings.threads}, {settings.device(), {}});
  plan.cycles = kernels::Cycles::excluded;
  engine::run(plan, {matrix.view()}, {});
}

std::unique_ptr<engine::MatrixOperations> operations_of(const Settings& settings) {
  static const Control quiet;
  if (settings.device() == Device::cpu) {
    return engine::operations_on_host(kKernel, settings.threads, quiet);
  }
  return engine::operations_through_device(
      kKernel, {.preference = {settings.device(), {}}, .find = planner::cuda_devices},
      settings.threads, quiet);
}

/// Arcs of other weights: `changes` of them by a thousandth, `larger` of them ten times.
std::vector<engine::ArcChange> changes_of(const bench::RandomGraph& matrix,
                                          const Settings& settings) {
  base::SplitMix64 random(7);
  std::vector<engine::ArcChange> arcs;
  const auto n = static_cast<std::uint64_t>(matrix.n());
  while (std::ssize(arcs) < settings.changes + settings.larger) {
    const auto from = static_cast<Vertex>(random.below(n)),
               to = static_cast<Vertex>(random.below(n));
    if (from == to) continue;
    const auto before = static_cast<double>(matrix.weight(from, to));
    const bool smaller = std::ssize(arcs) < settings.changes;
    arcs.push_back(
        {from, to, before, smaller ? std::max(1.0, std::floor(before / 1000)) : before * 10});
  }
  return arcs;
}

bool run(std::int64_t n, const Settings& settings) {
  const bench::RandomGraph random({.type = kType, .n = n, .complete = true});
  Matrix closed(n), updated(n), solved(n);
  const auto fill = [&](const Matrix& matrix) {
    for (std::int64_t i = 0; i < n; ++i) random.fill_row(i, 0, n, matrix.row(i));
  };
  engine::MatrixChange change{.semiring = Semiring::min_plus, .type = kType};
  change.arcs = changes_of(random, settings);
  change.threads = settings.threads;
  change.fill_row = [&](std::int64_t row, void* values) {
    auto* const to = static_cast<float*>(values);
    random.fill_row(row, 0, n, to);
    for (const engine::ArcChange& arc : change.arcs) {
      if (arc.from == row) to[arc.to] = static_cast<float>(arc.now);
    }
  };
  fill(closed);
  bench::Sample by_update{1e300, 1e300}, by_solve = by_update;
  measure(by_solve, [&] { solve(closed, n, settings); });
  engine::MatrixUpdated report;
  for (int round = 0; round < settings.rounds; ++round) {
    updated.copy_from(closed);
    measure(by_update, [&] {
      report = engine::update_matrix(updated.view(), change, *operations_of(settings));
    });
    if (settings.unchecked) continue;
    for (std::int64_t i = 0; i < n; ++i) change.fill_row(i, solved.row(i));
    measure(by_solve, [&] { solve(solved, n, settings); });
  }
  const bool same = report.done && !settings.unchecked &&
                    std::memcmp(updated.row(0), solved.row(0), solved.bytes()) == 0;
  fmt::print("{:>8} {:>8} {:>8} {:>9.3f} {:>9.3f} {:>9.3f} {:>9.3f} {:>7.2f} {:>7.2f}  {}\n", n,
             report.through, report.touched, by_update.seconds, by_update.cpu_seconds,
             by_solve.seconds, by_solve.cpu_seconds, by_solve.seconds / by_update.seconds,
             by_solve.cpu_seconds / by_update.cpu_seconds,
             !report.done         ? "left to a solve"
             : settings.unchecked ? "unchecked"
             : same               ? "same"
                                  : "DIFFERENT");
  std::fflush(stdout);
  return same || !report.done || settings.unchecked;
}

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options(
      "apsp_update_bench [--threads N] [--cuda] [--changes K] [--larger K] [--rounds N] "
      "[--unchecked] [VERTICES ...]");
  options.value("--threads", settings.threads).flag("--cuda", settings.cuda);
  options.value("--changes", settings.changes).value("--larger", settings.larger);
  options.value("--rounds", settings.rounds).flag("--unchecked", settings.unchecked);
  options.word(settings.vertices);
  return options.run(argc, argv, [&] {
    settings.threads = system::thread_count(settings.threads);
    fmt::print("{}, {} threads, {} smaller and {} larger weights\n", name(settings.device()),
               settings.threads, settings.changes, settings.larger);
    fmt::print(
        "{:>8} {:>8} {:>8} {:>19} {:>19} {:>15}\n{:>8} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>7} "
        "{:>7}\n",
        "", "cover", "rows", "update, s", "solve, s", "solve / update", "n", "", "solved", "clock",
        "CPU", "clock", "CPU", "clock", "CPU");
    bool right = true;
    for (const std::int64_t n : settings.vertices) right = run(n, settings) && right;
    return right;
  });
}
