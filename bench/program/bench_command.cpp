// apsp bench: the machine's limits and how near the kernels come.
#include <fmt/format.h>

#include <cmath>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/option_values.hpp"
#include "cli/solve_request.hpp"
#include "cli/verb.hpp"
#include "program/bench_view.hpp"
#include "program/benchmark.hpp"
#include "program/cluster_benchmark.hpp"
#include "rates/machine_report.hpp"
#include "store/tiling.hpp"

namespace apsp::cli {
namespace {

class Bench : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.section("Extent");
    arguments.flag(
        "--quick", [this] { set_extent(bench::BenchmarkExtent::quick); },
        "a few seconds: up to 1,024 vertices (4,096 on a GPU), nothing from memory");
    arguments.flag(
        "--full", [this] { set_extent(bench::BenchmarkExtent::full); },
        "minutes: up to 8,192 vertices; default: up to 4,096 (32,768 on a GPU)");
    arguments.value(
        "--device", "cpu|cuda|cuda:N", [this](const std::string& text) { set_device(text); },
        "what is measured; default: cpu. With several processes: of each, GPUs in turn");
    arguments.value(
        "--vertices", "LIST", [this](const std::string& text) { set_vertices(text); },
        "sizes of Floyd-Warshall, such as 1000,2000. With several processes the default is the "
        "largest that half of all free memory holds (--full: 0.8 of it)");
    arguments.value(
        "--tile", "LIST", [this](const std::string& text) { set_tiles(text); },
        "only Floyd-Warshall, by the side of its tiles, such as 64,128,256; with several processes "
        "one side");
    parsed(arguments, "--threads", "N", count_value, options_.threads,
           "up to so many threads; default: all cores available to the process");
    parsed(arguments, "--seed", "N", seed_value, options_.seed,
           "which random matrices; default: 1");
    arguments.section("Several processes (mpirun -n 4 apsp bench …)");
    choice(arguments, "--dtype",
           Choices<ValueType>{{"f32", ValueType::f32},
                              {"f64", ValueType::f64},
                              {"i32", ValueType::i32},
                              {"u16", ValueType::u16}},
           type_, "values of the matrix; default: f32");
    declare_tuning(arguments, job_);
  }

  int run(Context& context) override {
    options_.control = context.control();
    job_.measure = true;
    if (context.launch != nullptr) return run_cluster(context);
    if (gave_cluster_options(context)) {
      // Starts again under MPI, as a job of one process.
      if (cluster::has_launcher()) cluster::go_on_under_mpi(context.words());
      throw usage_error(
          "--dtype and --tuning are for several processes: start them "
          "with mpirun -n 4 apsp bench …");
    }
    refuse_if(ordinals_.size() > 1, "--device takes cpu, cuda or one GPU such as cuda:0");
    const bench::BenchmarkReport report = measured();
    const nlohmann::json machine = rates::machine_report();
    context.print(benchmark_text(report,
                                 fmt::format("{} ({})", machine["cpu"].get<std::string>(),
                                             machine["instruction_set"].get<std::string>()),
                                 context.out()));
    context.note("measured in " + context.err().spelled(base::format_seconds(report.seconds)));
    if (context.json) {
      context.print_json({{"machine", machine},
                          {report.device ? "device_benchmark" : "benchmark", to_json(report)}});
    }
    return report.correct ? kExitOk : kExitNegativeAnswer;
  }

 private:
  bench::BenchmarkReport measured() const {
    if (!on_gpu()) return bench::measure_host(options_);
    const bench::DeviceUnderTest device = bench::cuda_device(ordinal_);
    return bench::measure_device(options_, device,
                                 bench::device_extent(options_, device.facts.memory_free));
  }

  static bool gave_cluster_options(const Context& context) {
    return context.gave("--dtype") || gave_job_options(context);
  }

  int run_cluster(Context& context) const {
    refuse_if(options_.tiles.size() > 1, "--tile takes one side with several processes");
    cluster::Launch& launch = *context.launch;
    return cluster::run_job(launch, job_, options_.control.cancellation, [&](cluster::Job& job) {
      const bench::ClusterBenchmarkReport report = bench::run_cluster_benchmark(
          job, job_.variant, launch.of_each_machine,
          {.vertices = options_.vertices,
           .extent = options_.extent,
           .type = type_,
           .device = on_gpu() ? Device::cuda : Device::cpu,
           .ordinals = ordinals_,
           .tile = options_.tiles.empty() ? 0 : options_.tiles.front(),
           .threads = cluster::threads_of_process(launch, options_.threads),
           .seed = options_.seed,
           .control = options_.control});
      context.print(cluster_benchmark_text(report, context.out()));
      if (context.json && job.processes.first()) {
        context.print_json({{"machine", rates::machine_report()}, {"cluster", to_json(report)}});
      }
      return report.passed() ? kExitOk : kExitNegativeAnswer;
    });
  }

  bool on_gpu() const { return ordinal_ >= 0; }

  void set_device(const std::string& text) {
    const DeviceValue value = device_value("--device", text);
    refuse_if(value.device == Device::automatic,
              "--device takes cpu, cuda or one GPU such as cuda:0; not '{}'", text);
    ordinals_ = value.ordinals;
    ordinal_ = -1;
    if (value.device == Device::cuda) ordinal_ = value.ordinals.empty() ? 0 : value.ordinals[0];
  }

  void set_extent(bench::BenchmarkExtent extent) {
    refuse_if(options_.extent != bench::BenchmarkExtent::standard && options_.extent != extent,
              "--quick and --full exclude each other");
    options_.extent = extent;
  }

  void set_vertices(const std::string& text) {
    options_.vertices = whole_numbers("--vertices", text, kMostVertices, "1000,2000");
  }

  void set_tiles(const std::string& text) {
    options_.tiles = whole_numbers("--tile", text, store::kMostTile, "64,128");
  }

  static std::vector<std::int64_t> whole_numbers(const char* option, const std::string& text,
                                                 std::int64_t most, const char* such_as) {
    std::vector<std::int64_t> numbers;
    for (const double size : list_value(option, text)) {
      refuse_if(size != std::floor(size) || size < 1 || size > static_cast<double>(most),
                "{} takes whole numbers from 1 to {}, such as "
                "{}; not '{}'",
                option, most, such_as, text);
      numbers.push_back(static_cast<std::int64_t>(size));
    }
    return numbers;
  }

  /// Every value of a matrix of this side can still be counted and summed.
  static constexpr std::int64_t kMostVertices = 1'000'000;

  bench::BenchmarkOptions options_;
  int ordinal_ = -1;           // of the GPU that is measured; −1: the CPU
  std::vector<int> ordinals_;  // of several processes' GPUs; empty: all in turn
  ValueType type_ = ValueType::f32;
  cluster::JobOptions job_;
};

}  // namespace

VerbEntry bench_verb() {
  return {"bench",
          "this machine's limits and how near the kernels come",
          "Bench: what this machine's instructions allow for each kind of value, and what share of "
          "that multiply_add and Floyd-Warshall reach; every result is checked. Several processes "
          "make a random matrix in their memories, without a file, and solve it together.",
          {"apsp bench --quick                        a few seconds",
           "apsp bench --device cuda                  the first GPU, some two minutes",
           "mpirun -n 4 apsp bench --vertices 8192    one matrix on four processes"},
          make_verb<Bench>,
          true};
}

}  // namespace apsp::cli
