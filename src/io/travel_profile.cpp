#include "io/travel_profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <travel_profiles.hpp>  // generated (src/io/CMakeLists.txt)

#include "base/fail.hpp"

namespace apsp::io {
namespace {

struct Preset {
  const char* name;
  std::string_view text;
};
constexpr Preset kPresets[] = {
    {"car", kCarProfile}, {"bike", kBikeProfile}, {"foot", kFootProfile}};

std::string_view value_of(const char* value) {
  return value == nullptr ? std::string_view() : std::string_view(value);
}

/// The number that begins a text; 0 if none does. Removes it.
double take_number(std::string_view& text) {
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !std::isfinite(value) || value < 0) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

}  // namespace

double speed_of_tag(std::string_view text, double walk) {
  if (text == "walk") return walk;
  const double value = take_number(text);
  if (text.starts_with(' ')) text.remove_prefix(1);
  constexpr double kMile = 1.609344;  // kilometres
  if (text == "mph") return value * kMile;
  return text.empty() || text == "km/h" || text == "kmh" || text == "kph" ? value : 0;
}

TravelProfile::TravelProfile(const Source& text) {
  TextCursor cursor(text);
  while (!cursor.at_end()) read_line(cursor, cursor.take_line());
  if (speeds_.empty()) cursor.fail_at_end("the profile opens no street: speed residential 30");
}

void TravelProfile::read_line(TextCursor& cursor, std::string_view line) {
  const std::vector<std::string_view> words =
      words_between(" \t\r", line.substr(0, line.find('#')));
  if (words.empty()) return;
  const auto positive = [&](std::size_t i) {
    std::string_view left = i < words.size() ? words[i] : words[0];
    const double kmh = take_number(left);
    if (!left.empty() || kmh <= 0) {
      cursor.fail(words[std::min(i, words.size() - 1)].data(), "a speed above 0 in km/h is needed");
    }
    return kmh;
  };
  const std::string_view rule = words[0];
  std::size_t most = 2;
  if (rule == "speed" && words.size() > 1) {
    const bool tagged = words.size() > 3 && words[3] == "tagged";
    most = tagged ? 4 : 3;
    speeds_[std::string(words[1])] = {positive(2), tagged};
  } else if (rule == "walk") {
    walk_ = positive(1);
  } else if (rule == "maxspeed") {
    constexpr std::string_view kWords[] = {"ignore", "replace", "limit"};
    const auto* const found = std::ranges::find(kWords, words[words.size() > 1 ? 1 : 0]);
    if (found == std::end(kWords)) cursor.fail(rule.data(), "maxspeed ignore|replace|limit");
    maxspeed_ = static_cast<Maxspeed>(found - std::begin(kWords));
  } else if (const auto list = lists_.find(rule); list != lists_.end()) {
    list->second.assign(words.begin() + 1, words.end());
    most = words.size();
  } else {
    cursor.fail(rule.data(),
                "'{}' is no rule of a profile: speed KIND KMH [tagged], maxspeed, walk, "
                "access, deny, oneway, contraflow and restrictions are",
                rule);
  }
  if (words.size() > most) cursor.fail(words[most].data(), "'{}' is too much here", words[most]);
}

bool TravelProfile::is_open(const Speed& speed, const TagOf& tag) const {
  const std::vector<std::string>& keys = lists_.at("access");
  const std::vector<std::string>& denied = lists_.at("deny");
  bool open = !speed.tagged;
  for (const std::string& key : keys) {
    const char* const value = tag(key.c_str());
    if (value == nullptr) continue;
    const bool opens = std::ranges::find(denied, value) == denied.end();
    open = opens && (!speed.tagged || &key == &keys.back());
  }
  return open;
}

double TravelProfile::posted(double kmh, const char* of_direction, const char* general) const {
  if (maxspeed_ == Maxspeed::ignore) return kmh;
  double limit = speed_of_tag(value_of(of_direction), walk_);
  if (limit == 0) limit = speed_of_tag(value_of(general), walk_);
  if (limit == 0) return kmh;
  return maxspeed_ == Maxspeed::replace ? limit : std::min(kmh, limit);
}

TravelSpeeds TravelProfile::speeds(const TagOf& tag) const {
  const std::string_view kind = value_of(tag("highway"));
  const auto speed = speeds_.find(kind);
  if (speed == speeds_.end() || value_of(tag("area")) == "yes" || !is_open(speed->second, tag)) {
    return {};
  }
  const std::vector<std::string>& keys = lists_.at("oneway");
  const std::string_view junction = value_of(tag("junction"));
  bool forward = true;
  bool backward =
      keys.empty() || (kind != "motorway" && junction != "roundabout" && junction != "circular");
  for (const std::string& key : keys) {
    const std::string_view value = value_of(tag(key.c_str()));
    const bool both = value == "no" || value == "false" || value == "0";
    const bool along = value == "yes" || value == "true" || value == "1";
    const bool against = value == "-1" || value == "reverse";
    if (!both && !along && !against && value != "reversible") continue;
    forward = both || along;
    backward = both || against;
  }
  if (!forward && !backward) return {.reversible = true};
  for (const std::string& key : lists_.at("contraflow")) {
    if (value_of(tag(key.c_str())).starts_with("opposite")) forward = backward = true;
  }
  const double kmh = speed->second.kmh;
  const char* const general = tag("maxspeed");
  return {forward ? posted(kmh, tag("maxspeed:forward"), general) : 0,
          backward ? posted(kmh, tag("maxspeed:backward"), general) : 0};
}

std::string_view TravelProfile::restriction(const TagOf& tag) const {
  const std::vector<std::string>& words = lists_.at("restrictions");
  if (words.empty()) return {};
  std::string_view excepted = value_of(tag("except"));
  while (!excepted.empty()) {
    const std::string_view one = excepted.substr(0, excepted.find(';'));
    excepted.remove_prefix(std::min(excepted.size(), one.size() + 1));
    if (std::ranges::find(words, without_blanks(one)) != words.end()) return {};
  }
  std::string_view value = value_of(tag("restriction"));
  for (const std::string& word : words) {
    const std::string_view own = value_of(tag(("restriction:" + word).c_str()));
    if (!own.empty()) value = own;
  }
  return value;
}

TravelProfile read_profile(const std::string& name, const Control& control) {
  const ReadOptions options{.control = control};
  const auto parse = [](const Source& source) { return TravelProfile(source); };
  for (const Preset& preset : kPresets) {
    if (name != preset.name) continue;
    return with_source({{preset.text.data(), preset.text.size()}}, name, options, {}, parse);
  }
  if (!std::filesystem::exists(name)) {
    base::fail(ErrorKind::usage,
               "no profile is called '{}': car, bike and foot are, or a file of one", name);
  }
  return with_source(hold_input(name, {}), name, options, {}, parse);
}

}  // namespace apsp::io
