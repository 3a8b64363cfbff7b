// The textbook's three loops, serial or under OpenMP, as a C++ programmer without a library would
// write them. VARIANT: f32, f64.
#include <algorithm>

#include "peers/peer_program.hpp"

namespace {

template <class T>
void relax_row(T* row_i, const T* row_k, T through, std::int64_t n) {
#pragma omp simd
  for (std::int64_t j = 0; j < n; ++j) {
    row_i[j] = std::min(row_i[j], static_cast<T>(through + row_k[j]));
  }
}

template <class T>
void solve(peers::Typed<T>& d) {
#pragma omp parallel num_threads(d.threads)
  for (std::int64_t k = 0; k < d.n; ++k) {
#pragma omp for schedule(static)
    for (std::int64_t i = 0; i < d.n; ++i) {
      // Row k cannot improve through its own vertex; leaving it out, no thread writes what others
      // read.
      const T through = d.row(i)[k];
      if (i != k && through != static_cast<T>(INFINITY))
        relax_row(d.row(i), d.row(k), through, d.n);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "";
  return variant == "f64" ? peers::run_typed<double>(argc, argv, solve<double>)
                          : peers::run_typed<float>(argc, argv, solve<float>);
}
