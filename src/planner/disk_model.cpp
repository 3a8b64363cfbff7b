#include "planner/disk_model.hpp"

#include <algorithm>

namespace apsp::planner {

double predict_on_disk(const places::DiskPlan& plan, std::int64_t n, int value_size, double work,
                       const DiskRates& rates) {
  const double bytes = static_cast<double>(n) * static_cast<double>(n) * value_size;
  const double in = bytes / rates.disk_read_bytes_per_second;
  const double out = bytes / rates.disk_write_bytes_per_second;
  const double moved = static_cast<double>(plan.steps(n)) * (in + out);
  return out + std::max(work, moved) + in;
}

}  // namespace apsp::planner
