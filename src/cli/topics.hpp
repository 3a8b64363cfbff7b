// apsp help TOPIC: pages about more than one verb.
#pragma once

#include <string>
#include <vector>

namespace apsp::cli {

struct Topic {
  std::string name, text;
};
const std::vector<Topic>& topics();
/// Null for an unknown topic.
const Topic* find_topic(const std::string& name);

}  // namespace apsp::cli
