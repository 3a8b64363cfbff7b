// What it costs that a matrix rests on the disk: blocked Floyd-Warshall of random u16 weights in
// memory, and the same matrix on disk with a part of that memory, in turns, so that a noisy machine
// treats both alike; and how long all threads waited for the disk, at the ends of steps above all,
// where a run may be gone on from.
//
// FOLDER: where the matrix rests meanwhile. SHARE: of the matrix's bytes that the solve may take.

#include <cstring>

#include "base/aligned_memory.hpp"
#include "base/machine.hpp"
#include "base/team.hpp"
#include "harness.hpp"
#include "kernels/cpu/cpu_kernels.hpp"
#include "places/disk_memory.hpp"
#include "places/host_memory.hpp"
#include "planner/plan.hpp"

namespace {

using namespace apsp;

class Bench {
 public:
  Bench(std::int64_t n, double share, std::string folder)
      : n_(n),
        folder_(std::move(folder)),
        operations_(kernels::cpu::operations(Semiring::min_plus, ValueType::u16,
                                             kernels::Sign::non_negative)),
        tile_(planner::choose_tile(n, threads_, operations_)),
        plan_(places::plan_disk(
            {.n = n,
             .tile = tile_,
             .memory = static_cast<std::int64_t>(share * static_cast<double>(2 * n * n)),
             .threads = threads_},
            operations_)),
        memory_(2 * n * n) {}

  void print_plan() const {
    fmt::print("{} vertices, {} threads, tiles of {}: {} steps of {}, bands of {}, {:.2f} GB\n", n_,
               threads_, tile_, plan_.steps(n_), plan_.width, plan_.band,
               static_cast<double>(plan_.bytes) / 1e9);
  }

  double in_memory() {
    fill();
    return bench::seconds([&] {
      places::HostMemory({{memory_.data(), n_, n_, n_}, 2, tile_}, places::Shape::full, operations_,
                         kernels::Cycles::excluded, threads_, {})
          .run();
    });
  }

  /// The result must be what `solved` holds.
  double on_disk(const std::vector<std::uint16_t>& solved, places::DiskMemory::Waits& waits) {
    fill();
    store::JournalHead head;
    head.layout = {n_, ValueType::u16, Semiring::min_plus, plan_.band};
    store::DiskMatrix matrix(store::posix_file_system(), folder_ + "/bench.npy", head, Graph());
    matrix.write_block({0, 0, n_, n_}, memory_.data(), n_);
    matrix.commit_step(0);
    const Control control;
    const double seconds = bench::seconds([&] {
      places::DiskMemory place(matrix, plan_, operations_, threads_, control);
      place.run();
      waits = place.waits();
    });
    matrix.read(store::Plane::distance, {0, 0, n_, n_}, memory_.data(), n_);
    if (std::memcmp(memory_.data(), solved.data(), solved.size() * 2) != 0) {
      fmt::print("the results differ\n");
      std::exit(1);
    }
    matrix.discard();
    return seconds;
  }

  std::vector<std::uint16_t> values() const {
    const auto* const first = memory_.as<std::uint16_t>();
    return {first, first + n_ * n_};
  }

 private:
  /// Weights 1 … 1,000, one arc in eight pairs.
  void fill() {
    base::share_items(n_, threads_, [&](std::int64_t i) {
      base::SplitMix64 random(static_cast<std::uint64_t>(i) + 1);
      std::uint16_t* const row = memory_.as<std::uint16_t>() + i * n_;
      for (std::int64_t j = 0; j < n_; ++j) {
        const auto weight = static_cast<std::uint16_t>(1 + random.below(1000));
        row[j] = random.below(8) == 0 ? weight : std::uint16_t{(1 << 15) - 1};
      }
      row[i] = 0;
    });
  }

  std::int64_t n_;
  std::string folder_;
  int threads_ = base::thread_count(0);
  kernels::TileOperations operations_;
  std::int64_t tile_;
  places::DiskPlan plan_;
  base::AlignedMemory memory_;
};

}  // namespace

int main(int argc, char** argv) {
  std::string folder;
  std::int64_t n = 8000;
  double share = 0.5;
  int rounds = 3;
  bench::Options options("apsp_disk_bench FOLDER [VERTICES [SHARE [ROUNDS]]]");
  options.word(folder).needs(1).word(n).word(share).word(rounds);
  return options.run(argc, argv, [&] {
    Bench bench(n, share, folder);
    bench.print_plan();
    for (int round = 0; round < rounds; ++round) {
      const double memory = bench.in_memory();
      places::DiskMemory::Waits waits;
      const double disk = bench.on_disk(bench.values(), waits);
      fmt::print(
          "memory {:.2f} s, disk {:.2f} s, {:.3f} times; waited {:.3f} s, {:.3f} s at cuts "
          "({:.2f} %)\n",
          memory, disk, disk / memory, waits.disk, waits.cuts, 100 * waits.cuts / disk);
    }
  });
}
