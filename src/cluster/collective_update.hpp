// `update` of a stored matrix by the processes of a job: each reads, changes and writes a range of
// its rows (engine/matrix_update.hpp).
#pragma once

#include <apsp/solve.hpp>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cluster/collective_solve.hpp"
#include "cluster/processes.hpp"
#include "engine/matrix_update.hpp"

namespace apsp::cluster {

/// Updates as `update_stored`, to the same bytes. Collective. `change` is called in process 0,
/// which also updates a factor while the others wait. If an update would take as long as solving,
/// or more memory than there is, all processes solve again. All must see the output's disk. Returns
/// the report of process 0. Throws `Error`, in all processes, as `update_stored`.
UpdateReport collective_update(const Job& job, const std::string& path,
                               const std::function<Graph(const Graph&)>& change,
                               const UpdateOptions& options);

/// A matrix whose processes hold a range of rows each. Common rows go around a ring, so that every
/// link carries as much at the same time (Patarasuk 2009). Called within `Processes::communicate`.
class SharedRows final : public engine::RowShares {
 public:
  /// `begins` [processes + 1]: the first row of each, and the number of all rows.
  SharedRows(Processes& processes, std::vector<std::int64_t> begins)
      : processes_(processes), begins_(std::move(begins)) {}

  bool shared() const override { return processes_.size() > 1; }
  std::int64_t first() const override {
    return begins_[static_cast<std::size_t>(processes_.rank())];
  }
  std::int64_t count() const {
    return begins_[static_cast<std::size_t>(processes_.rank()) + 1] - first();
  }

  std::vector<std::int64_t> joined(std::vector<std::int64_t> mine) override;
  void complete(std::span<const Vertex> vertices, std::byte* values,
                std::int64_t row_bytes) override;
  void add_up(std::span<std::byte> values, int value_size, const Plus& plus) override;

 private:
  using Pieces = std::vector<std::span<std::byte>>;  // [processes]

  int around(int steps) const;
  void pass(std::span<const std::byte> to_next, std::span<std::byte> from_previous);
  /// pieces[own piece] of each process → all. `ahead`: the own piece is so many after the rank.
  void gather_around(const Pieces& pieces, int ahead);

  Processes& processes_;
  std::vector<std::int64_t> begins_;
};

}  // namespace apsp::cluster
