#include "planner/message_rates.hpp"

#include <algorithm>

namespace apsp::planner {
namespace {

constexpr double kLeast = 1e-9;  // s: clocks tell no less

}  // namespace

MessageRate rate_of(const MessageSamples& samples) {
  const auto best = [](const std::vector<double>& all) {
    return std::max(kLeast, *std::min_element(all.begin(), all.end()));
  };
  const double latency = best(samples.short_seconds), whole = best(samples.long_seconds);
  // A short message may have waited longer than the long one took.
  const double moving = std::max(whole - latency, whole / 2);
  return {static_cast<double>(samples.bytes) / moving, latency, true};
}

}  // namespace apsp::planner
