// The variants of Floyd-Warshall on a grid of processes: those of Sao 2021 (§5.1.2), by the paper's
// names, and this program's own.
//
//   variant      schedule     closed tile  panels   a machine's processes  parts are in
//   baseline     Algorithm 3  library      library  row by row             the GPU
//   pipelined    Algorithm 4  library      library  row by row             the GPU
//   reordering   Algorithm 4  library      library  a block (§3.4)         the GPU
//   async        nobody waits library      rings    a block                the GPU
//   offload      nobody waits rings        rings    a block                host memory (§4.3)
//   own          nobody waits rings        rings    a block                the GPU
#pragma once

#include <array>
#include <string_view>

#include "dense/blocked_floyd_warshall.hpp"
#include "dense/grid.hpp"

namespace apsp::dense {

struct Variant {
  std::string_view name = "own";
  Schedule schedule = Schedule::overlapped;
  Broadcasts broadcasts{};
  bool blocked = true;  // the processes of a machine form a block of the grid
  bool offload = false;

  bool rings() const { return broadcasts.panels == Broadcast::ring; }
};

inline constexpr std::array kVariants = {
    Variant{"baseline", Schedule::baseline, {Broadcast::library, Broadcast::library}, false},
    Variant{"pipelined", Schedule::pipelined, {Broadcast::library, Broadcast::library}, false},
    Variant{"reordering", Schedule::pipelined, {Broadcast::library, Broadcast::library}},
    Variant{"async", Schedule::overlapped, {Broadcast::library, Broadcast::ring}},
    Variant{.name = "offload", .offload = true},
    Variant{}};

/// Null: there is none of this name.
constexpr const Variant* find_variant(std::string_view name) {
  for (const Variant& variant : kVariants) {
    if (variant.name == name) return &variant;
  }
  return nullptr;
}

}  // namespace apsp::dense
