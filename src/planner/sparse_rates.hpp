// What a machine does of the work of sparse solves: the figures behind elimination_model,
// search_model and breadth_first_model.
//
// Rates are of one thread while all of a plan's threads work, in one kind of value. Figures that
// were not measured on the machine are assumed from the width of a value.
#pragma once

#include <apsp/semiring.hpp>
#include <string>

namespace apsp::planner {

/// Of nested dissection.
struct EliminationRates {
  double ordered = 1e6;      // arcs that METIS orders, a second
  double eliminated = 0;     // relaxations of fronts, a second
  double assembled = 0;      // entries of fronts, a second
  double front = 0;          // s, of a front besides
  double swept_alone = 0;    // relaxations of sweeps into one row at a time, a second
  double swept_wide = 0;     // the same into some rows, supernodes of several vertices
  double supernode = 0;      // s, of a sweep of a block
  double vertex = 0;         // s, of a sweep of a block, beside its relaxations
  double transposed = 0;     // values transposed into rows, a second
  double counted = 0;        // pairs that statistics take row by row, a second
  double counted_swept = 0;  // distances that they take vertex by vertex
  std::string measured{};    // when, UTC; empty: assumed
};

/// Of Dijkstra from one source.
struct SearchRates {
  double vertex = 0;   // s, of a vertex that is reached
  double arc = 0;      // s, of an arc that is looked at
  double values = 0;   // written into a row, a second
  double counted = 0;  // as above
  double passed = 0;   // pairs without a path that statistics pass over, a second; 0: as counted
  std::string measured{};
};

/// Of breadth-first searches from 512 sources at once.
struct BreadthFirstRates {
  double vertex = 0;   // s, to note on one level what has reached a vertex
  double line = 0;     // s, to look across an arc on one level
  double values = 0;   // written into rows, a second
  double counted = 0;  // as above
  double passed = 0;   // as above
  std::string measured{};
};

/// Pairs a second that statistics take row by row, where `share` of them have a path.
double pairs_by_rows(double counted, double passed, double share);

EliminationRates assumed_elimination_rates(Semiring semiring, ValueType type);
SearchRates assumed_search_rates(ValueType type);
BreadthFirstRates assumed_breadth_first_rates(ValueType type);

}  // namespace apsp::planner
