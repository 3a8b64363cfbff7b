// A dense matrix larger than the host's memory, on the disk, solved by GPUs: how long the steps
// take, compared with only the disk and only the GPUs.
//
// A random matrix (random_graph.hpp) of f32 in FOLDER: 8 n² bytes, and as
// many as a quarter of that for the disk's rate. The disk: a file of a quarter of the matrix,
// written and synced, and read again past the system's cache. The GPUs: products of the
// plan's shape on the first one. `--device-memory` is for each. The steps begin with an empty cache
// (--cached: with what the system has kept). At the end some rows of the result are compared with
// their definition. --host: on the host's threads in
// place of a GPU. Sizes of memory are in MiB. Exit 1 where anything differs.
#include <fcntl.h>
#include <unistd.h>
#include <apsp/progress.hpp>

#include "dense/disk_memory.hpp"
#include "harness.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "kernels/host/host_device.hpp"
#include "planner/dense_model.hpp"
#include "planner/device_plan.hpp"
#include "program/random_graph.hpp"
#include "system/aligned_memory.hpp"
#include "system/machine.hpp"
#include "system/open_file.hpp"
#include "system/threads.hpp"

namespace {

using namespace apsp;
using bench::seconds;

constexpr std::int64_t kMiB = std::int64_t{1} << 20, kValue = sizeof(float);

struct Settings {
  std::string folder;
  std::int64_t n = 32'768, memory = 1024, device_memory = 0;  // MiB
  std::vector<int> gpus = {0};
  bool cached = false, host = false;
};

void forget(const std::string& path) {
  const system::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) return;
  fsync(file.number());
  posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
}

/// Bytes a second of a file of `bytes`, by one thread.
planner::TransferRates disk_rates(const std::string& folder, std::int64_t bytes) {
  constexpr std::int64_t kPiece = 8 * kMiB;
  system::AlignedMemory piece(kPiece);
  auto* const words = piece.as<std::uint64_t>();
  base::SplitMix64 random(7);
  std::generate_n(words, kPiece / 8, [&] { return random.next(); });
  const system::Descriptor file = system::open_nameless(folder);
  const auto each = [&](const auto& move) {
    for (std::int64_t at = 0; at < bytes; at += kPiece) {
      if (move(at) != kPiece) {
        fmt::print("the disk refuses {} bytes in {}\n", kPiece, folder);
        std::exit(1);
      }
    }
  };
  const double written = seconds([&] {
    each([&](std::int64_t at) { return pwrite(file.number(), piece.data(), kPiece, at); });
    fsync(file.number());
  });
  posix_fadvise(file.number(), 0, 0, POSIX_FADV_DONTNEED);
  const double read = seconds([&] {
    each([&](std::int64_t at) { return pread(file.number(), piece.data(), kPiece, at); });
  });
  const auto moved = static_cast<double>((bytes + kPiece - 1) / kPiece * kPiece);
  return {.disk_write_bytes_per_second = moved / written,
          .disk_read_bytes_per_second = moved / read};
}

std::unique_ptr<kernels::ComputeDevice> open_device(const Settings& settings, int gpu,
                                                    int threads) {
  constexpr std::int64_t kHostTile = 192;
  const auto sign = kernels::Sign::non_negative;
  if (settings.host) {
    return kernels::host::make_device(
        kernels::cpu::operations(Semiring::min_plus, ValueType::f32, sign), std::nullopt, kHostTile,
        threads);
  }
  return planner::cuda_devices().open(gpu, Semiring::min_plus, ValueType::f32, sign,
                                      settings.device_memory);
}

