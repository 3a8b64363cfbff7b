// A matrix that streams through a GPU, by the width of its panels and by the size of its buffers
// (Sao 2021, Figures 5 and 6).
//
//   apsp_offload_bench [--n N] [--widths LIST] [--width N] [--strips LIST] [--buffers N] [--device
//   N] [--strict] [--json]
//
// float, no negative weights. The first run is resident, the others stream from pinned memory and
// keep no rows. First panels of each of --widths, with buffers of as many rows, at most 256; then
// panels of --width, with buffers of each of --strips rows. Seconds are those from the first copy
// in to the last copy out, the best of two. Every result is checked: the first by rows' definition,
// the others against it, bit for bit. --strict: a device that checks every access, slowly, on the
// host. Exit 1 where anything differs.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "base/aligned_memory.hpp"
#include "base/json.hpp"
#include "base/machine.hpp"
#include "base/rounded_up.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "places/device_memory.hpp"
#include "places/streamed_memory.hpp"
#include "planner/device_plan.hpp"
#include "program/benchmark_cuda_parts.hpp"
#include "program/benchmark_cuda_problem.hpp"
#include "support/strict/strict_device.hpp"

namespace {

using namespace apsp;

constexpr std::int64_t kMostStripRows = 256;
constexpr int kRounds = 2;

struct Settings {
  std::int64_t n = 16384, width = 768, buffers = 3;
  std::vector<std::int64_t> widths{128, 256, 384, 512, 768, 1024, 1536, 2048, 4096},
      strips{128, 256, 384, 768};
  int ordinal = 0;
  bool strict = false, json = false;
};

struct Row {
  std::string part;  // "resident", "width", "buffer"
  std::int64_t width = 0, strip_rows = 0, buffer_bytes = 0, device_bytes = 0;
  double seconds = std::numeric_limits<double>::infinity();
  bool right = true;
};

class Bench {
 public:
  explicit Bench(const Settings& settings)
      : settings_(settings),
        bytes_(settings.n * settings.n * int{sizeof(float)}),
        device_(settings.strict
                    ? kernels::strict::make_device(Semiring::min_plus, ValueType::f32, 8 * bytes_)
                    : kernels::cuda::make_device(settings.ordinal, Semiring::min_plus,
                                                 ValueType::f32, kernels::Sign::non_negative)),
        problem_(bench::make_cuda_problem(bench::kCudaMain, places::Shape::full, settings.n, 1,
                                          base::thread_count(0))),
        weights_(bytes_),
        solved_(bytes_),
        matrix_(bytes_) {
    problem_->fill(tiled(weights_).matrix);
  }

  std::vector<Row> run() {
    std::vector<Row> rows{resident()};
    for (const std::int64_t width : settings_.widths) {
      fmt::print(stderr, "panels of {}\n", width);
      rows.push_back(streamed("width", width, std::min(width, kMostStripRows)));
    }
    for (const std::int64_t strip : settings_.strips) {
      if (strip > settings_.width) continue;
      fmt::print(stderr, "buffers of {} rows\n", strip);
      rows.push_back(streamed("buffer", settings_.width, strip));
    }
    return rows;
  }

 private:
  places::TiledMatrix tiled(base::AlignedMemory& memory) const {
    return {{memory.data(), settings_.n, settings_.n, settings_.n},
            int{sizeof(float)},
            planner::choose_device_tile(settings_.n, device_->tiles().granule(),
                                        device_->tiles().whole_side())};
  }
  void restart() { std::memcpy(matrix_.data(), weights_.data(), static_cast<std::size_t>(bytes_)); }

  Row resident() {
    Row row{"resident"};
    places::DeviceMemory memory(*device_, tiled(matrix_), places::Shape::full,
                                kernels::Cycles::excluded, control_);
    for (int round = 0; round < kRounds; ++round) {
      restart();
      row.seconds = std::min(row.seconds, bench::timed([&] { memory.run(); }).seconds);
    }
    row.right = problem_->check(tiled(matrix_).matrix, {}).correct;
    std::memcpy(solved_.data(), matrix_.data(), static_cast<std::size_t>(bytes_));
    return row;
  }

