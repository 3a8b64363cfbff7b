// What a machine's threads do of the work of sparse solves: the figures behind elimination_model,
// search_model and breadth_first_model.
//
// Seconds are of one thread. The figures below are cautious and hold until a machine has been
// measured.
#pragma once

namespace apsp::planner {

/// Of nested dissection and the boundary algorithm, in values of two bytes; wider ones take that
/// much longer.
struct EliminationRates {
  double eliminated = 1e10;  // relaxations of fronts, a second
  double closed = 5e10;      // the same of whole parts and boundaries, which are wide
  double swept = 5e10;       // relaxations of sweeps, a second
  double supernode = 3e-8;   // s, of a sweep of a block
  double vertex = 8e-8;      // s, of a sweep of a block, beside its relaxations
  double cache = 2 << 20;    // bytes of the second level
  double turned = 8e8;       // values turned into rows, a second
};

/// Of Dijkstra from one source.
struct SearchRates {
  double vertex = 25e-9;  // s, of a vertex that is reached
  double arc = 5e-9;      // s, of an arc that is looked at
  double values = 8e8;    // written into a row, a second
};

/// Of breadth-first searches from 512 sources at once.
struct BreadthFirstRates {
  double line = 3e-9;   // s, to look across an arc on one level
  double values = 8e8;  // written into rows, a second
};

}  // namespace apsp::planner