class Bench {
 public:
  explicit Bench(const Settings& settings) : settings_(settings), n_(settings.n) {
    for (const int gpu : settings.gpus) {
      owned_.push_back(open_device(settings, gpu, threads_));
      devices_.push_back(owned_.back().get());
    }
    device_ = dense::met(devices_).front();  // before any queue is made
    const std::int64_t free = static_cast<std::int64_t>(
        0.95 * static_cast<double>(settings.host ? system::available_memory() / 2
                                                 : device_->memory_free()));
    plan_ = dense::plan_disk(
        {.n = n_,
         .value_size = static_cast<int>(kValue),
         .tile = planner::choose_device_tile(n_, device_->tiles().granule(), 0),
         .memory = settings.memory,
         .device_memory =
             settings.device_memory > 0 ? std::min(settings.device_memory, free) : free,
         .devices = static_cast<int>(devices_.size())},
        device_->tiles());
  }

  bool run() {
    fmt::print(
        "{} devices, {} vertices, f32, {} MiB: {} steps of {}, {}, {} parts of {} rows, bands of "
        "{}; "
        "{} MiB of the host, {} MiB of each device\n",
        devices_.size(), n_, n_ * n_ * kValue / kMiB, plan_.steps(n_), plan_.width,
        plan_.stays ? "read and written once" : "read and written in each", plan_.buffers,
        plan_.strip_rows, plan_.band, plan_.bytes / kMiB, plan_.device_bytes / kMiB);
    const planner::TransferRates disk = disk_rates(settings_.folder, n_ * n_ * kValue / 4);
    fmt::print("disk alone: {:.2f} GB/s written, {:.2f} GB/s read\n",
               disk.disk_write_bytes_per_second / 1e9, disk.disk_read_bytes_per_second / 1e9);
    const double work = work_alone();
    store::JournalHead head;
    head.layout = {n_, ValueType::f32, Semiring::min_plus, plan_.band};
    store::DiskMatrix matrix(store::posix_file_system(), settings_.folder + "/bench.npy", head,
                             Graph());
    fmt::print("weights written with checksums in {:.2f} s\n", seconds([&] { fill(matrix); }));
    if (!settings_.cached) {
      for (const int generation : {0, 1}) {
        forget(fmt::format("{}/generation-{}", matrix.shared_place(), generation));
      }
    }
    solve(matrix, disk, work);
    const bool right = check(matrix);
    matrix.discard();
    return right;
  }

 private:
  /// Seconds of all relaxations, as products of the plan take on the device that has most.
  double work_alone() {
    const std::int64_t depth = std::min(plan_.width, n_);
    const std::int64_t rows = plan_.stays ? depth : std::min(plan_.strip_rows, n_);
    const std::int64_t columns = plan_.stays ? plan_.columns : n_;
    const std::int64_t stride = device_->tiles().stride(columns);
    const std::int64_t band = std::min(plan_.band, n_), across = device_->tiles().stride(band);
    const kernels::QueueId queue = device_->make_queue();
    const dense::DeviceBuffer values(*device_, rows * stride * kValue);
    const dense::DeviceBuffer piece(*device_, depth * across * kValue);
    const dense::DeviceBuffer left(*device_, device_->tiles().left_bytes(rows, depth));
    const dense::DeviceBuffer right(*device_, device_->tiles().right_bytes(columns, depth));
    system::AlignedMemory row(n_ * kValue);
    graph_.fill_row(0, 0, n_, row.as<float>());
    for (std::int64_t i = 0; i < rows; ++i) {
      device_->copy_in(queue, {values.data() + i * stride * kValue, 1, columns, stride},
                       {row.data(), 1, columns, columns}, kValue);
    }
    device_->tiles().pack_left(queue, {values.data(), rows, depth, stride}, false, left.data());
    for (std::int64_t i = 0; i < depth; ++i) {
      device_->copy_in(queue, {piece.data() + i * across * kValue, 1, band, across},
                       {row.data(), 1, band, band}, kValue);
    }
    for (std::int64_t first = 0; first < columns; first += band) {
      device_->tiles().pack_right(queue,
                                  {piece.data(), depth, std::min(band, columns - first), across},
                                  false, right.data() + device_->tiles().right_bytes(first, depth));
    }
    device_->synchronize(queue);
    const double best = bench::best_of(3, [&] {
      device_->tiles().multiply_add(queue, {.c = {values.data(), rows, columns, stride},
                                            .left = left.data(),
                                            .right = right.data(),
                                            .depth = depth});
      device_->synchronize(queue);
    });
    const double rate = static_cast<double>(rows * columns) * static_cast<double>(depth) / best;
    const double time = bench::cube(n_) * plan_.share_of_device(n_) / rate;
    fmt::print("a device alone: {:.2f} T relaxations/s, {:.2f} s for its share of {:.4f}\n",
               rate / 1e12, time, plan_.share_of_device(n_));
    return time;
  }

