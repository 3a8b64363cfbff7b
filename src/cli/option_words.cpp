#include "cli/option_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/json.hpp"
#include "cli/failure.hpp"

namespace apsp::cli {
namespace {

struct Renamed {
  std::string_view option, words;
};
constexpr Renamed kRenamed[] = {{"value_type", "--dtype"}, {"output", "-o"}, {"stored", "--keep"}};
constexpr Renamed kSwitchedOff[] = {
    {"statistics", "--no-statistics"}, {"estimate", "--exact"}, {"directed", "--undirected"}};
/// Keys of --tuning.
constexpr std::string_view kTuned[] = {"variant", "broadcast", "ranks", "grid", "cuda_aware"};
constexpr std::string_view kSame[] = {
    // of a solve
    "algorithm", "device", "keep", "sources", "targets", "threads", "memory", "device_memory",
    "disk", "compress", "predecessors", "via", "hops", "resume", "overwrite", "metric", "unit",
    // of several processes
    "checkpoint", "tile",
    // of reading a graph
    "format", "directed", "columns", "weight", "oneway", "reverse_cost", "ids", "separator", "zero",
    "encoding", "as_rel", "coordinates", "lengths", "profile", "all_streets", "restrictions",
    "turns"};

std::string words_of(std::string_view option) {
  for (const auto& [name, words] : kRenamed) {
    if (name == option) return std::string(words);
  }
  const bool tuned = std::ranges::find(kTuned, option) != std::end(kTuned);
  if (!tuned && std::ranges::find(kSame, option) == std::end(kSame)) return {};
  std::string words = fmt::format("--{}{}", tuned ? "tuning " : "", option);
  std::replace(words.begin(), words.end(), '_', '-');
  return words;
}

std::string words_of_choice(std::string_view choice) {
  const std::size_t equals = choice.find('=');
  const std::string_view option = choice.substr(0, equals);
  if (equals == std::string_view::npos) return words_of(option);
  const std::string_view value = choice.substr(equals + 1);
  for (const auto& [name, words] : kSwitchedOff) {
    if (name == option && value == "false") return std::string(words);
  }
  std::string words = words_of(option);
  if (words.empty() || value == "true") return words;
  return fmt::format("{}{}{}", words, words.starts_with("--tuning ") ? '=' : ' ',
                     shell_word(value));
}

/// The other option implies `keep` on the command line.
void leave_out_keep(std::string& text) {
  for (const std::string_view kept : {"`keep=statistics` with `", "`keep=auto` with `"}) {
    for (const std::string_view other : {"output=", "stored="}) {
      const std::string both = std::string(kept) + std::string(other);
      for (std::size_t at = text.find(both); at != std::string::npos; at = text.find(both, at)) {
        text.erase(at, kept.size() - 1);
      }
    }
  }
}

}  // namespace

std::string in_option_words(std::string_view text) {
  constexpr char kMark = '`';
  std::string rest(text), worded;
  leave_out_keep(rest);
  for (;;) {
    const std::size_t begin = rest.find(kMark);
    const std::size_t end = begin == std::string::npos ? begin : rest.find(kMark, begin + 1);
    if (end == std::string::npos) return worded + rest;
    const std::string words =
        words_of_choice(std::string_view(rest).substr(begin + 1, end - begin - 1));
    worded += rest.substr(0, begin);
    if (words.empty()) {
      worded += rest.substr(begin, end - begin);
      rest.erase(0, end);
    } else {
      worded += words;
      rest.erase(0, end + 1);
    }
  }
}

PlanReport in_option_words(PlanReport plan) {
  for (auto& [subject, chosen] : plan.rows) chosen = in_option_words(chosen);
  for (CandidateReport& candidate : plan.candidates) {
    candidate.why_not = in_option_words(candidate.why_not);
  }
  plan.why_place = in_option_words(plan.why_place);
  plan.what_would_fit = in_option_words(plan.what_would_fit);
  return plan;
}

void reword_remarks(nlohmann::json& object) {
  for (auto& [key, value] : object.items()) {
    if (key == "remarks" && value.is_array()) {
      for (nlohmann::json& remark : value) remark = in_option_words(remark.get<std::string>());
    } else if (value.is_object()) {
      reword_remarks(value);
    }
  }
}

}  // namespace apsp::cli
