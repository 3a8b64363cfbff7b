// A matrix that streams through a GPU: by the width of its panels and by the size of its buffers
// (Sao 2021, Figures 5 and 6), and through a part of the device's memory as a solve plans it.
//
// float, no negative weights. The first run is resident, the others stream from pinned memory.
// --widths: panels of each of them, with buffers of as many rows, at most 256, and no rows that
// stay; --strips: panels of --width, with buffers of so many rows. --parts: the matrix through so
// many parts of its size, as planned by the rates of this run. Seconds are those from the first
// copy in to the last copy out, the best of two. The first result is checked (random_graph.hpp),
// the others must equal it, bit for bit. Copies of the matrix between host and device come first.
// --strict: a device that checks every access, slowly, on the host.
#include <cstring>

#include "base/json.hpp"
#include "base/rounded_up.hpp"
#include "dense/device_memory.hpp"
#include "dense/streamed_memory.hpp"
#include "device_harness.hpp"
#include "planner/device_plan.hpp"
#include "program/random_graph.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"

namespace {

using namespace apsp;
using bench::seconds;

constexpr std::int64_t kMostStripRows = 256;
constexpr int kRounds = 2, kCopies = 3;

struct Settings {
  std::int64_t n = 16384, width = 768, buffers = 3;
  std::vector<std::int64_t> widths{128, 256, 384, 512, 768, 1024, 1536, 2048, 4096},
      strips{128, 256, 384, 768}, parts;
  int device = 0, threads = system::thread_count(0);
  bool strict = false, json = false;
};

class Bench {
 public:
  explicit Bench(const Settings& settings)
      : settings_(settings),
        bytes_(settings.n * settings.n * int{sizeof(float)}),
        device_(bench::open_device(settings.strict, ValueType::f32, kernels::Sign::non_negative,
                                   settings.device)),
        graph_({.n = settings.n}),
        solved_(bytes_),
        memory_(bytes_),
        matrix_{{memory_.data(), settings.n, settings.n, settings.n},
                int{sizeof(float)},
                planner::choose_device_tile(settings.n, device_->tiles().granule(),
                                            device_->tiles().whole_side())} {
    graph_.fill(matrix_.matrix, settings.threads);
  }

  bool run() {
    measure_copies();
    resident();
    for (const std::int64_t width : settings_.widths) {
      add("width", fixed_plan(width, std::min(width, kMostStripRows)));
    }
    for (const std::int64_t strip : settings_.strips) {
      if (strip <= settings_.width) add("buffer", fixed_plan(settings_.width, strip));
    }
    for (const std::int64_t part : settings_.parts) {
      dense::OffloadProblem problem = this->problem();
      problem.device_memory =
          std::max(bytes_ / part, dense::least_offload_bytes(problem, device_->tiles()));
      add("memory", dense::plan_offload(problem, rates_, device_->tiles()), problem.device_memory);
    }
    print();
    return right_;
  }

 private:
  dense::OffloadProblem problem() const {
    return {.n = settings_.n,
            .value_size = matrix_.value_size,
            .tile = matrix_.tile,
            .device_memory = std::numeric_limits<std::int64_t>::max()};
  }

  /// Bytes a second in, out, and both ways at once. The matrix is the same afterwards.
  void measure_copies() {
    const kernels::QueueId in = device_->make_queue(), out = device_->make_queue();
    const std::int64_t n = settings_.n, stride = device_->tiles().stride(n), half = n / 2;
    const dense::DeviceBuffer there(*device_, n * stride * matrix_.value_size);
    const dense::PinnedMemory pinned(*device_, matrix_.matrix, matrix_.value_size);
    const kernels::View device{there.data(), n, n, stride};
    const auto rows = [&](kernels::View view, std::int64_t first, std::int64_t count) {
      return part(view, matrix_.value_size, first, 0, count, n);
    };
    const auto copy_in = [&](std::int64_t first, std::int64_t count) {
      device_->copy_in(in, rows(device, first, count), rows(matrix_.matrix, first, count),
                       matrix_.value_size);
    };
    const auto copy_out = [&](std::int64_t first, std::int64_t count) {
      device_->copy_out(out, rows(matrix_.matrix, first, count), rows(device, first, count),
                        matrix_.value_size);
    };
    const auto rate = [&](const auto& copies) {
      return static_cast<double>(bytes_) / bench::best_of(kCopies, [&] {
               copies();
               device_->synchronize(in);
               device_->synchronize(out);
             });
    };
    rates_.in = rate([&] { copy_in(0, n); });
    rates_.out = rate([&] { copy_out(0, n); });
    rates_.both = rate([&] {
      copy_in(0, half);
      copy_out(half, n - half);
    });
  }

