#include <fmt/format.h>
#include <apsp/solve.hpp>

#include "planner/rates.hpp"

namespace apsp {

std::string_view name(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::automatic:
      return "auto";
    case Algorithm::nested_dissection:
      return "nested-dissection";
    case Algorithm::johnson:
      return "johnson";
    case Algorithm::breadth_first:
      return "bfs";
    case Algorithm::boundary:
      return "boundary";
    default:
      return "floyd-warshall";
  }
}

std::string_view name(Device device) {
  if (device == Device::automatic) return "auto";
  return device == Device::cpu ? "cpu" : "cuda";
}

std::string_view name(Keep keep) {
  switch (keep) {
    case Keep::automatic:
      return "auto";
    case Keep::matrix:
      return "matrix";
    case Keep::factor:
      return "factor";
    default:
      return "statistics";
  }
}

std::optional<Algorithm> parse_algorithm(std::string_view text) {
  for (const Algorithm algorithm : kAlgorithms) {
    if (text == name(algorithm)) return algorithm;
  }
  return std::nullopt;
}

std::optional<Device> parse_device(std::string_view text) {
  for (const Device device : {Device::automatic, Device::cpu, Device::cuda}) {
    if (text == name(device)) return device;
  }
  return std::nullopt;
}

std::optional<Keep> parse_keep(std::string_view text) {
  for (const Keep keep : {Keep::automatic, Keep::matrix, Keep::factor, Keep::statistics}) {
    if (text == name(keep)) return keep;
  }
  return std::nullopt;
}

namespace planner {

std::string title(const KernelKind& kind, places::Shape shape) {
  return fmt::format("{} {}{} {}{}", name(kind.semiring), name(kind.type),
                     kind.sign == kernels::Sign::non_negative ? " non-negative" : "",
                     shape == places::Shape::full ? "full" : "symmetric",
                     kind.tracks_via ? " via" : "");
}

}  // namespace planner
}  // namespace apsp
