// <apsp/near.hpp>: near pairs, nearest places, what can be reached, and what lies between.
#include <apsp/near.hpp>

#include <iostream>
#include <vector>

int main() {
  // A street of six houses, a minute apart, with a hospital at each end.
  apsp::GraphBuilder builder(6, false);
  for (const apsp::Vertex house : {0u, 1u, 2u, 3u, 4u}) builder.add_edge(house, house + 1);
  const apsp::Graph street = std::move(builder).build();

  const apsp::SparseDistances pairs = apsp::within(street, 2);
  std::cout << pairs.targets.size() << " pairs are at most two minutes apart\n";

  const std::vector<apsp::Vertex> hospitals = {0, 5};
  const apsp::NearestPlaces nearest = apsp::nearest(street, hospitals);
  std::cout << "nearest to house 4 is hospital " << nearest.places[4] << ", "
            << nearest.distances[4] << " minute away\n";

  const std::vector<double> people(6, 3), limits = {1};
  const std::vector<double> reached = apsp::access(street, people, limits);
  std::cout << reached[2] << " people live within a minute of house 2\n";

  const apsp::Betweenness between = apsp::betweenness(street);
  std::cout << between.vertices[2] << " pairs pass house 2\n";

  const bool right = pairs.targets.size() == 18 && nearest.places[4] == 1 &&
                     nearest.distances[4] == 1 && reached[2] == 9 && between.vertices[2] == 6;
  return right ? 0 : 1;
}
