#include "cli/machine_view.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>

#include "base/numbers.hpp"
#include "base/units.hpp"
#include "cli/table.hpp"

namespace apsp::cli {
namespace {

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

/// "1.5 GiB/s".
std::string bytes_rate(const nlohmann::json& entry, const char* name) {
  return base::format_bytes(static_cast<std::int64_t>(entry.at(name).get<double>())) + "/s";
}

}  // namespace

std::string rates_text(const nlohmann::json& rates, const Look& look) {
  const std::string file = rates["file"].get<std::string>();
  Table table({Align::left, Align::left, Align::left, Align::left}, kWidestTable);
  for (const auto& entry : rates["entries"]) {
    const std::string what = entry.value("gpu", entry.value("what", ""));
    const std::string kind = entry.value("kind", entry.value("format", ""));
    std::string rate;
    if (entry.contains("relaxations_per_second")) {
      rate = fmt::format("{} relaxations/s on {}",
                         base::format_si(entry["relaxations_per_second"].get<double>()),
                         base::counted(entry.value("threads", 1), "thread", "threads"));
    } else if (entry.contains("vertices_per_second")) {
      rate = base::format_si(entry["vertices_per_second"].get<double>()) + " vertices/s";
    } else if (entry.contains("arcs_per_second")) {
      rate = base::format_si(entry["arcs_per_second"].get<double>()) + " arcs/s";
    } else if (entry.contains("bytes_per_second")) {
      rate = bytes_rate(entry, "bytes_per_second");
    } else if (entry.contains("copy_bytes_per_second")) {
      rate = fmt::format("memory copied {}, disk written {}, read {}",
                         bytes_rate(entry, "copy_bytes_per_second"),
                         bytes_rate(entry, "disk_write_bytes_per_second"),
                         bytes_rate(entry, "disk_read_bytes_per_second"));
    }
    table.row({what, kind, rate, entry.value("measured", "")});
  }
  const std::string remark = file.empty() ? "kept nowhere: no cache folder" : file;
  if (table.empty()) return heading(look, "Measured rates", "none yet; " + remark);
  return heading(look, "Measured rates", remark) + table.text(look);
}

std::string machine_text(const nlohmann::json& machine, const Look& look) {
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
