// The small programs that solve one matrix share this: reading it, the stopwatch, writing it.
//
//   program VARIANT IN OUT N THREADS REPETITIONS
//
// IN and OUT hold N × N doubles, row-major; no path is infinity. Prints one JSON object: the
// seconds of each repetition, by the clock and by the CPU, from a matrix in memory to distances in
// memory, conversions left out. The same for every peer, so that bench/peers/measure.py compares
// like with like.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace peers {

/// The program's words.
struct Task {
  std::string variant;
  std::int64_t n = 0;
  int threads = 1;
};

/// CPU seconds of all threads together.
inline double cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline std::vector<double> read_matrix(const char* path, std::int64_t n) {
  std::vector<double> matrix(static_cast<std::size_t>(n * n));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(matrix.data()),
            static_cast<std::streamsize>(matrix.size() * sizeof(double)));
  if (!file) throw std::runtime_error(std::string(path) + " cannot be read");
  return matrix;
}

inline void write_matrix(const char* path, const std::vector<double>& matrix) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(matrix.data()),
             static_cast<std::streamsize>(matrix.size() * sizeof(double)));
  if (!file.flush()) throw std::runtime_error(std::string(path) + " cannot be written");
}

/// `prepare(task, matrix)` gives whatever the peer works on; `solve(prepared)` is timed;
/// `result(prepared)` gives [n, n] doubles. `note`: a remark for the table.
template <class Prepare, class Solve, class Result>
int run(int argc, char** argv, Prepare&& prepare, Solve&& solve, Result&& result,
        const std::string& note = "") {
  if (argc != 7) {
    std::fprintf(stderr, "usage: %s VARIANT IN OUT N THREADS REPETITIONS\n", argv[0]);
    return 2;
  }
  try {
    const Task task{argv[1], std::atoll(argv[4]), std::atoi(argv[5])};
    const std::vector<double> matrix = read_matrix(argv[2], task.n);
    std::string seconds, cpu_seconds;
    for (int left = std::atoi(argv[6]); left > 0; --left) {
      auto prepared = prepare(task, matrix);
      const double cpu_start = cpu_now();
      const auto start = std::chrono::steady_clock::now();
      solve(prepared);
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      const std::string comma = seconds.empty() ? "" : ", ";
      seconds += comma + std::to_string(taken.count());
      cpu_seconds += comma + std::to_string(cpu_now() - cpu_start);
      if (left == 1) write_matrix(argv[3], result(prepared));
    }
    std::printf("{\"seconds\": [%s], \"cpu_seconds\": [%s], \"note\": \"%s\"}\n", seconds.c_str(),
                cpu_seconds.c_str(), note.c_str());
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "%s: %s\n", argv[0], failure.what());
    return 1;
  }
}

/// A matrix of the peer's own type, and what its solver is told.
template <class T>
struct Typed {
  std::vector<T> values;
  std::int64_t n;
  int threads;

  T* row(std::int64_t i) { return values.data() + i * n; }
};

/// `run` for peers that solve a `Typed<T>` in place; no path is `none` there.
template <class T, class Solve>
int run_typed(int argc, char** argv, Solve&& solve, double none = INFINITY,
              const std::string& note = "") {
  const auto changed = [](double value, double from, double to) {
    return value == from ? to : value;
  };
  return run(
      argc, argv,
      [&](const Task& task, const std::vector<double>& matrix) {
        Typed<T> typed{{}, task.n, task.threads};
        typed.values.reserve(matrix.size());
        for (const double value : matrix) {
          typed.values.push_back(static_cast<T>(changed(value, INFINITY, none)));
        }
        return typed;
      },
      solve,
      [&](const Typed<T>& typed) {
        std::vector<double> result;
        result.reserve(typed.values.size());
        for (const T value : typed.values) {
          result.push_back(changed(static_cast<double>(value), none, INFINITY));
        }
        return result;
      },
      note);
}

}  // namespace peers
