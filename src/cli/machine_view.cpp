#include "cli/machine_view.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

constexpr std::size_t kWidest = 200;  // lists of what is built in stay whole

std::string list_text(const nlohmann::json& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word.get<std::string>();
  return text;
}

std::string without(std::string text, std::string_view prefix) {
  if (text.rfind(prefix, 0) == 0) text.erase(0, prefix.size());
  return text;
}

std::string device_text(const nlohmann::json& device) {
  return fmt::format(
      "{}, {} of {} free, {} multiprocessors at {} MHz, compute capability {}, "
      "driver for CUDA {}",
      device["name"].get<std::string>(), base::format_bytes(device["memory_free"]),
      base::format_bytes(device["memory_total"]), device["multiprocessors"].get<int>(),
      static_cast<int>(device["clock_hz"].get<double>() / 1e6),
      device["compute_capability"].get<std::string>(), device["driver"].get<std::string>());
}

}  // namespace

std::string machine_text(const nlohmann::json& machine, const Look& look) {
  Table table({Align::left, Align::left}, kWidest);
  table.row({"cpu", machine["cpu"].get<std::string>()});
  table.row({"threads", fmt::format("{}", machine["threads"].get<int>())});
  table.row({"memory", fmt::format("{} of {} free", base::format_bytes(machine["memory_available"]),
                                   base::format_bytes(machine["memory_total"]))});
  table.row({"kernels use", machine["instruction_set"].get<std::string>()});
  table.row({"kernels built for", list_text(machine["instruction_sets"])});
  for (const auto& device : machine["devices"]) {
    table.row({device["device"].get<std::string>(), device_text(device)});
  }
  if (machine.contains("why_no_device")) {
    table.row({"GPU", "none: " + without(machine["why_no_device"], "no CUDA device: ")});
  }
  std::string text = heading(look, "apsp " + machine["version"].get<std::string>(), "this machine");
  text += table.text(look);
  Table built({Align::left, Align::left}, kWidest);
  built.row({"back ends", list_text(machine["backends"])});
  built.row({"semirings", list_text(machine["semirings"])});
  built.row({"graph formats", list_text(machine["formats"])});
  return text + "\n" + heading(look, "Built in") + built.text(look);
}

}  // namespace apsp::cli
