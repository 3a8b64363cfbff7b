// Work on the rows of a matrix, shared by threads.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>

#include "base/control.hpp"

namespace apsp {

/// work(row) for all n rows, by all threads, until the caller asks for an early end. Throws `Error`
/// (interrupted).
template <class F>
void for_each_row(std::int64_t n, int threads, const Control& control, F&& work) {
#pragma omp parallel for schedule(static) num_threads(threads)
  for (std::int64_t i = 0; i < n; ++i) {
    if (!base::cancelled(control)) work(i);
  }
  base::check_cancelled(control);
}

}  // namespace apsp
