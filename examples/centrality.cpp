// <apsp/betweenness.hpp>: betweenness and closeness of short paths only.
#include <apsp/betweenness.hpp>

#include <iostream>
#include <vector>

int main() {
  // A street of seven houses, a minute apart.
  apsp::GraphBuilder builder(7, false);
  for (apsp::Vertex house = 0; house < 6; ++house) builder.add_edge(house, house + 1);
  const apsp::Graph street = std::move(builder).build();

  const std::vector<double> limits = {2, 6};
  const apsp::NearCentrality found = apsp::near_centrality(street, limits);
  std::cout << found.betweenness[3] << " pairs at most two minutes apart pass house 3, "
            << found.betweenness[7 + 3] << " of all\n"
            << "within two minutes of house 3 are " << found.reached[3] << " houses, "
            << found.distances[3] / found.reached[3] << " minutes away on average\n";
  const bool right = found.betweenness[3] == 1 && found.betweenness[7 + 3] == 9 &&
                     found.reached[3] == 4 && found.distances[3] == 6;
  return right ? 0 : 1;
}
