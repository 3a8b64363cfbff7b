#include "cli/machine_view.hpp"

#include <fmt/format.h>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/joined.hpp"
#include "base/json.hpp"
#include "base/units.hpp"
#include "cli/exit_code.hpp"
#include "cli/table.hpp"
#include "cli/verb.hpp"
#include "kernels/cpu/processor.hpp"
#include "kernels/cuda/cuda_device.hpp"
#include "rates/machine_report.hpp"
#include "system/machine.hpp"

namespace apsp::cli {
namespace {

std::string list_text(const nlohmann::json& words) {
  return base::joined(words.get<std::vector<std::string>>(), ", ");
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
    const std::string work = entry.value("what", ""), gpu = entry.value("gpu", "");
    const std::string what = gpu.empty() ? work : fmt::format("{}, {}", work, gpu);
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

namespace {

/// One subject: its state, and a remedy for missing parts (empty: none are missing).
struct Finding {
  std::string subject, state, remedy;
};

bool has_program(const char* name) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe", error);
  return std::filesystem::exists(here.parent_path() / name, error);
}

std::vector<Finding> gpu_findings(const nlohmann::json& machine) {
  std::vector<Finding> found;
  const std::string built = kernels::cuda::back_end();
  if (built.empty()) {
    found.push_back(
        {"GPU kernels", machine.value("why_no_device", "not built"),
         "a CUDA toolkit and, in the sources, cmake -DAPSP_CUDA=ON build/release && make build"});
    return found;
  }
  found.push_back({"GPU kernels", built, ""});
  for (const auto& device : machine["devices"]) {
    found.push_back({device["device"].get<std::string>(),
                     fmt::format("{}, {}, driver for CUDA {}", device["name"].get<std::string>(),
                                 base::format_bytes(device["memory_total"]),
                                 device["driver"].get<std::string>()),
                     ""});
  }
  if (machine["devices"].empty()) {
    found.push_back({"GPU", machine.value("why_no_device", "none"),
                     "an NVIDIA GPU of compute capability 8.0 or later, with its driver"});
  }
  return found;
}

Finding vector_finding(const nlohmann::json& machine) {
  const std::string used = machine["instruction_set"].get<std::string>();
  const bool widest = used == machine["instruction_sets"][0].get<std::string>();
  return {"vectors", used,
          widest ? "" : "a processor with AVX-512 or AVX2; the kernels choose by themselves"};
}

Finding compiled_finding() {
  std::string sets;
  for (const std::string& set : kernels::cpu::compiled_instruction_sets()) {
    sets += (sets.empty() ? "" : ", ") + set;
  }
  if (kernels::cpu::kNeededSets == 0) return {"compiled for", sets, ""};
  return {"compiled for", sets + " only, as this processor has it (APSP_CPU=NATIVE)",
          "make build, which compiles for all processors"};
}

Finding thread_finding() {
  const int granted = system::granted_processors();
  std::string state = fmt::format("{}", system::offered_threads());
  if (granted == 0) return {"threads", state + ", no quota", ""};
  state += fmt::format(", quota of {}", base::counted(granted, "processor", "processors"));
  return {"threads", state, "a larger quota of the control group, such as docker run --cpus"};
}

Finding memory_finding() {
  const std::string state =
      fmt::format("{} of {} free", base::format_bytes(system::available_memory()),
                  base::format_bytes(system::total_memory()));
  const bool limited = system::control_group_memory().limit != system::GroupMemory::kUnlimited;
  if (!limited) return {"memory", state, ""};
  return {"memory", state + ", limited by the control group",
          "a higher limit of the control group, such as docker run --memory"};
}

Finding mpi_finding() {
  std::string programs;
  for (const char* name : {"apsp-mpi", "apsp-mpich"}) {
    if (has_program(name)) programs += (programs.empty() ? "" : ", ") + std::string(name);
  }
  if (!programs.empty()) return {"MPI", programs, ""};
  return {"MPI", "not built",
          "an MPI (apt-get install libopenmpi-dev openmpi-bin) and, in the sources, make build"};
}

std::vector<Finding> findings() {
  const nlohmann::json machine = rates::machine_report();
  std::vector<Finding> found = gpu_findings(machine);
  found.push_back(vector_finding(machine));
  found.push_back(compiled_finding());
  found.push_back(thread_finding());
  found.push_back(memory_finding());
  found.push_back(mpi_finding());
  found.push_back({"METIS", "built in", ""});
  return found;
}

class Doctor : public Verb {
 public:
  void declare(Arguments&) override {}

  int run(Context& context) override {
    Table table({Align::left, Align::left}, kWidestTable),
        missing({Align::left, Align::left}, kWidestTable);
    nlohmann::json list = nlohmann::json::array();
    for (const Finding& one : findings()) {
      table.row({one.subject, one.state});
      if (!one.remedy.empty()) missing.row({one.subject, one.remedy});
      list.push_back({{"subject", one.subject}, {"state", one.state}, {"remedy", one.remedy}});
    }
    std::string text =
        heading(context.out(), "What apsp has", "version " + std::string(rates::version())) +
        table.text(context.out());
    if (!missing.empty()) {
      text += "\n" + heading(context.out(), "What would add more") + missing.text(context.out());
    }
    context.print(text);
    context.print_json({{"findings", list}});
    return kExitOk;
  }
};

}  // namespace

VerbEntry doctor_verb() {
  return {
      "doctor",
      "what this build has and lacks, and what would add it",
      "Doctor: GPU kernels and GPUs, vectors, threads, memory, MPI and METIS, as they are here. "
      "What is missing comes with what would add it.",
      {"apsp doctor", "apsp doctor --json", "apsp doctor --json --quiet     for a script"},
      make_verb<Doctor>};
}

}  // namespace apsp::cli
