// <apsp/matrix.hpp>: Floyd-Warshall and a product, on matrices of one's own.
#include <apsp/matrix.hpp>

#include <iostream>
#include <limits>
#include <vector>

int main() {
  // Minutes between three stops by bus; infinity where no bus goes.
  constexpr float kNone = std::numeric_limits<float>::infinity();
  std::vector<float> bus = {0,     5, kNone,  //
                            5,     0, 7,      //
                            kNone, 7, 0};
  const apsp::MatrixView<float> stops(bus.data(), 3, 3);
  apsp::floyd_warshall<apsp::MinPlus>(stops);
  std::cout << "stop 0 to stop 2: " << bus[2] << " minutes\n";

  // Two houses walk to the stops: the least minutes over all stops to get on at.
  std::vector<float> walk = {1, 9, 9,  //
                             9, 9, 2};
  std::vector<float> minutes(6, kNone);
  apsp::multiply_add<apsp::MinPlus>(apsp::MatrixView<float>(minutes.data(), 2, 3),
                                    apsp::MatrixView<float>(walk.data(), 2, 3), stops);
  std::cout << "house 1 to stop 0: " << minutes[3] << " minutes\n";

  return bus[2] == 12 && minutes[2] == 13 - 4 && minutes[3] == 9 ? 0 : 1;
}
