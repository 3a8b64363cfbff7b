#include "algorithms/one_memory.hpp"

namespace apsp {

OneMemory::OneMemory(Tiling tiling, const kernels::TileOperations& operations,
                     kernels::Cycles cycles, int threads, const Control& control)
    : tiling_(tiling),
      operations_(operations),
      cycles_(cycles),
      threads_(threads),
      control_(control),
      progress_(control, "Floyd-Warshall",
                static_cast<double>(tiling.n()) * static_cast<double>(tiling.n()) *
                    static_cast<double>(tiling.n()),
                "relaxation") {}

std::int64_t OneMemory::close(std::int64_t k) {
  base::check_cancelled(control_);
  const std::int64_t pivot = operations_.close(tiling_.at(k, k), cycles_);
  return pivot < 0 ? -1 : k * tiling_.tile + pivot;
}

void OneMemory::update_row_panel(std::int64_t k) {
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::int64_t tj = 0; tj < tiles(); ++tj) {
    if (tj != k) operations_.multiply_left(tiling_.at(k, k), tiling_.at(k, tj));
  }
}

void OneMemory::update_column_panel(std::int64_t k) {
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    if (ti != k) operations_.multiply_right(tiling_.at(ti, k), tiling_.at(k, k));
  }
}

void OneMemory::update_rest(std::int64_t k) {
  const auto relaxations = [&](std::int64_t ti) {
    return static_cast<double>(tiling_.extent(ti)) * static_cast<double>(tiling_.n()) *
           static_cast<double>(tiling_.extent(k));
  };
  // The row panel counts as updated here, so that progress ends at n³ exactly.
  progress_.advance(relaxations(k));
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
  for (std::int64_t ti = 0; ti < tiles(); ++ti) {
    if (ti == k || base::cancelled(control_)) continue;
    for (std::int64_t tj = 0; tj < tiles(); ++tj) {
      if (tj != k) {
        operations_.multiply_add(tiling_.at(ti, tj), tiling_.at(ti, k), tiling_.at(k, tj));
      }
    }
    progress_.advance(relaxations(ti));
  }
  base::check_cancelled(control_);
}

}  // namespace apsp
