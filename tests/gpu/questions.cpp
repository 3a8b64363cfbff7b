// Answers questions of tests/gpu/differential.py, many in one process: a GPU takes longer to be
// taken into use than to solve a small graph.
//
// A line of standard input is a question, {"folder": where, "words": [...]}. The words are a
// command line of `apsp`, or `rows GRAPH OUT DEVICE ALGORITHM DTYPE SEMIRING SOURCES`: a solve
// gives its rows to a caller, who writes OUT, [n, n] of f64; rows that never came hold NaN. A line
// of standard output is an answer, {"code": exit code, "out": ..., "err": ...}.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <apsp/apsp.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "cli/application.hpp"
#include "cli/exit_code.hpp"
#include "semiring/dispatch.hpp"

namespace {

using nlohmann::json;
using namespace apsp;

/// What is written to a file descriptor while this lives.
class Captured {
 public:
  explicit Captured(int descriptor) : descriptor_(descriptor), kept_(dup(descriptor)) {
    dup2(file_, descriptor_);
  }
  ~Captured() {
    if (kept_ >= 0) end();
  }
  std::string end() {
    std::cout.flush();
    std::fflush(nullptr);
    dup2(kept_, descriptor_);
    close(kept_);
    kept_ = -1;
    std::string text(static_cast<std::size_t>(lseek(file_, 0, SEEK_END)), '\0');
    const ssize_t read = pread(file_, text.data(), text.size(), 0);
    close(file_);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(0, read)));
    return text;
  }

 private:
  int descriptor_, file_ = memfd_create("answer", 0), kept_;
};

template <class T>
T named(const std::string& word, std::span<const T> all) {
  for (const T value : all) {
    if (name(value) == word) return value;
  }
  throw Error(ErrorKind::usage, "no " + word);
}

/// Doubles of a block of rows, to their places in `all`.
void take(const RowBlock& rows, Semiring semiring, std::int64_t n, std::vector<double>& all) {
  semiring::dispatch(semiring, rows.type, [&]<class S>() {
    using T = typename S::Value;
    for (std::size_t i = 0; i < rows.sources.size(); ++i) {
      const T* const row =
          static_cast<const T*>(rows.values) + static_cast<std::int64_t>(i) * rows.stride;
      double* const to = all.data() + rows.sources[i] * n;
      std::transform(row, row + n, to, [](T value) { return static_cast<double>(value); });
    }
  });
}

int write_rows(const std::vector<std::string>& words) {
  const Graph graph = read_graph(words.at(1));
  SolveOptions options;
  options.machine.device = words.at(3) == "cpu" ? Device::cpu : Device::cuda;
  constexpr Algorithm kAlgorithms[] = {Algorithm::automatic,         Algorithm::floyd_warshall,
                                       Algorithm::nested_dissection, Algorithm::boundary,
                                       Algorithm::johnson,           Algorithm::breadth_first};
  options.method.algorithm = named<Algorithm>(words.at(4), kAlgorithms);
  if (words.at(5) != "auto") options.method.value_type = named(words.at(5), all_value_types());
  options.question.semiring = named(words.at(6), all_semirings());
  options.storage.keep = Keep::statistics;
  options.question.statistics = false;
  for (std::size_t i = 7; i < words.size(); ++i) {
    options.question.sources.push_back(static_cast<Vertex>(std::stoul(words[i])));
  }
  const std::int64_t n = graph.vertex_count();
  std::vector<double> all(static_cast<std::size_t>(n * n),
                          std::numeric_limits<double>::quiet_NaN());
  options.consumer.on_rows = [&](const RowBlock& rows) {
    take(rows, options.question.semiring, n, all);
  };
  solve(graph, options);
  std::ofstream(words.at(2), std::ios::binary)
      .write(reinterpret_cast<const char*>(all.data()),
             static_cast<std::streamsize>(all.size() * sizeof(double)));
  return 0;
}

int answer(const std::vector<std::string>& words) {
  if (words.front() != "rows") return cli::run(words);
  try {
    return write_rows(words);
  } catch (const Error& error) {
    std::cerr << "apsp: " << error.what() << '\n';
    return cli::exit_kind(error.kind()).code;
  }
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const json question = json::parse(line);
    std::filesystem::current_path(question.at("folder").get<std::string>());
    Captured out(STDOUT_FILENO), err(STDERR_FILENO);
    const int code = answer(question.at("words").get<std::vector<std::string>>());
    const json found = {{"code", code}, {"out", out.end()}, {"err", err.end()}};
    std::cout << found.dump() << std::endl;
  }
}
