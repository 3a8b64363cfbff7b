// What a caller may do otherwise: options in words of the command line, each found to fit by
// planning a solve with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "planner/plan.hpp"

namespace apsp::planner {

/// The plan of a solve with other options; none where it cannot be solved so.
std::optional<Plan> planned(const Graph& graph, const SolveOptions& options,
                            const FindDevices& find);

struct Change {
  std::string words;
  std::function<void(SolveOptions&)> make;
};
using Changes = std::vector<Change>;

Change any_algorithm();
/// `words`: behind --device.
Change on_device(const std::string& words, Device device, std::vector<int> ordinals = {});

class Ways {
 public:
  /// All must outlive this.
  Ways(const Graph& graph, const SolveOptions& options, const FindDevices& find)
      : graph_(graph), options_(options), find_(find) {}

  /// Names all changes together where a solve with them fits.
  bool attempt(const Changes& together);
  /// Names one that is known to fit.
  void add(const std::string& words);
  bool none() const { return text_.empty(); }
  /// What was named, in a sentence.
  std::string told() const;

 private:
  const Graph& graph_;
  const SolveOptions& options_;
  const FindDevices& find_;
  std::string text_;
};

}  // namespace apsp::planner
