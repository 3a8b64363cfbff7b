// The textbook's three loops, serial or under OpenMP (bench/papers/plain_k_loop.hpp). VARIANT:
// f32, f64.
#include "papers/plain_k_loop.hpp"
#include "peer_program.hpp"

namespace {

template <class T>
int run(int argc, char** argv) {
  struct Prepared {
    std::vector<T> values;
    std::int64_t n;
    int threads;
  };
  return peers::run(
      argc, argv,
      [](const peers::Task& task, const std::vector<double>& matrix) {
        return Prepared{{matrix.begin(), matrix.end()}, task.n, task.threads};
      },
      [](Prepared& prepared) {
        apsp::bench::plain_k_loop(
            apsp::MatrixView<T>{prepared.values.data(), prepared.n, prepared.n, prepared.n},
            prepared.threads);
      },
      [](const Prepared& prepared) {
        return std::vector<double>(prepared.values.begin(), prepared.values.end());
      });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string variant = argc > 1 ? argv[1] : "";
  return variant == "f64" ? run<double>(argc, argv) : run<float>(argc, argv);
}
