// apsp through its public call on a caller's matrix. VARIANT: f32, f64, i32, u16.
#include <apsp/apsp.hpp>
#include <cmath>

#include "peer_program.hpp"

namespace {

template <class T>
int run(int argc, char** argv, apsp::ValueType type) {
  const double none = apsp::no_path(apsp::Semiring::min_plus, type);
  struct Prepared {
    std::vector<T> values;
    std::int64_t n;
    int threads;
  };
  return peers::run(
      argc, argv,
      [&](const peers::Task& task, const std::vector<double>& matrix) {
        Prepared prepared{{}, task.n, task.threads};
        prepared.values.reserve(matrix.size());
        for (const double value : matrix) {
          prepared.values.push_back(static_cast<T>(std::isinf(value) ? none : value));
        }
        return prepared;
      },
      [](Prepared& prepared) {
        apsp::FloydWarshallOptions options;
        options.threads = prepared.threads;
        apsp::floyd_warshall<apsp::MinPlus>(
            apsp::MatrixView<T>{prepared.values.data(), prepared.n, prepared.n, prepared.n},
            options);
      },
      [&](const Prepared& prepared) {
        std::vector<double> result;
        result.reserve(prepared.values.size());
        for (const T value : prepared.values) {
          const auto distance = static_cast<double>(value);
          result.push_back(distance == none ? INFINITY : distance);
        }
        return result;
      });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "";
  if (variant == "f64") return run<double>(argc, argv, apsp::ValueType::f64);
  if (variant == "i32") return run<std::int32_t>(argc, argv, apsp::ValueType::i32);
  if (variant == "u16") return run<std::uint16_t>(argc, argv, apsp::ValueType::u16);
  return run<float>(argc, argv, apsp::ValueType::f32);
}
