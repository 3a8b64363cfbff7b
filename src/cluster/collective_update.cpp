#include "cluster/collective_update.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "api/update.hpp"
#include "base/byte_stream.hpp"
#include "cluster/collective_plan.hpp"
#include "cluster/collective_read.hpp"
#include "planner/memory.hpp"
#include "system/aligned_memory.hpp"

namespace apsp::cluster {
namespace {

class CollectiveUpdate final : public api::UpdateFlow {
 public:
  CollectiveUpdate(const Job& job, const UpdateOptions& options)
      : UpdateFlow(job.processes, options, job.find), job_(job) {}

 private:
  std::int64_t row_bytes() const { return change_.layout.n * size_of(change_.layout.type); }

  Graph shared(const Graph& graph) override { return share_graph(job_.processes, graph); }

  bool reserve() override {
    const std::int64_t n = change_.layout.n, band = change_.layout.tile;
    const std::int64_t bands = (n + band - 1) / band, count = job_.processes.size();
    std::vector<std::int64_t> begins;
    for (std::int64_t i = 0; i <= count; ++i)
      begins.push_back(std::min(n, i * bands / count * band));
    shares_.emplace(job_.processes, std::move(begins));
    const std::int64_t rows = shares_->count();
    room_ = memory_beside(rows);
    if (room_ <= 0) return false;
    job_.processes.run_local([&] { memory_ = system::AlignedMemory(rows * row_bytes()); });
    rows_ = {memory_.data(), rows, n, n};
    return true;
  }

  /// Returns the bytes of one process in addition to its rows, the same in all; at most 0: none.
  /// Processes of a machine share its limit. Called when the graph is in memory, as free memory
  /// counts.
  std::int64_t memory_beside(std::int64_t rows) {
    SolveOptions asked;
    asked.machine.memory = options_.memory;
    const std::int64_t share = planner::allowed_bytes(asked) / job_.of_machine;
    const std::int64_t graph = options_.memory > 0 ? change_.after.memory_bytes() : 0;
    return job_.processes.least(share - graph - rows * row_bytes());
  }

  engine::RowShares& shares() override { return *shares_; }
  std::int64_t room() const override { return room_; }

  UpdateOptions on_own_device() const override {
    UpdateOptions options = options_;
    if (options.device != Device::cuda) return options;
    const planner::DeviceFacts device =
        own_device({options.device, options.device_ordinals}, place_of(job_), job_.find)
            .list.front();
    options.device_ordinals = {device.ordinal};
    if (options.device_memory == 0) options.device_memory = device.memory_free;
    return options;
  }

  bool solve() override {
    memory_ = {};
    SolveOptions solving = api::solve_again(change_.layout, options_);
    solving.storage.keep = Keep::statistics;
    solving.storage.output = output_;
    solving.storage.compress = options_.compress;
    solving.machine.memory = options_.memory;
    solving.storage.overwrite = true;
    collective_solve(job_, change_.after, solving);
    return false;
  }

  const Job& job_;
  std::optional<SharedRows> shares_;
  system::AlignedMemory memory_;
  std::int64_t room_ = 0;
};

}  // namespace

UpdateReport collective_update(const Job& job, const std::string& path,
                               const std::function<Graph(const Graph&)>& change,
                               const UpdateOptions& options) {
  return CollectiveUpdate(job, options).run(path, change);
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
