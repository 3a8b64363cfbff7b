// Floyd-Warshall in place from C++, beside which bench/python/run puts the same call from Python.
//
// in_place N TIMES: solves a random matrix of f64 so many times, prints the least seconds.
#include <algorithm>
#include <apsp/apsp.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::int64_t n = std::atoll(argv[1]);
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> weight(0, 1);
  std::vector<double> weights(static_cast<std::size_t>(n * n));
  for (double& w : weights) w = weight(random);
  double least = std::numeric_limits<double>::infinity();
  for (int i = std::atoi(argv[2]); i > 0; --i) {
    std::vector<double> values = weights;
    const auto begin = std::chrono::steady_clock::now();
    apsp::floyd_warshall<apsp::MinPlus>(apsp::MatrixView<double>(values.data(), n, n));
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    least = std::min(least, took.count());
  }
  std::printf("%.9f\n", least);
}
