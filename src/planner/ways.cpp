#include "planner/ways.hpp"

#include <apsp/error.hpp>
#include <utility>

namespace apsp::planner {

std::optional<Plan> planned(const Graph& graph, const SolveOptions& options,
                            const FindDevices& find) {
  try {
    return try_plan(graph, options, find);
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::interrupted) throw;
    return std::nullopt;
  }
}

Change any_algorithm() {
  return {"--algorithm auto", [](SolveOptions& other) { other.algorithm = Algorithm::automatic; }};
}

Change on_device(const std::string& words, Device device, std::vector<int> ordinals) {
  return {"--device " + words, [device, ordinals = std::move(ordinals)](SolveOptions& other) {
            other.device = device;
            other.device_ordinals = ordinals;
          }};
}

bool Ways::attempt(const Changes& together) {
  SolveOptions other = options_;
  std::string words;
  for (const Change& change : together) {
    change.make(other);
    words += (words.empty() ? "" : " with ") + change.words;
  }
  const std::optional<Plan> plan = planned(graph_, other, find_);
  if (!plan || !plan->fits()) return false;
  add(words);
  return true;
}

void Ways::add(const std::string& words) { text_ += (text_.empty() ? "" : ", or ") + words; }

std::string Ways::told() const {
  return none() ? std::string("Nothing else that was tried fits") : "What would fit: " + text_;
}

}  // namespace apsp::planner
