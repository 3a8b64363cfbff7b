// The fingerprint of a graph: FNV-1a over 64-bit words of all offsets, targets, weights and labels.
//
// The arrays can be streamed, so a stored graph is compared without being loaded.
#pragma once

#include <fmt/format.h>
#include <apsp/graph.hpp>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace apsp::graph {

class Digest {
 public:
  Digest(bool directed, Vertex first_id) {
    add(directed ? 1u : 0u);
    add(first_id);
  }
  void add_offset(std::int64_t offset) { add(static_cast<std::uint64_t>(offset)); }
  void add_target(Vertex target) { add(target); }
  void add_weight(double weight) { add(std::bit_cast<std::uint64_t>(weight + 0.0)); }
  void add_label(std::string_view label) {
    add(label.size());
    for (const char c : label) add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return state_; }

  static std::string text(std::uint64_t value) { return fmt::format("fnv1a64:{:016x}", value); }

 private:
  void add(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x100000001B3u;
    state_ ^= state_ >> 32;  // FNV is defined for bytes: fold the high half back
  }

  std::uint64_t state_ = 0xCBF29CE484222325u;
};

}  // namespace apsp::graph
