// apsp help TOPIC: what belongs to no verb alone.
#pragma once

#include <string>
#include <vector>

namespace apsp::cli {

struct Topic {
  std::string name, text;
};
const std::vector<Topic>& topics();
/// Null: there is no such topic.
const Topic* find_topic(const std::string& name);

}  // namespace apsp::cli
