// The textbook's three loops, serial or under OpenMP (bench/papers/plain_k_loop.hpp). VARIANT:
// f32, f64.
#include "papers/plain_k_loop.hpp"
#include "peer_program.hpp"

namespace {

template <class T>
int run(int argc, char** argv) {
  return peers::run_typed<T>(argc, argv, [](peers::Typed<T>& matrix) {
    apsp::bench::plain_k_loop(
        apsp::MatrixView<T>{matrix.values.data(), matrix.n, matrix.n, matrix.n}, matrix.threads);
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "";
  return variant == "f64" ? run<double>(argc, argv) : run<float>(argc, argv);
}
