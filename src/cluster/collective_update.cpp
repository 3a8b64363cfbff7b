#include "cluster/collective_update.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "api/near.hpp"
#include "api/update.hpp"
#include "base/byte_stream.hpp"
#include "base/seconds_since.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/collective_read.hpp"
#include "engine/matrix_update.hpp"
#include "planner/memory.hpp"
#include "sparse/stored_factor.hpp"
#include "system/aligned_memory.hpp"
#include "system/file_lock.hpp"

namespace apsp::cluster {
namespace {

class UpdateRun {
 public:
  UpdateRun(const Job& job, const std::string& path, const UpdateOptions& options)
      : job_(job),
        processes_(job.processes),
        path_(path),
        output_(options.output.empty() ? path : options.output),
        options_(options) {}

  UpdateReport run(const std::function<Graph(const Graph&)>& change) {
    read(change);
    if (!update()) {
      solve();
    } else {
      write();
    }
    change_.report.seconds = base::seconds_since(start_);
    return change_.report;
  }

 private:
  std::int64_t row_bytes() const { return change_.layout.n * size_of(change_.layout.type); }

  void read(const std::function<Graph(const Graph&)>& change) {
    processes_.in_first([&] { in_place_ = api::claim_result(path_, output_, options_.control); });
    Graph before, after;
    processes_.collective([&] {
      stored_ = store::open_store(path_, options_.semiring);
      api::require_all_pairs(*stored_, path_);
      before = api::graph_beside(*stored_, path_, options_);
    });
    processes_.in_first([&] { after = change(before); });
    processes_.apart([&] { after = share_graph(processes_, after); });
    processes_.collective(
        [&] { change_ = api::graph_change(before, stored_->layout(), after, options_); });
  }

  std::vector<std::int64_t> begins() const {
    const std::int64_t n = change_.layout.n, band = change_.layout.tile;
    const std::int64_t bands = (n + band - 1) / band, count = processes_.size();
    std::vector<std::int64_t> begins;
    for (std::int64_t i = 0; i <= count; ++i)
      begins.push_back(std::min(n, i * bands / count * band));
    return begins;
  }

  /// Returns the bytes of one process in addition to its rows, the same in all; at most 0: none.
  /// Processes of a machine share its limit. Called when the graph is in memory, as free memory
  /// counts.
  std::int64_t memory_beside(std::int64_t rows) {
    SolveOptions asked;
    asked.machine.memory = options_.memory;
    const std::int64_t share = planner::allowed_bytes(asked) / job_.of_machine;
    const std::int64_t graph = options_.memory > 0 ? change_.after.memory_bytes() : 0;
    return processes_.least(share - graph - rows * row_bytes());
  }

  UpdateOptions with_own_device() const {
    UpdateOptions options = options_;
    if (options.device != Device::cuda) return options;
    const planner::DeviceFacts device =
        own_device({options.device, options.device_ordinals}, place_of(job_), job_.find)
            .list.front();
    options.device_ordinals = {device.ordinal};
    if (options.device_memory == 0) options.device_memory = device.memory_free;
    return options;
  }

  bool update() {
    if (change_.layout.type != stored_->layout().type) return false;
    SharedRows shares(processes_, begins());
    const std::int64_t memory = memory_beside(shares.count());
    if (memory <= 0) return false;
    std::unique_ptr<engine::MatrixOperations> operations;
    engine::MatrixChange change;
    kernels::View rows{nullptr, shares.count(), change_.layout.n, change_.layout.n};
    processes_.collective([&] {
      operations = api::update_operations(change_, with_own_device(), job_.find);
      change = api::matrix_change(change_, options_);
      change.memory = memory;
      rows_ = system::AlignedMemory(rows.rows * row_bytes());
      rows.data = rows_.data();
      api::read_rows_before(*stored_, change_, shares.first(), rows, change.threads);
    });
    engine::MatrixUpdated updated;
    processes_.apart([&] { updated = engine::update_matrix(rows, change, *operations, shares); });
    change_.report.rows_solved = updated.touched;
    return updated.done;
  }

  void write() {
    std::unique_ptr<store::Store> target;
    const store::CreateOptions create{
        .compress = options_.compress,
        .in_place_of = in_place_ != nullptr ? stored_.get() : nullptr};
    processes_.in_first([&] { target = store::create_store(output_, change_.layout, create); });
    const std::string place =
        processes_.share_text(target != nullptr ? target->shared_place() : std::string());
    const std::vector<std::int64_t> begins = this->begins();
    processes_.collective([&] {
      const auto rank = static_cast<std::size_t>(processes_.rank());
      if (!processes_.first()) {
        target = store::join_store(place, change_.layout, {.compress = options_.compress});
      }
      const std::int64_t n = change_.layout.n;
      api::write_rows_after({rows_.data(), begins[rank + 1] - begins[rank], n, n}, begins[rank],
                            options_, *target);
      if (!processes_.first()) target->flush();
    });
    if (!processes_.first()) target.reset();
    processes_.in_first([&] {
      for (std::int64_t row = begins[1]; row < change_.layout.n; row += change_.layout.tile) {
        target->note_band(row / change_.layout.tile);
      }
      target->commit(change_.after, api::metadata_after(*stored_, change_.layout, change_.after));
    });
  }

