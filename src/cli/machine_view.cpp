#include "cli/machine_view.hpp"

#include <fmt/format.h>

#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

std::string list_text(const nlohmann::json& words) {
  return fmt::format("{}", fmt::join(words.get<std::vector<std::string>>(), ", "));
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

constexpr std::string_view kRate = "_per_second";

/// "1.5 G arcs/s" of `arcs_per_second`, "disk written 1.5 GiB/s" of `disk_write_bytes_per_second`.
std::string named_rate(std::string_view name, double rate) {
  constexpr std::pair<std::string_view, std::string_view> kMoved[] = {
      {"bytes", ""},
      {"copy_bytes", "memory copied "},
      {"disk_read_bytes", "disk read "},
      {"disk_write_bytes", "disk written "}};
  name.remove_suffix(kRate.size());
  for (const auto& [moved, words] : kMoved) {
    if (name != moved) continue;
    return fmt::format("{}{}/s", words, base::format_bytes(static_cast<std::int64_t>(rate)));
  }
  return fmt::format("{} {}/s", base::format_si(rate), name);
}

std::string all_rates_text(const nlohmann::json& entry) {
  std::string text;
  for (const auto& [name, rate] : entry.items()) {
    if (!name.ends_with(kRate)) continue;
    text += (text.empty() ? "" : ", ") + named_rate(name, rate.get<double>());
    if (name == "relaxations_per_second") {
      text += " on " + base::counted(entry.value("threads", 1), "thread", "threads");
    }
  }
  return text;
}

}  // namespace

std::string rates_text(const nlohmann::json& rates, const TerminalStyle& look) {
  const std::string file = rates["file"].get<std::string>();
  Table table({Align::left, Align::left, Align::left, Align::left}, kWidestTable);
  for (const auto& entry : rates["entries"]) {
    const std::string what = entry.value("gpu", entry.value("what", ""));
    const std::string kind = entry.value("kind", entry.value("format", ""));
    table.row({what, kind, all_rates_text(entry), entry.value("measured", "")});
  }
  const std::string remark = file.empty() ? "not kept: no cache folder" : file;
  if (table.empty()) return heading(look, "Measured rates", "none yet; " + remark);
  return heading(look, "Measured rates", remark) + table.text(look);
}

std::string machine_text(const nlohmann::json& machine, const TerminalStyle& look) {
  Table table({Align::left, Align::left}, kWidestTable);
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
  Table built({Align::left, Align::left}, kWidestTable);
  built.row({"back ends", list_text(machine["backends"])});
  built.row({"semirings", list_text(machine["semirings"])});
  built.row({"graph formats", list_text(machine["formats"])});
  text += "\n" + heading(look, "Built in") + built.text(look);
  if (machine.contains("rates")) text += "\n" + rates_text(machine["rates"], look);
  return text;
}

}  // namespace apsp::cli
