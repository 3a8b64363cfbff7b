#include <fmt/format.h>
#include <apsp/solve.hpp>

#include "planner/rates.hpp"

namespace apsp {
namespace {

template <class Value>
struct Named {
  Value value;
  std::string_view name;
};
constexpr Named<Device> kDevices[] = {
    {Device::automatic, "auto"}, {Device::cpu, "cpu"}, {Device::cuda, "cuda"}};
constexpr Named<Keep> kKeeps[] = {{Keep::automatic, "auto"},
                                  {Keep::matrix, "matrix"},
                                  {Keep::factor, "factor"},
                                  {Keep::statistics, "statistics"}};

template <class Value>
std::string_view name_in(const auto& table, Value wanted) {
  for (const auto& [value, name] : table) {
    if (value == wanted) return name;
  }
  return {};
}

template <class Value>
std::optional<Value> named_in(const auto& table, std::string_view wanted) {
  for (const auto& [value, name] : table) {
    if (name == wanted) return value;
  }
  return std::nullopt;
}

}  // namespace

std::string_view name(Algorithm algorithm) { return name_in(kAlgorithms, algorithm); }
std::string_view name(Device device) { return name_in(kDevices, device); }
std::string_view name(Keep keep) { return name_in(kKeeps, keep); }

std::optional<Algorithm> parse_algorithm(std::string_view text) {
  return named_in<Algorithm>(kAlgorithms, text);
}
std::optional<Device> parse_device(std::string_view text) {
  return named_in<Device>(kDevices, text);
}
std::optional<Keep> parse_keep(std::string_view text) { return named_in<Keep>(kKeeps, text); }

namespace planner {

std::string title(const KernelKind& kind, places::Shape shape) {
  return fmt::format("{} {}{} {}{}", name(kind.semiring), name(kind.type),
                     kind.sign == kernels::Sign::non_negative ? " non-negative" : "",
                     shape == places::Shape::full ? "full" : "symmetric",
                     kind.tracks_via ? " via" : "");
}

}  // namespace planner
}  // namespace apsp
