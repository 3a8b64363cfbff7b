// Checkpoints that are written while a solve goes on, and those that it waits for, by threads that
// stand for processes.
#include "cluster/checkpoints.hpp"

#include <apsp/graph.hpp>

#include <latch>

#include "store/leftovers.hpp"
#include "support/memory_file_system.hpp"
#include "support/on_processes.hpp"
#include "support/test.hpp"

namespace apsp::cluster::checkpoints_test {
namespace {

constexpr std::int64_t kN = 6;

store::JournalHead head() {
  store::JournalHead head;
  head.layout = {kN, ValueType::i32, Semiring::min_plus, 2};
  head.recipe = {"fnv1a64:0", "floyd-warshall"};
  return head;
}

/// What every process does, with a matrix on one disk: process 0's, which the others join.
void run_job(int count, store::FileSystem& disk, bool in_background,
             const std::function<void(Processes&, Checkpoints&, store::DiskMatrix&)>& work) {
  on_processes(count, [&](Processes& processes) {
    std::unique_ptr<store::DiskMatrix> matrix;
    if (processes.first()) {
      matrix = std::make_unique<store::DiskMatrix>(disk, "o.zarr", head(), Graph());
    }
    const std::string place =
        processes.share_text(matrix != nullptr ? matrix->shared_place() : std::string());
    if (matrix == nullptr) {
      matrix = std::make_unique<store::DiskMatrix>(store::Joined{}, disk, place, head().layout,
                                                   std::nullopt);
    }
    Checkpoints checkpoints(processes, *matrix, 0, in_background);
    work(processes, checkpoints, *matrix);
    processes.run_local([] {});  // nobody's matrix goes while others write
  });
}

/// The pivots of the checkpoint on the disk; 0: there is none.
std::int64_t kept(store::FileSystem& disk) {
  for (const std::string& name : disk.list(".")) {
    if (!name.starts_with(".o.zarr.partial-") || disk.kind(name) != store::FileKind::directory) {
      continue;
    }
    const auto contents = store::read_journal(disk, name);
    return contents && contents->checkpoint ? contents->checkpoint->pivots : 0;
  }
  return 0;
}

/// Process p writes row p, of values of its own.
std::function<void(store::DiskMatrix&)> row_of(const Processes& processes, std::int32_t value) {
  return [me = processes.rank(), value](store::DiskMatrix& to) {
    const std::vector<std::int32_t> row(static_cast<std::size_t>(kN), value);
    to.write_block({me, 0, 1, kN}, row.data(), kN);
  };
}

void ask_until_due(Processes& processes, Checkpoints& checkpoints) {
  // Process 0 alone says so.
  while (processes.of_first(checkpoints.due()) == false) {
  }
}

TEST(CheckpointsBeside, TheSolveGoesOnWhileTheyAreWritten) {
  for (const int count : {1, 2, 3}) {
    store::MemoryFileSystem disk;
    std::latch all_went_on(count);
    run_job(count, disk, true,
            [&](Processes& processes, Checkpoints& checkpoints, store::DiskMatrix&) {
              EXPECT_EQ(checkpoints.due(), processes.first());
              int copies = 0;
              checkpoints.take(
                  2, [&] { ++copies; },
                  [&, write = row_of(processes, 7)](store::DiskMatrix& to) {
                    all_went_on.wait();
                    write(to);
                  });
              EXPECT_EQ(copies, 1);
              EXPECT_FALSE(checkpoints.due()) << "one is being written";
              EXPECT_EQ(kept(disk), 0) << "before all have written it";
              processes.run_local([] {});
              all_went_on.count_down();
              ask_until_due(processes, checkpoints);
              EXPECT_EQ(kept(disk), 2);
              checkpoints.take(
                  4, [&] { ++copies; }, row_of(processes, 8));
              checkpoints.finish();
              processes.run_local([] {});
              EXPECT_EQ(kept(disk), 4);
              EXPECT_EQ(copies, 2);
            });
  }
}

TEST(CheckpointsBeside, EveryOneIsWholeInItsOwnGeneration) {
  store::MemoryFileSystem disk;
  run_job(3, disk, true,
          [&](Processes& processes, Checkpoints& checkpoints, store::DiskMatrix& matrix) {
            for (const std::int32_t value : {1, 2, 3}) {
              checkpoints.take(
                  value, [] {}, row_of(processes, value));
              ask_until_due(processes, checkpoints);
              processes.run_local([&] {
                if (!processes.first()) return;
                EXPECT_EQ(kept(disk), value);
                std::vector<std::int32_t> rows(static_cast<std::size_t>(3 * kN));
                matrix.read_block(store::DiskMatrix::Generation::current, {0, 0, 3, kN},
                                  rows.data(), kN);
                EXPECT_EQ(rows, std::vector<std::int32_t>(rows.size(), value));
              });
            }
            checkpoints.finish();
          });
}

TEST(CheckpointsBeside, OneIsNamedWhenTheLastProcessHasWrittenIt) {
  store::MemoryFileSystem disk;
  std::latch last(1);
  run_job(3, disk, true, [&](Processes& processes, Checkpoints& checkpoints, store::DiskMatrix&) {
    checkpoints.take(
        2, [] {},
        [&, me = processes.rank()](store::DiskMatrix&) {
          if (me == 2) last.wait();
        });
    for (int step = 0; step < 100; ++step) {
      checkpoints.due();
      std::this_thread::yield();
    }
    processes.run_local([] {});
    EXPECT_EQ(kept(disk), 0);
    processes.run_local([] {});
    if (processes.rank() == 2) last.count_down();
    checkpoints.finish();
    processes.run_local([] {});
    EXPECT_EQ(kept(disk), 2);
  });
}

TEST(CheckpointsBeside, AllEndWithTheErrorOfOneThatCannotWrite) {
  for (const int failing : {0, 1, 2}) {
    store::MemoryFileSystem disk;
    run_job(3, disk, true, [&](Processes& processes, Checkpoints& checkpoints, store::DiskMatrix&) {
      checkpoints.take(
          2, [] {}, row_of(processes, 1));
      ask_until_due(processes, checkpoints);
      checkpoints.take(
          4, [] {},
          [&, me = processes.rank()](store::DiskMatrix&) {
            if (me == failing) throw Error(ErrorKind::input_output, "the disk is full");
          });
      if (processes.rank() == failing) {
        while (!checkpoints.due()) {  // it asks for the end
        }
      }
      const Error error = error_of([&] {
        checkpoints.take(
            6, [] { ADD_FAILURE() << "copied"; }, [](store::DiskMatrix&) {});
      });
      EXPECT_EQ(error.kind(), ErrorKind::input_output);
      EXPECT_NE(std::string(error.what()).find("the disk is full"), std::string::npos);
      EXPECT_EQ(kept(disk), 2) << "the one before stands";
    });
  }
}

TEST(CheckpointsBeside, ASolveThatIsDoneDoesNotNeedTheLastOne) {
  store::MemoryFileSystem disk;
  run_job(2, disk, true, [&](Processes& processes, Checkpoints& checkpoints, store::DiskMatrix&) {
    checkpoints.take(
        4, [] {},
        [&, me = processes.rank()](store::DiskMatrix&) {
          if (me == 1) throw Error(ErrorKind::input_output, "the disk is full");
        });
    checkpoints.finish();
    EXPECT_EQ(kept(disk), 0);
  });
}

TEST(CheckpointsBeside, WithoutMemoryForACopyAllWait) {
  store::MemoryFileSystem disk;
  run_job(2, disk, false, [&](Processes& processes, Checkpoints& checkpoints, store::DiskMatrix&) {
    const auto this_thread = std::this_thread::get_id();
    checkpoints.take(
        2, [] { ADD_FAILURE() << "copied"; },
        [&, write = row_of(processes, 3)](store::DiskMatrix& to) {
          EXPECT_EQ(std::this_thread::get_id(), this_thread);
          write(to);
        });
    processes.run_local([] {});
    EXPECT_EQ(kept(disk), 2);
    checkpoints.finish();
  });
}

}  // namespace
}  // namespace apsp::cluster::checkpoints_test
