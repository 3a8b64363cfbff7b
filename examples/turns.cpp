// <apsp/turns.hpp>: costs of turns, and where paths end.
#include <apsp/solve.hpp>
#include <apsp/turns.hpp>

#include <iostream>
#include <limits>

int main() {
  // A main road 0 - 1 - 2. At 1, traffic from 0 may not turn into the street to 3.
  apsp::GraphBuilder builder(4, false);
  builder.add_edge(0, 1, 5);
  builder.add_edge(1, 2, 5);
  builder.add_edge(1, 3, 2);
  apsp::TurnRules rules;
  rules.turns.push_back({0, 1, 3, std::numeric_limits<double>::infinity()});
  const apsp::Graph turned = apsp::with_turns(std::move(builder).build(), rules);
  const apsp::TurnStates states = *apsp::TurnStates::of(turned);

  apsp::SolveOptions options;
  options.storage.keep = apsp::Keep::factor;
  options.question.statistics = false;
  const apsp::Result result = apsp::solve(turned, options);
  std::cout << "0 to 3 takes " << result.distance(0, states.end(3)) << ":";
  for (const apsp::Vertex v : states.places(result.path(0, states.end(3)))) std::cout << ' ' << v;
  std::cout << '\n';  // turning round at 2 is not forbidden
  return result.distance(0, states.end(3)) == 17 ? 0 : 1;
}