  void fill(store::DiskMatrix& matrix) {
    const std::int64_t height = std::min(plan_.strip_rows, n_);
    system::AlignedMemory strip(height * n_ * kValue);
    for (std::int64_t first = 0; first < n_; first += height) {
      const std::int64_t rows = std::min(height, n_ - first);
      system::parallel_for(rows, threads_, [&](std::int64_t i) {
        graph_.fill_row(first + i, 0, n_, strip.as<float>() + i * n_);
      });
      system::parallel_for(matrix.bands(), threads_, [&](std::int64_t band) {
        const std::int64_t column = matrix.first_column(band);
        matrix.write_block({first, column, rows, matrix.columns(band)}, strip.as<float>() + column,
                           n_);
      });
    }
    matrix.commit_step(0);
  }

  void solve(store::DiskMatrix& matrix, const planner::TransferRates& disk, double work) {
    const Control control;
    double waited = 0;
    const double taken = seconds([&] {
      dense::DiskMemory place(matrix, plan_, devices_, threads_, control);
      place.run();
      waited = place.waited();
    });
    const double bytes = static_cast<double>(n_ * n_ * kValue);
    const double moved =
        static_cast<double>(plan_.passes(n_)) *
        (bytes / disk.disk_read_bytes_per_second + bytes / disk.disk_write_bytes_per_second);
    const double predicted =
        planner::steps_on_disk(plan_, n_, static_cast<int>(kValue), work, disk);
    const double longer = std::max(moved, work);
    fmt::print(
        "steps: {:.2f} s; predicted by these rates {:.2f} s; disk {:.2f} s, device {:.2f} s: "
        "{:.2f} times the longer; waited {:.2f} s for the disk\n",
        taken, predicted, moved, work, taken / longer, waited);
    fmt::print("most memory of this process: {} MiB\n", system::process_memory("VmHWM") / kMiB);
  }

  bool check(const store::DiskMatrix& matrix) {
    const std::vector<std::int64_t> sources = graph_.sources();
    system::AlignedMemory found(std::ssize(sources) * n_ * kValue);
    for (std::size_t i = 0; i < sources.size(); ++i) {
      matrix.read_block(store::DiskMatrix::Generation::current, {sources[i], 0, 1, n_},
                        found.as<float>() + static_cast<std::int64_t>(i) * n_, n_);
    }
    const bool right =
        graph_.check_rows({found.data(), std::ssize(sources), n_, n_}, threads_).correct;
    fmt::print("{} rows agree with their definition: {}\n", sources.size(), right ? "yes" : "NO");
    return right;
  }

  Settings settings_;
  std::int64_t n_;
  bench::RandomGraph graph_{{.n = n_}};
  int threads_ = system::thread_count(0);
  std::vector<std::unique_ptr<kernels::ComputeDevice>> owned_;
  std::vector<kernels::ComputeDevice*> devices_;
  kernels::ComputeDevice* device_ = nullptr;  // the first
  dense::DiskPlan plan_;
};

}  // namespace

int main(int argc, char** argv) {
  Settings settings;
  bench::Options options("apsp_disk_device_bench FOLDER");
  options.word(settings.folder).needs(1)("--n N", settings.n)("--memory MIB", settings.memory);
  options("--device-memory MIB", settings.device_memory)("--gpus LIST", settings.gpus);
  options("--cached", settings.cached)("--host", settings.host);
  return options.run(argc, argv, [&] {
    settings.memory *= kMiB;
    settings.device_memory *= kMiB;
    return Bench(settings).run();
  });
}