  void solve() {
    rows_ = {};
    SolveOptions solving = api::solve_again(change_.layout, options_);
    solving.storage.keep = Keep::statistics;
    solving.storage.output = output_;
    solving.storage.compress = options_.compress;
    solving.machine.memory = options_.memory;
    solving.storage.overwrite = true;
    collective_solve(job_, change_.after, solving);
    change_.report.rows_solved = change_.layout.n;
  }

  const Job& job_;
  Processes& processes_;
  const std::string path_, output_;
  const UpdateOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::unique_ptr<system::Lock> in_place_;  // in process 0
  std::unique_ptr<store::Store> stored_;
  api::GraphChange change_;
  system::AlignedMemory rows_;
};

}  // namespace

UpdateReport collective_update(const Job& job, const std::string& path,
                               const std::function<Graph(const Graph&)>& change,
                               const UpdateOptions& options) {
  Processes& processes = job.processes;
  bool alone = false;
  UpdateReport report;
  processes.in_first([&] {
    const auto stored = store::open_store(path, options.semiring);
    alone = sparse::holds_factor(*stored) || !options.metric.empty();
    if (alone) report = update_stored(path, change, options);
  });
  if (processes.of_first(alone)) return report;
  return UpdateRun(job, path, options).run(change);
}

std::vector<std::int64_t> SharedRows::joined(std::vector<std::int64_t> mine) {
  std::vector<std::int64_t> all;
  for (const std::vector<std::int64_t>& theirs : processes_.gather_values(mine)) {
    all.insert(all.end(), theirs.begin(), theirs.end());
  }
  base::ByteWriter writer;
  writer.put(all);
  const base::ByteVector of_first = processes_.share(writer.take());
  base::ByteReader reader(of_first);
  return reader.get_all<std::int64_t>();
}

int SharedRows::around(int steps) const {
  const int size = processes_.size();
  return ((processes_.rank() + steps) % size + size) % size;
}

void SharedRows::pass(std::span<const std::byte> to_next, std::span<std::byte> from_previous) {
  // Few enough pieces that all of them are under way at once.
  constexpr std::int64_t kPieces = 32, kMost = std::int64_t{64} << 20;
  const auto most = static_cast<std::size_t>(
      std::min(kMost, kPieces * std::min(kMost, processes_.communicator().most_bytes())));
  while (!to_next.empty() || !from_previous.empty()) {
    const std::size_t out = std::min(most, to_next.size()),
                      in = std::min(most, from_previous.size());
    processes_.receive(around(-1), 0, from_previous.first(in));
    processes_.send(around(1), 0, to_next.first(out));
    processes_.finish();
    from_previous = from_previous.subspan(in);
    to_next = to_next.subspan(out);
  }
}

void SharedRows::gather_around(const Pieces& pieces, int ahead) {
  for (int step = 0; step + 1 < processes_.size(); ++step) {
    const auto piece = [&](int before) {
      return pieces[static_cast<std::size_t>(around(ahead - before))];
    };
    pass(piece(step), piece(step + 1));
  }
}

void SharedRows::complete(std::span<const Vertex> vertices, std::byte* values,
                          std::int64_t row_bytes) {
  Pieces pieces;
  for (std::size_t process = 0; process + 1 < begins_.size(); ++process) {
    const auto place = [&](std::int64_t row) {
      return std::lower_bound(vertices.begin(), vertices.end(), row) - vertices.begin();
    };
    const std::int64_t first = place(begins_[process]), end = place(begins_[process + 1]);
    pieces.emplace_back(values + first * row_bytes,
                        static_cast<std::size_t>((end - first) * row_bytes));
  }
  gather_around(pieces, 0);
}

void SharedRows::add_up(std::span<std::byte> values, int value_size, const Plus& plus) {
  const auto size = static_cast<std::size_t>(processes_.size());
  const std::size_t count = values.size() / static_cast<std::size_t>(value_size);
  Pieces pieces;
  std::size_t longest = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const std::size_t first = i * count / size, end = (i + 1) * count / size;
    pieces.push_back(values.subspan(first * static_cast<std::size_t>(value_size),
                                    (end - first) * static_cast<std::size_t>(value_size)));
    longest = std::max(longest, pieces.back().size());
  }
  base::ByteVector memory(longest);
  for (int step = 0; step + 1 < processes_.size(); ++step) {
    const auto from_previous = pieces[static_cast<std::size_t>(around(-step - 1))];
    const auto other = std::span(memory).first(from_previous.size());
    pass(pieces[static_cast<std::size_t>(around(-step))], other);
    plus(from_previous, other);
  }
  gather_around(pieces, 1);  // the sum of the next piece is complete here
}

}  // namespace apsp::cluster
