#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cli/application.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/damage.hpp"
#include "support/temporary_folder.hpp"

namespace apsp::fuzz {
namespace {

/// Verbs that solve or look; not those that measure the machine.
constexpr const char* kVerbs[] = {"solve",   "plan",       "path",       "distance", "nearest",
                                  "access",  "stats",      "report",     "verify",   "update",
                                  "convert", "generate",   "clean",      "help",     "",
                                  "sole",    "completion", "betweenness"};

constexpr const char* kWords[] = {"--json",
                                  "--quiet",
                                  "--verbose",
                                  "--help",
                                  "-o",
                                  "--output",
                                  "--overwrite",
                                  "--resume",
                                  "--sources",
                                  "--targets",
                                  "--pairs",
                                  "--algorithm",
                                  "--dtype",
                                  "--semiring",
                                  "--threads",
                                  "--memory",
                                  "--device",
                                  "--device-memory",
                                  "--disk",
                                  "--tile",
                                  "--keep",
                                  "--via",
                                  "--hops",
                                  "--predecessors",
                                  "--statistics",
                                  "--no-statistics",
                                  "--verify",
                                  "--tolerance",
                                  "--directed",
                                  "--undirected",
                                  "--format",
                                  "--within",
                                  "--limits",
                                  "--quantity",
                                  "--decay",
                                  "--places",
                                  "--count",
                                  "--top",
                                  "--vertices",
                                  "--edges",
                                  "--seed",
                                  "--weights",
                                  "--real",
                                  "--negative",
                                  "--machine",
                                  "--nodes",
                                  "--ranks-per-node",
                                  "--graph",
                                  "--before",
                                  "--compress",
                                  "--map",
                                  "g.txt",
                                  "small.zarr",
                                  "small.npy",
                                  "pairs.csv",
                                  "none.txt",
                                  "o.zarr",
                                  "o.npy",
                                  "o.csv",
                                  ".",
                                  "0",
                                  "1",
                                  "2",
                                  "3",
                                  "0,1",
                                  "0,0",
                                  "7",
                                  "-1",
                                  "1e400",
                                  "nan",
                                  "9223372036854775807",
                                  "18446744073709551616",
                                  "4KiB",
                                  "1GiB",
                                  "-5GiB",
                                  "auto",
                                  "johnson",
                                  "floyd-warshall",
                                  "nested-dissection",
                                  "bfs",
                                  "boundary",
                                  "min-plus",
                                  "max-min",
                                  "max-plus",
                                  "or-and",
                                  "f32",
                                  "f64",
                                  "i32",
                                  "u16",
                                  "cpu",
                                  "cuda",
                                  "factor",
                                  "matrix",
                                  "grid",
                                  "path",
                                  "star",
                                  "--",
                                  "=",
                                  ""};

std::vector<std::string> words_of(Choices& choices) {
  std::vector<std::string> words = {kVerbs[choices.below(std::size(kVerbs))]};
  while (!choices.empty() && words.size() < 24) {
    const std::size_t at = choices.below(std::size(kWords) + 8);
    if (at < std::size(kWords)) {
      words.emplace_back(kWords[at]);
    } else if (at == std::size(kWords)) {
      words.back() += "=" + std::string(kWords[choices.below(std::size(kWords))]);
    } else {
      std::string text = choices.text(1 + choices.below(12));
      // Words come without zeros, and nothing leaves the folder.
      std::erase_if(text, [](char c) { return c == '\0' || c == '/'; });
      words.push_back(text);
    }
  }
  return words;
}

/// A folder with a graph and results of it, in which all runs take place.
void enter_folder() {
  static const TemporaryFolder folder;
  static const bool entered = [] {
    setenv("APSP_MEASURE", "never", 1);
    setenv("APSP_CACHE_DIR", folder.path().c_str(), 1);
    return true;
  }();
  (void)entered;
  std::filesystem::current_path(folder.path());
  if (std::filesystem::exists("small.zarr") && std::filesystem::exists("small.npy")) return;
  write_bytes("g.txt", "0 1 4\n1 2 3\n2 0 1\n0 3 9\n");
  write_bytes("pairs.csv", "0,1\n2,3\n");
  cli::run({"solve", "g.txt", "--directed", "-o", "small.zarr", "--quiet", "--overwrite"});
  cli::run({"solve", "g.txt", "--directed", "-o", "small.npy", "--quiet", "--overwrite"});
}

/// Nothing is printed while this lives.
class Silence {
 public:
  Silence() {
    flush();
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      kept_[stream - 1] = dup(stream);
      dup2(nothing_, stream);
    }
  }
  ~Silence() {
    flush();
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
      dup2(kept_[stream - 1], stream);
      close(kept_[stream - 1]);
    }
    close(nothing_);
  }

 private:
  static void flush() {
    std::cout.flush();
    std::fflush(nullptr);
  }
  int nothing_ = open("/dev/null", O_WRONLY), kept_[2] = {-1, -1};
};

}  // namespace

void check_arguments(const std::uint8_t* data, std::size_t size) {
  Choices choices(data, size);
  const std::vector<std::string> words = words_of(choices);
  int code = 0;
  {
    const Silence silence;
    enter_folder();
    code = cli::run(words);
  }
  if (code >= 0 && code <= 7) return;
  std::string line;
  for (const std::string& word : words) line += " '" + word + "'";
  report("exit " + std::to_string(code) + ":" + line);
}

}  // namespace apsp::fuzz