  /// Both are rounded up to the device's granule.
  Row streamed(const char* part, std::int64_t width, std::int64_t strip_rows) {
    width = base::rounded_up(width, device_->tiles().granule());
    strip_rows = base::rounded_up(strip_rows, device_->tiles().granule());
    const places::TiledMatrix matrix = tiled(matrix_);
    const places::OffloadProblem problem{.n = settings_.n,
                                         .value_size = matrix.value_size,
                                         .tile = matrix.tile,
                                         .device_memory = std::numeric_limits<std::int64_t>::max()};
    const places::OffloadPlan plan =
        places::streamed_plan(problem, device_->tiles(), width, strip_rows, settings_.buffers);
    Row row{part, width, strip_rows, plan.buffer_values * matrix.value_size, plan.device_bytes};
    places::StreamedMemory memory(*device_, plan, matrix, kernels::Cycles::excluded, control_);
    for (int round = 0; round < kRounds; ++round) {
      restart();
      row.seconds = std::min(row.seconds, bench::timed([&] { memory.run(); }).seconds);
      row.right = row.right && std::memcmp(matrix_.data(), solved_.data(),
                                           static_cast<std::size_t>(bytes_)) == 0;
    }
    return row;
  }

  const Settings& settings_;
  std::int64_t bytes_;
  Control control_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  std::unique_ptr<bench::CudaProblem> problem_;
  base::AlignedMemory weights_, solved_, matrix_;  // [n, n]
};

double rate(const Settings& settings, const Row& row) {
  const auto side = static_cast<double>(settings.n);
  return side * side * side / row.seconds;
}

void print_table(const Settings& settings, const std::vector<Row>& rows) {
  fmt::print("n = {}, f32, {} buffers\n{:9} {:>6} {:>6} {:>12} {:>12} {:>9} {:>7} {:>9}  {}\n",
             settings.n, settings.buffers, "part", "panel", "rows", "buffer, MB", "device, MB", "s",
             "T/s", "share", "result");
  for (const Row& row : rows) {
    fmt::print("{:9} {:>6} {:>6} {:>12.1f} {:>12.1f} {:>9.4f} {:>7.2f} {:>9.3f}  {}\n", row.part,
               row.width, row.strip_rows, 1e-6 * static_cast<double>(row.buffer_bytes),
               1e-6 * static_cast<double>(row.device_bytes), row.seconds,
               1e-12 * rate(settings, row), rows.front().seconds / row.seconds,
               row.right ? "right" : "WRONG");
  }
}

void print_json(const Settings& settings, const std::vector<Row>& rows) {
  nlohmann::json list = nlohmann::json::array();
  for (const Row& row : rows) {
    list.push_back({{"part", row.part},
                    {"width", row.width},
                    {"strip_rows", row.strip_rows},
                    {"buffer_bytes", row.buffer_bytes},
                    {"device_bytes", row.device_bytes},
                    {"seconds", row.seconds},
                    {"relaxations_per_second", rate(settings, row)},
                    {"share_of_resident", rows.front().seconds / row.seconds},
                    {"right", row.right}});
  }
  fmt::print("{}\n", nlohmann::json{{"vertices", settings.n}, {"rows", list}}.dump(2));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("matrices that stream through a GPU, by widths of panels and sizes of buffers",
               "apsp_offload_bench");
  Settings settings;
  app.add_option("--n", settings.n, "vertices")->check(CLI::PositiveNumber);
  app.add_option("--widths", settings.widths, "widths of panels")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--width", settings.width, "width of panels where buffers vary")
      ->check(CLI::PositiveNumber);
  app.add_option("--strips", settings.strips, "rows of a buffer")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--buffers", settings.buffers, "number of buffers")->check(CLI::Range(2, 6));
  app.add_option("--device", settings.ordinal, "number of the GPU");
  app.add_flag("--strict", settings.strict, "a device on the host that checks every access");
  app.add_flag("--json", settings.json, "print JSON");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::vector<Row> rows = Bench(settings).run();
    settings.json ? print_json(settings, rows) : print_table(settings, rows);
    return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.right; }) ? 0 : 1;
  } catch (const Error& error) {
    fmt::print(stderr, "apsp_offload_bench: {}\n", error.what());
    return error.kind() == ErrorKind::device ? 7 : 5;
  }
}
