// Names of vertices as they appear, numbered from 0. An open-addressed table of indices (linear
// probing, at most half full) over the names themselves: one allocation a name at most.
#pragma once

#include <apsp/error.hpp>
#include <apsp/graph.hpp>

#include <algorithm>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace apsp::io {

class VertexNames {
 public:
  struct Name {
    std::string text;
    const char* first_seen;  ///< where in the input
  };

  /// The number of `text`, which gets the next one if it has none. `at`: where it stands.
  Vertex intern(std::string_view text, const char* at) {
    if (2 * names_.size() >= slots_.size()) grow();
    std::size_t slot = slot_of(text);
    while (slots_[slot] != kFree) {
      if (names_[slots_[slot]].text == text) return slots_[slot];
      slot = (slot + 1) & (slots_.size() - 1);
    }
    if (names_.size() == kFree) throw Error(ErrorKind::does_not_fit, "more than 2^32 - 1 vertices");
    slots_[slot] = static_cast<Vertex>(names_.size());
    names_.push_back({std::string(text), at});
    return slots_[slot];
  }

  std::vector<Name>& names() { return names_; }

 private:
  static constexpr Vertex kFree = std::numeric_limits<Vertex>::max();

  std::size_t slot_of(std::string_view text) const {
    return std::hash<std::string_view>()(text) & (slots_.size() - 1);
  }

  void grow() {
    constexpr std::size_t kFirstSlots = 1024;
    slots_.assign(std::max(kFirstSlots, 2 * slots_.size()), kFree);
    for (std::size_t v = 0; v < names_.size(); ++v) {
      std::size_t slot = slot_of(names_[v].text);
      while (slots_[slot] != kFree) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = static_cast<Vertex>(v);
    }
  }

  std::vector<Name> names_;
  std::vector<Vertex> slots_;  // [a power of two] indices of names_, or kFree
};

}  // namespace apsp::io