  void resident() {
    dense::DeviceMemory memory(*device_, matrix_, dense::Shape::full, kernels::Cycles::excluded,
                               control_);
    const auto best = [&](const auto& solve) { return best_of([&] { memory.upload(); }, solve); };
    rates_.relaxations = bench::cube(settings_.n) / best([&] { memory.solve(); });
    const std::int64_t bytes = dense::DeviceMemory::device_bytes(device_->tiles(), matrix_, false);
    resident_ = best_of([] {}, [&] { memory.run(); });
    note("resident", {.device_bytes = bytes}, 0, resident_,
         graph_.check(matrix_.matrix, {}, settings_.threads).correct);
    std::memcpy(solved_.data(), memory_.data(), static_cast<std::size_t>(bytes_));
  }

  /// Both are rounded up to the device's granule.
  dense::OffloadPlan fixed_plan(std::int64_t width, std::int64_t strip_rows) const {
    return dense::streamed_plan(
        problem(), device_->tiles(), base::rounded_up(width, device_->tiles().granule()),
        base::rounded_up(strip_rows, device_->tiles().granule()), settings_.buffers);
  }

  /// `cap`: of the device's memory; 0: none.
  void add(const char* part, const dense::OffloadPlan& plan, std::int64_t cap = 0) {
    fmt::print(stderr, "{}: panels of {}, buffers of {} rows\n", part, plan.width, plan.strip_rows);
    dense::StreamedMemory memory(*device_, plan, matrix_, kernels::Cycles::excluded, control_);
    const double seconds = best_of([] {}, [&] { memory.run(); });
    note(part, plan, cap, seconds,
         std::memcmp(memory_.data(), solved_.data(), static_cast<std::size_t>(bytes_)) == 0);
  }

  void note(const char* part, const dense::OffloadPlan& plan, std::int64_t cap, double seconds,
            bool right) {
    right_ = right_ && right;
    rows_.push_back({{"part", part},
                     {"width", plan.width},
                     {"strip_rows", plan.strip_rows},
                     {"resident_rows", plan.resident_rows},
                     {"buffer_bytes", plan.buffer_values * matrix_.value_size},
                     {"device_bytes", plan.device_bytes},
                     {"device_memory", cap},
                     {"seconds", seconds},
                     {"seconds_predicted", cap > 0 ? plan.seconds : 0},
                     {"relaxations_per_second", bench::cube(settings_.n) / seconds},
                     {"share_of_resident", resident_ / seconds},
                     {"right", right}});
  }

  /// The least seconds of `solve`, each time on fresh weights and after `prepare`.
  double best_of(const auto& prepare, const auto& solve) {
    double best = std::numeric_limits<double>::infinity();
    for (int round = 0; round < kRounds; ++round) {
      graph_.fill(matrix_.matrix, settings_.threads);
      prepare();
      best = std::min(best, seconds(solve));
    }
    return best;
  }

  void print() const {
    const nlohmann::json all = {{"vertices", settings_.n},
                                {"bytes_matrix", bytes_},
                                {"copies",
                                 {{"host to device", rates_.in},
                                  {"device to host", rates_.out},
                                  {"both at once", rates_.both}}},
                                {"rows", rows_}};
    if (settings_.json) return fmt::print("{}\n", all.dump(2));
    fmt::print("n = {}, f32, {} buffers; copies {} bytes/s\n", settings_.n, settings_.buffers,
               all["copies"].dump());
    for (const nlohmann::json& row : rows_) fmt::print("{}\n", row.dump());
  }

  const Settings& settings_;
  std::int64_t bytes_;
  Control control_;
  std::unique_ptr<kernels::ComputeDevice> device_;
  bench::RandomGraph graph_;
  system::AlignedMemory solved_, memory_;
  dense::TiledMatrix matrix_;  // [n, n], in memory_
  dense::OffloadRates rates_{};
  double resident_ = 0;  // seconds
  bool right_ = true;
  nlohmann::json rows_ = nlohmann::json::array();
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_offload_bench");
  bool only_parts = false;
  options("--n N", settings.n)("--widths LIST", settings.widths)("--width N", settings.width);
  options("--strips LIST", settings.strips)("--buffers N", settings.buffers);
  options("--parts LIST", settings.parts)("--only-parts", only_parts)("--device N",
                                                                      settings.device);
  options("--strict", settings.strict)("--json", settings.json);
  return options.run(argc, argv, [&] {
    if (only_parts) {
      settings.widths.clear();
      settings.strips.clear();
    }
    return Bench(settings).run();
  });
}
