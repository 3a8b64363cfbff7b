// Work on the rows of a matrix, shared by threads.
#pragma once

#include <apsp/progress.hpp>
#include <cstdint>

#include "base/control.hpp"
#include "base/team.hpp"

namespace apsp::base {

/// work(row) for all n rows, by all threads, until the caller asks for an early end. Throws `Error`
/// (interrupted), and what `work` throws.
template <class F>
void for_each_row(std::int64_t n, int threads, const Control& control, F&& work) {
  base::share_items(n, threads, [&](std::int64_t i) {
    if (!base::cancelled(control)) work(i);
  });
  base::check_cancelled(control);
}

}  // namespace apsp::base
