#include "choices.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <charconv>
#include <sstream>
#include <typeinfo>

#include "arrays.hpp"

namespace nb = nanobind;

namespace apsp::python {

Device device_of(const std::string& text, std::vector<int>& ordinals) {
  const std::size_t colon = text.find(':');
  const Device device =
      choice_of(text.substr(0, colon), "device", parse_device, "auto, cpu, cuda, cuda:N");
  if (colon == std::string::npos) return device;
  const std::string list = text.substr(colon + 1);
  if (device == Device::cuda && list == "all") {
    ordinals = {kAllGpus};
    return device;
  }
  std::istringstream words(list + ",");
  for (std::string word; std::getline(words, word, ',');) {
    int ordinal = 0;
    const char* const behind = word.data() + word.size();
    const auto [end, failure] = std::from_chars(word.data(), behind, ordinal);
    if (failure != std::errc() || end != behind) {
      throw Error(ErrorKind::usage,
                  "a device is auto, cpu, cuda, cuda:N, cuda:N,M or cuda:all, not '" + text + "'");
    }
    ordinals.push_back(ordinal);
  }
  return device;
}

namespace {

Keep keep_of(const std::string& text) {
  return choice_of(text, "thing to keep", parse_keep,
                   names_of(std::initializer_list<Keep>{Keep::automatic, Keep::matrix, Keep::factor,
                                                        Keep::statistics}));
}

}  // namespace

Algorithm algorithm_of(const std::string& text) {
  return choice_of(text, "algorithm", parse_algorithm, names_of(kAlgorithms));
}

Semiring semiring_of(const std::string& text) {
  return choice_of(text, "semiring", parse_semiring, names_of(all_semirings()));
}

ValueType value_type_of(const std::string& text) {
  return choice_of(text, "value type", parse_value_type, names_of(all_value_types()));
}

namespace {

/// Sets the option `name`. Throws nb::cast_error for a value of a wrong type.
void set_option(SolveOptions& options, const std::string& name, nb::handle value) {
  const auto text = [&] { return nb::cast<std::string>(value); };
  const auto count = [&] { return nb::cast<std::int64_t>(value); };
  const auto flag = [&] { return nb::cast<bool>(value); };
  const auto vertices = [&] { return nb::cast<std::vector<Vertex>>(value); };
  if (name == "algorithm") {
    options.method.algorithm = algorithm_of(text());
  } else if (name == "device") {
    options.machine.device = device_of(text(), options.machine.device_ordinals);
  } else if (name == "semiring") {
    options.question.semiring = semiring_of(text());
  } else if (name == "value_type") {
    options.method.value_type = value_type_of(text());
  } else if (name == "tolerance") {
    options.method.tolerance = nb::cast<double>(value);
  } else if (name == "keep") {
    options.storage.keep = keep_of(text());
  } else if (name == "stored") {
    options.storage.stored = keep_of(text());
  } else if (name == "sources") {
    options.question.sources = vertices();
  } else if (name == "targets") {
    options.question.targets = vertices();
  } else if (name == "threads") {
    options.machine.threads = nb::cast<int>(value);
  } else if (name == "memory") {
    options.machine.memory = count();
  } else if (name == "device_memory") {
    options.machine.device_memory = count();
  } else if (name == "disk") {
    options.storage.disk = count();
  } else if (name == "tile") {
    options.method.tile = count();
  } else if (name == "output") {
    options.storage.output = text();
  } else if (name == "compress") {
    options.storage.compress = flag();
  } else if (name == "resume") {
    options.storage.resume = flag();
  } else if (name == "overwrite") {
    options.storage.overwrite = flag();
  } else if (name == "predecessors") {
    options.question.predecessors = flag();
  } else if (name == "via") {
    options.question.via = flag();
  } else if (name == "hops") {
    options.question.hops = flag();
  } else if (name == "statistics") {
    options.question.statistics = flag();
  } else {
    throw Error(ErrorKind::usage, "there is no option '" + name + "'");
  }
}

}  // namespace

SolveOptions options_of(const nb::dict& given) {
  SolveOptions options;
  for (const std::pair<nb::handle, nb::handle> item : given) {
    const auto name = nb::cast<std::string>(item.first);
    try {
      set_option(options, name, item.second);
    } catch (const std::bad_cast&) {
      std::string message = "the option ";
      message.append(name).append(" does not take ").append(nb::repr(item.second).c_str());
      throw Error(ErrorKind::usage, message);
    }
  }
  return options;
}

UpdateOptions update_options_of(const nb::dict& given) {
  const SolveOptions named = options_of(given);
  return {.threads = named.machine.threads,
          .memory = named.machine.memory,
          .semiring = named.question.semiring,
          .device = named.machine.device,
          .device_ordinals = named.machine.device_ordinals,
          .device_memory = named.machine.device_memory};
}

}  // namespace apsp::python
