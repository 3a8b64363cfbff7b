#include "system/memory_limit.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <apsp/error.hpp>
#include <atomic>

#include "base/units.hpp"
#include "system/machine.hpp"

namespace apsp::system {
namespace {

std::atomic<std::int64_t> most_memory{0}, most_planned{0}, most_measuring{0};
std::atomic<bool> nothing_is_done{false};

std::int64_t allowed_in_all() {
  return memory_limit() > 0 ? memory_limit() : kept_memory() + available_memory();
}

}  // namespace

std::int64_t kept_memory() { return process_memory("RssAnon") + process_memory("RssShmem"); }

void limit_memory(std::int64_t bytes) { most_memory = bytes; }
std::int64_t memory_limit() { return most_memory; }

namespace {

void require_in_all(std::int64_t needed, std::string_view of, std::string_view way_out,
                    std::int64_t most) {
  const std::int64_t allowed = most > 0 ? most : allowed_in_all();
  if (needed <= allowed) return;
  throw Error(ErrorKind::does_not_fit,
              fmt::format("{} would take about {} of memory in all, and {} may be used: {}", of,
                          base::format_bytes(needed), base::format_bytes(allowed), way_out));
}

void note(std::int64_t planned) {
  std::int64_t before = most_planned;
  while (before < planned && !most_planned.compare_exchange_weak(before, planned)) {
  }
}

std::int64_t in_all(double more) {
  constexpr double kMost = 0x1p62;
  constexpr std::int64_t kBuffers = std::int64_t{4} << 20;  // of files, and tables of codecs
  return kept_memory() + kBuffers + static_cast<std::int64_t>(std::min(more, kMost));
}

}  // namespace

void require_memory(double more, std::string_view of, std::string_view way_out, std::int64_t most) {
  note(in_all(more));
  if (!nothing_is_done) require_in_all(in_all(more), of, way_out, most);
}

void plan_memory_in_all(std::int64_t planned, std::string_view of, std::string_view way_out,
                        std::int64_t most) {
  note(planned);
  if (nothing_is_done) throw OnlyPlanned();
  require_in_all(planned, of, way_out, most);
}

void plan_memory(double more, std::string_view of, std::string_view way_out, std::int64_t most) {
  const std::int64_t planned = in_all(more);
  plan_memory_in_all(planned, of, way_out, most);
}

std::int64_t kept_by_measuring() { return most_measuring; }
void note_kept_by_measuring(std::int64_t bytes) { most_measuring = bytes; }

MemoryUse planned_memory() { return {most_planned, allowed_in_all()}; }

void only_plan(bool only) {
  nothing_is_done = only;
  most_planned = 0;
}

}  // namespace apsp::system
