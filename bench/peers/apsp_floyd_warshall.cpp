// apsp through its public call on a caller's matrix. VARIANT: f32, f64, i32, u16.
#include <apsp/apsp.hpp>

#include "peer_program.hpp"

namespace {

template <class T>
int run(int argc, char** argv, apsp::ValueType type) {
  const auto solve = [](peers::Typed<T>& matrix) {
    apsp::FloydWarshallOptions options;
    options.threads = matrix.threads;
    apsp::floyd_warshall<apsp::MinPlus>(
        apsp::MatrixView<T>{matrix.values.data(), matrix.n, matrix.n, matrix.n}, options);
  };
  return peers::run_typed<T>(argc, argv, solve, apsp::no_path(apsp::Semiring::min_plus, type));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "";
  if (variant == "f64") return run<double>(argc, argv, apsp::ValueType::f64);
  if (variant == "i32") return run<std::int32_t>(argc, argv, apsp::ValueType::i32);
  if (variant == "u16") return run<std::uint16_t>(argc, argv, apsp::ValueType::u16);
  return run<float>(argc, argv, apsp::ValueType::f32);
}
