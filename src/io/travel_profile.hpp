// Profiles of travel: the streets of OpenStreetMap that a traveller may use, their directions and
// speeds. docs/osm.md describes the files and how tags are judged.
#pragma once

#include <apsp/progress.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_cursor.hpp"

namespace apsp::io {

/// Speeds along a way and against it, in km/h; 0: closed.
struct TravelSpeeds {
  double forward = 0;
  double backward = 0;
  bool reversible = false;  ///< closed because its direction changes with the time of day

  bool any() const { return forward > 0 || backward > 0; }
};

/// Returns the value of a tag; null if there is none.
using TagOf = std::function<const char*(const char* key)>;

class TravelProfile {
 public:
  /// Reads the lines of a profile. Throws `Error` (input) with line and column.
  explicit TravelProfile(const Source& text);

  TravelSpeeds speeds(const TagOf& tag) const;
  /// The value of a relation's restriction that this traveller obeys ("no_left_turn"); empty if
  /// there is none.
  std::string_view restriction(const TagOf& tag) const;

 private:
  enum class Maxspeed { ignore, replace, limit };
  struct Speed {
    double kmh = 0;
    bool tagged = false;  // open only if the last key of access_ opens it
  };
  void read_line(TextCursor& cursor, std::string_view line);
  bool is_open(const Speed& speed, const TagOf& tag) const;
  double posted(double kmh, const char* of_direction, const char* general) const;

  std::map<std::string, Speed, std::less<>> speeds_;  // by the value of highway
  Maxspeed maxspeed_ = Maxspeed::ignore;
  double walk_ = 6;  // km/h of maxspeed=walk
  std::map<std::string, std::vector<std::string>, std::less<>> lists_ = {
      {"access", {}},        // keys, general ones first
      {"deny", {}},          // their values that close a way
      {"oneway", {}},        // keys, general ones first; empty: all ways are two-way
      {"contraflow", {}},    // keys whose values opposite… open the other direction
      {"restrictions", {}},  // words of restriction:WORD and of except; empty: none is obeyed
  };
};

/// Returns the profile `car`, `bike` or `foot`, or that of a file. Throws `Error`: usage (no such
/// profile), input, input_output.
TravelProfile read_profile(const std::string& name, const Control& control);

/// Returns the km/h of a tag maxspeed: "50", "30 mph", "walk"; 0 for other texts, such as "none",
/// "signals" or "FI:urban". `walk`: the speed of a walk.
double speed_of_tag(std::string_view text, double walk);

}  // namespace apsp::io
